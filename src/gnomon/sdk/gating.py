"""`gn.gate`: are an experiment's gates passed? `gn.decided`: when may an evaluation end?"""

from gnomon.sdk.connection import connection
from gnomon.sdk.finding import Identified, find
from gnomon.service.analysis.gates import GateResults, check_all
from gnomon.service.evaluation.stopping import Decided


def gate(experiment: str | Identified, *texts: str, at: str | None = None) -> GateResults:
    """Check gates of an experiment, which is a name, an id, or the result of an evaluation.

    A gate is `SCORER[.METRIC] OP NUMBER`, decided by the metric's 95 % interval: `exact_match >= 0.8`. Metrics are
    `mean` (when none is named), `point` (the mean alone, without its interval), `min`, `max`, `ci_low`, `pass_at_k(3)`
    and `pass_pow_k(3)`. Or it is `SCORER not worse than EXPERIMENT [by MARGIN]`. The result is true when all passed;
    printed, it says why not. `at` chooses among experiments of one name: `~1` for the one before the newest.

    >>> data = [{"input": n, "expected_output": str(n)} for n in range(40)]
    >>> result = gn.evaluate(str, data, [gn.exact_match()], name="numbers-v1", progress=False)
    >>> print(gn.gate("numbers-v1", "exact_match >= 0.8"))
    passed: exact_match >= 0.8 (mean 1.000, 95 % interval 0.912 to 1.000): the whole interval is at least 0.8
    >>> gn.gate(result, "exact_match >= 0.8", "exact_match.min >= 0.5").assert_passed()
    """
    connected = connection()
    return check_all(connected.backend, find(connected, experiment, at=at), texts)


def decided(
    gate: str | None = None,
    *,
    against: str | None = None,
    scorer: str | None = None,
    margin: float = 0.0,
    max_items: int | None = None,
) -> Decided:
    """End an evaluation once a question is answered: `gn.evaluate(..., stop_when=gn.decided(...))`.

    The question is a `gate` on a mean, or whether it is better or worse than the experiment `against`, by its `scorer`
    (needed where there are several), or with a `margin`: worse by more than that. At most `max_items` are run. The
    chance of a wrong answer is at most 5 % over all looks.

    >>> gn.decided("exact_match >= 0.8", max_items=500).gate
    'exact_match >= 0.8'
    """
    return Decided(gate, against, scorer, margin, max_items)
