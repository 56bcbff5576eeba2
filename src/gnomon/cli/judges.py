"""The judges of a database on this machine: what a server tells of them, and what only their neighbour can do."""

from gnomon.cli.embedded import Embedded
from gnomon.model.card import JudgeCard, Probe
from gnomon.service import cards, probing
from gnomon.service.probing import Questions


class LocalJudges(Embedded):
    def judge_card(self, scorer_name: str, project_id: str, config_hash: str | None, human: str | None) -> JudgeCard:
        return self._read(lambda call: cards.card(call, project_id, scorer_name, config_hash, human))

    def questions(self, scorer_name: str, project_id: str, config_hash: str | None, n: int, seed: int) -> Questions:
        return self._read(lambda call: probing.questions(call, project_id, scorer_name, config_hash, n, seed))

    def keep(self, asked: Questions, found: Probe) -> None:
        self._write(lambda call: probing.keep(call, asked, found))
