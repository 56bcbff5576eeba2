"""The walks of one audience each, through the same page: reviewers, researchers, team leads and others.

A file of its own, since a file stays in one process and these take as long as all others.
"""

import os
import re
import secrets
from pathlib import Path
from typing import Any

import pytest

from conftest import start_gnomon
from contract.caller import Api
from databases import copy_of_demo
from gnomon.testing import Asked, LoopbackModel
from web import browser

pytestmark = pytest.mark.skipif(
    os.environ.get("GNOMON_BROWSER_TESTS") == "skip", reason="GNOMON_BROWSER_TESTS=skip: THE PAGE IS NOT TESTED"
)


@pytest.mark.parametrize("spec", sorted(browser.OF_ONE_AUDIENCE & browser.specs()))
def test_the_page(spec: str, settings: dict[str, Any], walker: browser.Walker) -> None:
    walker.walk(spec, settings)


def test_every_walk_of_an_audience_is_there() -> None:
    assert browser.specs() >= browser.OF_ONE_AUDIENCE


def test_judges_whose_model_can_be_asked(tmp_path: Path, walker: browser.Walker) -> None:
    """The demo, with a model on loopback in the place of all models."""
    key = "admin-" + secrets.token_hex(16)
    with LoopbackModel(_grade) as model:
        environment = {**os.environ, **model.environment(), "GNOMON_HOME": str(tmp_path), "GNOMON_ADMIN_KEY": key}
        copy_of_demo(tmp_path)
        server = start_gnomon(["demo"], environment, tmp_path)
        try:
            api = Api(server.http, server.admin_key, "support-demo")
            _judged_by(api, "team/tone & style?")
            settings = {
                "url": server.url, "key": key, "readKey": api.with_key("read").key, "project": api.project, "facts": {},
                "results": str(browser.RESULTS),
            }  # fmt: skip
            walker.walk("asking/judges", settings)
        finally:
            server.stop()


def _grade(asked: Asked) -> str:
    """A 5 for whoever asks for one, else a 3."""
    return "Grade: 5" if re.search(r"(?:nswer with|eply with|must return) 5", asked.prompt) else "Grade: 3"


def _judged_by(api: Api, name: str) -> None:
    """Two answers that a judge of that name has scored."""
    config = {"model": "gpt-4o-mini", "prompt_template": "{{input}} {{output}}", "score_range": {"min": 1, "max": 5}}
    scorer = {"scorer_name": name, "scorer": "llm_judge", "config": {**config, "reading": "last_number"}}
    dataset = api.questions(2)
    experiment = api.experiment(dataset.id)
    runs = [{"dataset_item_id": item, "output": "an answer", "scores": [scorer]} for item in dataset.item_ids]
    for job in api.make(f"/experiments/{experiment}/runs", {"runs": runs})["job_ids"]:
        assert api.finished(job)["status"] == "done"
