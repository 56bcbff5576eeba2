"""Numbers in, numbers out: what scores say together, and how sure one may be of it.

describe.py  how many, how large, how spread, and the sums that a database can make
interval.py  which confidence interval, and the intervals themselves
paired.py    two experiments over the same items: difference, test, verdict
passk.py     pass@k and pass^k
tails.py     Student's t and the fair coin, the one place that loads SciPy

Nothing here knows what a run, a scorer or a project is. Nothing returns NaN: what cannot be said is None.
"""
