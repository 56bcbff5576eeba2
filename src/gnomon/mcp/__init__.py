"""`gnomon mcp`: what Gnomon knows, as tools for a coding agent, by the Model Context Protocol.

server.py       the protocol, with the official SDK (`mcp`, which is not this package)
tools.py        what a tool is: a function whose signature is its schema
context.py      what a tool works with: a backend, a default project, limits
text.py         how answers are written: bounded, with what others wrote fenced and marked as data
experiments.py  experiments, what their scores say, gaps
examples.py     what got worse between two experiments, what one failed at, with examples
traces.py       traces as trees of spans
catalog.py      projects, datasets, leaderboards, judges, iterations of coding agents
writing.py      the tools that change something, listed with --write only
"""
