"""One run: a scenario is played to an agent, step by step, and every step is on disk before the next one begins.

A run that was killed goes on at the next step, with the world that its transcript tells of. An agent that fails is
recorded as having failed; whether that can be scored is for the scorer. What is played is the scenario's business.
Making the agent, closing it, asking again after a hiccup and running many at once are the caller's work.
"""

import json
import os
import platform
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gnomon._version import __version__
from gnomon.atomicfile import write_atomically
from gnomon.bench.conversation import Limits, StepConversation, messages_of, total
from gnomon.bench.family import RunSetup, Scenario, StepInput, World, read_settings
from gnomon.bench.protocol import Agent, Message
from gnomon.bench.transcripts import NAME, Writer, read_transcript
from gnomon.bench.usersim import SCRIPTED, UserSim, UserSimFailed, scripted
from gnomon.errors import InvalidInput, Refused
from gnomon.model.transcript import (
    NO_MODEL,
    ContextSent,
    RecordedConfig,
    RunConfig,
    RunEnd,
    RunHeader,
    Step,
    Transcript,
    Turn,
    Usage,
)
from gnomon.shorten import counted, shorten

CONFIG = "run_config.json"
CODE = "RUN_NOT_POSSIBLE"
_EXCERPT = 200


async def run(
    scenario: Scenario,
    agent: Agent,
    config: RunConfig,
    folder: Path,
    *,
    agent_id: str,
    run_number: int,
    now: Callable[[], str],
    user_sim: UserSim | None = None,
    limits: Limits | None = None,
    resume: bool = False,
    on_step: Callable[[Step], None] | None = None,
    max_steps: int | None = None,
    start_step: int = 0,
) -> RunEnd:
    """Play a scenario to an agent and write the run into `folder`; a run that has ended is left as it is.

    `user_sim` speaks for the user when `config.user_sim_model` names a model. `on_step` is told of each step that is
    on disk; what it raises ends the run without an end line, so that the run can be resumed, as cancelling does.
    """
    limits = limits or Limits()
    if max_steps is not None and max_steps < 1:
        raise InvalidInput.of("max_steps", f"max_steps {max_steps} leaves nothing to run; give 1 or more")
    # What is recorded says everything: defaults may change, and a run should still be repeated as it was.
    settings = read_settings(scenario.family, config.settings).model_dump(mode="json")
    config = config.model_copy(update={"settings": settings})
    plan = _plan(scenario, config, agent_id, run_number, limits)
    plan |= {"start_step": start_step, "max_steps": max_steps}
    say = _who_speaks(config, user_sim, plan["seeds"]["user_sim"])
    setup = RunSetup(config, folder, say, max_steps, start_step)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        before = _begun(folder, plan, resume)
        if before is not None and before.end is not None:
            return before.end
        world = scenario.open(setup)  # only now: a world may write into the folder
        play = _Play(scenario, agent, config, limits, world, max_steps)
        steps = _replayed(world, before)
        with Writer(folder / NAME) as writer:
            if before is None:
                _write_beginning(folder, writer, plan, setup, scenario, world, now())
            await play.go_on(writer, steps, on_step)
            end = play.end(steps, now())
            writer.end(end)
            return end
    except OSError as bad:
        words = f"{bad.filename or folder}: {bad.strerror or bad}; fix that and resume the run"
        raise Refused(words, code=CODE) from bad


def _plan(scenario: Scenario, config: RunConfig, agent_id: str, run_number: int, limits: Limits) -> dict[str, Any]:
    """All that decides a run but the agent itself, as JSON. A run is resumed only under the same plan."""
    fingerprint = dict(scenario.fingerprint)
    seed = fingerprint.pop("seed", None)
    return {
        "schema_version": 2,
        "family": scenario.family.name,
        "scenario_id": scenario.scenario_id,
        "content_hash": scenario.content_hash,
        "package_hash": scenario.package_hash,
        **fingerprint,
        "agent_id": agent_id,
        "run_number": run_number,
        "run_config": config.model_dump(mode="json"),
        "limits": asdict(limits),
        "seeds": {"scenario": seed, "user_sim": f"{scenario.content_hash}:{run_number}", "agent": run_number},
        "harness_version": __version__,
    }


