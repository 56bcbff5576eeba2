"""The `compat` profile: the original's numbers to the last digit, with its quirks, and nothing else.

reading.py      where an entry, its artefacts and what was found are read in another way
sessions.py     session files by strict shapes: no de-duplication, one folder deep
windows.py      an iteration's time: from one commit to the next
transcripts.py  tokens, tool errors and ways of working from those files
git.py          did the work land (trunk `master`), did it keep to its files (exact paths)?
stages.py       the steps of the walk by themselves
walk.py         the whole walk

The rest of the wing does not know what is in here: `profiles.py` chooses how evidence is read, and `pipeline.py` and
`stages.py` which walk is taken.
"""
