"""Is the database there, and is its schema ours?"""

from gnomon.errors import StoreTrouble
from gnomon.store.engine import Transaction
from gnomon.store.migrations import STEPS, remedy_for, version


def check(db: Transaction) -> int:
    """The schema's version, or why this store cannot be used."""
    step = version(db)
    if step != len(STEPS):
        raise StoreTrouble(f"the database is at step {step}, this Gnomon at {len(STEPS)}; {remedy_for(step)}")
    return step
