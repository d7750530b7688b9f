"""Which protocol fits a question, by rules that are written down here. No model is asked.

The kind of a question follows from its form: the first rule that applies decides. A protocol declares the kinds that it
suits, the one that it is made for first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from moot.engine.registry import all_protocols
from moot.text.language import is_question, language_of

LONG = 60
"""Words from which a text is something to review, and no question."""
MEASURES = (
    *("many", "much", "long", "often", "far", "likely", "high", "low", "old", "big", "large", "small", "fast", "deep"),
    *("tall", "heavy", "wide", "soon", "expensive"),
)
NUMBER = ("what share", "what percentage", "what number", "what probability", "what would it cost", "by when")
TRUE = ("is it true", "is it known", "is it proven")
CAUSAL = ("cause", "causes", "work", "works", "help", "helps", "reduce", "reduces", "increase", "increases", "improve")
DECISION = ("should", "shall", "is it worth", "is it time", "is it wise", "do we need", "can we afford")
OPINION = ("should", "best", "better", "worth")
SHORT = ("who", "when", "where", "which", "what is", "what was", "what are", "what were", "on which", "in which")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question: its name in `Protocol.suits`, what it is, and the rule for it, in words and in code."""

    name: str
    about: str
    rule: str
    applies: Callable[[str], bool]


def _begins(question: str, beginnings: Sequence[str]) -> bool:
    return f"{' '.join(question.casefold().split())} ".startswith(tuple(f"{one} " for one in beginnings))


def _has(question: str, words: Sequence[str]) -> bool:
    told = f" {' '.join(question.casefold().rstrip('?.! ').split())} "
    return any(f" {one} " in told for one in words)


def _claims(question: str) -> bool:
    causal = _begins(question, ("do", "does", "did", "can")) and _has(question, CAUSAL)
    return causal or _begins(question, TRUE) or _has(question, ("according to", "studies show", "evidence"))


KINDS = (
    Kind(
        "text",
        "a text or a plan to review",
        f"it is a file, or has {LONG} words or more",
        lambda one: len(one.split()) >= LONG,
    ),
    Kind(
        "number",
        "a number",
        f"it begins with how and a measure ({', '.join(MEASURES)}), or with {', '.join(NUMBER[:-1])} or {NUMBER[-1]}",
        lambda one: _begins(one, [f"how {measure}" for measure in MEASURES]) or _begins(one, NUMBER),
    ),
    Kind(
        "claim",
        "a claim that sources can bear out",
        "it asks whether something is true or has an effect, or states it with evidence",
        _claims,
    ),
    Kind("motion", "a statement to argue for and against", "it is no question", lambda one: not is_question(one)),
    Kind(
        "decision",
        "a decision",
        f"it begins with {', '.join(DECISION[:-1])} or {DECISION[-1]}, or asks for one or the other",
        lambda one: _begins(one, DECISION) or _has(one, ("or",)),
    ),
    Kind(
        "short",
        "a question with a short answer",
        f"it begins with {', '.join(SHORT[:-1])} or {SHORT[-1]}, and has none of {', '.join(OPINION)}",
        lambda one: _begins(one, SHORT) and not _has(one, OPINION),
    ),
    Kind("open", "an open question", "no other rule applies", lambda _: True),
)


@dataclass(frozen=True, slots=True)
class Advice:
    """`protocols` are the names of those that suit, the best first. `unread` is true if the question is not in English,
    so that only its form was looked at."""

    kind: Kind
    protocols: Sequence[str]
    unread: bool


def advise(question: str, *, document: bool = False) -> Advice:
    """The kind of a question, and the protocols that suit it: those made for it first, then the others, each in the
    order of the list of protocols. A `document` is a text to review, however short."""
    kind = KINDS[0] if document else next(one for one in KINDS if one.applies(question))
    found = [one.protocol for one in all_protocols() if kind.name in one.protocol.suits]
    ranked = sorted(found, key=lambda protocol: protocol.suits.index(kind.name))
    return Advice(kind, [one.name for one in ranked], language_of(question) not in ("en", None))
