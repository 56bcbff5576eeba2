"""Evaluations that are declared in files: suites in YAML, and `gn.Eval(...)` in Python.

declared.py   `Eval`: what one evaluation is made of, wherever it was written
reading.py    a YAML file as a `Suite`; what is wrong in it is named with its line
loading.py    files and folders, and functions named as `module:function` or `file.py:function`
gitbase.py    which experiment `git:main` means
running.py    run an `Eval`, compare it, check its gates
preview.py    what running it would take
starting.py   a first suite for a data file
watching.py   when files have changed
"""
