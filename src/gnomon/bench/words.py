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
from typing import Literal, NamedTuple

from gnomon.model.scenario import AnswerKey

Verdict = Literal["marked", "explained", "logged"]

LONGEST_TEXT = 100_000
"""Characters of one text that are read: a long report's length, and a bound on what a hostile one costs."""
_EXCERPT = 160
_TOKEN = re.compile(r"(\d+(?:[.,]\d+)+|[^\W_]+)|([.!?]+(?=\s|$)|[;\n]+)|([,:()\u2013\u2014])")
_IS_WORD, _ENDS_SENTENCE = 1, 2
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


class Word(NamedTuple):
    text: str
    start: int
    end: int
    sentence: int
    clause: int


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

    def matches(self, words: list[Word], at: int) -> int | None:
        """The place of the last word when the term begins here."""
        if len(self.words) == 1:
            return at if _same(words[at].text, self.words[0], self.open_ended) else None
        place = at
        for number, wanted in enumerate(self.words):
            ending = self.open_ended and number == len(self.words) - 1
            if number:
                found = self._next(words, place, wanted, ending)
                if found is None:
                    return None
                place = found
            elif not _same(words[at].text, wanted, ending):
                return None
        return place

    def _next(self, words: list[Word], place: int, wanted: str, ending: bool) -> int | None:
        for ahead in range(place + 1, min(place + 2 + (_GAP if self.is_reading else 0), len(words))):
            word = words[ahead]
            if word.sentence != words[place].sentence:
                return None
            if _same(word.text, wanted, ending):
                return ahead
            if word.text[0].isdigit():
                return None
        return None


class Finding(NamedTuple):
    """What a text says, and where."""

    verdict: Verdict
    excerpt: str


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

    def hits(self, words: list[Word]) -> Iterator[Hit]:
        known = self._starts
        for at, word in enumerate(words):
            start = known[word.text] if word.text in known else self._remember(word.text)
            if start is None:
                continue
            following = start.before.get(words[at + 1].text, ()) if start.before and at + 1 < len(words) else ()
            for term in (*start.alone, *following):
                last = term.matches(words, at)
                if last is not None:
                    yield Hit(term, at, last)

    def _remember(self, word: str) -> Starts | None:
        """Most words begin no term; to know that once makes the rest of the day cheap."""
        if len(self._starts) >= _MOST_REMEMBERED:
            self._starts.clear()
        opened = [term for term in self._open if word.startswith(term.words[0])]
        found = Starts((*self._by_word.get(word, ()), *opened), self._by_pair.get(word, {}))
        self._starts[word] = found if found.alone or found.before else None
        return self._starts[word]


def lexicon_of(key: AnswerKey) -> Lexicon:
    return _lexicon(
        tuple(key.subject_terms), tuple(key.alarm_terms), tuple(key.benign_terms), tuple(key.emergency_numbers)
    )


def judge(text: str, lexicon: Lexicon, *, told: bool = False, subject_is_known: bool = False) -> Finding | None:
    """What a text says about the anomaly; None when it is about something else.

    `told`: it was said to somebody, so a reading marks the anomaly and the whole text hangs together. In a note,
    an alarm term needs its subject in the same sentence or the one beside it. `subject_is_known`: an alarm term
    needs no subject, as in a question to the person whose day it is.
    """
    words = _words(text[:LONGEST_TEXT])
    hits = _outermost(lexicon.hits(words))
    covered = {place for hit in hits if hit.term.is_alarm for place in range(hit.first, hit.last + 1)}
    meant = _meant(words, hits, covered)
    subjects = {words[hit.first].sentence: hit for hit in reversed(hits) if hit.term.is_subject or hit.term.is_reading}
    candidates = [hit for hit in meant if hit.term.is_alarm and (told or not hit.term.is_reading)]
    alarms = [hit for hit in candidates if subject_is_known or _is_about(hit, words, subjects, told)]
    around = {words[hit.first].sentence + off for hit in alarms for off in (-1, 0, 1)}
    benign = [
        hit
        for hit in meant
        if hit.term.is_benign and not hit.term.is_alarm and (told or words[hit.first].sentence in around)
    ]
    return _weighed(text, words, alarms, benign, subjects)


def _weighed(
    text: str, words: list[Word], alarms: list[Hit], benign: list[Hit], subjects: dict[int, Hit]
) -> Finding | None:
    def finding(verdict: Verdict, hit: Hit) -> Finding:
        return Finding(verdict, _excerpt(text, words, hit))

    decisive = [hit for hit in alarms if hit.term.stands_alone]
    if decisive:
        return finding("marked", decisive[0])
    plain = [hit for hit in alarms if not hit.term.is_benign]
    against = {hit.term.name for hit in benign} | {hit.term.name for hit in alarms if hit.term.is_benign}
    # However many readings are told, they are one report.
    if plain and len({"" if hit.term.is_reading else hit.term.name for hit in plain}) > len(against):
        return finding("marked", plain[0])
    if alarms:
        return finding("explained", alarms[0])
    return finding("logged", subjects[min(subjects)]) if subjects else None


