"""Tool-use tasks over a JSON world: a benchmark family.

family.py       the plug: a task as a scenario, its metrics and reference agents
nouns.py        what a package consists of; package.py reads and writes it, soundness.py says what must hold
expressions.py  conditions and computed values; templates.py texts with expressions; paths.py into a world
world.py        a world and a call to a new world and a result
user.py         what the simulated user says
comparing.py    whether a world is as expected; phrases.py whether a text says a phrase
scoring.py      a run to success and metrics with evidence; metrics.py what they are; runscore.py from a transcript
playing.py      a task as a run plays it
reference.py    agents whose results are known in advance
lint.py         whether the tasks measure anything; showing.py a task for people
examples/       two packages made by hand: a shop's returns desk, a calendar
"""
