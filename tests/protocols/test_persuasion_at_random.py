"""Persuasion dialogues with everybody answering at random: they end, are sound, and keep secret what is private."""

import asyncio
import json
import random
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import moot
from moot.protocols.persuasion.deciding import judged
from moot.protocols.persuasion.framework import dialogue_of, framework
from moot.protocols.persuasion.payloads import DialogueMove
from moot.testing import Scripted, ScriptedModel
from tests.kit.dialogues import FACTS, play_at_random
from tests.kit.duels import assert_sound
from tests.kit.examples import examples, tries
from tests.kit.framework_oracle import faults
from tests.kit.persuasions import CAST, TOPIC, outcome

CANARY = re.compile(r"canary\[([^\]]+)\]")


def filled(schema: dict[str, Any], root: dict[str, Any], lot: random.Random, text: str) -> Any:
    """A value of that schema, by lot; texts carry the canary."""
    if "$ref" in schema:
        return filled(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, lot, text)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return lot.choice(schema["enum"])
    if choices := schema.get("oneOf") or schema.get("anyOf"):
        return filled(lot.choice(choices), root, lot, text)
    match schema.get("type"):
        case "object":
            private = text.replace("[", "[thought of ")
            parts = schema["properties"].items()
            return {name: filled(one, root, lot, private if name == "thought" else text) for name, one in parts}
        case "array":
            most = min(schema.get("maxItems", 2), 2)
            count = lot.randint(min(schema.get("minItems", 0), most), most)
            return [filled(schema["items"], root, lot, text) for _ in range(count)]
        case _:
            return f"{text} number {lot.randrange(40)}."


def play(seed: int, rounds: int, facts: bool, folder: Path) -> tuple[moot.Result, list[moot.Request]]:
    lot = random.Random(seed)
    (folder / "code").mkdir()
    (folder / "code" / "a.md").write_text("Why we should rewrite it: it is slow.\n", "utf-8")

    def script(request: moot.Request) -> Scripted:
        text = f"canary[{request.key}#{request.attempt}]"
        if request.schema is None:
            return f"It is so {text}, {lot.randrange(10**6)}."
        if lot.random() < 0.1:
            return f"no JSON here, but a {text}"
        reply = filled(request.schema, request.schema, lot, text)
        if request.key.endswith("/look") and "ruling" in reply and lot.random() < 0.7:
            reply["ruling"] = "stands"
        return json.dumps(reply)

    model = ScriptedModel(script)
    given: dict[str, Any] = {"evidence": [str(folder / "code")] if facts else []}
    result = asyncio.run(
        moot.persuasion(
            TOPIC,
            rounds=rounds,
            model=model.name,
            models={model.name: model},
            out=str(folder / "runs"),
            seed=seed,
            **given,
            **CAST,
        )
    )
    return result, model.requests


@examples(3)
@given(seed=st.integers(0, 10**6), rounds=st.integers(1, 5), facts=st.booleans())
@example(seed=3, rounds=5, facts=True)
def test_any_dialogue(seed: int, rounds: int, facts: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        result, requests = play(seed, rounds, facts, Path(folder))
        assert result.status == "done", result.reason
        run = moot.find_run(result.run)
        assert_sound(run)
        entries = run.entries()
        dialogue = dialogue_of(entries)
        assert dialogue is not None
        stores: dict[str, set[str]] = {"PRO": set(), "OPP": set()}
        for entry in entries:
            if isinstance(entry.data, DialogueMove):
                stores[entry.data.side] = stores[entry.data.side] - {*entry.data.removes} | {*entry.data.adds}
        assert dialogue.stores == stores
        assert {side: set(held) for side, held in outcome(result).commitments.items()} == stores
        found = outcome(result).framework
        assert found is not None
        again = judged(dialogue)
        assert again.model_copy(update={"ended": found.ended}) == found, "the log alone gives the framework again"
        assert_secrecy(entries, requests)


@pytest.mark.parametrize("block", range(tries(1)))
def test_hundreds_of_legal_dialogues_keep_the_rules(block: int) -> None:
    """benchmarks/dialogues.py plays ten thousand."""
    for seed in range(50 * block, 50 * block + 50):
        lot = random.Random(seed)
        game = play_at_random(lot, lot.randint(1, 6), FACTS if lot.random() < 0.7 else {})
        assert faults(game.moves, framework(game)) == [], seed


def assert_secrecy(entries: list[moot.Entry], requests: list[moot.Request]) -> None:
    """Another's words reach an agent only by a move that stands, a final statement, or what was sent back to it."""
    public = {key for entry in entries if entry.to == "all" for key in CANARY.findall(entry.content)}
    returned = {
        (key, name)
        for entry in entries
        if entry.type == "sent_back" and entry.to != "all"
        for key in CANARY.findall(entry.content)
        for name in entry.to
    }
    names = {"proponent": "Pia", "opponent": "Olaf", "moderator": "Mo"}
    for request in requests:
        for key in {key for message in request.messages for key in CANARY.findall(message.content)}:
            part = request.agent.partition("@")[0]
            owner = key.removeprefix("thought of ").partition("/")[0].partition("@")[0]
            looked_at = part == "moderator" and not key.startswith("thought of ")
            assert owner == part or looked_at or key in public or (key, names[part]) in returned, (request.key, key)
    assert not [key for entry in entries for key in CANARY.findall(entry.content) if key.startswith("thought of ")]
