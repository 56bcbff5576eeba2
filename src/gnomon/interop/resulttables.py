"""Result tables that other people made: CSV, TSV, JSONL, JSON and Parquet files, recognised by their columns.

| shape | columns |
|---|---|
| long | [agent,] item, [trial,] value |
| wide | [agent,] item, trial1, trial2, … |
| pairwise | a, b, [item,] winner |
| reported | agent, n, mean [, se, sd, ci_low, ci_high] |

`read_table` refuses a table that scores the same thing twice; `parse_table` leaves that to its caller. Numbers
that somebody reported keep their text, because how many digits were printed is part of what was said. Columns are
named (`--columns agent=model,value=score`) or have a usual name; `notes` says which were taken by their usual name and
which are left out. Files are read row by row; only what is kept is held.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from gnomon.errors import InvalidInput
from gnomon.interop.columns import TEXTS, ColumnNames, refuse_missing
from gnomon.interop.rows import BadLines, Cells, TableFile, open_table, short
from gnomon.model.nearest import nearest
from gnomon.shorten import list_some

MISSING = frozenset({"", "na", "n/a", "null", "none"})
SYNONYMS: dict[str, tuple[str, ...]] = {
    "agent": ("agent", "agent_id", "agent_name", "model", "model_name", "system", "experiment", "experiment_name",
              "run_name"),
    "item": ("item", "item_id", "task_id", "instance_id", "question_id", "example_id", "sample_id", "case_id", "id",
             "key", "task", "question", "problem"),
    "trial": ("trial", "trial_id", "run", "seed", "attempt", "epoch", "repeat", "repetition"),
    "value": ("value", "score", "reward", "success", "passed", "correct", "is_correct", "resolved"),
    "scorer": ("scorer", "scorer_name", "metric"),
    "a": ("a", "agent_a", "model_a", "system_a"),
    "b": ("b", "agent_b", "model_b", "system_b"),
    "winner": ("winner", "preferred", "preference"),
    "n": ("n", "count", "n_items", "num_items"),
    "mean": ("mean", "average", "avg", "mean_score", "accuracy", "pass_rate"),
    "se": ("se", "sem", "stderr", "standard_error"),
    "sd": ("sd", "std", "stdev", "standard_deviation"),
    "ci_low": ("ci_low", "ci_lower", "lower"),
    "ci_high": ("ci_high", "ci_upper", "upper"),
}  # fmt: skip
_TEXT_SYNONYMS: dict[str, tuple[str, ...]] = {**TEXTS, "label": ("label",), "state": ("state",), "reason": ("reason",)}
FIELDS = (*SYNONYMS, *_TEXT_SYNONYMS)
"""What `--columns` may name."""
_ONE_ONLY = ("agent", "trial", "value")
"""Where several usual names are there, it is ambiguous which is meant. Of items, the more specific name is taken."""
SPREADS = ("se", "sd", "ci_low", "ci_high")
_TRIAL_COLUMN = re.compile(r"(?:trial|run|seed|attempt|epoch)[ _-]?(\d+)")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d\d?)?\s*%?", re.IGNORECASE)
_A_WINS, _B_WINS = {"a", "agent_a", "model_a", "system_a"}, {"b", "agent_b", "model_b", "system_b"}
_TIES = {"tie", "draw", "equal", "tie (bothbad)"}
_LONGEST_NUMBER = 40
_SHOWN = 5

Winner = Literal["a", "b", "tie"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LongTable:
    """One score per row, as columns of the same length. A value of None is missing."""

    agents: list[str]
    items: list[str]
    trials: list[str]
    """As named in the file; where it names none, "1", "2", … in order of appearance per agent and item."""
    values: list[float | None]
    lines: list[int]
    """Where each came from; in a wide table several come from one line."""
    source: str
    unit: str = "line"
    """What `lines` counts: lines of a text file, or rows."""
    notes: tuple[str, ...] = ()
    scorers: list[str] = field(default_factory=list)
    """Whose score each is, where a column says so."""
    value_name: str = "score"
    """What the file calls the column of scores."""
    texts: dict[str, list[Any]] = field(default_factory=dict)
    """Inputs, outputs, errors and reasons, where they were asked for and the file has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """One judgement per row: which of two agents was better."""

    a: list[str]
    b: list[str]
    items: list[str | None]
    winners: list[Winner]
    lines: list[int]
    source: str
    unit: str = "line"
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedRow:
    """Reported figures of one agent. Numbers are kept as written: well formed, but not yet checked."""

    agent: str
    n: int
    mean: str
    se: str | None = None
    sd: str | None = None
    ci_low: str | None = None
    ci_high: str | None = None
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    rows: list[ReportedRow]
    source: str
    unit: str = "line"
    notes: tuple[str, ...] = ()


