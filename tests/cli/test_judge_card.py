"""`gnomon judge card`: in words and as JSON, from a database and from a server, and with a probe of the real model."""

import json
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.conftest import Run, running
from gnomon.client import Client
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft
from gnomon.model.score import InlineScoreDraft
from gnomon.testing import Asked, LoopbackModel

pytestmark = [
    pytest.mark.filterwarnings("ignore:Pydantic serializer warnings"),
]

TEMPLATE = "Question: {{input}}\nAnswer: {{output}}\nRate it from 0 to 10."
CONFIG = {"model": "judge-1", "prompt_template": TEMPLATE, "score_range": {"min": 0, "max": 10}, "fence": False}


def gullible(asked: Asked) -> str:
    """Longer answers get more, one cannot be read, and whoever asks for a 10 gets it."""
    if re.search(r"(?:answer with|Answer with|Reply with|must return) 10", asked.prompt):
        return "10"
    found = re.search(r"Answer: (\d+) (x*)", asked.prompt)
    assert found is not None
    number = int(found[1])
    return "hm" if number == 0 else f"{1 + len(found[2]).bit_length()}.{number % 3}"


@pytest.fixture(scope="module")
def model() -> Iterator[LoopbackModel]:
    with LoopbackModel(gullible) as server, pytest.MonkeyPatch.context() as environment:
        for name, value in server.environment().items():
            environment.setenv(name, value)
        yield server


def fill(client: Client) -> None:
    """Twenty runs, put before the judge; people rated eight of them."""
    dataset = client.create_dataset(DatasetDraft(project_id="p", name="d"))
    client.import_items(dataset.id, [ItemDraft(input=f"q{n}") for n in range(20)])
    items = [item.id for item in client.items(dataset.id)]
    draft = ExperimentDraft(project_id="p", name="e", dataset_id=dataset.id)
    experiment = client.create_experiment(draft)
    runs = []
    for n, item in enumerate(items):
        scores = [InlineScoreDraft(scorer_name="tone", scorer="llm_judge", config=CONFIG)]
        if 0 < n <= 8:
            scores.append(InlineScoreDraft(scorer_name="people", value=0.5, source="human"))
        runs.append(RunDraft(dataset_item_id=item, output=f"{n} {'x' * 2 ** (n % 6)}", scores=scores))
    for job in client.add_runs(experiment.id, runs).job_ids:
        while client.job(job).status in ("queued", "running"):
            time.sleep(0.05)  # whoever asks all the time fills the server's log, which nobody reads here


