"""The config of a duel: its topic and its cast."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, field_validator, model_validator

from moot.api import ConfigError, Frame, FramedConfig, KeyFault, Option, Side, answers_of, no_sides, sides_of
from moot.api.capabilities import Separated
from moot.protocols.personas import Persona, Text, check_names, defaults_of
from moot.text.prose import plain_words

DEBATERS = 2
LEAST_JURY, LARGEST_JURY = 2, 15
PARTS = frozenset({"a", "b", "judge", *(f"juror {number}" for number in range(1, LARGEST_JURY + 1))})
"""The parts in the script, which no name may be."""
PHASES = ("setup", "planning", "opening", "rebuttal", "closing", "verdict")


class Debater(Persona):
    position: Text
    instructions: Text
    side: Side | None = None

    @property
    def system(self) -> str:
        return f"{self.personality}\n\n{self.position}\n\n{self.instructions}"


class Judge(Persona):
    judging_criteria: Text

    @property
    def system(self) -> str:
        return f"{self.personality}\n\n{self.judging_criteria}"


Pool = Annotated[list[Debater], Field(min_length=1)]


class DuelConfig(FramedConfig):
    """Two debaters, given or drawn one from each pool; a judge, given or drawn, a jury, both, or nobody who decides."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    options: Annotated[
        Annotated[list[Text], Field(min_length=2)] | None,
        Option(
            "One of the two options: A argues for the first, B for the second.",
            short="option",
            metavar="WORDS",
        ),
    ] = None
    kind: Annotated[
        Literal["yes_no", "open"] | None,
        Option("Kind of question: yes_no, or open (A proposes an answer, B opposes it).  [default: a model decides]"),
    ] = None
    turns: Annotated[
        int,
        Field(ge=2, le=200),
        Option("Total number of statements.", metavar="N", label="Turns", hint="both debaters together"),
    ] = 6
    words: Annotated[
        int,
        Field(ge=10, le=5000),
        Option("Maximum words per statement.", metavar="N", label="Words", hint="of each statement, at most"),
    ] = 220
    debaters: Annotated[list[Debater], Field(min_length=2, max_length=2)] | None = None
    pool_for: Pool | None = Field(None, alias="for")
    pool_against: Pool | None = Field(None, alias="against")
    judge: Judge | None = None
    judges: Annotated[list[Judge], Field(min_length=1)] | None = None
    jury: Annotated[
        str | int | list[str] | None,
        Option(
            "Judges: a number, or comma-separated models. 0: no judge; 2 or more: a jury, which reads the debate in "
            "both orders.  [default: 1]",
            short="judges",
            metavar="N|MODELS",
            label="Judges",
            hint="0: no judge; 2 or more: a jury; or the models of a jury, with commas between",
        ),
    ] = None
    order: Literal["fixed", "random"] = "fixed"
    require: Annotated[
        list[str],
        Separated,
        Option(
            "Exit with code 100 unless this side wins: for, against, an option, or winner (any side).",
            metavar="WHO",
        ),
    ] = Field([])
    factual: bool = False
    """Whether the topic is a question with a right answer: then the judge finds out who is right, not who argues
    better. With `options`, these are the two answers."""

    @model_validator(mode="after")
    def _whole_cast(self) -> Self:
        pools = (self.pool_for, self.pool_against)
        if self.debaters is not None and any(pools):
            raise KeyFault("debaters", "give either `debaters` or the pools `for` and `against`, not both")
        if self.debaters is None and not all(pools):
            raise KeyFault("debaters", "give two `debaters`, or both pools `for` and `against`", missing=True)
        if self.judge is not None and self.judges is not None:
            raise KeyFault("judge", "give either `judge` or the pool `judges`, not both")
        return self

    @field_validator("jury")
    @classmethod
    def _jurors(cls, value: str | int | list[str] | None) -> int | list[str] | None:
        if isinstance(value, str):
            models = [model.strip() for model in value.split(",") if model.strip()]
            value = int(value) if value.strip().isdecimal() else models
        count = value if isinstance(value, int) else None if value is None else len(value)
        least = 1 if isinstance(value, list) else LEAST_JURY
        if count is not None and value != 1 and not least <= count <= LARGEST_JURY:
            raise ValueError(f"a jury has {LEAST_JURY} to {LARGEST_JURY} judges")
        return value

    @model_validator(mode="after")
    def _one_frame(self) -> Self:
        keys = [key for key in ("claim", "options", "kind") if getattr(self, key) is not None]
        if len(keys) > 1:
            raise KeyFault(keys[1], f"give either `{keys[0]}` or `{keys[1]}`, which both say what is debated")
        options = self.options or []
        if len(set(map(plain_words, options))) < len(options):
            raise KeyFault("options", "the options are the same")
        if len(options) > DEBATERS:
            raise KeyFault("options", "a duel is between two options; all of them compete in an arena (moot arena)")
        return self

    @model_validator(mode="after")
    def _can_be_required(self) -> Self:
        if self.require and self.judge is None and self.judges is None and not self.jurors:
            raise KeyFault("require", "nobody decides in a duel without a judge, so nothing can be required of it")
        if (given := self.given) and (fault := cannot_end(self, given)):
            raise KeyFault("require", fault)
        return self

    @model_validator(mode="after")
    def _unique_names(self) -> Self:
        check_names(self._places(), PARTS)
        return self

    @property
    def jurors(self) -> Sequence[str | None]:
        """The model of each juror, if it is given; a single judge is not a jury."""
        if self.jury is None or self.jury == 1 or isinstance(self.jury, str):
            return ()
        return [None] * self.jury if isinstance(self.jury, int) else self.jury

    @model_validator(mode="after")
    def _opposite_sides(self) -> Self:
        sides = [debater.side for debater in self.debaters or []]
        if None not in sides and len(set(sides)) == 1:
            raise KeyFault("debaters.1.side", f"both debaters are on the side {sides[0]!r}")
        for key, pool in (("for", self.pool_for), ("against", self.pool_against)):
            if (number := next((place for place, one in enumerate(pool or ()) if one.side), None)) is not None:
                raise KeyFault(f"{key}.{number}.side", "`side` is for `debaters`; in a pool the side is the pool's")
        return self

    @property
    def given(self) -> Frame | None:
        if self.options:
            return Frame(kind="choice", options=self.options, by="user")
        return Frame(kind=self.kind, by="user") if self.kind else super().given

    @property
    def cast(self) -> list[Debater | Judge]:
        """All personas that can appear."""
        return [persona for _, persona in self._places()]

    def _places(self) -> Iterator[tuple[str, Debater | Judge]]:
        """All personas that can appear, each with the key of its name."""
        pools: dict[str, Sequence[Debater | Judge] | None]
        pools = {"debaters": self.debaters, "for": self.pool_for, "against": self.pool_against, "judges": self.judges}
        for key, pool in pools.items():
            yield from ((f"{key}.{place}.name", persona) for place, persona in enumerate(pool or ()))
        if self.judge and not self.judges:
            yield "judge.name", self.judge


