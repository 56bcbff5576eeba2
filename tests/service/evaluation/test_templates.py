"""Places in prompts, bodies and commands: checked when a task is made, filled once per item."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.service.evaluation.templates import check, fill, fill_text, placeholders

ITEM = {
    "id": "a",
    "input": {"city": "Rome", "years": [753, 476], "big one": True, "of": {"land": "Italy"}},
    "expected_output": "yes",
    "metadata": {"tier": 3, "note": None},
}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{input.city}}?", "Rome?"),
        ("{{ input.city }}", "Rome"),
        ("{{input.years}}", "[753,476]"),
        ("{{input.years.1}}", "476"),
        ("{{input.big one}}", "true"),
        ("{{input.of.land}}/{{metadata.tier}}", "Italy/3"),
        ("{{metadata.note}}", "null"),
        ("{{expected_output}}", "yes"),
        ("{city} {{}} {{ }} {{a|b}} {\"a\": {\"b\": 1}}", "{city} {{}} {{ }} {{a|b}} {\"a\": {\"b\": 1}}"),
    ],
)  # fmt: skip
def test_text_is_put_in_as_it_is_and_anything_else_as_json(template: str, text: str) -> None:
    assert fill_text(template, ITEM) == text


def test_a_whole_object_is_json() -> None:
    assert json.loads(fill_text("{{input}}", ITEM)) == ITEM["input"]


def test_a_text_that_is_one_place_becomes_the_value_itself() -> None:
    body = {"years": "{{input.years}}", "q": ["in {{input.city}}", "{{metadata.tier}}", 7, None], "k": {"{{x}}": 1}}
    assert fill(body, ITEM) == {"years": [753, 476], "q": ["in Rome", 3, 7, None], "k": {"{{x}}": 1}}


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("{{inptu}}", "prompt has {{inptu}}, which is not known; did you mean {{input}}?"),
        ("{{inputs.city}}", "did you mean {{input.city}}?"),
        ("{{meta.tier}}", "did you mean {{metadata.tier}}?"),
        ("{{question}}", "write {{input}}, {{input.question}} or {{metadata.question}}"),
        ("{{output}}", "which is not known; write {{input}}"),
        ("{{input.}}", "which is not known; write {{input}}, {{input.KEY}} or {{metadata.KEY}}"),
        ("{{expected_output}}", "tells the answer; leave it out, or give allow_expected_output=True"),
        ("{{expected_output.a}}", "tells the answer"),
        (["fine", {"a": "{{inptu}}"}], "did you mean {{input}}?"),
    ],
)
def test_a_place_that_is_not_known_is_refused_with_the_nearest_that_is(template: Any, says: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        check("prompt", template, allow_expected_output=False)
    assert says in refused.value.message
    assert [problem.field for problem in refused.value.problems] == ["prompt"]


def test_the_expected_output_can_be_allowed() -> None:
    check("prompt", "{{expected_output}} {{expected_output.a}}", allow_expected_output=True)


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("{{input.town}}", "{{input.town}} cannot be filled: input has no key 'town', only city, years, big one, of"),
        ("{{input.city.name}}", "input.city has no key 'name': it is 'Rome'"),
        ("{{input.years.2}}", "input.years has no entry '2': it is a list of 2"),
        ("{{metadata.x.y}}", "metadata has no key 'x', only tier, note"),
    ],
)
def test_what_an_item_lacks_is_told_with_what_there_is(template: str, says: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        fill_text(template, ITEM)
    assert says in refused.value.message


@pytest.mark.parametrize("template", ["{{metadata.tier}}", "{{metadata}}", "{{expected_output}}"])
def test_a_part_that_an_item_does_not_have_at_all_is_told(template: str) -> None:
    with pytest.raises(InvalidInput, match="the item has no"):
        fill_text(template, {"id": None, "input": "x", "expected_output": None, "metadata": None})


@given(st.text(), st.text(), st.text())
def test_what_a_value_holds_is_never_filled_again(before: str, value: str, after: str) -> None:
    """Law: an input is data, whatever it looks like."""
    if list(placeholders([before, after])) or "{" in before[-2:] or "}" in after[:2]:
        return
    assert fill_text(before + "{{input}}" + after, {"input": value}) == before + value + after
    assert fill_text("{{input}}{{input}}", {"input": "{{input}}"}) == "{{input}}{{input}}"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(), lambda inner: st.lists(inner, max_size=3)
)


@given(json_values)
def test_a_body_gets_the_input_as_it_is(value: Any) -> None:
    """Law: the default body of an endpoint holds exactly the item's input."""
    assert fill({"input": "{{input}}"}, {"input": value}) == {"input": value}
