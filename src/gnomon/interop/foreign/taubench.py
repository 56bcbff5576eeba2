"""Results of tau-bench (a list of trajectories with rewards) and of tau2 (tasks, simulations, reward breakdowns)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gnomon.interop import messages, taubench
from gnomon.interop.conversation import named_apart, refused
from gnomon.interop.foreign.bundle import Bundle, ForeignExperiment, ForeignRun, ForeignScore
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.reading import (
    as_list,
    as_object,
    as_text,
    content_hash,
    digest,
    file_time,
    joined,
    json_object,
    json_value,
    time_of,
    without_none,
)
from gnomon.interop.foreign.scores import score_of
from gnomon.interop.spans import to_spans
from gnomon.model.toolcalls import read_call
from gnomon.model.transcript import Transcript

SOURCE = "tau-bench"
SOURCE_2 = "tau2"
_NOT_THE_AGENT = ("infrastructure_error", "unexpected_error")
"""How a simulation of tau2 ends when nothing can be said of the agent."""


# --- tau-bench -----


def detect(path: Path) -> bool:
    return look(path).has("[].traj", "[].task_id")


def read(path: Path) -> Bundle:
    value, whole = json_value(path), content_hash(path)
    transcripts = taubench.from_value(value, path)
    runs = []
    tasks = {
        transcript_of_task.scenario_id: transcript_of_task.metadata
        for transcript_of_task in transcripts
        if transcript_of_task.metadata.get("instruction")
    }
    for record, transcript in zip(value, transcripts, strict=True):
        about = tasks.get(transcript.scenario_id, transcript.metadata)  # a run that failed says nothing of its task
        key, trial = transcript.scenario_id, record.get("trial")
        trial = trial + 1 if isinstance(trial, int) and trial >= 0 else 1
        reward = record.get("reward")
        expected = without_none(outputs=about.get("expected_outputs"), actions=about.get("expected_tool_calls"))
        runs.append(
            ForeignRun(
                item_key=key,
                input=about.get("instruction") or key,
                output=transcript.final_text(),
                expected_output=expected or None,
                trial=trial,
                error=transcript.end.reason if transcript.end is not None else None,
                scores=[score_of("reward", reward)] if "reward" in record else [],
                spans=to_spans(transcript, trace_id=digest(SOURCE, whole, key, trial), started=file_time(path)),
            )
        )
    dataset = "tau-bench" if "tau" not in path.stem.lower() else path.stem
    bundle = Bundle(SOURCE, experiments=[ForeignExperiment(path.stem, dataset, runs, {"source": SOURCE})])
    bundle.notes.append("tau-bench notes no times; traces begin when the file was written")
    return bundle


# --- tau2 -----


def detect_2(path: Path) -> bool:
    if path.is_dir():
        return (path / "simulations").is_dir() and detect_2(path / "results.json")
    if not path.is_file():
        return False
    keys = look(path).keys
    return {"info.agent_info", "info.environment_info"} <= keys or {"info.num_trials", "simulations"} <= keys


def read_2(path: Path) -> Bundle:
    """One file, or a folder with results.json and a file per simulation."""
    value = json_object(path / "results.json" if path.is_dir() else path, "results of tau2")
    simulations = as_list(value.get("simulations"))
    if path.is_dir():
        simulations = [json_value(file) for file in sorted((path / "simulations").glob("*.json"))]
    bundle = Bundle(SOURCE_2)
    if not simulations:
        raise refused(path, "has no simulations; name the folder that has results.json and simulations/")
    tasks = {as_text(task.get("id")) or "": task for task in map(as_object, as_list(value.get("tasks")))}
    info = as_object(value.get("info"))
    agent, domain = as_object(info.get("agent_info")), as_object(info.get("environment_info")).get("domain_name")
    model = as_text(agent.get("llm")) or as_text(agent.get("implementation"))
    dataset = joined("tau2", as_text(domain))
    runs = list(_simulated(simulations, tasks, model, path, bundle))
    metadata = without_none(
        source=SOURCE_2, model=model, domain=domain, agent=agent.get("implementation"), created=value.get("timestamp"),
        user=as_object(info.get("user_info")).get("llm"), commit=info.get("git_commit"),
    )  # fmt: skip
    bundle.experiments.append(ForeignExperiment(joined(dataset, model), dataset, runs, metadata))
    return bundle


def transcripts_2(path: Path) -> list[Transcript]:
    """The conversations of a file, with the calls that their tasks expect of the agent and the rewards they got."""
    value = json_object(path, "results of tau2")
    tasks = {as_text(task.get("id")) or "": task for task in map(as_object, as_list(value.get("tasks")))}
    agent = as_object(as_object(value.get("info")).get("agent_info"))
    model = as_text(agent.get("llm")) or as_text(agent.get("implementation"))
    simulations = [simulation for simulation in as_list(value.get("simulations")) if isinstance(simulation, dict)]
    if not simulations:
        raise refused(path, "has no simulations; name the folder that has results.json and simulations/")
    return named_apart([_transcript_2(simulation, tasks, model) for simulation in simulations])


def _transcript_2(simulation: dict[str, Any], tasks: dict[str, Any], model: str | None) -> Transcript:
    key = as_text(simulation.get("task_id")) or "no task"
    task, trial = tasks.get(key, {}), simulation.get("trial")
    actions = as_object(task.get("evaluation_criteria")).get("actions")
    rewards = {score.name: score.value for score in _rewards(as_object(simulation.get("reward_info")))}
    metadata = without_none(
        trial=str(trial) if isinstance(trial, int) else "0",
        reported=without_none(**rewards, termination_reason=as_text(simulation.get("termination_reason"))),
        instruction=task.get("user_scenario"),
    )
    if isinstance(actions, list):
        of_agent = [
            read_call(action) for action in actions if as_object(action).get("requestor", "assistant") == "assistant"
        ]
        metadata["expected_tool_calls"] = [{"name": call.name, "args": call.args} for call in of_agent if call.name]
    chat = [message for message in as_list(simulation.get("messages")) if isinstance(message, dict)]
    transcript = messages.from_messages(chat, key, f"{key}.{metadata['trial']}", model=model, metadata=metadata)
    return transcript.model_copy(update={"source": SOURCE_2})


def _simulated(
    simulations: list[Any], tasks: dict[str, Any], model: str | None, path: Path, bundle: Bundle
) -> Iterator[ForeignRun]:
    for number, value in enumerate(simulations):
        key = as_text(as_object(value).get("task_id"))
        if key is None:
            bundle.not_understood["simulation without a task_id"] += 1
            continue
        yield _simulation(value, key, number, tasks.get(key, {}), model, path)


def _simulation(
    simulation: dict[str, Any], key: str, number: int, task: dict[str, Any], model: str | None, path: Path
) -> ForeignRun:
    trial, ended = simulation.get("trial"), as_text(simulation.get("termination_reason"))
    trial = trial + 1 if isinstance(trial, int) and trial >= 0 else 1
    chat = [message for message in as_list(simulation.get("messages")) if isinstance(message, dict)]
    transcript = messages.from_messages(chat, key, f"{key}.{trial}", model=model)
    started = time_of(simulation.get("start_time"), simulation.get("timestamp")) or file_time(path)
    trace = digest(SOURCE_2, simulation.get("id") or content_hash(path), key, trial, number)
    failed = ended in _NOT_THE_AGENT or simulation.get("reward_info") is None
    scores = [] if failed else list(_rewards(as_object(simulation.get("reward_info"))))
    if ended is not None:
        scores.append(ForeignScore("termination_reason", ended))
    scenario = task.get("user_scenario")
    return ForeignRun(
        item_key=key,
        input=scenario if scenario is not None else key,
        output=transcript.final_text(),
        expected_output=task.get("evaluation_criteria"),
        item_metadata=without_none(description=task.get("description")) or None,
        trial=trial,
        error=f"ended by {ended or 'an unknown reason'}, without a reward" if failed else None,
        scores=scores,
        spans=to_spans(transcript, trace_id=trace, started=started) if chat else (),
    )


def _rewards(reward: dict[str, Any]) -> Iterator[ForeignScore]:
    yield score_of("reward", reward.get("reward"))
    for part, value in as_object(reward.get("reward_breakdown")).items():
        yield score_of(f"reward.{part}", value)
