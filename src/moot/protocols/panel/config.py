"""The config of a panel: the idea, the kind of decision, and the personas. Kinds and personas are data."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from moot.api import ConfigError, KeyFault, Option, Role
from moot.api.capabilities import Separated
from moot.protocols.personas import CastMember, Models, Text, check_names, defaults_of
from moot.text.prose import plural
from moot.voting.weighted import NO_CONSENSUS, Rules

Label = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,29}$")]
Share = Annotated[Decimal, Field(ge=0, le=1, max_digits=20)]
Weight = Annotated[Decimal, Field(ge=0, le=1000, max_digits=20)]
IdeaText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100_000)]

PHASES = ("setup", "positions", "rebuttal", "convergence", "ruling", "decision", "revision")
REVISER = "Reviser"
ABSTAIN = "abstain"
"""The answer of a persona that declines to choose a label."""
USUAL_AGREEMENT = Decimal("0.6")
"""For a kind without its own threshold."""
LONGEST_TITLE = 200


class Kind(BaseModel):
    """One kind of decision. `passes` is the label that accepts the idea, `revises` the one that sends it back; with
    `each_change` every proposed change gets its own vote, with the labels yes and no. `factual` is for a question with
    a right answer, to which no persona has an angle of its own, and `code` for a change to code, given as a diff."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: Text
    labels: Annotated[dict[Label, Text], Field(min_length=2, max_length=20)]
    rounds: int = Field(2, ge=1, le=20)
    agreement: Share | None = None
    passes: Label | None = None
    revises: Label | None = None
    each_change: bool = False
    factual: bool = False
    code: bool = False
    criteria: Text

    @property
    def subject(self) -> str:
        """What is decided about, in a word."""
        return "question" if self.factual else "change" if self.code else "idea"

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
        for word, meaning in ((NO_CONSENSUS, "a panel says when nothing carries"), (ABSTAIN, "one says who abstains")):
            if word in self.labels:
                raise KeyFault("labels", f"{word!r} is what {meaning}; it cannot be a label")
        return self


class Seat(CastMember):
    """A member of the panel. A validator takes no part in the rounds: it reads them, votes and rules. `questions` has
    other driving questions by kind."""

    weight: Weight = Decimal(1)
    validator: bool = False
    stands_for: Text
    question: Text
    questions: dict[str, Text] = Field(default_factory=dict)
    instructions: Text

    def question_on(self, kind: str) -> str:
        return self.questions.get(kind, self.question)


class PanelConfig(BaseModel):
    """`accepted` are ideas accepted before, so that near-duplicates are recognised; `require` are the decisions the
    caller accepts, `truth` the one known to be right. The panel sees neither. `min_agreement_threshold` is a minimum
    for every kind; without it each kind's own threshold applies. `source` is the name of the file that the idea was
    read from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    idea: IdeaText
    kind: Annotated[
        str,
        Option(
            "Kind of decision: {choices}, or your own.",
            metavar="KIND",
            known=lambda: list(defaults_of("panel")["kinds"]),
            label="Kind of decision",
        ),
    ] = "selection"
    kinds: dict[str, Kind]
    personas: Annotated[list[Seat], Field(min_length=1, max_length=50)]
    persona_weights: dict[str, Weight] = {}
    max_rounds: Annotated[
        int, Field(ge=1, le=20), Option("Maximum rounds of debate.", metavar="N", short="rounds", label="Most rounds")
    ] = 3
    min_agreement_threshold: Annotated[
        Share | None,
        Option(
            "Minimum share of the weight for any decision.",
            kind="number",
            short="threshold",
            metavar="SHARE",
            least=0,
            most=1,
        ),
    ] = None
    required_validators: Annotated[int, Field(ge=0)] = 1
    quorum: Annotated[int, Field(ge=1)] | None = None
    timeout_per_round: Annotated[
        float,
        Field(gt=0, allow_inf_nan=False),
        Option("Maximum time that a persona has in a round.", metavar="SECONDS", short="timeout"),
    ] = 600.0
    max_revisions: Annotated[
        int,
        Field(ge=0, le=20),
        Option(
            "Maximum number of revisions.",
            metavar="N",
            label="Most revisions",
            hint="of an idea that is sent back",
        ),
    ] = 2
    reviser: Models | None = None
    accepted: list[IdeaText] = []
    require: Annotated[
        list[str], Separated, Option("Exit with code 100 on any other decision; comma-separated.", metavar="LABEL")
    ] = []
    source: Annotated[str, StringConstraints(max_length=2000)] = ""
    truth: str | None = None

    @property
    def topic(self) -> str:
        return title_of(self.idea)

    @property
    def chosen(self) -> Kind:
        return self.kinds[self.kind]

    @property
    def rules(self) -> Rules:
        own = USUAL_AGREEMENT if self.chosen.agreement is None else self.chosen.agreement
        threshold = max(own, self.min_agreement_threshold or Decimal(0))
        return Rules(tuple(self.chosen.labels), threshold, self.required_validators)

    @property
    def needed(self) -> int:
        """The quorum: how many members have to answer."""
        return self.quorum or max(1, len(self.personas) - 1)

    def weight_of(self, seat: Seat) -> Decimal:
        given = {name.casefold(): weight for name, weight in self.persona_weights.items()}
        return given.get(seat.name.casefold(), seat.weight)

    @model_validator(mode="after")
    def _sound_cast(self) -> Self:
        names = [seat.name for seat in self.personas]
        places = ((f"personas.{place}.name", seat) for place, seat in enumerate(self.personas))
        check_names(places, (REVISER.casefold(),), "the panel")
        self._check_weights(names)
        validators = sum(seat.validator for seat in self.personas)
        if self.required_validators > validators:
            told = f"`required_validators` is {self.required_validators}, and the panel has {validators}"
            raise KeyFault("required_validators", told)
        if validators == len(self.personas):
            raise KeyFault("personas", "somebody besides the validators has to take a position")
        if self.needed > len(self.personas):
            raise KeyFault("quorum", f"`quorum` is {self.quorum}, and the panel has {len(self.personas)}")
        return self

    def _check_weights(self, names: Sequence[str]) -> None:
        """Names match in any case, as in people's settings."""
        folded = [name.casefold() for name in names]
        for name in self.persona_weights:
            if name.casefold() not in folded:
                told = f"`persona_weights` names {name!r}; the panel is {', '.join(names)}"
                raise KeyFault(f"persona_weights.{name}", told)
        if not any(self.weight_of(seat) for seat in self.personas):
            key = "persona_weights" if self.persona_weights else "personas"
            raise KeyFault(key, "somebody must have a weight above 0, or no vote counts")

    @model_validator(mode="after")
    def _sound_kind(self) -> Self:
        if self.kind not in self.kinds:
            raise KeyFault("kind", f"there is no kind {self.kind!r}; there are {', '.join(self.kinds)}")
        if self.chosen.rounds > self.max_rounds:
            told = f"{self.kind} needs {self.chosen.rounds} rounds; `max_rounds` is {self.max_rounds}"
            raise KeyFault("max_rounds", told)
        for key, labels in (("require", self.require), ("truth", [self.truth] if self.truth else [])):
            for label in labels:
                if label not in self.chosen.labels:
                    raise KeyFault(key, f"`{key}` is {label!r}; a {self.kind} decides {', '.join(self.chosen.labels)}")
        return self


