"""What gates in the agent's hooks decided: the sidecar `iter-N.hook-outcomes.yaml`, read for a signal and written.

Only gates that can stop or mend something count. A gate that prevented an action and then asked for a remedy
at the end is one event, at its worst.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path

from gnomon.atomicfile import write_atomically
from gnomon.errors import InvalidInput, Refused
from gnomon.model.outcome import SignalValue, absent_signal, present_signal
from gnomon.model.yamltree import BadYaml, Mapping, Scalar, Series, read
from gnomon.outcome.regular import read_regular
from gnomon.outcome.yamlout import flow_free, is_text

SCORED_CLASSES = ("prevent_before_action", "remediate_at_stop")
_SEVERITY = {"allow": 0, "advise": 1, "remediate": 2}
_LARGEST_FILE = 8 * 2**20

SKILLS = ("iteration-close", "isp", "loop-worker", "orchestrator-session-start", "delegation-lifecycle")
LIFECYCLE_POINTS = (
    "pre_tool_use", "stop", "subagent_stop", "subagent_start", "pre_compact", "post_tool_use", "post_tool_use_failure",
)  # fmt: skip
CLASSES = (*SCORED_CLASSES, "continuity_advice", "observe_tool_result")
RESULTS = tuple(_SEVERITY)
PLATFORMS = ("claude", "codex", "copilot", "cursor")
_RULE = re.compile(r"[a-z][a-z0-9-]*(?:\.[A-Za-z0-9]+)+")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)")


@dataclass(frozen=True, slots=True)
class HookRecord:
    """One decision of one gate."""

    sentinel_id: str = ""
    skill: str = ""
    lifecycle_point: str = ""
    intervention_class: str = ""
    result: str = ""
    rule_id: str = ""
    platform: str = ""
    ts: str = ""
    archived_sentinel_path: str = ""
    correlation_id: str = ""

    @property
    def key(self) -> tuple[str, str, str, str]:
        return (self.sentinel_id, self.rule_id, self.lifecycle_point, self.intervention_class)


def hook_path(directory: str | Path, iteration: int) -> Path:
    return Path(directory) / f"iter-{iteration}.hook-outcomes.yaml"


def extract_hook_outcomes_signal(directory: str | Path, iteration: int) -> SignalValue:
    """The hook_outcomes signal of an iteration. A sidecar that is missing or broken makes it absent."""
    if not str(directory).strip():
        return absent_signal("no iteration-log directory")
    path = hook_path(directory, iteration)
    try:
        records = read_hook_records(path)
    except FileNotFoundError:
        return absent_signal(f"no hook-outcomes sidecar for iter-{iteration}")
    except OSError as bad:
        return absent_signal(f"cannot read the hook-outcomes sidecar for iter-{iteration}: {bad.strerror or bad}")
    except BadYaml as bad:
        return absent_signal(f"the hook-outcomes sidecar for iter-{iteration} is {bad}")
    return hook_signal(records)


def hook_signal(records: Sequence[HookRecord]) -> SignalValue:
    scored = [record for record in records if record.intervention_class in SCORED_CLASSES]
    if not scored:
        return absent_signal("no scored hook records (continuity_advice and observe_tool_result are deferred)")
    events = collapse(scored)
    for word, sub_score in (("remediate", 0.0), ("advise", 0.6), ("allow", 1.0)):
        hit = [record for record in events if record.result == word]
        if hit:
            rules = joined(record.rule_id for record in hit)
            count = f" ({len(events)} records)" if word == "allow" else f" ({len(hit)} of {len(events)})"
            return present_signal(sub_score, f"{word}: {rules}{count}")
    return absent_signal("the hook records have no known result (allow, advise, remediate)")


def severity(result: str) -> int:
    return _SEVERITY.get(result, -1)


def collapse(records: Iterable[HookRecord]) -> list[HookRecord]:
    """Records of one event (same correlation, same rule) as one, at its worst, where the first one stood."""
    kept: list[HookRecord] = []
    indexes: dict[tuple[str, str], int] = {}
    for record in records:
        key = (record.correlation_id, record.rule_id)
        index = indexes.get(key) if record.correlation_id else None
        if index is None:
            indexes[key] = len(kept)
            kept.append(record)
        elif severity(record.result) > severity(kept[index].result):
            kept[index] = record
    return kept


def joined(rules: Iterable[str]) -> str:
    return ", ".join(sorted(set(rules)))


def read_hook_records(path: Path) -> list[HookRecord]:
    """The records of a sidecar, as far as they say something. Raises OSError and BadYaml."""
    root = read(read_regular(path, _LARGEST_FILE, within=path.parent))
    listed = root.items.get("records") if isinstance(root, Mapping) else None
    if root is not None and not isinstance(root, Mapping):
        raise BadYaml("not a mapping with `records`")
    if listed is None or (isinstance(listed, Scalar) and listed.null):
        return []
    if not isinstance(listed, Series) or not all(isinstance(item, Mapping) for item in listed.items):
        raise BadYaml("not a list of records")
    return [_record(item) for item in listed.items if isinstance(item, Mapping)]


def _record(item: Mapping) -> HookRecord:
    texts = {}
    for name in (part.name for part in fields(HookRecord)):
        node = item.items.get(name)
        if node is not None and not isinstance(node, Scalar):
            raise BadYaml(f"not readable: {name} at line {node.line} is not text")
        texts[name] = "" if node is None or node.null else node.text
    return HookRecord(**texts)


# ── writing ─────────────────────────────────────────────────────────────────────────────────────────────────────

_HEADER = "# yaml-language-server: $schema=../../../schemas/workflow-hook-outcome.schema.json\n"


def write_hook_record(directory: str | Path, iteration: int, record: HookRecord) -> str:
    """Append a record to the sidecar: "written" or "duplicate". The same decision twice is one.

    A second decision of the same gate that is worse than the first is kept beside it: the worst one counts.
    """
    checked = _checked(record)
    path = hook_path(directory, iteration)
    try:
        known = read_hook_records(path) if path.exists() else []
        _known_version(path)
    except (OSError, BadYaml) as bad:
        words = (bad.strerror or str(bad)) if isinstance(bad, OSError) else str(bad)
        raise Refused(f"{path.name} cannot be added to: {words}; fix or move the file") from None
    same = [other for other in known if other.key == checked.key]
    if same and max(severity(other.result) for other in same) >= severity(checked.result):
        return "duplicate"
    rows = [{"schema_version": 1, **_shown(other)} for other in [*known, checked]]
    write_atomically(path, _HEADER + flow_free({"schema_version": 1, "records": rows}))
    return "written"


def newest_iteration(directory: str | Path) -> int | None:
    """The highest N with an entry of its own: the iteration that is being worked on."""
    matches = [re.fullmatch(r"iter-(\d+)\.yaml", entry.name) for entry in Path(directory).glob("iter-*.yaml")]
    return max((int(match[1]) for match in matches if match), default=None)


def _shown(record: HookRecord) -> dict[str, str]:
    return {part.name: getattr(record, part.name) for part in fields(HookRecord)}


def _known_version(path: Path) -> None:
    if not path.exists():
        return
    root = read(path.read_bytes())
    node = root.items.get("schema_version") if isinstance(root, Mapping) else None
    if not isinstance(node, Scalar) or node.text != "1":
        raise BadYaml("schema_version is not 1")


def _checked(record: HookRecord) -> HookRecord:
    choices = {
        "skill": SKILLS, "lifecycle_point": LIFECYCLE_POINTS, "intervention_class": CLASSES, "result": RESULTS,
        "platform": PLATFORMS,
    }  # fmt: skip
    for name, allowed in choices.items():
        if getattr(record, name) not in allowed:
            words = f"{name} {getattr(record, name)!r} is not known; write one of {', '.join(allowed)}"
            raise InvalidInput.of(name, words)
    for name, text in _shown(record).items():
        if not is_text(text):
            raise InvalidInput.of(name, f"{name} {text!r} is not UTF-8 text")
    if not record.sentinel_id.strip():
        raise InvalidInput.of("sentinel_id", "sentinel_id is empty; write <skill>-<run id>")
    if not _RULE.fullmatch(record.rule_id):
        words = f"rule_id {record.rule_id!r} is not like iteration-close.R1.1 (name, then parts after dots)"
        raise InvalidInput.of("rule_id", words)
    _check_moment(record.ts)
    path = record.archived_sentinel_path
    if path.startswith("/") or ".." in path.split("/") or "\\" in path:
        words = f"archived_sentinel_path {path!r} must be a path inside the repository, with / between its parts"
        raise InvalidInput.of("archived_sentinel_path", words)
    if record.correlation_id:
        return record
    return HookRecord(**{**_shown(record), "correlation_id": record.sentinel_id})


def _check_moment(ts: str) -> None:
    try:
        if not _MOMENT.fullmatch(ts):
            raise ValueError
        datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", ts))
    except ValueError:
        raise InvalidInput.of("ts", f"ts {ts!r} is not a time such as 2026-05-17T03:50:55Z") from None