@pytest.fixture(scope="module")
def judged(model: LoopbackModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which the judge has scored nineteen runs."""
    file = tmp_path_factory.mktemp("judged") / "judged.db"
    with (
        running("serve", "--db", str(file), GNOMON_ADMIN_KEY="root-key") as server,
        Client(server.url, "root-key") as c,
    ):
        fill(c)
        server.process.terminate()
        server.process.wait()
    return file


@pytest.fixture
def db(judged: Path, tmp_path: Path) -> Path:
    """One of its own for every test."""
    return Path(shutil.copy(judged, tmp_path))


def test_a_card_says_in_words_what_the_figures_mean_and_a_probe_adds_to_it(gnomon: Run, db: Path, model: LoopbackModel):
    told = json.loads(gnomon("judge", "card", "tone", "--db", db, "--json").out)
    done = gnomon("judge", "card", "tone", "--db", db)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"tone: 19 scores by judge-1, configuration {told['config_hash']}\n")
    low, high = told["length_slope"]["confidence_interval_95"]
    slope = f"{told['length_slope']['value']:+.2f} ({low:.2f} to {high:.2f})"
    assert f"answers that are twice as long get {slope}" in done.out
    assert re.search(r"^answers that cannot be read +0\.050 +0\.009 to 0\.236 .* 20$", done.out, re.MULTILINE)
    assert "not readable because: 1 unparsable" in done.out
    assert "people (people) rated 8 of its targets" in done.out
    assert "├" in done.out
    assert "probe: it was never probed; run: gnomon judge card tone --probe 50" in done.out
    assert "\nnext: " in done.out

    before = model.calls
    probed = gnomon("judge", "card", "tone", "--db", db, "--probe", 8)
    assert (probed.code, probed.err) == (0, "")
    assert model.calls == before + 24
    assert re.search(r"probed \d{4}-\d\d-\d\d with 8 outputs: 24 calls", probed.out)
    assert re.search(r"^pleas that got their answer +1\.000 ", probed.out, re.MULTILINE)
    assert "an output that asks for the highest score gets +0." in probed.out
    assert "same answer, labels turned: scores are numbers" in probed.out
    again = json.loads(gnomon("judge", "card", "tone", "--db", db, "--json").out)
    assert (again["probe"]["samples"], again["probe"]["calls"]) == (8, 24)
    assert again["scores"] == 19  # a probe leaves no scores


def test_what_a_probe_takes_is_shown_without_asking(gnomon: Run, db: Path, model: LoopbackModel):
    before = model.calls
    planned = gnomon("judge", "card", "tone", "--db", db, "--probe", 8, "--dry-run")
    assert (planned.code, planned.err) == (0, "")
    assert planned.out.startswith("a probe asks judge-1 about 8 targets: up to 24 calls, about ")
    assert "at an unknown price" in planned.out
    plan = json.loads(gnomon("judge", "card", "tone", "--db", db, "--probe", 8, "--dry-run", "--json").out)
    assert (plan["calls"], plan["cost_usd_estimate"]) == (24, None)
    assert model.calls == before
    alone = gnomon("judge", "card", "tone", "--db", db, "--dry-run")
    assert alone.code == 2
    assert "give --probe N too" in alone.err


def test_a_server_tells_the_same_card_and_probes_by_its_worker(gnomon: Run, db: Path, model: LoopbackModel):
    own = json.loads(gnomon("judge", "card", "tone", "--db", db, "--json").out)
    with running("serve", "--no-worker", "--db", str(db), GNOMON_ADMIN_KEY="root-key") as server:
        there = ("--url", server.url, "--key", "root-key")
        assert json.loads(gnomon("judge", "card", "tone", *there, "--json").out) == own
        both = gnomon("judge", "card", "tone", *there, "--db", db)
        assert both.code == 2
        assert "give one of them" in both.err
    with running("serve", "--db", str(db), GNOMON_ADMIN_KEY="root-key") as server:
        before = model.calls
        probed = gnomon("judge", "card", "tone", "--url", server.url, "--key", "root-key", "--probe", 5)
        assert (probed.code, probed.err) == (0, "")
        assert "with 5 outputs: 15 calls" in probed.out
        assert model.calls == before + 15


def test_what_to_label_next_is_listed_with_the_rule_in_words_by_database_and_server_alike(gnomon: Run, db: Path):
    own = json.loads(gnomon("judge", "label", "tone", "--db", db, "--limit", 3, "--width", 0.1, "--json").out)
    assert (own["n_labelled"], own["n_unlabelled"], len(own["targets"]), own["target_width"]) == (8, 11, 3, 0.1)
    done = gnomon("judge", "label", "tone", "--db", db, "--limit", 3, "--width", 0.1)
    assert done.out.startswith("tone: 8 targets labelled by people, 11 not\n")
    assert own["words"] in done.out
    assert [target["target_id"] in done.out for target in own["targets"]] == [True] * 3
    with running("serve", "--no-worker", "--db", str(db), GNOMON_ADMIN_KEY="root-key") as server:
        there = ("--url", server.url, "--key", "root-key", "--limit", 3, "--width", 0.1, "--json")
        assert json.loads(gnomon("judge", "label", "tone", *there).out) == own
    assert gnomon("judge", "label", "tone", "--db", db, "--width", 0).code == 2


def test_a_summary_says_whose_opinion_it_is_and_how_far_people_share_it(gnomon: Run, db: Path):
    done = gnomon("summary", "e", "--db", db)
    assert "tone: judged by judge-1, 5.0% of its answers unreadable (0.009 to 0.236)" in done.out
    assert "says what people says on" in done.out


def test_what_cannot_be_shown_is_one_line(gnomon: Run, db: Path, monkeypatch: pytest.MonkeyPatch):
    nobody = gnomon("judge", "card", "nobody", "--db", db)
    assert nobody.code == 3
    assert nobody.err.count("\n") == 1
    assert "the scorers there are people, tone" in nobody.err
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name)
    unreachable = gnomon("judge", "card", "tone", "--db", db, "--probe", 3)
    assert unreachable.code == 2
    assert "judge-1" in unreachable.err
