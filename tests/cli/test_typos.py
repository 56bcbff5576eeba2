"""Typing mistakes: whatever is misspelt, the answer is one line that names what was probably meant."""

from pathlib import Path

import pytest

from cli.conftest import Run

TYPOS = [
    ("evl suite.yaml", 2, "there is no command 'evl'; did you mean 'eval'? See `gnomon --help`"),
    ("COMPARE a b", 2, "there is no command 'COMPARE'; did you mean 'compare'?"),
    ("nothing-like-it", 2, "there is no command 'nothing-like-it'; see `gnomon --help`"),
    ("db upgrad", 2, "there is no command 'upgrad'; did you mean 'upgrade'? See `gnomon db --help`"),
    ("list experimets", 2, "there is no command 'experimets'; did you mean 'experiments'?"),
    ("bench leaderbord x", 2, "did you mean 'leaderboard'? See `gnomon bench --help`"),
    ("outcome hook-outcome wrte", 2, "did you mean 'write'? See `gnomon outcome hook-outcome --help`"),
    ("summary answers-v2 --jsn", 2, "there is no option '--jsn'; did you mean '--json'?"),
    ("gate answers-v2 --treshold 0.5", 2, "did you mean '--threshold'? See `gnomon gate --help`"),
    ("summary answer-v2 --db demo.db", 3, "experiment 'answer-v2' does not exist; did you mean 'answers-v2'?"),
    ("compare answers-v1 answers-2 --db demo.db", 3, "did you mean 'answers-v2'?"),
    ("summary answers-v2 --project suport-demo --db demo.db", 3, "'suport-demo' does not exist; did you mean 'support"),
    ("export experiments answers-v --out x.jsonl --db demo.db", 3, "did you mean 'answers-v2'?"),
    ("export traces --project suport-demo --out x.jsonl --db demo.db", 3, "did you mean 'support-demo'?"),
    ("export datasets hard --out x.jsonl --db demo.db", 3, "did you mean 'hard-questions'?"),
    ("leaderboard --dataset hard-question --scorer contains --db demo.db", 3, "did you mean 'hard-questions'?"),
    ("leaderboard --dataset hard-questions --scorer contans --db demo.db", 3,
     "no experiment over dataset 'hard-questions' has a number of 'contans'; did you mean 'contains'?"),
    ("drift grounde --db demo.db", 3, "did you mean 'grounded'?"),
    ("drift grounded --project suport-demo --db demo.db", 3, "did you mean 'support-demo'?"),
    ("judge card answer_question --db demo.db", 3, "did you mean 'answers_question'?"),
    ("judge label answers_question --project demo-support --db demo.db", 3, "project 'demo-support' does not exist"),
    ("calibrate answers_question human_qualty --db demo.db", 3, "did you mean 'human_quality'?"),
    ("plan --effect 0.05 --from answers-v2 --scorer contans --db demo.db", 3, "did you mean 'contains'?"),
    ("plan --effect 0.05 --from answersv2 --scorer contains --db demo.db", 3, "did you mean 'answers-v2'?"),
    ("gate answers-v2 contans>=0.5 --db demo.db", 2, "there is no scorer 'contans'; did you mean 'contains'?"),
    ("gate answers-v2 contains.meen>=0.5 --db demo.db", 2, "there is no metric 'meen'; did you mean 'mean'?"),
    ("summary answers-v2 --cluster-by topics --db demo.db", 2, "did you mean 'topic'?"),
    ("score answers.jsonl --scorer exact_mach", 2, "'exact_mach' is not a built-in scorer; did you mean 'exact_match'"),
    ("score answers.jsonl --scorer contains:case_sensitiv=false", 2, "did you mean 'case_sensitive'?"),
    ("score answers.jsonl --scorer contains --output-column outpu", 2, "did you mean 'output'?"),
    ("summary answers-v2 --db demmo.db", 3, "there is no database"),
    ("worker --db demmo.db", 3, "demo.db is the demo's"),
    ("worker --db ncopy.db", 3, "did you mean 'copy.db'?"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "code", "said"), TYPOS, ids=[typed for typed, _, _ in TYPOS])
def test_a_typing_mistake_is_answered_with_what_was_meant(
    gnomon: Run, demo_db: Path, monkeypatch, typed: str, code: int, said: str
) -> None:
    monkeypatch.chdir(demo_db.parent)
    Path("copy.db").touch()
    Path("answers.jsonl").write_text('{"output": "a", "expected_output": "a"}\n')
    done = gnomon(*typed.split(" "))
    assert done.code == code, done
    assert (done.out, done.err.count("\n")) == ("", 1)
    assert said in done.err


def test_a_worker_makes_no_database_where_there_is_none(gnomon: Run, home: Path, tmp_path: Path) -> None:
    """A worker on a misspelt file would wait for ever for jobs that come to another."""
    for flags in ((), ("--db", tmp_path / "none.db")):
        done = gnomon("worker", *flags)
        assert (done.code, done.out) == (3, "")
        assert "there is no database" in done.err
    assert list(tmp_path.rglob("*.db")) == []
