"""The evidence of a score: `iter-N.evidence.json` beside it, so that it can be explained and computed again.

A score is stale when anything that went into it is another today: the trunk, the commits, a file, the sessions.
"""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from gnomon.atomicfile import write_atomically
from gnomon.outcome.regular import read_regular

FORMAT = 1
_LARGEST_FILE = 64 * 2**20
_INPUTS = {
    "rubric_version": "the rubric",
    "rubric_digest": "the rubric's content",
    "profile": "the profile",
    "trunk": "the trunk's tip",
    "commits": "the iteration's commits",
    "open_work": "the branch that the work is on",
    "settings": "the profile's settings",
    "scope": "the declared write_scope",
    "files": "a file",
    "transcripts": "what transcripts show",
}


def evidence_path(directory: str | Path, iteration: int) -> Path:
    return Path(directory) / f"iter-{iteration}.evidence.json"


def digest(data: bytes) -> str:
    return f"sha256:{sha256(data).hexdigest()}"


def file_digests(paths: Iterable[Path]) -> dict[str, str]:
    """Name → digest, of those that are there. A sidecar that appears later is a change."""
    digests = {}
    for path in paths:
        try:
            digests[path.name] = digest(read_regular(path, _LARGEST_FILE, within=path.parent))
        except OSError:
            continue
    return digests


def write_evidence(directory: str | Path, evidence: Mapping[str, Any]) -> Path:
    text = json.dumps(evidence, ensure_ascii=False, indent=2) + "\n"
    # Names of files need not be text; half a pair of surrogates is read back as it was.
    return write_atomically(evidence_path(directory, evidence["iteration"]), text.encode(errors="surrogatepass"))


def read_evidence(directory: str | Path, iteration: int) -> dict[str, Any] | None:
    """What was recorded; None when there is nothing that can be read."""
    path = evidence_path(directory, iteration)
    try:
        evidence = json.loads(read_regular(path, _LARGEST_FILE, within=path.parent))
    except (OSError, ValueError, RecursionError):
        return None
    return evidence if isinstance(evidence, dict) and evidence.get("format") == FORMAT else None


def stale_reasons(stored: Mapping[str, Any] | None, current: Mapping[str, Any]) -> list[str]:
    """What changed since the score was written, in words; empty if it is still valid."""
    if stored is None:
        return ["nothing records what the score was computed from"]
    changed = []
    for name, words in _INPUTS.items():
        before, now = stored.get(name), current.get(name)
        if before == now:
            continue
        if name == "files" and isinstance(before, dict) and isinstance(now, dict):
            names = sorted(file for file in {*before, *now} if before.get(file) != now.get(file))
            words = ", ".join(names)
        changed.append(f"{words} changed")
    return changed
