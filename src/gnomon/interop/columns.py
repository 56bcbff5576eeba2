"""Which column of a table means what: named by `--columns FIELD=COLUMN,…`, else guessed by the usual names."""

from collections.abc import Collection, Mapping, Sequence

from gnomon.errors import InvalidInput
from gnomon.model.nearest import nearest
from gnomon.shorten import list_some

ColumnNames = Mapping[str, str]
"""Field → column."""

TEXTS: Mapping[str, tuple[str, ...]] = {
    "input": ("input", "inputs", "question", "prompt", "query", "instruction", "problem", "instructions"),
    "output": ("output", "outputs", "response", "prediction", "completion", "generation", "model_output",
               "actual_output", "model_answer", "generated"),
    "expected_output": ("expected_output", "expected", "gold", "target", "reference", "ground_truth", "ideal",
                        "reference_answer", "expected_answer", "answer"),
    "error": ("error", "exception"),
}  # fmt: skip
"""Usual names of the columns that hold texts."""
_SHOWN = 20


def parse_columns(text: str, fields: Sequence[str], prefixes: Sequence[str] = ()) -> dict[str, str]:
    """`item=question,value=score` as field → column. Fields are the known ones, or begin with one of the prefixes."""
    named: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        field, equals, column = (piece.strip() for piece in part.partition("="))
        if not (equals and field and column):
            raise InvalidInput.of("columns", f"--columns {part!r} is not FIELD=COLUMN, as in {fields[0]}=NAME")
        if field not in fields and not any(field.startswith(prefix) and field != prefix for prefix in prefixes):
            near = nearest(field, fields)
            known = ", ".join([*fields, *(f"{prefix}NAME" for prefix in prefixes)])
            hint = f"; did you mean {near}?" if near else f"; fields are {known}"
            raise InvalidInput.of("columns", f"--columns names the field {field!r}, which is not known{hint}")
        if field in named:
            raise InvalidInput.of("columns", f"--columns names {field!r} twice; leave one of them out")
        named[field] = column
    return named


def refuse_missing(source: str, named: ColumnNames, known: Collection[str]) -> None:
    """Refuse a column that was named and is not there."""
    for field, column in named.items():
        if column not in known:
            near = nearest(column, known)
            hint = f"did you mean {near}?" if near else f"there are {listed(known)}"
            raise InvalidInput.of("columns", f"{source} has no column {column!r} (for {field}); {hint}")


def listed(columns: Collection[str]) -> str:
    return list_some([column.strip() for column in columns], _SHOWN) or "none"
