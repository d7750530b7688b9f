"""Which protocol fits a question, by rules that are written down here. No model is asked.

The kind of a question follows from its form: the first rule that applies decides. A protocol declares the kinds that it
suits, the one that it is made for first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from moot.engine.registry import all_protocols
from moot.text.language import is_question, language_of

LONG = 60
"""The number of words from which a text is something to review, not a question."""
MEASURES = (
    *("many", "much", "long", "often", "far", "likely", "high", "low", "old", "big", "large", "small", "fast", "deep"),
    *("tall", "heavy", "wide", "soon", "expensive"),
)
AMOUNTS = (
    "share",
    "percentage",
    "percent",
    "number",
    "probability",
    "chance",
    "price",
    "cost",
    "average",
    "population",
)
NUMBER = ("by how much", "at what price", "what would it cost", "by when")
TRUE = ("is it true", "is it known", "is it proven")
STATED = ("according to", "studies show", "evidence")
YES_OR_NO = ("is", "are", "was", "were", "do", "does", "did", "has", "have", "can", "will")
US = ("i", "we", "us", "me", "my", "our")
DECISION = (
    *("should", "shall", "must we", "must i", "would it be", "could we", "could i", "can we", "can i", "do we", "do i"),
    *("is it ok", "is it okay", "is it fine", "is it safe", "is it worth", "is it time", "is it wise"),
)
OPINION = ("should", "best", "better", "worse", "worth", "good", "bad", "right", "wrong")
SHORT = ("who", "when", "where", "which", "what is the", "what was the", "on which", "in which")
LARGE = ("meaning", "purpose", "point", "difference", "impact", "effect", "role", "future", "way", "reason", "case")
ASKING = (*YES_OR_NO, *("what", "why", "how", "who", "when", "where", "which", "should", "shall", "could", "would"))
REQUESTS = ("explain", "describe", "list", "write", "compare", "summarise", "summarize", "tell", "give", "name", "show")
NUMBER_ELSEWHERE = (
    *("wie viel", "wie viele", "wie lange", "wie hoch", "wie weit", "wie oft", "wie groß", "wie alt", "wie teuer"),
    *(
        "combien",
        "cuánto",
        "cuánta",
        "cuántos",
        "cuántas",
        "quanto",
        "quanta",
        "quanti",
        "quante",
        "quantos",
        "quantas",
    ),
    *("hoeveel", "hoe lang", "сколько", "как долго"),
)
DECISION_ELSEWHERE = (
    *("soll", "sollen", "sollte", "sollten", "müssen wir", "lohnt es sich", "faut-il", "devons-nous", "devrions-nous"),
    *("deberíamos", "debería", "debemos", "deveríamos", "devemos", "dovremmo", "conviene", "moeten we"),
    *("стоит ли", "следует ли", "нужно ли"),
)
NUMBER_SIGNS, DECISION_SIGNS = ("多少", "几个", "几天", "几年", "いくつ", "いくら"), ("应该", "應該", "该不该", "べき")
ELSEWHERE = "German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese or Japanese"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question: its name in `Protocol.suits`, what it is, the `reason` to take it for one, in a few words,
    and the whole rule, in words and in code."""

    name: str
    about: str
    reason: str
    rule: str
    applies: Callable[[str], bool]


def _plain(question: str) -> str:
    """In lower case, with single spaces, and without the marks at its ends."""
    told = " ".join(question.casefold().replace("’", "'").replace("what's", "what is").split())
    return told.strip("¿¡?.!？。！ ")


def _begins(question: str, beginnings: Sequence[str]) -> bool:
    return f"{_plain(question)} ".startswith(tuple(f"{one} " for one in beginnings))


def _has(question: str, words: Sequence[str]) -> bool:
    told = f" {_plain(question).replace(',', ' ')} "
    return any(f" {one} " in told for one in words)


def _asks(question: str) -> bool:
    """Whether it is a question, or begins like one and has no mark at its end."""
    bare = question.rstrip()[-1:].isalnum()
    return is_question(question) or (bare and _begins(question, ASKING)) or _begins(question, REQUESTS)


