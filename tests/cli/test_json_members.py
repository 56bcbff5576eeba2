"""An object that is written member by member is the text that `json` writes of it whole."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.cli.show.pen import json, json_members

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def written(capsys: pytest.CaptureFixture[str], write: Any, value: Any) -> str:
    write(value)
    return capsys.readouterr().out


@given(before=st.dictionaries(st.text(max_size=3), _VALUES, max_size=3), rows=st.lists(_VALUES, max_size=4))
def test_members_that_are_iterators_are_written_as_lists(before: dict[str, Any], rows: list[Any]):
    with pytest.MonkeyPatch.context() as patched:
        texts: list[str] = []
        patched.setattr("click.echo", lambda text, err, nl: texts.append(text))
        json({**before, "rows": rows, "last": 1})
        whole = "".join(texts)
        texts.clear()
        json_members({**before, "rows": iter(rows), "last": 1})
    assert "".join(texts) == whole


def test_an_object_without_members(capsys: pytest.CaptureFixture[str]):
    assert written(capsys, json_members, {}) == written(capsys, json, {})