ResultTable = LongTable | Preferences | Reported


def read_table(
    path: Path,
    agent: str | None = None,
    columns: ColumnNames | None = None,
    *,
    with_texts: bool = False,
    skip_bad_lines: bool = False,
) -> ResultTable:
    """The table in a file. `agent` names whose results they are, where no column does; `columns` which column is what.

    With `with_texts` a table may have the scores of several scorers, and inputs and outputs are read too.
    """
    table = parse_table(path, agent, columns, with_texts=with_texts, skip_bad_lines=skip_bad_lines)
    if isinstance(table, LongTable):
        if not with_texts:
            _refuse_scorers(table)
        _refuse_duplicates(table)
    return table


def parse_table(
    path: Path,
    agent: str | None = None,
    columns: ColumnNames | None = None,
    *,
    with_texts: bool = False,
    skip_bad_lines: bool = False,
) -> ResultTable:
    """The same, but with rows that score one trial twice still in it."""
    bad_lines = BadLines(path, skip_bad_lines)
    try:
        file = open_table(path, bad_lines)
        named, notes = _named_columns(file, columns or {}, with_texts=with_texts)
        table = _SHAPES[_shape(file, named)](file, named, agent, notes)
        if isinstance(table, LongTable) and with_texts:
            table.texts.update(_texts(file, named, table.lines))
    except OSError as bad:
        raise InvalidInput(f"{path}: {bad.strerror or bad}; name a file that can be read") from None
    if not (table.rows if isinstance(table, Reported) else table.lines):
        raise InvalidInput(f"{path.name} has columns but no row; there is nothing to read in it")
    return replace(table, notes=(*table.notes, bad_lines.note)) if bad_lines.note else table


def _texts(file: TableFile, named: dict[str, str], lines: Sequence[int]) -> dict[str, list[Any]]:
    """Meaning → its cell in the line that each score came from."""
    meanings = [meaning for meaning in _TEXT_SYNONYMS if meaning in named]
    if not meanings:
        return {}
    by_line = dict(file.rows([named[meaning] for meaning in meanings]))
    return {meaning: [by_line[line][at] for line in lines] for at, meaning in enumerate(meanings)}


def duplicates(table: LongTable) -> dict[tuple[str, str, str], list[int]]:
    """(agent, item, trial) → the lines that score it, where there are several."""
    scorers = table.scorers or [""] * len(table.lines)
    keys = list(zip(table.agents, table.items, table.trials, scorers, strict=True))
    if len(set(keys)) == len(keys):
        return {}
    lines_of: dict[tuple[str, str, str, str], list[int]] = {}
    for key, line in zip(keys, table.lines, strict=True):
        lines_of.setdefault(key, []).append(line)
    return {key[:3]: lines for key, lines in lines_of.items() if len(lines) > 1}


def _refuse_scorers(table: LongTable) -> None:
    names = sorted(set(table.scorers))
    if len(names) > 1:
        words = f"{table.source} has scores of {list_some(names, _SHOWN)}"
        raise InvalidInput(f"{words}; keep the rows of one scorer, since means over several say nothing")


def _refuse_duplicates(table: LongTable) -> None:
    for (agent, item, trial), lines in duplicates(table).items():
        where = f"{table.unit}s {lines[0]} and {lines[1]}"
        message = f"{table.source}, {where} both score agent {agent!r}, item {item!r}, trial {trial!r}"
        raise InvalidInput(f"{message}; keep one, or number the trials apart")


