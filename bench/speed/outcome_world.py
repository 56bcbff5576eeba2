"""A made-up project for the outcome benchmark: a git history, plans, an iteration log with sidecars, session files.

The same seed gives the same bytes and commit ids. The history has what makes landing hard to tell: merges, squashed
and rebased branches, reverts, reverts of reverts, branches that never landed. Left out: broken files.
"""

import json
import os
import random
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench.speed.outcome_sessions import Work, moment, new_id, write_sessions

SEED = 7
BEGAN = 1_740_787_200  # 2025-03-01
YEAR = 365 * 86_400
TASKS_A_PLAN = 25
# How an iteration's work came to the trunk, and how often of a hundred times.
WAYS = {
    "plain": 78, "merged": 7, "squashed": 3, "rebased": 3, "reverted": 3, "relanded": 2,
    "lost": 1, "unknown": 1, "none": 2,
}  # fmt: skip
PACKAGES = [
    "auth", "billing", "catalog", "export", "ingest", "ledger", "mailer", "metrics", "orders", "panel", "queue",
    "quota", "render", "routing", "schema", "search", "session", "storage", "sync", "tokens", "uploads", "users",
]  # fmt: skip
VERBS = ["add", "fix", "drop", "speed up", "split", "rename", "guard", "cache", "retry", "log", "test", "tidy"]
THINGS = [
    "the empty page", "retries after a timeout", "keys with a colon", "the first row", "time zones", "a stale lock",
    "large bodies", "the dry run", "unknown fields", "the second migration", "partial writes", "the default limit",
]  # fmt: skip


@dataclass(frozen=True)
class Size:
    commits: int
    iterations: int
    transcript_bytes: int


SIZES = {"small": Size(2_000, 100, 50_000_000), "medium": Size(20_000, 1_000, 1_000_000_000)}


@dataclass(frozen=True)
class World:
    folder: Path
    size: Size
    tip: str
    """The trunk's newest commit: two worlds with the same one have the same history."""

    @property
    def repo(self) -> Path:
        return self.folder / "repo"

    @property
    def log(self) -> Path:
        return self.repo / ".agents/active/iteration-log"

    @property
    def transcripts(self) -> tuple[Path, ...]:
        return self.folder / "claude/projects", self.folder / "codex/sessions"


def make(folder: Path, size: Size, seed: int = SEED) -> World:
    """Write a world into a folder that is empty or not there."""
    chance = random.Random(seed)
    repo = folder / "repo"
    repo.mkdir(parents=True)
    git(repo, "init", "--quiet", "--initial-branch=main")
    with History(repo, chance, YEAR / size.commits) as history:
        episodes = _episodes(history, size)
    git(repo, "reset", "--quiet", "--hard", "main")
    _agents(episodes, chance)
    for episode in episodes:
        _log(repo, episode, chance)
    work = [Work(episode.session, episode.harness == "codex", episode.began, episode.ended) for episode in episodes]
    write_sessions(folder, work, size.transcript_bytes, chance)
    world = World(folder, size, git(repo, "rev-parse", "main").strip())
    (folder / "world.json").write_text(json.dumps({**asdict(size), "seed": seed, "tip": world.tip}))
    return world


def load(folder: Path) -> World:
    """The world that `make` wrote there."""
    result = json.loads((folder / "world.json").read_text())
    return World(folder, Size(result["commits"], result["iterations"], result["transcript_bytes"]), result["tip"])


def files(world: World) -> Iterator[Path]:
    """Every session file."""
    for folder in world.transcripts:
        yield from sorted(folder.rglob("*.jsonl"))


