"""How many reverts are found, and how many of those found are reverts? On commits of real repositories, labelled.

    python -m bench.validity.reverts --repositories DIR

The labels are in tests/outcome/data/reverts.csv, as facts: repository, commit, what it takes back, verdict, reason.
They were made from git's own facts: an id or a pull request's number in the message, a quoted subject that one
earlier commit has. Pairs that only git's patch-id shows were judged by one reader from subjects, dates and sizes. DIR
holds the repositories as OWNER+NAME/repo, OWNER/NAME or NAME; those that are not there are left out and named. Nothing
is fetched.
"""

import argparse
import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gnomon.outcome.gitfacts import read_history
from gnomon.outcome.graph import CommitGraph
from gnomon.outcome.openwork import A_DAY
from gnomon.outcome.profilesettings import ProfileSettings
from gnomon.outcome.reverts import find_reverts
from gnomon.stats.interval import wilson

SAMPLE = Path(__file__).parents[2] / "tests" / "outcome" / "data" / "reverts.csv"
UNDOING = ("revert", "superseded")


@dataclass(frozen=True, slots=True)
class Label:
    repository: str
    commit: str
    target: str
    verdict: str
    reason: str


def labels() -> list[Label]:
    with SAMPLE.open(encoding="utf-8", newline="") as file:
        return [Label(**row) for row in csv.DictReader(file)]


def place_of(repository: str, folder: Path) -> Path | None:
    owner, name = repository.split("/")
    places = (folder / f"{owner}+{name}" / "repo", folder / owner / name, folder / name)
    return next((place for place in places if place.exists()), None)


def answers(folder: Path, wanted: list[Label]) -> Iterator[tuple[Label, str | None]]:
    """Each label with what Gnomon says: revert, superseded, or None."""
    after = ProfileSettings().superseded_after_days
    for repository in dict.fromkeys(label.repository for label in wanted):
        place = place_of(repository, folder)
        if place is None:
            print(f"{repository} is not in {folder}; its labels are left out")
            continue
        history = read_history(place, None, None)
        graph = CommitGraph(history.commits, [])
        found = find_reverts(graph, history.repository, graph.at, {}, superseded_after=after * A_DAY).pairs
        for label in wanted:
            if label.repository == repository:
                days = (graph.known[label.commit].time - graph.known[label.target].time) / A_DAY
                undoes = (label.target, label.commit) in found
                yield label, ("superseded" if days >= after else "revert") if undoes else None


def row(name: str, right: int, all_of: int) -> str:
    if not all_of:
        return f"| {name} | – | – |"
    found = wilson(right, all_of)
    return f"| {name} | {right} of {all_of} | {right / all_of:.1%} ({found.low:.1%} to {found.high:.1%}) |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repositories", type=Path, required=True, help="the folder that holds the repositories")
    parser.add_argument("--wrong", action="store_true", help="list every label that was missed or wrongly found")
    options = parser.parse_args()
    told = list(answers(options.repositories, labels()))
    # What was labelled by hand was shown by Gnomon first: it says nothing of what Gnomon misses.
    true = [(label, said) for label, said in told if label.verdict in UNDOING and "by hand" not in label.reason]
    found = [(label, said) for label, said in told if said is not None]
    print("| | count | share (95 % interval) |\n|---|---|---|")
    print(row("recall", sum(said == label.verdict for label, said in true), len(true)))
    print(row("precision", sum(said == label.verdict for label, said in found), len(found)))
    # A message that names its target plainly is its own witness; of these pairs only the patch and a reader tell.
    unnamed = [(label, said) for label, said in found if "by hand" in label.reason]
    print(row("precision, no message vouches", sum(said == label.verdict for label, said in unnamed), len(unnamed)))
    for repository in dict.fromkeys(label.repository for label, _ in told):
        own = [(label, said) for label, said in told if label.repository == repository]
        kept = [(label, said) for label, said in true if label.repository == repository]
        flagged = [(label, said) for label, said in own if said is not None]
        print(row(f"recall, {repository}", sum(said == label.verdict for label, said in kept), len(kept)))
        print(row(f"precision, {repository}", sum(said == label.verdict for label, said in flagged), len(flagged)))
    print(f"\nverdicts: {dict(Counter(label.verdict for label, _ in told))}")
    for label, said in told if options.wrong else []:
        if said != (label.verdict if label.verdict in UNDOING else None):
            print(f"{label.repository} {label.commit[:12]} of {label.target[:12]}: {label.verdict}, said {said}")


if __name__ == "__main__":
    main()
