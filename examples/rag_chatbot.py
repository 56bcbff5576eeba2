"""A chatbot that looks passages up and answers from them: two prompts, compared by rules and by a judge.

Run: python examples/rag_chatbot.py
It asks the model MODEL at OPENAI_BASE_URL, any server that speaks OpenAI's protocol (or OpenAI itself, with
OPENAI_API_KEY alone). Without either, a stand-in on this machine answers, so that the example runs as it is.
Results are stored in ~/.gnomon, or where GNOMON_HOME says.
"""

import os
import re
from functools import cache

import httpx2

import gnomon as gn
from gnomon.testing import Asked, LoopbackModel

MODEL = os.environ.get("MODEL", "gpt-4o-mini")
PASSAGES = {
    "returns": "Returns: you can send an item back within 30 days. It must be unused.",
    "refunds": "Refunds: we pay you back within 5 working days after the item has arrived.",
    "shipping": "Shipping: parcels take 2 days inside the country and 9 days abroad.",
    "express": "Express shipping costs 12 euros and takes 1 day.",
    "warranty": "Warranty: lamps have a warranty of 24 months, batteries of 6 months.",
    "contact": "Contact: our phone is open from 8 to 18, Monday to Friday.",
    "gift cards": "Gift cards are valid for 36 months and cannot be exchanged for money.",
    "invoices": "Invoices: you find them in your account for 10 years.",
}
QUESTIONS = [
    ("How many days do I have to send an item back?", "30", "returns"),
    ("How many working days until I get a refund?", "5", "refunds"),
    ("How many days does a parcel take abroad?", "9", "shipping"),
    ("How many euros is express shipping?", "12", "express"),
    ("How many months of warranty does a lamp have?", "24", "warranty"),
    ("How many months of warranty do batteries have?", "6", "warranty"),
    ("How many months is a gift card valid?", "36", "gift cards"),
    ("For how many years do you keep invoices in my account?", "10", "invoices"),
    ("From which hour is your phone open?", "8", "contact"),
    ("Until which hour is your phone open on a Friday?", "18", "contact"),
    ("How many days does express shipping take?", "1", "express"),
    ("How many days does a parcel take inside the country?", "2", "shipping"),
]
DATA = [{"input": q, "expected_output": number, "passage": passage} for q, number, passage in QUESTIONS]
FRIENDLY = "You are the friendly assistant of a lamp shop. Help the customer.\n\n{passages}\n\nQuestion: {question}"
STRICT = (
    "Answer with the number that is asked for and nothing else, from these passages only.\n\n"
    "{passages}\n\nQuestion: {question}"
)


@gn.trace
def retrieve(question: str, most: int = 2) -> list[str]:
    """The passages that share most words with the question."""
    asked = words(question)
    ranked = sorted(PASSAGES, key=lambda name: -len(asked & words(f"{name} {PASSAGES[name]}")))
    return ranked[:most]


def words(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"[a-z]+", text.lower()) if len(word) > 3}


@cache
def http() -> httpx2.Client:
    return httpx2.Client(timeout=60)


def chat(prompt: str) -> str:
    base = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
    headers = {"Authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"}
    body = {"model": MODEL, "messages": [{"role": "user", "content": prompt}], "temperature": 0}
    with gn.span("ask the model", input=prompt) as span:
        answer = http().post(f"{base}/chat/completions", headers=headers, json=body).raise_for_status()
        text = str(answer.json()["choices"][0]["message"]["content"])
        span.set_model(MODEL)
        span.set_output(text)
    return text


def chatbot(template: str):
    """The application with one prompt."""

    def reply(question: str) -> str:
        passages = "\n".join(PASSAGES[name] for name in retrieve(question))
        return chat(template.format(passages=passages, question=question))

    return reply


@gn.scorer
def found_passage(trace, metadata):
    """Did the retriever find the passage that holds the answer? Read from the trace of the run."""
    return any(metadata["passage"] in span.output for span in trace.spans if span.name == "retrieve")


JUDGE = gn.llm_judge(
    f"openai/{MODEL}",
    "A customer asked: {{input}}\nThe shop answered: {{output}}\nHow brief and to the point is it, from 0 to 10?",
    score_range=(0, 10),
    name="to_the_point",
)
SCORERS = [gn.exact_match(), gn.contains(), found_passage, JUDGE]


def main() -> None:
    gn.evaluate(chatbot(FRIENDLY), DATA, SCORERS, name="friendly", dataset="lamp-shop", progress=False)
    strict = gn.evaluate(chatbot(STRICT), DATA, SCORERS, name="strict", dataset="lamp-shop", progress=False)
    print(strict, strict.compare("friendly"), sep="\n\n")
    print()
    print(gn.gate("strict", "found_passage >= 0.6", "exact_match not worse than friendly"))


def stand_in(asked: Asked) -> str:
    """Answers as a small model might: the first number of the passages that come with the question."""
    if "How brief" in asked.prompt:
        return "9" if len(asked.prompt.split("answered:")[1]) < 150 else "4"
    passages, _, question = asked.prompt.rpartition("\n\nQuestion: ")
    best = max(passages.split("\n\n", 1)[1].splitlines(), key=lambda line: len(words(line) & words(question)))
    number = re.findall(r"\d+", best)[0]
    return number if "nothing else" in passages else f"Thank you for asking! {best} So it is {number}. Have a good day!"


if __name__ == "__main__":
    if "OPENAI_API_KEY" in os.environ:
        main()
    else:
        with LoopbackModel(stand_in) as model:
            os.environ.update(model.environment())
            main()