_NAMED = re.compile(r"""["']?(?:name|title)["']?:[ \t]*["']?([^"']*)""", re.IGNORECASE)
_WORD = re.compile(r"\w")


def title_of(idea: str) -> str:
    """The title of an idea: its name or title if it is a document that has one, else its first line."""
    lines = idea.split("\n")
    found = (_NAMED.match(line.lstrip(" \t{")) for line in lines)
    named = next((one[1] for one in found if one and _WORD.search(one[1])), None)
    if named is None:
        first = next((line for line in idea.splitlines() if _WORD.search(line)), idea)
        named = first.strip().lstrip("#")
    return named.strip()[:LONGEST_TITLE]


def complete(given: Mapping[str, Any], *, from_file: bool) -> dict[str, Any]:  # noqa: ARG001 (one of several)
    """The config with the shipped kinds, and the shipped personas for its kind if it has none. A shipped kind needs
    only its changed keys. An idea that is a document becomes YAML."""
    shipped, own = defaults_of("panel"), given.get("kinds", {})
    kinds: Any = own
    if isinstance(own, Mapping):
        changed = {name: _with(shipped["kinds"].get(name, {}), kind) for name, kind in own.items()}
        kinds = {**shipped["kinds"], **changed}
    personas = shipped["casts"].get(given.get("kind"), shipped["personas"])
    config = {"personas": personas, **given, "kinds": kinds}
    if isinstance(config.get("idea"), Mapping | list):
        config["idea"] = _document(config["idea"])
    return config


def _with(kind: Mapping[str, Any], changes: Any) -> Any:
    return {**kind, **changes} if isinstance(changes, Mapping) else changes


def _document(idea: Any) -> str:
    try:
        text: str = yaml.safe_dump(idea, sort_keys=False, allow_unicode=True, width=100)
    except yaml.YAMLError as error:
        raise ConfigError(f"panel: `idea` holds what YAML has no form for: {error.args[-1]}", "idea") from None
    except RecursionError:
        raise ConfigError("panel: `idea` is nested too deeply", "idea") from None
    return text


def roles(config: PanelConfig | None) -> list[Role]:
    """The parts of this config; without one, those of the shipped panel."""
    if config is None:
        config = PanelConfig.model_validate(complete({"idea": "any"}, from_file=False))
    seats = [Role(seat.name, seat.name, seat.name, seat.model, debates=not seat.validator) for seat in config.personas]
    revises = config.chosen.revises and config.max_revisions
    return [*seats, Role(REVISER, REVISER, REVISER, config.reviser, debates=False)] if revises else seats


def unplanned(config: PanelConfig) -> str:
    """What a panel may take beside its plan, which supposes that everybody agrees after the required rounds."""
    rounds = f"If the personas differ, they debate up to {plural(config.max_rounds, 'round')}."
    if config.chosen.rounds > 1:
        rounds = f"If all agree in the first round, it ends there, unless you give --full. {rounds}"
    if not config.chosen.revises or not config.max_revisions:
        return rounds
    times = plural(config.max_revisions, "time")
    return f"{rounds} An idea that is sent back is revised and debated again, up to {times}."
