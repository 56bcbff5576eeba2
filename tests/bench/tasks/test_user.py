"""What the scripted user says: a function of the conversation."""

from pathlib import Path

from bench.tasks.shop import two_apples
from gnomon.bench.tasks.user import END, persona_of, scripted_reply

USER = {
    "persona": "You are hungry.",
    "facts": [
        {"asked": ["which", "what kind"], "say": "Red ones."},
        {"asked": ["how many"], "say": "Two."},
    ],
    "says": ["And a bag.", "That is all."],
    "otherwise": "I do not know.",
}


def talk(task: object, *answers: str) -> list[str | None]:
    """What the user says after each answer of the agent."""
    said: list[str | None] = []
    exchanges: list[tuple[str, str]] = []
    message: str | None = "Hello."
    for answer in answers:
        exchanges.append((message or "", answer))
        message = scripted_reply(task, exchanges)  # type: ignore[arg-type]
        said.append(message)
        if message is None:
            break
    return said


def test_facts_are_told_when_asked_for_then_come_the_own_lines(tmp_path: Path) -> None:
    task = two_apples(tmp_path, user=USER)
    assert talk(task, "Which ones, and how many?", "Here.", "Fine.", "Bye.") == [
        "Red ones. Two.", "And a bag.", "That is all.", None,
    ]  # fmt: skip


def test_a_fact_is_told_again_only_to_a_question(tmp_path: Path) -> None:
    task = two_apples(tmp_path, user=USER)
    assert talk(task, "Tell me which.", "I see which you mean.", "Sorry, which?") == [
        "Red ones.", "And a bag.", "Red ones.",
    ]  # fmt: skip


def test_an_agent_that_only_asks_comes_to_an_end(tmp_path: Path) -> None:
    task = two_apples(tmp_path, user={**USER, "says": []})
    assert talk(task, *["Why?"] * 9) == ["I do not know."] * 3 + [None]
    endless = two_apples(tmp_path / "endless", user={**USER, "says": []}, max_steps=4)
    assert talk(endless, *["Which?"] * 9) == ["Red ones."] * 3 + [None]


def test_without_a_user_the_first_answer_is_the_last(tmp_path: Path) -> None:
    assert talk(two_apples(tmp_path, user=None), "Which?") == [None]


def test_a_model_that_plays_the_user_is_told_what_the_script_says(tmp_path: Path) -> None:
    told = persona_of(two_apples(tmp_path, user=USER))
    for words in ("You are hungry.", "Red ones.", "how many", "And a bag.", END, "I would like two of the red ones."):
        assert words in told
