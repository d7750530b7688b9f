"""Replies with their keys: at least 97 % of the right ones are read as right, and no wrong one ever is."""

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
}
RIGHT: dict[str, list[str]] = {
    "number": [
        "ANSWER: 75", "ANSWER: 75.0", "**ANSWER:** 75", "ANSWER: **75**", "ANSWER:\n75", "ANSWER:\n\n75.",
        "Answer: 75.",
        "#### 75", "So it is \\boxed{75}.", "$\\boxed{75}$", "ANSWER: \\boxed{75}", "ANSWER: 75 rolls", "ANSWER: `75`",
        "The answer is 75.", "She sells 84 - 9. So the answer is 75.", "Final answer: 75", "The final answer is: 75",
        "ANSWER: = 75", "ANSWER: x = 75", "ANSWER: 75 rolls in total", "75", "**75**", "ANSWER: 75,", "ANSWER: “75”",
        "ANSWER: $75$", "ANSWER: \\(75\\)", "ANSWER: 70\nNo, wait.\nANSWER: 75", "> ANSWER: 75", "- **Answer**: 75",
        "ANSWER: 150/2", "ANSWER: 7.5e1", "ANSWER: approximately 75", "### Answer\n75", "**Final Answer**\n\n75",
        "ANSWER: (75)", "ANSWER: [75]", "<answer>75</answer>", "ANSWER: 75\n\nI hope this helps!",
    ],
    "money": [
        "ANSWER: $5", "ANSWER: 5", "ANSWER: $5.00", "ANSWER: 5 dollars", "ANSWER: 500 cents", "ANSWER: USD 5",
        "ANSWER: US$5", "ANSWER: 5 USD", "ANSWER: \\$5", "\\boxed{\\$5}",
    ],
    "area": [
        "ANSWER: 75", "ANSWER: 75 square meters", "ANSWER: 75 m²", "ANSWER: 75 m^2", "ANSWER: 75 square metres",
        "ANSWER: 75 sq m", "\\boxed{75\\text{ m}^2}", "ANSWER: 750,000 cm²",
    ],
    "ratio": ["ANSWER: 0.75", "ANSWER: 3/4", "ANSWER: .75", "\\boxed{\\frac{3}{4}}", "ANSWER: \\dfrac{3}{4}"],
    "large": [
        "ANSWER: 1,234,000", "ANSWER: 1 234 000", "ANSWER: 1.234 million", "ANSWER: 1234000", "ANSWER: 1.234e6",
        "ANSWER: 1.234 × 10^6", "ANSWER: 1'234'000", "ANSWER: 1,234,000 people",
    ],
    "million": ["ANSWER: 10^6", "ANSWER: 10⁶", "ANSWER: 10^{6}", "ANSWER: 1 million"],
    "cold": ["ANSWER: minus 7", "ANSWER: negative 7", "ANSWER: −7", "ANSWER: -7 degrees"],
    "choice": [
        "The correct option is C.",
        "ANSWER: C", "ANSWER: c", "ANSWER: (C)", "ANSWER: [C]", "ANSWER: C)", "ANSWER: C.", "ANSWER: Option C",
        "ANSWER: C) 59", "ANSWER: 59", "ANSWER:\nC", "\\boxed{C}", "\\boxed{\\text{C}}", "The answer is C.", "C",
        "The correct answer is (C).", "ANSWER: choice C", "ANSWER: **C**", "ANSWER: C: 59", "ANSWER: C – 59",
        "ANSWER: C, because it has no divisor", "Final answer: Option (C)", "#### C",
    ],
    "colour": ["ANSWER: B", "ANSWER: deep blue", "ANSWER: B. Deep blue.", "ANSWER: Option B: deep blue", "[B]"],
    "yes": [
        "ANSWER: yes", "ANSWER: Yes", "ANSWER: true", "ANSWER: Yes, it is", "ANSWER: Yes, it is.", "ANSWER: True.",
        "ANSWER:\nYes", "**Answer:** Yes!", "The answer is yes.", "\\boxed{\\text{Yes}}",
        "ANSWER: Yes, because it rains",
        "ANSWER: It is true", "ANSWER: Correct", "Yes.", "ANSWER: Yes – it does",
        "ANSWER: **Yes** – it holds", "ANSWER: yes — since 59 has no divisor", "ANSWER: Yes it does",
    ],
    "no": [
        "ANSWER: no", "ANSWER: No.", "ANSWER: False", "ANSWER: No, it is not", "ANSWER: No, it isn't", "No",
        "ANSWER: That is false", "The answer is no", "ANSWER: No, because it never rains",
        "ANSWER: No, it was another one",
    ],
    "name": [
        "ANSWER: Ada Lovelace", "ANSWER: ada lovelace.", "ANSWER: Lovelace", "ANSWER:\n**Ada Lovelace**",
        "ANSWER: “Ada Lovelace”", "The answer is Ada Lovelace.", "\\boxed{\\text{Ada Lovelace}}",
    ],
    "days": ["ANSWER: 5 days", "ANSWER: 120 hours", "ANSWER: 5", "ANSWER: five\nANSWER: 5 days in total"],
    "years": ["ANSWER: 24 months", "ANSWER: 2 years", "ANSWER: 2"],
    "mass": ["ANSWER: 5000 g", "ANSWER: 5 kilograms", "\\boxed{5\\text{ kg}}"],
    "miles": ["ANSWER: 5 miles", "ANSWER: 5 mi", "ANSWER: 8.04672 km"],
    "power": ["ANSWER: 5 W", "ANSWER: 5"],
    "apples": ["ANSWER: 5 apples", "ANSWER: 5 red apples", "ANSWER: 5"],
    "dollars": ["ANSWER: $5", "ANSWER: 5 dollars", "ANSWER: 5", "ANSWER: $5 in total"],
    "hours": ["ANSWER: 3 hours", "ANSWER: 3 h", "ANSWER: 3"],
    "brötchen": ["ANSWER: 5 Brötchen", "ANSWER: ５", "ANSWER: ٥"],
    "面包": ["ANSWER: 3个面包", "ANSWER: 3 个", "答案\nANSWER：3"],
    "share": ["ANSWER: 15%", "ANSWER: 15 percent", "ANSWER: 15"],
    "city": ["ANSWER: 東京。", "ANSWER: 「東京」"],
    "street": ["ANSWER: HAUPTSTRASSE", "ANSWER: Hauptstraße."],
}  # fmt: skip
WRONG: dict[str, list[str]] = {
    "number": [
        "ANSWER: 74", "ANSWER: 75 or 76", "ANSWER: not 75", "I think of 75.", "ANSWER: 75 dozen", "ANSWER: -75",
        "ANSWER: 75%\nANSWER: 76", "ANSWER: 75k", "It was 75 before.\nANSWER: 80", "ANSWER: 75 more than 3", "#### 7 5",
        "ANSWER: 175", "ANSWER: 75²", "ANSWER: between 75 and 80", "ANSWER: 75 million", "The answer is not 75.",
        "ANSWER: 75 degrees below zero", "ANSWER: minus 75", "ANSWER: 7**5", "### Answer\nNot 75",
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
        "ANSWER: Yes, it is not", "ANSWER: not yes", "ANSWER: It is not true",
        "ANSWER: Yes, if n is even", "ANSWER: Yes, sometimes", "ANSWER: Yes, partially", "ANSWER: True only for primes",
        "ANSWER: Yes — it is impossible", "ANSWER: Correct me", "ANSWER: Yes in theory, hardly in practice",
        "Yes?\nANSWER: No", "ANSWER: Yesterday",
    ],
    "no": [
        "ANSWER: No, that is true", "ANSWER: No, it's correct",
        "ANSWER: No doubt", "ANSWER: No answer", "ANSWER: No idea", "ANSWER: No conclusion is possible",
        "ANSWER: No: it holds",
        "ANSWER: No one can deny it", "ANSWER: No question about it",
        "ANSWER: yes", "ANSWER: No, it is", "ANSWER: not no", "ANSWER: None", "ANSWER: Nobody knows",
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
        "ANSWER: 5 Millionen", "ANSWER: 5 tausend", "ANSWER: 5 oder sechs", "ANSWER: 5 Mal zwei", "ANSWER: 5 Dutzend",
        "ANSWER: 5\nSorry, I meant 6.", "ANSWER: 5\n\nWait, that is wrong.",
    ],
    "面包": ["ANSWER: 3万", "ANSWER: 3 千", "ANSWER: 3 ou quatre", "ANSWER: 3 point two", "ANSWER: 3 over seven"],
    "share": ["ANSWER: 15 percent more", "ANSWER: 0.15", "ANSWER: 15‰"],
    "city": ["ANSWER: 京都", "ANSWER: 東京か京都"],
    "street": ["ANSWER: Hauptstr", "ANSWER: nicht Hauptstraße"],
}  # fmt: skip


def items(folder: Path) -> dict[str, Item]:
    path = folder / "keys.jsonl"
    path.write_text("".join(json.dumps({"id": name, **key}) + "\n" for name, key in KEYS.items()), "utf-8")
    return {item.id: item for item in read_datasets([path], Reading()).items}


def read_as_right(item: Item, reply: str) -> bool:
    answer = item.answer_in(reply)
    return answer is not None and item.is_right(answer)


def test_right_answers_are_read_and_wrong_ones_never_accepted(tmp_path: Path) -> None:
    keys = items(tmp_path)
    right = [(name, reply) for name, replies in RIGHT.items() for reply in replies]
    wrong = [(name, reply) for name, replies in WRONG.items() for reply in replies]
    assert len(right) + len(wrong) >= 270
    missed = [one for one in right if not read_as_right(keys[one[0]], one[1])]
    assert len(missed) <= 0.03 * len(right), missed
    assert [one for one in wrong if read_as_right(keys[one[0]], one[1])] == []
