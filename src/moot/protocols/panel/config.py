"""What a panel is told: the idea, the kind of decision, and who sits on it. Kinds and personas are data."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from moot.engine.options import Option
from moot.engine.protocol import Part
from moot.errors import ConfigError, KeyFault
from moot.protocols.personas import Models, Role, Text, check_names, defaults_of
from moot.voting.weighted import NO_CONSENSUS, Rules

Label = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,29}$")]
Share = Annotated[Decimal, Field(ge=0, le=1, max_digits=20)]
Weight = Annotated[Decimal, Field(ge=0, le=1000, max_digits=20)]
IdeaText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100_000)]

PHASES = ("setup", "positions", "rebuttal", "convergence", "ruling", "decision", "revision")
TYPES = {"panellist": ("position", "ballot", "note"), "validator": ("synthesis", "ballot", "note")}
REVISER = "Reviser"
LONGEST_TITLE = 200


class Kind(BaseModel):
    """One kind of decision. `passes` is the label that lets the idea go ahead, `revises` the one that sends it back;
    with `each_change` every proposed change is voted on by itself, and the labels are yes and no."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: Text
    labels: Annotated[dict[Label, Text], Field(min_length=2, max_length=20)]
    rounds: int = Field(2, ge=1, le=20)
    agreement: Share | None = None
    passes: Label | None = None
    revises: Label | None = None
    each_change: bool = False
    criteria: Text

    @model_validator(mode="after")
    def _labels_exist(self) -> Self:
        for key in ("passes", "revises"):
            label = getattr(self, key)
            if label is not None and label not in self.labels:
                raise KeyFault(key, f"`{key}` is {label!r}, which is none of the labels {', '.join(self.labels)}")
        if self.passes is not None and self.passes == self.revises:
            raise KeyFault("revises", f"the label {self.passes!r} cannot both pass the idea and send it back")
        if self.each_change and (set(self.labels) != {"yes", "no"} or self.passes or self.revises):
            told = "a kind that votes on each change has the labels yes and no, and neither passes nor revises"
            raise KeyFault("each_change", told)
        if NO_CONSENSUS in self.labels:
            told = f"{NO_CONSENSUS!r} is what a panel says when nothing carries; it cannot be a label"
            raise KeyFault("labels", told)
        return self


class Seat(Role):
    """One of the panel. A validator takes no part in the rounds: it reads them, votes and rules."""

    weight: Weight = Decimal(1)
    validator: bool = False
    stands_for: Text
    question: Text
    instructions: Text


