"""Who did an iteration, with what and for how much: by sessions, by what commits say, and by what was recorded."""

import json
from pathlib import Path

import pytest

from gnomon.errors import Refused
from gnomon.llm.rates import Tokens
from gnomon.llm.reported import price_of_reported
from gnomon.model.iterationfacts import IterationFacts, ModelTokens, PullRequest, RulesFile
from gnomon.model.yamltree import read
from gnomon.outcome.agentnames import NamedAgent, agent_called, agents_in_trailers
from gnomon.outcome.fields import Block
from gnomon.outcome.pullrequests import PullRequestFile, number_in_message
from gnomon.outcome.recorded import read_recorded, recorded_block
from gnomon.outcome.yamlout import flow_free
from outcome.conftest import Claude, Codex, Repo, written

SONNET = "claude-sonnet-4-5-20250929"


def facts(repo: Repo, *folders: Path, iteration: int = 1, **more: object) -> IterationFacts:
    return repo.one(iteration, transcripts=folders, **more).facts


def session(repo: Repo, model: str = SONNET) -> Claude:
    """An answer of a known model, a minute after the first commit."""
    claude = Claude("s-1", str(repo.root))
    claude.answer(0.5, "a", read=800, made=150, fresh=50)
    for line in claude.lines:
        line["message"]["model"] = model
    return claude


# ── tokens and dollars ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_sessions_tokens_cost_what_its_model_cost_on_that_day(repo: Repo, tmp_path: Path):
    sha = repo.commit("Work", {"a": "1"})
    repo.entry(1, commit=sha)
    known = facts(repo, written(tmp_path, session(repo)))
    price = price_of_reported(SONNET)
    assert price is not None
    assert known.cost_usd == pytest.approx(price.cost(Tokens(1000, 5, 800, 150)), abs=1e-6)
    assert known.models == (ModelTokens(SONNET, 50, 5, 800, 150, known.cost_usd),)
    assert (known.agent, known.model, known.tokens) == ("claude-code", SONNET, 1005)
    assert known.sources["cost_usd"] == "list prices, session file"


def test_a_model_without_a_known_price_makes_the_cost_unknown_and_says_so(repo: Repo, tmp_path: Path):
    repo.entry(1, commit=repo.commit("Work", {"a": "1"}))
    known = facts(repo, written(tmp_path, session(repo, "house-model-7")))
    assert known.cost_usd is None
    assert known.why_no_cost == "no price is known for house-model-7"
    assert known.tokens == 1005


def test_where_no_session_is_at_hand_the_entrys_own_counters_are_priced(repo: Repo):
    sha = repo.commit("Work", {"a": "1"})
    tokens = {"input_tokens": 1000, "output_tokens": 5, "cache_read_tokens": 800}
    repo.entry(1, commit=sha, agent={"harness": "codex", "model": "gpt-4o"}, session_tokens=tokens)
    known = facts(repo)
    assert known.models[0].input_tokens == 200, "Codex counts cached input inside of the input"
    price = price_of_reported("gpt-4o")
    assert price is not None
    assert known.cost_usd == pytest.approx(price.cost(Tokens(1000, 5, 800)), abs=1e-6)
    assert known.sources["models"] == "session_tokens of the entry"


def test_without_tokens_nothing_costs_nothing(repo: Repo):
    repo.entry(1, commit=repo.commit("Work", {"a": "1"}))
    known = facts(repo)
    assert (known.cost_usd, known.tokens, known.why_no_cost) == (None, None, "no tokens were counted")


def test_a_codex_session_names_its_agent(repo: Repo, tmp_path: Path):
    repo.entry(1, commit=repo.commit("Work", {"a": "1"}))
    codex = Codex("c-1", str(repo.root))
    codex.answer(0.5, given=100, cached=40)
    known = facts(repo, written(tmp_path, codex))
    assert known.agent == "codex"
    assert known.models[0].cache_read_tokens == 40


