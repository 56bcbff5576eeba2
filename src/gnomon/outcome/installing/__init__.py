"""Hooks that write entries by themselves: put into what is there, and taken out again without a trace.

jsontext.py   one value added to a list of a JSON file, or removed, and every other byte left as it is
githook.py    a block in git's post-commit hook, whoever manages the hooks
ledger.py     what files were like before, so that they can be put back byte for byte
targets.py    the files of Claude Code, Codex, git and CI
program.py    how a hook calls this program
installer.py  install and uninstall
"""