def complete(given: Mapping[str, Any], *, from_file: bool) -> dict[str, Any]:
    """The config, completed with the shipped cast; without a file, also with the shipped topic."""
    config = dict(given)
    if config.get("jury") in (0, "0"):
        config |= {"jury": None, "judge": None, "judges": None}
    cast_keys = {"debaters", "for", "against", "judge", "judges"}
    if {"debaters", "for", "against"} & config.keys():
        return config
    shipped = defaults_of("duel")
    if not from_file and not {"topic", "claim", "kind", "options"} & config.keys():
        config |= {key: shipped[key] for key in ("topic", "claim")}
    own_judge = {"judge", "judges"} & config.keys()
    return {key: shipped[key] for key in cast_keys & shipped.keys() if not (own_judge and key == "judges")} | config


def framed(config: DuelConfig, frame: Frame) -> DuelConfig:
    """The config with what the frame says: the answers that are argued for, the claim that the first of them comes to,
    or neither where A answers a question and B opposes it. Nobody can oppose what is to be made."""
    if frame.kind == "task":
        raise no_sides(frame)
    if fault := cannot_end(config, frame):
        raise ConfigError(fault, "require")
    answers, sides = answers_of(frame), sides_of(frame, config.topic)
    claim = sides[0] if sides and not frame.options else None
    return config.model_copy(update={"claim": claim, "options": list(answers) if answers else None})


def cannot_end(config: DuelConfig, frame: Frame) -> str | None:
    """What is required that a duel with this frame cannot come to."""
    sides = ("for", "against") if sides_of(frame, config.topic) else ()
    ends = ["winner", *sides, *(answers_of(frame) or ())]
    for required in config.require:
        if plain_words(required) not in map(plain_words, ends):
            return f"`require` is {required!r}; this duel can come to {', '.join(ends)}"
    return None
