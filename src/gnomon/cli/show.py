"""The only room that prints: nouns as tables for people, or as JSON for programs.

Results go to stdout; problems and progress to stderr. Wherever a mean is shown, its interval is beside it,
drawn as a whisker; whatever is missing is counted with its reason.
"""

import json as _json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.table import Table

    from gnomon.model.access import Key, NewKey
    from gnomon.model.experiment import (
        ExperimentComparison,
        ScorerComparison,
        ScorerSummary,
        Summary,
        ThresholdResult,
    )
    from gnomon.service.doctor import Finding
    from gnomon.service.maintenance import Checked

_PIPED_WIDTH = 160
_WHISKER = 25
_SHOWN_SKIPS = 5
_SIDES = {"gte": "at least", "gt": "above", "lte": "at most", "lt": "below"}
_FLAGS = {
    "small_n": "fewer than 15 items, so the interval may be too narrow",
    "one_item": "one item only, so this says little about others",
    "single_run": "one run only",
}
_COLORS = {"ok": "green", "warn": "yellow", "fail": "red"}


# --- anything -----


def prepare() -> None:
    """A terminal that lacks a letter gets a question mark for it, not a crash."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def line(text: str = "") -> None:
    click.echo(text)


def problem(text: str) -> None:
    """What went wrong, on one line of stderr."""
    click.echo(f"gnomon: {' '.join(text.split())}", err=True)


def json(found: Any) -> None:
    """A noun, or a list of them, as the HTTP contract writes it."""
    click.echo(_json.dumps(_plain(found), indent=2, ensure_ascii=not _any_letter()))


def json_line(found: Any) -> None:
    click.echo(_json.dumps(_plain(found), ensure_ascii=not _any_letter()))


@contextmanager
def progress(title: str, *, quiet: bool = False) -> Iterator[Callable[[int, int], None]]:
    """A bar with an estimate, told how many bytes of how many are done. Silent unless a person watches."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(title), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


# --- servers and keys -----


def listening(url: str, new_key: str | None, key_file: Path) -> None:
    line(f"Gnomon listens on {url}")
    if new_key is not None:
        line(f"admin key (shown once, kept in {key_file}): {new_key}")


def demo(notes: Mapping[str, Any]) -> None:
    line(f"The project {notes['project_id']} is {'made' if notes['made'] else 'there'}, in {notes['database']}")
    if notes["url"]:
        line(f"Gnomon listens on {notes['url']} (the API, call by call: {notes['url']}/docs)")
        line(f"key: {notes['key']}")
    line("Try, in another terminal:" if notes["url"] else "Try:")
    for command in notes["commands"]:
        line(f"  {command}")


def new_key(made: "NewKey") -> None:
    line(f"key (shown once): {made.key}")
    line(f"id {made.id}, role {made.role}, {_scope(made)}")


def keys(found: "Sequence[Key]") -> None:
    if not found:
        line("There are no keys but the admin key; make one with `gnomon key create`.")
        return
    table = _table("id", "role", "for", "name", "made")
    for key in found:
        table.add_row(key.id, key.role, _scope(key), _clean(key.name or ""), f"{key.created_at:%Y-%m-%d %H:%M} UTC")
    _print(table)


# --- experiments -----


def summary(found: "Summary") -> None:
    failed = f", {found.failed_run_count} failed" if found.failed_run_count else ""
    trials = f" × {found.trials} trials" if found.trials > 1 else ""
    size = f"{found.run_count} runs{failed}; {found.dataset_item_count} items{trials}"
    line(f"{_clean(found.name)} ({found.status}): {size}")
    if found.scores_by_scorer:
        _scorers(list(found.scores_by_scorer.values()))
    else:
        line("There are no scores yet.")
    if found.threshold_result is not None:
        line(f"last gate {_passed(found.threshold_result)}: {_decided(found.threshold_result)}")


def file_scores(told: Mapping[str, Any], scorers: "Sequence[ScorerSummary]") -> None:
    """What a file's scores say, and which lines could not be read."""
    skipped = f", {told['skipped']} lines skipped" if told["skipped"] else ""
    line(f"{_clean(told['file'])}: {told['rows']:,} rows{skipped}")
    _scorers(scorers)
    for why in told["skips"][:_SHOWN_SKIPS]:
        line(f"skipped: {_clean(why)}")
    if len(told["skips"]) > _SHOWN_SKIPS:
        line(f"… and {told['skipped'] - _SHOWN_SKIPS:,} more")
    if told["out"]:
        line(f"scores are in {_clean(told['out'])}")


