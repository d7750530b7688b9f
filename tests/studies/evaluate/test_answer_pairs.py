"""Replies with their keys: right ones are read as right or are unclear, and no wrong one is ever accepted."""

import json
from pathlib import Path
from typing import Any

from moot.studies.evaluate.dataset import Item, Reading, read_datasets

KEYS: dict[str, dict[str, Any]] = {
    "number": {"question": "How many rolls?", "answer": 75},
    "money": {"question": "How much is it?", "answer": "$5"},
    "area": {"question": "How large is it?", "answer": "75 square meters"},
    "ratio": {"question": "Which share?", "answer": 0.75},
    "large": {"question": "How many people?", "answer": 1234000},
    "million": {"question": "How many more?", "answer": 1000000},
    "cold": {"question": "How cold is it?", "answer": -7},
    "choice": {"question": "Which is prime?", "choices": ["51", "57", "59", "91"], "answer": "C"},
    "colour": {"question": "Which colour?", "choices": ["red", "deep blue"], "answer": "B"},
    "yes": {"question": "Is it so?", "answer": True},
    "no": {"question": "Is it thus?", "answer": "no"},
    "name": {"question": "Who was it?", "answer": ["Ada Lovelace", "Lovelace"]},
    "days": {"question": "How long does it take?", "answer": "5 days"},
    "years": {"question": "How old is it?", "answer": "2 years"},
    "mass": {"question": "How heavy is it?", "answer": "5 kg"},
    "miles": {"question": "How far is it?", "answer": "5 miles"},
    "power": {"question": "How strong is it?", "answer": "5 W"},
    "apples": {"question": "What is left of the apples and pears?", "answer": "5 apples"},
    "dollars": {"question": "Tea is $3 and cake is $2. What do both cost?", "answer": 5},
    "hours": {"question": "How many hours does she work at 9 dollars per hour?", "answer": 3},
    "brötchen": {"question": "Wie viele Brötchen verkauft sie?", "answer": 5},
    "面包": {"question": "她卖了几个面包?", "answer": 3},
    "share": {"question": "What percentage is that?", "answer": 15},
    "city": {"question": "首都はどこですか?", "answer": "東京"},
    "street": {"question": "In welcher Straße?", "answer": "Hauptstraße"},
    "toy": {"question": "Which toy?", "answer": "Rubik's cube"},
    "war": {"question": "Which years?", "answer": "1914-1918"},
    "interval": {"question": "Where is it positive?", "answer": "[2,5)"},
    "point": {"question": "Which point?", "answer": "(3, 4)"},
    "factorial": {"question": "How many orders?", "answer": "n!"},
    "mixed": {"question": "Which number?", "answer": "3\\frac{1}{2}"},
    "half": {"question": "Which one below?", "answer": -0.5},
    "angle": {"question": "Which angle?", "answer": "90^\\circ"},
    "thousands": {"question": "How many thousands?", "answer": "10,\\!236"},
    "quarter turn": {"question": "How far in radians?", "answer": "\\frac{\\pi}{2}"},
    "polynomial": {"question": "Which polynomial?", "answer": "x^2+1"},
    "root": {"question": "Which root?", "answer": "\\sqrt{2}"},
    "decade": {"question": "Which decade?", "answer": "1990s"},
    "century": {"question": "Which century?", "answer": "21st century"},
    "clock": {"question": "When?", "answer": "10 AM"},
    "odds": {"question": "Which odds?", "answer": "50/50"},
    "platform": {"question": "Which platform?", "answer": ".NET"},
    "pointer": {"question": "Which expression?", "answer": "*p"},
    "method": {"question": "Which method?", "answer": "__init__"},
    "light": {"question": "How fast is light?", "answer": "3 x 10^8 m/s"},
    "genes": {"question": "Which genes?", "choices": ["AA", "Aa", "aa"], "answer": "B"},
    "value": {"question": "Which value?", "choices": ["p", "*p", "&p"], "answer": "B"},
    "closed": {"question": "Which is closed?", "choices": ["(2,5)", "[2,5]", "[2,5)"], "answer": "B"},
    "orders": {"question": "How many ways?", "choices": ["n", "n!"], "answer": "B"},
    "decimal": {"question": "Which decimal?", "choices": [".5", "5"], "answer": "A"},
}
RIGHT: dict[str, list[str]] = {
    "number": [
        "ANSWER: 75", "ANSWER: 75.0", "**ANSWER:** 75", "ANSWER: **75**", "ANSWER:\n75", "ANSWER:\n\n75.",
        "Answer: 75.", "#### 75", "So it is \\boxed{75}.", "$\\boxed{75}$", "ANSWER: \\boxed{75}",
        "ANSWER: 75 rolls", "ANSWER: `75`", "Final answer: 75", "ANSWER: = 75", "ANSWER: x = 75", "75", "**75**",
        "ANSWER: 75,", "ANSWER: “75”", "ANSWER: $75$", "ANSWER: \\(75\\)", "ANSWER: 70\nNo, wait.\nANSWER: 75",
        "> ANSWER: 75", "- **Answer**: 75", "ANSWER: 150/2", "ANSWER: 7.5e1", "### Answer\n75",
        "**Final Answer**\n\n75", "ANSWER: (75)", "ANSWER: [75]", "<answer>75</answer>",
    ],
    "money": ["ANSWER: $5", "ANSWER: 5", "ANSWER: $5.00", "ANSWER: \\$5", "\\boxed{\\$5}"],
    "area": ["ANSWER: 75 square meters"],
    "ratio": ["ANSWER: 0.75", "ANSWER: 3/4", "ANSWER: .75", "\\boxed{\\frac{3}{4}}", "ANSWER: \\dfrac{3}{4}"],
    "large": [
        "ANSWER: 1,234,000", "ANSWER: 1 234 000", "ANSWER: 1234000", "ANSWER: 1.234e6", "ANSWER: 1.234 × 10^6",
        "ANSWER: 1'234'000", "ANSWER: 1,234,000 people",
    ],
    "million": ["ANSWER: 10^6", "ANSWER: 10⁶", "ANSWER: 10^{6}"],
    "cold": ["ANSWER: −7"],
    "choice": [
        "ANSWER: C", "ANSWER: c", "ANSWER: (C)", "ANSWER: [C]", "ANSWER: C)", "ANSWER: C.", "ANSWER: C) 59",
        "ANSWER: 59", "ANSWER:\nC", "\\boxed{C}", "\\boxed{\\text{C}}", "C", "ANSWER: **C**", "ANSWER: C: 59",
        "ANSWER: C – 59", "#### C",
    ],
    "colour": ["ANSWER: B", "ANSWER: deep blue", "ANSWER: B. Deep blue.", "[B]"],
    "yes": [
        "ANSWER: yes", "ANSWER: Yes", "ANSWER: true", "ANSWER: True.", "ANSWER:\nYes", "**Answer:** Yes!",
        "\\boxed{\\text{Yes}}", "ANSWER: Correct", "Yes.",
    ],
    "no": ["ANSWER: no", "ANSWER: No.", "ANSWER: False", "No"],
    "name": [
        "ANSWER: Ada Lovelace", "ANSWER: ada lovelace.", "ANSWER: Lovelace", "ANSWER:\n**Ada Lovelace**",
        "ANSWER: “Ada Lovelace”", "\\boxed{\\text{Ada Lovelace}}",
    ],
    "days": ["ANSWER: 5 days"],
    "years": ["ANSWER: 2 years"],
    "mass": ["\\boxed{5\\text{ kg}}"],
    "miles": ["ANSWER: 5 miles"],
    "power": ["ANSWER: 5 W"],
    "apples": ["ANSWER: 5 apples"],
    "dollars": ["ANSWER: $5", "ANSWER: 5"],
    "hours": ["ANSWER: 3 hours", "ANSWER: 3"],
    "brötchen": ["ANSWER: 5 Brötchen", "ANSWER: ５", "ANSWER: ٥"],
    "面包": ["ANSWER: 3个面包", "ANSWER: 3 个", "答案\nANSWER：3"],
    "share": ["ANSWER: 15"],
    "city": ["ANSWER: 東京。", "ANSWER: 「東京」"],
    "street": ["ANSWER: HAUPTSTRASSE", "ANSWER: Hauptstraße."],
    "toy": ["ANSWER: Rubik’s cube", "ANSWER: Rubik's Cube."],
    "war": ["ANSWER: 1914–1918", "ANSWER: 1914 – 1918"],
    "interval": ["ANSWER: [2, 5)", "ANSWER: $[2,5)$", "\\boxed{\\left[2,5\\right)}"],
    "point": ["ANSWER: (3,4)", "\\boxed{(3, 4)}", "\\boxed{\\left(3,4\\right)}", "ANSWER: 3, 4"],
    "factorial": ["ANSWER: n!", "ANSWER: $n!$", "ANSWER: n!."],
    "mixed": ["ANSWER: 3.5", "ANSWER: 3 1/2", "ANSWER: 3\\tfrac12", "ANSWER: 3½", "\\boxed{\\frac{7}{2}}"],
    "half": ["ANSWER: \\frac{-1}{2}", "ANSWER: -\\frac{1}{2}", "ANSWER: –0.5", "ANSWER: −½"],
    "angle": ["ANSWER: 90°", "\\boxed{90^{\\circ}}", "ANSWER: 90"],
    "thousands": ["ANSWER: 10236", "\\boxed{10{,}236}", "ANSWER: 10’236", "ANSWER: 10,236"],
    "quarter turn": ["\\boxed{\\dfrac{\\pi}{2}}", "ANSWER: π/2", "ANSWER: \\frac{ \\pi }{2}"],
    "polynomial": ["ANSWER: x^2 + 1", "ANSWER: x² + 1", "ANSWER: $x^{2}+1$"],
    "root": ["ANSWER: √2", "ANSWER: \\sqrt2", "ANSWER: sqrt(2)"],
    "decade": ["ANSWER: 1990s", "ANSWER: 1990s."],
    "century": ["ANSWER: 21st century", "ANSWER: 21st Century"],
    "clock": ["ANSWER: 10 AM", "ANSWER: 10 am"],
    "odds": ["ANSWER: 50/50", "ANSWER: 50 / 50"],
    "platform": ["ANSWER: .NET", "ANSWER: .NET."],
    "pointer": ["ANSWER: *p", "ANSWER: `*p`"],
    "method": ["ANSWER: __init__", "ANSWER: `__init__`", "**ANSWER: `__init__`**"],
    "genes": ["ANSWER: Aa", "ANSWER: B) Aa", "ANSWER: B"],
    "value": ["ANSWER: *p", "ANSWER: `*p`", "ANSWER: *B*", "ANSWER: B) *p"],
    "closed": ["ANSWER: [2,5]", "ANSWER: $[2, 5]$", "ANSWER: B) [2,5]"],
    "orders": ["ANSWER: n!", "ANSWER: B!"],
    "decimal": ["ANSWER: .5"],
}  # fmt: skip
UNCLEAR: dict[str, list[str]] = {
    "number": [
        "The answer is 75.", "She sells 84 - 9. So the answer is 75.", "The final answer is: 75",
        "ANSWER: 75 rolls in total", "ANSWER: approximately 75", "ANSWER: 75\n\nI hope this helps!",
    ],
    "money": ["ANSWER: 5 dollars", "ANSWER: 500 cents", "ANSWER: USD 5", "ANSWER: US$5", "ANSWER: 5 USD"],
    "large": ["ANSWER: 1.234 million"],
    "million": ["ANSWER: 1 million"],
    "cold": ["ANSWER: minus 7", "ANSWER: negative 7", "ANSWER: -7 degrees"],
    "choice": [
        "The correct option is C.", "ANSWER: Option C", "The answer is C.", "The correct answer is (C).",
        "ANSWER: choice C", "ANSWER: C, because it has no divisor", "Final answer: Option (C)",
    ],
    "colour": ["ANSWER: Option B: deep blue"],
    "yes": [
        "ANSWER: Yes, it is", "ANSWER: Yes, it is.", "The answer is yes.", "ANSWER: Yes, because it rains",
        "ANSWER: It is true", "ANSWER: Yes – it does", "ANSWER: **Yes** – it holds",
        "ANSWER: yes — since 59 has no divisor", "ANSWER: Yes it does",
    ],
    "no": [
        "ANSWER: No, it is not", "ANSWER: No, it isn't", "ANSWER: That is false", "The answer is no",
        "ANSWER: No, because it never rains", "ANSWER: No, it was another one",
    ],
    "dollars": ["ANSWER: 5 dollars", "ANSWER: $5 in total"],
    "hours": ["ANSWER: 3 h"],
    "share": ["ANSWER: 15%", "ANSWER: 15 percent"],
    "angle": ["ANSWER: 90 degrees"],
    "decimal": ["ANSWER: A. .5"],
}  # fmt: skip
"""Right answers in words, which a model has to judge: they are unclear, and never wrong."""
WRONG: dict[str, list[str]] = {
    "number": [
        "ANSWER: 74", "ANSWER: 75 or 76", "ANSWER: not 75", "I think of 75.", "ANSWER: 75 dozen", "ANSWER: -75",
        "ANSWER: 75%\nANSWER: 76", "ANSWER: 75k", "It was 75 before.\nANSWER: 80", "ANSWER: 75 more than 3",
        "#### 7 5", "ANSWER: 175", "ANSWER: 75²", "ANSWER: between 75 and 80", "ANSWER: 75 million",
        "The answer is not 75.", "ANSWER: 75 degrees below zero", "ANSWER: minus 75", "ANSWER: 7**5",
        "### Answer\nNot 75",
    ],
    "money": ["ANSWER: 5 cents", "ANSWER: €5", "ANSWER: 5 kg", "ANSWER: $50", "ANSWER: $4.99", "ANSWER: £5"],
    "area": ["ANSWER: 75 meters", "ANSWER: 75 cm²", "ANSWER: 75 km²", "ANSWER: 75 kg"],
    "ratio": ["ANSWER: 75", "ANSWER: 75%", "ANSWER: 4/3", "ANSWER: 3,4"],
    "large": ["ANSWER: 1,234", "ANSWER: 1.234 billion", "ANSWER: 1,2340,00", "ANSWER: 1.234"],
    "million": ["ANSWER: 10^5", "ANSWER: 2×10^6", "ANSWER: 110^6"],
    "cold": ["ANSWER: 7", "ANSWER: minus -7"],
    "choice": [
        "ANSWER: A", "ANSWER: A or C", "ANSWER: C and D", "ANSWER: C) 51", "ANSWER: 57", "ANSWER: not C",
        "Is it C?\nANSWER: D", "ANSWER: none", "ANSWER: (B) 57", "Carbon", "ANSWER: anything but C",
    ],
    "colour": ["ANSWER: A", "ANSWER: blue-green", "ANSWER: B) red", "ANSWER: red or deep blue"],
    "yes": [
        "ANSWER: no", "ANSWER: yes and no", "ANSWER: Yes or no", "ANSWER: Yes, but no", "ANSWER: maybe",
        "ANSWER: Yes, it is not", "ANSWER: not yes", "ANSWER: It is not true", "ANSWER: Yes, if n is even",
        "ANSWER: Yes, sometimes", "ANSWER: Yes, partially", "ANSWER: True only for primes",
        "ANSWER: Yes — it is impossible", "ANSWER: Correct me", "ANSWER: Yes in theory, hardly in practice",
        "Yes?\nANSWER: No", "ANSWER: Yesterday",
    ],
    "no": [
        "ANSWER: No, that is true", "ANSWER: No, it's correct", "ANSWER: No doubt", "ANSWER: No answer",
        "ANSWER: No idea", "ANSWER: No conclusion is possible", "ANSWER: No: it holds", "ANSWER: No one can deny it",
        "ANSWER: No question about it", "ANSWER: yes", "ANSWER: No, it is", "ANSWER: not no", "ANSWER: None",
        "ANSWER: Nobody knows",
    ],
    "name": ["ANSWER: Ada", "ANSWER: not Lovelace", "ANSWER: Lovelace or Babbage", "It was Lovelace, I think."],
    "days": ["ANSWER: 5 months", "ANSWER: 5 years", "ANSWER: 5 weeks", "ANSWER: 5 fortnights", "ANSWER: 5 m"],
    "years": ["ANSWER: 2 months", "ANSWER: 2 decades", "ANSWER: 2 light years"],
    "mass": ["ANSWER: 5 pounds", "ANSWER: 5 lbs", "ANSWER: 5 stone", "ANSWER: 5 oz"],
    "miles": ["ANSWER: 5 nautical miles", "ANSWER: 5 km", "ANSWER: 5 miles per hour", "ANSWER: 5 leagues"],
    "power": ["ANSWER: 5 kW", "ANSWER: 5 Wh", "ANSWER: 5 MW", "ANSWER: 5 kg"],
    "apples": ["ANSWER: 5 pears", "ANSWER: 5 kg", "ANSWER: 5 dozen apples"],
    "dollars": ["ANSWER: 5 cents", "ANSWER: €5", "ANSWER: 5 rupees", "ANSWER: 5%", "ANSWER: 5 CAD"],
    "hours": ["ANSWER: 3 minutes", "ANSWER: 3 days", "ANSWER: at least 3", "ANSWER: 3 at least", "ANSWER: 3y"],
    "brötchen": [
        "ANSWER: 5 Millionen", "ANSWER: 5 tausend", "ANSWER: 5 oder sechs", "ANSWER: 5 Mal zwei",
        "ANSWER: 5 Dutzend", "ANSWER: 5\nSorry, I meant 6.", "ANSWER: 5\n\nWait, that is wrong.",
    ],
    "面包": ["ANSWER: 3万", "ANSWER: 3 千", "ANSWER: 3 ou quatre", "ANSWER: 3 point two", "ANSWER: 3 over seven"],
    "share": ["ANSWER: 15 percent more", "ANSWER: 0.15", "ANSWER: 15‰"],
    "city": ["ANSWER: 京都", "ANSWER: 東京か京都"],
    "street": ["ANSWER: Hauptstr", "ANSWER: nicht Hauptstraße"],
    "toy": ["ANSWER: Rubiks"],
    "war": ["ANSWER: 1914", "ANSWER: 1914–1919"],
    "interval": ["ANSWER: (2,5)", "ANSWER: [2,5]", "ANSWER: (2,5]", "ANSWER: 2,5"],
    "point": ["ANSWER: (4,3)", "ANSWER: [3,4]", "ANSWER: (3,4]"],
    "factorial": ["ANSWER: n", "ANSWER: no"],
    "mixed": ["ANSWER: 15.5", "ANSWER: 31/2", "ANSWER: 3/2"],
    "half": ["ANSWER: 0.5", "ANSWER: –5", "ANSWER: \\frac{1}{2}"],
    "angle": ["ANSWER: 9°", "ANSWER: 90 radians"],
    "thousands": ["ANSWER: 10", "ANSWER: 10.236"],
    "quarter turn": ["ANSWER: π", "ANSWER: 2/π"],
    "polynomial": ["ANSWER: x^2 - 1", "ANSWER: x2+1"],
    "root": ["ANSWER: 2", "ANSWER: √3"],
    "decade": ["ANSWER: 1990", "ANSWER: 1980s", "ANSWER: 1990 seconds"],
    "century": ["ANSWER: 20th century", "ANSWER: 2100 years"],
    "clock": ["ANSWER: 10 PM", "ANSWER: 22"],
    "odds": ["ANSWER: 1", "ANSWER: 100/100"],
    "platform": ["ANSWER: net"],
    "pointer": ["ANSWER: p", "ANSWER: &p"],
    "method": ["ANSWER: init"],
    "light": ["ANSWER: 3×10^8 km/h", "ANSWER: 3×10^7 m/s"],
    "genes": ["ANSWER: AA", "ANSWER: aa", "ANSWER: B) AA"],
    "value": ["ANSWER: p", "ANSWER: &p", "ANSWER: B) p"],
    "closed": ["ANSWER: (2,5)", "ANSWER: [2,5)", "ANSWER: 2,5"],
    "orders": ["ANSWER: n"],
    "decimal": ["ANSWER: 5", "ANSWER: 0.5 or 5"],
}  # fmt: skip


