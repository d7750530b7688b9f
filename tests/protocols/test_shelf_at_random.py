"""The shelf under random replies and outages: every debate ends, and tells what is missing."""

import asyncio
import random
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import moot
from moot.engine.define.shipped import SHELF
from moot.errors import EmptyReply
from moot.models.scripted import read_demo
from moot.testing import Scripted, ScriptedModel
from tests.kit.duels import assert_sound
from tests.kit.shelf import codes

OUTAGE = 0.2
ANSWERS = ["4", "Four.", "four", "5", "5!"]
NUMBERS = [3, 4, 4.5, 10, 1e9]
SEVERITIES = ["none", "minor", "serious", "grave"]
CAN_DO_WITHOUT = ("answer", "think")
"""Steps without a schema whose reply a script can do without."""
SEEDS = st.integers(0, 10**6)
FEW = settings(max_examples=30)


def at_random(seed: int) -> ScriptedModel:
    """Whoever is asked says anything that is allowed, or nothing that can be used."""

    def reply(request: moot.Request) -> Scripted:
        lots = random.Random(f"{seed}/{request.key}")
        out = lots.random() < OUTAGE
        if request.schema is None:
            step = request.key.split("/")[1]
            return EmptyReply("nothing was said") if out and step in CAN_DO_WITHOUT else f"Said by lot {lots.random()}."
        return "?" if out else _filled(request.schema, lots)

    return ScriptedModel(reply, name="scripted/random")


def _filled(schema: dict[str, Any], lots: random.Random) -> dict[str, Any]:
    made = {name: _value(name, one, lots) for name, one in schema["properties"].items()}
    if "estimate" in made:
        made["low"], made["estimate"], made["high"] = sorted(lots.choices(NUMBERS, k=3))
    if made.get("admits") == "none":
        made["admitted"] = ""
    return made


def _value(name: str, schema: dict[str, Any], lots: random.Random) -> Any:
    if "enum" in schema or "const" in schema:
        return lots.choice(schema.get("enum") or [schema["const"]])
    if schema.get("type") == "integer":
        return lots.randint(schema["minimum"], schema["maximum"])
    if schema.get("type") == "boolean":
        return lots.random() < 0.5
    if schema.get("type") == "array":
        items = schema["items"].get("enum")
        if "$ref" in schema["items"]:
            return [{"reason": f"A reason by lot {lots.random()}.", "rests_on": ["1", "A", "black"]}]
        if name == "declining":
            return [one for one in items if lots.random() < OUTAGE]
        return lots.sample(items, len(items)) if items else ["A thing said."][: lots.randint(0, 1)]
    if name == "moved_by":
        return lots.choice(["", "A reason."])
    if "$ref" in schema:
        return {label: lots.choice(SEVERITIES) for label in ("A1", "A2", "A3", "A4")}
    return lots.choice(ANSWERS) if name == "answer" else f"Words by lot {lots.random()}."


def played(name: str, seed: int) -> None:
    """A run of the demonstration's settings with random replies. Nobody is ever told the reason of a failure."""
    model = at_random(seed)
    with TemporaryDirectory() as folder:
        given = {**read_demo(name).settings, "model": model.name, "out": folder, "seed": seed}
        result = asyncio.run(moot.run(moot.configure(**given), models={model.name: model}))
        entries = result.stored.entries()
        assert_sound(moot.find_run(result.run))
    assert result.status == "done", result.reason
    missing = any(getattr(one.data, "failure", None) for one in entries)
    assert missing == ("replies_missing" in codes(result)), "what is missing is told, and nothing else is"
    first = {key: request.messages[-1].content for request in reversed(model.requests) for key in [request.key]}
    assert not any("usable reply" in one or "nothing was said" in one for one in first.values())


@FEW
@given(SEEDS, st.sampled_from([*SHELF]))
def test_whatever_is_said_the_debate_ends_and_tells_what_is_missing(seed: int, name: str) -> None:
    played(name, seed)
