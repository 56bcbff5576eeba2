"""Scores beside the log: how the files look, that both tools can read them, and that no name leaves the folder."""

import os
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gnomon.errors import InvalidInput, Refused
from gnomon.outcome import (
    BAND_UNSCORED,
    AgentInfo,
    IterationRecord,
    LinkedTrace,
    PersistedScore,
    Score,
    SessionIterRef,
    SessionScore,
    SignalSet,
    VerifierRecord,
    absent_signal,
    aggregate_sessions,
    build_persisted_score,
    iteration_score_path,
    load_rubric,
    present_signal,
    session_score_path,
    write_iteration_score,
    write_iteration_score_with_record,
    write_iteration_scores,
    write_session_score,
    write_session_scores,
)
from gnomon.outcome.sidecar import read_iteration_score, read_session_score
from outcome.compat.building import near, record, signals

GOLDEN = Path(__file__).parents[2] / "golden" / "outcome"
V2 = load_rubric("2.1.0")
V3 = load_rubric("3.0.0")
LINKED = record(VerifierRecord(linked_traces=(LinkedTrace("a.yaml", "iter-8"),)))

MIXED = V2.score(
    SignalSet(
        7,
        landed=absent_signal("no commit SHA recorded"),
        verifier=present_signal(1.0, "1/1 verifiers decided"),
        tests=absent_signal("no flag says whether tests passed"),
        correction_pressure=absent_signal("not looked for"),
        scope=present_signal(0.5),
        hook_outcomes=absent_signal("no hook-outcomes sidecar for iter-7"),
        token_efficiency=absent_signal("no transcript covers the iteration"),
        profile="compat",
    )
)
WHOLE = V3.score(signals(8, **{spec.id: 1.0 for spec in V3.signals}))
SESSION = SessionScore(
    session_id="abc-123",
    rubric_version="2.1.0",
    iterations=[7, 8, 9],
    scored=True,
    value=0.75,
    band="good",
    per_iteration=[
        SessionIterRef(iteration=7, scored=True, value=1.0, band="excellent"),
        SessionIterRef(iteration=8, scored=True, value=0.5, band="fair"),
        SessionIterRef(iteration=9, scored=False, value=0.0, band="unscored"),
    ],
)


# ── how the files look ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_score_is_written_as_its_golden_file(tmp_path: Path):
    path = write_iteration_score(tmp_path, MIXED)
    assert path.read_text() == (GOLDEN / "iter-7.score.yaml").read_text()


def test_a_score_with_linked_traces_is_written_as_its_golden_file(tmp_path: Path):
    path = write_iteration_score_with_record(tmp_path, WHOLE, LINKED)
    assert path.read_text() == (GOLDEN / "iter-8.score.yaml").read_text()


def test_a_session_is_written_as_its_golden_file(tmp_path: Path):
    path = write_session_score(tmp_path, SESSION)
    assert path.read_text() == (GOLDEN / "session-abc-123.score.yaml").read_text()


def keys(lines: list[str]) -> list[str]:
    return [line.lstrip(" -").partition(":")[0] for line in lines]


def test_the_keys_of_a_score_stand_in_their_order():
    lines = (GOLDEN / "iter-8.score.yaml").read_text().splitlines()
    top = [line for line in lines if not line.startswith(" ")]
    assert keys(top) == [
        "iteration",
        "rubric_version",
        "scored",
        "value",
        "band",
        "breakdown",
        "linked_traces_to_outcomes",
    ]
    landed = [line for line in (GOLDEN / "iter-7.score.yaml").read_text().splitlines() if line.startswith(" ")][:8]
    assert landed[0].startswith("    - signal: landed")
    row = "signal label present sub_score detail nominal_weight effective_weight contribution"
    assert keys(landed) == row.split()


def test_what_is_empty_or_false_is_left_out_and_whole_numbers_have_no_point():
    text = (GOLDEN / "iter-7.score.yaml").read_text()
    assert "linked_traces_to_outcomes" not in text
    assert text.count("detail:") == 6  # of seven rows; scope has none
    assert [line for line in text.splitlines() if line.endswith(".0") and "version" not in line] == []
    assert "      sub_score: 1\n" in text


