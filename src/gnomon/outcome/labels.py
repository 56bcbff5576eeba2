"""What people say of an iteration: the sidecar `iter-N.labels.yaml`, read for a signal and written.

A label is never overwritten: an edit is appended to its history, and the last entry is what it says now.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gnomon.atomicfile import write_atomically
from gnomon.errors import Forbidden, InvalidInput, NotFound, Refused
from gnomon.model.outcome import SignalValue, absent_signal, present_signal
from gnomon.model.yamltree import BadYaml, read
from gnomon.outcome.fields import Block
from gnomon.outcome.regular import read_regular
from gnomon.outcome.signals import plain_mean
from gnomon.outcome.yamlout import flow_free, is_text

SCHEMA_VERSION = "1.0.0"
ROLES = ("reviewer", "admin", "readonly")
SCOPE = {"on-target": 1.0, "partial": 0.5, "breach": 0.0}
HALLUCINATION = {"none": 1.0, "minor": 0.5, "major": 0.0}
BEST_CORRECTNESS = 3
LONGEST_TEXT = 4000
_LARGEST_FILE = 8 * 2**20
_WRITTEN = ("actor", "timestamp", "free_text")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one person says at one moment."""

    actor: str
    role: str
    timestamp: str
    correctness: int
    scope_judgement: str
    hallucination: str
    free_text: str = ""

    @property
    def value(self) -> float:
        return (
            self.correctness / BEST_CORRECTNESS + SCOPE[self.scope_judgement] + HALLUCINATION[self.hallucination]
        ) / 3


@dataclass(frozen=True, slots=True)
class Label:
    id: str
    iteration: int
    actor: str
    role: str
    schema_version: str
    created_at: str
    updated_at: str
    history: tuple[Judgement, ...]
    admin_override: bool = False


@dataclass(frozen=True, slots=True)
class LabelSidecar:
    iteration: int
    schema_version: str = SCHEMA_VERSION
    labels: tuple[Label, ...] = ()


def labels_path(directory: str | Path, iteration: int) -> Path:
    return Path(directory) / f"iter-{iteration}.labels.yaml"


def extract_human_label_signal(directory: str | Path, iteration: int) -> SignalValue:
    if not str(directory).strip():
        return absent_signal("no iteration-log directory")
    try:
        sidecar = read_labels(directory, iteration)
    except (OSError, BadYaml) as bad:
        words = (bad.strerror or str(bad)) if isinstance(bad, OSError) else str(bad)
        return absent_signal(f"cannot read labels sidecar for iter-{iteration}: {words}")
    return label_signal(sidecar)


def label_signal(sidecar: LabelSidecar) -> SignalValue:
    """The mean over people, each by the latest label. An admin's override stands alone."""
    if not sidecar.labels:
        return absent_signal(f"no human labels for iter-{sidecar.iteration}")
    for version in (sidecar.schema_version, *(label.schema_version for label in sidecar.labels)):
        if version.split(".")[0] != "1":
            return absent_signal(f"labels of iter-{sidecar.iteration} have schema {version}; 1.x is known")
    overriding = [label for label in sidecar.labels if label.admin_override]
    latest = latest_by_actor(overriding or sidecar.labels)
    actors = ", ".join(sorted({label.actor for label in latest}))
    value = plain_mean([label.history[-1].value for label in latest])
    how = f"admin override by {actors}" if overriding else f"mean of {len(latest)} latest label(s) by {actors}"
    return present_signal(value, how)


def latest_by_actor(labels: Sequence[Label]) -> list[Label]:
    """Each person's latest label; of two at the same moment the later in the list."""
    latest: dict[str, Label] = {}
    for label in labels:
        known = latest.get(label.actor)
        if known is None or _moment(label.updated_at) >= _moment(known.updated_at):
            latest[label.actor] = label
    return list(latest.values())


def _moment(text: str) -> tuple[float, str]:
    try:
        return datetime.fromisoformat(text).timestamp(), ""
    except ValueError:
        return 0.0, text


# ── reading ─────────────────────────────────────────────────────────────────────────────────────────────────────


def read_labels(directory: str | Path, iteration: int) -> LabelSidecar:
    """The labels of an iteration; none when there is no sidecar. Raises OSError and BadYaml."""
    path = labels_path(directory, iteration)
    try:
        root = Block.of(read(read_regular(path, _LARGEST_FILE, within=path.parent)), "the document")
    except FileNotFoundError:
        return LabelSidecar(iteration)
    sidecar = LabelSidecar(
        root.integer("iteration"), root.text("schema_version"), tuple(_label(item) for item in root.blocks("labels"))
    )
    _check(sidecar)
    return sidecar


def _label(block: Block) -> Label:
    return Label(
        id=block.text("id"),
        iteration=block.integer("iteration"),
        actor=block.text("actor"),
        role=block.text("role"),
        schema_version=block.text("schema_version"),
        created_at=block.text("created_at"),
        updated_at=block.text("updated_at"),
        history=tuple(_judgement(item) for item in block.blocks("history")),
        admin_override=block.flag("admin_override"),
    )


def _judgement(block: Block) -> Judgement:
    structured = block.block("structured")
    return Judgement(
        actor=block.text("actor"),
        role=block.text("role"),
        timestamp=block.text("timestamp"),
        correctness=structured.integer("correctness"),
        scope_judgement=structured.text("scope_judgement"),
        hallucination=structured.text("hallucination"),
        free_text=block.text("free_text"),
    )


