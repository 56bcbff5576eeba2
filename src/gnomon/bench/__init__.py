"""Benchmarks of agents: from a scenario to runs, from runs to scores.

package.py      scenario packages on disk: load, verify, write, hash; soundness.py what must hold in one
hints.py        nothing that an agent sees may hint at what is tested
kinds/          anomalies and look-alikes, as data
generate/       days drawn from a seed
answer_key.py   what counts in a scenario, from the words of vocabulary.yaml
prompt.py       what an agent is told
world.py        what its tools answer: toolbox.py, memory.py, usersim.py (usermodel.py), actionlog.py
protocol.py     what an agent is; agents.py who can be one, replies.py and foreign.py other people's
reference.py    agents whose results are known in advance
conversation.py one beat; runner.py one run, beat by beat; batch.py many runs at once, resumable
transcripts.py  transcripts on disk, ours and the first published format
heuristic.py    transcript and answer key to a run's score, by words.py and actions.py
aggregate.py    runs to rates with intervals
story.py        a run as a judge reads it
"""

from gnomon.model.bench import AggregatedScore, JudgeDimensionScore, JudgeOutput, ScoringResult

__all__ = ["AggregatedScore", "JudgeDimensionScore", "JudgeOutput", "ScoringResult"]
