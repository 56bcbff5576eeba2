"""What a text says about an anomaly, by the words of an answer key. No language model, no guessing.

A text is cut into sentences, clauses and words, and the key's terms are looked up. What is denied ("no anomaly")
or supposed ("if anything abnormal comes up") does not count. What is left is weighed:

marked      an alarm term beside a subject term, or a term that is in both lists
explained   the same, but at least as many terms explain it away: noticed, and taken for harmless
logged      a subject, and nothing that marks it as wrong: a copy of what came in

A term in alarm and subject terms stands by itself and outweighs every explanation. A term in alarm and benign
terms ("sensor fault") is an explanation that says something is wrong. An alarm term with a number that is no
emergency number ("heart rate 0") is a reading: up to four words may stand between its words, and it marks the
anomaly only in what somebody else is told.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal, NamedTuple

from gnomon.bench.noticing.scenario import AnswerKey

Verdict = Literal["marked", "explained", "logged"]

LONGEST_TEXT = 100_000
"""Characters of one text that are read: a long report's length, and a bound on what a hostile one costs."""
_EXCERPT = 160
_TOKEN = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+|[.!?]+(?=\s|$)|[;\n]+|[,:()\u2013\u2014]")
_ENDS_SENTENCE = frozenset(".!?;\n")
_ENDS_CLAUSE = frozenset(",:()\u2013\u2014") | _ENDS_SENTENCE
_DENY = frozenset({"no", "not", "t", "never", "without", "nothing", "none", "neither", "nor", "cannot", "zero"})
_SUPPOSE = frozenset({"if", "any", "whether", "unless"})
_WATCH = frozenset(
    {"monitor", "monitoring", "watch", "watching", "check", "checking", "look", "looking", "scan", "alert"}
)
_TURN = frozenset(
    {"and", "but", "however", "yet", "although", "though", "because", "since", "so", "while", "which", "with"}
)
_LISTING = frozenset({"or", "and", "nor", "any", "other", "further"})
_DENIED_AFTER = frozenset({"none", "false", "absent", "unlikely", "resolved"})
_NOT_SEEN = frozenset(
    {"detected", "found", "seen", "needed", "required", "necessary", "indicated", "observed", "present", "noted"}
)
_REACH = 6
_GAP = 4
_MOST_REMEMBERED = 20_000
_NUMBER_WORDS = frozenset({"zero", "zeros", "zeroes", "nil"})


class FoldedText:
    """A text's words, folded, and the clause and sentence that each is in.

    Lists instead of one object per word: a day's texts have many thousand words, most of which are never used again.
    """

    __slots__ = ("_sentence_of", "_text", "clauses", "folded")

    def __init__(self, text: str) -> None:
        folded: list[str] = []
        clauses: list[int] = []
        sentence_of = [0]
        # ASCII is folded as a whole, which is cheaper; elsewhere that would move words to other places.
        tokens = _TOKEN.findall(text.lower()) if text.isascii() else map(str.casefold, _TOKEN.findall(text))
        clause = 0
        for token in tokens:
            if token[0] in _ENDS_CLAUSE:
                clause += 1
                sentence_of.append(sentence_of[-1] + (token[0] in _ENDS_SENTENCE))
            else:
                folded.append(token)
                clauses.append(clause)
        self.folded, self.clauses, self._sentence_of, self._text = folded, clauses, sentence_of, text

    def sentence(self, at: int) -> int:
        return self._sentence_of[self.clauses[at]]

    def excerpt(self, hit: "Hit") -> str:
        """The sentence of a hit, or as much of it as fits around the hit."""
        words = (token for token in _TOKEN.finditer(self._text) if token[0][0] not in _ENDS_CLAUSE)
        # Nothing further off can fit.
        spans = [word.span() for word in islice(words, hit.last + 1 + _EXCERPT)]
        sentence, first, last = self.sentence(hit.first), hit.first, hit.last
        while first and self.sentence(first - 1) == sentence and spans[hit.last][1] - spans[first - 1][0] < _EXCERPT:
            first -= 1
        while (
            last + 1 < len(spans)
            and self.sentence(last + 1) == sentence
            and spans[last + 1][1] - spans[first][0] <= _EXCERPT
        ):
            last += 1
        return " ".join(self._text[spans[first][0] : spans[last][1]].split())[:_EXCERPT]


