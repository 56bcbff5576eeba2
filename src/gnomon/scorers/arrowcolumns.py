"""The same scorers over columns: one call measures a whole Arrow table.

Texts that Arrow and Polars compare exactly as the per-sample rules do never become Python
objects; everything else goes through `measure` row by row. A property test holds both ways equal.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from typing import Any

import re2

from gnomon.errors import InvalidInput, NotAvailable
from gnomon.extras import install_command
from gnomon.scorers.protocol import (
    NO_EXPECTED,
    NO_OUTPUT,
    Comparison,
    Failed,
    RuleScorer,
    Scored,
    UnmeasurableError,
    text,
)
from gnomon.scorers.text import Contains, ContainsAll, ContainsAny, ExactMatch, OneOf, Regex, folded_values

Kernel = Callable[[Any, Any, Any], Any]
"""Scorer, column of texts, and what to compare with (a column, one text or nothing) → true, false or null."""

STATES = ("scored", "absent", "failed")
_PART_ROWS = 1 << 17  # so many that starting a thread for them does not count
_CACHED_ROWS = 1 << 14  # so few that their texts still lie in the processor's cache when read again

_SHARED_SYNTAX = re2.compile(
    r"(?P<classes>\\[dws])"
    r"|(?P<edge>[\^$])"
    r"|(?P<group>\(\?:|\()"
    r"|(?P<as_it_is>[A-Za-z0-9 _:;,=@#%!'\"/<>`~&.|)*+?-]|\\[\\.+*?()|\[\]{}^$]|\{[0-9]{1,3}(?:,[0-9]{0,3})?\})"
    r"|\[(?P<set>\^?(?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9 _;,.@#%!'\"/]|\\[dws]|\\[.\[\]^-])+)\]"
)
"""The part of RE2's syntax that means the same to Polars, once its classes and edges are written out."""

_WRITTEN_OUT = {r"\d": "0-9", r"\w": "0-9A-Za-z_", r"\s": r"\t\n\f\r ", "^": r"\A", "$": r"\z"}


@dataclass(frozen=True, slots=True)
class ColumnScores:
    """Arrow columns, one row per output: a value, or null with its state (`absent`, `failed`) and reason."""

    values: Any
    states: Any
    reasons: Any


def score_columns(scorer: RuleScorer, outputs: Any, expected: Any = None) -> ColumnScores:
    """Measure columns of the same length: Arrow arrays or lists. No `expected` is as all null."""
    pa = _arrow()
    outputs = _plain(outputs)
    expected = pa.nulls(len(outputs), pa.large_string()) if expected is None else _plain(expected)
    if len(outputs) != len(expected):
        raise InvalidInput(f"there are {len(outputs)} outputs and {len(expected)} expected; give one each")
    kernel, result = _KERNELS.get(type(scorer)), None
    if kernel is not None and _is_text(outputs):
        with suppress(UnmeasurableError, UnicodeEncodeError):  # a configured value is not text: each row says so
            result = _in_parts(kernel, scorer, outputs, _expected(scorer, expected))
    return _by_row(scorer, outputs, expected) if result is None else _by_column(result, outputs)


def score_table(scorer: RuleScorer, table: Any, output: str = "output", expected: str = "expected_output") -> Any:
    """Measure an Arrow table; the answer is a table with the columns `value`, `state` and `reason`."""
    compares = isinstance(scorer, Comparison) and scorer.expected_output is None
    for column in [output, expected] if compares else [output]:
        if column not in table.column_names:
            listed_columns = ", ".join(table.column_names)
            raise InvalidInput.of(column, f"the table has no column {column!r}; it has {listed_columns}")
    scores = score_columns(scorer, table[output], table[expected] if compares else None)
    return _arrow().table({"value": scores.values, "state": scores.states, "reason": scores.reasons})


def _in_parts(kernel: Kernel, scorer: RuleScorer, outputs: Any, expected: Any) -> Any:
    """Arrow and Polars leave the interpreter alone while they work, so parts of a long column go side by side."""
    if len(outputs) <= _PART_ROWS:
        return kernel(scorer, outputs, expected)

    def part(at: int) -> Any:
        expected_part = expected.slice(at, _PART_ROWS) if hasattr(expected, "slice") else expected
        return kernel(scorer, outputs.slice(at, _PART_ROWS), expected_part)

    pa = _arrow()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = list(pool.map(part, range(0, len(outputs), _PART_ROWS)))
    if parts[0] is None:
        return None
    return pa.chunked_array([value for hits in parts for value in (hits.chunks if hasattr(hits, "chunks") else [hits])])


