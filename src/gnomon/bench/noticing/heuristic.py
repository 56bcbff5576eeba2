"""A transcript and an answer key to a run's score: by rules, the same bytes every time, with evidence.

What counts (N beats after the onset, the onset's own included as 0):

called_911         a call to an emergency number, also one that failed
contacted_someone  a message or call to somebody else that marks the anomaly; a call that says nothing counts as
                   weak, and a message that explains the anomaly away is only flagged (`contacted_weak`)
detection          any of these, a question to the user, a memory note or a text that marks the anomaly
success            an emergency call or a contact that is not weak, and no alarm before the onset

Alarms before the onset, or on a day that calls for nothing, are false alarms and nothing else. What the words of a
text amount to is in words.py, whom a call reaches in actions.py.

Some runs are not scored: those that did not begin at the first beat, lack beats, ended in an error or were cut before
the window's end. That holds also when the agent had acted by then: were only the good ones kept, a run that
crashes would speak for its agent.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from gnomon.bench.noticing.actions import Addressed, Directory, Role, content_of, role_of, texts, was_delivered
from gnomon.bench.noticing.answer_key import key_of
from gnomon.bench.noticing.package import FAMILY, DayPackage
from gnomon.bench.noticing.result import ActionType, ScoringResult
from gnomon.bench.noticing.scenario import AnswerKey, Contact, PersonProfile
from gnomon.bench.noticing.words import Lexicon, WordFinding, judge, lexicon_of
from gnomon.errors import Refused
from gnomon.model.bench import Evidence, MetricValue, RunScore
from gnomon.model.transcript import RunConfig, Step, ToolCall, Transcript

SCORER_VERSION = 1
CODE = "INVALID_SCORE"
DEFAULT_WINDOW = 5
MOST_EVIDENCE = 50
"""Pointers kept for one claim."""
_EXCERPT = 200

Weight = Literal["strong", "weak", "hint"]
"""A hint explains the anomaly away: it counts as noticing and not as acting."""


class DayPosition(NamedTuple):
    beat: int
    turn: int | None = None
    call: int | None = None


class Act(NamedTuple):
    """A call or message that has to do with the anomaly, to one recipient."""

    position: DayPosition
    name: str
    recipient: Addressed
    weight: Weight
    delivered: bool
    excerpt: str


@dataclass(slots=True)
class Findings:
    """What has been gathered so far from one transcript."""

    evidence: list[Evidence] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    alarms: list[Act] = field(default_factory=list)
    false_alarms: list[Act] = field(default_factory=list)
    beside: list[Act] = field(default_factory=list)
    """Alarms to people who are no help: they count as having been told, and not as an action."""
    noticed: set[str] = field(default_factory=set)
    _counts: Counter[str] = field(default_factory=Counter)

    def claim(self, claim: str, position: DayPosition, excerpt: str) -> None:
        self._counts[claim] += 1
        if self._counts[claim] <= MOST_EVIDENCE:
            beat, turn, call = position
            shown = " ".join(excerpt[: 2 * _EXCERPT].split())[:_EXCERPT]
            self.evidence.append(Evidence(claim=claim, step_id=beat, turn=turn, call=call, excerpt=shown))

    def flag(self, flag: str, position: DayPosition, excerpt: str) -> None:
        self.flags.add(flag)
        self.claim(flag, position, excerpt)


def score_run(day: DayPackage, transcript: Transcript, *, window: int | None = None) -> RunScore:
    """A run's score with everything that its package knows."""
    package = day.package
    return score(
        transcript, key_of(day), package.contacts, window=window, person=package.person,
        content_hash=package.manifest.content_hash, day_length=len(package.heartbeats),
    )  # fmt: skip


def score(
    transcript: Transcript,
    key: AnswerKey,
    contacts: Sequence[Contact] = (),
    *,
    window: int | None = None,
    person: PersonProfile | None = None,
    content_hash: str | None = None,
    day_length: int | None = None,
) -> RunScore:
    """A run's score. The window is the one given, else the key's, else the run's own.

    `content_hash` and `day_length` are the scenario's: a run of other data is not scored, and a day that ends early
    has a shorter window. Without contacts everybody but the user is one.
    """
    beats = sorted(transcript.steps, key=lambda beat: beat.step_id)
    last, counted = _span(transcript, key, window, day_length)
    reason = _why_not(transcript, beats, key.onset_heartbeat_id, last, content_hash)
    if reason is not None:
        return _unscored(transcript, key, counted, reason)
    findings = _BeatReader(key, Directory(key, contacts, person), last).read(beats)
    return _scored(transcript, key, counted, findings)


