"""Scripted arenas: a small cast, a reply for every call, and ways to have another."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import moot
from moot.engine.play.structured import instance_of
from moot.protocols.arena.result import ArenaOutcome
from moot.protocols.arena.shapes import ABSTAIN
from moot.record.payloads import Payload
from moot.testing import Scripted, ScriptedModel
from tests.kit.runs import entries

TASK = "How should we cut the build time?"
AGENTS = [{"name": name, "personality": f"{name} is {name}."} for name in ("Ada", "Bo", "Cy")]
CAST: dict[str, Any] = {"agents": AGENTS, "judges": [{"name": "Kim", "personality": "Kim is fair."}]}
WORDS = {
    "ada": "Cache the compiled modules between runs, keyed by their sources.",
    "bo": "Buy faster machines for everybody who waits for a compiler.",
    "cy": "Delete the tests that nobody has looked at for a year.",
}
"""What each holds; unlike each other, so that nothing converges by itself."""
SEATS = {"Ada": "agent 1", "Bo": "agent 2", "Cy": "agent 3"}
"""How the agents know each other."""
SAME = "Cache the compiled modules between runs of the build, keyed by a hash of their sources."
SOLID = """Cache compiled modules between runs. According to the Bazel survey of 2024, 87 % of modules do not change
between two builds, so that a cache of 20 GB cuts 31 minutes to 6. Google reports the same in Chen et al. (2022),
because their monorepo is alike. If the hit rate stays below 60 %, we should buy machines instead:
https://example.org/costs gives $410 a month for each."""
HOLLOW = """We should do what is best for the team. It is clear that a modern approach will improve things a lot.
Everyone agrees that this is the right way forward. It will be good for all of us."""
OWN = {"ada": "Cache", "bo": "Buy", "cy": "Delete"}
LEVEL = {"ada": "Buy", "bo": "Delete", "cy": "Cache"}
"""Each votes for the next."""
Replies = dict[str, Scripted | list[Scripted]]
P = TypeVar("P", bound=Payload)


def proposal(text: str, decision: str | None = None) -> dict[str, Any]:
    return {"proposal": text, "decision": decision or text}


def revision(text: str, because_of: str | None = None, evidence: str = "") -> dict[str, Any]:
    moved = {"changed_mind": because_of is not None, "because_of": SEATS.get(because_of or "", "nobody")}
    return {**proposal(text), **moved, "new_evidence": [evidence] if evidence else []}


def criticism(*issues: str) -> list[dict[str, Any]]:
    return [{"issue": one, "severity": 50, "suggestion": "Mend it."} for one in issues]


def comparison(request: moot.Request, same: str, differs: str = "") -> dict[str, Any]:
    """The same answer about every proposal that is asked about."""
    return {name: {"differs_in": differs, "same": same} for name in (request.schema or {})["properties"]}


def plain_reply(request: moot.Request) -> Scripted:
    """Everybody holds on to what they said; voters choose what was Ada's, the judge too, whatever its letter."""
    part = request.agent.partition("@")[0]
    match request.key.split("/")[1:]:
        case ["propose", *_]:
            return proposal(WORDS.get(part, f"The plan of {part}."))
        case ["revise", number, *_]:
            return revision(f"{WORDS.get(part, part)} Round {number}.")
        case ["critique", *_]:
            names = (request.schema or {})["properties"]
            return {name: criticism(f"{part} doubts {name}.") for name in names}
        case ["vote", *_]:
            return {"reason": f"{part} likes it.", "choice": letter_of(request, "Cache"), "confidence": 90}
        case ["judging"]:
            return reading(request, {"Cache": 8, "Buy": 6, "Delete": 5})
        case ["agree" | "compare", *_]:
            return comparison(request, "no", "All of it.")
        case ["challenge", *_]:
            return {name: f"What do you know, {name}?" for name in (request.schema or {})["properties"]}
        case _:
            return dict(instance_of(request.schema or {}))


