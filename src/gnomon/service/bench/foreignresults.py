"""Results of other people's benchmarks, as their files carry them: read, counted, and made trials of agents.

The readers are those of `gnomon import` (interop/foreign). Here it is decided which agent a file is of, which score
ranks, and what is to be said of runs without one. Nothing is scored anew, and nothing is stored.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gnomon.errors import GnomonError, InvalidInput, Refused
from gnomon.interop.foreign import minisweagent, sweagent, swebench, taubench, terminalbench
from gnomon.interop.foreign.bundle import ForeignExperiment, ForeignRun
from gnomon.interop.foreign.formats import READERS, find_files, format_of, read_any
from gnomon.interop.foreign.reading import content_hash, digest
from gnomon.model.nearest import did_you_mean
from gnomon.model.transcript import Transcript
from gnomon.service.analysis.leaderboard import LABEL_ONLY, Trials
from gnomon.shorten import counted, list_some

BENCHMARKS = (
    "inspect", "tau2", "tau-bench", "terminal-bench", "swe-bench", "swe-agent", "mini-swe-agent",
    "promptfoo", "deepeval", "pydantic-evals", "openai-evals",
)  # fmt: skip
"""Formats that are looked for below a folder. A file that is named may also be of any other with runs and scores."""
SUBMITTED = "submitted"
TRAJECTORIES = (sweagent.SOURCE, minisweagent.SOURCE)
"""They do not say whether a task was solved: reports of SWE-bench do."""
_PREFERRED = ("reward", "resolved")
_UNNAMED = (terminalbench.SOURCE, swebench.DATASET, *TRAJECTORIES)
"""Names of datasets that only say which tool it was."""
_NOT_REPORTED = "the report of SWE-bench does not name it"
_NAMED = 5


@dataclass(frozen=True, slots=True)
class ForeignResult:
    """One run of an agent on an item. A score that is not there has a reason."""

    agent: str
    item: str
    format: str
    scores: Mapping[str, float | str]
    reasons: Mapping[str, str]
    error: str | None = None


@dataclass(slots=True)
class ForeignResults:
    """All runs of some files, in order."""

    runs: list[ForeignResult] = field(default_factory=list)
    files: int = 0
    notes: list[str] = field(default_factory=list)

    def formats(self) -> list[str]:
        return list(dict.fromkeys(run.format for run in self.runs))

    def numeric_scores(self) -> list[str]:
        """Names of scores that are numbers: those that rank best first, then by how many runs have them."""
        counts = Counter(name for run in self.runs for name, value in run.scores.items() if not isinstance(value, str))
        order = {name: at for at, name in enumerate(_PREFERRED)}
        return sorted(counts, key=lambda name: (name == SUBMITTED, order.get(name, len(order)), -counts[name]))

    def labels(self) -> list[str]:
        """Names of scores that are labels, such as how a run ended."""
        return list(
            dict.fromkeys(name for run in self.runs for name, value in run.scores.items() if isinstance(value, str))
        )

    def ranking_score(self, name: str | None = None) -> str:
        """The score to rank by: the one that is asked for, else the one that says whether a task was solved."""
        known = self.numeric_scores()
        if name is not None and name not in known:
            near = did_you_mean(name, known, f"there are {', '.join(known) or 'none'}")
            raise InvalidInput.of("scorer", f"--scorer {name!r}: no run has a number of that name; {near}")
        if not known:
            errors = Counter(run.error for run in self.runs if run.error)
            why = list_some([*self.unusable(), *_with_counts(errors)], _NAMED)
            runs = counted(len(self.runs), "run")
            words = f"none of {runs} carries a score that is a number{': ' if why else ''}{why}"
            raise Refused(words, code="NO_SCORES")
        return name or known[0]

    def unusable(self) -> list[str]:
        """Scores that an agent's runs name but never have a value for, with the reasons."""
        usable = {(run.agent, name) for run in self.runs for name in run.scores}
        reasons: dict[tuple[str, str], Counter[str]] = {}
        for run in self.runs:
            if run.format in TRAJECTORIES:  # they name no score of their own
                continue
            for name, reason in run.reasons.items():
                if (run.agent, name) not in usable:
                    reasons.setdefault((run.agent, name), Counter())[reason] += 1
        return [
            f"{name} of {agent}: 0 of {why.total():,} shown: {list_some(_with_counts(why), _NAMED)}"
            for (agent, name), why in reasons.items()
        ]

    def trials(self, score: str) -> dict[str, Trials]:
        """Agent → its values of a score, item by item, with the reasons why some have none."""
        agents: dict[str, Trials] = {}
        for run in self.runs:
            trials = agents.setdefault(run.agent, Trials())
            value = run.scores.get(score)
            trials.add(run.item, None if value is None or isinstance(value, str) else float(value))
            if isinstance(value, str):
                trials.reasons[LABEL_ONLY] += 1
            elif value is None:
                trials.reasons[run.reasons.get(score) or run.error or f"the file has no {score} for it"] += 1
        return agents

    def notes_on(self, score: str) -> Iterator[str]:
        """What a reader should know of a ranking by this score."""
        yield from self.notes
        others = [repr(name) for name in self.numeric_scores() if name != score]
        if others:
            yield f"ranked by {score!r}; --scorer NAME ranks by another: {list_some(others, _NAMED)}"
        if score == SUBMITTED:
            yield "these trajectories do not say whether a patch solves its task; give the report of SWE-bench as well"


