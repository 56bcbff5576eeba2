"""The demo's datasets. Each changed over time: items came, changed and went, and every change is a version."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.service.demo.context import DAY, HOUR, PROJECT, Context
from gnomon.service.demo.questions import DemoQuestion, questions
from gnomon.service.experiments import datasets, syncing
from gnomon.store.pages import Slice

QUESTIONS, HARD, CHATS = "support-questions", "hard-questions", "chat-turns"
_CREATED = 14 * DAY
_LEFT = [
    DemoQuestion("plans", "How many fax lines come with the Team plan?", "That is {}.", "1 fax line", "2 fax lines"),
    DemoQuestion(
        "returns", "How long do I have to return a DVD?", "You can return a DVD within {}.", "14 days", "30 days"
    ),
]
"""Asked once, and taken out later: nobody sells these any more."""
_ADDED_LATER = {3, 8, 17, 26}
_WRONG_AT_FIRST = {0: "28 days", 21: "20 seats"}
"""Places of questions whose expected output was corrected."""


@dataclass(frozen=True, slots=True)
class DatasetQuestions:
    """The questions that a dataset holds at some moment, each with the item that it is."""

    dataset_id: str
    questions: Sequence[DemoQuestion]
    item_ids: Sequence[str]


class SupportQuestions:
    """The dataset of most experiments, brought forward step by step."""

    def __init__(self, context: Context) -> None:
        self._context = context
        words = "What customers ask, with the fact that a good answer holds"
        draft = DatasetDraft(project_id=PROJECT, name=QUESTIONS, description=words)
        self.id = datasets.create(context.at(_CREATED), draft).id

    def at(self, age: int) -> DatasetQuestions:
        """The questions as they were so long ago. Ages must fall from call to call: versions only grow."""
        demo_questions = _questions_at(age)
        drafts = _drafts(demo_questions)
        synced = syncing.sync(self._context.at(_since(age)), self.id, drafts, syncing.entries_of(drafts))
        return DatasetQuestions(self.id, demo_questions, synced.item_ids)


_STEPS = (_CREATED - HOUR, 11 * DAY, 9 * DAY, 8 * DAY)
"""Ages of the versions: the first items, four more, two corrected, two taken out."""


def _since(age: int) -> int:
    return min((step for step in _STEPS if step >= age), default=_STEPS[0])


def _questions_at(age: int) -> list[DemoQuestion]:
    _, added, corrected, cleaned = _STEPS
    everything = list(questions())
    demo_questions = []
    for index, question in enumerate(everything):
        if index in _ADDED_LATER and age > added:
            continue
        stale = index in _WRONG_AT_FIRST and age > corrected
        demo_questions.append(replace(question, right=_WRONG_AT_FIRST[index]) if stale else question)
    return demo_questions + (_LEFT if age > cleaned else [])


def _drafts(demo_questions: Sequence[DemoQuestion]) -> list[ItemDraft]:
    return [
        ItemDraft(
            key=key, input=question.asked, expected_output=question.right, metadata={"topic": question.topic}
        )
        for key, question in zip(_keys(demo_questions), demo_questions, strict=True)
    ]  # fmt: skip


def _keys(demo_questions: Sequence[DemoQuestion]) -> list[str]:
    """`returns-01`, …: numbered in the order of the whole list, so that a key does not move when others come."""
    numbered: Counter[str] = Counter()
    keys = {}
    for question in [*questions(), *_LEFT]:
        numbered[question.topic] += 1
        keys[question.asked] = f"{question.topic}-{numbered[question.topic]:02}"
    return [keys[question.asked] for question in demo_questions]


def make_chat_turns(context: Context, turns: Sequence[tuple[list[dict[str, str]], str]]) -> None:
    """Turns of conversations with their whole history; one was added alone, one taken out, one corrected."""
    words = "The last turn of a conversation, with what was said before it"
    draft = DatasetDraft(project_id=PROJECT, name=CHATS, description=words)
    dataset_id = datasets.create(context.at(5 * DAY), draft).id
    drafts = [
        ItemDraft(key=f"turn-{index:02}", input=messages, expected_output=answer, metadata={"turns": len(messages)})
        for index, (messages, answer) in enumerate(turns, start=1)
    ]
    *first, last = drafts
    datasets.import_items(context.at(5 * DAY - HOUR), dataset_id, iter(first), len(first))
    datasets.add_item(context.at(4 * DAY), dataset_id, last)
    stored = datasets.items(context.at(0), dataset_id, None, Slice(200)).items
    datasets.delete_item(context.at(3 * DAY), dataset_id, next(item.id for item in stored if item.key == drafts[0].key))
    corrected = [drafts[1].model_copy(update={"expected_output": "Please see Billing > Invoices."}), *drafts[2:]]
    syncing.sync(context.at(2 * DAY), dataset_id, corrected, syncing.entries_of(corrected))
