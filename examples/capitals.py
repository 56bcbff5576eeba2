"""Evaluate a function over data and compare it with the version before, in ten lines.

Run: python examples/capitals.py
Results are stored in ~/.gnomon, or where GNOMON_HOME says; no server is needed.
"""

import gnomon as gn

capitals = {"Cuba": "Havana", "Egypt": "Cairo", "France": "Paris", "Italy": "Rome", "Japan": "Tokyo",
            "Kenya": "Nairobi", "Nepal": "Kathmandu", "Peru": "Lima", "Spain": "Madrid", "Togo": "Lomé"}  # fmt: skip
data = [{"input": country, "expected_output": city} for country, city in capitals.items()]


def answer(country):  # your application: any function, plain or async
    return "I am not sure." if country == "Togo" else capitals[country]


scorers = [gn.exact_match(), gn.contains()]
gn.evaluate(lambda country: f"The capital is {capitals[country]}.", data, scorers, name="prompt-v1")
result = gn.evaluate(answer, data, scorers, name="prompt-v2")
print(result, result.compare("prompt-v1"), sep="\n\n")
result.compare("prompt-v1").assert_no_regression()
