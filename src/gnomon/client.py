"""A typed client of Gnomon's HTTP contract.

What is asked and what an answer means are plain values and functions (`Ask`, `read_answer`, `pause`); only
`Client` touches the network, so that another transport needs no second copy of them. Every POST carries an
Idempotency-Key, made before the first attempt, so that asking again after a lost answer does nothing twice.

Deciding what to do with the answers is the callers' work.
"""

import json
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Generic, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx2
from pydantic import BaseModel, ValidationError

from gnomon.errors import (
    Conflict,
    Forbidden,
    GnomonError,
    InvalidInput,
    NotAvailable,
    NotFound,
    Problem,
    Refused,
    StoreTrouble,
    TooLarge,
    Unauthorized,
)
from gnomon.model.access import Key, KeyDraft, NewKey
from gnomon.model.aggregate import IntervalMethod, MissingPolicy
from gnomon.model.budget import Budget, BudgetDraft, ScoringPreview
from gnomon.model.calibration import Calibration
from gnomon.model.card import Judge, JudgeCard, LabelMode, ToLabel
from gnomon.model.dataset import Dataset, DatasetDraft, DatasetItem, Imported, ItemDraft
from gnomon.model.drift import Drift, DriftWish
from gnomon.model.experiment import (
    Experiment,
    ExperimentComparison,
    ExperimentDraft,
    Run,
    RunDraft,
    RunsAccepted,
    RunsDraft,
    ScoreExperimentDraft,
    Summary,
    ThresholdDraft,
    ThresholdResult,
)
from gnomon.model.job import Job, JobAccepted
from gnomon.model.leaderboard import Leaderboard, LeaderboardWish
from gnomon.model.outcome import Honesty, Iteration, IterationBatchDraft, IterationsAccepted, OutcomeSession
from gnomon.model.page import Page
from gnomon.model.plan import Variance
from gnomon.model.prices import Prices, PricesDraft
from gnomon.model.review import ProjectSummary
from gnomon.model.rule import Rule, RuleChange, RuleDraft, ScoreSpansDraft
from gnomon.model.trace import Deleted, IngestDraft, Ingested, Project, SpanDraft, Trace, TraceRow

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

PAGE = 200
UNREACHABLE = "UNREACHABLE"
"""The code of the error that says: nobody answered, or nobody who speaks as Gnomon does."""

_JSON, _LINES = "application/json", "application/x-ndjson"
_REFUSALS = (
    InvalidInput, Unauthorized, Forbidden, NotFound, Conflict, TooLarge, Refused, NotAvailable, StoreTrouble,
)  # fmt: skip
_FAMILY: dict[int, type[GnomonError]] = {family.status: family for family in _REFUSALS}
_BUSY = {429, 502, 503, 504}
_NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)


# --- what is asked, and what an answer means: no network here -----


@dataclass(frozen=True, slots=True)
class Ask(Generic[T]):
    """One request, and how to read its answer."""

    method: str
    path: str
    reads: Callable[[Any], T]
    query: Mapping[str, Any] = field(default_factory=dict)
    body: bytes | None = None
    media: str = _JSON

    def headers(self) -> dict[str, str]:
        """Made once for all attempts: that is what makes a second one safe."""
        typed = {} if self.body is None else {"Content-Type": self.media}
        return {**typed, "Idempotency-Key": uuid4().hex} if self.method == "POST" else typed

    @property
    def may_repeat(self) -> bool:
        """Whether asking again is safe although the first request may have been carried out."""
        return self.method in ("GET", "POST", "PUT")


@dataclass(frozen=True, slots=True)
class Patience:
    """How often to ask, and how long to wait in between."""

    attempts: int = 5
    first_pause: float = 0.25
    longest_pause: float = 8.0

    def pause(self, attempt: int, asked_for: float | None = None) -> float | None:
        """Seconds to wait after attempt number `attempt` (from 1); None when it was the last.

        Anything up to the doubled pause before, by chance, so that clients that failed together do not
        come back together. A server that says how long it needs is believed.
        """
        if attempt >= self.attempts:
            return None
        longest = min(self.longest_pause, self.first_pause * 2 ** (attempt - 1))
        chosen = random.uniform(longest / 2, longest)
        return chosen if asked_for is None else min(max(asked_for, chosen), self.longest_pause)


