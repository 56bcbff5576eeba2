"""What people say of an iteration: the signal, and the labels that are added to and never overwritten."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.errors import Forbidden, GnomonError, InvalidInput, NotFound, Refused
from gnomon.outcome import Judgement, add_label, edit_label, extract_human_label_signal
from gnomon.outcome.labels import Label, labels_path, read_labels
from outcome.compat.building import found, near

BEST = (3, "on-target", "none")
WORST = (0, "breach", "major")
Structured = tuple[int, str, str]


def said(
    structured: Structured, actor: str = "ada", role: str = "reviewer", minute: int = 0, text: str = ""
) -> Judgement:
    return Judgement(actor, role, f"2026-05-17T12:{minute:02}:00Z", *structured, free_text=text)


def sidecar(*labels: str, version: str = "1.0.0", iteration: int = 1) -> str:
    rows = "".join(f"    - {label}\n" for label in labels)
    return f"iteration: {iteration}\nschema_version: {version}\nlabels:\n{rows}"


def label(**changes: str) -> str:
    structured = "{correctness: 3, scope_judgement: on-target, hallucination: none}"
    entry = f"{{actor: ada, role: reviewer, timestamp: '2026-05-17T12:00:00Z', structured: {structured}}}"
    fields = {
        "id": "0" * 32, "iteration": "1", "actor": "ada", "role": "reviewer", "schema_version": "1.0.0",
        "created_at": "'2026-05-17T12:00:00Z'", "updated_at": "'2026-05-17T12:00:00Z'", "history": f"[{entry}]",
    }  # fmt: skip
    return "{" + ", ".join(f"{name}: {text}" for name, text in (fields | changes).items()) + "}"


# ── the signal ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("iteration", "content", "words"),
    [
        pytest.param(7, None, "no human labels for iter-7", id="row-198-no-sidecar"),
        pytest.param(2, "{ corrupt", "cannot read labels sidecar for iter-2", id="row-198-corrupt"),
        pytest.param(1, sidecar(label(), version="2.0.0"), "2.0.0", id="row-199-sidecar"),
        pytest.param(1, sidecar(label(schema_version="'3'")), "schema 3", id="row-199-label"),
        pytest.param(1, sidecar(), "no human labels for iter-1", id="an empty list"),
        pytest.param(1, sidecar(label(id="''")), "cannot read labels sidecar", id="no id"),
        pytest.param(1, sidecar(label(actor="' '")), "cannot read labels sidecar", id="a blank actor"),
        pytest.param(1, sidecar(label(role="owner")), "cannot read labels sidecar", id="an unknown role"),
        pytest.param(1, sidecar(label(iteration="2")), "cannot read labels sidecar", id="another iteration"),
        pytest.param(1, sidecar(label(history="[]")), "cannot read labels sidecar", id="no history"),
        pytest.param(1, sidecar(label(), label()), "cannot read labels sidecar", id="the same id twice"),
        pytest.param(1, sidecar(label(), version="' '"), "cannot read labels sidecar", id="no version"),
        pytest.param(-1, sidecar(iteration=-1), "cannot read labels sidecar", id="a negative iteration"),
        pytest.param(
            1, sidecar(label().replace("correctness: 3", "correctness: 4")), "cannot read", id="four of three"
        ),
        pytest.param(1, sidecar(label().replace("on-target", "somewhere")), "cannot read", id="an unknown scope"),
    ],
)
def test_without_labels_that_can_be_understood_the_signal_is_absent_and_says_why(
    tmp_path: Path, iteration: int, content: str | None, words: str
):
    if content is not None:
        labels_path(tmp_path, iteration).write_text(content)
    signal = extract_human_label_signal(tmp_path, iteration)
    assert found(signal) is None
    assert words in signal.detail


@pytest.mark.parametrize("directory", [pytest.param("  ", id="row-198-blank"), pytest.param("", id="row-198-empty")])
def test_without_a_directory_nobody_said_anything(directory: str):
    signal = extract_human_label_signal(directory, 1)
    assert found(signal) is None
    assert "no iteration-log directory" in signal.detail


def test_a_label_as_the_original_writes_it_counts(tmp_path: Path):
    labels_path(tmp_path, 1).write_text(sidecar(label()))
    assert found(extract_human_label_signal(tmp_path, 1)) == 1.0


@pytest.mark.parametrize(
    ("structured", "expected"),
    [
        pytest.param(BEST, 1.0, id="row-200"),
        pytest.param(WORST, 0.0, id="row-201"),
        pytest.param((3, "partial", "minor"), 2 / 3, id="row-202"),
        pytest.param((1, "on-target", "none"), 7 / 9, id="row-203"),
        pytest.param((2, "breach", "none"), 5 / 9, id="row-204"),
    ],
)
def test_a_label_is_the_mean_of_its_three_judgements(tmp_path: Path, structured: Structured, expected: float):
    add_label(tmp_path, 1, said(structured))
    assert found(extract_human_label_signal(tmp_path, 1)) == near(expected)


@pytest.mark.parametrize("expected", [pytest.param(0.5, id="row-205")])
def test_two_reviewers_are_averaged_and_named_in_order(tmp_path: Path, expected: float):
    add_label(tmp_path, 1, said(BEST, "zoe"))
    add_label(tmp_path, 1, said(WORST, "ada"))
    signal = extract_human_label_signal(tmp_path, 1)
    assert found(signal) == expected
    assert "ada, zoe" in signal.detail


@pytest.mark.parametrize(
    ("minutes", "expected"),
    [pytest.param((0, 5), 1.0, id="row-206"), pytest.param((5, 0), 0.0, id="the later one stands first")],
)
def test_of_one_reviewer_the_latest_label_counts(tmp_path: Path, minutes: tuple[int, int], expected: float):
    for minute, structured in zip(minutes, (WORST, BEST), strict=True):
        add_label(tmp_path, 1, said(structured, minute=minute))
    assert found(extract_human_label_signal(tmp_path, 1)) == expected


@pytest.mark.parametrize("expected", [pytest.param(1.0, id="row-207")])
def test_an_edited_label_says_what_it_says_now(tmp_path: Path, expected: float):
    first = add_label(tmp_path, 1, said(WORST))
    edit_label(tmp_path, 1, first.id, said(BEST, minute=5))
    assert found(extract_human_label_signal(tmp_path, 1)) == expected


@pytest.mark.parametrize("expected", [pytest.param(0.0, id="row-208")])
def test_an_admin_s_override_stands_alone(tmp_path: Path, expected: float):
    for actor in ("ada", "zoe"):
        add_label(tmp_path, 1, said(BEST, actor))
    add_label(tmp_path, 1, said(WORST, "root", role="admin"), admin_override=True)
    signal = extract_human_label_signal(tmp_path, 1)
    assert found(signal) == expected
    assert "admin override by root" in signal.detail


@pytest.mark.parametrize("expected", [pytest.param(4 / 9, id="row-209")])
def test_an_admin_s_edit_is_no_override_and_the_label_stays_the_reviewer_s(tmp_path: Path, expected: float):
    first = add_label(tmp_path, 1, said(BEST, "ada"))
    edit_label(tmp_path, 1, first.id, said((1, "partial", "minor"), "root", role="admin", minute=5))
    signal = extract_human_label_signal(tmp_path, 1)
    assert found(signal) == near(expected)
    assert "ada" in signal.detail
    assert "override" not in signal.detail
    assert "root" not in signal.detail


@pytest.mark.parametrize("expected", [pytest.param(1.0, id="row-210")])
def test_of_two_labels_at_the_same_moment_the_later_entry_wins(tmp_path: Path, expected: float):
    add_label(tmp_path, 1, said(WORST))
    add_label(tmp_path, 1, said(BEST))
    assert found(extract_human_label_signal(tmp_path, 1)) == expected


# ── adding and editing ──────────────────────────────────────────────────────────────────────────────────────────


def test_an_edit_is_appended_and_nothing_before_it_changes(tmp_path: Path):
    first = add_label(tmp_path, 1, said(WORST, text="broken"))
    edited = edit_label(tmp_path, 1, first.id, said(BEST, minute=5))
    assert edited.history[:1] == first.history
    assert (edited.id, edited.actor, edited.created_at) == (first.id, first.actor, first.created_at)
    assert edited.updated_at == "2026-05-17T12:05:00Z"
    assert read_labels(tmp_path, 1).labels == (edited,)


@pytest.mark.parametrize(
    ("editor", "role", "allowed"),
    [
        ("ada", "reviewer", True),
        ("ada", "readonly", True),
        ("root", "admin", True),
        ("zoe", "reviewer", False),
        ("zoe", "readonly", False),
        ("Ada", "reviewer", False),
    ],
)
def test_a_label_is_edited_by_who_gave_it_or_by_an_admin(tmp_path: Path, editor: str, role: str, allowed: bool):
    first = add_label(tmp_path, 1, said(WORST, "ada"))
    before = labels_path(tmp_path, 1).read_bytes()
    if allowed:
        edit_label(tmp_path, 1, first.id, said(BEST, editor, role))
        return
    with pytest.raises(Forbidden, match="unauthorized edit"):
        edit_label(tmp_path, 1, first.id, said(BEST, editor, role))
    assert labels_path(tmp_path, 1).read_bytes() == before


@pytest.mark.parametrize("role", ["reviewer", "readonly"])
def test_only_an_admin_overrides(tmp_path: Path, role: str):
    with pytest.raises(Forbidden, match="only an admin"):
        add_label(tmp_path, 1, said(BEST, role=role), admin_override=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("actor", " "),
        ("actor", "ada\udcff"),
        ("role", "owner"),
        ("correctness", 4),
        ("correctness", -1),
        ("scope_judgement", "scope-breach"),
        ("hallucination", "some"),
        ("free_text", "é" * 2001),
        ("free_text", "\ud800"),
    ],
)
def test_a_bad_judgement_is_refused_by_the_name_of_its_field(tmp_path: Path, field: str, value: object):
    with pytest.raises(InvalidInput, match=field) as refused:
        add_label(tmp_path, 1, replace(said(BEST), **{field: value}))
    assert [problem.field for problem in refused.value.problems] == [field]
    assert list(tmp_path.iterdir()) == []


def test_a_text_of_four_thousand_bytes_is_kept(tmp_path: Path):
    add_label(tmp_path, 1, said(BEST, text="é" * 2000))
    assert read_labels(tmp_path, 1).labels[0].history[0].free_text == "é" * 2000


def test_a_label_that_is_not_there_cannot_be_edited(tmp_path: Path):
    with pytest.raises(NotFound, match="nobody"):
        edit_label(tmp_path, 1, "nobody", said(BEST))


def test_a_sidecar_that_cannot_be_read_is_not_written_over(tmp_path: Path):
    labels_path(tmp_path, 1).write_text("{ corrupt")
    with pytest.raises(Refused, match="iter-1"):
        add_label(tmp_path, 1, said(BEST))
    assert labels_path(tmp_path, 1).read_text() == "{ corrupt"


def test_the_file_leaves_out_what_is_not_said(tmp_path: Path):
    add_label(tmp_path, 1, said(BEST))
    text = labels_path(tmp_path, 1).read_text()
    assert "admin_override" not in text
    assert "free_text" not in text
    assert "\n    - id: " in text


judgements = st.builds(
    said,
    st.tuples(
        st.integers(0, 3),
        st.sampled_from(["on-target", "partial", "breach"]),
        st.sampled_from(["none", "minor", "major"]),
    ),
    actor=st.sampled_from(["ada", "zoe", "root"]),
    role=st.sampled_from(["reviewer", "admin"]),
    minute=st.integers(0, 59),
    text=st.text(max_size=20),
)


@settings(max_examples=40)
@given(st.lists(st.tuples(judgements, st.booleans(), st.integers(0, 9)), max_size=8))
def test_history_only_grows_and_is_read_back_as_it_was_given(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[Judgement, bool, int]]
):
    folder = tmp_path_factory.getbasetemp() / "labels"
    folder.mkdir(exist_ok=True)
    labels_path(folder, 1).unlink(missing_ok=True)
    known: dict[str, Label] = {}
    for judgement, override, place in steps:
        try:
            if known and place < 5:
                id = list(known)[place % len(known)]
                changed = edit_label(folder, 1, id, judgement)
                assert changed.history == (*known[id].history, judgement)
            else:
                changed = add_label(folder, 1, judgement, admin_override=override)
            known[changed.id] = changed
        except Forbidden:
            assert judgement.role != "admin"
    assert read_labels(folder, 1).labels == tuple(known.values())
    signal = extract_human_label_signal(folder, 1)
    assert signal.present is bool(known)
    overriding = {label.actor for label in known.values() if label.admin_override}
    assert ("admin override" in signal.detail) is bool(overriding)


@given(st.binary(max_size=200) | st.text(alphabet="labels:-[]{}&*!|>'\"\n #ab01", max_size=200).map(str.encode))
def test_no_bytes_of_a_sidecar_raise(tmp_path_factory: pytest.TempPathFactory, data: bytes):
    folder = tmp_path_factory.getbasetemp() / "any-labels"
    folder.mkdir(exist_ok=True)
    labels_path(folder, 1).write_bytes(data)
    assert found(extract_human_label_signal(folder, 1)) is None
    with pytest.raises(GnomonError):
        add_label(folder, 1, said(BEST))


fields = st.dictionaries(
    st.sampled_from(["id", "iteration", "actor", "role", "schema_version", "updated_at", "admin_override", "history"]),
    st.sampled_from(["''", "1", "null", "[]", "{}", "[{}]", "0001-01-01T00:00:00", "x" * 50, "9" * 5000, "'3.1'"]),
    max_size=3,
)


@given(st.lists(fields, min_size=1, max_size=3), st.sampled_from(["1.0.0", "1", "", "2", "[a]"]))
def test_whatever_a_label_s_fields_hold_nothing_raises(
    tmp_path_factory: pytest.TempPathFactory, changes: list[dict[str, str]], version: str
):
    folder = tmp_path_factory.getbasetemp() / "odd-labels"
    folder.mkdir(exist_ok=True)
    rows = [label(**{"id": f"'{place}'"} | change) for place, change in enumerate(changes)]
    labels_path(folder, 1).write_text(sidecar(*rows, version=version))
    found(extract_human_label_signal(folder, 1))
