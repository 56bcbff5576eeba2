"""Benchmarks of agents: from a scenario to runs, from runs to scores.

family.py       what a family of benchmarks is; families.py which there are, and a package's
noticing/       a family: does an assistant notice that something is wrong in somebody's day, and act?
tasks/          a family: tool-use tasks over a JSON world
protocol.py     what an agent is; agents.py who can be one, replies.py and foreign.py other people's
reference.py    what the reference agents of all families share
packagefiles.py folders of files on disk: read within limits, hashed, written whole
toolbox.py      tools as an agent meets them; handling.py from a call to its answer; memory.py files of memory
usersim.py      a simulated user; usermodel.py one that is a model
conversation.py one step; runner.py one run, step by step; batch.py many runs at once, resumable
transcripts.py  transcripts on disk
aggregate.py    runs to metrics with intervals
story.py        a run as text
"""

from gnomon.bench.noticing.result import ScoringResult
from gnomon.model.bench import AggregatedScore, JudgeDimensionScore, JudgeOutput

__all__ = ["AggregatedScore", "JudgeDimensionScore", "JudgeOutput", "ScoringResult"]
