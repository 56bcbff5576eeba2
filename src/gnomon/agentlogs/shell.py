"""Which tests a shell command runs, and whether its exit status can speak for them.

Not a shell: no variables, no expansion. Here-documents are data, comments are nothing, and text that no shell
would take is read as far as it makes sense. `echo "go test"` runs no tests.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache

# Words of a command's start; * stands for any letters within a word, ... for any words in between.
DEFAULT_RUNNERS: tuple[str, ...] = (
    "pytest", "py.test", "unittest", "tox", "nox", "nose2", "manage.py test",
    "go test", "gotestsum", "cargo test", "cargo nextest run",
    "npm test", "npm t", "npm run test*", "npm run-script test*", "yarn test*", "yarn run test*",
    "pnpm test*", "pnpm run test*", "bun test", "bun run test*",
    "vitest", "jest", "mocha", "ava", "playwright test", "cypress run", "node --test", "deno test", "deno task test*",
    "make ... test", "make ... check", "just test*", "task test*", "ctest", "meson test",
    "rspec", "rake ... test", "rake ... spec", "rails test*", "minitest",
    "phpunit", "pest", "php artisan test", "artisan test", "composer test*",
    "dotnet test", "gradle ... test", "gradle ... *:test", "gradle ... check",
    "gradlew ... test", "gradlew ... *:test", "gradlew ... check",
    "mvn ... test", "mvn ... verify", "mvnw ... test", "mvnw ... verify", "sbt ... test*",
    "bazel ... test", "bazelisk ... test", "mix test", "swift test", "xcodebuild ... test",
    "flutter test", "dart test", "zig build test", "stack test", "cabal test", "lein test",
)  # fmt: skip

# A command that runs another one: how many words of its own follow, and which of its options take a value.
WRAPPERS: dict[str, tuple[int, str]] = {
    "sudo": (0, "-u -g -h -p -C -D -U --user --group --chdir"),
    "time": (0, "-o -f"),
    "env": (0, "-u -C --unset --chdir"),
    "timeout": (1, "-k -s --kill-after --signal"),
    "gtimeout": (1, "-k -s --kill-after --signal"),
    "nice": (0, "-n --adjustment"),
    "ionice": (0, "-c -n"),
    "nohup": (0, ""),
    "stdbuf": (0, "-i -o -e"),
    "setsid": (0, ""),
    "command": (0, ""),
    "exec": (0, "-a"),
    "xargs": (0, "-n -P -I -L -d -s"),
    "xvfb-run": (0, "-s -n -e -f --server-args --server-num"),
    "npx": (0, "-p --package -w"),
    "bunx": (0, ""),
    "uvx": (0, "--with --from --python -p"),
    "pipx run": (0, "--spec --python"),
    "uv run": (0, "--with --python -p --extra --group --project --directory --package --env-file --index"),
    "poetry run": (0, "-C -P --directory --project"),
    "pipenv run": (0, ""),
    "hatch run": (0, "-e --env"),
    "pdm run": (0, "-p --project"),
    "rye run": (0, ""),
    "pixi run": (0, "-e --environment --manifest-path"),
    "conda run": (0, "-n -p --name --prefix --cwd"),
    "npm exec": (0, "-p --package -w --workspace --prefix"),
    "pnpm exec": (0, "-C --dir -F --filter"),
    "pnpm dlx": (0, "--package"),
    "yarn exec": (0, ""),
    "yarn dlx": (0, "-p"),
    "bundle exec": (0, ""),
    "coverage run": (0, "--source --rcfile --omit --include --data-file"),
    "docker compose exec": (1, "-f -p -e -u -w --file --env --user --workdir --index --env-file --profile"),
    "docker compose run": (1, "-f -p -e -u -w -v --file --env --user --workdir --name --env-file --profile"),
    "docker-compose exec": (1, "-f -p -e -u -w --file --env --user --workdir --index"),
    "docker-compose run": (1, "-f -p -e -u -w -v --file --env --user --workdir --name"),
    "docker exec": (1, "-e -u -w --env --user --workdir --env-file"),
    "docker run": (1, "-e -u -w -v -p --env --user --workdir --name --volume --network --entrypoint --mount"),
}  # fmt: skip
WRAPPERS_BY_NAME: dict[str, list[tuple[list[str], int, frozenset[str]]]] = {}
for _wrapper, (_own_words, _valued) in WRAPPERS.items():
    _parts = _wrapper.split()
    WRAPPERS_BY_NAME.setdefault(_parts[0], []).append((_parts, _own_words, frozenset(_valued.split())))
# Options before a runner's second word that take a value: `make -C web test`, `npm --prefix web test`.
RUNNER_OPTIONS = frozenset(
    ["-C", "-f", "-F", "-p", "-pl", "-w", "--cwd", "--dir", "--directory", "--filter", "--prefix", "--project",
     "--workspace"]
)  # fmt: skip
KEYWORDS = frozenset(["if", "then", "else", "elif", "while", "until", "do", "!", "{", "}"])
SHELLS = frozenset(["bash", "sh", "zsh", "dash", "ksh"])
INTERPRETERS = re.compile(r"(python|pypy|py)[\d.]*(\.exe)?|node|ruby|php|perl")
INTERPRETER_OPTIONS = frozenset(["-X", "-W", "-r", "--require", "--import"])
LISTS_ONLY = frozenset(
    ["--version", "--help", "--collect-only", "--co", "--no-run", "--list", "--listTests", "--list-tests", "--dry-run"]
)
READERS = frozenset(["cat", "head", "tail", "less", "more", "bat", "nl", "sed"])

HERE_DOCUMENT = re.compile(
    r"(?<!<)<<(?!<)-?[ \t]*(['\"]?)([A-Za-z_]\w*)\1([^\n]*)\n.*?(?:^[ \t]*\2[ \t]*$|\Z)", re.S | re.M
)
TOKEN = re.compile(
    r"(?P<space>(?:[ \t\r]|\\\r?\n)+)"
    r"|(?P<comment>(?<![^\s;&|()])\#[^\n]*)"
    r"|(?P<redirect>\d*(?:&>>?|>>|>\||<<<|<<-?|<>|[<>])(?:&[\d-]+)?)"
    r"|(?P<operator>&&|\|\||;;|\|&|[;&|()\n])"
    r"|(?P<word>(?:[^\s;&|()<>\"'\\]|\\.|\"(?:[^\"\\]|\\.)*\"|'[^']*'|[\"'\\])+)",
    re.S,
)
QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|\\(.)", re.S)
PIPES, GROUPS = frozenset({"|", "|&"}), frozenset("()")
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
LONGEST = 20_000  # characters of a command that are looked at: what follows is data in all likelihood
DEEPEST = 4  # shells within shells


@dataclass(frozen=True, slots=True)
class TestCommand:
    """One run of tests within a command. The two flags say what the whole command's exit status tells of it."""

    __test__ = False  # not a class of tests, whatever its name makes pytest think

    text: str
    zero_means_passed: bool
    other_means_failed: bool


