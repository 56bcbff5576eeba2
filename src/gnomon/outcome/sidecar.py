"""Scores beside the log: `iter-N.score.yaml` and `session-ID.score.yaml`, whole or not there.

Same names, keys and order as the original's files, so that both tools read each other's.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from pydantic import ValidationError

from gnomon.atomicfile import write_atomically
from gnomon.errors import GnomonError, InvalidInput, Refused
from gnomon.model.fields import Noun
from gnomon.model.outcome import OutcomeScore, SessionScore, SignalContribution
from gnomon.model.yamltree import BadYaml, Node, Series, read
from gnomon.model.yamltree import Mapping as YamlMapping
from gnomon.outcome.record import IterationRecord, derive_linked_traces_to_outcomes
from gnomon.outcome.rubric import profile_of_version
from gnomon.outcome.yamlout import flow_free

PersistedContribution = SignalContribution
_LONGEST_NAME = 180

N = TypeVar("N", bound=Noun)


class PersistedScore(OutcomeScore):
    """A score as it is on disk: with the marker that traces were linked to outcomes."""

    linked_traces_to_outcomes: bool = False


def iteration_score_path(directory: str | Path, iteration: int) -> Path:
    return Path(directory) / f"iter-{iteration}.score.yaml"


def session_score_path(directory: str | Path, session_id: str) -> Path:
    """Unsafe characters of an id are percent-encoded: an id cannot leave the directory."""
    if not session_id:
        raise InvalidInput.of("session_id", "session_id is empty; a session without an id has no file")
    safe = quote(session_id, safe=" +=@,", errors="surrogatepass")
    if len(safe) > _LONGEST_NAME:
        safe = f"{safe[:_LONGEST_NAME]}-{sha256(session_id.encode(errors='surrogatepass')).hexdigest()[:16]}"
    return Path(directory) / f"session-{safe}.score.yaml"


def build_persisted_score(score: OutcomeScore, record: IterationRecord | None = None) -> PersistedScore:
    profile = profile_of_version(score.rubric_version)
    linked = record is not None and derive_linked_traces_to_outcomes(record, profile=profile)
    fields = {name: getattr(score, name) for name in OutcomeScore.model_fields}
    return PersistedScore.model_construct(**fields, linked_traces_to_outcomes=linked)


def write_iteration_score(directory: str | Path, score: OutcomeScore) -> Path:
    return _write_score(directory, build_persisted_score(score))


def write_iteration_score_with_record(directory: str | Path, score: OutcomeScore, record: IterationRecord) -> Path:
    return _write_score(directory, build_persisted_score(score, record))


def write_iteration_scores(directory: str | Path, scores: Iterable[OutcomeScore]) -> list[Path]:
    """Write every score, in order; the paths. The first that cannot be written ends it, and what was written before
    stays: the error's `written` has those paths, and the caller decides whether to try again or to take them back."""
    return written_in_order(write_iteration_score(directory, score) for score in scores)


def write_session_score(directory: str | Path, session: SessionScore) -> Path:
    # The original's keys and no others: what is provisional stands in the evidence of each iteration.
    shown = session.model_dump(exclude={"per_iteration": {"__all__": {"provisional"}}})
    return write_atomically(session_score_path(directory, session.session_id), flow_free(shown))


def write_session_scores(directory: str | Path, sessions: Iterable[SessionScore]) -> list[Path]:
    """Write every session, in order; return the paths. Failures are reported as by `write_iteration_scores`."""
    return written_in_order(write_session_score(directory, session) for session in sessions)


def written_in_order(writes: Iterable[Path]) -> list[Path]:
    """The paths of files that are written one by one. An error on the way gets those before it as `written`."""
    paths: list[Path] = []
    try:
        for path in writes:
            paths.append(path)
    except GnomonError as bad:
        bad.written = paths
        raise
    return paths


def _write_score(directory: str | Path, score: PersistedScore) -> Path:
    return write_atomically(iteration_score_path(directory, score.iteration), flow_free(_shown(score)))


def _shown(score: PersistedScore) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "iteration": score.iteration,
        "rubric_version": score.rubric_version,
        "scored": score.scored,
        "value": score.value,
        "band": score.band,
        "breakdown": [_row(row) for row in score.breakdown],
    }
    return {**shown, "linked_traces_to_outcomes": True} if score.linked_traces_to_outcomes else shown


def _row(row: SignalContribution) -> dict[str, Any]:
    return {
        "signal": row.signal,
        "label": row.label,
        "present": row.present,
        "sub_score": row.sub_score,
        **({"detail": row.detail} if row.detail else {}),
        "nominal_weight": row.nominal_weight,
        "effective_weight": row.effective_weight,
        "contribution": row.contribution,
        **({"self_reported": True} if row.self_reported else {}),
    }


# ── reading back, our own files and the original's ──────────────────────────────────────────────────────────────


def read_iteration_score(path: Path) -> PersistedScore:
    """A score from its sidecar. Refuses a file that is none, in one sentence."""
    return _validated(PersistedScore, path)


def read_session_score(path: Path) -> SessionScore:
    return _validated(SessionScore, path)


def _validated(noun: type[N], path: Path) -> N:
    try:
        return noun.model_validate(_content(path))
    except ValidationError as bad:
        first = bad.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise Refused(f"cannot read {path.name}: {field}: {first['msg']}") from None


def _content(path: Path) -> dict[str, Any]:
    try:
        root = read(path.read_bytes())
        if not isinstance(root, YamlMapping):
            raise BadYaml("not a mapping")
    except OSError as bad:
        raise Refused(f"cannot read {path.name}: {bad.strerror or bad}") from None
    except BadYaml as bad:
        raise Refused(f"cannot read {path.name}: {bad}") from None
    content = _plain(root)
    return dict(content) if isinstance(content, Mapping) else {}


def _plain(node: Node) -> Any:
    if isinstance(node, YamlMapping):
        return {name: _plain(value) for name, value in node.items.items()}
    if isinstance(node, Series):
        return [_plain(item) for item in node.items]
    return None if node.null else node.text
