"""Scripted panels for the tests: what everybody says by default, and ways to have somebody say otherwise."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

import moot
from moot.errors import ModelError
from moot.protocols.panel.result import PanelOutcome
from moot.testing import Scripted, ScriptedModel

PANELLISTS = ("innovator", "pragmatist", "critic", "advocate")
REVIEWERS = ("tester", "attacker", "maintainer", "author")
"""Who sits on the panel that reviews a change to code, besides the validator."""
IDEA = "Replace the nightly import with a queue."
Said = Scripted | Callable[[moot.Request], Scripted]


def opinion(label: str | None = "accept", **more: Any) -> dict[str, Any]:
    return {"claim": "It is worth it.", "confidence": 0.5, **({"label": label} if label else {}), **more}


def ruling(label: str | None = "accept", **more: Any) -> dict[str, Any]:
    because = [{"reason": "It is small.", "rests_on": ["1"]}]
    brief = {"because": because, "next": "Begin.", "answer": f"The answer is {label}."}
    said = {"reasoning": "All things weighed.", "confidence": 0.8, **brief}
    if (required := more.get("modifications_required")) is not None:
        graded = [{"change": one, "severity": "grave"} if isinstance(one, str) else one for one in required]
        more = {**more, "modifications_required": graded}
    if "votes" in more:
        more = {"severities": dict.fromkeys(more["votes"], "serious"), **more}
    return {**said, **({"label": label} if label else {}), **more}


def plain(request: moot.Request) -> Scripted:
    """A sound reply to every call: accept where there are labels, yes where there are changes."""
    schema = request.schema or {}
    properties = schema.get("properties", {})
    label = properties["label"]["enum"][0] if "label" in properties else None
    match request.key.split("/")[1]:
        case "round":
            proposed = {} if label else {"modifications": [f"Change of {request.agent}."]}
            return opinion(label, **proposed)
        case "rule" | "ballot":
            votes = {"votes": dict.fromkeys(changes_in(schema), "yes")} if "votes" in properties else {}
            return ruling(label, **votes)
        case "merge":
            return {"pairs": []}
        case _:
            return {"idea": "Replace the nightly import with a queue, in two steps."}


def changes_in(schema: Mapping[str, Any]) -> list[str]:
    definitions: dict[str, Any] = schema.get("$defs", {})
    return list(next((part["properties"] for name, part in definitions.items() if name == "EachChange"), {}))


def labels(*held: str, by: tuple[str, ...] = PANELLISTS, round: int | None = None) -> dict[str, Said]:  # noqa: A002
    """What each of them holds in a round, or in all three; None of a name is said by the default."""
    rounds = (1, 2, 3) if round is None else (round,)
    return {f"{who}/round/{number}": opinion(label) for who, label in zip(by, held, strict=True) for number in rounds}


def agreed(label: str = "accept", by: Sequence[str] = PANELLISTS) -> dict[str, Said]:
    """The replies of a panel that agrees in its first round, which ends it."""
    return {**{f"{who}/round/1": opinion(label) for who in by}, "validator/rule/1": ruling(label)}


def write_script(label: str = "accept") -> list[str]:
    """A script in which everybody holds that label, and the options to use it."""
    Path(f"{label}.yaml").write_text(yaml.safe_dump(agreed(label)), "utf-8")
    return ["-m", f"scripted/{label}.yaml", "--seed", "1", "--max-revisions", "0", "-q"]


def rules(label: str, **more: Any) -> dict[str, Said]:
    return {f"validator/rule/{number}": ruling(label, **more) for number in (1, 2, 3)}


def script_of(said: Mapping[str, Said | list[Scripted]]) -> Callable[[moot.Request], Scripted]:
    left = {key: list(value) if isinstance(value, list) else value for key, value in said.items()}

    def reply(request: moot.Request) -> Scripted:
        given = left.get(request.key, plain)
        if isinstance(given, list):
            return given.pop(0)
        return given if isinstance(given, str | Mapping | ModelError) else given(request)

    return reply


def panel(
    folder: Path, said: Mapping[str, Said | list[Scripted]] | None = None, idea: Any = IDEA, **settings: Any
) -> tuple[moot.Result, ScriptedModel]:
    """Run a panel in which these replies, by call, take the place of the plain ones. It holds the required rounds, even
    if all agree in the first."""
    model = ScriptedModel(script_of(said or {}))
    result = asyncio.run(
        moot.panel(
            idea,
            model=model.name,
            models={model.name: model},
            out=str(folder),
            **({"seed": 1, "full": True} | settings),
        )
    )
    return result, model


def outcome(result: moot.Result) -> PanelOutcome:
    assert isinstance(result.outcome, PanelOutcome), result.reason
    return result.outcome