# ── commits ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "address", "agent"),
    [
        ("Claude", "noreply@anthropic.com", NamedAgent("claude-code")),
        ("Claude Opus 4.8 (1M context)", "noreply@anthropic.com", NamedAgent("claude-code", "claude-opus-4-8")),
        ("Cursor", "cursoragent@cursor.com", NamedAgent("cursor")),
        ("Codex", "noreply@openai.com", NamedAgent("codex")),
        ("Copilot", "198982749+Copilot@users.noreply.github.com", NamedAgent("copilot")),
        ("copilot-swe-agent[bot]", "198982749+copilot-swe-agent[bot]@users.noreply.github.com", NamedAgent("copilot")),
        ("aider (gpt-5)", "noreply@aider.chat", NamedAgent("aider")),
        ("Claude", "claude@example.com", None),
        ("A Person", "a.person@example.com", None),
    ],
)
def test_agents_are_known_by_their_names_and_people_are_not(name: str, address: str, agent: NamedAgent | None):
    assert agent_called(name, address) == agent
    message = f"Work\n\nWords.\n\nCo-Authored-By: {name} <{address}>\n"
    assert agents_in_trailers([message]) == ([] if agent is None else [agent])


def test_a_commit_that_names_its_agent_says_who_did_it(repo: Repo):
    message = "Work\n\nCo-Authored-By: Claude Sonnet 4.5 <noreply@anthropic.com>"
    repo.entry(1, commit=repo.commit(message, {"a": "1"}))
    known = facts(repo)
    assert (known.agent, known.model, known.co_authors) == ("claude-code", "claude-sonnet-4-5", ("claude-code",))
    assert known.sources["agent"] == "Co-Authored-By"


@pytest.mark.parametrize(
    ("message", "number"),
    [
        ("Merge pull request #12 from owner/branch\n\nA title", 12),
        ("Add a cart (#7)", 7),
        ("Add a cart (!8)", 8),
        ("Merged PR 34: Add a cart", 34),
        ("Merged in feature (pull request #9)", 9),
        ("Merge branch 'x' into 'main'\n\nAdd x\n\nSee merge request group/project!56", 56),
        ("Fix issue #12", None),
        ("Add a cart\n\nSee (#7)", None),
    ],
)
def test_a_merge_message_names_its_pull_request(message: str, number: int | None):
    assert number_in_message(message) == number


def test_the_pull_request_that_brought_a_branch_is_known_by_its_merge(repo: Repo, tmp_path: Path):
    repo.switch("cart", "main")
    sha = repo.commit("Work", {"a": "1"})
    repo.switch("main")
    merge = repo.later("merge", "--quiet", "--no-ff", "-m", "Merge pull request #12 from owner/cart", "cart")
    repo.entry(1, commit=sha)
    assert facts(repo).pull_requests == (PullRequest(12),)
    listed = tmp_path / "pull-requests.json"
    row = {"number": 12, "title": "Cart", "url": "https://example.com/pull/12", "mergeCommit": {"oid": merge}}
    listed.write_text(json.dumps([row]))
    assert facts(repo, pull_requests=listed).pull_requests == (PullRequest(12, "https://example.com/pull/12", "Cart"),)


def test_a_file_of_pull_requests_finds_those_that_no_message_names(repo: Repo, tmp_path: Path):
    sha = repo.commit("Work", {"a": "1"})
    repo.entry(1, commit=sha)
    listed = tmp_path / "pull-requests.json"
    listed.write_text(json.dumps([{"number": 3, "title": "Work", "commits": [{"oid": sha}]}]))
    assert facts(repo, pull_requests=listed).pull_requests == (PullRequest(3, "", "Work"),)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file"),
        ("{", "is not JSON"),
        ("[{}]", "not a list of pull requests"),
        ("{}", "not a list of pull"),
    ],
)
def test_a_file_that_lists_no_pull_requests_is_refused(tmp_path: Path, content: str | None, words: str):
    path = tmp_path / "listed.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(Refused, match=words):
        PullRequestFile.read(path)