@dataclass(frozen=True, slots=True)
class _Simple:
    """A simple command and the operators around it."""

    words: list[str]
    before: str
    after: frozenset[str]


def test_commands(command: str, runners: Sequence[str] = DEFAULT_RUNNERS) -> list[str]:  # noqa: PT028 (no test)
    """The test runs in a shell command, each as its own words."""
    tests, _ = read_command(command, tuple(runners))
    return [test.text for test in tests]


test_commands.__test__ = False  # type: ignore[attr-defined]  # pytest would collect it by its name


def read_command(command: str, runners: tuple[str, ...]) -> tuple[list[TestCommand], list[str]]:
    """The test runs in a shell command, and the files that it prints, as agents without a tool for reading do:
    `cat notes.md`, `sed -n 1,80p notes.md`."""
    command, known = command[:LONGEST], _known(runners)
    if not known.hints.search(command):
        return [], []
    return _read_command(command, known, DEEPEST)


class _Runners:
    """Patterns by their first word, and what must be in a command for any of them to match."""

    def __init__(self, runners: tuple[str, ...]) -> None:
        self.by_name: dict[str, list[list[str]]] = {}
        self.with_star: list[list[str]] = []
        for first, *others in filter(None, (runner.split() for runner in runners)):
            if "*" in first:
                self.with_star.append([first, *others])
            else:
                self.by_name.setdefault(first, []).append(others)
        hints = {*READERS, *self.by_name, *(first.partition("*")[0] for first, *_ in self.with_star)}
        # Parsing every command of a long history would take longer than reading it.
        self.hints = re.compile(r"(?<![\w-])(?:" + "|".join(re.escape(hint) for hint in sorted(hints)) + ")")

    def match(self, words: list[str]) -> bool:
        name = _base(words[0])
        starred = (others for first, *others in self.with_star if fnmatchcase(name, first))
        return any(_matches(words[1:], others) for others in (*self.by_name.get(name, ()), *starred))


_known = lru_cache(maxsize=16)(_Runners)


def _read_command(command: str, runners: _Runners, depth: int) -> tuple[list[TestCommand], list[str]]:
    tests: list[TestCommand] = []
    files: list[str] = []
    pipes_count = "pipefail" in command  # then a pipe's status is that of its failing part
    for simple in _simple_commands(command):
        inner_tests, inner_files = _of_one(simple.words, runners, depth)
        files += inner_files
        ends = simple.after - (PIPES | GROUPS if pipes_count else GROUPS)
        negated = "!" in simple.words[:3]
        zero = ends <= {"&&"} and simple.before != "||" and not negated
        other = not ends and not negated
        tests += [
            TestCommand(test.text, zero and test.zero_means_passed, other and test.other_means_failed)
            for test in inner_tests
        ]
    return tests, files