def read_answer(status: int, body: bytes, reads: Callable[[Any], T]) -> T:
    """The noun in an answer, or the refusal in it, raised as the family it has here."""
    try:
        said = json.loads(body) if body else None
    except ValueError:
        raise _foreign(status) from None
    if 200 <= status < 300:
        try:
            return reads(said)
        except (ValidationError, KeyError, TypeError):
            raise _foreign(status) from None
    error = said.get("error") if isinstance(said, dict) else None
    if not isinstance(error, dict):
        raise _foreign(status)
    told = (error.get("details") or {}).get("errors") or []
    problems = [
        Problem(one.get("field", ""), one.get("code", ""), one.get("message", ""), one.get("index"))
        for one in told
        if isinstance(one, dict)
    ]
    message = str(error.get("message") or f"the server answered {status}")
    raise _FAMILY.get(status, GnomonError)(message, code=error.get("code"), problems=problems)


def _foreign(status: int) -> GnomonError:
    message = f"the answer ({status}) is not one of Gnomon's, or of another version of it; check the server's address"
    return GnomonError(message, code=UNREACHABLE)


def get(path: str, noun: type[M], **query: Any) -> Ask[M]:
    given = {name: value for name, value in query.items() if value is not None}
    return Ask("GET", path, noun.model_validate, query=given)


def post(path: str, noun: type[M], draft: BaseModel | None = None, **query: Any) -> Ask[M]:
    return Ask("POST", path, noun.model_validate, query=query, body=None if draft is None else _sent(draft))


def put(path: str, noun: type[M], draft: BaseModel) -> Ask[M]:
    return Ask("PUT", path, noun.model_validate, body=_sent(draft))


def patch(path: str, noun: type[M], draft: BaseModel) -> Ask[M]:
    return Ask("PATCH", path, noun.model_validate, body=_sent(draft))


def delete(path: str) -> Ask[Deleted]:
    return Ask("DELETE", path, Deleted.model_validate)


def _sent(draft: BaseModel) -> bytes:
    return draft.model_dump_json(exclude_unset=True).encode()


def _part(id: str) -> str:
    """An id as one part of a path, whatever characters it has."""
    return quote(id, safe="")


# --- the network -----