def test_a_tiny_number_is_written_plainly(tmp_path: Path):
    text = write_iteration_score(tmp_path, V2.score(signals(1, landed=0.0, token_efficiency=0.00001))).read_text()
    assert "      sub_score: 1e-05\n" in text
    assert "!!" not in text


def test_the_keys_of_a_session_stand_in_their_order():
    lines = (GOLDEN / "session-abc-123.score.yaml").read_text().splitlines()
    top = [line for line in lines if not line.startswith(" ")]
    assert keys(top) == ["session_id", "rubric_version", "iterations", "scored", "value", "band", "per_iteration"]
    assert "    - iteration: 7" in lines
    assert "    - 7" in lines


# ── reading back ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("name", "written"), [("iter-7", MIXED), ("iter-8", WHOLE)])
def test_a_golden_score_is_read_back_as_it_was(name: str, written: Score):
    given = LINKED if name == "iter-8" else None
    assert read_iteration_score(GOLDEN / f"{name}.score.yaml") == build_persisted_score(written, given)


def test_a_golden_session_is_read_back_as_it_was():
    assert read_session_score(GOLDEN / "session-abc-123.score.yaml") == SESSION


THEIRS = """iteration: 52
rubric_version: 2.0.2
scored: true
value: 0.7857142857142857
band: good
breakdown:
    - signal: verifier
      label: Verifier results
      present: true
      sub_score: 1
      detail: 1/1 verifiers counted
      nominal_weight: 0.2
      effective_weight: 0.5714285714285715
      contribution: 0.5714285714285715
    - signal: scope
      label: Scope adherence
      present: true
      sub_score: 0.5
      nominal_weight: 0.15
      effective_weight: 0.4285714285714286
      contribution: 0.2142857142857143
    - signal: token_efficiency
      label: Token & cache efficiency
      present: false
      sub_score: 0
      detail: 'no transcript: nothing to count'
      nominal_weight: 0.1
      effective_weight: 0
      contribution: 0
"""


def test_a_score_of_the_other_tool_is_read(tmp_path: Path):
    path = tmp_path / "iter-52.score.yaml"
    path.write_text(THEIRS)
    score = read_iteration_score(path)
    assert (score.iteration, score.rubric_version, score.scored) == (52, "2.0.2", True)
    assert (score.value, score.band) == (0.7857142857142857, "good")
    assert [row.detail for row in score.breakdown] == ["1/1 verifiers counted", "", "no transcript: nothing to count"]
    assert [row.present for row in score.breakdown] == [True, True, False]
    assert [row.sub_score for row in score.breakdown] == [1, 0.5, 0]
    assert score.linked_traces_to_outcomes is False
    path.write_text(THEIRS + "linked_traces_to_outcomes: true\n")
    assert read_iteration_score(path).linked_traces_to_outcomes is True


def test_what_the_other_tool_wrote_is_written_again_letter_by_letter(tmp_path: Path):
    path = tmp_path / "iter-52.score.yaml"
    path.write_text(THEIRS)
    write_iteration_score(tmp_path, read_iteration_score(path))
    assert path.read_text() == THEIRS


