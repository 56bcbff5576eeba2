"""`count=estimate`: the first page of a list says how many rows the list has."""

import pytest

from contract.caller import Refusal, span


def counted(api, path, **query):
    """How many rows the first page says that there are, and whether there may be more."""
    page = api.read(path, count="estimate", limit=2, **query)
    return page["total"], page["total_capped"]


@pytest.fixture
def made(api):
    """Five of everything: items, runs of one experiment, experiments, traces and scores of a run."""
    dataset = api.questions(5)
    first = api.measured(dataset, [0.0, 0.25, 0.5, 0.75, 1.0])
    for number in range(4):
        api.experiment(dataset.id, name=f"later {number}")
    run = api.ids(f"/experiments/{first}/runs")[0]
    for number in range(4):
        api.score(run, f"scorer-{number}", value=0.5)
    for number in range(5):
        api.trace(span(f"root-{number}", f"trace-{number}", input="lamp", metadata={"even": number % 2 == 0}))
    return dataset.id, first, run


def test_the_first_page_says_how_many_rows_there_are(api, made):
    dataset, experiment, run = made
    assert counted(api, "/traces", project_id=api.project) == (5, False)
    assert counted(api, "/experiments", project_id=api.project) == (5, False)
    assert counted(api, f"/experiments/{experiment}/runs") == (5, False)
    assert counted(api, f"/datasets/{dataset}/items") == (5, False)
    assert counted(api, "/scores", target_id=run) == (5, False)
    assert counted(api, "/datasets", project_id=api.project) == (1, False)


def test_a_filter_counts(api, made):
    _, experiment, _ = made
    assert counted(api, "/traces", project_id=api.project, q="lamp") == (5, False)
    assert counted(api, "/traces", project_id=api.project, q="kettle") == (0, False)
    assert counted(api, "/traces", project_id=api.project, **{"metadata.even": "true"}) == (3, False)
    assert counted(api, "/traces", project_id=api.project, sort="-tokens") == (5, False)
    runs = f"/experiments/{experiment}/runs"
    assert counted(api, runs, scorer_name="quality", min=0.5) == (3, False)
    assert counted(api, runs, scorer_name="quality", sort="-score", fields="lean") == (5, False)


def test_what_no_index_answers_is_not_counted_unless_it_fits_a_page(api, made):
    dataset, experiment, _ = made
    assert counted(api, f"/datasets/{dataset}/items", q="q") == (None, False)
    assert counted(api, f"/experiments/{experiment}/runs", q="no such text") == (0, False)


def test_without_the_wish_and_on_later_pages_nothing_is_counted(api, made):
    assert "total" not in api.read("/traces", project_id=api.project)
    first = api.read("/traces", project_id=api.project, count="estimate", limit=2)
    for more in ({}, {"count": "estimate"}):
        second = api.read("/traces", project_id=api.project, limit=2, cursor=first["next_cursor"], **more)
        assert (len(second["items"]), "total" in second) == (2, False)


def test_a_count_is_an_estimate(api):
    refusal = Refusal.of(api.get("/traces", project_id=api.project, count="exact"))
    assert refusal.said == (400, "INVALID_REQUEST")
    assert [problem["field"] for problem in refusal.errors] == ["count"]