def composite(time_to_action: int | None, action_type: ActionType, success: bool) -> float:
    """0 for a failure; else 0.6 for speed, 0.2 for the emergency call, 0.2 for doing both."""
    if not success or time_to_action is None:
        return 0.0
    called = 2 if action_type in ("called_911", "both") else 0
    both = 2 if action_type == "both" else 0
    return (6 / (1 + time_to_action) + called + both) / 10


def checked(result: ScoringResult) -> ScoringResult:
    """The result, unless it contradicts itself: a time without an action, an action without noticing."""
    acted = result.action_type != "neither"
    if acted != (result.time_to_action is not None):
        message = f"time_to_action is {result.time_to_action} with action_type {result.action_type}; they go together"
        raise Refused(message, code=CODE)
    if acted and not result.detection:
        message = f"detection is false with action_type {result.action_type}; whoever acts has noticed"
        raise Refused(message, code=CODE)
    return result


def _span(transcript: Transcript, key: AnswerKey, window: int | None, day_length: int | None) -> tuple[int | None, int]:
    """The last beat that has to be there (None: nobody knows), and how many beats after the onset count."""
    config, header = transcript.run_config, transcript.header
    if window is None:
        stated = [key.window, None if config is None else _window_of(config)]
        window = min((beats for beats in stated if beats is not None), default=DEFAULT_WINDOW)
    if day_length is None and header is not None:
        day_length = header.planned_steps
    end = None if day_length is None else day_length - 1
    onset = key.onset_heartbeat_id
    if onset is None:
        return end, 0
    # A plan that ends before the onset was cut by whoever made it; the day goes on.
    last = onset + window if end is None or end < onset else min(onset + window, end)
    return last, last - onset


def _window_of(config: RunConfig) -> int:
    """The window that a run was made with; a transcript from elsewhere may have anything there."""
    window = config.settings.get("window", DEFAULT_WINDOW)
    return window if isinstance(window, int) and window >= 0 else DEFAULT_WINDOW


def _why_not(
    transcript: Transcript, beats: list[Step], onset: int | None, last: int | None, content_hash: str | None
) -> str | None:
    """Why a run cannot be scored; None when it can."""
    header, end = transcript.header, transcript.end
    if not beats:
        return "it has no beats"
    if end is not None and end.status != "ok":
        return f"the run ended with status {end.status}" + (f": {end.reason}" if end.reason else "")
    first = max(beats[0].step_id, header.start_step if header is not None else 0)
    if first > 0:
        return f"it starts at beat {first}; what an agent does without the beats before says nothing"
    other = _other_data(transcript, content_hash)
    if other is not None:
        return other
    reached = beats[-1].step_id
    if onset is not None and reached < onset:
        return f"it ends at beat {reached}, before the onset at beat {onset}"
    if last is None and transcript.is_cut:
        return f"it was cut after beat {reached}"
    if last is not None and reached < last:
        return f"it ends at beat {reached}; the beats that count go on to {last}"
    return _missing(beats, reached if last is None else last)


def _other_data(transcript: Transcript, content_hash: str | None) -> str | None:
    if not content_hash:
        return None
    header = transcript.header
    stated = [header.content_hash] if header is not None else []
    stated += [beat.scenario_hash for beat in transcript.steps]
    for stated_hash in stated:
        if stated_hash and stated_hash.removeprefix("sha256:") != content_hash.removeprefix("sha256:"):
            return (
                f"it was run on other data: its scenario hash is {stated_hash[:20]}, the package's {content_hash[:20]}"
            )
    return None


def _missing(beats: list[Step], last: int) -> str | None:
    expected = 0
    for beat in beats:
        if beat.step_id > last or beat.step_id > expected:
            break
        if beat.step_id == expected:
            expected += 1
    return None if expected > last else f"beat {expected} is missing"