def test_a_session_of_the_other_tool_is_read(tmp_path: Path):
    path = tmp_path / "session-12.score.yaml"
    path.write_text(
        'session_id: "12"\nrubric_version: 2.1.0\niterations:\n    - 3\n    - 4\nscored: true\nvalue: 1\n'
        "band: excellent\nper_iteration:\n    - iteration: 3\n      scored: true\n      value: 1\n"
        "      band: excellent\n    - iteration: 4\n      scored: false\n      value: 0\n      band: unscored\n"
    )
    session = read_session_score(path)
    assert (session.session_id, session.iterations, session.value) == ("12", [3, 4], 1.0)
    assert [one.band for one in session.per_iteration] == ["excellent", "unscored"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "words",
        "- a list",
        "{ broken",
        "iteration: many",
        THEIRS.replace("value: 0.7857142857142857", "value: NaN"),
        THEIRS.replace("sub_score: 0.5", "sub_score: 5"),
        "a: &a [x]\n" + "".join(f"b{n}: &b{n} [*{'a' if n == 0 else f'b{n - 1}'}]\n" for n in range(600)),
        "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"b{n}: &b{n} [{','.join(['*a' if n == 0 else f'*b{n - 1}'] * 10)}]\n" for n in range(12)),
    ],
    ids=["empty", "text", "list", "broken", "word", "NaN", "five", "deep by aliases", "huge by aliases"],
)
def test_a_file_that_is_no_score_is_refused_in_one_sentence(tmp_path: Path, text: str):
    path = tmp_path / "iter-1.score.yaml"
    path.write_text(text)
    for read in (read_iteration_score, read_session_score):
        with pytest.raises(Refused, match=r"cannot read iter-1\.score\.yaml") as refused:
            read(path)
        assert "\n" not in refused.value.message


def test_a_file_that_is_not_there_is_refused_in_one_sentence(tmp_path: Path):
    with pytest.raises(Refused, match="cannot read"):
        read_iteration_score(tmp_path / "iter-1.score.yaml")


sub_scores = st.none() | st.floats(0, 1) | st.sampled_from([0.0, 1.0, 1e-5, 5e-324])
details = st.text(max_size=30).filter(lambda text: text != "")


@settings(max_examples=60)
@given(
    st.integers(0, 10**6),
    st.fixed_dictionaries({spec.id: st.tuples(sub_scores, details) for spec in V3.signals}),
    st.booleans(),
)
def test_every_score_is_read_back_to_the_last_digit(
    tmp_path_factory: pytest.TempPathFactory, n: int, given: dict[str, tuple[float | None, str]], linked: bool
):
    values = {
        id: absent_signal(detail) if sub_score is None else present_signal(sub_score, detail)
        for id, (sub_score, detail) in given.items()
    }
    score = V3.score(SignalSet(n, profile="compat", **values))
    folder = tmp_path_factory.getbasetemp()
    path = write_iteration_score_with_record(folder, score, LINKED if linked else record())
    assert read_iteration_score(path) == PersistedScore(**score.model_dump(), linked_traces_to_outcomes=linked)
    path.unlink()


# ── writing ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", [pytest.param("iter-7.score.yaml", id="row-212")])
def test_a_score_goes_into_the_file_of_its_iteration_and_comes_back(tmp_path: Path, name: str):
    path = write_iteration_score(tmp_path, MIXED)
    assert path == iteration_score_path(tmp_path, 7) == tmp_path / name
    back = read_iteration_score(path)
    assert back == build_persisted_score(MIXED)
    assert [row.signal for row in back.breakdown] == [spec.id for spec in V2.signals]
    assert [row.nominal_weight for row in back.breakdown] == [spec.weight for spec in V2.signals]


@pytest.mark.parametrize("iteration", [pytest.param(4, id="row-213")])
def test_an_unscored_iteration_is_written_with_its_whole_breakdown(tmp_path: Path, iteration: int):
    back = read_iteration_score(write_iteration_score(tmp_path, V2.score(signals(iteration))))
    assert (back.iteration, back.scored, back.value, back.band) == (iteration, False, 0, BAND_UNSCORED)
    assert [row.signal for row in back.breakdown] == [spec.id for spec in V2.signals]


@pytest.mark.parametrize("numbers", [pytest.param([1, 2, 3], id="row-214")])
def test_many_scores_are_written_in_their_order(tmp_path: Path, numbers: list[int]):
    paths = write_iteration_scores(tmp_path, V2.score_all(signals(n, verifier=1.0) for n in numbers))
    assert paths == [tmp_path / f"iter-{n}.score.yaml" for n in numbers]


