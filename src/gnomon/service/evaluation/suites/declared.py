"""`Eval`: what one evaluation is made of, with its gates. A YAML suite becomes one; in Python files it is written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gnomon.errors import InvalidInput
from gnomon.interop.rows import short
from gnomon.model.fields import NAME_LIMIT
from gnomon.model.gates import parse_gate


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalSource:
    """Where an evaluation was declared: files are looked for in this folder."""

    path: Path | None = None
    folder: Path = field(default_factory=Path.cwd)

    def __str__(self) -> str:
        return "this program" if self.path is None else str(self.path)


@dataclass(frozen=True, slots=True)
class Eval:
    """An evaluation that `gnomon eval FILE.py` runs: write it at the top level of a Python file.

    Arguments are those of `gn.evaluate`; besides, `gates` are checked afterwards, and `against` is an experiment (a
    name, an id, or `git:main` for the one recorded at that branch) with which every scorer is compared. `columns` says
    which column of the data is which, as in `{"input": "question"}`. Without a name it is called as the variable that
    holds it.

    >>> capitals = gn.Eval(
    ...     "capitals",
    ...     task={"France": "Paris", "Italy": "Rome"}.get,
    ...     data=[{"input": "France", "expected_output": "Paris"}, {"input": "Italy", "expected_output": "Rome"}],
    ...     scorers=[gn.exact_match()],
    ...     gates=["exact_match.point >= 0.8"],
    ... )
    >>> capitals.name, capitals.gates
    ('capitals', ('exact_match.point >= 0.8',))
    """

    name: str | None = None
    task: Any = field(kw_only=True)
    data: Any = field(kw_only=True)
    scorers: Sequence[Any] = field(default=(), kw_only=True)
    dataset: str | None = field(default=None, kw_only=True)
    columns: Mapping[str, str] | None = field(default=None, kw_only=True)
    trials: int = field(default=1, kw_only=True)
    concurrency: int = field(default=16, kw_only=True)
    timeout: float | None = field(default=None, kw_only=True)
    gates: Sequence[str] = field(default=(), kw_only=True)
    against: str | None = field(default=None, kw_only=True)
    cache: bool = field(default=False, kw_only=True)
    version: str | None = field(default=None, kw_only=True)
    experiment_scorers: Sequence[Callable[[list[Any]], Any]] = field(default=(), kw_only=True)
    metadata: Mapping[str, Any] | None = field(default=None, kw_only=True)
    source: EvalSource = field(default_factory=EvalSource, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        name: Any = self.name
        if name is not None and (not isinstance(name, str) or not name.strip() or len(name) > NAME_LIMIT):
            words = f"name is {short(name)}; give 1 to {NAME_LIMIT} characters that are not all blank"
            raise InvalidInput.of("name", words)
        if isinstance(self.gates, str) or not all(isinstance(gate, str) for gate in self.gates):
            raise InvalidInput.of("gates", f"gates is {short(self.gates)}; give a list, as in ['exact_match >= 0.8']")
        for gate in self.gates:
            parse_gate(gate)
        object.__setattr__(self, "gates", tuple(self.gates))

    def changed(self, *, source: EvalSource | None = None, **fields: Any) -> "Eval":
        """The same evaluation with other fields, or declared elsewhere."""
        other = replace(self, **fields)
        object.__setattr__(other, "source", source or self.source)
        return other

    @property
    def experiment_name(self) -> str:
        """What its experiments are called."""
        return self.name or "eval"
