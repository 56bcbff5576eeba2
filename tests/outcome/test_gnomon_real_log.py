"""A real log of forty iterations, with all that people and agents wrote into it."""

import shutil
from pathlib import Path

import pytest

from gnomon.errors import GnomonError
from gnomon.outcome import load_iteration_log
from gnomon.outcome.iterlog import load_log
from outcome.conftest import MakeRepo


@pytest.fixture(scope="module")
def real_log(test_data: Path) -> Path:
    return test_data / "outcome" / "log"


@pytest.mark.parametrize("profile", ["gnomon", "compat"])
def test_the_real_log_loads_whole(real_log: Path, profile):
    records = load_iteration_log(real_log, profile=profile)
    assert [record.iteration for record in records] == list(range(1, 41))
    assert {record.schema_version for record in records} == {1, 2}


def test_both_profiles_read_the_same_records(real_log: Path):
    def facts(profile):
        return [
            (one.iteration, one.commit, one.impl.scope_note, one.impl.tests_total_pass, one.impl.retries)
            for one in load_iteration_log(real_log, profile=profile)
        ]

    assert facts("gnomon") == facts("compat")


def test_what_is_odd_in_it_is_told_once_each(real_log: Path, make_repo: MakeRepo):
    repo = make_repo()
    report = repo.score(log=real_log)
    told = [f"{one.where}: {one.message}" for one in report.diagnostics]
    assert len(told) == len(set(told))
    assert [one for one in told if "share the commit b457809" in one] == [
        "log: iterations 1 to 21 share the commit b457809"
    ]
    assert [one for one in told if one.startswith("log: scope_note is free text in iterations 34 to 39")]
    assert [one for one in told if one.startswith("log: no commit is recorded in iteration")]
    counts = [one for one in told if "tests_total_pass is the number" in one]
    assert len(counts) == 4
    assert all(one.endswith("read as true") for one in counts)
    assert len(report.iterations) == 40


def test_no_iteration_of_it_is_excellent_on_nothing(real_log: Path, make_repo: MakeRepo):
    report = make_repo().score(log=real_log)
    for one in report.iterations:
        assert not one.signals.landed.present, "none of its commits is in this repository"
        assert one.score.scored
        assert one.score.provisional, "claims alone are not a verdict"
    assert {one.score.why_provisional for one in report.iterations} >= {"self-reported only"}


def test_an_archive_that_is_no_yaml_costs_itself_alone(real_log: Path, make_repo: MakeRepo, tmp_path: Path):
    log = shutil.copytree(real_log, tmp_path / "log")
    (log / "historical.invalid.yaml").rename(log / "historical.yaml")
    found = load_log(log, "gnomon")
    assert len(found.records) == 40
    (told,) = [one for one in found.diagnostics if one.where == "historical.yaml"]
    assert "not YAML at line" in told.message
    with pytest.raises(GnomonError, match=r"historical\.yaml"):
        load_log(log, "compat")
