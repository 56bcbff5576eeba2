"""Benchmarks of agents: from a scenario to runs, from runs to scores.

package.py      scenario packages on disk: load, verify, write, hash
hints.py        nothing that an agent sees may hint at what is tested
kinds/          anomalies and look-alikes, as data
generate/       days drawn from a seed
answer_key.py   what counts in a scenario
prompt.py       what an agent is told
world.py        what its tools answer
agents.py       who can be an agent
reference.py    agents whose results are known in advance
runner.py       one run, beat by beat
batch.py        many runs at once, resumable
transcripts.py  transcripts on disk, ours and the first published format
heuristic.py    transcript and answer key to a run's score
aggregate.py    runs to rates with intervals
"""