def _who_speaks(config: RunConfig, user_sim: UserSim | None, seed: str) -> UserSim | None:
    name = config.user_sim_model
    if name == NO_MODEL:
        return None
    if name == SCRIPTED:
        return scripted(seed)
    if user_sim is None:
        raise InvalidInput.of(
            "user_sim_model",
            f"user_sim_model {name!r} cannot be asked here, without a user_sim; use {SCRIPTED}",
        )
    return user_sim


def _begun(folder: Path, plan: dict[str, Any], resume: bool) -> Transcript | None:
    """What an earlier attempt left, without the line that it was writing when it was killed; None if nothing."""
    path = folder / NAME
    if not path.exists():
        return None
    if not resume:
        raise Refused(f"{folder} holds a run already; resume it or choose another folder", code=CODE)
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole:
        _check_same_run(folder, read_transcript(path), plan)
    if whole < len(content):
        os.truncate(path, whole)
    return read_transcript(path) if whole else None


def _check_same_run(folder: Path, transcript: Transcript, plan: dict[str, Any]) -> None:
    try:
        was = json.loads((folder / CONFIG).read_bytes())
    except (OSError, ValueError):
        was = None
    header = transcript.header
    if not isinstance(was, dict) or header is None or was.get("run_id") != header.run_id:
        whose = f"{header.agent_id} on {header.scenario_id}" if header else transcript.source
        raise Refused(f"{folder}: {NAME} ({whose}) and {CONFIG} are not of one run; choose another folder", code=CODE)
    now = json.loads(json.dumps(plan))
    for name, value in now.items():
        if was.get(name) != value:
            shown = [shorten(json.dumps(fact), _EXCERPT) for fact in (was.get(name), value)]
            words = f"its {name} is {shown[0]}, now it is {shown[1]}"
            raise Refused(f"{folder} holds a different run: {words}; choose another folder", code=CODE)


def _replayed(world: World, before: Transcript | None) -> list[Step]:
    """The steps that are done, with the world brought to where they left it."""
    done = [] if before is None else list(before.steps)
    for step in done:
        world.replay(step)
    return done


def _write_beginning(
    folder: Path, writer: Writer, plan: dict[str, Any], setup: RunSetup, scenario: Scenario, world: World,
    started_at: str,
) -> None:  # fmt: skip
    run_id = uuid.uuid4().hex
    about = {
        **plan,
        "run_id": run_id,
        "started_at": started_at,
        "python_version": platform.python_version(),
        "scenario_path": None if scenario.path is None else str(scenario.path.resolve()),
    }
    write_atomically(folder / CONFIG, json.dumps(about, indent=2, ensure_ascii=False) + "\n")
    known = {name: plan[name] for name in RunHeader.model_fields if name in plan and name != "run_config"}
    writer.header(
        RunHeader(
            **known,
            run_id=run_id,
            started_at=started_at,
            run_config=RecordedConfig(**setup.config.model_dump()),
            system_prompt=world.system_prompt,
            planned_steps=world.planned_steps,
        )
    )


