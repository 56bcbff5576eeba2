"""How to ask a model: `ask.py` does it, `chat.py` with tools, `answer.py` is what comes back.

Below lie two transports: `openai_transport.py` asks endpoints that speak OpenAI's protocol, `litellm_transport.py` all
others. `providers.py` says whom names belong to and how they are asked, `prices.py` what a call costs, `limits.py` and
`pace.py` how fast models may be asked. Prompts and the reading of answers are the scorers' work; waiting, retrying and
counting money that of workers and runs.
"""
