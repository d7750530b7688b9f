"""The config of a chaired debate: topic, rounds, models and evidence; and the entry types of each role."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from moot.api import ConfigError, KeyFault, Option
from moot.api.capabilities import Separated
from moot.protocols.personas import Models, Name, Text, defaults_of

Role = Literal["chair", "promoter", "detractor", "verifier", "audience", "reporter", "assessor"]
ROLES: tuple[Role, ...] = ("chair", "promoter", "detractor", "verifier", "audience", "reporter", "assessor")
DEBATERS: tuple[Role, Role] = ("promoter", "detractor")
PHASES = ("system", "opening", "rebuttal", "closing")
StatementType = Literal["opening_statement", "new_point", "rebuttal", "conjecture", "closing_statement"]
STATEMENTS: tuple[StatementType, ...] = get_args(StatementType)
INTERRUPTIONS = ("source_challenge", "clarification_request", "withdraw")


MostWords = Annotated[int, Field(ge=20, le=5000)]
MaybeText = Annotated[str, StringConstraints(strip_whitespace=True, max_length=20_000)]


class Evidence(BaseModel):
    """`pack` is the folder of a closed corpus, or the name of a shipped one; without it, the open web with a time
    limit of `seconds` per page."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pack: Text | None = None
    seconds: Annotated[float, Field(gt=0, le=300, allow_inf_nan=False)] = 20.0


class RolePersona(BaseModel):
    """The person in a role. `words` is the maximal length of a debater's statements."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name | None = None
    persona: Text | None = None
    instructions: Text | None = None
    words: MostWords | None = None
    model: Models | None = None


class ChairedConfig(BaseModel):
    """`cast` has the holders of the roles, given as `roles` in a debate file. `models` are by role; a role without one
    uses the debate's `model`. If there is no topic, the chair writes one from `topic_prompt`. `wait_minutes` is how
    long to wait for an outside agent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    topic: MaybeText = ""
    topic_prompt: MaybeText = ""
    min_rounds: Annotated[
        int, Field(ge=1, le=100), Option("The fewest rounds.", label="Fewest rounds", command=False)
    ] = 1
    max_rounds: Annotated[int, Field(ge=1, le=100), Option("The most rounds.", label="Most rounds", command=False)] = 10
    time_budget_minutes: Annotated[
        float,
        Field(gt=0, allow_inf_nan=False),
        Option(
            "Minutes after which the chair closes the debate.",
            metavar="N",
            label="Minutes for the debate",
            hint="the chair closes it then",
            command=False,
        ),
    ] = 60.0
    cast: dict[Role, RolePersona] = {}
    models: dict[Role, Models] = {}
    evidence: Evidence = Evidence()
    require: Annotated[
        list[Literal["winner", "affirmative_wins", "negative_wins"]],
        Separated,
        Option("Exit with code 100 unless this is the outcome; winner means any side.", metavar="OUTCOME"),
    ] = []
    wait_minutes: float = Field(30.0, gt=0, allow_inf_nan=False)
    disqualify_fabricators: Annotated[
        bool,
        Option(
            "A side that cites fabricated sources loses by the rules alone.",
            label="Disqualify fabricated sources",
            command=False,
        ),
    ] = False

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if not self.topic and not self.topic_prompt:
            told = "there is no topic: give `topic`, or `topic_prompt` for the chair to word one from"
            raise KeyFault("topic", told, missing=True)
        if self.min_rounds > self.max_rounds:
            told = f"min_rounds is {self.min_rounds}, more than max_rounds, which is {self.max_rounds}"
            raise KeyFault("min_rounds", told)
        for role, one in self.cast.items():
            if one.words is not None and role not in DEBATERS:
                raise KeyFault(f"cast.{role}.words", f"only debaters have a limit of words, not the {role}")
        return self

    def model_of(self, role: Role) -> Models | None:
        """The models of a role in the config."""
        return self.models.get(role) or (self.cast[role].model if role in self.cast else None)

    @property
    def limits(self) -> dict[str, int]:
        """The maximal lengths of statements in the config, by role."""
        return {role: one.words for role, one in self.cast.items() if one.words is not None}


def rounds_of(text: str) -> dict[str, int]:
    """`2..5` or `5` as the minimum and maximum of rounds."""
    found = re.fullmatch(r"(?:(\d{1,3})\.\.)?(\d{1,3})", text.strip())
    if found is None:
        raise ConfigError(f"--rounds is MIN..MAX, such as 2..5, not {text!r}", key="rounds")
    return ({"min_rounds": int(found[1])} if found[1] else {}) | {"max_rounds": int(found[2])}


OPTIONS = (
    Option(
        "Minimum and maximum rounds; a single number is the maximum.  [default: 1..10]",
        "rounds",
        metavar="MIN..MAX",
        read=rounds_of,
    ),
    Option(
        "Allow only sources from this folder, or from a built-in evidence set.",
        "evidence",
        metavar="DIR",
        read=lambda pack: {"evidence": {"pack": pack}},
    ),
)


def complete(given: Mapping[str, Any], *, from_file: bool) -> dict[str, Any]:
    """The config with the shipped defaults: models key by key; and without a file and a topic, that of the shipped pack
    that is named, or of the first one, in few rounds."""
    shipped = defaults_of("chaired")
    config = {key: value for key, value in given.items() if not (key in ("topic", "topic_prompt") and value == "")}
    if isinstance(own := config.get("models", {}), dict):
        config["models"] = shipped["models"] | own
    if "roles" in config:
        config["cast"] = config.pop("roles")
    if isinstance(evidence := config.get("evidence"), str):
        config["evidence"] = {"pack": evidence}
    if from_file or {"topic", "topic_prompt"} & config.keys():
        return config
    topics: dict[str, str] = shipped["topics"]
    evidence = config.get("evidence", {"pack": next(iter(topics))})
    topic = topics.get(evidence.get("pack", "")) if isinstance(evidence, dict) else None
    if topic is None:  # evidence for another topic, which must be given
        return config
    rounds, low = dict(shipped["rounds"]), config.get("min_rounds")
    if isinstance(low, int):
        rounds["max_rounds"] = max(rounds["max_rounds"], low)
    return {"topic": topic, **rounds, **config, "evidence": evidence}


def persona(role: Role) -> str:
    """The description of a role in the list of the cast."""
    text: str = defaults_of("chaired")["roles"][role]
    return text