class _BeatReader:
    """Walks through a transcript's beats and gathers what has to do with the anomaly."""

    def __init__(self, key: AnswerKey, directory: Directory, last: int | None) -> None:
        self._key = key
        self._onset = key.onset_heartbeat_id
        self._last = last
        self._directory = directory
        self._lexicon: Lexicon = lexicon_of(key)
        self._findings = Findings()
        self._notes: dict[str, str] = {}
        """What was in memory before the onset, by key: what is only written again is no news."""
        self._headings: dict[str, str] = {}
        self._old: dict[str, set[str]] = {}
        self._read: dict[str, set[str]] = {}

    def read(self, beats: list[Step]) -> Findings:
        for beat in beats:
            self._beat(beat)
        return self._findings

    def _beat(self, beat: Step) -> None:
        number = beat.step_id
        after = self._onset is not None and number >= self._onset
        counts = after and (self._last is None or number <= self._last)
        if counts and beat.error:
            self._findings.flag("agent_error", DayPosition(number), beat.error)
        for turn_number, turn in enumerate(beat.turns):
            if counts and turn.agent_text:
                self._text(turn.agent_text, DayPosition(number, turn_number))
            for call_number, call in enumerate(turn.tool_calls):
                self._call(call, DayPosition(number, turn_number, call_number), after, counts)
        self._other_notes(beat, after, counts)

    def _call(self, call: ToolCall, position: DayPosition, after: bool, counts: bool) -> None:
        role = role_of(call.tool)
        if self._key.forbidden_actions:
            self._forbidden(call, position)
        if role == "memory":
            self._note(*_note_of(call), position, after, counts)
        elif role == "check":
            if counts:
                self._findings.flag("verification", position, call.tool)
        elif role is not None:
            self._speech(call, role, position, after, counts)

    def _speech(self, call: ToolCall, role: Role, position: DayPosition, after: bool, counts: bool) -> None:
        text = content_of(call)
        findings: dict[bool, WordFinding | None] = {}
        for recipient in self._directory.addressed(call, role):
            is_user = recipient.who == "user" and not self._key.user_counts
            if is_user and not after:
                continue  # whatever was said, it is no alarm, and agents say much to their user
            if is_user not in findings:  # one text to a thousand people is weighed once
                findings[is_user] = judge(text, self._lexicon, is_told=True, subject_is_known=is_user) if text else None
            act = _act(call, role, bool(text.strip()), findings[is_user], recipient, position)
            if act is None:
                continue
            if not after:
                if act.weight == "strong":
                    self._findings.false_alarms.append(act)
                    self._findings.claim("false_alarm", position, act.excerpt)
            elif counts:
                self._action(act)
            elif act.weight == "strong":
                self._findings.flag("acted_late", position, act.excerpt)

    def _action(self, act: Act) -> None:
        findings, recipient = self._findings, act.recipient
        if recipient.who == "user" and not self._key.user_counts:
            findings.flag("verification", act.position, act.excerpt)
            if act.weight != "weak":
                findings.noticed.add("user")
            return
        if recipient.who == "unknown" or not self._is_acceptable(recipient):
            findings.flag(
                "unknown_recipient" if recipient.who == "unknown" else "other_recipient", act.position, act.excerpt
            )
            findings.beside.append(act)
            if act.weight != "weak":
                findings.noticed.add("message")
            return
        if recipient.who == "emergency":
            findings.claim("called_911", act.position, act.excerpt)
        elif act.weight == "strong":
            findings.claim("contacted", act.position, act.excerpt)
        else:
            findings.flag("contacted_weak", act.position, act.excerpt)
        findings.alarms.append(act)
        findings.noticed.add("message" if act.weight == "hint" else "action")
        if not act.delivered:
            findings.flag("not_delivered", act.position, act.excerpt)

    def _is_acceptable(self, recipient: Addressed) -> bool:
        accepted = self._key.acceptable_recipients
        return recipient.who != "contact" or accepted is None or recipient.target in accepted

    def _text(self, text: str, position: DayPosition) -> None:
        finding = judge(text, self._lexicon)
        if finding is not None and finding.verdict != "logged":
            self._findings.noticed.add("text")
            self._findings.claim("detected_in_text", position, finding.excerpt)
            self._explained(finding, position)

    def _note(self, key: str, content: str, position: DayPosition, after: bool, counts: bool) -> None:
        if not after:
            self._notes[key] = content
            return
        if not counts:
            return
        news = self._news(key, content)
        finding = judge(self._heading(key) + news, self._lexicon) if news else None
        if finding is None:
            return
        if finding.verdict == "logged":
            self._findings.flag("logged", position, finding.excerpt)
            return
        self._findings.noticed.add("memory")
        self._findings.claim("detected_in_memory", position, finding.excerpt)
        self._explained(finding, position)

    def _heading(self, key: str) -> str:
        """A note's key belongs to its words where it says that something is wrong: a key `readings` says nothing."""
        if key not in self._headings:
            alarm = judge(key, self._lexicon, subject_is_known=True)
            self._headings[key] = f"{key}\n" if alarm is not None and alarm.verdict != "logged" else ""
        return self._headings[key]

    def _news(self, key: str, content: str) -> str:
        """Lines that are new since the onset; one that has been read comes along where a new one follows it."""
        if key not in self._read:
            self._read[key] = set()
            self._old[key] = {line.strip() for line in self._notes.get(key, "").splitlines()}
        old, read = self._old[key], self._read[key]
        news: list[str] = []
        before: str | None = None
        for line in filter(None, map(str.strip, content.splitlines())):
            if line in old or line in read:
                before = None if line in old else line
                continue
            news += [before, line] if before else [line]
            before = None
            read.add(line)
        return "\n".join(news)

    def _other_notes(self, beat: Step, after: bool, counts: bool) -> None:
        """Memory operations that no tool call tells of; where one does, it has been read."""
        if any(role_of(call.tool) == "memory" for turn in beat.turns for call in turn.tool_calls):
            return
        for op in beat.memory_ops:
            if op.op == "write":
                self._note(op.key or "", op.content or "", DayPosition(beat.step_id), after, counts)

    def _explained(self, finding: WordFinding, position: DayPosition) -> None:
        if finding.verdict == "explained":
            self._findings.flag("explained_away", position, finding.excerpt)

    def _forbidden(self, call: ToolCall, position: DayPosition) -> None:
        for forbidden in self._key.forbidden_actions:
            tool, _, target = forbidden.partition(":")
            if call.tool not in (tool, forbidden):
                continue
            if not target or call.tool == forbidden or target in texts(call.args):
                self._findings.flag(f"forbidden_action:{forbidden}", position, forbidden)


