"""Multiple choice: which of the offered labels an answer in prose settles on.

A model rarely answers with the bare letter, so the answer is read by rules, surest first. An
answer that settles on no label, or names several alike, is a wrong answer, not a missing one.
"""

import re
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from gnomon.scorers.cost import rounded, spend
from gnomon.scorers.protocol import Comparison, UnmeasurableError, WrongKeyError, shortened, text

_WRAPPING = " \t\r\n*_`\"'“”‘’()[]{}<>$\\"
_ENDING = ".,:;!"
_CLOSING = ").]}:,;*_`\"'"
_ANNOUNCED = re.compile(
    r"\b(?:answer|choice|option|choose|select|pick|boxed)\b"
    r"(?:\s+(?:is|was|be|would|should|must|the|final|correct|best|answer|option|choice|letter)\b)*\s*[:=]?",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"A (?!(?:and|or|is|was|because|since|as|seems|looks)\b)[a-z]")


class Choice(Comparison):
    """1.0 when the output settles on the expected choice, else 0.0."""

    name: Literal["choice"] = "choice"
    choices: list[str] = Field(default=["A", "B", "C", "D"], min_length=2)

    @field_validator("choices")
    @classmethod
    def _distinct(cls, choices: list[str]) -> list[str]:
        folded = [_bare(choice).casefold() for choice in choices]
        if not all(folded):
            raise ValueError("a choice must not be blank")
        if len(set(folded)) < len(folded):
            raise ValueError("two choices are the same when case is ignored; make them distinct")
        return choices

    @model_validator(mode="after")
    def _expects_a_choice(self) -> "Choice":
        if self.expected_output is not None and self._named(text(self.expected_output)) is None:
            named = ", ".join(self.choices)
            raise WrongKeyError("expected_output", f"{shortened(self.expected_output)} is none of the choices {named}")
        return self

    def _value(self, output: Any, expected: Any) -> float:
        expected_choice = self._named(text(expected))
        if expected_choice is None:
            raise UnmeasurableError("expected_output is none of the choices", shortened(expected))
        return float(self.settled_on(text(output)) == expected_choice)

    def settled_on(self, answer: str) -> str | None:
        """The choice an answer names: alone, announced, at the end, leading a line, or as the only one."""
        sizes = f"{rounded(len(answer))} characters and {len(self.choices):,} choices"
        spend(25 * len(answer) * len(self.choices), sizes)
        lines = answer.strip().splitlines()
        return (
            self._named(answer)
            or self._announced(answer)
            or (self._named(lines[-1]) if lines else None)
            or _only(self._leading(line) for line in lines)
            or _only(choice for choice in self.choices if _stands_alone(answer, choice))
        )

    def _named(self, label: str) -> str | None:
        bare = _bare(label).casefold()
        return next((choice for choice in self.choices if _bare(choice).casefold() == bare), None)

    def _announced(self, answer: str) -> str | None:
        choices = (self._at_start(answer[match.end() : match.end() + 200]) for match in _ANNOUNCED.finditer(answer))
        return next(iter([choice for choice in choices if choice][::-1]), None)

    def _at_start(self, rest: str) -> str | None:
        """The choice that `rest` begins with. In another case it must also end there: "a" is a word too."""
        rest = rest.lstrip(_WRAPPING)
        for choice in sorted(self.choices, key=len, reverse=True):
            after = rest[len(choice) :]
            ends = not after or after[0] in _CLOSING or after[0] == "\n"
            if rest.startswith(choice) and (ends or not _is_word(after[0])):
                return choice
            if ends and rest[: len(choice)].casefold() == choice.casefold():
                return choice
        return None

    def _leading(self, line: str) -> str | None:
        rest = line.lstrip(_WRAPPING)
        for choice in sorted(self.choices, key=len, reverse=True):
            after = rest[len(choice) :].rstrip()
            if rest[: len(choice)].casefold() == choice.casefold() and (not after or after[0] in _CLOSING):
                return choice
        return None


def _bare(label: str) -> str:
    return label.strip(_WRAPPING + _ENDING)


def _only(choices: Iterator[str | None]) -> str | None:
    distinct = {choice for choice in choices if choice}
    return distinct.pop() if len(distinct) == 1 else None


def _stands_alone(answer: str, choice: str) -> bool:
    start = answer.find(choice)
    while start >= 0:
        end = start + len(choice)
        inside_a_word = _is_word(answer[max(start - 1, 0) : start]) or _is_word(answer[end : end + 1])
        if not inside_a_word and not (choice == "A" and _ARTICLE.match(answer, start)):
            return True
        start = answer.find(choice, start + 1)
    return False


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