def is_foreign(path: Path) -> bool:
    """Whether a file, or anything below a folder, is another tool's results."""
    return next(_files(path), None) is not None


def read_results(paths: Sequence[Path], *, by_folder: bool = False) -> ForeignResults:
    """Every run of these files, and of the files below these folders. A copy of a file is not read twice.

    An agent is called what the file calls its model and agent; without a model, by the first folder below the path.
    `by_folder`: by that folder in any case.
    """
    results = ForeignResults()
    experiments = list(_experiments(paths, results))
    if not experiments:
        files = list_some(map(str, paths), _NAMED)
        known = ", ".join(BENCHMARKS)
        raise Refused(f"there is no result that can be read in {files}; known formats are {known}", code="NO_RUNS")
    agents = [placed.agent(by_folder=by_folder, one_root=len(paths) == 1) for placed in experiments]
    pairs = list(zip(experiments, _agents_of_reports(experiments, agents), strict=True))
    results.runs.extend(_runs(pairs, results))
    results.notes.extend(_about_pooled(pairs))
    return results


def _experiments(paths: Sequence[Path], results: ForeignResults) -> "Iterator[_Placed]":
    seen: dict[str, Path] = {}
    for path in paths:
        for file, format in _files(path):
            first = seen.setdefault(content_hash(file), file)
            if first is not file:
                results.notes.append(f"{file} is left out: it is a copy of {first}")
                continue
            yield from _read(path, file, format, results)
            results.files += 1


def _runs(pairs: "Sequence[tuple[_Placed, str]]", results: ForeignResults) -> Iterator[ForeignResult]:
    """Every run once: a report counts where it says what became of a trajectory, an instance's own before a summary."""
    names = _ItemNames([placed for placed, _ in pairs])
    reported = {
        (agent, names.of(placed, run))
        for placed, agent in pairs if placed.format == swebench.SOURCE
        for run in placed.experiment.runs
    }  # fmt: skip
    with_report = {agent for agent, _ in reported}
    instances = _reported_one_by_one([placed for placed, _ in pairs])
    for placed, agent in pairs:
        twice = instances.get(placed.summarised or "", set())
        counted_runs = [run for run in placed.experiment.runs if run.item_key not in twice]
        if left_out := len(placed.experiment.runs) - len(counted_runs):
            runs = counted(left_out, "run")
            results.notes.append(f"{placed.file.name} sums up {runs} whose own reports are there too; each counts once")
        for run in counted_runs:
            item = names.of(placed, run)
            if placed.format not in TRAJECTORIES or (agent, item) not in reported:
                yield _result(run, agent, item, placed.format, has_report=agent in with_report)


def _reported_one_by_one(experiments: "Sequence[_Placed]") -> dict[str, set[str]]:
    """`MODEL.RUN` of SWE-bench → the instances of that run that have a report of their own."""
    instances: dict[str, set[str]] = {}
    for placed in experiments:
        metadata = placed.experiment.metadata or {}
        if placed.format == swebench.SOURCE and placed.file.is_dir():
            name = f"{metadata.get('model')}.{metadata.get('run_id')}"
            instances.setdefault(name, set()).update(run.item_key for run in placed.experiment.runs)
    return instances


def results_only(path: Path) -> list[Transcript] | None:
    """The runs of a file that says how they ended and not what was said; None for any other file."""
    format = format_of(path) if path.is_file() else None
    if format not in (terminalbench.SOURCE, swebench.SOURCE):
        return None
    results = read_results([path])
    numbers = Counter[str]()
    transcripts = []
    for run in results.runs:
        numbers[run.item] += 1
        metadata: dict[str, Any] = {"reported": dict(run.scores), "trial": str(numbers[run.item])}
        if run.error:
            metadata["notes"] = [run.error]
        run_id = f"{run.item}.{numbers[run.item]}"
        transcripts.append(Transcript(scenario_id=run.item, run_id=run_id, steps=[], source=format, metadata=metadata))
    return transcripts


# --- files, and whose they are -----


@dataclass(frozen=True, slots=True)
class _Placed:
    """An experiment, and where it was found."""

    root: Path
    file: Path
    format: str
    experiment: ForeignExperiment

    @property
    def dataset(self) -> str | None:
        """What the tool calls the set of its items; tau-bench has no name for it, others leave it out."""
        name = self.experiment.dataset
        return None if self.format == taubench.SOURCE or name in _UNNAMED else name

    @property
    def summarised(self) -> str | None:
        """The run of SWE-bench that this file sums up, `MODEL.RUN`; None for every other file."""
        return self.file.stem if self.format == swebench.SOURCE and not self.file.is_dir() else None

    def agent(self, *, by_folder: bool, one_root: bool) -> str:
        metadata = self.experiment.metadata or {}
        if by_folder or not isinstance(metadata.get("model"), str):
            return self._folder(one_root, by_folder=by_folder)
        names = [name for key in ("agent", "model") if isinstance(name := metadata.get(key), str) and name.strip()]
        return "@".join(dict.fromkeys(names))

    def _folder(self, one_root: bool, *, by_folder: bool) -> str:
        """The first folder below the only path, or the path itself where there are several."""
        if self.root.is_dir():
            inside = self.file.relative_to(self.root).parts
            is_inside = len(inside) > 1 or self.file.is_dir()
            if not one_root or not inside or (by_folder and not is_inside):
                return self.root.resolve().name
            return inside[0] if is_inside else self.file.stem
        return self.file.resolve().parent.name if self.file.stem in ("results", "report") else self.file.stem


