"""How to ask a model: `ask.py` does it, `chat.py` with tools, `answer.py` is what comes back.

Below lie two transports: `openai_transport.py` asks endpoints that speak OpenAI's protocol, `litellm_transport.py` all
others. `providers.py` says whom names belong to and how they are asked, `prices.py` what a call costs (`rates.py`: the
nouns of it; `pricetable.py`: the table that is shipped; `reported.py`: prices of models as traces name them).

Above lies the asking session (`session.py`), through which everybody asks: `retry.py` decides what to do after trouble,
`limits.py` how fast models may be asked, `spent.py` sums up what calls took. Prompts and the reading of answers are the
scorers' work.
"""
