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
    "deep braces": ("topic: " + "{a: " * 100_000, "nested too deeply"),
    "deep blocks": ("".join(" " * depth + "a:\n" for depth in range(900)), "nested too deeply"),
    "deep dashes": ("- " * 100_000, "nested too deeply"),
    "python objects": ("topic: !!python/object/apply:os.system ['touch hacked']", "tags"),
    "python names": ("topic: !!python/name:os.system", "tags"),
    "a tag that does not fit": ("topic: x\nturns: !!bool maybe", "tags"),
    "a date that is none": ("topic: !!timestamp never", "tags"),
    "a tag without end": ("topic: !<" + "%41" * 100_000 + "> x", "tags"),
    "merge keys": ("topic: x\n<<: {turns: 2}", "unknown key `<<`"),
    "doubled keys": ("topic: a\ntopic: b", "line 2, column 1: the key 'topic' stands twice"),
    "doubled inner keys": ("topic: a\nroles: {judge: x/y, 'judge': x/z}", "'judge' stands twice"),
    "tabs": ("topic: a\n\tturns: 2", "line 2, column 1"),
    "NUL": (b"topic: a\x00b", "#x0000"),
    "control characters": (b"topic: a\x1b[31mb", "#x001b"),
    "too large": ("topic: " + "x" * 2_000_000, "larger than 1,000,000 bytes"),
    "too many values": ("topic: [" + "[]," * 300_000 + "]", "more than 20,000 values"),
    "binary": (bytes(range(256)) * 10, "not UTF-8"),
    "UTF-16": ("topic: a".encode("utf-16"), "not UTF-8"),
    "Latin-1": ("topic: Ärger".encode("latin-1"), "not UTF-8"),
    "empty": ("", "not nothing"),
    "only a comment": ("# topic: a\n", "not nothing"),
    "a list": ("- a\n- b", "not a list"),
    "a word": ("hello", "not a text"),
    "a number": ("12", "not a single value"),
    "two documents": ("topic: a\n---\ntopic: b", "another document"),
    "number keys": ("1: a", "the key 1 is not a text"),
    "zero as key": ("topic: a\n0: b", "the key 0 is not a text"),
    "nothing as key": ("topic: a\n~: b", "the key None is not a text"),
    "false as key": ("topic: a\nfalse: b", "the key False is not a text"),
    "a list as key": ("? [a, b]\n: c", "unhashable key"),
    "a number without end": ("topic: a\nturns: " + "9" * 5000, "too large"),
    "a character without number": ('topic: "\\U99999999"', "invalid Unicode character"),
    "half a surrogate pair": ('topic: "a \\ud800 b"', "invalid Unicode character"),
    "a number as a role": ("topic: a\nroles: {1: a/b}", "`roles.1`: should be a text"),
    "an open quote": ("topic: 'a\n", "unexpected end"),
    "an open bracket": ("topic: a\nroles: {", "line"),
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
    "unknown option": (cast(max_call=4), "unknown key `max_call`: did you mean `max_calls`?"),
    "unknown key, nothing near": (cast(zzz=4), "known here: accept_revised, against, allow, claim, concurrency"),
    "unknown key of a debater": (
        cast(debaters=[ADA | {"personalty": "x"}, BO]),
        "unknown key `debaters.0.personalty`: did you mean `personality`?",
    ),
    "unknown key in a pool": (
        {"topic": "x", "for": [ADA], "against": [BO | {"instruction": "x"}]},
        "unknown key `against.0.instruction`: did you mean `instructions`?",
    ),
    "unknown key of the judge": (
        cast(judge=KIM | {"judging_criterion": "x"}),
        "unknown key `judge.judging_criterion`: did you mean `judging_criteria`?",
    ),
    "no topic": (cast(topic=None), "`topic`: missing"),
    "empty topic": (cast(topic="  \n"), "`topic`: should have at least 1 character"),
    "endless topic": (cast(topic="x" * 900_000), "`topic`: should have at most 20000 characters"),
    "topic of another type": (cast(topic=["x"]), "`topic`: should be a text"),
    "debaters without fields": (cast(debaters=[{"name": "Ada"}, BO]), "`debaters.0.personality`: missing"),
    "one debater": (cast(debaters=[ADA]), "`debaters`: should have at least 2 items"),
    "three debaters": (cast(debaters=[ADA, BO, BO]), "`debaters`: should have at most 2 items"),
    "debaters as a text": (cast(debaters="Ada and Bo"), "`debaters`: should be a list"),
    "a debater as a text": (cast(debaters=["Ada", BO]), "`debaters.0`: should be a mapping"),
    "half a judge": (cast(judge={"name": "Kim"}), "`judge.judging_criteria`: missing"),
    "a judge as a text": (cast(judge="Kim"), "`judge`: should be a mapping"),
    "judge and judges": (cast(judges=[KIM]), "not both"),
    "the same name twice": (cast(debaters=[ADA, BO | {"name": "Ada"}]), "two of the cast are called 'Ada'"),
    "a name that only looks the same": (
        cast(judge=KIM | {"name": "\u0410d\u0430"}),
        "two of the cast are called 'Ada'",
    ),
    "the same name in other letters": (cast(judge=KIM | {"name": "aDA"}), "two of the cast are called 'Ada'"),
    "debaters and pools": (cast(**{"for": [ADA], "against": [BO]}), "not both"),
    "one pool": (cast(debaters=None, **{"for": [ADA]}), "both pools"),
    "an empty pool": (cast(debaters=None, **{"for": [], "against": [BO]}), "`for`: should have at least 1 item"),
    "both on one side": (cast(debaters=[ADA | {"side": "for"}, BO | {"side": "for"}]), "both debaters are on the side"),
    "1 turn": (cast(turns=1), "`turns`: should be greater than or equal to 2"),
    "0 turns": (cast(turns=0), "`turns`: should be greater than or equal to 2"),
    "-1 turns": (cast(turns=-1), "`turns`: should be greater than or equal to 2"),
    "six turns": (cast(turns="six"), "`turns`: should be a valid integer"),
    "2.5 turns": (cast(turns=2.5), "`turns`: should be a valid integer"),
    "endless turns": (cast(turns=10**9), "`turns`: should be less than or equal to 200"),
    "an unknown protocol": (cast(protocol="nosuch"), "no protocol is called 'nosuch'; there is: duel"),
    "a mistyped protocol": (cast(protocol="dual"), "did you mean duel?"),
    "a protocol that is a number": (cast(protocol=3), "`protocol` should be a name"),
    "a protocol that is a list": (cast(protocol=["duel"]), "`protocol` should be a name"),
    "a model that is a number": (cast(model=5), "`model`: should be a text or should be a list"),
    "a model without a name": (cast(model=""), "`model`"),
    "no models": (cast(model=[]), "`model`"),
    "roles as a list": (cast(roles=["judge"]), "`roles`: should be a mapping"),
    "roles as a text": (cast(roles="judge"), "`roles`: should be a mapping"),
    "a role without a model": (cast(roles={"judge": ""}), "`roles.judge`"),
    "seed as a text": (cast(seed="lucky"), "`seed`: should be a valid integer"),
    "out as a list": (cast(out=["a"]), "`out`: should be a text"),
    "out that is empty": (cast(out=""), "`out`"),
    "out that no file system takes": (cast(out="a\0b"), "`out`"),
    "negative limit": (cast(max_calls=-1), "`max_calls`: should be greater than or equal to 0"),
    "no number as a limit": (cast(max_cost=float("nan")), "`max_cost`"),
    "endless limit": (cast(max_cost=float("inf")), "`max_cost`"),
    "endless replies": (cast(max_reply_tokens=10**15), "`max_reply_tokens`"),
    "a price without output": (cast(prices={"a/b": {"input": 1}}), "`prices.a/b.output`: missing"),
    "a negative price": (cast(prices={"a/b": {"input": -1, "output": 1}}), "not less than zero"),
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
