"""Debate files that are hostile or make no sense: exit code 2, one message that helps, and nothing written."""

import json
from pathlib import Path
from typing import Any

import pytest

import moot as api
from tests.kit.command import refused
from tests.kit.duels import ADA, BO, KIM


def file_refused(content: bytes | str | dict[str, Any]) -> str:
    """The message with which a debate file is refused, to plan and to run alike."""
    # Every JSON text is YAML, and unlike PyYAML's own it never has an alias where an object stands twice.
    text = json.dumps(content) if isinstance(content, dict) else content
    Path("debate.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    message = refused("run", "debate.yaml", "-m", "scripted/demo:duel")
    assert refused("plan", "debate.yaml") == message
    return message


def cast(**changes: Any) -> dict[str, Any]:
    """A sound debate with some keys changed; None takes a key away."""
    whole = {"topic": "Is it so?", "debaters": [ADA, BO], "judge": KIM} | changes
    return {key: value for key, value in whole.items() if value is not None}


HOSTILE: dict[str, tuple[bytes | str, str]] = {
    "aliases": ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]", "aliases"),
    "an alias of itself": ("topic: &a [*a]", "aliases"),
    "deep brackets": ("topic: " + "[" * 100_000, "nested too deeply"),
    "deep blocks": ("".join(" " * depth + "a:\n" for depth in range(900)), "nested too deeply"),
    "python objects": ("topic: !!python/object/apply:os.system ['touch hacked']", "tags"),
    "a tag that does not fit": ("topic: x\nturns: !!bool maybe", "tags"),
    "a tag without end": ("topic: !<" + "%41" * 100_000 + "> x", "tags"),
    "merge keys": ("topic: x\n<<: {turns: 2}", "unknown key `<<`"),
    "doubled keys": ("topic: a\ntopic: b", "line 2, column 1: the key 'topic' stands twice"),
    "doubled inner keys": ("topic: a\nroles: {judge: x/y, 'judge': x/z}", "'judge' stands twice"),
    "tabs": ("topic: a\n\tturns: 2", "line 2, column 1"),
    "NUL": (b"topic: a\x00b", "#x0000"),
    "too large": ("topic: " + "x" * 2_000_000, "larger than 1,000,000 bytes"),
    "too many values": ("topic: [" + "[]," * 300_000 + "]", "more than 20,000 values"),
    "Latin-1": ("topic: Ärger".encode("latin-1"), "not UTF-8"),
    "empty": ("", "not nothing"),
    "a list": ("- a\n- b", "not a list"),
    "a number": ("12", "not a single value"),
    "two documents": ("topic: a\n---\ntopic: b", "another document"),
    "number keys": ("1: a", "the key 1 is not a text"),
    "false as key": ("topic: a\nfalse: b", "the key False is not a text"),
    "a number without end": ("topic: a\nturns: " + "9" * 5000, "too large"),
    "a character without number": ('topic: "\\U99999999"', "invalid Unicode character"),
    "half a surrogate pair": ('topic: "a \\ud800 b"', "invalid Unicode character"),
    "a number as a role": ("topic: a\nroles: {1: a/b}", "`roles.1`: should be a text"),
    "an open quote": ("topic: 'a\n", "unexpected end"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_yaml(name: str) -> None:
    content, words = HOSTILE[name]
    message = file_refused(content)
    assert words in message
    assert message.startswith("moot: debate.yaml")
    assert len(message) < 500


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "unknown key": (cast(turnz=4), "unknown key `turnz`: did you mean `turns`?"),
    "unknown key, nothing near": (cast(zzz=4), "known here: accept_revised, against, allow, claim, concurrency"),
    "unknown key of a debater": (
        cast(debaters=[ADA | {"personalty": "x"}, BO]),
        "unknown key `debaters.0.personalty`: did you mean `personality`?",
    ),
    "no topic": (cast(topic=None), "`topic`: missing"),
    "empty topic": (cast(topic="  \n"), "`topic`: should have at least 1 character"),
    "topic of another type": (cast(topic=["x"]), "`topic`: should be a text"),
    "debaters without fields": (cast(debaters=[{"name": "Ada"}, BO]), "`debaters.0.personality`: missing"),
    "a name that only looks the same": (
        cast(judge=KIM | {"name": "\u0410d\u0430"}),
        "two of the cast are called 'Ada'",
    ),
    "both on one side": (cast(debaters=[ADA | {"side": "for"}, BO | {"side": "for"}]), "both debaters are on the side"),
    "1 turn": (cast(turns=1), "`turns`: should be greater than or equal to 2"),
    "six turns": (cast(turns="six"), "`turns`: should be a valid integer"),
    "an unknown protocol": (cast(protocol="nosuch"), "no protocol is called 'nosuch'; there is: duel"),
    "a mistyped protocol": (cast(protocol="dual"), "did you mean duel?"),
    "a protocol that is a list": (cast(protocol=["duel"]), "`protocol` should be a name"),
    "a model that is a number": (cast(model=5), "`model`: should be a text or should be a list"),
    "out that no file system takes": (cast(out="a\0b"), "`out`"),
    "no number as a limit": (cast(max_cost=float("nan")), "`max_cost`"),
    "a price without output": (cast(prices={"a/b": {"input": 1}}), "`prices.a/b.output`: missing"),
    "many things at once": (cast(a=1, b=2, c=3, d=4, e=5, f=6, topic=7), "unknown key `a`"),
}


@pytest.mark.parametrize("name", WRONG)
def test_debate_files_that_make_no_sense(name: str) -> None:
    content, words = WRONG[name]
    assert words in file_refused(content)


def test_text_that_looks_like_something_else_stays_text() -> None:
    yes = "{name: Yes, personality: 1:30, position: on, instructions: =}"
    no = "{name: No, personality: 0x1f, position: off, instructions: <<}"
    text = f"\ufefftopic: 2030-01-01\nclaim: No\ndebaters:\n- {yes}\n- {no}\n"
    Path("debate.yaml").write_text(text, "utf-8")
    config = api.configure(file=Path("debate.yaml"))
    assert (config.debate.topic, config.debate.claim) == ("2030-01-01", "No")  # type: ignore[attr-defined]
    assert [one.name for one in config.debate.debaters] == ["Yes", "No"]  # type: ignore[attr-defined]
