"""Other tools' results, read into one shape: what a file or folder holds, before anything is stored.

A reader is a pure function of a path. It refuses nothing that it can read in part: what it does not understand is
counted by kind in `not_understood`, so that whoever imports can say so.
"""
