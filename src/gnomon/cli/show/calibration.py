"""A judge held against people: agreement with its intervals, the confusion table, raw and corrected mean."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gnomon.cli.show.pen import draw, line
from gnomon.report.text.drawing import axis, clean, interval, number, table, whisker

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


def calibration(found: "Calibration") -> None:
    line(f"{clean(found.judge)} against {clean(found.human)}: {_size(found)}")
    _agreement(found)
    if found.confusion is not None and len(found.confusion.ratings) <= _WIDEST:
        _confusion(found)
    for words in _means(found):
        line(words)
    for note in found.notes:
        line(f"note: {clean(note)}")


def _size(found: "Calibration") -> str:
    alone = f", {found.n_human_only:,} by people only" if found.n_human_only else ""
    return f"{found.n_labelled:,} targets rated by both, {found.n_judge_only:,} by the judge only{alone}"


def _agreement(found: "Calibration") -> None:
    rows = table("agreement", "value", "95 % interval", axis("-1", "+1"), right=("value",))
    for field, words in _AGREEMENT.items():
        one: Estimate = getattr(found, field)
        if one.value is not None:
            ends = one.confidence_interval_95
            rows.add_row(words, number(one.value), interval(ends), whisker(one.value, ends, -1, 1))
    if rows.row_count:
        draw(rows)
    for field, words in _AGREEMENT.items():
        one = getattr(found, field)
        if one.reason is not None:
            line(f"{words}: {clean(one.reason)}")


def _confusion(found: "Calibration") -> None:
    assert found.confusion is not None
    names = [clean(rating) for rating in found.confusion.ratings]
    shares = {} if found.base_rates is None else {one.rating: one for one in found.base_rates}
    columns = [f"judge: {name}" for name in names]
    rows = table("people", *columns, "share", right=(*columns, "share"))
    for rating, name, counts in zip(found.confusion.ratings, names, found.confusion.counts, strict=True):
        rows.add_row(name, *map(str, counts), f"{shares[rating].human:.1%}" if rating in shares else "")
    rows.add_row(
        "share", *(f"{shares[rating].judge:.1%}" if rating in shares else "" for rating in found.confusion.ratings)
    )
    draw(rows)


def _means(found: "Calibration") -> Iterator[str]:
    raw, fixed, bias = found.judge_mean, found.corrected_mean, found.bias
    if raw.value is None:
        return
    yield f"the judge's mean is {_told(raw)} over {found.n_labelled + found.n_judge_only:,} targets"
    if bias.value is not None:
        way = "higher" if bias.value > 0 else "lower" if bias.value < 0 else "neither higher nor lower"
        ends = "" if bias.confidence_interval_95 is None else f" ({interval(bias.confidence_interval_95)})"
        yield f"where both rated, the judge is {abs(bias.value):.3f} {way} than people: bias {bias.value:+z.3f}{ends}"
    if fixed.value is None:
        yield f"it cannot be corrected: {clean(fixed.reason or '')}"
    else:
        method = _METHODS.get(fixed.method or "", fixed.method or "")
        yield f"corrected by {found.n_labelled:,} labels: {raw.value:.3f} → {_told(fixed)}, by {method}"


def _told(one: "Estimate") -> str:
    ends = one.confidence_interval_95
    return number(one.value) if ends is None else f"{number(one.value)} ({interval(ends)})"
