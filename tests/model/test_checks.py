"""What a caller gives in Python is checked as a server checks what it is sent."""

import math

import pytest

from gnomon.errors import InvalidInput
from gnomon.model.checks import as_sent, body_of
from gnomon.model.experiment import RunDraft


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("sent", [as_sent, body_of])
def test_a_number_that_json_cannot_say_is_refused_and_never_becomes_null(sent, number):
    draft = RunDraft(dataset_item_id="item", output={"score": [number]})
    with pytest.raises(InvalidInput, match="RunDraft holds NaN or an infinity, which JSON cannot represent; send null"):
        sent(draft)


def test_a_text_that_speaks_of_nan_is_a_text():
    draft = RunDraft(dataset_item_id="item", output="NaN and -Infinity")
    assert as_sent(draft) == draft


def test_what_is_no_draft_is_refused_with_its_value():
    with pytest.raises(InvalidInput, match=r"{'name': 'x'} is not a draft; make one"):
        body_of({"name": "x"})  # type: ignore[arg-type]