def _of_one(words: list[str], runners: _Runners, depth: int) -> tuple[list[TestCommand], list[str]]:
    """The words of one simple command, without everything that only starts it."""
    while words:
        if words[0] in KEYWORDS or ASSIGNMENT.match(words[0]):
            words = words[1:]
            continue
        name = _base(words[0])
        if name in SHELLS or name == "eval":
            script = _script(words) if name in SHELLS else " ".join(words[1:])
            return _read_command(script, runners, depth - 1) if script and depth else ([], [])
        if runners.match(words):
            lists_only = any(word in LISTS_ONLY for word in words)
            return [] if lists_only else [TestCommand(" ".join(words), True, True)], []
        if name in READERS:
            plain = [word for word in words[1:] if not word.startswith("-")]
            return [], plain[1:] if name == "sed" else plain
        words = _inner(words, name)
    return [], []


def _inner(words: list[str], name: str) -> list[str]:
    """What a wrapper or an interpreter runs; nothing when the command is neither."""
    if INTERPRETERS.fullmatch(name):
        return _interpreted(words)
    for parts, own_words, valued in WRAPPERS_BY_NAME.get(name, ()):
        rest = _after(words, parts, valued)
        if rest is not None:
            rest = _without_options(rest, valued)
            for _ in range(own_words):
                rest = _without_options(rest[1:], valued)
            return rest
    return []


def _interpreted(words: list[str]) -> list[str]:
    rest = words[1:]
    while rest and rest[0].startswith("-"):
        if rest[0] == "-m":
            return rest[1:]
        if rest[0] in ("-c", "-e"):
            return []
        rest = rest[2:] if rest[0] in INTERPRETER_OPTIONS else rest[1:]
    return rest


def _after(words: list[str], parts: list[str], valued: frozenset[str]) -> list[str] | None:
    """What follows these words, options between them passed over; None when they are not there."""
    rest = words[1:]
    for part in parts[1:]:
        rest = _without_options(rest, valued)
        if not rest or rest[0] != part:
            return None
        rest = rest[1:]
    return rest


def _without_options(words: list[str], valued: frozenset[str]) -> list[str]:
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "-m":
        at += 2 if words[at] in valued else 1
    # `coverage run -m pytest` names a module, as an interpreter does.
    return words[at + 1 :] if at < len(words) and words[at] == "-m" else words[at:]


def _matches(rest: list[str], patterns: list[str]) -> bool:
    """Whether a command's words, after its name, are of this pattern."""
    anywhere = False
    for pattern in patterns:
        if pattern == "...":
            anywhere = True
            continue
        if not pattern.startswith("-"):
            rest = _without_options(rest, RUNNER_OPTIONS)
            rest = rest[1:] if rest and rest[0].startswith("+") else rest  # cargo +nightly test
        at = next((n for n, word in enumerate(rest) if fnmatchcase(word, pattern)), None)
        if at is None or (at and not anywhere):
            return False
        rest, anywhere = rest[at + 1 :], False
    return True


def _base(word: str) -> str:
    name = word.replace("\\", "/").rpartition("/")[2]
    return name.removesuffix(".exe").removesuffix(".cmd").removesuffix(".bat")


def _script(words: list[str]) -> str | None:
    """What `bash -lc …` is given to run."""
    for at, word in enumerate(words[1:], start=1):
        if not word.startswith("-"):
            return None
        if not word.startswith("--") and "c" in word and at + 1 < len(words):
            return words[at + 1]
    return None


def _simple_commands(command: str) -> list[_Simple]:
    commands: list[tuple[list[str], str]] = []  # words, and the operator after them
    words: list[str] = []
    into_file = False
    for match in TOKEN.finditer(HERE_DOCUMENT.sub(r"\3\n", command)):
        kind, piece = match.lastgroup, match[0]
        if kind == "word":
            if not into_file:
                words.append(_plain(piece))
            into_file = False
        elif kind == "redirect":
            into_file = "&" not in piece.lstrip("&")
        elif kind == "operator":
            commands.append((words, piece))
            words, into_file = [], False
    commands.append((words, ""))
    return _with_operators(commands)


def _with_operators(commands: list[tuple[list[str], str]]) -> list[_Simple]:
    """Each command with the operators that stand between it and the end, as far as another command follows."""
    parsed: list[_Simple] = []
    after: frozenset[str] = frozenset()
    for at in range(len(commands) - 1, -1, -1):
        words, operator = commands[at]
        follows = bool(parsed)
        # A closing `;` or newline changes no status; a closing `&` does: nobody waited.
        if operator and (follows or operator == "&"):
            after |= {";" if operator == "\n" else operator}
        if words:
            before = commands[at - 1][1] if at else ""
            parsed.append(_Simple(words, before, after))
    return parsed[::-1]


def _plain(word: str) -> str:
    if not any(mark in word for mark in "\"'\\"):
        return word
    return QUOTED.sub(lambda part: _inside(part[1], part[2], part[3]), word)


def _inside(double: str | None, single: str | None, escaped: str | None) -> str:
    if double is not None:
        return re.sub(r"\\([\"\\$`\n])", r"\1", double)
    return single if single is not None else escaped or ""
