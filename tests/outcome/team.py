"""A team's repository: two models that worked by two versions of AGENTS.md, one of them often beside its task."""

from pathlib import Path

from outcome.conftest import Repo

OLD_RULES, NEW_RULES = "Keep it short.\n", "Keep to the task.\n"


def team_repo(root: Path, sessions: int = 6) -> Repo:
    """So many sessions of each model, two iterations in each; iterations 1 to 2·sessions are of the small one."""
    repo = Repo(root)
    root.mkdir(parents=True)
    repo.git("init", "--quiet", "--template=", "--initial-branch=main")
    tasks = {f"t{number}": ["src/"] for number in range(4 * sessions + 1)}
    repo.git("add", "--", repo.plan("team", tasks))
    repo.commit("Plan", {"AGENTS.md": OLD_RULES})
    _work(repo, "small", range(1, 2 * sessions + 1))
    repo.commit("New rules", {"AGENTS.md": NEW_RULES})
    _work(repo, "large", range(2 * sessions + 1, 4 * sessions + 1))
    return repo


def _work(repo: Repo, model: str, numbers: range) -> None:
    for number in numbers:
        beside = {f"docs/{number}-{place}.md": "1\n" for place in range(1 + number % 3)} if model == "small" else {}
        sha = repo.commit(f"Work {number}", {f"src/{number}.py": "1\n", **beside})
        if model == "small" and number % 4 == 0:
            repo.revert(sha)
        repo.entry(
            number, commit=sha, wave="team", task_id=f"t{number}", date="2026-05-04",
            agent={"session_id": f"{model}-{number // 2}", "harness": "claude-code", "model": model},
            impl={"summary": f"Work {number}", "scope_note": "on-target", "retries": number % 3 if beside else 0},
            verifiers=[{"type": "unit", "status": "pass"}], review={"overall_decision": "accept"},
        )  # fmt: skip