# ── rules ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_rules_in_force_are_those_of_the_commits_tree(repo: Repo):
    repo.entry(1, commit=repo.commit("Before", {"a": "1"}))
    repo.entry(2, commit=repo.commit("Rules", {"CLAUDE.md": "Be brief.\n", "AGENTS.md": "Test first.\n"}))
    repo.entry(3, commit=repo.commit("The same rules on Windows", {"CLAUDE.md": "Be brief.\r\n"}))
    repo.entry(4, commit=repo.commit("Other rules", {"CLAUDE.md": "Be thorough.\n"}))
    rules = {n: facts(repo, iteration=n) for n in (1, 2, 3, 4)}
    assert rules[1].rules_files == ()
    assert rules[2].rules_files == rules[3].rules_files
    assert rules[2].rules_files != rules[4].rules_files
    assert [file.path for file in rules[2].rules_files or ()] == ["AGENTS.md", "CLAUDE.md"]
    assert IterationFacts().rules_files is None, "nobody looked"


# ── what was recorded ───────────────────────────────────────────────────────────────────────────────────────────

RECORDED = IterationFacts(
    agent="claude-code",
    agent_version="2.1.0",
    model=SONNET,
    models=(ModelTokens(SONNET, 1, 2, 3, 4, 0.5), ModelTokens("house-model-7", 1)),
    cost_usd=None,
    why_no_cost="no price is known for house-model-7",
    co_authors=("claude-code",),
    branch="cart",
    commits=("0123456" + "0" * 33,),
    pull_requests=(PullRequest(7, "", "Cart"),),
    rules_files=(RulesFile("CLAUDE.md", "1" * 64),),
    skills=("/review",),
    prompts=("no: a prompt that YAML could misread",),
    sources={"models": "session file s-1.jsonl"},
)


@pytest.mark.parametrize("recorded", [RECORDED, IterationFacts(rules_files=()), IterationFacts(cost_usd=0.25)])
def test_what_is_written_is_read_again(recorded: IterationFacts):
    text = flow_free(recorded_block(recorded))
    assert read_recorded(Block.of(read(text.encode()), "the block")) == recorded


def test_what_was_recorded_at_the_time_comes_before_what_can_be_seen_today(repo: Repo, tmp_path: Path):
    sha = repo.commit("Work\n\nCo-Authored-By: Cursor <cursoragent@cursor.com>", {"a": "1", "CLAUDE.md": "x"})
    recorded = IterationFacts(
        agent="claude-code", model="m-1", rules_files=(), cost_usd=0.5, models=(ModelTokens("m-1"),)
    )
    repo.entry(1, commit=sha, recorded=recorded_block(recorded))
    known = facts(repo, written(tmp_path, session(repo)))
    assert (known.agent, known.model, known.rules_files, known.cost_usd) == ("claude-code", "m-1", (), 0.5)


def test_a_broken_block_costs_itself_and_not_the_entry(repo: Repo):
    repo.entry(1, commit=repo.commit("Work", {"a": "1"}), recorded={"models": "many"})
    report = repo.score()
    assert report.iterations[0].signals.landed.present
    assert [note.message for note in report.diagnostics if "recorded" in note.message] == [
        "recorded: models at line 4 is 'many', not a list; not read"
    ]


def test_an_iteration_owns_the_commits_that_were_recorded(repo: Repo):
    """Two agents at work side by side: what lies between two entries is not all the second one's."""
    start = repo.commit("Plan", {"p": "1"})
    mine, other, last = (repo.commit(name, {name: "1"}) for name in ("mine", "other", "last"))
    repo.entry(1, commit=start)
    repo.entry(2, commit=last, recorded=recorded_block(IterationFacts(commits=(last, mine))))
    scored = repo.one(2)
    assert scored.inputs["commits"] == [last, mine]
    assert other not in scored.inputs["commits"]
