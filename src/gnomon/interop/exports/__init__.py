"""What leaves Gnomon as a file: the records of an export, as lines of JSON and as rows of a table.

records.py  what an export consists of
columns.py  the tables' columns and their types
cells.py    values as text, in a way that loses nothing and that no spreadsheet runs
writers.py  JSONL, CSV and Parquet, written
tables.py   CSV and Parquet, read again
shapes.py   the lines, read again
target.py   a file that is whole or not there

`gnomon.interop.foreign.gnomon_export` reads them again.
"""
