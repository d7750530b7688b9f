"""Quotations in a prompt: a model reads where one ends by its marks, and a person is shown it without them."""

import re
from dataclasses import dataclass

_OPENED = re.compile(r"<<<(?P<label>(?:(?!<<<)[^\n])*) (?P<mark>[0-9a-f]{8})>>>\n")
_CLOSED = re.compile(r"\n<<<end ([0-9a-f]{8})>>>")


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """A part of a question: a quotation with its label, or text without one."""

    text: str
    label: str = ""


def parts_of(question: str) -> list[QuestionPart]:
    """A question, and in it what it quotes."""
    found, end = [], 0
    closed: dict[str, list[re.Match[str]]] = {}
    for one in reversed(list(_CLOSED.finditer(question))):
        closed.setdefault(one[1], []).append(one)
    for opened in _OPENED.finditer(question):
        ends = closed.get(opened["mark"], [])
        while ends and ends[-1].start() < opened.end():
            ends.pop()
        if ends and opened.start() >= end:
            text = question[opened.end() : ends[-1].start()]
            found += [QuestionPart(question[end : opened.start()].strip()), QuestionPart(text, opened["label"])]
            end = ends[-1].end()
    return [one for one in (*found, QuestionPart(question[end:].strip())) if one.text]
