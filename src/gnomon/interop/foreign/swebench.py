"""Reports of SWE-bench: a run's summary (`MODEL.RUN.json`), and `report.json` of an instance or a folder of them."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from gnomon.errors import Refused
from gnomon.interop.foreign.bundle import Bundle, ForeignExperiment, ForeignRun, ForeignScore
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.reading import as_list, as_object, as_text, joined, json_object, without_none
from gnomon.interop.foreign.scores import score_of

SOURCE = "swe-bench"
DATASET = "swe-bench"
_REPORT, _PATCH = "report.json", "patch.diff"
_LARGEST_PATCH = 1 << 20
_NOT_EVALUATED = "SWE-bench could not evaluate the patch"


def detect(path: Path) -> bool:
    if path.is_dir():
        return any(detect(child / _REPORT) for child in _instances(path))
    if not path.is_file():
        return False
    keys = look(path).keys
    if {"total_instances", "resolved_instances"} <= keys or {"resolved_ids", "completed_ids"} <= keys:
        return True  # the counts come first: the ids may begin far behind
    return any(key.endswith(".patch_successfully_applied") for key in keys)


def _instances(folder: Path) -> list[Path]:
    return sorted(child for child in folder.iterdir() if child.is_dir() and (child / _REPORT).is_file())


def read(path: Path) -> Bundle:
    bundle = Bundle(SOURCE)
    if path.is_dir():
        name, runs = joined(path.parent.name or None, path.name), list(_from_folder(path, bundle))
        metadata: dict[str, Any] = {"source": SOURCE, "model": path.name, "run_id": path.parent.name}
    else:
        value = json_object(path, "a report of SWE-bench")
        if "resolved_ids" in value:
            name, runs = path.stem, list(_from_summary(value, bundle))
            model, _, run_id = path.stem.rpartition(".")  # a model's name may have dots in it: claude-3.5
            metadata = {"source": SOURCE, "model": model or run_id}
        else:
            name, runs = path.parent.name or path.stem, list(_from_reports(value, None, bundle))
            metadata = {"source": SOURCE}
    bundle.experiments.append(ForeignExperiment(name, DATASET, runs, metadata))
    return bundle


def _from_folder(folder: Path, bundle: Bundle) -> Iterator[ForeignRun]:
    for child in _instances(folder):
        patch = child / _PATCH
        diff = None
        if patch.is_file() and patch.stat().st_size <= _LARGEST_PATCH:
            diff = patch.read_text(encoding="utf-8", errors="replace")
        try:
            reports = json_object(child / _REPORT, "a report of SWE-bench")
        except Refused as bad:  # one instance that was cut must not hide the others
            bundle.not_understood["report that cannot be read"] += 1
            yield ForeignRun(child.name, child.name, diff, error=f"{_NOT_EVALUATED}: {bad.message}")
            continue
        yield from _from_reports(reports, diff, bundle)


def _from_reports(reports: dict[str, Any], patch: str | None, bundle: Bundle) -> Iterator[ForeignRun]:
    for key, report in reports.items():
        if not isinstance(report, dict) or not isinstance(report.get("resolved"), bool):
            bundle.not_understood["instance without resolved"] += 1
            continue
        tests = as_object(report.get("tests_status"))
        scores = [score_of("resolved", report["resolved"])]
        for kind in ("FAIL_TO_PASS", "PASS_TO_PASS"):
            passed, failed = (as_list(as_object(tests.get(kind)).get(end)) for end in ("success", "failure"))
            if passed or failed:
                scores.append(ForeignScore(kind.lower(), len(passed) / (len(passed) + len(failed))))
        applied = report.get("patch_successfully_applied")
        if isinstance(applied, bool):
            scores.append(score_of("patch_applied", applied))
        yield ForeignRun(key, key, patch if patch else without_none(**report), scores=scores)


def _from_summary(value: dict[str, Any], bundle: Bundle) -> Iterator[ForeignRun]:
    """Which instances were resolved; what the patches were is not said."""
    resolved, unresolved, empty, broken = (
        _ids(value.get(f"{kind}_ids")) for kind in ("resolved", "unresolved", "empty_patch", "error")
    )
    reasons = as_object(value.get("failure_reasons"))
    for key in sorted({*resolved, *unresolved, *empty, *broken}):
        if key in resolved or key in unresolved:
            yield ForeignRun(key, key, scores=[score_of("resolved", key in resolved)])
        elif key in empty:
            yield ForeignRun(key, key, "", scores=[score_of("resolved", False, rationale="the patch is empty")])
        else:
            why = as_text(reasons.get(key))
            yield ForeignRun(key, key, error=f"{_NOT_EVALUATED}: {why}" if why else _NOT_EVALUATED)
    if missing := _ids(value.get("incomplete_ids")):
        bundle.notes.append(f"instances without a prediction, which are not runs: {len(missing):,}")


def _ids(value: Any) -> set[str]:
    ids: Iterable[Any] = as_list(value)
    return {text for text in map(as_text, ids) if text is not None}
