"""Runs that are pushed: once each, however often it is tried and wherever it was cut; with their traces and reasons."""

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.days import ARREST, QUIET, play, write_days
from conftest import Server
from contract.caller import Api
from gnomon.bench.transcripts import read_transcript
from gnomon.client import Client
from gnomon.errors import InvalidInput, NotFound
from gnomon.interop.spans import from_trace
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, Run, RunDraft
from gnomon.model.leaderboard import LeaderboardOptions
from gnomon.model.trace import SpanDraft
from gnomon.model.transcript import Transcript
from gnomon.service.bench import gathering as benchruns
from gnomon.service.bench import leaderboard as benches
from gnomon.service.bench import push as benchpush
from gnomon.service.embedded import Embedded
from gnomon.store.engine import open_store

AGENTS = ("late-by-2", "never-acts")
DATASET = "agent days"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two agents, two days, two runs. Shared: copy it to change it."""
    folder = tmp_path_factory.mktemp("push")
    return play(folder / "runs", write_days(folder / "days")[:2], AGENTS, runs=2)


@pytest.fixture
def own(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "runs"))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Embedded]:
    url = f"sqlite:///{tmp_path / 'gnomon.db'}"
    open_store(url).close()
    with closing(Embedded(url)) as place:
        yield place


def pushed(place: Any, out: Path, project: str | None = "p") -> benchpush.Pushed:
    return benchpush.push(place, out, benchruns.read_runs(out).runs, project, DATASET)


def stored(place: Any, project: str) -> dict[str, list[Run]]:
    """Runs by the name of their experiment."""
    return {one.name: list(place.runs(one.id)) for one in place.experiments(project)}


def counts(place: Any, project: str) -> tuple[int, list[tuple[str, str, int]], int]:
    """Items, experiments with their runs, and traces: what is there, whatever it is called inside."""
    [dataset] = place.datasets(project)
    experiments = sorted((one.name, one.status, len(list(place.runs(one.id)))) for one in place.experiments(project))
    traces = {run.trace_id for its in stored(place, project).values() for run in its}
    return len(list(place.items(dataset.id))), experiments, len(traces)


def test_runs_go_to_the_dataset_of_their_family_unless_one_is_named(made: Path, place: Embedded):
    runs = benchruns.read_runs(made).runs
    assert benchpush.push(place, made, runs, "p", None).dataset == "agent days"
    as_task = replace(runs[0], run_score=runs[0].run_score.model_copy(update={"family": "tasks"}))
    with pytest.raises(InvalidInput, match="several families; name the dataset, such as 'agent days' or 'agent tasks'"):
        benchpush.push(place, made, [as_task, *runs[1:]], "other", None)


WHOLE = (2, [("reference-late-by-2", "completed", 4), ("reference-never-acts", "completed", 4)], 8)


class Cut:
    """A place that can be reached so many times, and then no more."""

    def __init__(self, place: Any, calls: int) -> None:
        self._place, self.left = place, calls

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._place, name)

        def call(*given: Any, **named: Any) -> Any:
            if self.left == 0:
                raise ConnectionError("the line went dead")
            self.left -= 1
            return method(*given, **named)

        return call


def test_a_push_says_what_it_sent_and_a_second_one_that_all_is_there(place: Embedded, made: Path):
    sent = pushed(place, made)
    assert (sent.pushed, sent.known, sent.left_out, sent.items, sent.notes) == (8, 0, 0, 2, [])
    assert sent.experiments == ["reference-late-by-2", "reference-never-acts"]
    assert counts(place, "p") == WHOLE
    again = pushed(place, made)
    assert (again.pushed, again.known, again.left_out, again.items, again.experiments) == (0, 8, 0, 2, [])
    assert counts(place, "p") == WHOLE


def test_a_push_that_was_cut_anywhere_goes_on_to_the_same_end(made: Path, tmp_path: Path):
    whole = _calls_of_a_whole_push(made, tmp_path)
    for calls in {*range(0, whole, 3), whole - 1}:
        url = f"sqlite:///{tmp_path / f'cut-{calls}.db'}"
        open_store(url).close()
        with closing(Embedded(url)) as place:
            with pytest.raises(ConnectionError):
                pushed(Cut(place, calls), made)
            sent = pushed(place, made)
            assert sent.pushed + sent.known == 8
            assert counts(place, "p") == WHOLE, f"cut after {calls} calls"


def _calls_of_a_whole_push(made: Path, tmp_path: Path) -> int:
    url = f"sqlite:///{tmp_path / 'whole.db'}"
    open_store(url).close()
    with closing(Embedded(url)) as place:
        door = Cut(place, 10_000)
        pushed(door, made)
    return 10_000 - door.left


def test_a_run_is_a_trial_with_its_result_scores_and_trace(place: Embedded, made: Path):
    pushed(place, made)
    on_days = {item.id: item.input for item in place.items(next(place.datasets("p")).id)}
    runs = {(on_days[run.dataset_item_id], run.trial): run for run in stored(place, "p")["reference-late-by-2"]}
    assert sorted(runs) == [(ARREST, 0), (ARREST, 1), (QUIET, 0), (QUIET, 1)]
    arrest, quiet = (
        {score.scorer_name: score.label if score.value is None else score.value for score in runs[day, 0].scores}
        for day in (ARREST, QUIET)
    )
    assert (arrest["success"], arrest["detection"], arrest["false_alarm"], arrest["action_type"]) == (1, 1, 0, "both")
    assert arrest["composite"] == pytest.approx(0.6)
    assert set(quiet) == {"success", "false_alarm", "action_type"}, "a quiet day has nothing to notice"
    assert runs[ARREST, 0].output["time_to_action"] == 2

    trace_id = runs[ARREST, 1].trace_id
    assert trace_id is not None
    back = from_trace(place.trace(trace_id, "p"))
    wanted = read_transcript(made / "reference-late-by-2" / ARREST / "run-02" / "transcript.jsonl")
    assert _told(back) == _told(wanted)


def _told(transcript: Transcript) -> Any:
    beats = [(beat.step_id, beat.timestamp, beat.user_message, beat.turns, beat.error) for beat in transcript.steps]
    return transcript.scenario_id, transcript.run_id, beats


def test_every_claim_of_a_pushed_run_is_seen_in_its_transcript(place: Embedded, made: Path):
    pushed(place, made)
    run = next(run for run in stored(place, "p")["reference-late-by-2"] if run.output["action_type"] == "both")
    read = place.transcript(run.id)
    about = (read.agent_id, read.scenario_id, read.family, read.success)
    assert about == (
        "reference-late-by-2",
        ARREST,
        "noticing",
        1,
    )
    assert (len(read.steps), read.step_count, read.truncated, read.notes) == (10, 10, 0, [])
    written = json.loads((made / "reference-late-by-2" / ARREST / "run-01" / "score.json").read_bytes())
    assert [(claim.claim, claim.excerpt) for claim in read.claims] == [
        (evidence["claim"], evidence["excerpt"]) for evidence in written["evidence"]
    ]
    assert read.claims
    for number, claim in enumerate(read.claims):
        assert claim.step is not None
        step = read.steps[claim.step]
        assert step.step_id == written["evidence"][number]["step_id"]
        marked = step if claim.turn is None else step.turns[claim.turn]
        if claim.turn is not None and claim.call is not None:
            marked = step.turns[claim.turn].calls[claim.call]
            assert marked.tool in claim.excerpt
        assert number in marked.claims
    metrics = {metric.name: metric for metric in read.metrics}
    assert metrics["time_to_action"].label == "beats to action"
    assert all(read.claims[place].claim for metric in read.metrics for place in metric.claims)
    spans = {span.id: span for span in place.trace(read.trace_id, "p").spans}
    assert [spans[step.span_id].name for step in read.steps if step.span_id] == [
        f"step {step.step_id}" for step in read.steps
    ]


def test_a_trace_that_anybody_wrote_is_a_transcript_without_claims(place: Embedded):
    item = place.add_item(place.create_dataset(DatasetDraft(project_id="p", name="d")).id, ItemDraft(input="q"))
    span = {"id": "s", "trace_id": "t", "name": "answer", "start_time": "2026-01-31T12:00:00Z",
            "input": "Where is it?", "output": "x" * 5_000}  # fmt: skip
    place.ingest([SpanDraft.model_validate(span)], "p")
    draft = ExperimentDraft(project_id="p", name="e", dataset_id=item.dataset_id)
    experiment = place.create_experiment(draft)
    runs = [RunDraft(dataset_item_id=item.id, trial=trial, output="x", trace_id="t") for trial in (0,)]
    [run] = place.add_runs(experiment.id, runs).run_ids
    read = place.transcript(run)
    assert (read.agent_id, read.family, read.claims, read.metrics) == ("e", None, [], [])
    [step] = read.steps
    assert (step.message, step.turns[0].text, step.span_id, read.truncated) == ("Where is it?", "x" * 4_000, None, 1)


def test_a_run_without_a_trace_has_no_transcript(place: Embedded):
    item = place.add_item(place.create_dataset(DatasetDraft(project_id="p", name="d")).id, ItemDraft(input="q"))
    experiment = place.create_experiment(ExperimentDraft(project_id="p", name="e", dataset_id=item.dataset_id))
    [run] = place.add_runs(experiment.id, [RunDraft(dataset_item_id=item.id, output="x")]).run_ids
    with pytest.raises(NotFound, match="has no trace"):
        place.transcript(run)


def test_a_run_that_cannot_be_scored_is_pushed_with_the_reason(place: Embedded, own: Path):
    broken = own / "reference-late-by-2" / ARREST / "run-02"
    lines = (broken / "transcript.jsonl").read_bytes().splitlines(keepends=True)
    end = lines[-1].replace(b'"status":"ok"', b'"status":"error","reason":"the lamp went out"')
    (broken / "transcript.jsonl").write_bytes(b"".join([*lines[:3], end]))
    sent = pushed(place, own)
    assert (sent.pushed, sent.notes) == (8, [])
    [failed] = [run for run in stored(place, "p")["reference-late-by-2"] if run.error is not None]
    assert failed.error is not None
    assert failed.error.message == "the run ended with status error: the lamp went out"
    assert (failed.error.type, failed.output, failed.scores) == ("not_scorable", None, [])
    assert failed.trace_id is not None
    assert len(from_trace(place.trace(failed.trace_id, "p")).steps) == 2


def test_a_run_that_cannot_be_read_is_pushed_without_a_trace_and_told(place: Embedded, own: Path):
    broken = own / "reference-late-by-2" / ARREST / "run-02"
    (broken / "transcript.jsonl").write_bytes(b"\xff\xfe nonsense")
    sent = pushed(place, own)
    assert sent.pushed == 8
    [note] = sent.notes
    assert note.startswith(f"reference-late-by-2/{ARREST}/run-02 is sent without its trace: ")
    [failed] = [run for run in stored(place, "p")["reference-late-by-2"] if run.error is not None]
    assert failed.error is not None
    assert "is not JSON" in failed.error.message


def test_a_run_that_has_not_ended_waits_until_it_has(place: Embedded, own: Path):
    transcript = own / "reference-never-acts" / QUIET / "run-01" / "transcript.jsonl"
    whole = transcript.read_bytes()
    transcript.write_bytes(b"".join(whole.splitlines(keepends=True)[:4]))
    sent = pushed(place, own)
    assert (sent.pushed, sent.known, sent.left_out) == (7, 0, 1)
    [note] = sent.notes
    assert note.endswith("is not sent: it has not ended; go on with `gnomon bench run --resume`")
    transcript.write_bytes(whole)
    sent = pushed(place, own)
    assert (sent.pushed, sent.known, sent.left_out, sent.experiments) == (1, 7, 0, ["reference-never-acts (2)"])
    assert [run.trial for run in stored(place, "p")["reference-never-acts (2)"]] == [0]


def test_a_copied_folder_is_one_run(place: Embedded, own: Path):
    day = own / "reference-never-acts" / QUIET
    shutil.copytree(day / "run-01", day / "run-09")
    sent = pushed(place, own)
    assert (sent.pushed, sent.left_out) == (8, 1)
    folder = f"reference-never-acts/{QUIET}"
    assert sent.notes == [f"{folder}/run-09 is not sent: it is a copy of {folder}/run-01"]


def test_runs_of_one_number_from_two_places_are_different_trials(place: Embedded, own: Path, tmp_path: Path):
    """Two people run the same agent, each from 1; then they put their folders together."""
    other = play(tmp_path / "other", write_days(tmp_path / "days")[:1], AGENTS[:1], runs=1)
    shutil.move(other / "reference-late-by-2" / ARREST / "run-01", own / "reference-late-by-2" / ARREST / "theirs")
    assert pushed(place, own).pushed == 9
    items = {item.input: item.id for item in place.items(next(place.datasets("p")).id)}
    its = [run.trial for run in stored(place, "p")["reference-late-by-2"] if run.dataset_item_id == items[ARREST]]
    assert sorted(its) == [0, 1, 2]


def test_over_http_on_both_databases_the_same_arrives(server: Server, api: Api, made: Path):
    with Client(server.url, api.key) as client:
        with pytest.raises(ConnectionError):
            pushed(Cut(client, 9), made, None)
        sent = pushed(client, made, None)
        assert (sent.project_id, sent.pushed + sent.known) == (api.project, 8)
        assert counts(client, api.project) == WHOLE
        assert pushed(client, made, api.project).known == 8
        there = client.leaderboard(sent.dataset_id, benchpush.SUCCESS, LeaderboardOptions())
        here = benches.leaderboard(benchruns.read_runs(made).runs)
        alike = [
            [(one.agent_id, one.overall_score, one.confidence_interval) for one in board.agents]
            for board in (there, here)
        ]
        assert alike[0] == alike[1]
        assert [(agent.metrics, agent.actions, agent.cost) for agent in there.agents] == [
            (agent.metrics, agent.actions, agent.cost) for agent in here.agents
        ]
        assert [family.family for family in there.families] == ["noticing"]
        assert [[experiment.name for experiment in agent.experiments] for agent in there.agents] == [
            [agent.agent_id] for agent in there.agents
        ]
        assert there.words is not None
        assert there.words.headline in client.leaderboard_page(sent.dataset_id, benchpush.SUCCESS)
        trace_id = stored(client, api.project)["reference-never-acts"][0].trace_id
        assert trace_id is not None
        assert len(from_trace(client.trace(trace_id)).steps) == 10
