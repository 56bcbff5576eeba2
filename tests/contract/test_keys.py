"""Keys: roles, keys bound to one project, and that another project is as if it were not there."""

import json
from dataclasses import replace

import pytest

from contract.caller import Api, Refusal, expect, fresh_project, span
from contract.routes import ABOUT_OBJECTS, NOBODY, ON_OBJECTS, name

KEY_FIELDS = {"id", "name", "role", "project_id", "created_at"}


# --- making and deleting keys ---


def test_a_key_shows_its_secret_once(root):
    made = root.make("/keys", {"name": "ci", "role": "write", "project_id": root.project})
    assert set(made) >= KEY_FIELDS | {"key"}
    assert (made["name"], made["role"], made["project_id"]) == ("ci", "write", root.project)
    listed = root.get("/keys", limit=200)
    assert made["id"] in listed.text
    assert made["key"] not in listed.text


def test_a_new_key_works_and_a_deleted_one_does_not(root):
    made = root.make("/keys", {"role": "read", "project_id": root.project})
    holder = replace(root, key=made["key"])
    expect(200, holder.get("/datasets"))
    assert expect(200, root.delete(f"/keys/{made['id']}")) == {"deleted": True, "id": made["id"]}
    assert Refusal.of(holder.get("/datasets")).said == (401, "UNAUTHORIZED")
    assert Refusal.of(root.delete(f"/keys/{made['id']}")).said == (404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "role"),
        ({"role": "owner"}, "role"),
        ({"role": None}, "role"),
        ({"role": "read", "name": 5}, "name"),
        ({"role": "read", "project_id": "a b"}, "project_id"),
    ],
    ids=str,
)
def test_a_malformed_key_is_refused_by_its_field(api, body, field):
    before = api.ids("/keys")
    refused = Refusal.of(api.post("/keys", body))
    assert refused.said == (400, "INVALID_REQUEST")
    assert {error["field"] for error in refused.errors} == {field}
    assert api.ids("/keys") == before


@pytest.mark.parametrize("role", ["read", "write"])
def test_only_admins_manage_keys(root, api, role):
    caller = root.with_key(role)
    before = api.ids("/keys")
    for answer in (
        caller.get("/keys"),
        caller.post("/keys", {"role": "read"}),
        caller.delete(f"/keys/{before[0]}"),
    ):
        assert Refusal.of(answer).said == (403, "FORBIDDEN")
    assert api.ids("/keys") == before


def test_a_bound_admin_makes_keys_of_its_own_project_only(api):
    made = api.make("/keys", {"role": "read"})
    assert made["project_id"] == api.project
    before = api.ids("/keys")
    refused = Refusal.of(api.post("/keys", {"role": "read", "project_id": fresh_project()}))
    assert refused.said == (404, "NOT_FOUND")
    assert api.ids("/keys") == before


def test_a_bound_admin_sees_and_deletes_keys_of_its_own_project_only(root, api, stranger):
    theirs = stranger.make("/keys", {"role": "read"})["id"]
    unbound = root.make("/keys", {"role": "read"})["id"]
    assert not {theirs, unbound} & set(api.ids("/keys"))
    for key_id in (theirs, unbound):
        assert Refusal.of(api.delete(f"/keys/{key_id}")).said == (404, "NOT_FOUND")
    assert theirs in stranger.ids("/keys")


def test_a_bound_key_makes_no_projects(root, writer):
    project_id = fresh_project()
    refused = Refusal.of(writer.post("/projects", {"id": project_id}))
    assert refused.said in [(403, "FORBIDDEN"), (404, "NOT_FOUND")]
    assert project_id not in root.ids("/projects")


def test_a_bound_key_sees_its_own_project_only(root, reader):
    root.dataset()
    assert reader.ids("/projects") == [root.project]


# --- roles ---


def test_an_unbound_reader_reads_every_project_and_writes_none(root):
    dataset = root.dataset()
    unbound = Api(root.http, root.make("/keys", {"role": "read"})["key"], root.project)
    assert unbound.read(f"/datasets/{dataset.id}")["id"] == dataset.id
    refused = Refusal.of(unbound.post("/datasets", {"project_id": root.project, "name": "d"}))
    assert refused.said == (403, "FORBIDDEN")
    assert root.ids("/datasets", project_id=root.project) == [dataset.id]


def test_an_unbound_writer_may_start_a_project(root):
    unbound = Api(root.http, root.make("/keys", {"role": "write"})["key"], root.project)
    unbound.dataset()
    assert root.project in root.ids("/projects")


def test_a_writer_writes_and_reads(writer):
    run = writer.answer("x", expected_output="x")
    expect(201, writer.score(run.id, "exact_match"))
    assert writer.read(f"/experiments/{run.experiment_id}/summary")["run_count"] == 1


# --- projects do not see each other ---


@pytest.fixture(scope="module")
def owners():
    """By server: the owner of a project that no test of this file changes, and the ids of what is in it."""
    return {}


@pytest.fixture
def owner(server, root, owners):
    """Who has one thing of every kind, in another project."""
    if server.url not in owners:
        other = replace(root, project=fresh_project()).with_key("admin")
        owners[server.url] = other, one_thing_of_every_kind(other)
    return owners[server.url][0]


@pytest.fixture
def theirs(server, owner, owners):
    """The ids of one thing of every kind, in the other project."""
    return owners[server.url][1]