def _by_row(scorer: RuleScorer, outputs: Any, expected: Any) -> ColumnScores:
    pa = _arrow()
    measured = list(map(scorer.measure, _values(outputs), _values(expected)))
    values = [result.value if isinstance(result, Scored) else None for result in measured]
    reasons = [None if isinstance(result, Scored) else result.reason for result in measured]
    states = [0 if isinstance(result, Scored) else 2 if isinstance(result, Failed) else 1 for result in measured]
    return ColumnScores(pa.array(values, pa.float64()), _states(states), pa.array(reasons, pa.string()))


def _by_column(hits: Any, outputs: Any) -> ColumnScores:
    """`hits` is true, false, or null where the output or the expected output is."""
    import pyarrow.compute as pc

    pa = _arrow()
    values = pc.cast(pc.if_else(pc.is_valid(outputs), hits, pa.scalar(None, pa.bool_())), pa.float64())
    if values.null_count == 0:
        reasons = pa.nulls(len(values), pa.string())
    else:
        why = pc.if_else(pc.is_null(outputs), NO_OUTPUT.reason, NO_EXPECTED.reason)
        reasons = pc.if_else(pc.is_valid(values), pa.scalar(None, pa.string()), why)
    return ColumnScores(values, _states(pc.cast(pc.is_null(values), pa.int8())), reasons)


def _states(indices: Any) -> Any:
    pa = _arrow()
    if isinstance(indices, pa.ChunkedArray):
        indices = indices.combine_chunks()
    return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int8()), pa.array(STATES))


def _exact_match(scorer: ExactMatch, outputs: Any, expected: Any) -> Any:
    import pyarrow.compute as pc

    if expected is None:
        return None
    pa = _arrow()
    if not scorer.case_sensitive:
        outputs, expected = _casefolded(outputs), _casefolded(expected)
    outputs, expected = _flat(outputs), _flat(expected)
    if isinstance(expected, str):
        expected = pa.repeat(pa.scalar(expected), len(outputs))
    if not scorer.strip_whitespace:
        return pc.equal(outputs, expected)
    few = pa.table([outputs, expected], ["said", "wanted"]).to_batches(max_chunksize=_CACHED_ROWS)
    return pa.chunked_array([_equal_when_stripped(rows["said"], rows["wanted"]) for rows in few])


def _equal_when_stripped(output: Any, value: Any) -> Any:
    import pyarrow.compute as pc

    same = pc.equal(output, value)
    if same.true_count == len(same):  # what is equal as it stands needs no stripping
        return same
    return pc.equal(_stripped(output), _stripped(value))


def _contains(scorer: Contains, outputs: Any, expected: Any) -> Any:
    if expected is None:
        return None
    if not scorer.case_sensitive:
        outputs, expected = _casefolded(outputs), _casefolded(expected)
    return _holds(outputs, expected)


def _contains_values(scorer: ContainsAll | ContainsAny, outputs: Any, expected: Any) -> Any:
    import pyarrow.compute as pc

    inside = outputs if scorer.case_sensitive else _casefolded(outputs)
    hits = [_holds(inside, value) for value in folded_values(scorer)]
    return reduce(pc.and_ if isinstance(scorer, ContainsAll) else pc.or_, hits)


def _one_of(scorer: OneOf, outputs: Any, expected: Any) -> Any:
    import pyarrow.compute as pc

    answers = _stripped(_flat(outputs) if scorer.case_sensitive else _casefolded(outputs))
    return pc.is_in(answers, value_set=_arrow().array(sorted(scorer.accepted), answers.type))


def _regex(scorer: Regex, outputs: Any, expected: Any) -> Any:
    import polars as pl
    import pyarrow.compute as pc

    pattern = None if scorer.flags else for_polars(scorer.pattern)
    if pattern is not None:
        try:
            return _series(outputs).str.contains(pattern).to_arrow()
        except pl.exceptions.ComputeError:  # Polars allows a compiled pattern less memory
            pass
    return pc.match_substring_regex(_flat(outputs), scorer.full_pattern)  # Arrow's engine is RE2


