"""Scorers run between two tries of a transaction, and what is stored fits what is read in the last one."""

import threading

import pytest

from gnomon.errors import Busy
from gnomon.scorers import Failed, RuleScorer, Sample, build
from gnomon.scorers.cost import INLINE
from gnomon.service.scoring import measuring
from gnomon.service.scoring.measuring import Lane, ScoreToCompute
from gnomon.store.engine import open_store


@pytest.fixture
def store(tmp_path):
    store = open_store(f"sqlite:///{tmp_path}/gnomon.db")
    yield store
    store.close()


def question(output, scorer="exact_match", **config) -> ScoreToCompute:
    rule = build(scorer, config or {"expected_output": "yes"})
    assert isinstance(rule, RuleScorer)
    return ScoreToCompute(rule, Sample(output=output), None)


def test_what_changed_while_scorers_ran_is_measured_again(store):
    data, tries = ["no"], []

    def work(db, measured):
        tries.append(data[0])
        return measured.of([question(data[0])])

    def answer(questions):
        found = measuring.at_once(questions)
        data[0] = "yes"  # somebody else writes meanwhile
        return found

    assert measuring.write(store, work, answer) == [1.0]
    assert tries == ["no", "yes", "yes"]


def test_scorers_run_while_others_write(store):
    def answer(questions):
        store.write(lambda db: db.exec_driver_sql("CREATE TABLE other (id TEXT)"))  # would wait for a transaction
        return measuring.at_once(questions)

    assert measuring.write(store, lambda _, measured: measured.of([question("yes")]), answer) == [1.0]


def test_several_questions_of_one_transaction_are_each_measured_once(store):
    asked = []

    def answer(questions):
        asked.append(len(questions))
        return measuring.at_once(questions)

    def work(_, measured):
        return measured.of([question("yes")] * 2) + measured.of([question("no")])

    assert measuring.write(store, work, answer) == [1.0, 1.0, 0.0]
    assert asked == [2, 1]


def test_what_is_measured_ahead_lets_the_first_try_be_the_last(store):
    tries, asked = [], []

    def work(_, measured):
        tries.append("try")
        measured.peek([question("yes"), question("no")])
        return measured.peeked(2)

    def answer(questions):
        asked.append(len(questions))
        return measuring.at_once(questions)

    found = measuring.write(store, work, answer, ahead=lambda _: [question("yes"), question("no")])
    assert found == [1.0, 0.0]
    assert (tries, asked) == (["try"], [2])


def test_what_changed_since_it_was_measured_ahead_is_measured_again(store):
    tries = []

    def work(_, measured):
        tries.append("try")
        return measured.of([question("yes")])

    assert measuring.write(store, work, measuring.at_once, ahead=lambda _: [question("no")]) == [1.0]
    assert len(tries) == 2


def test_what_was_peeked_at_is_handed_out_once(store):
    def work(_, measured):
        measured.peek([question("yes")])
        return measured.peeked(2), measured.peeked(1), measured.peeked(1)

    assert measuring.write(store, work, measuring.at_once) == (None, [1.0], None)


def test_a_lane_that_is_closed_breaks_off_what_is_costly_and_says_so():
    lane = Lane()
    lane.close()
    with pytest.raises(Busy, match="stopping"):
        lane.answer([question("a" * 11_000, "similarity", expected_output="b" * 11_000)])


def test_costly_scores_of_requests_wait_for_each_other_and_cheap_ones_do_not():
    lane, costly = Lane(), question("a" * 11_000, "similarity", expected_output="b" * 11_000)
    done = threading.Event()
    with lane.metered(INLINE) as meter:
        meter.spend(2_000_000, "this request")
        waiting = threading.Thread(target=lambda: (lane.answer([costly]), done.set()))
        waiting.start()
        assert lane.answer([question("yes")]) == [1.0]
        assert not done.is_set()
    waiting.join()
    assert done.is_set()


def test_a_run_that_failed_is_not_scored():
    failed = question("yes")._replace(error="timeout")
    assert measuring.at_once([failed]) == [Failed("the run failed: timeout")]