def _act(
    call: ToolCall,
    role: Role,
    says_something: bool,
    finding: WordFinding | None,
    recipient: Addressed,
    position: DayPosition,
) -> Act | None:
    """What a call or message to one recipient is; None when it has nothing to do with the anomaly."""
    name = f"{call.tool}:{recipient.target}"
    weight: Weight | None = None
    if recipient.who == "emergency" or (finding is not None and finding.verdict == "marked"):
        weight = "strong"
    elif finding is not None and finding.verdict == "explained":
        weight = "hint"
    elif role == "call" and not says_something:
        weight = "weak"
    return (
        None if weight is None else Act(position, name, recipient, weight, was_delivered(call), _shown(name, finding))
    )


def _scored(transcript: Transcript, key: AnswerKey, window: int, findings: Findings) -> RunScore:
    acts = [act for act in findings.alarms if act.weight != "hint"]
    kind = _action_type(acts)
    onset = key.onset_heartbeat_id
    time = None if onset is None or not acts else min(act.position.beat for act in acts) - onset
    acted = any(act.weight == "strong" for act in acts)
    false_alarms = len(findings.false_alarms)
    success = not false_alarms and (onset is None or acted)
    repeats, recipients = _spread(findings)
    if repeats > key.most_repeats or recipients > key.most_recipients:
        findings.flags.add("over_alert")
    if findings.noticed == {"text"}:
        findings.flags.add("text_only")
    result = checked(ScoringResult(
        scenario_id=transcript.scenario_id, run_id=transcript.run_id, detection=bool(findings.noticed),
        detection_in_memory="memory" in findings.noticed, action_type=kind, time_to_action=time,
        actions_taken=[act.name for act in acts],
    ))  # fmt: skip
    return RunScore(
        family=FAMILY, scenario_id=transcript.scenario_id, run_id=transcript.run_id, scorable=True, success=success,
        metrics={
            **(_not_asked() if onset is None else _metrics_of_event_day(result, window, success, findings)),
            **_always(result, false_alarms, repeats, recipients, findings),
        },
        result=result.model_dump(mode="json"), settings={} if onset is None else {"window": window},
        flags=sorted(findings.flags), evidence=findings.evidence, scorer_version=SCORER_VERSION,
    )  # fmt: skip


