"""Conversations: how they began, their worst scores, which of them a filter leaves, and their turns to be read."""

import pytest

from contract.caller import Refusal, expect, span


def turn(trace: str, conversation: str = "c", **more: object) -> dict[str, object]:
    about = {"session.id": conversation, **more.pop("metadata", {})}  # type: ignore[dict-item]
    return span(f"{trace}-root", trace, metadata=about, **more)


def at(second: int) -> str:
    return f"2026-02-21T22:00:{second:02}.000Z"


def score(api, value: float | str, name: str = "solved", conversation: str = "c", **more: object) -> None:
    target = {"target_type": "conversation", "target_id": conversation, "project_id": api.project}
    api.make("/scores", {**target, "scorer_name": name, "value": value, **more})


def score_of_span(api, trace: str, value: float | str, name: str = "clear", why: str | None = None) -> None:
    target = {"target_type": "span", "target_id": f"{trace}-root", "trace_id": trace, "project_id": api.project}
    api.make("/scores", {**target, "scorer_name": name, "value": value, "rationale": why})


def conversation_ids(api, **query: object) -> list[str]:
    return api.ids("/conversations", project_id=api.project, **query)


def worst(api, id: str = "c") -> list[tuple[object, ...]]:
    (shown,) = [row for row in api.items("/conversations", project_id=api.project) if row["id"] == id]
    assert shown == api.read(f"/conversations/{id}", project_id=api.project)
    return [(row["scorer_name"], row["value"], row["turn"], row["trace_id"]) for row in shown["worst_scores"]]


def test_a_conversation_shows_the_worst_score_of_each_scorer_and_in_which_turn(api):
    api.trace(turn("second", start_time=at(2)))
    api.trace(turn("first", start_time=at(1)))
    api.trace(turn("third", start_time=at(3)))
    for trace, clear, polite in (("first", 0.9, 0.4), ("second", 0.2, 0.4), ("third", 0.7, 1)):
        score_of_span(api, trace, clear)
        score_of_span(api, trace, polite, "polite")
    score_of_span(api, "first", "rude", "tone")
    assert worst(api) == [("clear", 0.2, 2, "second"), ("polite", 0.4, 1, "first")]
    score(api, 0.3)
    score(api, 0.1, "clear")
    score(api, "angry", "mood")
    assert worst(api) == [("clear", 0.1, None, None), ("solved", 0.3, None, None), ("polite", 0.4, 1, "first")]


def test_scores_of_other_conversations_and_projects_are_not_mixed_in(api):
    api.trace(turn("t1"), turn("t2", "other"))
    score_of_span(api, "t2", 0.1)
    score(api, 0.2, conversation="other")
    assert worst(api) == []
    assert worst(api, "other") == [("clear", 0.1, 1, "t2"), ("solved", 0.2, None, None)]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("Where is my lamp?", "Where is my lamp?"),
        ({"question": "Where?"}, "Where?"),
        (
            [{"role": "system", "content": "Be kind. " * 500}, {"role": "user", "content": "Where is it?"}],
            "Where is it?",
        ),
        ("a" * 300, "a" * 200),
        ("ä" * 100_000, "ä" * 200),
        (None, None),
    ],
)
def test_a_conversation_shows_what_the_user_asked_first(api, value, words):
    api.trace(turn("t1", start_time=at(1), input=value, metadata={"user.id": "u-7"}))
    api.trace(turn("t2", start_time=at(2), input="later"))
    (shown,) = api.items("/conversations", project_id=api.project)
    assert (shown["first_words"], shown["user_id"]) == (words, "u-7")


