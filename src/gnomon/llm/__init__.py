"""How to ask a model: `ask.py` does it, `chat.py` with tools, `answer.py` is what comes back.

`providers.py` says whom names belong to, `limits.py` and `pace.py` how fast they may be asked. Prompts and the reading
of answers are the scorers' work; waiting, retrying and counting money that of workers and runs.
"""