def _scorers(scorers: "Sequence[ScorerSummary]") -> None:
    table = _table("scorer", "mean", "95 % interval", _axis("0", "1"), "scored", right=("mean", "scored"))
    for one in scorers:
        table.add_row(
            _clean(one.scorer_name), _number(one.mean), _interval(one.confidence_interval_95),
            _whisker(one.mean, one.confidence_interval_95, 0, 1), f"{one.n_scored:,} of {one.n_total:,}",
        )  # fmt: skip
    _print(table)
    for one in scorers:
        for words in _remarks(one):
            line(f"{_clean(one.scorer_name)}: {words}")


def _remarks(one: "ScorerSummary") -> Iterator[str]:
    if one.distribution:
        total = sum(one.distribution.values())
        ranked = sorted(one.distribution.items(), key=lambda found: (-found[1], found[0]))
        yield "labels " + ", ".join(f"{_clean(label)} {count} ({100 * count / total:.0f} %)" for label, count in ranked)
    if one.pass_at_k and one.pass_pow_k and one.ci_method in ("wilson", "cluster_wilson"):
        k = max(one.pass_at_k, key=int)
        yield f"pass@{k} {one.pass_at_k[k]:.3f}, pass^{k} {one.pass_pow_k[k]:.3f}"
    missing = one.n_total - one.n_scored
    if missing:
        reasons = [f"{count} {_clean(reason)}" for reason, count in sorted(one.reasons.items(), key=lambda r: -r[1])]
        reasons += [f"{one.n_pending} pending"] if one.n_pending else []
        yield f"{missing} without a score ({', '.join(reasons)})"
    for flag in one.flags:
        yield _FLAGS.get(flag, flag)


def comparison(found: "ExperimentComparison", base_name: str, other_name: str) -> None:
    line(f"{_clean(base_name)} → {_clean(other_name)}")
    if not found.scorer_comparisons:
        line("Neither has scores.")
        return
    reach = _reach(found.scorer_comparisons)
    axis = _axis(f"-{reach:g}", f"+{reach:g}")
    table = _table("scorer", "base", "other", "difference", axis, right=("base", "other", "difference"))
    for one in found.scorer_comparisons:
        table.add_row(
            _clean(one.scorer_name), _number(one.base_mean), _number(one.compare_mean), _number(one.paired_delta, "+"),
            _whisker(one.paired_delta, one.delta_ci_95, -reach, reach),
        )  # fmt: skip
    _print(table)
    for one in found.scorer_comparisons:
        line(f"{_clean(one.scorer_name)}: {verdict(one)} (items: {_counts(one)})")
    line("Differences are over the items scored in both, with 95 % intervals.")


def verdict(one: "ScorerComparison") -> str:
    """What the comparison of one scorer says, in words."""
    if one.base_mean is None and one.compare_mean is None:
        return f"{one.changed_count} of {one.paired_count} labels changed" if one.paired_count else "no item in both"
    if one.delta_ci_95 is None:
        return "cannot tell: too few items in both"
    low, high = one.delta_ci_95
    if one.verdict == "improved":
        return f"better, by {_span(low, high)}"
    if one.verdict == "regressed":
        return f"worse, by {_span(-high, -low)}"
    if one.verdict == "equivalent":
        return "no difference" if low == high == 0 else f"as good: {low:+.3f} to {high:+.3f}"
    return f"cannot tell: {low:+.3f} to {high:+.3f}"


def decision(found: "ThresholdResult", name: str, no_value: str | None) -> None:
    line(f"{_passed(found)}: {_clean(name)}, {_decided(found, no_value)}")


# --- this machine -----


def checked(found: "Checked") -> None:
    line(f"{found.database}: schema version {found.schema_version} of {found.newest_version}")
    if found.rows:
        table = _table("table", "rows", right=("rows",))
        for name, count in found.rows.items():
            table.add_row(name, f"{count:,}")
        _print(table)
    for one in found.problems:
        line(f"problem: {_clean(one)}")
    if not found.problems:
        line("No problems found.")


def findings(found: "Sequence[Finding]") -> None:
    from rich.text import Text

    table = _table("", "", "", headed=False)
    for one in found:
        remedy = f"; {one.remedy}" if one.remedy else ""
        table.add_row(Text(one.state, style=_COLORS[one.state]), one.about, _clean(one.found + remedy))
    _print(table)


