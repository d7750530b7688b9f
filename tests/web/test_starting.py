"""What the page offers when a debate is started is what the protocols take."""

import asyncio

import pytest

import moot
from moot.config import Options
from moot.protocols import get_protocol
from moot.web.starting import LIMITS, SECONDS_FOR_PEOPLE, WAYS, Faults, Way, configured, place

TOPIC = "We should keep the old name."
MODEL = "fake/one"


def form(way: Way, **more: str) -> dict[str, str]:
    return {"protocol": way.name, "topic": TOPIC, "model": MODEL, **{k.replace("__", "."): v for k, v in more.items()}}


def config_of(given: dict[str, str]) -> moot.RunConfig:
    faults = Faults()
    config = configured(given, faults)
    assert config is not None, faults
    return config


def test_every_protocol_is_offered() -> None:
    assert tuple(way.name for way in WAYS) == moot.PROTOCOLS


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_what_is_offered_is_taken(way: Way) -> None:
    for choice in way.choices:
        for value in choice.values or (choice.usual or "1",):
            config = config_of(form(way, **{f"{way.name}__{choice.key}": value}))
            if choice.kind != "tick":
                taken = getattr(config.debate, choice.key)
                assert str(len(taken) if isinstance(taken, list) else taken).removesuffix(".0") == value


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_every_role_is_somebody_of_the_cast(way: Way) -> None:
    roles = {f"{way.name}.role.{role.key}": f"fake/{number}" for number, role in enumerate(way.roles)}
    given = form(way) | roles | {"arena.agents": "7"}
    planned = asyncio.run(moot.plan(config_of(given)))
    assert {models[0] for models in planned.models.values()} >= set(roles.values())


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_people_are_waited_for(way: Way) -> None:
    role = way.roles[0].key
    config = config_of(form(way, **{f"{way.name}__role__{role}": "human/ann"}))
    assert config.options.roles == {role: ["human/ann"]}
    patience = {"panel": "timeout_per_round", "arena": "patience"}.get(way.name)
    assert patience is None or getattr(config.debate, patience) == SECONDS_FOR_PEOPLE


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"protocol": "quarrel"}, "protocol"),
        ({"protocol": "panel", "topic": " "}, "topic"),
        ({"protocol": "persuasion", "topic": "Why is it so?"}, "topic"),
        ({"protocol": "duel", "duel.turns": "1"}, "duel.turns"),
        ({"protocol": "duel", "duel.turns": "six"}, "duel.turns"),
        ({"protocol": "chaired", "chaired.min_rounds": "5", "chaired.max_rounds": "2"}, "chaired.min_rounds"),
        ({"protocol": "arena", "arena.vote": "shouting"}, "arena.vote"),
        ({"protocol": "panel", "panel.kind": "taste"}, "panel.kind"),
        ({"protocol": "duel", "topic": "x" * 200_000}, "topic"),
        *(({"protocol": "duel", one.key: "-1"}, one.key) for one in LIMITS),
        *(({"protocol": "duel", one.key: "nan"}, one.key) for one in LIMITS),
    ],
)
def test_a_fault_is_told_at_its_field(given: dict[str, str], field: str) -> None:
    faults = Faults()
    assert configured({"topic": TOPIC, "model": MODEL} | given, faults) is None
    assert list(faults.by_field) == [field]
    assert faults.by_field[field].endswith((".", "?"))


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_every_key_of_the_config_finds_its_field_whatever_the_words(way: Way) -> None:
    fields = {
        way.topic_key: "topic",
        "model": "model",
        **{choice.key: f"{way.name}.{choice.key}" for choice in way.choices},
        **{limit.key: limit.key for limit in LIMITS},
        **{f"roles.{role.key}": f"{way.name}.role.{role.key}" for role in way.roles},
    }
    keys = {*get_protocol(way.name).config.model_fields, *Options.model_fields, *fields}
    for key in keys:
        for error in (moot.ConfigError("`turns` of max_calls: something is odd", key), moot.NotReady("odd, topic")):
            faults, error.key = Faults(), key
            place(way, error, faults)
            assert list(faults.by_field) == [fields.get(key, "")]
    nested, unknown = Faults(), Faults()
    place(way, moot.ConfigError("odd", f"{way.choices[0].key}.0.name"), nested)
    place(way, moot.RunBusy("`topic` is busy"), unknown)
    assert (list(nested.by_field), list(unknown.by_field)) == ([f"{way.name}.{way.choices[0].key}"], [""])


def test_limits_and_models_are_handed_on() -> None:
    config = config_of(form(WAYS[0], model="fake/one, fake/two", max_calls="9", max_cost="0.5"))
    assert config.options.model == ["fake/one", "fake/two"]
    assert (config.options.max_calls, config.options.max_cost) == (9, 0.5)
