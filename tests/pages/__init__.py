"""Pages of the documentation, run from top to bottom as their readers would.

- `blocks.py` reads a page: its fenced blocks, the commands in them, and what is shown as their output.
- `walk.py` runs a page in one folder: commands in bash, Python in one session, servers until the page ends.
- `python_session.py` is the process in which the Python of a page runs.

Which page needs what, and which commands cannot run here, stands in `tests/docs/test_pages.py`.
"""