class _ItemNames:
    """Items by their ids in the tool, told apart where one id means several."""

    def __init__(self, experiments: Sequence[_Placed]) -> None:
        self._many_datasets = len({name for placed in experiments if (name := placed.dataset) is not None}) > 1
        questions: dict[str, set[str]] = {}
        for placed in experiments:
            if placed.format == taubench.SOURCE:  # retail and airline both count their tasks from 0
                for run in placed.experiment.runs:
                    questions.setdefault(run.item_key, set()).add(digest(run.input))
        self._ambiguous = {key for key, inputs in questions.items() if len(inputs) > 1}

    def of(self, placed: _Placed, run: ForeignRun) -> str:
        if placed.format == taubench.SOURCE and run.item_key in self._ambiguous:
            return f"{run.item_key}#{digest(run.input)[:6]}"
        if self._many_datasets and placed.dataset is not None:
            return f"{placed.dataset}/{run.item_key}"
        return run.item_key


def _files(path: Path) -> Iterator[tuple[Path, str]]:
    """Results at a path. Of a folder only formats of benchmarks; a file may be of any format."""
    for entry in find_files(path):
        format = entry.format
        if format is None or (path.is_dir() and format not in BENCHMARKS):
            continue
        yield entry.path, format
        if entry.path.is_dir() and format in TRAJECTORIES:  # reports often lie beside the trajectories
            for beside in sorted(entry.path.glob("*.json")):
                if READERS[swebench.SOURCE].detect(beside):
                    yield beside, swebench.SOURCE


def _read(root: Path, file: Path, format: str, results: ForeignResults) -> Iterator[_Placed]:
    """One file that cannot be read does not hide the others, unless it was named."""
    try:
        bundle = read_any(file, format)
    except GnomonError as bad:
        if file == root:
            raise
        results.notes.append(f"{file} is left out: {bad.message}")
        return
    if file == root and not any(experiment.runs for experiment in bundle.experiments):
        raise Refused(f"{file} holds no runs with scores ({READERS[format].title})", code="NO_RUNS")
    results.notes.extend(f"{file.name}: {count} × {kind}" for kind, count in bundle.not_understood.items())
    yield from (_Placed(root, file, format, experiment) for experiment in bundle.experiments if experiment.runs)


def _agents_of_reports(experiments: Sequence[_Placed], agents: Sequence[str]) -> list[str]:
    """A report of SWE-bench is of the agent whose trajectories it lies beside, or whose model its name begins with."""
    of_trajectories = {
        agent: placed for placed, agent in zip(experiments, agents, strict=True) if placed.format in TRAJECTORIES
    }
    return [
        agent if placed.format != swebench.SOURCE else _agent_of_report(placed, agent, of_trajectories)
        for placed, agent in zip(experiments, agents, strict=True)
    ]


def _agent_of_report(report: _Placed, name: str, of_trajectories: Mapping[str, _Placed]) -> str:
    for agent, placed in of_trajectories.items():
        model = str((placed.experiment.metadata or {}).get("model") or agent).replace("/", "__")
        is_beside = placed.file.is_dir() and report.file.parent == placed.file
        if is_beside or report.file.name == model or report.file.name.startswith(f"{model}."):
            return agent
    return name


def _about_pooled(pairs: Sequence[tuple[_Placed, str]]) -> Iterator[str]:
    files: dict[str, set[Path]] = {}
    for placed, agent in pairs:
        if placed.format != swebench.SOURCE:
            files.setdefault(agent, set()).add(placed.file)
    pooled = [f"{agent!r} {len(paths)}" for agent, paths in files.items() if len(paths) > 1]
    if pooled:
        yield f"runs of one task in several files of one agent are its trials; files: {list_some(pooled, _NAMED)}"


def _with_counts(reasons: Counter[str]) -> list[str]:
    return [f"{reason} ({count:,})" for reason, count in reasons.most_common()]


# --- one run -----


def _result(run: ForeignRun, agent: str, item: str, format: str, *, has_report: bool) -> ForeignResult:
    scores = {score.name: score.value for score in run.scores if score.value is not None}
    reasons = {score.name: score.absent or score.failed or "" for score in run.scores if score.value is None}
    if format in TRAJECTORIES:
        scores[SUBMITTED] = float(run.error is None)
        reasons["resolved"] = _NOT_REPORTED if has_report else "a trajectory does not say whether it is resolved"
    return ForeignResult(agent, item, format, scores, reasons, run.error)