def _check(sidecar: LabelSidecar) -> None:
    if sidecar.iteration < 0 or not sidecar.schema_version.strip():
        raise BadYaml("iteration is negative or schema_version is blank")
    seen: set[str] = set()
    for label in sidecar.labels:
        if not (label.id.strip() and label.actor.strip() and label.schema_version.strip() and label.history):
            raise BadYaml("a label lacks its id, actor, schema_version or history")
        if label.role not in ROLES:
            raise BadYaml(f"a label's role is {label.role!r}")
        if label.iteration != sidecar.iteration:
            raise BadYaml(f"a label is of iteration {label.iteration}, the file of {sidecar.iteration}")
        if label.id in seen:
            raise BadYaml(f"label id {label.id!r} appears twice")
        seen.add(label.id)
        for judgement in label.history:
            for fault in judgement_faults(judgement):
                raise BadYaml(fault)


def judgement_faults(judgement: Judgement) -> list[str]:
    """What is wrong with a judgement, field by field."""
    faults = []
    if not judgement.actor.strip():
        faults.append("actor is blank; say who judged")
    if judgement.role not in ROLES:
        faults.append(f"role {judgement.role!r} is not one of {', '.join(ROLES)}")
    if not 0 <= judgement.correctness <= BEST_CORRECTNESS:
        faults.append(f"correctness {judgement.correctness} is outside 0 to {BEST_CORRECTNESS}")
    if judgement.scope_judgement not in SCOPE:
        faults.append(f"scope_judgement {judgement.scope_judgement!r} is not one of {', '.join(SCOPE)}")
    if judgement.hallucination not in HALLUCINATION:
        faults.append(f"hallucination {judgement.hallucination!r} is not one of {', '.join(HALLUCINATION)}")
    faults += [f"{name} is not UTF-8 text" for name in _WRITTEN if not is_text(getattr(judgement, name))]
    if len(judgement.free_text.encode(errors="replace")) > LONGEST_TEXT:
        faults.append(f"free_text has more than {LONGEST_TEXT} bytes")
    return faults


# ── writing ─────────────────────────────────────────────────────────────────────────────────────────────────────


def add_label(directory: str | Path, iteration: int, judgement: Judgement, *, admin_override: bool = False) -> Label:
    """Add a label. An override is an admin's to give."""
    if admin_override and judgement.role != "admin":
        raise Forbidden(f"only an admin may override; {judgement.actor} has the role {judgement.role}")
    _refuse_bad(judgement)
    sidecar = _readable(directory, iteration)
    label = Label(
        id=secrets.token_hex(16),
        iteration=iteration,
        actor=judgement.actor,
        role=judgement.role,
        schema_version=SCHEMA_VERSION,
        created_at=judgement.timestamp,
        updated_at=judgement.timestamp,
        history=(judgement,),
        admin_override=admin_override,
    )
    _write(directory, replace(sidecar, labels=(*sidecar.labels, label)))
    return label


def edit_label(directory: str | Path, iteration: int, id: str, judgement: Judgement) -> Label:
    """Append a judgement to a label's history: its own author may, and an admin. It stays the author's label."""
    _refuse_bad(judgement)
    sidecar = _readable(directory, iteration)
    known = next((label for label in sidecar.labels if label.id == id), None)
    if known is None:
        raise NotFound(f"iteration {iteration} has no label {id!r}")
    if judgement.actor != known.actor and judgement.role != "admin":
        raise Forbidden(f"unauthorized edit: label {id} is {known.actor}'s; only {known.actor} or an admin may edit it")
    edited = replace(known, updated_at=judgement.timestamp, history=(*known.history, judgement))
    labels = tuple(edited if label.id == id else label for label in sidecar.labels)
    _write(directory, replace(sidecar, labels=labels))
    return edited


def now_text(now: datetime | None = None) -> str:
    return (now or datetime.now(UTC)).astimezone(UTC).isoformat().replace("+00:00", "Z")


def _refuse_bad(judgement: Judgement) -> None:
    for fault in judgement_faults(judgement):
        raise InvalidInput.of(fault.split()[0], fault)


def _readable(directory: str | Path, iteration: int) -> LabelSidecar:
    try:
        return read_labels(directory, iteration)
    except (OSError, BadYaml) as bad:
        words = (bad.strerror or str(bad)) if isinstance(bad, OSError) else str(bad)
        raise Refused(f"cannot read labels sidecar for iter-{iteration}: {words}; fix or move the file") from None


def _write(directory: str | Path, sidecar: LabelSidecar) -> None:
    shown = {
        "iteration": sidecar.iteration,
        "schema_version": sidecar.schema_version,
        "labels": [_shown_label(label) for label in sidecar.labels],
    }
    write_atomically(labels_path(directory, sidecar.iteration), flow_free(shown))


def _shown_label(label: Label) -> dict[str, Any]:
    override = {"admin_override": True} if label.admin_override else {}
    return {
        "id": label.id,
        "iteration": label.iteration,
        "actor": label.actor,
        "role": label.role,
        **override,
        "schema_version": label.schema_version,
        "created_at": label.created_at,
        "updated_at": label.updated_at,
        "history": [_shown_judgement(judgement) for judgement in label.history],
    }


def _shown_judgement(judgement: Judgement) -> dict[str, Any]:
    structured = {
        "correctness": judgement.correctness,
        "scope_judgement": judgement.scope_judgement,
        "hallucination": judgement.hallucination,
    }
    text = {"free_text": judgement.free_text} if judgement.free_text else {}
    shown = {"actor": judgement.actor, "role": judgement.role, "timestamp": judgement.timestamp}
    return {**shown, "structured": structured, **text}
