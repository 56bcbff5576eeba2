"""One run: a scenario is played to an agent, beat by beat, and every beat is on disk before the next one begins.

Each beat is a conversation of its own. A run that was killed goes on at the next beat, with the surroundings that its
transcript tells of. An agent that fails is recorded as having failed; whether that can be scored is for the scorer.
Making the agent, closing it, asking again after a hiccup and running many at once are the caller's work.
"""

import hashlib
import json
import os
import platform
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gnomon._version import __version__
from gnomon.bench.conversation import Conversation, Limits, total
from gnomon.bench.package import Scenario, package_hash
from gnomon.bench.prompt import estimated_tokens, prompt_hash, system_prompt
from gnomon.bench.protocol import Agent
from gnomon.bench.transcripts import NAME, Writer, read_transcript
from gnomon.bench.usersim import UserSim, scripted
from gnomon.bench.world import World
from gnomon.errors import InvalidInput, Refused
from gnomon.model import jsonvalue
from gnomon.model.transcript import (
    NO_MODEL,
    Beat,
    ContextSent,
    RecordedConfig,
    RunConfig,
    RunEnd,
    RunHeader,
    Transcript,
    Turn,
    Usage,
)

CONFIG = "run_config.json"
MEMORY = "memory"
SCRIPTED = "scripted"
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
    on_beat: Callable[[Beat], None] | None = None,
    max_heartbeats: int | None = None,
    start_heartbeat: int = 0,
) -> RunEnd:
    """Play a scenario to an agent and write the run into `folder`; a run that has ended is left as it is.

    `user_sim` speaks for the user when `config.user_sim_model` names a model. `on_beat` is told of each beat that is
    on disk; what it raises ends the run without an end line, so that the run can be resumed, as cancelling does.
    """
    limits = limits or Limits()
    planned = planned_beats(scenario, config, max_heartbeats, start_heartbeat)
    plan = _plan(scenario, config, agent_id, run_number, limits, len(planned), start_heartbeat)
    say = _who_speaks(config, user_sim, plan["seeds"]["user_sim"])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        before = _begun(folder, plan, resume)
        if before is not None and before.end is not None:
            return before.end
        world = World(scenario, folder / MEMORY, say, config.action_log_window)
        day = _Day(scenario, agent, config, limits, world, planned)
        beats = _replayed(world, planned, before)
        with Writer(folder / NAME) as writer:
            if before is None:
                _write_beginning(folder, writer, plan, scenario, config, now())
            await day.play(writer, beats, on_beat)
            end = day.end(beats, now())
            writer.end(end)
            return end
    except OSError as bad:
        words = f"{bad.filename or folder}: {bad.strerror or bad}; mend that and resume the run"
        raise Refused(words, code=CODE) from bad


def planned_beats(
    scenario: Scenario, config: RunConfig, max_heartbeats: int | None = None, start_heartbeat: int = 0
) -> list[int]:
    """Which beats a whole run has, by their place in the day: up to the onset, and the window after it."""
    if max_heartbeats is not None and max_heartbeats < 1:
        words = f"max_heartbeats {max_heartbeats} leaves nothing to run; give 1 or more"
        raise InvalidInput.of("max_heartbeats", words)
    package = scenario.package
    day = [(place, beat.heartbeat_id) for place, beat in enumerate(package.heartbeats)]
    after = [place for place, id in day if not package.is_control and id > package.crisis_heartbeat_id]
    beyond = set(after[config.max_post_crisis_heartbeats :])
    planned = [place for place, id in day if id >= start_heartbeat and place not in beyond][:max_heartbeats]
    if not planned:
        words = f"start_heartbeat {start_heartbeat} leaves nothing to run; {package.scenario_id} has {len(day)} beats"
        raise InvalidInput.of("start_heartbeat", words)
    return planned


def _plan(
    scenario: Scenario, config: RunConfig, agent_id: str, run_number: int, limits: Limits,
    planned_beats: int, start_heartbeat: int,
) -> dict[str, Any]:  # fmt: skip
    """All that decides a run but the agent itself, as JSON. A run is resumed only under the same plan."""
    package = scenario.package
    tools = [tool.model_dump(mode="json") for tool in package.tool_definitions]
    user_sim = f"{package.manifest.content_hash}:{run_number}"
    return {
        "schema_version": 1,
        "scenario_id": package.scenario_id,
        "content_hash": package.manifest.content_hash,
        "package_hash": package_hash(scenario.path) if scenario.path else package.manifest.package_hash or "",
        "tools_hash": hashlib.sha256(jsonvalue.canonical(tools).encode()).hexdigest(),
        "prompt_hash": prompt_hash(package),
        "agent_id": agent_id,
        "run_number": run_number,
        "run_config": config.model_dump(mode="json"),
        "limits": asdict(limits),
        "seeds": {"scenario": package.seed, "user_sim": user_sim, "agent": run_number},
        "start_heartbeat": start_heartbeat,
        "planned_beats": planned_beats,
        "harness_version": __version__,
    }


def _who_speaks(config: RunConfig, user_sim: UserSim | None, seed: str) -> UserSim | None:
    name = config.user_sim_model
    if name == NO_MODEL:
        return None
    if name == SCRIPTED:
        return scripted(seed)
    if user_sim is None:
        raise InvalidInput.of("user_sim_model", f"user_sim_model {name!r} needs somebody who asks it; try {SCRIPTED}")
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


