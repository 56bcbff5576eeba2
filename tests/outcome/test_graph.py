"""How commits hang together, for any history."""

from hypothesis import given
from hypothesis import strategies as st

from gnomon.outcome.gitfacts import Commit
from gnomon.outcome.graph import CommitGraph


@st.composite
def trunks(draw: st.DrawFn) -> list[Commit]:
    """Commits with any number of older parents, the newest first."""
    commits: list[Commit] = []
    for n in range(draw(st.integers(1, 14))):
        parents = draw(st.lists(st.integers(0, n - 1), unique=True, max_size=3)) if n else []
        commits.append(Commit(f"{n:040x}", tuple(f"{parent:040x}" for parent in parents), n, "", ()))
    return commits[::-1]


@given(trunks())
def test_a_merge_brought_what_its_other_parents_reach_and_its_first_one_does_not(trunk: list[Commit]):
    graph = CommitGraph(trunk, [])
    for commit in trunk:
        first, others = graph.below(commit.parents[:1]), graph.below(commit.parents[1:])
        assert graph.brought_by(commit) == others - first
