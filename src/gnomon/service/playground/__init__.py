"""The playground: prompts with models on some items, stored as experiments. `accepting.py` takes a request,
`estimating.py` says beforehand what it would take, `running.py` asks in a worker, `askable.py` tells the models."""