def items(folder: Path, how: Reading = Reading()) -> dict[str, Item]:  # noqa: B008 (it is frozen)
    path = folder / "keys.jsonl"
    path.write_text("".join(json.dumps({"id": name, **key}) + "\n" for name, key in KEYS.items()), "utf-8")
    return {item.id: item for item in read_datasets([path], how).items}


def read_as_right(item: Item, reply: str) -> bool:
    answer = item.answer_in(reply)
    return answer is not None and item.is_right(answer)


def test_right_answers_are_read_and_wrong_ones_never_accepted(tmp_path: Path) -> None:
    keys = items(tmp_path)
    right, unclear, wrong = (
        [(name, reply) for name, replies in each.items() for reply in replies] for each in (RIGHT, UNCLEAR, WRONG)
    )
    assert [one for one in right if not read_as_right(keys[one[0]], one[1])] == []
    assert [one for one in unclear if keys[one[0]].answer_in(one[1]) is not None] == []
    assert [one for one in wrong if read_as_right(keys[one[0]], one[1])] == []


def test_an_answer_in_words_is_kept_for_a_scorer(tmp_path: Path) -> None:
    (item,) = (one for one in items(tmp_path, Reading(open=True)).values() if one.id == "number")
    assert item.answer_in("ANSWER: seventy-five") == "seventy-five"
    assert not item.is_right("seventy-five")
    assert item.answer_in("ANSWER: 75.0") == "75"