def _named_columns(
    file: TableFile, columns: ColumnNames, *, with_texts: bool = False
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Meaning → the file's own name of the column, and notes on what was guessed and what is not used."""
    lowered: dict[str, str] = {}
    for column in file.columns:
        plain = column.strip().lower()
        if plain in lowered:
            raise InvalidInput(f"{file.path.name} names the column {column.strip()!r} twice; give them different names")
        lowered[plain] = column
    by_name = {column.strip(): column for column in file.columns}
    refuse_missing(file.path.name, columns, by_name)
    named = {meaning: by_name[column] for meaning, column in columns.items()}
    guessed: dict[str, str] = {}
    for meaning, names in (SYNONYMS | _TEXT_SYNONYMS if with_texts else SYNONYMS).items():
        taken = {*named.values(), *(guessed.values() if meaning in _TEXT_SYNONYMS else ())}
        candidates = [name for name in names if name in lowered and lowered[name] not in taken]
        if meaning not in named and candidates:
            guessed[meaning] = _usual(file, meaning, candidates, lowered)
    for plain, column in lowered.items():
        if (match := _TRIAL_COLUMN.fullmatch(plain)) and column not in named.values():
            guessed[f"trial {int(match[1])}"] = column
    named |= guessed
    unused = [column for column in file.columns if column not in named.values()]
    return named, (*_guesses(guessed), *((f"columns not used: {', '.join(unused)}",) if unused else ()))


def _usual(file: TableFile, meaning: str, candidates: Sequence[str], lowered: dict[str, str]) -> str:
    """The column with the meaning's own name, else the one with a usual name."""
    if meaning in _ONE_ONLY and len(candidates) > 1 and candidates[0] != meaning:
        columns = " and ".join(lowered[name].strip() for name in candidates)
        remedy = f"say which one is the {meaning}, as in --columns {meaning}={lowered[candidates[0]].strip()}"
        raise InvalidInput.of("columns", f"{file.path.name} has the columns {columns}; {remedy}")
    return lowered[candidates[0]]


def _guesses(guessed: dict[str, str]) -> tuple[str, ...]:
    """What was taken by a usual name, where that is not the meaning's own."""
    other = [
        f"{meaning}={column.strip()}"
        for meaning, column in guessed.items()
        if meaning in SYNONYMS and column.strip().lower() != meaning
    ]
    return (f"columns taken by their usual names: {', '.join(other)}",) if other else ()


def _shape(file: TableFile, named: dict[str, str]) -> str:
    if named.keys() >= {"a", "b", "winner"}:
        return "pairwise"
    if named.keys() >= {"agent", "n", "mean"}:
        return "reported"
    if named.keys() >= {"item", "value"}:
        return "long"
    if "item" in named and _trials(named):
        return "wide"
    listed_columns = ", ".join(column.strip() for column in file.columns[:30])
    if len(file.columns) == 1 and "|" in listed_columns:
        raise InvalidInput(f"{file.path.name} has one column, {listed_columns!r}; separate columns by commas, not by |")
    raise InvalidInput.of("columns", f"{file.path.name} has the columns {listed_columns}; {_remedy(file, named)}")


def _remedy(file: TableFile, named: dict[str, str]) -> str:
    """The column that was probably meant, where one is missing; else the shapes that there are."""
    free = [column.strip() for column in file.columns if column not in named.values()]
    missing = [meaning for meaning in ("item", "value") if meaning not in named]
    near = {meaning: _nearest_to_any(SYNONYMS[meaning], free) for meaning in missing}
    if near and all(near.values()) and len({*near.values()}) == len(near):
        guess = ",".join(f"{meaning}={column}" for meaning, column in near.items())
        return f"did you mean --columns {guess}?"
    shapes = "agent,item,trial,value or item,trial1,trial2 or a,b,item,winner or agent,n,mean"
    example = ",".join(f"{meaning}={near[meaning] or 'NAME'}" for meaning in missing) or "item=NAME"
    return f"name them {shapes}, or say which is which: --columns {example}"


def _nearest_to_any(names: Sequence[str], columns: Sequence[str]) -> str | None:
    lowered = {column.lower(): column for column in columns}
    close = (nearest(name, lowered) for name in names)
    return next((lowered[column] for column in close if column is not None), None)


def _trials(named: dict[str, str]) -> dict[str, str]:
    """Trial → its column, of a wide table."""
    return {meaning.partition(" ")[2]: named[meaning] for meaning in named if meaning.startswith("trial ")}


# The four shapes


def _long(file: TableFile, named: dict[str, str], agent: str | None, notes: tuple[str, ...]) -> LongTable:
    whose, names = _agent_of(file, named, agent), _Names(file)
    numbers = _Numbers(file, named["value"])
    table = _empty(file, notes, named["value"].strip())
    appeared: dict[tuple[str, str, str], int] = {}
    for line, (agent_cell, item, trial, value, scorer) in _cells(
        file, named, ("agent", "item", "trial", "value", "scorer")
    ):
        agent_name = names.name(line, "agent", agent_cell) if whose is None else whose
        item_name = names.name(line, "item", item)
        by = ""
        if "scorer" in named:
            by = names.name(line, "scorer", scorer)
            table.scorers.append(by)
        if "trial" in named:
            which = names.name(line, "trial", trial)
        else:
            appeared[agent_name, item_name, by] = count = appeared.get((agent_name, item_name, by), 0) + 1
            which = str(count)
        table.agents.append(agent_name)
        table.items.append(item_name)
        table.trials.append(which)
        table.values.append(numbers.value(line, value))
        table.lines.append(line)
    return table


def _wide(file: TableFile, named: dict[str, str], agent: str | None, notes: tuple[str, ...]) -> LongTable:
    whose, names, trials = _agent_of(file, named, agent), _Names(file), _trials(named)
    numbers = [(trial, _Numbers(file, column)) for trial, column in trials.items()]
    table = _empty(file, notes)
    wanted = ("agent", "item", *(f"trial {trial}" for trial in trials))
    for line, (agent_cell, item, *values) in _cells(file, named, wanted):
        agent_name = names.name(line, "agent", agent_cell) if whose is None else whose
        item_name = names.name(line, "item", item)
        for (trial, number), value in zip(numbers, values, strict=True):
            table.agents.append(agent_name)
            table.items.append(item_name)
            table.trials.append(trial)
            table.values.append(number.value(line, value))
            table.lines.append(line)
    return table


def _empty(file: TableFile, notes: tuple[str, ...], value_name: str = "score") -> LongTable:
    fields: dict[str, Any] = {"source": file.path.name, "unit": file.unit, "notes": notes, "value_name": value_name}
    return LongTable(agents=[], items=[], trials=[], values=[], lines=[], **fields)


def _pairwise(file: TableFile, named: dict[str, str], agent: str | None, notes: tuple[str, ...]) -> Preferences:
    _refuse_agent(file, agent)
    games: list[tuple[str, str, str | None, Winner, int]] = []
    undecided: list[int] = []
    names = _Names(file)
    for line, (a, b, item, winner) in _cells(file, named, ("a", "b", "item", "winner")):
        left, right = names.name(line, "a", a), names.name(line, "b", b)
        if left == right:
            raise file.wrong(line, f"a and b are both {left!r}; a preference needs two agents")
        if _is_missing(winner):
            undecided.append(line)
            continue
        item_name = None if _is_missing(item) else names.name(line, "item", item)
        games.append((left, right, item_name, _winner(file, line, left, right, winner), line))
    if undecided:
        notes = (*notes, f"no winner, left out: {file.unit} {list_some(undecided, _SHOWN)}")
    columns = [list(column) for column in zip(*games, strict=True)] or [[], [], [], [], []]
    a_names, b_names, items, winners, lines = columns
    return Preferences(
        a=a_names, b=b_names, items=items, winners=winners, lines=lines,
        source=file.path.name, unit=file.unit, notes=notes,
    )  # fmt: skip


def _winner(file: TableFile, line: int, a: str, b: str, value: Any) -> Winner:
    """Names come first: an agent may be called "b"."""
    text = str(value).strip()
    if text in (a, b):
        return "a" if text == a else "b"
    plain = text.lower()
    if plain in _TIES:
        return "tie"
    if plain in _A_WINS or plain in _B_WINS:
        return "a" if plain in _A_WINS else "b"
    raise file.wrong(line, f"winner {short(value)} is neither {a!r} nor {b!r}; write one of them, a, b or tie")


def _reported(file: TableFile, named: dict[str, str], agent: str | None, notes: tuple[str, ...]) -> Reported:
    _refuse_agent(file, agent)
    rows, names = [], _Names(file)
    for line, (agent_cell, n, mean, *spreads) in _cells(file, named, ("agent", "n", "mean", *SPREADS)):
        texts = {name: _number_text(file, line, name, cell) for name, cell in zip(SPREADS, spreads, strict=True)}
        mean_text = _number_text(file, line, "mean", mean)
        if mean_text is None:
            raise file.wrong(line, "mean is missing; leave the row out, or ask for the mean")
        rows.append(
            ReportedRow(
                agent=names.name(line, "agent", agent_cell), n=_whole(file, line, n), mean=mean_text, line=line, **texts
            )
        )
    return Reported(rows=rows, source=file.path.name, unit=file.unit, notes=notes)


_SHAPES: dict[str, Callable[[TableFile, dict[str, str], str | None, tuple[str, ...]], ResultTable]]
_SHAPES = {"long": _long, "wide": _wide, "pairwise": _pairwise, "reported": _reported}


def _cells(file: TableFile, named: dict[str, str], wanted: Sequence[str]) -> Iterator[tuple[int, Cells]]:
    """The wanted cells of every row, None where the file has no such column."""
    named_columns = [named[meaning] for meaning in wanted if meaning in named]
    if len(named_columns) == len(wanted):
        yield from file.rows(named_columns)
        return
    columns = [named_columns.index(named[meaning]) if meaning in named else -1 for meaning in wanted]
    for line, cells in file.rows(named_columns):
        yield line, [None if column < 0 else cells[column] for column in columns]


def _agent_of(file: TableFile, named: dict[str, str], agent: str | None) -> str | None:
    """The one agent of all rows, or None when a column names it."""
    if "agent" not in named:
        return agent or file.path.stem
    if agent is not None:
        message = f"{file.path.name} names its agents in the column {named['agent'].strip()!r}"
        raise InvalidInput(f"{message}; --agent {agent!r} is for tables that name none")
    return None


def _refuse_agent(file: TableFile, agent: str | None) -> None:
    if agent is not None:
        raise InvalidInput(f"{file.path.name} names its agents itself; --agent {agent!r} is for tables that name none")


# What a cell may hold


class _Names:
    """Agents, items and trials: text, or whole numbers as text. Each is kept once, however often it occurs."""

    def __init__(self, file: TableFile) -> None:
        self._file = file
        self._known: dict[str, str] = {}

    def name(self, line: int, field: str, cell: Any) -> str:
        if isinstance(cell, str):
            kept = self._known.get(cell)
            if kept is not None:
                return kept
            text = cell.strip()
        elif isinstance(cell, float) and cell.is_integer():
            text = str(int(cell))
        elif cell is None or (isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)):
            text = "" if cell is None or cell != cell else str(cell)
        else:
            raise self._file.wrong(line, f"{field} is {short(cell)}; a name is text or a number")
        if not text:
            raise self._file.wrong(line, f"{field} is empty; give every row its {field}")
        if isinstance(cell, str):
            self._known[cell] = text
        return self._known.setdefault(text, text)


