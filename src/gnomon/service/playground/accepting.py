"""Accept a playground run: create one experiment per candidate, and one job for a worker."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gnomon.errors import InvalidInput, NotFound, Problem, Refused
from gnomon.llm.chat import why_not_params
from gnomon.llm.providers import not_installed, why_not
from gnomon.model.experiment import ExperimentDraft
from gnomon.model.playground import (
    MOST_ANSWERS,
    PlaygroundAccepted,
    PlaygroundDraft,
    PlaygroundExperiment,
    PromptMessage,
)
from gnomon.service.call import Call, project_in_scope
from gnomon.service.evaluation import templates
from gnomon.service.experiments import experiments
from gnomon.service.judges import judging
from gnomon.service.scoring import spanjobs
from gnomon.service.scoring.scoring import Planned
from gnomon.store import datasets, jobs
from gnomon.store.rows import DatasetItemRow, DatasetTableRow

KIND = "playground"


def check(draft: PlaygroundDraft) -> list[Planned]:
    """What can be said without the store: prompts, settings and sizes. The scorers, planned."""
    for number, candidate in enumerate(draft.candidates):
        path = f"candidates[{number}]"
        for at, message in enumerate(candidate.messages):
            templates.check(f"{path}.messages[{at}].content", message.content, allow_expected_output=False)
        if reason := why_not_params(candidate.params or {}):
            raise InvalidInput.of(f"{path}.params", reason.replace("model_params.", "params."))
    if draft.item_ids is not None and len(set(draft.item_ids)) < len(draft.item_ids):
        raise InvalidInput.of("item_ids", "item_ids names an item twice; leave one of them out, or raise trials")
    return spanjobs.plan_all(draft.scorers)


def cannot_ask(model: str) -> str | None:
    """Why this server cannot ask the model; None when it can."""
    return why_not(model, os.environ) or not_installed(model, os.environ)


@dataclass(frozen=True, slots=True)
class ChosenItems:
    """The items of a request, in its order."""

    dataset: DatasetTableRow
    items: Sequence[DatasetItemRow]


def choose(call: Call, draft: PlaygroundDraft) -> ChosenItems:
    """The items that are meant; refuses too many answers and items that are not there."""
    project_id = project_in_scope(call.principal, draft.project_id)
    dataset = datasets.get(call.db, draft.dataset_id)
    if dataset is None or dataset.project_id != project_id:
        raise NotFound(f"dataset {draft.dataset_id!r} does not exist in project {project_id!r}")
    items = _items(call, dataset, draft)
    answers = len(draft.candidates) * len(items) * draft.trials
    if answers > MOST_ANSWERS:
        words = (
            f"{len(draft.candidates)} candidates × {len(items)} items × {draft.trials} trials are {answers:,} answers"
        )
        raise InvalidInput.of("trials", f"{words}; {MOST_ANSWERS:,} is the limit; use fewer items or trials")
    return ChosenItems(dataset, items)


def _items(call: Call, dataset: DatasetTableRow, draft: PlaygroundDraft) -> list[DatasetItemRow]:
    if draft.item_ids is None:
        rows = datasets.items_after(call.db, dataset.id, dataset.version, "", draft.first_items)
        if not rows:
            raise Refused(f"dataset {dataset.name!r} has no items; add one first", code="EMPTY_DATASET")
        return rows
    known = datasets.items_of_version(call.db, dataset.id, dataset.version, draft.item_ids)
    for number, id in enumerate(draft.item_ids):
        if id not in known:
            words = f"item {id!r} is not in dataset {dataset.name!r}; choose items that are in it now"
            problem = Problem(f"item_ids[{number}]", "INVALID_DATASET_ITEM", words)
            raise Refused(words, code="INVALID_DATASET_ITEM", problems=[problem])
    return [known[id] for id in draft.item_ids]


def accept(call: Call, draft: PlaygroundDraft, plans: Sequence[Planned] | None = None) -> PlaygroundAccepted:
    """Make the experiments, and the job that fills them."""
    plans = check(draft) if plans is None else plans
    chosen = choose(call, draft)
    for number, candidate in enumerate(draft.candidates):
        if reason := cannot_ask(candidate.model):
            raise InvalidInput.of(f"candidates[{number}].model", reason)
    judging.refuse_unavailable(plans)
    job_id, project_id = call.clock.new_id(), chosen.dataset.project_id
    made_experiments = [_experiment(call, draft, number, job_id, chosen) for number in range(len(draft.candidates))]
    item_ids = [item.id for item in chosen.items]
    payload = {
        "experiment_ids": [experiment.experiment_id for experiment in made_experiments],
        "candidates": [candidate.model_dump(mode="json", exclude={"name"}) for candidate in draft.candidates],
        "dataset_id": chosen.dataset.id, "dataset_version": chosen.dataset.version, "item_ids": item_ids,
        "trials": draft.trials, "scorers": [spec.model_dump(mode="json") for spec in draft.scorers],
    }  # fmt: skip
    answers = len(made_experiments) * len(item_ids) * draft.trials
    job = jobs.NewJob(
        id=job_id, project_id=project_id, kind=KIND, payload=payload, total=answers, created_at=call.clock.now()
    )
    jobs.add(call.db, [job])
    return PlaygroundAccepted(job_id=job_id, experiments=made_experiments, item_ids=item_ids, answers=answers)


def _experiment(
    call: Call, draft: PlaygroundDraft, number: int, job_id: str, chosen: ChosenItems
) -> PlaygroundExperiment:
    """An ordinary experiment, which says in its metadata how its answers were made."""
    candidate, letter = draft.candidates[number], "ABCD"[number]
    name = candidate.name or f"{draft.name} {letter}: {candidate.model}"[:256]
    messages = [message.model_dump(mode="json") for message in candidate.messages]
    config = {"model": candidate.model, "messages": messages, "params": candidate.params or {}}
    about = {"job_id": job_id, "candidate": letter, "items": len(chosen.items)}
    experiment = experiments.create(
        call,
        ExperimentDraft(
            project_id=chosen.dataset.project_id, name=name, dataset_id=chosen.dataset.id, trials=draft.trials,
            metadata={"model": candidate.model, "config": config, "playground": about},
        ),
    )  # fmt: skip
    return PlaygroundExperiment(experiment_id=experiment.id, name=name, model=candidate.model)


def filled(messages: Sequence[PromptMessage], item: DatasetItemRow) -> list[Mapping[str, Any]]:
    """The prompt with the item's values; `InvalidInput` says what the item does not have."""
    values = {"input": item.input, "metadata": item.metadata}
    return [{"role": message.role, "content": templates.fill_text(message.content, values)} for message in messages]
