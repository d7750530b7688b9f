"""What the page offers when a debate is started is what the protocols take."""

import pytest

import moot
from moot.engine.define.config import Options
from moot.web.start_form import LIMITS, SECONDS_FOR_PEOPLE, Faults, Offer, configured, offers

TOPIC = "We should keep the old name."
MODEL = "fake/one"
OFFERS = offers()
every = pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.name)


def form(offer: Offer, **more: str) -> dict[str, str]:
    given = {key.replace("__", "."): value for key, value in more.items()}
    return {"protocol": offer.name, "topic": TOPIC, "model": MODEL, **given}


def config_of(given: dict[str, str]) -> moot.RunConfig:
    faults = Faults()
    config = configured(given, faults)
    assert config is not None, faults
    return config


@every
def test_what_is_offered_is_taken(offer: Offer) -> None:
    for option in offer.options:
        usual = (
            "Yes"
            if option.name == "right"
            else "4"
            if isinstance(option.default, list)
            else f"{option.default or 1}".removesuffix(".0")
        )
        for value in option.choices or (usual,):
            config = config_of(form(offer, **{f"{offer.name}__{option.name}": value}))
            if option.kind != "switch":
                taken = getattr(config.debate, option.name)
                assert str(len(taken) if isinstance(taken, list) else taken).removesuffix(".0") == value


@every
def test_people_are_waited_for(offer: Offer) -> None:
    role = offer.parts[0].key
    config = config_of(form(offer, **{f"{offer.name}__role__{role}": "human/ann"}))
    assert config.options.roles == {role: ["human/ann"]}
    patience = {"panel": "timeout_per_round", "arena": "patience"}.get(offer.name, "")
    assert offer.protocol.keys.patience == patience
    assert not patience or getattr(config.debate, patience) == SECONDS_FOR_PEOPLE


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"protocol": "quarrel"}, "protocol"),
        ({"protocol": "panel", "topic": " "}, "topic"),
        ({"protocol": "duel", "duel.turns": "1"}, "duel.turns"),
        ({"protocol": "duel", "duel.turns": "six"}, "duel.turns"),
        ({"protocol": "chaired", "chaired.min_rounds": "5", "chaired.max_rounds": "2"}, "chaired.min_rounds"),
        ({"protocol": "arena", "arena.vote": "shouting"}, "arena.vote"),
        ({"protocol": "panel", "panel.kind": "taste"}, "panel.kind"),
        ({"protocol": "duel", "topic": "x" * 200_000}, "topic"),
        *(({"protocol": "duel", one.name: "-1"}, one.name) for one in LIMITS),
        *(({"protocol": "duel", one.name: "nan"}, one.name) for one in LIMITS),
    ],
)
def test_a_fault_is_told_at_its_field(given: dict[str, str], field: str) -> None:
    faults = Faults()
    assert configured({"topic": TOPIC, "model": MODEL} | given, faults) is None
    assert list(faults.by_field) == [field]
    assert faults.by_field[field].endswith((".", "?"))


@every
def test_every_key_of_the_config_finds_its_field_whatever_the_words(offer: Offer) -> None:
    fields = {
        offer.protocol.subject.key: "topic",
        "model": "model",
        "documents": "documents",
        **{option.name: f"{offer.name}.{option.name}" for option in offer.options},
        **{limit.name: limit.name for limit in LIMITS},
        **{f"roles.{part.key}": f"{offer.name}.role.{part.key}" for part in offer.parts},
    }
    keys = {*offer.protocol.config.model_fields, *Options.model_fields, *fields}
    for key in keys:
        for error in (moot.ConfigError("`turns` of max_calls: something is odd", key), moot.NotReady("odd, topic")):
            faults, error.key = Faults(), key
            faults.place(offer, error)
            assert list(faults.by_field) == [fields.get(key, "")]
    nested, unknown = Faults(), Faults()
    first = offer.options[0].name
    nested.place(offer, moot.ConfigError("odd", f"{first}.0.name"))
    unknown.place(offer, moot.RunBusy("`topic` is busy"))
    assert (list(nested.by_field), list(unknown.by_field)) == ([f"{offer.name}.{first}"], [""])