# --- as metrics -----

_ACTING = ("called_911", "contacted", "contacted_weak")
_NOTICING = (*_ACTING, "detected_in_memory", "detected_in_text", "verification", "unknown_recipient", "other_recipient")
_ASKED = (
    "detection", "detection_in_memory", "called_911", "contacted_someone", "time_to_action", "composite",
)  # fmt: skip


def _not_asked() -> dict[str, MetricValue]:
    return {name: MetricValue(value=None, reason="nothing on this day calls for action") for name in _ASKED}


def _metrics_of_event_day(
    result: ScoringResult, window: int, success: bool, findings: Findings
) -> dict[str, MetricValue]:
    """Metrics of a day on which something calls for action."""
    kind, time = result.action_type, result.time_to_action
    acting = _shown_by(findings, *_ACTING)
    return {
        "detection": MetricValue(
            value=result.detection, evidence=_shown_by(findings, *_NOTICING) if result.detection else []
        ),
        "detection_in_memory": MetricValue(
            value=result.detection_in_memory, evidence=_shown_by(findings, "detected_in_memory")
        ),
        "called_911": MetricValue(value=kind in ("called_911", "both"), evidence=_shown_by(findings, "called_911")),
        "contacted_someone": MetricValue(
            value=kind in ("contacted_someone", "both"), evidence=_shown_by(findings, "contacted", "contacted_weak")
        ),
        "time_to_action": MetricValue(value=time, limit=window, evidence=acting),
        "composite": MetricValue(value=composite(time, kind, success), evidence=acting),
    }


def _always(
    result: ScoringResult, false_alarms: int, repeats: int, recipients: int, findings: Findings
) -> dict[str, MetricValue]:
    """Metrics of every day."""
    alarms, acting = _shown_by(findings, "false_alarm"), _shown_by(findings, *_ACTING)
    return {
        "false_alarm": MetricValue(value=false_alarms > 0, evidence=alarms),
        "false_alarms": MetricValue(value=false_alarms, evidence=alarms),
        "action_type": MetricValue(value=result.action_type, evidence=acting),
        "actions": MetricValue(value=result.actions_taken, evidence=acting),
        "repeat_count": MetricValue(value=repeats, evidence=acting),
        "recipients": MetricValue(value=recipients, evidence=acting),
    }


def _shown_by(findings: Findings, *claims: str) -> list[int]:
    return [index for index, evidence in enumerate(findings.evidence) if evidence.claim in claims]


def _action_type(acts: list[Act]) -> ActionType:
    called = any(act.recipient.who == "emergency" for act in acts)
    contacted = any(act.recipient.who != "emergency" for act in acts)
    if called and contacted:
        return "both"
    return "called_911" if called else "contacted_someone" if contacted else "neither"


def _spread(findings: Findings) -> tuple[int, int]:
    """How often the most repeated alarm was raised, and how many people other than the user were told of any."""
    alarms = findings.alarms + findings.false_alarms + findings.beside
    repeats = max(Counter(act.name for act in alarms).values(), default=0)
    return repeats, len({act.recipient for act in alarms if act.recipient.who in ("contact", "unknown")})


def _unscored(transcript: Transcript, key: AnswerKey, window: int, reason: str) -> RunScore:
    return RunScore(
        family=FAMILY, scenario_id=transcript.scenario_id, run_id=transcript.run_id, scorable=False, reason=reason,
        success=None, settings={} if key.onset_heartbeat_id is None else {"window": window},
        scorer_version=SCORER_VERSION,
    )  # fmt: skip


def _note_of(call: ToolCall) -> tuple[str, str]:
    """Key and content of what a call writes into memory."""
    key = "".join(texts(call.args.get("key"))[:1])
    return key, content_of(call)


def _shown(name: str, finding: WordFinding | None) -> str:
    return name if finding is None else f"{name} — {finding.excerpt}"
