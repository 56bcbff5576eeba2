"""Does an assistant notice that something is wrong, and does it act? A day in beats is played to it, one step each.

family.py       the plug: a day as a scenario, its metrics, settings and reference agents
scenario.py     the nouns of a package; package.py load, verify, write, hash; soundness.py what must hold in one
hints.py        nothing that an agent sees may hint at what is tested
kinds/          anomalies and look-alikes, as data
generate/       days drawn from a seed
answer_key.py   what counts in a scenario, from the words of vocabulary.yaml
prompt.py       what an agent is told; actionlog.py what it did so far
world.py        what its tools answer; people.py whom it reaches
reference.py    agents whose results are known in advance
heuristic.py    transcript and answer key to a run's score, by words.py and actions.py; result.py its published noun
metrics.py      what is measured, as data
judging.py      a run as a judge reads it
days.py         a day as people look at it
"""