def _is_number(question: str) -> bool:
    amounts = [f"what {form}{amount}" for form in ("", "is the ", "was the ") for amount in AMOUNTS]
    here = _begins(question, [*(f"how {measure}" for measure in MEASURES), *amounts, *NUMBER, *NUMBER_ELSEWHERE])
    return here or any(sign in question for sign in NUMBER_SIGNS)


def _is_claim(question: str) -> bool:
    asked = language_of(question) in ("en", None) and _begins(question, YES_OR_NO) and _asks(question)
    of_fact = asked and not _has(question, [*OPINION, *US, "or"])
    return (of_fact and not _begins(question, DECISION)) or _begins(question, TRUE) or _has(question, STATED)


def _is_motion(question: str) -> bool:
    opinion = _begins(question, YES_OR_NO) and _has(question, OPINION) and not _has(question, US)
    return not (_asks(question) or _has(question, ("vs", "versus"))) or (opinion and not _begins(question, DECISION))


def _is_decision(question: str) -> bool:
    here = _begins(question, [*DECISION, *DECISION_ELSEWHERE]) or _has(question, ("or", "vs", "versus"))
    return here or any(sign in question for sign in DECISION_SIGNS)


def _is_short(question: str) -> bool:
    figure = _begins(question, ("what is",)) and any(sign.isdigit() for sign in question)
    return (figure or _begins(question, SHORT)) and not _has(question, [*OPINION, *LARGE])


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


KINDS = (
    Kind(
        "text",
        "a text or a plan to review",
        "it is a file, or longer than a question",
        f"it is a file, or has {LONG} words or more",
        lambda one: len(one.split()) >= LONG,
    ),
    Kind(
        "number",
        "a number",
        "it asks how many, how much or how long",
        f"it begins with how and a measure ({', '.join(MEASURES)}), with what or what is the and an amount "
        f"({', '.join(AMOUNTS)}), with {_listed(NUMBER)}, or with how many or how much in {ELSEWHERE}",
        _is_number,
    ),
    Kind(
        "claim",
        "a claim that sources can bear out",
        "it asks or says how something is, not what to do",
        f"it asks whether something is so, beginning with {_listed(YES_OR_NO)}, is not about us and has none of "
        f"{', '.join(OPINION)}; or it states something with evidence",
        _is_claim,
    ),
    Kind(
        "motion",
        "a statement to argue for and against",
        "it states an opinion, or asks for one",
        f"it is no question and no request, or asks for yes or no with one of {', '.join(OPINION)}",
        _is_motion,
    ),
    Kind(
        "decision",
        "a decision",
        "it asks what to do, or which of several",
        f"it begins with {_listed(DECISION)}, asks for one or the other, or begins with should in {ELSEWHERE}",
        _is_decision,
    ),
    Kind(
        "short",
        "a question with a short answer",
        "a name, a date or a figure would answer it",
        f"it begins with {_listed(SHORT)}, or with what is and a figure, and has none of "
        f"{', '.join([*OPINION, *LARGE])}",
        _is_short,
    ),
    Kind("open", "an open question", "its form says no more", "no other rule applies", lambda _: True),
)


@dataclass(frozen=True, slots=True)
class Advice:
    """`protocols` are the names of suitable protocols, the best first. `unread` is true if the question is in another
    language and none of the rules that know some of its words applies, so that only its form was looked at."""

    kind: Kind
    protocols: Sequence[str]
    unread: bool


def advise(question: str, *, document: bool = False) -> Advice:
    """The kind of a question, and the protocols that suit it: those made for it first, then the others, each in the
    order of the list of protocols. A `document` is a text to review, however short."""
    kind = KINDS[0] if document else next(one for one in KINDS if one.applies(question))
    found = [one.protocol for one in all_protocols() if kind.name in one.protocol.suits]
    ranked = sorted(found, key=lambda protocol: protocol.suits.index(kind.name))
    unread = kind.name in ("motion", "open") and language_of(question) not in ("en", None)
    return Advice(kind, [one.name for one in ranked], unread)
