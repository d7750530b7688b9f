"""A config that is wrong says with which key, as data: faces find the field by it, whatever the sentence is."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot import ConfigError, configure, plan
from moot.engine.define.config import Options, thawed
from moot.engine.define.registry import get_protocol
from moot.engine.define.shipped import OFFERED
from moot.errors import ModelError
from moot.voting.weighted import NO_CONSENSUS
from tests.kit.duels import ADA, BO, KIM

SEAT = {"stands_for": "x", "question": "x?", "instructions": "x"}
KIND = {"question": "x?", "labels": {"yes": "x", "no": "x"}, "criteria": "x"}


pytestmark = pytest.mark.usefixtures("place")


def key_of(protocol: str, **settings: Any) -> str | None:
    with pytest.raises(ConfigError) as caught:
        configure(protocol, **settings)
    return caught.value.key


def keys_of(protocol: str) -> list[str]:
    own = [field.alias or name for name, field in get_protocol(protocol).config.model_fields.items()]
    return [*own, *Options.model_fields]


@pytest.mark.parametrize(("protocol", "key"), [(one, key) for one in OFFERED for key in keys_of(one)])
def test_every_key_is_named(protocol: str, key: str) -> None:
    assert (key_of(protocol, **{"topic" if protocol != "panel" else "idea": "x", key: object()}) or "").split(".")[
        0
    ] == key


@pytest.mark.parametrize(
    ("protocol", "settings", "key"),
    [
        ("duel", {"no_such": 1}, "no_such"),
        ("duel", {"roles": {"judge": 5}}, "roles.judge"),
        ("duel", {"debaters": [ADA, {**BO, "name": ""}]}, "debaters.1.name"),
        ("duel", {"debaters": [ADA, {**BO, "nam": "x"}]}, "debaters.1.nam"),
        ("duel", {"debaters": [ADA, BO], "for": [ADA]}, "debaters"),
        ("duel", {"for": [ADA]}, "debaters"),
        ("duel", {"debaters": [ADA, BO], "judge": KIM, "judges": [KIM]}, "judge"),
        ("duel", {"debaters": [ADA, BO], "judge": {**KIM, "name": "ada"}}, "judge.name"),
        ("duel", {"debaters": [ADA, {**BO, "name": "judge"}]}, "debaters.1.name"),
        ("duel", {"debaters": [{**ADA, "side": "for"}, {**BO, "side": "for"}]}, "debaters.1.side"),
        ("duel", {"for": [ADA], "against": [{**BO, "side": "against"}]}, "against.0.side"),
        ("chaired", {"evidence": "pack"}, "topic"),
        ("chaired", {"min_rounds": 5, "max_rounds": 2}, "min_rounds"),
        ("chaired", {"evidence": {"seconds": -1}}, "evidence.seconds"),
        ("panel", {}, "idea"),
        ("panel", {"kind": "taste"}, "kind"),
        ("panel", {"kinds": {"taste": {**KIND, "passes": "perhaps"}}}, "kinds.taste.passes"),
        ("panel", {"kinds": {"taste": {**KIND, "labels": {"yes": "x", NO_CONSENSUS: "x"}}}}, "kinds.taste.labels"),
        ("panel", {"max_rounds": 1, "kind": "improvement"}, "max_rounds"),
        ("panel", {"persona_weights": {"Nobody": 1}}, "persona_weights.Nobody"),
        ("panel", {"required_validators": 9}, "required_validators"),
        ("panel", {"truth": "perhaps"}, "truth"),
        ("panel", {"personas": [{"name": "Ada", **SEAT}, {"name": "ada", **SEAT}]}, "personas.1.name"),
        ("panel", {"personas": [{"name": "moot", **SEAT}]}, "personas.0.name"),
        ("persuasion", {"opponent": {"name": "moot", "personality": "x", "bias": "x"}}, "opponent.name"),
        ("arena", {"vote": "shouting"}, "vote"),
        ("arena", {"agents": [{"name": "Ada"}, {"name": "Bo", "model": 5}]}, "agents.1.model"),
        ("arena", {"agents": [{"name": "Ada"}, {"name": "moot"}]}, "agents.1.name"),
        ("arena", {"agents": [{"name": "Ada"}, {"name": "Bo"}], "judge": {"name": "ada"}}, "judges.0.name"),
        ("arena", {"observer": {"name": "moot"}}, "observer.name"),
        ("quarrel", {}, "protocol"),
    ],
)
def test_the_key_at_fault_is_a_path(protocol: str, settings: dict[str, Any], key: str) -> None:
    subject = {"panel": "idea"}.get(protocol, "topic")
    given = {} if key in ("idea", "topic") else {subject: "We should."}
    assert key_of(protocol, **given, **settings) == key


def test_a_key_that_is_missing_is_not_one_that_is_wrong() -> None:
    for protocol, settings, missing in (
        ("panel", {}, True),
        ("chaired", {"evidence": "pack"}, True),
        ("chaired", {"topic": "x" * 20_001}, False),
    ):
        with pytest.raises(ConfigError) as caught:
            configure(protocol, **settings)
        assert caught.value.missing is missing


def test_a_key_within_another_is_told_from_the_top() -> None:
    content = configure("duel", topic="x", seed=1).content()
    content["moot"]["forked_from"] = {"run": "x", "at": -1}
    with pytest.raises(ConfigError) as caught:
        thawed(content, "config.yaml")
    assert caught.value.key == "moot.forked_from.at"


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"model": "what"}, "model"),
        ({"model": ["scripted/demo:duel", "what"]}, "model"),
        ({"roles": {"Judge": "what"}}, "roles.Judge"),
        ({"roles": {"nobody": "scripted/demo:duel"}}, "roles.nobody"),
    ],
)
def test_a_model_that_is_wrong_is_told_by_the_key_that_chose_it(settings: dict[str, Any], key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        asyncio.run(plan(configure("duel", topic="x", **settings)))
    assert caught.value.key == key


def test_so_is_one_that_is_not_ready(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("FAKE_BASE_URL", "http://127.0.0.1:9/v1")
    for model in ("openai/gpt-x", "fake/one"):
        with pytest.raises(ModelError) as caught:
            asyncio.run(moot.duel("x", model="scripted/demo:duel", roles={"B": model}, out=str(place)))
        assert caught.value.key == "roles.B"


def test_a_limit_that_cannot_be_kept_is_the_key(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(ConfigError) as caught:
        asyncio.run(moot.duel("x", model="fake/of-no-price", max_cost=1, out=str(place)))
    assert caught.value.key == "max_cost"