def git(repo: Path, *arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(
        ["git", *arguments], cwd=repo, env=environment, check=True, capture_output=True, text=True
    ).stdout


# --- history -----


@dataclass
class Task:
    plan: str
    id: str
    package: str
    write_scope: list[str]


@dataclass
class Episode:
    """One iteration, as its maker knows it."""

    number: int
    task: Task
    way: str
    began: int
    ended: int = 0
    commit: str = ""
    subject: str = ""
    files: int = 0
    session: str = ""
    harness: str = ""


Files = dict[str, list[str]]  # path → blocks of text


@dataclass(frozen=True)
class Made:
    """A commit, and what its files were before and after it."""

    mark: int
    subject: str
    time: int
    before: Files
    after: Files


@dataclass
class History:
    """Writes one `git fast-import` stream. A change replaces blocks of files, a revert puts them back."""

    repo: Path
    chance: random.Random
    seconds_a_commit: float
    now: int = BEGAN
    tip: int = 0
    made: int = 0
    """Commits that the trunk has."""
    tree: Files = field(default_factory=dict)
    busy: set[str] = field(default_factory=set)
    """Packages that others keep away from, so that a merge or a revert meets no conflict."""
    _marks: int = 0

    def __enter__(self) -> "History":
        command = ["git", "-c", "core.compression=1", "fast-import", "--quiet"]
        self._process = subprocess.Popen(command, cwd=self.repo, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stream, self._answers = self._process.stdin, self._process.stdout
        for package in PACKAGES:
            paths = [f"src/{package}/part{n}.py" for n in range(12)]
            paths += [f"tests/{package}/test_part{n}.py" for n in range(4)]
            for path in [*paths, f"docs/{package}.md"]:
                self.tree[path] = [self._block() for _ in range(self.chance.randint(4, 10))]
        self.land(("Start", ""), self.tree)
        return self

    def __exit__(self, *failed: object) -> None:
        self._stream.close()
        if self._process.wait() and not any(failed):
            raise SystemExit("git fast-import failed")

    def _block(self) -> str:
        chance = self.chance
        lines = [f"def {chance.choice(PACKAGES)}_{chance.getrandbits(24):06x}(value):"]
        lines += [f"    # {chance.choice(VERBS)} {chance.choice(THINGS)}"]
        lines += [f"    value = value * {chance.randrange(1000)} + {n}" for n in range(chance.randint(2, 6))]
        return "\n".join([*lines, "    return value"])

    def change(self, paths: list[str], tree: Files) -> Files:
        """Other text for one block of each of these files."""
        changed = {}
        for path in paths:
            changed[path] = list(tree[path])
            changed[path][self.chance.randrange(len(tree[path]))] = self._block()
        return changed

    def paths(self, package: str, count: int) -> list[str]:
        own = [path for path in self.tree if f"/{package}/" in path and not path.startswith(".")]
        return self.chance.sample(own, count)

    def land(self, message: tuple[str, str], files: Files, merged: int = 0) -> Made:
        """A commit on the trunk; with `merged` a merge of that other one."""
        made = self.commit("refs/heads/main", [self.tip, merged], message, files)
        self.tree.update(files)
        self.tip, self.made = made.mark, self.made + 1
        return made

    def commit(self, ref: str, parents: list[int], message: tuple[str, str], files: Files) -> Made:
        subject, body = message
        self.now += 1 + int(self.chance.expovariate(1 / (self.seconds_a_commit - 1)))
        self._marks += 1
        told = (f"{subject}\n\n{body}\n" if body else f"{subject}\n").encode()
        person = f"Dev {self.chance.randrange(8)} <dev@example.com> {self.now} +0000"
        self._stream.write(f"commit {ref}\nmark :{self._marks}\ncommitter {person}\ndata {len(told)}\n".encode() + told)
        for word, parent in zip(("from", "merge"), parents, strict=False):
            if parent:
                self._stream.write(f"{word} :{parent}\n".encode())
        for path, blocks in files.items():
            text = ("\n\n".join(blocks) + "\n").encode()
            self._stream.write(f"M 100644 inline {path}\ndata {len(text)}\n".encode() + text + b"\n")
        before = {path: self.tree[path] for path in files if path in self.tree}
        return Made(self._marks, subject, self.now, before, files)

    def id(self, mark: int) -> str:
        self._stream.write(f"get-mark :{mark}\n".encode())
        self._stream.flush()
        return self._answers.readline().decode().strip()

    def message(self, package: str) -> tuple[str, str]:
        chance = self.chance
        subject = f"{package}: {chance.choice(VERBS)} {chance.choice(THINGS)} (#{self._marks})"
        lines = [f"Mind {chance.choice(THINGS)} when {chance.choice(THINGS)} comes first." for _ in range(3)]
        if chance.random() < 0.05:
            lines.append(f"Follow-up to {chance.getrandbits(40):010x}; do not revert it alone.")
        return subject, "\n".join(lines[chance.randrange(4) :])

    def plain(self) -> None:
        """Somebody's commit that belongs to no iteration; one of a hundred is taken back at once."""
        package = self.chance.choice([package for package in PACKAGES if package not in self.busy])
        made = self.land(self.message(package), self.change(self.paths(package, self.chance.randint(1, 4)), self.tree))
        if self.chance.random() < 0.01:
            self.revert(made)

    def revert(self, made: Made) -> Made:
        body = f"This reverts commit {self.id(made.mark)}."
        return self.land((f'Revert "{made.subject}"', body), made.before)


def _episodes(history: History, size: Size) -> list[Episode]:
    """One after the other, each with its share of the commits, so that the trunk has exactly as many as asked for."""
    chance = history.chance
    episodes: list[Episode] = []
    plan: list[Task] = []
    ways = [way for way, share in WAYS.items() for _ in range(share * size.iterations // 100)]
    chance.shuffle(ways)
    later: Callable[[], None] | None = None
    for number, way in enumerate(ways, 1):
        if (number - 1) % TASKS_A_PLAN == 0:
            plan = _new_plan(history, number)
        elif number % TASKS_A_PLAN == TASKS_A_PLAN // 2:
            _widen(history, plan)
        if later:
            later()
        # A task may take two iterations; the second then has the first one's number.
        task = plan[(number - 1) % TASKS_A_PLAN - (number % 10 == 0)]
        episode = Episode(number, task, way, episodes[-1].ended if episodes else BEGAN)
        due = number * size.commits // size.iterations
        while history.made < due - 8:
            history.plain()
        later = _work(history, episode)
        while history.made < due - 4:
            history.plain()
        episodes.append(episode)
    if later:
        later()
    while history.made < size.commits:
        history.land(history.message("docs"), history.change(["docs/auth.md"], history.tree))
    assert history.made == size.commits
    return episodes


def _new_plan(history: History, number: int) -> list[Task]:
    name, tasks = f"plan-{number // TASKS_A_PLAN:03d}", []
    for n in range(TASKS_A_PLAN):
        package = history.chance.choice(PACKAGES)
        entries = [f"src/{package}/", f"src/{package}", f"src/{package}/part{n % 12}.py", f"src/{package}/*.py"]
        scope = [history.chance.choice(entries), f"tests/{package}/", f"docs/{package}.md"]
        tasks.append(Task(name, f"t{n:02d}-{package}-{number + n}", package, scope))
    history.land((f"plans: start {name}", ""), {_plan_path(name): [_plan_text(name, tasks)]})
    return tasks


def _widen(history: History, plan: list[Task]) -> None:
    """A plan is changed under way: what counts for a commit is how it was then."""
    for task in history.chance.sample(plan, 5):
        task.write_scope.append(f"src/{history.chance.choice(PACKAGES)}/")
    history.land((f"plans: widen {plan[0].plan}", ""), {_plan_path(plan[0].plan): [_plan_text(plan[0].plan, plan)]})


def _plan_path(name: str) -> str:
    return f".agents/workflow/plans/{name}/TASKS.yaml"


def _plan_text(name: str, tasks: list[Task]) -> str:
    lines = ["schema_version: 1", f"plan_id: {name}", "tasks:"]
    for task in tasks:
        lines += [f"  - id: {task.id}", f"    title: {task.package}, done and tested", "    status: pending"]
        lines += ["    depends_on: []", "    owner: team", "    write_scope:"]
        lines += [f"      - {entry!r}" for entry in task.write_scope]
        lines += [
            "    verification_required: true",
            f"    notes: Stay within {task.package} unless a test asks for more.",
        ]
    return "\n".join(lines)


def _work(history: History, episode: Episode) -> Callable[[], None] | None:
    """Commit the iteration's work in its way. What comes back is to be done later, such as the revert."""
    chance, package = history.chance, episode.task.package
    paths = history.paths(package, chance.randint(1, 5))
    if chance.random() < 0.25:
        paths += history.paths(chance.choice([other for other in PACKAGES if other != package]), 1)
    message = history.message(package)
    episode.subject, episode.files = message[0], len(paths)
    if episode.way in ("plain", "reverted", "relanded"):
        return _on_the_trunk(history, episode, history.land(message, history.change(paths, history.tree)))
    if episode.way in ("none", "unknown"):
        episode.ended = history.now
        episode.commit = f"{chance.getrandbits(160):040x}" if episode.way == "unknown" else ""
        return None
    _on_a_branch(history, episode, message, paths)
    return None


def _on_the_trunk(history: History, episode: Episode, made: Made) -> Callable[[], None] | None:
    episode.ended, episode.commit = made.time, history.id(made.mark)
    if episode.way == "plain":
        return None
    history.busy = {path.split("/")[1] for path in made.after}

    def take_back() -> None:
        reverted = history.revert(made)
        if episode.way == "relanded":
            history.revert(reverted)
        history.busy = set()

    return take_back


def _on_a_branch(history: History, episode: Episode, message: tuple[str, str], paths: list[str]) -> None:
    ref, whole, branch = f"refs/heads/topic/{episode.number}", Files(), history.tip
    made: Made | None = None
    for n in range(1 if episode.way == "rebased" else 3):
        files = history.change(paths, history.tree | whole)
        made = history.commit(ref, [branch], message if n == 0 else history.message(episode.task.package), files)
        branch, whole = made.mark, whole | files
    assert made
    episode.ended, episode.commit = made.time, history.id(branch)
    history.busy = {path.split("/")[1] for path in paths}
    history.plain()
    if episode.way == "merged":
        history.made += 3
        merge = history.land((f"Merge branch 'topic/{episode.number}'", message[0]), whole, merged=branch)
        if history.chance.random() < 0.5:
            episode.ended, episode.commit = merge.time, history.id(merge.mark)
    elif episode.way != "lost":
        history.land(message, whole)
    history.busy = set()


# --- the log and its sidecars -----


def _agents(episodes: list[Episode], chance: random.Random) -> None:
    """Who did it: sessions of one to six iterations."""
    session, harness, left = "", "", 0
    for episode in episodes:
        if left == 0:
            session, left = new_id(chance), chance.randint(1, 6)
            harness = "codex" if chance.random() < 0.15 else "claude-code"
        episode.session, episode.harness, left = session, harness, left - 1


def _log(repo: Path, episode: Episode, chance: random.Random) -> None:
    log = repo / ".agents/active/iteration-log"
    log.mkdir(parents=True, exist_ok=True)
    path = log / f"iter-{episode.number}.yaml"
    commit = episode.commit[: chance.choice([40, 40, 12, 8])]
    day = moment(episode.ended)[:10]
    head = f"""iteration: {episode.number}
date: "{day}"
wave: {episode.task.plan}
task_id: {episode.task.id}
commit: "{commit}"
files_changed: {episode.files}
lines_added: {chance.randrange(400)}
lines_removed: {chance.randrange(200)}
"""
    if chance.random() < 0.1:
        path.write_text("schema_version: 1\n" + head + _flat(episode, chance))
    else:
        path.write_text("schema_version: 2\n" + head + _nested(episode, chance))
        if chance.random() < 0.2:
            _artefacts(repo, episode, chance)
    if chance.random() < 0.3:
        path.with_suffix(".hook-outcomes.yaml").write_text(_hooks(episode, chance))
    if chance.random() < 0.1:
        path.with_suffix(".labels.yaml").write_text(_label(episode, chance))


def _flat(episode: Episode, chance: random.Random) -> str:
    return f"""first_commit: false
item: "{episode.subject}"
tests_added: {chance.randrange(9)}
tests_total_pass: {_yes(chance, 0.9)}
retries: {int(chance.random() < 0.2)}
scope_note: "{chance.choice(["on-target", "on-target", "partial", "scope-breach", ""])}"
summary: "{episode.subject}"
self_assessment:
  read_loop_state: true
  one_item_only: true
  committed_after_tests: {_yes(chance, 0.95)}
  persisted_via_workflow_commands: "yes"
"""


def _nested(episode: Episode, chance: random.Random) -> str:
    artefact = f".agents/active/verification/{episode.task.id}"
    parts = []
    if chance.random() < 0.5:
        at = moment(episode.ended + chance.randint(0, 60))
        parts.append(f'checkpoint_at: "{at[:19]}Z"\n')
    if chance.random() < 0.92:
        parts.append(f"agent:\n  session_id: {episode.session}\n  harness: {episode.harness}\n  model: model-1\n")
    if chance.random() < 0.2:
        read = chance.randrange(1_000_000)
        parts.append(f"session_tokens:\n  input_tokens: 900\n  output_tokens: 4000\n  cache_read_tokens: {read}\n")
        parts.append(f"  cache_creation_tokens: 40000\n  cache_hit_rate: {read / (read + 40_000):.4f}\n")
    verdict = chance.choice(["accept", "accept", "accept", "reject", "escalate", ""])
    parts.append(f"""impl:
  item: "{episode.subject}"
  summary: "{episode.subject}"
  scope_note: {chance.choice(["on-target", "on-target", "on-target", "partial", "scope-breach"])}
  retries: {int(chance.random() < 0.2)}
  focused_tests_added: {chance.randrange(9)}
  focused_tests_pass: {_yes(chance, 0.95)}
  self_assessment:
    one_item_only: true
    aligned_with_canonical_tasks: true
    persisted_via_workflow_commands: "{chance.choice(["yes", "yes", "no", ""])}"
    no_destructive_commands: true
    scoped_tests_to_write_scope: {_yes(chance, 0.9)}
verifiers:
  - type: unit
    status: {chance.choice(["pass", "pass", "pass", "partial", "fail", "unknown"])}
    gate_passed: true
    tests_added: {chance.randrange(5)}
    tests_total_pass: {_yes(chance, 0.9)}
    retries: {int(chance.random() < 0.1)}
    result_artifact: {artefact}/unit.result.yaml
  - type: review-gate
    status: {chance.choice(["pass", "pass", "unknown"])}
    gate_passed: true
    retries: 0
    result_artifact: ""
review:
  phase_1_decision: "{verdict}"
  phase_2_decision: "{verdict}"
  overall_decision: "{verdict}"
  failed_gates: []
  reviewer_notes: ""
  decision_artifact: {artefact}/review-decision.yaml
""")
    return "".join(parts)


def _artefacts(repo: Path, episode: Episode, chance: random.Random) -> None:
    folder = repo / ".agents/active/verification" / episode.task.id
    folder.mkdir(parents=True, exist_ok=True)
    status = chance.choice(["pass", "pass", "fail", "partial"])
    head = f"schema_version: 1\ntask_id: {episode.task.id}\nparent_plan_id: {episode.task.plan}\n"
    (folder / "unit.result.yaml").write_text(f"{head}verifier_type: unit\nstatus: {status}\nsummary: all tests\n")
    corrections = "".join(f'\n    - "look at case {n}"' for n in range(chance.randrange(1, 3)))
    decision = f"overall_decision: accept\npost_invocation:\n  user_corrections:{corrections}\n  retries_in_loop: 0\n"
    (folder / "review-decision.yaml").write_text(head + decision)


def _hooks(episode: Episode, chance: random.Random) -> str:
    records = ["schema_version: 1\nrecords:\n"]
    for n in range(chance.randint(1, 4)):
        sentinel = f"iteration-close-{episode.number}-{n}"
        records.append(f"""    - schema_version: 1
      sentinel_id: {sentinel}
      skill: iteration-close
      lifecycle_point: stop
      intervention_class: {chance.choice(["remediate_at_stop", "prevent_before_action", "continuity_advice"])}
      result: {chance.choice(["allow", "allow", "advise", "remediate"])}
      rule_id: iteration-close.R1.{chance.randint(1, 4)}
      platform: claude
      ts: "{moment(episode.ended)}"
      correlation_id: {sentinel}
""")
    return "".join(records)


def _label(episode: Episode, chance: random.Random) -> str:
    at = moment(episode.ended + 86_400)
    return f"""iteration: {episode.number}
schema_version: 1.0.0
labels:
  - id: {chance.getrandbits(128):032x}
    iteration: {episode.number}
    actor: reviewer-{chance.randrange(3)}
    role: reviewer
    schema_version: 1.0.0
    created_at: "{at}"
    updated_at: "{at}"
    history:
      - actor: reviewer-0
        role: reviewer
        timestamp: "{at}"
        structured:
          correctness: {chance.randrange(4)}
          scope_judgement: {chance.choice(["on-target", "partial", "breach"])}
          hallucination: {chance.choice(["none", "none", "minor", "major"])}
"""


def _yes(chance: random.Random, share: float) -> str:
    return "true" if chance.random() < share else "false"
