"""Which commands run tests, and for which the exit status speaks."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.agentlogs import DEFAULT_RUNNERS
from gnomon.agentlogs import test_commands as tests_of
from gnomon.agentlogs.shell import read_command


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q", "py.test", ".venv/bin/pytest tests", "python -m pytest", "python3.12 -X dev -m unittest -v",
        "tox -e py", "nox", "go test ./...", "go -C web test ./...", "cargo test", "cargo +nightly test",
        "cargo nextest run", "npm test", "npm --prefix web test", "npm run test:unit", "yarn test", "pnpm -r test",
        "pnpm --filter web test", "bun test", "vitest run", "npx --yes jest", "mocha", "npx playwright test",
        "make test", "make -j 4 lint check", "make -C web test", "bundle exec rspec", "rake test", "bin/rails test",
        "vendor/bin/phpunit", "php artisan test", "dotnet test", "./gradlew clean :app:test", "gradle test",
        "mvn -q clean verify", "ctest", "mix test", "bazel test //...", "swift test", "deno test", "flutter test",
        "sbt test", "node --test", "python manage.py test", "CI=1 pytest", "env CI=1 pytest", "sudo -u bob pytest",
        "time pytest", "timeout -k 5 60 pytest", "nice -n 10 pytest", "xvfb-run -a pytest", "uv run --with x pytest",
        "poetry run pytest", "pipenv run pytest", "hatch run pytest", "pnpm exec vitest",
        "docker compose -f a.yml exec -T web pytest", "docker run --rm -v a:b image pytest", "coverage run -m pytest",
        "python -m coverage run -m pytest", "cd web && npm test", "(cd web; npm test)", "if pytest; then echo ok; fi",
        "! pytest", "ls\npytest\n", "pytest 2>&1 | tail", "bash -c 'pytest -q'", "bash -lc \"cd x && pytest\"",
        "sh -ec 'bash -c \"pytest\"'", "eval 'pytest'", "echo $(pytest)", "pytest 'unclosed", "> out.txt pytest",
        "pytest \\\n  -q", "cat <<EOF > x\nhi\nEOF\npytest",
    ],
)  # fmt: skip
def test_these_run_tests(command: str) -> None:
    assert len(tests_of(command)) == 1


@pytest.mark.parametrize(
    "command",
    [
        'echo "go test"', "echo pytest", "grep pytest x", "grep -rn 'npm test' .", "make test-fixtures",
        "pip install pytest", "cat pytest.ini", "git commit -m 'run pytest'", "# pytest", "ls # pytest",
        "pytest --version", "pytest --collect-only", "cargo test --no-run", "go build ./...", "npm install",
        "npm run build", "which pytest", "sudo -n echo pytest", "cat > run.sh <<'EOF'\npytest\nEOF\nls",
        "git commit -m \"$(cat <<'EOF'\nfix\n\npytest passes; pytest\nEOF\n)\"", "ls > pytest",
        "python -c 'import pytest'", "docker compose exec web ls", "for x in pytest; do ls; done", "", "'",
    ],
)  # fmt: skip
def test_these_run_none(command: str) -> None:
    assert tests_of(command) == []


def test_every_run_of_a_command_is_named_with_its_own_words() -> None:
    assert tests_of("cd api && uv run pytest -q; npm --prefix web test | tail") == [
        "pytest -q",
        "npm --prefix web test",
    ]


def test_runners_can_be_added_with_stars_and_gaps() -> None:
    command = "./scripts/run-tests.sh --fast && invoke -v build unit"
    assert tests_of(command) == []
    runners = (*DEFAULT_RUNNERS, "run-*.sh", "invoke ... unit")
    assert tests_of(command, runners) == ["./scripts/run-tests.sh --fast", "invoke -v build unit"]


@pytest.mark.parametrize(
    ("command", "zero_means_passed", "other_means_failed"),
    [
        ("pytest", True, True),
        ("cd x && pytest", True, True),
        ("ls; pytest\n", True, True),
        ("pytest && git commit", True, False),
        ("pytest | tail", False, False),
        ("set -o pipefail; pytest | tail", True, True),
        ("pytest; echo done", False, False),
        ("pytest\necho done", False, False),
        ("pytest || true", False, False),
        ("ls || pytest", False, True),
        ("pytest &", False, False),
        ("! pytest", False, False),
        ("if pytest; then ls; fi", False, False),
        ("bash -c 'pytest | tail'", False, False),
        ("bash -c 'pytest' | tail", False, False),
        ("(cd x && pytest)", True, True),
    ],
)
def test_the_exit_status_speaks_only_where_nothing_hides_it(
    command: str, zero_means_passed: bool, other_means_failed: bool
) -> None:
    (found,), _ = read_command(command, DEFAULT_RUNNERS)
    assert (found.zero_means_passed, found.other_means_failed) == (zero_means_passed, other_means_failed)


def test_files_that_a_command_prints_are_named() -> None:
    command = "cat a/notes.md | head -5; sed -n '1,20p' plan.md && bash -lc 'tail -n3 log.txt'; echo cat.md"
    assert read_command(command, DEFAULT_RUNNERS)[1] == ["a/notes.md", "plan.md", "log.txt"]


pieces = st.sampled_from(
    ["pytest", "'", '"', "\\", "$(", ")", "<<EOF", "EOF", "\n", "&&", "||", "|", ";", "&", ">", "#", " "]
)


@given(st.lists(pieces | st.text(max_size=3), max_size=30).map("".join))
def test_no_text_makes_the_reading_of_a_command_raise_and_quoted_text_is_never_run(command: str) -> None:
    tests_of(command)
    without_documents = command.replace("<<", "")  # within quotes, too, what looks like a here-document is taken out
    assert tests_of("echo " + shlex.quote(without_documents)) == []
    assert tests_of("bash -c " + shlex.quote(without_documents)) == tests_of(without_documents)