class PanelConfig(BaseModel):
    """`accepted` are ideas that were let through before, so that a near-duplicate can be called one; `require` is
    the decision a caller needs, `truth` the one that is known to be right. Neither is told to anybody on the panel."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    idea: IdeaText
    kind: Annotated[
        str,
        Option(
            "{choices}, or one of your file's.",
            metavar="KIND",
            known=lambda: list(defaults_of("panel")["kinds"]),
            label="Kind of decision",
        ),
    ] = "selection"
    kinds: dict[str, Kind]
    personas: Annotated[list[Seat], Field(min_length=1, max_length=50)]
    persona_weights: dict[str, Weight] = {}
    max_rounds: Annotated[
        int, Field(ge=1, le=20), Option("Rounds of debate, at most.", metavar="N", label="Most rounds")
    ] = 3
    min_agreement_threshold: Share = Decimal("0.6")
    required_validators: int = Field(1, ge=0)
    timeout_per_round: float = Field(60.0, gt=0, allow_inf_nan=False)
    max_revisions: Annotated[
        int,
        Field(ge=0, le=20),
        Option(
            "How often an idea is sent back, at most.",
            metavar="N",
            label="Most revisions",
            hint="of an idea that is sent back",
        ),
    ] = 2
    reviser: Models | None = None
    accepted: list[IdeaText] = []
    require: Annotated[str | None, Option("Exit with 100 on any other decision.", metavar="LABEL")] = None
    truth: Annotated[str | None, Option("The label known to be right, for the accuracy.", metavar="LABEL")] = None

    @property
    def topic(self) -> str:
        return title_of(self.idea)

    @property
    def chosen(self) -> Kind:
        return self.kinds[self.kind]

    @property
    def rules(self) -> Rules:
        own = self.chosen.agreement
        threshold = self.min_agreement_threshold if own is None else own
        return Rules(tuple(self.chosen.labels), threshold, self.required_validators)

    def weight_of(self, seat: Seat) -> Decimal:
        return self.persona_weights.get(seat.name, seat.weight)

    @model_validator(mode="after")
    def _sound_cast(self) -> Self:
        names = [seat.name for seat in self.personas]
        places = ((f"personas.{place}.name", seat) for place, seat in enumerate(self.personas))
        check_names(places, (REVISER.casefold(),), "the panel")
        if unknown := sorted(set(self.persona_weights) - set(names)):
            told = f"`persona_weights` names {unknown[0]!r}; the panel is {', '.join(names)}"
            raise KeyFault(f"persona_weights.{unknown[0]}", told)
        validators = sum(seat.validator for seat in self.personas)
        if self.required_validators > validators:
            told = f"`required_validators` is {self.required_validators}, and the panel has {validators}"
            raise KeyFault("required_validators", told)
        if validators == len(self.personas):
            raise KeyFault("personas", "somebody besides the validators has to take a position")
        return self

    @model_validator(mode="after")
    def _sound_kind(self) -> Self:
        if self.kind not in self.kinds:
            raise KeyFault("kind", f"there is no kind {self.kind!r}; there are {', '.join(self.kinds)}")
        if self.chosen.rounds > self.max_rounds:
            told = f"{self.kind} needs {self.chosen.rounds} rounds; `max_rounds` is {self.max_rounds}"
            raise KeyFault("max_rounds", told)
        for key in ("require", "truth"):
            label = getattr(self, key)
            if label is not None and label not in self.chosen.labels:
                raise KeyFault(key, f"`{key}` is {label!r}; a {self.kind} decides {', '.join(self.chosen.labels)}")
        return self


_NAMED = re.compile(r"""["']?(?:name|title)["']?:[ \t]*["']?([^"']*)""", re.IGNORECASE)
_WORD = re.compile(r"\w")


def title_of(idea: str) -> str:
    """What an idea is called: its name or title where it is a document that has one, else its first line."""
    lines = idea.split("\n")
    found = (_NAMED.match(line.lstrip(" \t{")) for line in lines)
    named = next((one[1] for one in found if one and _WORD.search(one[1])), None)
    if named is None:
        first = next((line for line in idea.splitlines() if _WORD.search(line)), idea)
        named = first.strip().lstrip("#")
    return named.strip()[:LONGEST_TITLE]


def complete(given: Mapping[str, Any], *, from_file: bool) -> dict[str, Any]:  # noqa: ARG001 (one of several)
    """The config with the shipped kinds, and the shipped personas where it has none of its own; an idea that is a
    document becomes its YAML."""
    shipped, own = defaults_of("panel"), given.get("kinds", {})
    kinds = {**shipped["kinds"], **own} if isinstance(own, dict) else own
    config = {"personas": shipped["personas"], **given, "kinds": kinds}
    if isinstance(config.get("idea"), Mapping | list):
        config["idea"] = _document(config["idea"])
    return config


def _document(idea: Any) -> str:
    try:
        text: str = yaml.safe_dump(idea, sort_keys=False, allow_unicode=True, width=100)
    except yaml.YAMLError as error:
        raise ConfigError(f"panel: `idea` holds what YAML has no form for: {error.args[-1]}", "idea") from None
    return text


def role_of(config: PanelConfig, speaker: str) -> str:
    seat = next((one for one in config.personas if one.name == speaker), None)
    return "" if seat is None else "validator" if seat.validator else "panellist"


def parts(config: PanelConfig | None) -> list[Part]:
    """The parts of that config; without one, those of the shipped panel."""
    if config is None:
        config = PanelConfig.model_validate(complete({"idea": "any"}, from_file=False))
    seats = [Part(one.name, one.name, one.name, one.model, debates=not one.validator) for one in config.personas]
    revises = config.chosen.revises and config.max_revisions
    return [*seats, Part(REVISER, REVISER, REVISER, config.reviser, debates=False)] if revises else seats