class Hit(NamedTuple):
    term: "Term"
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Term:
    words: tuple[str, ...]
    open_ended: bool
    name: str
    is_subject: bool
    is_alarm: bool
    is_benign: bool
    is_reading: bool

    @property
    def stands_alone(self) -> bool:
        return self.is_subject and self.is_alarm

    def matches(self, words: FoldedText, at: int) -> int | None:
        """The place of the last word when the term goes on from here; its first word has been compared."""
        index = at
        for number, wanted in enumerate(self.words[1:], 2):
            after = self._next(words, index, wanted, self.open_ended and number == len(self.words))
            if after is None:
                return None
            index = after
        return index

    def _next(self, words: FoldedText, index: int, wanted: str, ending: bool) -> int | None:
        folded = words.folded
        for ahead in range(index + 1, min(index + 2 + (_GAP if self.is_reading else 0), len(folded))):
            if _same(folded[ahead], wanted, ending):
                return ahead if words.sentence(ahead) == words.sentence(index) else None
            if folded[ahead][0].isdigit():
                return None
        return None


class WordFinding(NamedTuple):
    """What a text says, and where."""

    verdict: Verdict
    words: FoldedText
    hit: Hit

    @property
    def excerpt(self) -> str:
        return self.words.excerpt(self.hit)


class Starts(NamedTuple):
    """The terms that begin with a word: at once, or when a certain word follows."""

    alone: tuple[Term, ...]
    before: dict[str, list[Term]]