def test_the_first_score_that_cannot_be_written_ends_it_and_the_error_has_the_paths_up_to_it(tmp_path: Path):
    """Required: the first failed write returns at once with the paths written up to that point; the caller decides."""
    iteration_score_path(tmp_path, 3).mkdir()
    with pytest.raises(Refused, match=r"iter-3\.score\.yaml") as failed:
        write_iteration_scores(tmp_path, V2.score_all(signals(n, verifier=1.0) for n in (1, 2, 3, 4)))
    assert failed.value.written == [iteration_score_path(tmp_path, n) for n in (1, 2)]
    assert sorted(os.listdir(tmp_path)) == ["iter-1.score.yaml", "iter-2.score.yaml", "iter-3.score.yaml"]


def test_the_first_session_that_cannot_be_written_ends_it_and_the_error_has_the_paths_up_to_it(tmp_path: Path):
    """Required: sessions are written as iterations are: in order, up to the first failure, which has the paths."""
    sessions = [SESSION.model_copy(update={"session_id": id}) for id in ("a", "b", "c")]
    session_score_path(tmp_path, "b").mkdir()
    with pytest.raises(Refused, match=r"session-b\.score\.yaml") as failed:
        write_session_scores(tmp_path, sessions)
    assert failed.value.written == [session_score_path(tmp_path, "a")]
    assert read_session_score(session_score_path(tmp_path, "a")) == sessions[0]
    assert not session_score_path(tmp_path, "c").exists()
    nameless = SESSION.model_copy(update={"session_id": ""})
    with pytest.raises(InvalidInput, match="session_id") as refused:
        write_session_scores(tmp_path, [sessions[2], nameless])
    assert refused.value.written == [session_score_path(tmp_path, "c")]


def test_where_no_file_can_be_written_none_is_said_to_be(tmp_path: Path):
    for write, many in ((write_iteration_scores, [MIXED]), (write_session_scores, [SESSION])):
        with pytest.raises(Refused, match="nowhere") as failed:
            write(tmp_path / "nowhere", many)  # type: ignore[operator]
        assert failed.value.written == []


@pytest.mark.parametrize("left", [pytest.param(["iter-7.score.yaml", "session-abc-123.score.yaml"], id="row-220")])
def test_nothing_but_the_files_is_left_after_writing(tmp_path: Path, left: list[str]):
    for _ in range(2):
        write_iteration_score(tmp_path, MIXED)
        write_session_score(tmp_path, SESSION)
    assert sorted(os.listdir(tmp_path)) == left


def test_who_reads_while_a_score_is_written_sees_the_old_one_whole(tmp_path: Path):
    """A file is renamed into place: a reader that opened the old one reads it to its end, and never half of each."""
    for write, first, second in (
        (write_iteration_score, MIXED, V2.score(signals(7, landed=1.0))),
        (write_session_score, SESSION, SESSION.model_copy(update={"value": 0.5, "band": "fair"})),
    ):
        path = write(tmp_path, first)
        before = path.read_bytes()
        with path.open("rb") as reader:
            start = reader.read(20)
            assert write(tmp_path, second) == path
            assert start + reader.read() == before
        assert path.read_bytes() != before


def test_a_directory_that_is_not_there_is_not_made(tmp_path: Path):
    with pytest.raises(Refused, match="cannot write"):
        write_iteration_score(tmp_path / "nowhere", MIXED)


# ── sessions ────────────────────────────────────────────────────────────────────────────────────────────────────


def of_session(iteration: int, session: str) -> IterationRecord:
    return IterationRecord(iteration=iteration, agent=AgentInfo(session))