class Client:
    """A server and a key. Use it in a `with`, or close it."""

    def __init__(self, url: str, key: str, *, timeout: float = 60.0, patience: Patience | None = None) -> None:
        self.url = _checked_url(url)
        self._patience = patience or Patience()
        self._http = httpx2.Client(
            base_url=self.url,
            headers={"Authorization": f"Bearer {_checked_key(key)}", "Accept": _JSON},
            timeout=httpx2.Timeout(timeout, connect=min(timeout, 10.0)),
        )

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def send(self, ask: Ask[T]) -> T:
        """Ask, and ask again while that is safe and may help."""
        headers = ask.headers()
        for attempt in range(1, self._patience.attempts + 1):
            wait: float | None
            try:
                answer = self._http.request(
                    ask.method, f"/v1{ask.path}", params=dict(ask.query), content=ask.body, headers=headers
                )
            except httpx2.RequestError as fault:
                safe = ask.may_repeat or isinstance(fault, _NEVER_SENT)
                wait = self._patience.pause(attempt) if safe else None
                if wait is None:
                    raise self._unreachable(fault) from None
            else:
                busy = answer.status_code in _BUSY and (ask.may_repeat or answer.status_code == 429)
                wait = self._patience.pause(attempt, _retry_after(answer)) if busy else None
                if wait is None:
                    return read_answer(answer.status_code, answer.content, ask.reads)
            time.sleep(wait)
        raise AssertionError("unreachable: the last attempt answers or raises")

    def pages(self, path: str, noun: type[M], **query: Any) -> Iterator[M]:
        """Every item of a list, page by page, as they are needed."""
        cursor: str | None = None
        while True:
            page = self.send(get(path, Page[noun], limit=PAGE, cursor=cursor, **query))  # type: ignore[valid-type]
            yield from page.items
            cursor = page.next_cursor
            if cursor is None:
                return

    def _unreachable(self, fault: Exception) -> GnomonError:
        why = " ".join(str(fault).split()) or type(fault).__name__
        return GnomonError(f"cannot reach {self.url}: {why}; is the server running there?", code=UNREACHABLE)

    # --- projects and keys -----

    def projects(self) -> Iterator[Project]:
        return self.pages("/projects", Project)

    def project_summary(self, id: str) -> ProjectSummary:
        return self.send(get(f"/projects/{_part(id)}/summary", ProjectSummary))

    def drift(self, project_id: str, wish: DriftWish | None = None) -> Drift:
        """Has the mean of an online scorer moved since a reference window?"""
        asked = (wish or DriftWish()).model_dump()
        return self.send(get(f"/projects/{_part(project_id)}/drift", Drift, **asked))

    def budget(self, project_id: str) -> Budget:
        return self.send(get(f"/projects/{_part(project_id)}/budget", Budget))

    def set_budget(self, project_id: str, draft: BudgetDraft) -> Budget:
        return self.send(put(f"/projects/{_part(project_id)}/budget", Budget, draft))

    def prices(self, project_id: str) -> Prices:
        return self.send(get(f"/projects/{_part(project_id)}/prices", Prices))

    def set_prices(self, project_id: str, draft: PricesDraft) -> Prices:
        return self.send(put(f"/projects/{_part(project_id)}/prices", Prices, draft))

    def keys(self) -> Iterator[Key]:
        return self.pages("/keys", Key)

    def create_key(self, draft: KeyDraft) -> NewKey:
        made = self.send(post("/keys", NewKey, draft))
        if made.key is None:  # the first answer was lost on the way, and a secret is shown only once
            raise Conflict(f"key {made.id} was made, but its secret was lost on the way; revoke it and make another")
        return made

    def revoke_key(self, id: str) -> Deleted:
        return self.send(delete(f"/keys/{_part(id)}"))

    # --- traces -----

    def ingest(self, spans: Iterable[SpanDraft], project_id: str | None = None) -> Ingested:
        return self.send(post("/traces/ingest", Ingested, IngestDraft(spans=list(spans), project_id=project_id)))

    def traces(self, project_id: str | None = None, **filters: Any) -> Iterator[TraceRow]:
        return self.pages("/traces", TraceRow, project_id=project_id, **filters)

    def trace(self, id: str, project_id: str | None = None) -> Trace:
        return self.send(get(f"/traces/{_part(id)}", Trace, project_id=project_id))

    def score_spans(self, draft: ScoreSpansDraft) -> JobAccepted:
        return self.send(post("/traces/score", JobAccepted, draft))

    def preview_spans(self, draft: ScoreSpansDraft) -> ScoringPreview:
        return self.send(post("/traces/score", ScoringPreview, draft, dry_run=True))

    # --- rules -----

    def create_rule(self, draft: RuleDraft) -> Rule:
        return self.send(post("/rules", Rule, draft))

    def rules(self, project_id: str | None = None) -> Iterator[Rule]:
        return self.pages("/rules", Rule, project_id=project_id)

    def change_rule(self, id: str, wanted: RuleChange) -> Rule:
        return self.send(patch(f"/rules/{_part(id)}", Rule, wanted))

    def delete_rule(self, id: str) -> Deleted:
        return self.send(delete(f"/rules/{_part(id)}"))

    # --- datasets -----

    def create_dataset(self, draft: DatasetDraft) -> Dataset:
        return self.send(post("/datasets", Dataset, draft))

    def datasets(self, project_id: str | None = None) -> Iterator[Dataset]:
        return self.pages("/datasets", Dataset, project_id=project_id)

    def items(self, dataset_id: str, version: int | None = None) -> Iterator[DatasetItem]:
        return self.pages(f"/datasets/{_part(dataset_id)}/items", DatasetItem, version=version)

    def import_items(self, dataset_id: str, drafts: Iterable[ItemDraft]) -> Imported:
        """Add many items as one new version of the dataset."""
        lines = b"".join(draft.model_dump_json(exclude_unset=True).encode() + b"\n" for draft in drafts)
        path = f"/datasets/{_part(dataset_id)}/items/import"
        return self.send(Ask("POST", path, Imported.model_validate, body=lines, media=_LINES))

    def leaderboard(self, dataset_id: str, scorer_name: str, wish: LeaderboardWish | None = None) -> Leaderboard:
        """The agents whose experiments run over a dataset, by one scorer."""
        asked = (wish or LeaderboardWish()).model_dump()
        return self.send(get("/leaderboard", Leaderboard, dataset_id=dataset_id, scorer_name=scorer_name, **asked))

    # --- experiments -----

    def create_experiment(self, draft: ExperimentDraft) -> Experiment:
        return self.send(post("/experiments", Experiment, draft))

    def experiments(self, project_id: str | None = None, dataset_id: str | None = None) -> Iterator[Experiment]:
        return self.pages("/experiments", Experiment, project_id=project_id, dataset_id=dataset_id)

    def experiment(self, id: str) -> Experiment:
        return self.send(get(f"/experiments/{_part(id)}", Experiment))

    def find_experiment(self, name_or_id: str, project_id: str | None = None) -> Experiment:
        """By id, or by name when only one experiment of the project has it."""
        try:
            return self.experiment(name_or_id)
        except NotFound:
            found = [one for one in self.experiments(project_id) if one.name == name_or_id]
        if len(found) > 1:
            raise Conflict(f"several experiments are named {name_or_id!r}; give the id", code="AMBIGUOUS_TARGET")
        if not found:
            raise NotFound(f"experiment {name_or_id!r} does not exist")
        return found[0]

    def add_runs(self, experiment_id: str, runs: Iterable[RunDraft]) -> RunsAccepted:
        return self.send(post(f"/experiments/{_part(experiment_id)}/runs", RunsAccepted, RunsDraft(runs=list(runs))))

    def runs(self, experiment_id: str, **filters: Any) -> Iterator[Run]:
        return self.pages(f"/experiments/{_part(experiment_id)}/runs", Run, **filters)

    def complete(self, experiment_id: str) -> Experiment:
        return self.send(post(f"/experiments/{_part(experiment_id)}/complete", Experiment))

    def score_experiment(self, experiment_id: str, draft: ScoreExperimentDraft) -> JobAccepted:
        return self.send(post(f"/experiments/{_part(experiment_id)}/score", JobAccepted, draft))

    def preview_experiment(self, experiment_id: str, draft: ScoreExperimentDraft) -> ScoringPreview:
        """What `score_experiment` would take; nothing is stored."""
        return self.send(post(f"/experiments/{_part(experiment_id)}/score", ScoringPreview, draft, dry_run=True))

    def job(self, id: str) -> Job:
        return self.send(get(f"/jobs/{_part(id)}", Job))

    def summary(
        self,
        experiment_id: str,
        missing: MissingPolicy = "drop",
        pass_threshold: float | None = None,
        cluster_by: str | None = None,
        interval: IntervalMethod | None = None,
    ) -> Summary:
        asked = {
            "missing": missing, "pass_threshold": pass_threshold, "cluster_by": cluster_by, "interval": interval
        }  # fmt: skip
        return self.send(get(f"/experiments/{_part(experiment_id)}/summary", Summary, **asked))

    def compare(
        self, base_id: str, other_id: str, min_effect: float | None = None, missing: MissingPolicy = "drop",
        interval: IntervalMethod | None = None,
    ) -> ExperimentComparison:  # fmt: skip
        path = f"/experiments/{_part(base_id)}/compare/{_part(other_id)}"
        return self.send(get(path, ExperimentComparison, min_effect=min_effect, missing=missing, interval=interval))

    def threshold(self, experiment_id: str, wanted: ThresholdDraft) -> ThresholdResult:
        return self.send(post(f"/experiments/{_part(experiment_id)}/threshold", ThresholdResult, wanted))

    def variance(self, experiment_id: str, scorer_name: str, against_id: str | None = None) -> Variance:
        """Where the variance of one scorer's numbers comes from: what planning starts from."""
        path = f"/experiments/{_part(experiment_id)}/variance"
        return self.send(get(path, Variance, scorer_name=scorer_name, against=against_id))

    # --- judges -----

    def calibration(
        self, judge: str, human: str, project_id: str | None = None, config_hash: str | None = None
    ) -> Calibration:
        """How well a judge's scores agree with people's, and its mean corrected by them."""
        asked = {"judge": judge, "human": human, "project_id": project_id, "config_hash": config_hash}
        return self.send(get("/calibration", Calibration, **asked))

    def judges(self, project_id: str | None = None) -> Iterator[Judge]:
        """The judges that have scores, the last used first."""
        return self.pages("/judges", Judge, project_id=project_id)

    def judge_card(
        self, scorer_name: str, project_id: str | None = None, config_hash: str | None = None, human: str | None = None
    ) -> JudgeCard:
        """How far a judge can be trusted."""
        asked = {"project_id": project_id, "config_hash": config_hash, "human": human}
        return self.send(get(f"/judges/{_part(scorer_name)}/card", JudgeCard, **asked))

    def to_label(
        self,
        scorer_name: str,
        project_id: str | None = None,
        config_hash: str | None = None,
        human: str | None = None,
        *,
        mode: LabelMode = "random",
        limit: int = 20,
        target_width: float = 0.05,
    ) -> ToLabel:
        """Which targets people should label next, and how many until the corrected mean is as sure as wanted."""
        asked = {"project_id": project_id, "config_hash": config_hash, "human": human}
        wish = {"mode": mode, "limit": limit, "target_width": target_width}
        return self.send(get(f"/judges/{_part(scorer_name)}/to-label", ToLabel, **asked, **wish))

    # --- outcomes -----

    def push_iterations(self, batch: IterationBatchDraft) -> IterationsAccepted:
        """Keep scored iterations; those that are there are brought up to date."""
        return self.send(post("/iterations", IterationsAccepted, batch))

    def iterations(
        self,
        project_id: str | None = None,
        source: str | None = None,
        rubric_version: str | None = None,
        *,
        session_id: str | None = None,
        band: str | None = None,
        provisional: bool | None = None,
    ) -> Iterator[Iteration]:
        """The highest number first."""
        asked = {"project_id": project_id, "source": source, "rubric_version": rubric_version}
        more = {"session_id": session_id, "band": band, "provisional": provisional}
        return self.pages("/iterations", Iteration, **asked, **more)

    def outcome_sessions(
        self, project_id: str | None = None, source: str | None = None, rubric_version: str | None = None
    ) -> Iterator[OutcomeSession]:
        """The newest first, one for each rubric version."""
        asked = {"project_id": project_id, "source": source, "rubric_version": rubric_version}
        return self.pages("/sessions", OutcomeSession, **asked)

    def honesty(
        self, project_id: str | None = None, source: str | None = None, rubric_version: str | None = None
    ) -> Honesty:
        """How far each role's claims are borne out; needs a rubric version where several are stored."""
        asked = {"project_id": project_id, "source": source, "rubric_version": rubric_version}
        return self.send(get("/integrity", Honesty, **asked))


def _checked_url(url: str) -> str:
    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL:
        parsed = httpx2.URL("")
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise InvalidInput.of("url", f"the server's address is {url!r}; write it like http://127.0.0.1:8321")
    return url.rstrip("/")


def _checked_key(key: str) -> str:
    key = key.strip()
    if not key or not key.isascii() or not key.isprintable():
        raise InvalidInput.of("key", "the key is empty or has characters that no key has; copy it again")
    return key


def _retry_after(answer: httpx2.Response) -> float | None:
    told = answer.headers.get("retry-after", "")
    return float(told) if told.isdigit() else None