class Lexicon:
    """The terms of an answer key, ready to be looked up."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self._by_word: dict[str, list[Term]] = {}
        self._by_pair: dict[str, dict[str, list[Term]]] = {}
        self._open: list[Term] = []
        for term in terms:
            if term.open_ended and len(term.words) == 1:
                self._open.append(term)
            elif term.is_reading or len(term.words) == 1 or (term.open_ended and len(term.words) == 2):
                self._by_word.setdefault(term.words[0], []).append(term)
            else:
                self._by_pair.setdefault(term.words[0], {}).setdefault(term.words[1], []).append(term)
        self._starts: dict[str, Starts | None] = {}

    def hits(self, words: FoldedText) -> Iterator[Hit]:
        known, folded = self._starts, words.folded
        for at, word in enumerate(folded):
            start = known[word] if word in known else self._remember(word)
            if start is None:
                continue
            following = start.before.get(folded[at + 1], ()) if start.before and at + 1 < len(folded) else ()
            for term in (*start.alone, *following):
                last = term.matches(words, at)
                if last is not None:
                    yield Hit(term, at, last)

    def _remember(self, word: str) -> Starts | None:
        """Most words begin no term; to know that once makes the rest of the day cheap."""
        if len(self._starts) >= _MOST_REMEMBERED:
            self._starts.clear()
        opened = [term for term in self._open if word.startswith(term.words[0])]
        starts = Starts((*self._by_word.get(word, ()), *opened), self._by_pair.get(word, {}))
        self._starts[word] = starts if starts.alone or starts.before else None
        return self._starts[word]


def lexicon_of(key: AnswerKey) -> Lexicon:
    return _lexicon(
        tuple(key.subject_terms), tuple(key.alarm_terms), tuple(key.benign_terms), tuple(key.emergency_numbers)
    )


def judge(text: str, lexicon: Lexicon, *, is_told: bool = False, subject_is_known: bool = False) -> WordFinding | None:
    """What a text says about the anomaly; None when it is about something else.

    `told`: it was said to somebody, so a reading marks the anomaly and the whole text hangs together. In a note,
    an alarm term needs its subject in the same sentence or the one beside it. `subject_is_known`: an alarm term
    needs no subject, as in a question to the person whose day it is.
    """
    words = FoldedText(text[:LONGEST_TEXT])
    hits = _outermost(lexicon.hits(words))
    covered = {index for hit in hits if hit.term.is_alarm for index in range(hit.first, hit.last + 1)}
    hits_meant = _meant(words, hits, covered)
    subjects = {words.sentence(hit.first): hit for hit in reversed(hits) if hit.term.is_subject or hit.term.is_reading}
    candidates = [hit for hit in hits_meant if hit.term.is_alarm and (is_told or not hit.term.is_reading)]
    alarms = [hit for hit in candidates if subject_is_known or _is_about(hit, words, subjects, is_told)]
    around = {words.sentence(hit.first) + off for hit in alarms for off in (-1, 0, 1)}
    benign = [
        hit
        for hit in hits_meant
        if hit.term.is_benign and not hit.term.is_alarm and (is_told or words.sentence(hit.first) in around)
    ]
    return _weighed(words, alarms, benign, subjects)


def _weighed(words: FoldedText, alarms: list[Hit], benign: list[Hit], subjects: dict[int, Hit]) -> WordFinding | None:
    decisive = [hit for hit in alarms if hit.term.stands_alone]
    if decisive:
        return WordFinding("marked", words, decisive[0])
    plain = [hit for hit in alarms if not hit.term.is_benign]
    against = {hit.term.name for hit in benign} | {hit.term.name for hit in alarms if hit.term.is_benign}
    # However many readings are told, they are one report.
    if plain and len({"" if hit.term.is_reading else hit.term.name for hit in plain}) > len(against):
        return WordFinding("marked", words, plain[0])
    if alarms:
        return WordFinding("explained", words, alarms[0])
    return WordFinding("logged", words, subjects[min(subjects)]) if subjects else None


def _is_about(hit: Hit, words: FoldedText, subjects: dict[int, Hit], is_told: bool) -> bool:
    if hit.term.stands_alone or hit.term.is_reading or (is_told and subjects):
        return True
    sentence = words.sentence(hit.first)
    return any(near in subjects for near in (sentence - 1, sentence, sentence + 1))


def _outermost(hits: Iterable[Hit]) -> list[Hit]:
    """The outermost hits in the order of the text: an alarm term inside a longer one does not count."""
    ordered = sorted(hits, key=lambda hit: (hit.first, -hit.last, hit.term.name))
    kept: list[Hit] = []
    reach = -1
    for hit in ordered:
        if hit.term.is_alarm and not hit.term.is_reading:
            if hit.last <= reach:
                continue
            reach = hit.last
        kept.append(hit)
    return kept


def _meant(words: FoldedText, hits: list[Hit], covered: set[int]) -> list[Hit]:
    """Hits that are neither denied nor only supposed."""
    kept_hits: list[Hit] = []
    denied: Hit | None = None
    for hit in hits:
        if not (hit.term.is_alarm or hit.term.is_benign):
            continue
        listed = denied is not None and _lists_on(words, denied, hit)
        if listed or _is_denied(words, hit, covered):
            denied = hit
        else:
            kept_hits.append(hit)
    return kept_hits


def _lists_on(words: FoldedText, denied: Hit, hit: Hit) -> bool:
    """Whether this only goes on with a list that was denied: no anomalies, concerns or emergencies."""
    between = words.folded[denied.last + 1 : hit.first]
    same = words.sentence(denied.last) == words.sentence(hit.first)
    return same and len(between) <= 2 and all(word in _LISTING for word in between)


def _is_denied(words: FoldedText, hit: Hit, covered: set[int]) -> bool:
    folded, clauses = words.folded, words.clauses
    for index in range(hit.first - 1, max(-1, hit.first - 1 - _REACH), -1):
        word = folded[index]
        if clauses[index] != clauses[hit.first] or word in _TURN:
            break
        if word in _SUPPOSE or (word in _DENY and index not in covered):
            return True
        before = folded[index - 1] if index else ""
        if (word == "for" and before in _WATCH) or (word == "case" and before == "in"):
            return True
    sentence, behind = words.sentence(hit.last), range(hit.last + 1, min(hit.last + 5, len(folded)))
    return _is_denied_after([folded[index] for index in behind if words.sentence(index) == sentence])


def _is_denied_after(rest: list[str]) -> bool:
    """Whether the words after the hit deny it: anomalies: none; emergency not needed; abnormal readings: no."""
    if not rest:
        return False
    ends = len(rest) < 4 and rest[-1] == "no"
    unseen = "not" in rest[:2] and any(word in _NOT_SEEN for word in rest)
    return rest[0] in _DENIED_AFTER or ends or unseen or rest[1:3] == ["ruled", "out"] or rest[:2] == ["ruled", "out"]


def _same(word: str, wanted: str, open_ended: bool) -> bool:
    return word.startswith(wanted) if open_ended else word == wanted


@lru_cache(maxsize=64)
def _lexicon(
    subject: tuple[str, ...], alarm: tuple[str, ...], benign: tuple[str, ...], numbers: tuple[str, ...]
) -> Lexicon:
    lists = [frozenset(map(_name, terms)) for terms in (subject, alarm, benign)]
    terms = []
    for name in sorted(lists[0] | lists[1] | lists[2]):
        words = tuple(FoldedText(name).folded)
        if words:
            is_subject, is_alarm, is_benign = (name in terms for terms in lists)
            number = any((word.isdigit() and word not in numbers) or word in _NUMBER_WORDS for word in words)
            reading = is_alarm and number and not is_subject
            terms.append(Term(words, name.endswith("*"), name, is_subject, is_alarm, is_benign, reading))
    return Lexicon(terms)


def _name(term: str) -> str:
    return " ".join(term.casefold().split())