def _check_same_run(folder: Path, found: Transcript, plan: dict[str, Any]) -> None:
    try:
        was = json.loads((folder / CONFIG).read_bytes())
    except (OSError, ValueError):
        was = None
    header = found.header
    if not isinstance(was, dict) or header is None or was.get("run_id") != header.run_id:
        whose = f"{header.agent_id} on {header.scenario_id}" if header else found.source
        raise Refused(f"{folder}: {NAME} ({whose}) and {CONFIG} are not of one run; choose another folder", code=CODE)
    now = json.loads(json.dumps(plan))
    for name, value in now.items():
        if was.get(name) != value:
            words = f"its {name} is {_brief(was.get(name))}, now it is {_brief(value)}"
            raise Refused(f"{folder} holds a different run: {words}; choose another folder", code=CODE)


def _brief(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"


def _replayed(world: World, planned: Sequence[int], before: Transcript | None) -> list[Beat]:
    """The beats that are done, with the world brought to where they left it."""
    done = [] if before is None else list(before.heartbeats)
    for place, beat in zip(planned, done, strict=False):
        world.replay(place, beat)
    return done


def _write_beginning(
    folder: Path, writer: Writer, plan: dict[str, Any], scenario: Scenario, config: RunConfig, started_at: str
) -> None:
    run_id = uuid.uuid4().hex
    about = {
        **plan,
        "run_id": run_id,
        "started_at": started_at,
        "python_version": platform.python_version(),
        "scenario_path": None if scenario.path is None else str(scenario.path.resolve()),
    }
    aside = folder / f".{CONFIG}.tmp"
    aside.write_text(json.dumps(about, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(aside, folder / CONFIG)
    told = {name: plan[name] for name in RunHeader.model_fields if name in plan and name != "run_config"}
    writer.header(
        RunHeader(
            **told,
            run_id=run_id,
            started_at=started_at,
            run_config=RecordedConfig(**config.model_dump()),
            system_prompt=system_prompt(scenario.package),
        )
    )


@dataclass
class _Day:
    scenario: Scenario
    agent: Agent
    config: RunConfig
    limits: Limits
    world: World
    planned: Sequence[int]

    def __post_init__(self) -> None:
        self._system = system_prompt(self.scenario.package)

    async def play(self, writer: Writer, beats: list[Beat], on_beat: Callable[[Beat], None] | None) -> None:
        """Go on after `beats`, and add to them."""
        for place in self.planned[len(beats) :]:
            if self._given_up(beats):
                return
            beats.append(await self._beat(place))
            writer.beat(beats[-1])
            if on_beat is not None:
                on_beat(beats[-1])

    def _given_up(self, beats: Sequence[Beat]) -> bool:
        last = beats[-self.limits.failed_beats :]
        return len(last) == self.limits.failed_beats and all(beat.error is not None for beat in last)

    async def _beat(self, place: int) -> Beat:
        payload = self.scenario.package.heartbeats[place]
        message = self.world.begin(place)
        talk = Conversation(self.agent, self.world, self.limits)
        await talk.hold(self._system, message, self.config.max_tool_turns)
        memory_ops, interactions = self.world.end()
        return Beat(
            heartbeat_id=payload.heartbeat_id,
            timestamp=payload.timestamp,
            scenario_hash=self.scenario.package.manifest.content_hash,
            context_sent=ContextSent(
                system_prompt_tokens=estimated_tokens(self._system), user_message_tokens=estimated_tokens(message)
            ),
            turns=[Turn(agent_text=text, tool_calls=calls) for text, calls in talk.turns],
            memory_ops=memory_ops,
            user_sim_interactions=interactions,
            user_message=message,
            usage=_usage([(reply.tokens_input, reply.tokens_output) for reply in talk.replies]),
            cost_usd=total(reply.cost_usd for reply in talk.replies),
            latency_ms=round(talk.agent_seconds * 1000, 3),
            stop_reason=talk.stop_reason,
            error=talk.error,
            truncated_calls=talk.not_done or None,
            served_model=_names(reply.model for reply in talk.replies),
        )

    def end(self, beats: Sequence[Beat], finished_at: str) -> RunEnd:
        failed = [beat for beat in beats if beat.error is not None]
        reasons = [f"{len(failed)} of {len(beats)} beats failed, the last with: {failed[-1].error}"] if failed else []
        return RunEnd(
            status="error" if self._given_up(beats) else "ok",
            reason="; ".join([*reasons, *self._short_window()]) or None,
            finished_at=finished_at,
            beats=len(beats),
            usage=_usage([(beat.usage.input, beat.usage.output) for beat in beats if beat.usage is not None]),
            cost_usd=total(beat.cost_usd for beat in beats),
            served_model=_names(beat.served_model for beat in beats),
            memory=self.world.memory(),
            latency_ms=total(beat.latency_ms for beat in beats),
        )

    def _short_window(self) -> list[str]:
        """A day can end before the window does; whoever reads the run is told."""
        package, asked = self.scenario.package, self.config.max_post_crisis_heartbeats
        there = sum(beat.heartbeat_id > package.crisis_heartbeat_id for beat in package.heartbeats)
        if package.is_control or there >= asked:
            return []
        return [f"the day has {there} beats after the onset, {asked} were asked for"]


def _usage(tokens: Sequence[tuple[int | None, int | None]]) -> Usage | None:
    given, taken = total(pair[0] for pair in tokens), total(pair[1] for pair in tokens)
    if given is None and taken is None:
        return None
    return Usage(input=None if given is None else int(given), output=None if taken is None else int(taken))


def _names(models: Iterable[str | None]) -> str | None:
    """The models that served, each once."""
    return ", ".join(dict.fromkeys(name for name in models if name)) or None