_KERNELS: dict[type[RuleScorer], Kernel] = {
    ExactMatch: _exact_match,
    Contains: _contains,
    ContainsAll: _contains_values,
    ContainsAny: _contains_values,
    OneOf: _one_of,
    Regex: _regex,
}
"""What can be said of a column of texts at once; None where the other column holds no texts."""


@lru_cache(maxsize=128)
def for_polars(pattern: str) -> str | None:
    """The pattern as Polars must be given it to mean the same; None when that is not certain."""
    written, at, opened = "", 0, False
    for part in _SHARED_SYNTAX.finditer(pattern):
        if part.start() != at or (opened and part.group() == "?"):  # `(?` opens flags, names and more
            return None
        at, opened = part.end(), part.group() == "("
        if part["classes"]:
            written += f"[{_WRITTEN_OUT[part.group()]}]"
        elif part["edge"]:
            written += _WRITTEN_OUT[part.group()]
        elif part["set"]:
            inside = part["set"]
            for class_ in (r"\d", r"\w", r"\s"):
                inside = inside.replace(class_, _WRITTEN_OUT[class_])
            written += f"[{inside}]"
        else:
            written += part.group()
    return written if at == len(pattern) else None


def _expected(scorer: RuleScorer, expected: Any) -> Any:
    """What to compare with: the configured text, else the column; None when that holds no texts."""
    if isinstance(scorer, Comparison) and scorer.expected_output is not None:
        return text(scorer.expected_output)
    return expected if _is_text(expected) else None


def _holds(outputs: Any, expected: Any) -> Any:
    series = _series(outputs)
    return series.str.contains(expected if isinstance(expected, str) else _series(expected), literal=True).to_arrow()


def _casefolded(texts: Any) -> Any:
    import pyarrow.compute as pc

    texts = _flat(texts)
    if isinstance(texts, str):
        return texts.casefold()
    if pc.all(pc.string_is_ascii(texts)).as_py() is not False:
        return pc.ascii_lower(texts)
    folded = [None if value is None else value.casefold() for value in _series(texts).to_list()]
    return _arrow().array(folded, _arrow().large_string())


def _flat(texts: Any) -> Any:
    """The column without views, as Arrow's own functions need it; Polars takes views as they are."""
    pa = _arrow()
    return texts.cast(pa.large_string()) if not isinstance(texts, str) and texts.type == pa.string_view() else texts


def _stripped(texts: Any) -> Any:
    import pyarrow.compute as pc

    return pc.utf8_trim(texts, options=pc.TrimOptions(_whitespace()))


@cache
def _whitespace() -> str:
    """What `str.strip` strips; Unicode has none of it beyond its first plane."""
    return "".join(filter(str.isspace, map(chr, range(0x10000))))


def _series(texts: Any) -> Any:
    import polars as pl

    return pl.from_arrow(texts)


def _values(column: Any) -> Sequence[Any]:
    if isinstance(column, list | tuple):
        return column
    values: list[Any] = _series(column).to_list() if _is_text(column) else column.to_pylist()
    return values


def _is_text(column: Any) -> bool:
    pa = _arrow()
    return (
        len(column) > 0
        and not isinstance(column, list | tuple)
        and column.type in (pa.string(), pa.large_string(), pa.string_view())
    )


def _plain(column: Any) -> Any:
    """The column in a form that has one meaning: texts as such, numbers as JSON has them."""
    pa = _arrow()
    if isinstance(column, list | tuple):
        all_text = all(type(value) is str or value is None for value in column)
        try:
            return pa.array(column, pa.large_string()) if all_text else column
        except UnicodeEncodeError:  # lone surrogates
            return column
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return _plain(column.cast(kind.storage_type))
    if pa.types.is_dictionary(kind):
        return _plain(column.cast(kind.value_type))
    if pa.types.is_null(kind):
        return column.cast(pa.large_string())
    if pa.types.is_decimal(kind):
        return column.cast(pa.float64())
    if pa.types.is_temporal(kind):
        return column.cast(pa.string())
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        raise InvalidInput(f"a column of {kind} holds bytes, not text; decode it first")
    return column


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise NotAvailable(f"scoring columns needs pyarrow and polars; run: {install_command('analytics')}") from None
    return pyarrow
