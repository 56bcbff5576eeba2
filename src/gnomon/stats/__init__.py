"""Numbers in, numbers out: what scores say together, and how sure one may be of it.

agreement.py do two raters agree: accuracy, κ, AC1, α, ρ
correct.py   a judge's mean, corrected by people's labels
describe.py  how many, how large, how spread, and the sums that a database can make
drift.py     has the mean of a stream of scores moved since a reference window
interval.py  which confidence interval, and the intervals themselves
missing.py   scores that are not there: left out, counted as 0, or anything between
paired.py    two experiments over the same items: difference, test, verdict
pairwise.py  preferences: Bradley–Terry strengths and ranks
passk.py     pass@k and pass^k
plan.py      how many items and trials a difference takes
plausible.py could printed numbers have come from scores at all
rank.py      many agents over the same items: ranks and their ranges
resample.py  the bootstrap, seeded, and its formula for many items
sequence.py  intervals that stay right however often one looks
stopping.py  is a gate or a comparison decided by the scores so far
tails.py     Student's t, beta and the fair coin, the one place that loads NumPy and SciPy

Nothing here knows what a run, a scorer or a project is. Nothing returns NaN: what cannot be said is None.
"""
