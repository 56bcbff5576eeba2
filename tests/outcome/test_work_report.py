"""The team's report: what landed, what was undone and why, what it cost, which claims did not hold, what to look at."""

import os
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.model.workreport import ReportBy, WorkGroup, WorkReport
from gnomon.outcome import ScorePlan
from gnomon.outcome.fates import reason_given
from gnomon.outcome.pipeline import score_history, score_log
from gnomon.outcome.workreport import ReportFrame, narrowed, work_report
from gnomon.report.text.drawing import as_text
from gnomon.report.text.workreport import lines
from gnomon.report.workreport import markdown, page
from gnomon.report.worksections import group_section
from gnomon.stats.ratio import ratio_of_sums
from outcome.conftest import DAWN, LOG, MakeRepo, Repo
from report.pages import HOSTILE, check_harmless, check_self_contained

GOLDEN = Path(__file__).parents[1] / "golden" / "outcome"
AS_OF = DAWN + timedelta(days=2)
MODEL = "claude-sonnet-4-5"


def entry(repo: Repo, number: int, sha: str, task: str, summary: str, **more: Any) -> None:
    tokens = {"input_tokens": 20_000 * number, "output_tokens": 4_000 * number}
    about = {"session_id": f"session-{(number + 1) // 2}", "harness": "claude-code", "model": MODEL}
    content = {
        "commit": sha, "wave": "shop", "task_id": task, "date": "2026-05-04", "agent": about, "session_tokens": tokens,
        "impl": {"summary": summary, "scope_note": "on-target", "retries": number % 3},
        "verifiers": [{"type": "unit", "status": "pass"}], "review": {"overall_decision": "accept"}, **more,
    }  # fmt: skip
    repo.entry(number, **content)


def shop(repo: Repo, title: str = "Add a cart") -> Repo:
    """Six iterations: three that stand, one merged as a pull request and taken back, one on an open branch, one
    without tokens."""
    tasks = {name: ["src/", "tests/"] for name in ("cart", "discount", "price", "stock", "login", "docs")}
    repo.git("add", "--", repo.plan("shop", tasks))
    repo.commit("Plan the shop")
    entry(repo, 1, repo.commit(title, {"src/cart.py": "1\n"}), "cart", title)
    repo.switch("discount", "main")
    sha = repo.commit("Allow a discount", {"src/discount.py": "1\n"})
    repo.switch("main")
    words = "Merge pull request #12 from team/discount\n\nAllow a discount"
    merge = repo.later("merge", "--quiet", "--no-ff", "-m", words, "discount")
    entry(repo, 2, sha, "discount", "Allow a discount")
    entry(repo, 3, repo.commit("Round prices", {"src/price.py": "1\n", "web/page.js": "1\n"}), "price", "Round prices")
    why = f'Revert "Allow a discount"\n\nThis reverts commit {merge}.\n\nIt broke the\ncheckout of guests.'
    repo.git("revert", "--no-commit", "-m", "1", merge)
    repo.later("commit", "--quiet", "-m", why)
    entry(repo, 4, repo.commit("Count the stock", {"src/stock.py": "1\n"}), "stock", "Count the stock")
    repo.switch("login", "main")
    entry(repo, 5, repo.commit("Let people log in", {"src/login.py": "1\n"}), "login", "Let people log in")
    repo.switch("main")
    entry(repo, 6, repo.commit("Say how", {"docs/how.md": "1\n"}), "docs", "Say how", session_tokens=None, agent={})
    return repo


def reported(repo: Repo, since: datetime | None = None, by: ReportBy | None = None, **more: Any) -> WorkReport:
    plan = ScorePlan(repo.log, repo.root, as_of=AS_OF, fates=True, authors=by == "author", **more)
    return work_report(score_log(plan), ReportFrame("team/shop", since, AS_OF, by=by))


def of_history(repo: Repo, since: datetime | None = None, by: ReportBy | None = None) -> WorkReport:
    plan = ScorePlan(
        repo.root / "nowhere", repo.root, as_of=AS_OF, fates=True, authors=by == "author", since=since
    )  # fmt: skip
    return work_report(score_history(plan), ReportFrame("team/shop", since, AS_OF, plain_history=True, by=by))


def states(report: WorkReport) -> dict[int, str]:
    return {change.iteration: change.state for change in reversed(report.changes)}


