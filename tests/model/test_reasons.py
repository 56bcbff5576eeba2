"""Why scores are missing, counted: nothing is lost, and the most frequent comes first."""

import re

from hypothesis import given
from hypothesis import strategies as st

from gnomon.model.reasons import COUNTED, counted_reasons, each_counted
from gnomon.model.wording import WORDS


def test_codes_become_words_and_details_stand_behind_them():
    assert counted_reasons({"unparsable": 40}) == "40 unreadable answers"
    assert counted_reasons({"timeout: 60 s": 1, "timeout: 30 s": 2}) == "3 timeouts (30 s)"
    assert counted_reasons({"refused: no such key": 1, "no expected_output": 9}) == (
        "9 no expected_output, 1 refused call (no such key)"
    )
    assert counted_reasons({f"reason {n}": n for n in range(1, 7)}) == (
        "6 reason 6, 5 reason 5, 4 reason 4 (and 3 more reasons)"
    )
    assert counted_reasons({}) == ""


def test_every_code_is_explained_too():
    for code in COUNTED:
        assert any(code.startswith(row.prefix.rstrip(":")) for row in WORDS.absence_reasons), code


@given(
    st.dictionaries(st.sampled_from([*COUNTED, *(f"{code}: why" for code in COUNTED), "a", "b"]), st.integers(1, 99))
)
def test_every_missing_score_is_counted_once_the_most_frequent_first(reasons: dict[str, int]):
    counts = [int(re.match(r"[\d,]+", said)[0].replace(",", "")) for said in each_counted(reasons)]
    assert sum(counts) == sum(reasons.values())
    assert counts == sorted(counts, reverse=True)
