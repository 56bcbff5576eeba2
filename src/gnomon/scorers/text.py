"""Rules that look at an output as text.

Comparing is by code points: no Unicode normalisation anywhere. Insensitive to case means
`str.casefold`, stripped means `str.strip`. Patterns are RE2's and only RE2 runs them, so that
no pattern and no output can make scoring take more than linear time. What is linear in one size is still a product
of two (pattern × output, values × output, text × text), so scorers say what they are about to spend: see cost.py.
"""

import re
import string
from collections import Counter
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal

import re2
from pydantic import Field, field_validator, model_validator

from gnomon.scorers.cost import rounded, spend
from gnomon.scorers.protocol import Comparison, RuleScorer, UnmeasurableError, Values, WrongKeyError, text
from gnomon.shorten import shorten

LONGEST_PATTERN = 32_768
_PATTERN_MEMORY = 2 << 20  # bytes for one compiled pattern; up to 128 of them stay cached
_BACKTRACKING = {
    **dict.fromkeys(("(?=", "(?!", "(?<=", "(?<!"), "look-around"),
    **dict.fromkeys(("(?P=", r"\k", r"\g", *(rf"\{digit}" for digit in range(1, 10))), "back-reference"),
    "(?>": "atomic group",
    "(?(": "conditional",
}
"""What RE2 says it met, and what people call it."""

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


class ExactMatch(Comparison):
    """1.0 when output and expected output are the same text, else 0.0.

    Each side becomes text by itself: a string stays as it is, any other value is its canonical JSON. So an object
    equals an object with the same content, and a string only when that spells the object's canonical JSON.
    """

    name: Literal["exact_match"] = "exact_match"
    case_sensitive: bool = True
    strip_whitespace: bool = True

    def _value(self, output: Any, expected: Any) -> float:
        return float(self._fold(text(output)) == self._fold(text(expected)))

    def _fold(self, value: str) -> str:
        if self.strip_whitespace:
            value = value.strip()
        return value if self.case_sensitive else value.casefold()


class Contains(Comparison):
    """1.0 when the expected text occurs in the output, else 0.0. An empty text occurs in every output."""

    name: Literal["contains"] = "contains"
    case_sensitive: bool = True

    def _value(self, output: Any, expected: Any) -> float:
        return float(folded(expected, self.case_sensitive) in folded(output, self.case_sensitive))


class Regex(RuleScorer):
    """1.0 when the pattern matches anywhere in the output, else 0.0."""

    name: Literal["regex"] = "regex"
    pattern: Annotated[str, Field(max_length=LONGEST_PATTERN)]
    flags: str = ""

    @field_validator("flags")
    @classmethod
    def _known_flags(cls, flags: str) -> str:
        if unknown := sorted(set(flags) - set("ims")):
            raise ValueError(f"{''.join(unknown)!r} is not a flag; use any of i, m and s, in lower case")
        return "".join(sorted(set(flags)))

    @model_validator(mode="after")
    def _compiles(self) -> "Regex":
        try:
            compiled(self.full_pattern)
        except re2.error as bad:  # not a ValueError: pydantic would let it escape
            raise WrongKeyError("pattern", _refusal(self.pattern, bad)) from None
        return self

    @property
    def full_pattern(self) -> str:
        """The pattern with its flags inside, as RE2 and Arrow both take it."""
        return f"(?{self.flags}){self.pattern}" if self.flags else self.pattern

    def _value(self, output: Any, expected: Any) -> float:
        try:
            encoded = text(output).encode()
        except UnicodeEncodeError:
            raise UnmeasurableError("the output holds a lone surrogate, which is not text") from None
        return float(occurs(self.full_pattern, encoded))


class OneOf(RuleScorer):
    """1.0 when the output, without surrounding whitespace, is one of the values."""

    name: Literal["one_of"] = "one_of"
    values: Values
    case_sensitive: bool = True

    def _value(self, output: Any, expected: Any) -> float:
        return float(folded(output, self.case_sensitive).strip() in self.accepted)

    @cached_property
    def accepted(self) -> frozenset[str]:
        return frozenset(value.strip() for value in folded_values(self))