def check_golden(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("GNOMON_RENEW_GOLDEN"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


# --- one report, as text, Markdown and HTML -----


@pytest.fixture(scope="module")
def of_shop(make_repo: MakeRepo) -> WorkReport:
    return reported(shop(make_repo("shop")), by="agent")


def test_the_report_reads_as_it_was_looked_at(of_shop: WorkReport):
    check_golden("report.txt", as_text(lines(of_shop)) + "\n")
    check_golden("report.md", markdown(of_shop))
    check_golden("report.html", page(of_shop))


def test_what_became_of_each_change(of_shop: WorkReport):
    assert states(of_shop) == {1: "landed", 2: "undone", 3: "landed", 4: "landed", 5: "waiting", 6: "landed"}
    assert (of_shop.n_changes, of_shop.n_landed, of_shop.n_undone, of_shop.n_waiting) == (6, 5, 1, 1)
    assert (of_shop.trunk, of_shop.changes[0].title) == ("main", "Say how")


def test_what_was_undone_says_by_what_and_why(of_shop: WorkReport):
    (undone,) = of_shop.undone
    assert (undone.iteration, undone.title, undone.why) == (2, "Allow a discount", "It broke the checkout of guests.")
    assert (undone.by_subject, undone.after_days) == ('Revert "Allow a discount"', 0)


def test_the_cost_counts_what_was_in_vain_and_leaves_out_what_is_not_known(of_shop: WorkReport):
    cost = of_shop.cost
    assert (cost.n_known, cost.n_unknown, cost.n_standing) == (5, 1, 3)
    assert cost.total_usd == pytest.approx(sum(change.cost_usd or 0 for change in of_shop.changes))
    assert cost.per_change_usd == pytest.approx(cost.total_usd / 3)
    assert cost.confidence_interval_95 is not None
    assert cost.confidence_interval_95[0] < cost.per_change_usd < cost.confidence_interval_95[1]
    assert cost.why_unknown == {"no tokens were counted": 1}


def test_without_any_known_cost_there_is_no_figure(repo: Repo):
    repo.entry(1, commit=repo.commit("Work", {"a": "1\n"}))
    cost = reported(repo).cost
    assert (cost.per_change_usd, cost.confidence_interval_95) == (None, None)
    assert cost.reason == "no iteration's cost is known"


def test_claims_that_did_not_hold_are_listed(of_shop: WorkReport):
    claims = {(claim.iteration, claim.signal, claim.claimed, claim.observed) for claim in of_shop.claims}
    assert claims == {(2, "landed", 1.0, 0.0), (3, "scope", 1.0, 0.5), (6, "scope", 1.0, 0.0)}
    assert of_shop.n_claims > len(of_shop.claims)


def test_what_is_worth_a_look_begins_with_what_was_undone(of_shop: WorkReport):
    assert [row.iteration for row in of_shop.look_at] == [2, 6, 3]
    assert of_shop.look_at[0].reasons[0].startswith("undone by ")


# --- the time -----


def test_what_counts_is_when_work_landed(repo: Repo):
    repo.switch("branch", "main")
    sha = repo.commit("Written early", {"a": "1\n"})
    repo.entry(1, commit=sha)
    repo.switch("main")
    repo.minutes += 600
    repo.merge("branch")
    evening = DAWN + timedelta(minutes=300)
    assert states(reported(repo, evening)) == {1: "landed"}
    assert states(reported(repo, DAWN + timedelta(days=1))) == {}


def test_work_from_before_is_listed_when_it_is_undone_in_the_time(repo: Repo):
    sha = repo.commit("Old work", {"a": "1\n"})
    repo.entry(1, commit=sha)
    repo.minutes += 600
    repo.revert(sha)
    evening = DAWN + timedelta(minutes=300)
    report = reported(repo, evening)
    assert (states(report), [row.iteration for row in report.undone]) == ({}, [1])
    plain = of_history(repo, evening)
    assert (states(plain), [(row.iteration, row.title) for row in plain.undone]) == (
        {3: "revert"}, [(None, "Old work")],
    )  # fmt: skip


def test_an_empty_time_says_so(repo: Repo):
    text = as_text(lines(reported(repo, DAWN + timedelta(days=1))))
    assert "Nothing landed in this time, and nothing was worked on." in text
    assert "Nothing stands out." in text


def test_abandoned_work_did_not_land(repo: Repo):
    repo.switch("branch", "main")
    repo.entry(1, commit=repo.commit("Lost", {"a": "1\n"}))
    repo.switch("main")
    plan = ScorePlan(repo.log, repo.root, as_of=DAWN + timedelta(days=60), fates=True)
    report = work_report(score_log(plan), ReportFrame("shop", None, DAWN + timedelta(days=60)))
    assert states(report) == {1: "not landed"}
    assert report.look_at[0].reasons[0] == "did not land"


def test_work_that_was_brought_back_stands(repo: Repo):
    sha = repo.commit("Work", {"a": "1\n"})
    repo.entry(1, commit=sha)
    repo.revert(repo.revert(sha))
    report = reported(repo)
    assert (states(report), report.undone) == ({1: "landed"}, [])


# --- plain history, groups and names -----


def test_plain_history_has_a_change_for_each_commit_of_the_trunk(make_repo: MakeRepo):
    report = of_history(shop(make_repo("shop")))
    by_title = {change.title: change.state for change in report.changes}
    assert by_title["Allow a discount (#12)"] == "undone"
    assert by_title['Revert "Allow a discount"'] == "revert"
    assert [row.why for row in report.undone] == ["It broke the checkout of guests."]


def test_names_of_authors_are_shown_only_when_they_are_asked_for(make_repo: MakeRepo):
    repo = shop(make_repo("shop"))
    repo.git("config", "user.name", "unused")
    assert all(not change.authors for change in of_history(repo).changes)
    groups = of_history(repo, by="author").groups
    assert [(group.name, group.n) for group in groups] == [("A", 8)]


def test_groups_by_path_count_a_change_in_each_of_its_folders(make_repo: MakeRepo):
    groups = {group.name: group for group in reported(shop(make_repo("shop")), by="path").groups}
    assert (groups["src/"].n, groups["src/"].n_undone, groups["web/"].n, groups["docs/"].n) == (5, 1, 1, 1)
    assert groups["src/"].cost_usd is not None
    assert groups["docs/"].cost_usd is None


def test_only_what_was_reverted_or_stands_out_is_kept(make_repo: MakeRepo):
    repo = shop(make_repo("shop"))
    scored = score_history(ScorePlan(repo.root / "nowhere", repo.root, as_of=AS_OF, fates=True))
    assert [one.record.impl.summary for one in narrowed(scored, "reverted").iterations] == ["Allow a discount (#12)"]
    assert [one.record.impl.summary for one in narrowed(scored, "interesting").iterations] == ["Allow a discount (#12)"]
    of_log = score_log(ScorePlan(repo.root / LOG, repo.root, as_of=AS_OF, fates=True))
    assert [one.iteration for one in narrowed(of_log, "interesting").iterations] == [2, 3, 6]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_text_from_outside_stays_text(make_repo: MakeRepo, hostile: str):
    repo = shop(make_repo("shop"), title=f"Add {hostile} | a cart")
    check_harmless(page(reported(repo, by="author")), hostile)
    written = markdown(reported(repo))
    assert "<script" not in written
    assert "<img" not in written
    rows = [line for line in written.splitlines() if line.startswith("| 1 |")]
    assert [row.count("|") for row in rows] == [8]


def test_the_page_is_whole_in_itself(of_shop: WorkReport):
    check_self_contained(page(of_shop))


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ('Revert "A"\n\nThis reverts commit 1234567.\n', ""),
        ("Take A back", ""),
        ('Revert "A"\n\nThis reverts commit 1234567.\nIt was slow.\n\nMore.', "It was slow."),
        ('Revert "A"\n\nCo-authored-by: B <b@example.com>\n\nBecause.', "Because."),
    ],
)
def test_the_reason_of_a_revert_is_what_its_message_adds(message: str, why: str):
    assert reason_given(message) == why