class _Numbers:
    """Scores of one column: numbers in [0, 1], true and false, or nothing."""

    def __init__(self, file: TableFile, column: str) -> None:
        self._file, self._column = file, column.strip()
        self._known: dict[str, float | None] = {}

    def value(self, line: int, cell: Any) -> float | None:
        if not isinstance(cell, str):
            return self._read(line, cell)
        if cell not in self._known:
            self._known[cell] = self._read(line, cell)
        return self._known[cell]

    def _read(self, line: int, cell: Any) -> float | None:
        if _is_missing(cell):
            return None
        plain = cell.strip().lower() if isinstance(cell, str) else cell
        if plain in ("true", "false"):
            return float(plain == "true")
        try:
            number = float(plain)
        except (TypeError, ValueError):
            words = "is not a number; write 0 to 1, true, false, or nothing where it is missing"
            raise self._wrong(line, cell, words) from None
        except OverflowError:  # a whole number too long for a float
            number = math.inf
        if not math.isfinite(number):
            raise self._wrong(line, cell, "is not a finite number; leave the cell empty where there is no score")
        if not 0 <= number <= 1:
            raise self._wrong(line, cell, "is outside [0, 1]; divide by your scale first")
        return number

    def _wrong(self, line: int, cell: Any, problem: str) -> InvalidInput:
        return self._file.wrong(line, f"{self._column} {short(cell)} {problem}")


def _is_missing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and cell.strip().lower() in MISSING)


def _number_text(file: TableFile, line: int, field: str, cell: Any) -> str | None:
    """A number as it was written. None when it is missing."""
    if _is_missing(cell):
        return None
    text = str(cell).strip()
    if isinstance(cell, bool) or len(text) > _LONGEST_NUMBER or not _NUMBER.fullmatch(text):
        raise file.wrong(line, f"{field} {short(cell)} is not a finite number; write it like 0.85")
    return text


def _whole(file: TableFile, line: int, cell: Any) -> int:
    text = _number_text(file, line, "n", cell)
    if text is None:
        raise file.wrong(line, "n is missing; ask how many were scored")
    count = Decimal(0) if text.endswith("%") else Decimal(text)
    if count < 1 or count > 10**15 or count != int(count):
        raise file.wrong(line, f"n {short(cell)} is not a whole number from 1 up; write how many were scored")
    return int(count)