@dataclass
class _Play:
    """One scenario and one agent."""

    scenario: Scenario
    agent: Agent
    config: RunConfig
    limits: Limits
    world: World
    max_steps: int | None

    async def go_on(self, writer: Writer, steps: list[Step], on_step: Callable[[Step], None] | None) -> None:
        """Play what comes after `steps`, and add to them."""
        while not self._given_up(steps) and (self.max_steps is None or len(steps) < self.max_steps):
            step = await self._next(steps)
            if step is None:
                return
            steps.append(step)
            writer.step(step)
            if on_step is not None:
                on_step(step)

    def _given_up(self, steps: Sequence[Step]) -> bool:
        last = steps[-self.limits.failed_steps :]
        return len(last) == self.limits.failed_steps and all(step.error is not None for step in last)

    async def _next(self, done: Sequence[Step]) -> Step | None:
        try:
            begun = await self.world.begin(done)
        except UserSimFailed as failed:
            number = done[-1].step_id + 1 if done else 0
            return Step(step_id=number, turns=[], stop_reason="error", error=" ".join(str(failed).split()))
        return None if begun is None else await self._step(begun, done)

    async def _step(self, begun: StepInput, done: Sequence[Step]) -> Step:
        talk = StepConversation(self.agent, self.world, self.limits)
        await talk.hold(self._messages(begun, done, talk), self.config.max_tool_turns)
        record = self.world.end()
        return Step(
            step_id=begun.step_id,
            timestamp=begun.timestamp,
            scenario_hash=self.scenario.content_hash,
            context_sent=ContextSent(
                system_prompt_tokens=estimated_tokens(self.world.system_prompt),
                user_message_tokens=estimated_tokens(begun.message),
            ),
            turns=[Turn(agent_text=text, tool_calls=calls) for text, calls in talk.turns],
            memory_ops=list(record.memory_ops),
            user_sim_interactions=list(record.user_sim_interactions),
            user_message=begun.message,
            usage=_usage([(reply.tokens_input, reply.tokens_output) for reply in talk.replies]),
            cost_usd=total(reply.cost_usd for reply in talk.replies),
            latency_ms=round(talk.agent_seconds * 1000, 3),
            stop_reason=talk.stop_reason,
            error=talk.error,
            truncated_calls=talk.not_done or None,
            served_model=_names(reply.model for reply in talk.replies),
        )

    def _messages(self, begun: StepInput, done: Sequence[Step], talk: StepConversation) -> list[Message]:
        """What the agent is given. Earlier steps are told as they were recorded, so that a resumed run is no other."""
        messages: list[Message] = [{"role": "system", "content": self.world.system_prompt}]
        if self.world.keeps_context:
            for step in done:
                messages += messages_of(step, self.world)
                talk.ids |= {call.id for turn in step.turns for call in turn.tool_calls if call.id}
        return [*messages, {"role": "user", "content": begun.message}]

    def end(self, steps: Sequence[Step], finished_at: str) -> RunEnd:
        failed = [step for step in steps if step.error is not None]
        count = f"{len(failed)} of {counted(len(steps), 'step')}"
        reasons = [f"{count} failed, the last with: {failed[-1].error}"] if failed else []
        return RunEnd(
            status="error" if self._given_up(steps) else "ok",
            reason="; ".join([*reasons, *self.world.remarks()]) or None,
            finished_at=finished_at,
            steps=len(steps),
            usage=_usage([(step.usage.input, step.usage.output) for step in steps if step.usage is not None]),
            cost_usd=total(step.cost_usd for step in steps),
            served_model=_names(step.served_model for step in steps),
            memory=self.world.memory(),
            state=self.world.state(),
            latency_ms=total(step.latency_ms for step in steps),
        )


def estimated_tokens(text: str) -> int:
    """Four characters a token: near enough to see how large a context was, for any model."""
    return -(-len(text) // 4)


def _usage(tokens: Sequence[tuple[int | None, int | None]]) -> Usage | None:
    tokens_in, tokens_out = total(pair[0] for pair in tokens), total(pair[1] for pair in tokens)
    if tokens_in is None and tokens_out is None:
        return None
    return Usage(
        input=None if tokens_in is None else int(tokens_in), output=None if tokens_out is None else int(tokens_out)
    )


def _names(models: Iterable[str | None]) -> str | None:
    """The models that served, each once."""
    return ", ".join(dict.fromkeys(name for name in models if name)) or None
