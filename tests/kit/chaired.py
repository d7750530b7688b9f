"""Scripted chaired debates for the tests: a pack of three documents, and a reply for every call."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import moot
from moot.testing import Scripted, ScriptedModel
from tests.kit import unread

GOOD, WEAK, ABSENT = "https://pack.example/good", "https://pack.example/weak", "https://pack.example/absent"
QUOTE = "Trams carry four thousand people an hour in one lane."
PACK = [
    {"url": GOOD, "title": "Trams", "text": f"{QUOTE} Cars carry far fewer of them through the same lane."},
    {"url": WEAK, "title": "Lanes", "text": "A lane is three metres wide in most towns, and wider on a motorway."},
    {"url": "https://pack.example/more", "title": "More", "text": "Towns with trams have shops that people walk to."},
]
CLAIM = "Trams carry four thousand people an hour."
VIEW = "word " * 210 + "I was moved by #2 and by #3."
REVIEW = {"strengths": "clear", "gaps": "none", "suggestions": "go on"}
ROLES = ("chair", "promoter", "detractor", "verifier", "audience", "reporter")
CANARY = "canary_7f3a"
TALE = f"Nine of ten tram drivers in Oslo say {CANARY} that cars are gone for good, and 47.5% more of them by night."

Answers = Mapping[str, Scripted | list[Scripted] | Callable[[moot.Request], Scripted]]


def cite(url: str = GOOD) -> dict[str, str]:
    return {"url": url}


def turn(kind: str, content: str, *urls: str, answers: int | None = None, **more: Any) -> dict[str, Any]:
    """What a debater says; statements cite their sources at the end, unless they do so themselves."""
    sources = [cite(url) for url in urls]
    if urls and kind != "source_challenge" and "[1]" not in content:
        content = f"{content} {''.join(f'[{number}]' for number in range(1, len(urls) + 1))}"
    return {"thought": "", "type": kind, "content": content, "sources": sources, "rebuttal_to_seq": answers, **more}


def reading(supports: str, quote: str = "", explanation: str = "Read.") -> dict[str, Any]:
    """The judgement of a sentence; a scripted model gives it of all that it is asked about."""
    return {"quote": quote, "explanation": explanation, "supports": supports, "confidence": 0.9}


def readings(request: moot.Request, said: Any) -> Scripted:
    """The reply to a request for judgements, where one of them is told for all."""
    if not (request.key.endswith("/check") and isinstance(said, dict) and "supports" in said and request.schema):
        return said  # type: ignore[no-any-return]
    count = request.schema["properties"]["found"]["minItems"]
    return {"found": [said | {"sentence": number} for number in range(1, count + 1)]}


def ordinary(request: moot.Request) -> Scripted:
    """A reply that keeps every rule."""
    agent, what = request.key.split("/")
    role, _, at = agent.partition("@")
    match what.removesuffix("-again") if what.startswith("turn") else what:
        case "turn" if at.startswith("opening"):
            return turn("opening_statement", f"The {role} opens. {CLAIM}", GOOD)
        case "turn" if at.startswith("closing"):
            return turn("closing_statement", f"The {role} closes.")
        case "turn":
            return turn("new_point", f"The {role} makes a point in {at}. {CLAIM}", GOOD)
        case "check":
            supports = QUOTE in request.messages[-1].content
            kind = "supports" if supports else "says_nothing"
            return reading(kind, QUOTE if supports else "")
    return FIXED[what]


FIXED: dict[str, Scripted] = {
    "topic": {"topic": "Trams are better than cars."},
    "conduct": {"breach": "none", "words": "", "reason": "Nothing to say."},
    "clarify": {"answer": "It means what it says."},
    "questions": {"questions": []},
    "relay": {"reason": "Both are fair.", "numbers": [1, 2]},
    "go-on": {"goes_on": True, "reason": "There is more."},
    "unresolved": {"points": ["What it costs."]},
    "decision": {
        "promoter_case": "Trams.",
        "detractor_case": "Cars.",
        "because": [{"reason": "Both were fair."}],
        "answer": "It depends on the city.",
        "outcome": "draw",
    },
    "leaning": {"reason": "As before.", "moved_by": [], "leaning": 50},
    "view": {"conclusion": VIEW},
    "summary": "# Summary\n\nBoth sides spoke.",
    "post": "# Post\n\n" + "word " * 900,
    "post-again": "# Post\n\n" + "word " * 900,
    "assessment": {
        "overall": "Good",
        "roles": dict.fromkeys(ROLES, REVIEW),
        "reporter_neutral": True,
        "improvements": ["One.", "Two.", "Three."],
    },
}


def because(*rests_on: int, reason: str = "It is so.") -> dict[str, Any]:
    """The part of a decision that gives its reason and the entries that it rests on."""
    return {"because": [{"reason": reason, "rests_on": [f"#{seq}" for seq in rests_on]}]}


def model_of(answers: Answers | None = None, **settings: Any) -> ScriptedModel:
    """A model that answers as told at these keys, and everywhere else as the rules want it. A list is one reply for
    each attempt. What comes back to a debater, and to the chair after that, is answered as it was at first, or by the
    next of a list."""
    given = dict(answers or {})

    def script(request: moot.Request) -> Scripted:
        first = request.key.replace("/turn-again", "/turn").replace(".again/conduct", "/conduct")
        again = request.key != first and request.key not in given
        reply = given.get(first if again else request.key, ordinary)
        if callable(reply):
            reply = reply(request)
        attempt = request.attempt + again
        return readings(request, reply[min(attempt, len(reply)) - 1] if isinstance(reply, list) else reply)

    return ScriptedModel(script, **settings)


def pack(folder: Path) -> str:
    """The three documents as an evidence pack."""
    path = folder / "pack"
    path.mkdir(parents=True, exist_ok=True)
    (path / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in PACK), "utf-8")
    return str(path)


def config_of(folder: Path, **settings: Any) -> moot.RunConfig:
    given: dict[str, Any] = {
        "topic": "Trams are better than cars.",
        "evidence": {"pack": pack(folder)},
        "max_rounds": 1,
        "model": "scripted/replies",
        "seed": 7,
        "out": str(folder / "runs"),
    }
    return moot.configure("chaired", **(given | settings))


def hold(folder: Path, answers: Answers | None = None, **settings: Any) -> tuple[moot.Run, ScriptedModel]:
    """A whole debate; it must come to its end."""
    model, reports = model_of(answers), unread.settings(settings)
    result = asyncio.run(moot.run(config_of(folder, **settings), models={model.name: model}, **reports))
    assert (result.status, result.reason) == ("done", None)
    return moot.find_run(result.run), model


def of_type(run: moot.Run, *types: str) -> list[moot.Entry]:
    return [entry for entry in run.entries() if entry.type in types]


def rulings(run: moot.Run) -> list[Any]:
    return [entry.data for entry in of_type(run, "ruling")]


def tale_replies(debate: dict[str, Any]) -> dict[str, Any]:
    """Replies in which the liar tells the tale, others quote it, and the chair finds it out."""
    liar, place, quote = debate["liar"], debate["place"], debate["quote"]
    other = "detractor" if liar == "promoter" else "promoter"
    kind = "opening_statement" if place == "opening" else "new_point"
    answers: dict[str, Any] = {
        f"{liar}@{place}/turn": {"thought": TALE, "type": kind, "content": f"{TALE} [1]", "sources": [cite(ABSENT)]},
        f"chair@{liar}.{place}/conduct": {"breach": "misrepresentation", "words": TALE, "reason": f"It says {TALE}"},
    }
    if liar == "promoter":  # the detractor speaks after it, and has read it
        answers[f"detractor@{place}/turn"] = turn(kind, f"You said: {quote}. No.", GOOD)
        if debate["challenged"] and place != "opening":
            seq = {"r1": 9, "r2": 14}[place]
            challenge = turn("source_challenge", f"{quote}: made up.", ABSENT, target_seq=seq, claim=TALE)
            answers[f"detractor@{place}/turn"] = challenge
    if place != "opening" and debate["asks"]:
        answers[f"audience@{place}/questions"] = {"questions": [{"to": other, "question": f"Is it true: {quote}?"}]}
    return answers