def one_thing_of_every_kind(owner):
    run = owner.answer("x", expected_output="x")
    owner.trace(span("their-span", "their-trace", input="q"))
    expect(200, owner.post("/traces/their-trace/queue"))
    wanted = {"scorers": [{"scorer_name": "exact_match"}]}
    job_id = expect(202, owner.post(f"/experiments/{run.experiment_id}/score", wanted))["job_id"]
    owner.finished(job_id)
    return {
        "project": owner.project,
        "trace": "their-trace",
        "span": "their-span",
        "dataset": run.dataset_id,
        "item": run.item_ids[0],
        "experiment": run.experiment_id,
        "run": run.id,
        "annotation": owner.annotation("their-trace")["id"],
        "job": job_id,
        "key": owner.ids("/keys")[0],
        "share": owner.make("/shares", {"path": f"/projects/{owner.project}/traces/their-trace"})["id"],
    }


def masked(answer, ids):
    """An answer's status and body with every id blanked."""
    text = json.dumps(answer.json())
    for known in sorted({*ids.values(), "nobody"}, key=len, reverse=True):
        text = text.replace(known, "·")
    return answer.status_code, text


@pytest.mark.parametrize("route", ON_OBJECTS + ABOUT_OBJECTS, ids=name)
def test_another_projects_thing_is_not_found_like_one_that_does_not_exist(api, owner, theirs, route):
    before = owner.stored()
    foreign, missing = api.call(**route.about(theirs)), api.call(**route.about(NOBODY))
    assert Refusal.of(foreign).said == (404, "NOT_FOUND")
    assert masked(foreign, theirs) == masked(missing, theirs)
    assert owner.stored() == before


@pytest.mark.parametrize(
    "path",
    [
        "/scores?target_id={run}&target_type=run",
        "/scores?target_id={span}&target_type=span",
        "/annotations?trace_id={trace}",
        "/scoring-states?target_id={run}",
        "/scoring-states?experiment_id={experiment}",
    ],
)
def test_a_list_about_another_projects_thing_gives_no_hint(api, theirs, path):
    foreign, missing = api.get(path.format(**theirs)), api.get(path.format(**NOBODY))
    assert masked(foreign, theirs) == masked(missing, theirs)
    assert foreign.status_code == 404 or foreign.json()["items"] == []


@pytest.mark.parametrize("path", ["/traces", "/datasets", "/experiments", "/queue", "/jobs"])
def test_a_bound_key_lists_no_other_project(api, theirs, path):
    assert Refusal.of(api.get(path, project_id=theirs["project"])).said == (404, "NOT_FOUND")
    assert Refusal.of(api.get(path, project_id=fresh_project())).said == (404, "NOT_FOUND")
    assert api.read(path)["items"] == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/traces/ingest", {"spans": [span()]}),
        ("/datasets", {"name": "d"}),
        ("/experiments", {"name": "e", "dataset_id": "{dataset}"}),
    ],
)
def test_a_bound_key_writes_to_no_other_project(api, owner, theirs, path, body):
    body = {
        **json.loads(json.dumps(body).replace("{dataset}", theirs["dataset"])),
        "project_id": theirs["project"],
    }
    assert owner.refusal("POST", path, body, by=api).said == (404, "NOT_FOUND")


def test_a_foreign_dataset_takes_no_item_from_our_annotation(api, owner, theirs):
    api.trace(span(input="q"))
    path = f"/annotations/{api.annotation('trace-1')['id']}/to-dataset-item"
    refused = owner.refusal("POST", path, {"dataset_id": theirs["dataset"]}, by=api)
    assert refused.said == (404, "NOT_FOUND")


def test_a_foreign_experiment_is_not_compared_with_ours(api, theirs):
    ours = api.measured(api.questions(1), [1])
    for path in (f"{ours}/compare/{theirs['experiment']}", f"{theirs['experiment']}/compare/{ours}"):
        assert Refusal.of(api.get(f"/experiments/{path}")).said == (404, "NOT_FOUND")


def test_a_foreign_item_is_no_item_of_our_dataset(api, theirs):
    experiment_id = api.experiment(api.questions(1).id)
    foreign, missing = (
        api.post(f"/experiments/{experiment_id}/runs", {"runs": [{"dataset_item_id": item_id, "output": "x"}]})
        for item_id in (theirs["item"], "nobody")
    )
    assert Refusal.of(foreign).said == (422, "INVALID_DATASET_ITEM")
    assert masked(foreign, theirs) == masked(missing, theirs)


def test_the_same_ids_live_side_by_side_in_two_projects(api, stranger):
    for caller, output in ((api, "ours"), (stranger, "theirs")):
        caller.trace(span("s", "t", output=output))
        expect(201, caller.score("s", "quality", "span", value=output))
    assert api.read("/traces/t")["spans"][0]["output"] == "ours"
    assert [score["value"] for score in api.scores("s", "span")] == ["ours"]
    expect(200, api.delete("/traces/t"))
    assert stranger.read("/traces/t")["span_count"] == 1
    assert [score["value"] for score in stranger.scores("s", "span")] == ["theirs"]


def test_a_retry_makes_no_second_key_and_does_not_show_the_secret_again(root):
    first = expect(201, root.post("/keys", {"role": "read", "project_id": root.project}, idempotency_key="once"))
    again = expect(201, root.post("/keys", {"role": "read", "project_id": root.project}, idempotency_key="once"))
    assert first["key"].startswith("gn_")
    assert again == {**first, "key": None}