def test_conversations_are_filtered_by_words_errors_users_and_time(api):
    api.trace(turn("t1", "a/1 ?", input="my lamp is broken", metadata={"user.id": "u1"}))
    api.trace(turn("t2", "b", input="the lamp again", error={"message": "broke"}, metadata={"user.id": "u2"}))
    api.trace(turn("t3", "a/1 ?", output="a new bulb", metadata={"user.id": "u2"}))
    assert conversation_ids(api) == ["b", "a/1 ?"]
    assert conversation_ids(api, q="LAMP") == ["b", "a/1 ?"]
    assert conversation_ids(api, q="bul*") == ["a/1 ?"]
    assert conversation_ids(api, q="lamp bulb") == []
    assert conversation_ids(api, has_error="true") == ["b"]
    assert conversation_ids(api, has_error="false") == ["a/1 ?"]
    assert conversation_ids(api, user_id="u2") == ["b", "a/1 ?"]
    assert conversation_ids(api, user_id="u2", q="lamp", has_error="false") == ["a/1 ?"]
    (newer, older) = [row["created_at"] for row in api.items("/conversations", project_id=api.project)]
    assert conversation_ids(api, before="2000-01-01T00:00:00Z") == []
    assert conversation_ids(api, after="2000-01-01T00:00:00Z") == ["b", "a/1 ?"]
    assert "b" not in conversation_ids(api, before=newer)
    assert "a/1 ?" not in conversation_ids(api, after=older)
    first = api.read("/conversations", project_id=api.project, q="lamp", limit=1)
    rest = api.read("/conversations", project_id=api.project, q="lamp", limit=1, cursor=first["next_cursor"])
    assert [row["id"] for row in first["items"] + rest["items"]] == ["b", "a/1 ?"]


@pytest.mark.parametrize(
    ("query", "field"), [({"q": "?!"}, "q"), ({"has_error": "yes"}, "has_error"), ({"after": "today"}, "after")]
)
def test_a_filter_that_says_nothing_is_refused(api, query, field):
    bad = Refusal.of(api.get("/conversations", project_id=api.project, **query))
    assert (bad.said[0], [error["field"] for error in bad.errors]) == (400, [field])


def test_words_are_not_searched_where_the_text_search_is_off(api):
    api.trace(turn("t1", input="lamp"))
    expect(200, api.call("PUT", f"/projects/{api.project}/text-search", {"enabled": False}))
    bad = Refusal.of(api.get("/conversations", project_id=api.project, q="lamp"))
    assert (bad.said[0], "text-search" in bad.message) == (400, True)


def test_turns_have_the_scores_of_their_spans_with_reasons_and_what_failed(api):
    child = {"parent_span_id": "t1-root", "start_time": at(2)}
    errors = [
        span(f"e{n}", "t1", **child, name=f"try {n}", error={"message": f"no {n}", "type": "Gone"}) for n in range(7)
    ]
    api.trace(turn("t1", start_time=at(1)), *errors)
    api.trace(turn("t2", start_time=at(3)))
    score_of_span(api, "t1", 0.2, why="It does not say when.")
    score_of_span(api, "t1", "kind", "tone")
    (first, second) = api.items("/conversations/c/turns", project_id=api.project)
    assert [(row["scorer_name"], row["value"], row["rationale"]) for row in first["span_scores"]] == [
        ("tone", "kind", None),
        ("clear", 0.2, "It does not say when."),
    ]
    assert [(row["span_id"], row["name"], row["message"], row["type"]) for row in first["errors"]] == [
        (f"e{n}", f"try {n}", f"no {n}", "Gone") for n in range(5)
    ]
    assert (second["span_scores"], second["errors"]) == ([], [])


def test_turns_are_read_as_question_and_answer_without_what_lies_behind(api):
    messages = [{"role": "user", "content": "lamp?"}, {"role": "assistant", "content": "here"}]
    api.trace(
        turn(
            "t1",
            "a/1 ?",
            start_time=at(1),
            input=[*messages, {"role": "user", "content": "And now?"}],
            output="x" * 9000,
        )
    )
    api.trace(turn("t2", "a/1 ?", start_time=at(2)))
    (first, second) = api.items("/conversations/a%2F1%20%3F/turns", project_id=api.project, content="readable")
    assert (first["input"], first["output"]) == (None, None)
    assert first["question"] == {"text": "And now?", "size": 8, "truncated": False, "format": "chat"}
    assert first["answer"] == {"text": "x" * 8000, "size": 9000, "truncated": True, "format": "text"}
    assert (second["question"], second["answer"]) == (None, None)
    (full, _) = api.items("/conversations/a%2F1%20%3F/turns", project_id=api.project)
    assert (full["output"], full["question"], full["answer"]) == ("x" * 9000, None, None)
    bad = Refusal.of(api.get("/conversations/a%2F1%20%3F/turns", project_id=api.project, content="pretty"))
    assert (bad.said[0], [error["field"] for error in bad.errors]) == (400, ["content"])