# --- the ratio -----

_COSTS = st.lists(st.tuples(st.floats(0.01, 100), st.integers(0, 5)), min_size=2, max_size=30)


@given(_COSTS, st.floats(0.1, 50))
def test_the_interval_of_a_ratio_holds_it_and_scales_with_the_currency(rows: Sequence[tuple[float, int]], rate: float):
    amounts, counts = [amount for amount, _ in rows], [count for _, count in rows]
    found = ratio_of_sums(amounts, counts)
    if found.value is None:
        assert not sum(counts)
        return
    if found.interval is None:
        assert found.reason
        return
    low, high = found.interval
    assert 0 <= low <= found.value <= high
    other = ratio_of_sums([rate * amount for amount in reversed(amounts)], list(reversed(counts)))
    if other.interval is not None:
        assert other.value == pytest.approx(rate * found.value)
        assert other.interval == (pytest.approx(rate * low, rel=1e-6), pytest.approx(rate * high, rel=1e-6))


@pytest.mark.parametrize(
    ("amounts", "counts", "reason"),
    [([], [], "nothing was counted"), ([1.0], [1], "a single session"), ([0.0, 0.0], [1, 1], "nothing was spent"),
     ([1.0, 1.0], [1, 1], "no spread"), ([1.0, 2.0], [0, 0], "nothing was counted")],
)  # fmt: skip
def test_a_ratio_without_an_interval_says_why(amounts: list[float], counts: list[int], reason: str):
    found = ratio_of_sums(amounts, counts)
    assert found.interval is None
    assert reason in (found.reason or "")


@pytest.mark.parametrize(
    ("share", "ends", "words"),
    [
        (142 / 33_780, (0.0036, 0.005), ("0.4%", "0.4 to 0.5%")),
        (0.0, (0.0, 0.002), ("0.0%", "0.0 to 0.2%")),
        (1 / 3, (0.06, 0.79), ("33%", "6 to 79%")),
    ],
)
def test_a_share_has_a_decimal_where_its_interval_is_narrow(
    share: float, ends: tuple[float, float], words: tuple[str, str]
):
    known = {"name": "x", "n": 1, "n_landed": 1, "n_undone": 0, "mean": None, "n_firm": 0, "cost_usd": None}
    group = WorkGroup(**known, undone_share=share, undone_ci_95=ends)
    (row,) = group_section([group], "author").rows
    assert tuple(row[3:5]) == words
