"""What customers ask, and what a version of the prompt answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from gnomon.model.score import InlineScoreDraft

VERSIONS = ("answers-v1", "answers-v2")


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    topic: str
    asked: str
    says: str
    """The answer's sentence, with a place for the fact."""
    right: str | None
    """The fact; None when there is no one right answer."""
    wrong: str

    def answer(self, fact: str) -> str:
        return self.says.format(fact)


_RETURNS = [
    ("shoes", "30 days", "45 days"), ("headphones", "14 days", "21 days"), ("a mattress", "100 nights", "60 nights"),
    ("swimwear", "7 days", "10 days"), ("a winter coat", "60 days", "90 days"), ("a desk lamp", "28 days", "35 days"),
    ("a gift card", "5 days", "12 days"), ("a backpack", "90 days", "20 days"), ("a blender", "21 days", "40 days"),
    ("a refurbished phone", "10 days", "25 days"),
]  # fmt: skip
_DELIVERY = [
    ("Austria", "3 working days", "6 working days"), ("Belgium", "2 working days", "5 working days"),
    ("Canada", "9 working days", "14 working days"), ("Finland", "5 working days", "8 working days"),
    ("Japan", "11 working days", "6 working days"), ("Portugal", "4 working days", "7 working days"),
    ("Mexico", "12 working days", "8 working days"), ("Norway", "6 working days", "3 working days"),
    ("Spain", "4 working days", "9 working days"), ("the island of Malta", "8 working days", "5 working days"),
]  # fmt: skip
_PLANS = [
    ("seats come with the Starter plan", "3 seats", "5 seats"),
    ("seats come with the Team plan", "25 seats", "20 seats"),
    ("projects does the Starter plan allow", "2 projects", "5 projects"),
    ("projects does the Team plan allow", "40 projects", "25 projects"),
    ("gigabytes of storage does the Team plan have", "200 GB", "150 GB"),
    ("exports a day can I make on the Starter plan", "10 exports", "50 exports"),
    ("days is the free trial", "14 days", "30 days"),
    ("months of history does the Team plan keep", "24 months", "12 months"),
    ("guests may I invite on the Team plan", "50 guests", "15 guests"),
    ("alerts can I set on the Starter plan", "6 alerts", "20 alerts"),
]  # fmt: skip
_SETTINGS = [
    ("change my password", "Account > Security", "Account > Profile"),
    ("download an invoice", "Billing > Invoices", "Account > Documents"),
    ("add a team member", "Team > Members", "Account > Sharing"),
    ("cancel my subscription", "Billing > Plan", "Account > Security"),
    ("switch off e-mails", "Account > Notifications", "Billing > Plan"),
    ("change the card on file", "Billing > Payment", "Account > Profile"),
    ("set a delivery address", "Orders > Addresses", "Account > Profile"),
    ("see past orders", "Orders > History", "Billing > Invoices"),
]  # fmt: skip
_OPEN = [
    ("I am thinking of leaving for another shop. What would you say to me?", "We would be sorry to see you go. {}"),
    ("Which of your plans do you like best yourself?", "It depends on the size of your team. {}"),
]


def questions() -> Iterator[DemoQuestion]:
    for product, right, wrong in _RETURNS:
        question = f"How long do I have to return {product}?"
        yield DemoQuestion("returns", question, f"You can return {product} within {{}} of delivery.", right, wrong)
    for country, right, wrong in _DELIVERY:
        question = f"How long does delivery to {country} take?"
        yield DemoQuestion("delivery", question, f"Delivery to {country} takes {{}}.", right, wrong)
    for topic, right, wrong in _PLANS:
        template = "That is {}, and you can change it at any time."
        yield DemoQuestion("plans", f"How many {topic}?", template, right, wrong)
    for topic, right, wrong in _SETTINGS:
        yield DemoQuestion(
            "settings", f"Where do I {topic}?", f"To {topic}, open {{}} and follow the steps.", right, wrong
        )
    for question, says in _OPEN:
        yield DemoQuestion("open", question, says, None, "Please see our terms.")


# --- what the versions of the prompt answer -----


@dataclass(frozen=True, slots=True)
class Version:
    """How one prompt version behaves."""

    name: str
    prompt: str
    opening: str
    tones: dict[str, float]
    helpful: float
    failures: int


V1 = Version(
    VERSIONS[0], "Answer the customer's question in one sentence.", "",
    {"neutral": 0.6, "curt": 0.3, "friendly": 0.1}, 0.74, 6,
)  # fmt: skip
V2 = Version(
    VERSIONS[1], "Look the answer up, then answer kindly and exactly.", "Happy to help! ",
    {"friendly": 0.7, "neutral": 0.25, "curt": 0.05}, 0.83, 3,
)  # fmt: skip
CONCISE = Version(
    "answers-concise", "Answer in ten words or fewer.", "", {"neutral": 0.45, "curt": 0.5, "friendly": 0.05}, 0.7, 2
)
DODGE = "I am not sure; please write to our team."
TIMEOUT = "the model did not answer within 30 s"
_WORSE_IN_V2 = {4, 13, 27}
"""Places of the questions that the second prompt spoils."""


@dataclass(frozen=True, slots=True)
class Answered:
    text: str
    right: bool


@dataclass(frozen=True, slots=True)
class Chances:
    """How often each question is answered right, by the place of the question."""

    v1: list[float]
    v2: list[float]


def chances(random: Random, count: int) -> Chances:
    """The second version is better, but not everywhere."""
    v1 = [random.betavariate(1.6, 1.3) for _ in range(count)]
    v2 = [chance * 0.3 if index in _WORSE_IN_V2 else min(0.97, chance + 0.3) for index, chance in enumerate(v1)]
    return Chances(v1, v2)


def answer(random: Random, question: DemoQuestion, version: Version, chance: float) -> Answered:
    right = random.random() < chance
    dodged = random.random() < 0.2
    if question.right is None:
        fact = "What would help you most?" if right else question.wrong
    else:
        fact = question.right if right else question.wrong
    return Answered(DODGE if dodged and not right else version.opening + question.answer(fact), right)


def survey(random: Random, version: Version, answered: Answered) -> list[InlineScoreDraft]:
    """What the customer's form said of an answer."""
    helpful = random.gauss(version.helpful if answered.right else version.helpful - 0.35, 0.09)
    (tone,) = random.choices(list(version.tones), list(version.tones.values()))
    scores = [InlineScoreDraft(scorer_name="tone", value=tone)]
    if random.random() > 0.04:  # some people close the form without answering
        value = round(min(1.0, max(0.0, helpful)), 2)
        scores.append(InlineScoreDraft(scorer_name="helpfulness", value=value))
    return scores