def shown(request: moot.Request) -> dict[str, str]:
    """The proposals of a blind prompt by their letters."""
    return dict(re.findall(r"<<<proposal (\w) \w+>>>\n(.*?)\n<<<end", request.messages[-1].content, re.DOTALL))


def letter_of(request: moot.Request, word: str) -> str:
    """Under which letter a proposal with this word stands; the first letter if none does."""
    return next((letter for letter, text in shown(request).items() if word in text), "A")


def reading(request: moot.Request, scores: dict[str, int], confidence: int = 70) -> dict[str, Any]:
    """A judge's reply: by a word in each proposal, its score on every criterion; 1 for one without such a word."""
    words = {letter: next((word for word in scores if word in text), "") for letter, text in shown(request).items()}
    marks = {letter: scores.get(word, 1) for letter, word in words.items()}
    criteria = ("soundness", "usefulness", "candour")
    judged: dict[str, Any] = {letter: dict.fromkeys(criteria, marks[letter]) for letter in marks}
    judged |= {f"reason_{letter}": f"On {words[letter]}." for letter in marks}
    return {**judged, "ranking": sorted(marks, key=lambda letter: -marks[letter]), "confidence": confidence}


def script_of(replies: Replies | None, plain: Callable[[moot.Request], Scripted] = plain_reply) -> ScriptedModel:
    given = {key: list(value) if isinstance(value, list) else [value] for key, value in (replies or {}).items()}

    def script(request: moot.Request) -> Scripted:
        found = given[request.key].pop(0) if given.get(request.key) else plain(request)
        return found(request) if callable(found) else found

    return ScriptedModel(script)


def arena(folder: Path, replies: Replies | None = None, **settings: Any) -> tuple[moot.Result, ScriptedModel]:
    """Run an arena in which the given replies take the place of the plain ones."""
    model = script_of(replies, settings.pop("plain", plain_reply))
    settings = {"seed": 1, "model": model.name, "reports": False, "out": str(folder), **CAST, **settings}
    result = asyncio.run(moot.arena(TASK, models={model.name: model}, **settings))
    return result, model


def payloads(result: moot.Result, kind: type[P]) -> list[P]:
    return [entry.data for entry in entries(result) if isinstance(entry.data, kind)]


def outcome(result: moot.Result) -> ArenaOutcome:
    assert isinstance(result.outcome, ArenaOutcome)
    return result.outcome


def saying(text: str) -> Any:
    """All say this from the first revision on, and that it is the same decision."""

    def reply(request: moot.Request) -> Scripted:
        match request.key.split("/")[1:]:
            case ["revise", *_]:
                return revision(text, None)
            case ["agree", *_]:
                return comparison(request, "yes")
        return plain_reply(request)

    return reply


def alike_from(number: int, answers: dict[str, str]) -> Any:
    """Replies in which all say the same from that round on, and answer the question whether they agree so."""

    def reply(request: moot.Request) -> Scripted:
        part = request.agent.partition("@")[0]
        match request.key.split("/")[1:]:
            case ["revise", at, *_] if int(at) >= number:
                return revision(SAME)
            case ["agree", *_]:
                same = answers.get(part, "yes")
                return comparison(request, same, "" if same == "yes" else "The key.")
        return plain_reply(request)

    return reply


def each_for(choices: dict[str, str], scores: dict[str, int] | None = None, confidence: int = 70) -> Any:
    """Replies in which each votes for a proposal with that word, or abstains without one, and the judge gives these
    scores."""

    def reply(request: moot.Request) -> Scripted:
        part = request.agent.partition("@")[0]
        if request.key.endswith("/vote"):
            choice = letter_of(request, choices[part]) if choices[part] else ABSTAIN
            return {"reason": "So.", "choice": choice, "confidence": 60}
        if request.key.endswith("/judging") and scores:
            return reading(request, scores, confidence)
        return plain_reply(request)

    return reply