def _is_about(hit: Hit, words: list[Word], subjects: dict[int, Hit], told: bool) -> bool:
    if hit.term.stands_alone or hit.term.is_reading or (told and subjects):
        return True
    sentence = words[hit.first].sentence
    return any(near in subjects for near in (sentence - 1, sentence, sentence + 1))


def _outermost(hits: Iterable[Hit]) -> list[Hit]:
    """In the order of the text. An alarm term inside a longer one does not count by itself."""
    found = sorted(hits, key=lambda hit: (hit.first, -hit.last, hit.term.name))
    kept: list[Hit] = []
    reach = -1
    for hit in found:
        if hit.term.is_alarm and not hit.term.is_reading:
            if hit.last <= reach:
                continue
            reach = hit.last
        kept.append(hit)
    return kept


def _meant(words: list[Word], hits: list[Hit], covered: set[int]) -> list[Hit]:
    """Hits that are neither denied nor only supposed."""
    meant: list[Hit] = []
    denied: Hit | None = None
    for hit in hits:
        if not (hit.term.is_alarm or hit.term.is_benign):
            continue
        listed = denied is not None and _lists_on(words, denied, hit)
        if listed or _is_denied(words, hit, covered):
            denied = hit
        else:
            meant.append(hit)
    return meant


def _lists_on(words: list[Word], denied: Hit, hit: Hit) -> bool:
    """Whether this only goes on with a list that was denied: no anomalies, concerns or emergencies."""
    between = words[denied.last + 1 : hit.first]
    same = words[denied.last].sentence == words[hit.first].sentence
    return same and len(between) <= 2 and all(word.text in _LISTING for word in between)


def _is_denied(words: list[Word], hit: Hit, covered: set[int]) -> bool:
    clause = words[hit.first].clause
    for place in range(hit.first - 1, max(-1, hit.first - 1 - _REACH), -1):
        word = words[place]
        if word.clause != clause or word.text in _TURN:
            break
        if word.text in _SUPPOSE or (word.text in _DENY and place not in covered):
            return True
        before = words[place - 1].text if place else ""
        if (word.text == "for" and before in _WATCH) or (word.text == "case" and before == "in"):
            return True
    sentence = words[hit.last].sentence
    return _is_denied_after([word.text for word in words[hit.last + 1 : hit.last + 5] if word.sentence == sentence])


def _is_denied_after(rest: list[str]) -> bool:
    """By the words that follow in the sentence: anomalies: none; emergency not needed; abnormal readings: no."""
    if not rest:
        return False
    ends = len(rest) < 4 and rest[-1] == "no"
    unseen = "not" in rest[:2] and any(word in _NOT_SEEN for word in rest)
    return rest[0] in _DENIED_AFTER or ends or unseen or rest[1:3] == ["ruled", "out"] or rest[:2] == ["ruled", "out"]


def _words(text: str) -> list[Word]:
    """Most texts are ASCII: folded as a whole, their words stay where they are."""
    is_ascii = text.isascii()
    words: list[Word] = []
    # A day's texts have many thousand words; NamedTuple's own constructor would take half of the time.
    add, new = words.append, tuple.__new__
    sentence = clause = 0
    for match in _TOKEN.finditer(text.lower() if is_ascii else text):
        kind = match.lastindex
        if kind == _IS_WORD:
            start, end = match.span()
            word = match[0] if is_ascii else match[0].casefold()
            add(new(Word, (word, start, end, sentence, clause)))
        else:
            clause += 1
            sentence += kind == _ENDS_SENTENCE
    return words


def _excerpt(text: str, words: list[Word], hit: Hit) -> str:
    """The sentence of a hit, or as much of it as fits around the hit."""
    sentence = words[hit.first].sentence
    first, last = hit.first, hit.last
    while first and words[first - 1].sentence == sentence and words[hit.last].end - words[first - 1].start < _EXCERPT:
        first -= 1
    while (
        last + 1 < len(words)
        and words[last + 1].sentence == sentence
        and words[last + 1].end - words[first].start <= _EXCERPT
    ):
        last += 1
    return " ".join(text[words[first].start : words[last].end].split())[:_EXCERPT]


def _same(word: str, wanted: str, open_ended: bool) -> bool:
    return word.startswith(wanted) if open_ended else word == wanted


@lru_cache(maxsize=64)
def _lexicon(
    subject: tuple[str, ...], alarm: tuple[str, ...], benign: tuple[str, ...], numbers: tuple[str, ...]
) -> Lexicon:
    lists = [frozenset(map(_name, terms)) for terms in (subject, alarm, benign)]
    terms = []
    for name in sorted(lists[0] | lists[1] | lists[2]):
        words = tuple(word.text for word in _words(name))
        if words:
            is_subject, is_alarm, is_benign = (name in terms for terms in lists)
            number = any((word.isdigit() and word not in numbers) or word in _NUMBER_WORDS for word in words)
            reading = is_alarm and number and not is_subject
            terms.append(Term(words, name.endswith("*"), name, is_subject, is_alarm, is_benign, reading))
    return Lexicon(terms)


def _name(term: str) -> str:
    return " ".join(term.casefold().split())