# --- how things are written -----


def _plain(found: Any) -> Any:
    if is_dataclass(found) and not isinstance(found, type):
        return asdict(found)
    if isinstance(found, list):
        return [_plain(one) for one in found]
    return found.model_dump(mode="json") if hasattr(found, "model_dump") else found


def _table(*columns: str, right: Sequence[str] = (), headed: bool = True) -> "Table":
    from rich.table import Table

    table = Table(box=None, show_header=headed, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for name in columns:
        drawn = name.startswith(("0 ", "-"))  # an axis: a whisker that is cut says something wrong
        table.add_column(name, justify="right" if name in right else "left", no_wrap=drawn or name in right)
    return table


def _print(table: "Table") -> None:
    """Full width in a terminal; wide when piped, so that no line is broken. Names are never markup."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    console = Console(markup=False, emoji=False, highlight=False, width=width)
    with console.capture() as drawn:
        console.print(table)
    for row in drawn.get().splitlines():
        line(row.rstrip())


def _any_letter() -> bool:
    """Whether stdout can write what is not ASCII."""
    return "utf" in (sys.stdout.encoding or "").lower()


def _axis(start: str, end: str) -> str:
    return start + " " * (_WHISKER - len(start) - len(end)) + end


def _whisker(value: float | None, ends: "tuple[float, float] | None", start: float, end: float) -> str:
    """An interval drawn to scale: ├──●──┤, with a mark at zero when the axis has one inside."""
    if value is None or ends is None:
        return ""
    dot, left, middle, right, mean, zero = "·├─┤●│" if _any_letter() else ".[-]o|"

    def place(x: float) -> int:
        return round((min(max(x, start), end) - start) / (end - start) * (_WHISKER - 1))

    cells = [dot] * _WHISKER
    if start < 0 < end:
        cells[place(0)] = zero
    low, high = place(ends[0]), place(ends[1])
    cells[low : high + 1] = [middle] * (high - low + 1)
    cells[low], cells[high] = left, right
    cells[place(value)] = mean
    return "".join(cells)


def _reach(found: "Sequence[ScorerComparison]") -> float:
    """How far an axis must go to both sides of zero."""
    farthest = max((abs(end) for one in found for end in one.delta_ci_95 or ()), default=0)
    return next(reach for reach in (0.05, 0.1, 0.2, 0.5, 1.0) if farthest <= reach)


def _number(value: float | None, sign: str = "") -> str:
    return "–" if value is None else f"{value:{sign}.3f}"


def _interval(ends: "tuple[float, float] | None") -> str:
    return "–" if ends is None else f"{ends[0]:.3f} to {ends[1]:.3f}"


def _span(low: float, high: float) -> str:
    # The test and the interval are two methods; at the edge the interval may just reach beyond zero.
    return f"{low:.3f} to {high:.3f}" if low > 0 else f"up to {high:.3f}"


def _counts(one: "ScorerComparison") -> str:
    counted = {
        "better": one.improved_count,
        "worse": one.regressed_count,
        "changed": one.changed_count,
        "same": one.unchanged_count,
        "only before": one.only_in_base,
        "only after": one.only_in_compare,
    }
    return ", ".join(f"{count} {words}" for words, count in counted.items() if count)


def _passed(found: "ThresholdResult") -> str:
    return "passed" if found.passed else "FAILED"


def _decided(found: "ThresholdResult", no_value: str | None = None) -> str:
    metric = found.metric if found.k is None else f"{found.metric.removesuffix('_k')}_{found.k}"
    wanted = f"{_SIDES[found.comparison]} {found.threshold:g} is wanted"
    if found.actual_value is None:
        return f"{_clean(found.scorer_name)} has no {metric}, {wanted}" + (f": {_clean(no_value)}" if no_value else "")
    value = f"{_clean(found.scorer_name)} has {metric} {found.actual_value:.3f}, {wanted} ({found.gap:+.3f})"
    return f"{value}; 95 % interval of the mean {_interval(found.confidence_interval_95)}"


def _scope(key: "Key") -> str:
    return f"project {key.project_id}" if key.project_id else "all projects"


def _clean(text: str) -> str:
    """Names come from outside: what could move a terminal's cursor is shown as a question mark."""
    return "".join(letter if letter.isprintable() else "�" for letter in " ".join(text.split()))