def scored(iteration: int, value: float | None) -> Score:
    return V2.score(signals(iteration) if value is None else signals(iteration, landed=value))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(
            [("A", 1.0), ("A", 0.5), ("", 0.9), ("B", None), ("A", None)],
            [("A", True, 0.75, "good", [1, 2, 5]), ("B", False, 0.0, "unscored", [4])],
            id="row-215",
        ),
        pytest.param(
            [("zeta", 1.0), ("alpha", 1.0), ("mu", 1.0)],
            [
                ("alpha", True, 1.0, "excellent", [2]),
                ("mu", True, 1.0, "excellent", [3]),
                ("zeta", True, 1.0, "excellent", [1]),
            ],
            id="row-216",
        ),
    ],
)
def test_a_session_is_the_mean_of_its_scored_iterations(
    given: list[tuple[str, float | None]], expected: list[tuple[str, bool, float, str, list[int]]]
):
    records = [of_session(n, session) for n, (session, _) in enumerate(given, start=1)]
    scores = [scored(n, value) for n, (_, value) in enumerate(given, start=1)]
    told = aggregate_sessions(V2, records, scores)
    assert [(one.session_id, one.scored, one.value, one.band, one.iterations) for one in told] == [
        (id, known, near(value), band, numbers) for id, known, value, band, numbers in expected
    ]
    assert all([each.iteration for each in one.per_iteration] == one.iterations for one in told)
    assert {one.rubric_version for one in told} == {"2.1.0"}


@pytest.mark.parametrize("expected", [pytest.param([], id="row-217")])
def test_records_and_scores_that_do_not_belong_together_give_nothing(expected: list[SessionScore]):
    assert aggregate_sessions(V2, [of_session(1, "A"), of_session(2, "A")], [scored(1, 1.0)]) == expected


def test_the_mean_is_added_up_one_by_one_because_bands_have_edges():
    (seven,) = aggregate_sessions(V2, [of_session(n, "A") for n in range(7)], [scored(n, 0.85) for n in range(7)])
    assert (seven.value, seven.band) == (0.8499999999999999, "good")


@pytest.mark.parametrize("name", [pytest.param("session-abc-123.score.yaml", id="row-218")])
def test_a_session_goes_into_the_file_of_its_id_and_comes_back(tmp_path: Path, name: str):
    (path,) = write_session_scores(tmp_path, [SESSION])
    assert path.name == name
    assert read_session_score(path) == SESSION


def test_many_sessions_are_written_in_their_order(tmp_path: Path):
    """The paths come back in the order in which the sessions were given, whatever their ids."""
    ids = ["zeta", "alpha", "mu"]
    paths = write_session_scores(tmp_path, [SESSION.model_copy(update={"session_id": id}) for id in ids])
    assert paths == [session_score_path(tmp_path, id) for id in ids]
    assert [read_session_score(path).session_id for path in paths] == ids


@pytest.mark.parametrize("id", [pytest.param("", id="row-219")])
def test_a_session_without_an_id_has_no_file(tmp_path: Path, id: str):
    with pytest.raises(InvalidInput, match="session_id"):
        session_score_path(tmp_path, id)
    with pytest.raises(InvalidInput, match="session_id"):
        write_session_score(tmp_path, SESSION.model_copy(update={"session_id": id}))
    assert os.listdir(tmp_path) == []


session_ids = st.text(min_size=1, max_size=300) | st.text(alphabet="./\\%~é日 ", min_size=1, max_size=300)


@example(["../../etc/passwd", "..", ".", "/", "a/b", "a%2Fb", "a" * 300, "a" * 299 + "b", "é" * 300, "\0"])
@given(st.lists(session_ids, min_size=1, max_size=10, unique=True))
def test_no_session_id_leaves_the_directory_and_no_two_share_a_file(ids: list[str]):
    folder = Path("/log")
    paths = [session_score_path(folder, id) for id in ids]
    assert len(set(paths)) == len(ids)
    for path in paths:
        assert path.parent == folder
        assert path.name.startswith("session-")
        assert path.name.endswith(".score.yaml")
        assert path.name.isascii()
        assert len(path.name) < 255


@settings(max_examples=40)
@given(session_ids)
def test_a_session_of_any_id_is_written_and_read_back(tmp_path_factory: pytest.TempPathFactory, id: str):
    session = SESSION.model_copy(update={"session_id": id})
    path = write_session_score(tmp_path_factory.getbasetemp(), session)
    assert read_session_score(path) == session
    path.unlink()
