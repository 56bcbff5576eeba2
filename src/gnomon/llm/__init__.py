"""How to ask a model: `ask.py` does it, `answer.py` is what comes back, `providers.py` says whom names belong to.

Prompts and the reading of answers are the scorers' work; waiting, retrying and counting money the worker's.
"""