class ContainsAll(RuleScorer):
    """1.0 when every one of the values occurs in the output, else 0.0."""

    name: Literal["contains_all"] = "contains_all"
    values: Values
    case_sensitive: bool = True

    def _value(self, output: Any, expected: Any) -> float:
        inside = _searched(self, output)
        return float(all(value in inside for value in folded_values(self)))


class ContainsAny(RuleScorer):
    """1.0 when at least one of the values occurs in the output, else 0.0."""

    name: Literal["contains_any"] = "contains_any"
    values: Values
    case_sensitive: bool = True

    def _value(self, output: Any, expected: Any) -> float:
        inside = _searched(self, output)
        return float(any(value in inside for value in folded_values(self)))


class Similarity(Comparison):
    """1 minus the edit distance (Levenshtein) over the length of the longer text."""

    name: Literal["similarity"] = "similarity"
    case_sensitive: bool = True

    def _value(self, output: Any, expected: Any) -> float:
        from rapidfuzz.distance import Levenshtein

        left, right = folded(output, self.case_sensitive), folded(expected, self.case_sensitive)
        # The library compares 64 characters with one at a time, and lets no other thread run meanwhile.
        sizes = f"{rounded(len(left))} × {rounded(len(right))} characters"
        spend(len(left) * len(right) // 64, sizes, unbroken=True)
        return Levenshtein.normalized_similarity(left, right)


class F1(Comparison):
    """Overlap of words as SQuAD measures it: the harmonic mean of precision and recall.

    Articles do not count. When either side has no words left, the score says whether both have none.
    """

    name: Literal["f1"] = "f1"
    lowercase: bool = True
    strip_punctuation: bool = True

    def _value(self, output: Any, expected: Any) -> float:
        output_words, expected_words = self._words(text(output)), self._words(text(expected))
        if not output_words or not expected_words:
            return float(output_words == expected_words)
        shared = (Counter(output_words) & Counter(expected_words)).total()
        return 2 * shared / (len(output_words) + len(expected_words))

    def _words(self, value: str) -> list[str]:
        spend(len(value) * 4, f"{rounded(len(value))} characters", unbroken=True)
        if self.lowercase:
            value = value.lower()
        if self.strip_punctuation:
            value = value.translate(_WITHOUT_PUNCTUATION)
        return _ARTICLES.sub(" ", value).split()


def folded(value: Any, case_sensitive: bool) -> str:
    return text(value) if case_sensitive else text(value).casefold()


def folded_values(scorer: OneOf | ContainsAll | ContainsAny) -> list[str]:
    return [folded(value, scorer.case_sensitive) for value in scorer.values]


def _searched(scorer: ContainsAll | ContainsAny, output: Any) -> str:
    inside, values = folded(output, scorer.case_sensitive), len(scorer.values)
    spend(len(inside) * values, f"{values:,} values in {rounded(len(inside))} characters")
    return inside


def occurs(pattern: str, subject: bytes) -> bool:
    """Whether the pattern matches anywhere. At worst RE2 takes every instruction of the pattern at every byte."""
    program = _compiled(pattern)
    sizes = f"a pattern of {rounded(program.programsize)} instructions on {rounded(len(subject))} bytes"
    spend(program.programsize * len(subject) // 2, sizes)
    return program.search(subject) is not None


def compiled(pattern: str) -> Any:
    program = _compiled(pattern)
    spend(50 * program.programsize, f"a pattern of {rounded(program.programsize)} instructions")
    return program


@lru_cache(maxsize=128)
def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = _PATTERN_MEMORY
    return re2.compile(pattern, options)


def _refusal(pattern: str, bad: Exception) -> str:
    shown = shorten(pattern, 200)
    message = bad.args[0].decode(errors="replace")
    rule, _, culprit = message.partition(": ")
    if rule in ("invalid perl operator", "invalid escape sequence"):
        if culprit == "(?P" and "(?P=" in pattern:
            culprit = "(?P="
        for sign, feature in _BACKTRACKING.items():
            if culprit.startswith(sign):
                return (
                    f"the pattern {shown!r} needs backtracking for its {feature} {culprit}, "
                    "which RE2 leaves out so that scoring takes linear time; write it without"
                )
    if rule.startswith("pattern too large"):
        return f"the pattern {shown!r} is too large once its repetitions are unrolled; make it shorter"
    return f"the pattern {shown!r} is not a regular expression in RE2's dialect: {message}"
