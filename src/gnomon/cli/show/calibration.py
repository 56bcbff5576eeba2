"""A judge's agreement with human labels, with its intervals, the confusion table, raw and corrected mean."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gnomon.cli.show.pen import draw, line
from gnomon.report.text.drawing import axis, clean, interval, number, table, whisker
from gnomon.shorten import counted

if TYPE_CHECKING:
    from gnomon.model.calibration import Calibration, Estimate

_AGREEMENT = {
    "accuracy": "accuracy",
    "cohen_kappa": "Cohen's kappa",
    "weighted_kappa_linear": "kappa, linear weights",
    "weighted_kappa_quadratic": "kappa, quadratic weights",
    "gwet_ac1": "Gwet's AC1",
    "krippendorff_alpha": "Krippendorff's alpha",
    "spearman_rho": "Spearman's rho",
}
_ALONE = "people's labels alone"
_METHODS = {"double_sampling": "double sampling", "ppi_beta": "PPI++", "wilson": _ALONE, "beta_moments": _ALONE}
_WIDEST = 12


def calibration(result: "Calibration") -> None:
    line(f"{clean(result.judge)} against {clean(result.human)}: {_size(result)}")
    _agreement(result)
    if result.confusion is not None and len(result.confusion.ratings) <= _WIDEST:
        _confusion(result)
    for words in _means(result):
        line(words)
    for note in result.notes:
        line(f"note: {clean(note)}")


def _size(result: "Calibration") -> str:
    alone = f", {result.n_human_only:,} by people only" if result.n_human_only else ""
    return f"{counted(result.n_labelled, 'target')} rated by both, {result.n_judge_only:,} by the judge only{alone}"


def _agreement(result: "Calibration") -> None:
    rows = table("agreement", "value", "95 % interval", axis("-1", "+1"), right=("value",))
    for field, words in _AGREEMENT.items():
        estimate: Estimate = getattr(result, field)
        if estimate.value is not None:
            ends = estimate.confidence_interval_95
            rows.add_row(words, number(estimate.value), interval(ends), whisker(estimate.value, ends, -1, 1))
    if rows.row_count:
        draw(rows)
    for field, words in _AGREEMENT.items():
        estimate = getattr(result, field)
        if estimate.reason is not None:
            line(f"{words}: {clean(estimate.reason)}")


def _confusion(result: "Calibration") -> None:
    assert result.confusion is not None
    names = [clean(rating) for rating in result.confusion.ratings]
    shares = {} if result.base_rates is None else {base_rate.rating: base_rate for base_rate in result.base_rates}
    columns = [f"judge: {name}" for name in names]
    rows = table("people", *columns, "share", right=(*columns, "share"))
    for rating, name, counts in zip(result.confusion.ratings, names, result.confusion.counts, strict=True):
        rows.add_row(name, *map(str, counts), f"{shares[rating].human:.1%}" if rating in shares else "")
    rows.add_row(
        "share", *(f"{shares[rating].judge:.1%}" if rating in shares else "" for rating in result.confusion.ratings)
    )
    draw(rows)


def _means(result: "Calibration") -> Iterator[str]:
    raw, fixed, bias = result.judge_mean, result.corrected_mean, result.bias
    if raw.value is None:
        return
    yield f"the judge's mean is {_estimate(raw)} over {result.n_labelled + result.n_judge_only:,} targets"
    if bias.value is not None:
        way = "higher" if bias.value > 0 else "lower" if bias.value < 0 else "neither higher nor lower"
        ends = "" if bias.confidence_interval_95 is None else f" ({interval(bias.confidence_interval_95)})"
        yield f"where both rated, the judge is {abs(bias.value):.3f} {way} than people: bias {bias.value:+z.3f}{ends}"
    if fixed.value is None:
        yield f"it cannot be corrected: {clean(fixed.reason or '')}"
    else:
        method = _METHODS.get(fixed.method or "", fixed.method or "")
        yield f"corrected by {counted(result.n_labelled, 'label')}: {raw.value:z.3f} → {_estimate(fixed)}, by {method}"


def _estimate(estimate: "Estimate") -> str:
    ends = estimate.confidence_interval_95
    return number(estimate.value) if ends is None else f"{number(estimate.value)} ({interval(ends)})"
