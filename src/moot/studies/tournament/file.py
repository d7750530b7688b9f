"""The file of a tournament: models, motions, the jury, how to pair, and the settings of every debate."""

from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from moot.engine.define.config import checked
from moot.engine.define.registry import get_protocol
from moot.engine.define.shipped import DEFAULT
from moot.engine.define.study import PLAIN, Match, Study
from moot.engine.sources.context import read_documents
from moot.errors import ConfigError, KeyFault
from moot.models.families import VENDORS, families
from moot.studies.batch.items import Item, TotalLimits, content_of, label_of, short_hash
from moot.studies.looks import MOST_LOOKS
from moot.text.prose import listed
from moot.text.yaml import read_yaml

MOST_MODELS, LARGEST_JURY, MOST_MOTIONS = 64, 15, 1000
Pair = tuple[str, str]
"""Two models, in the order of the file."""
Text = Annotated[str, Field(min_length=1, max_length=2000)]


class Motion(BaseModel):
    """A motion. `claim` is the one that one side is for, and the other against; it may be left out if the motion is
    a claim, or a question that yes or no answers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    topic: Text
    claim: Text | None = None


class TournamentFile(BaseModel):
    """A tournament. All keys that are not listed here are those of a debate file, for every debate: `turns`, `words`,
    `sampling`, `max_reply_tokens`, …

    `jury` are the models that judge; without it, those that debate judge each other. Nobody judges a debate with a
    model of its own family; `families` names those of models whose names do not show them. `pairing` is `round-robin`,
    everybody against everybody, or `swiss`, so many `rounds` of models with equal points. `looks` are the numbers of
    motions after which the tournament may stop, when `until` is reached: all models are told apart, or the first is
    from the others."""

    model_config = ConfigDict(frozen=True, extra="allow")

    protocol: str = DEFAULT
    models: Annotated[list[str], Field(min_length=2, max_length=MOST_MODELS)]
    motions: Annotated[list[Text | Motion], Field(min_length=1, max_length=MOST_MOTIONS)]
    jury: Annotated[list[str], Field(min_length=1, max_length=LARGEST_JURY)] | None = None
    families: dict[str, str] = {}
    pairing: Literal["round-robin", "swiss"] = "round-robin"
    rounds: Annotated[int, Field(ge=1, le=MOST_MODELS)] | None = None
    looks: Annotated[list[Annotated[int, Field(ge=1)]], Field(max_length=MOST_LOOKS)] = []
    until: Literal["order", "leader"] = "order"
    seed: int = 0
    budget: TotalLimits = TotalLimits.model_validate({})

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for key, values in (("models", self.models), ("motions", self.topics), ("jury", self.jury or [])):
            twice = sorted({one for one in values if values.count(one) > 1})
            if twice:
                raise KeyFault(key, f"{twice[0]!r} is there twice")
        if unknown := sorted(self.families.keys() - {*self.models, *self.judges}):
            raise KeyFault("families", f"{unknown[0]!r} is neither among the `models` nor in the `jury`")
        if self.rounds is not None and self.pairing != "swiss":
            raise KeyFault("rounds", "`rounds` are those of `pairing: swiss`")
        if self.rounds is not None and self.rounds > most_rounds(len(self.models)):
            told = f"of {len(self.models)} models there are {most_rounds(len(self.models))} rounds at most without"
            raise KeyFault("rounds", f"{told} pairing somebody twice; `pairing: round-robin` has all pairs")
        if self.looks and self.pairing == "swiss":
            raise KeyFault(
                "looks", "`looks` are for `pairing: round-robin`; the rounds of a Swiss tournament are fixed beforehand"
            )
        if self.looks != sorted(set(self.looks)) or any(one > len(self.motions) for one in self.looks):
            raise KeyFault("looks", f"`looks` should be numbers of motions that grow, up to {len(self.motions)}")
        return self

    @property
    def topics(self) -> list[str]:
        return [one if isinstance(one, str) else one.topic for one in self.motions]

    @property
    def pairs(self) -> list[Pair]:
        return list(combinations(self.models, 2))

    @property
    def judges(self) -> list[str]:
        return self.jury or self.models

    def family_of(self, model: str) -> str:
        return self._families_of(model)[0]

    def _families_of(self, model: str) -> list[str]:
        """The families of a model; a given family can also be the name of its maker."""
        given = self.families.get(model, "").strip().casefold()
        return [VENDORS.get(given, given)] if given else families(model)

    def jury_for(self, pair: Pair) -> list[str]:
        """The judges of the debates between two models: those of other families."""
        own = {family for one in pair for family in self._families_of(one)}
        return [one for one in self.judges if own.isdisjoint(self._families_of(one))][:LARGEST_JURY]

    def left_out(self, pair: Pair) -> list[str]:
        return [one for one in self.judges if one not in self.jury_for(pair)]

    def items(self, pairs: list[Pair], motions: list[int]) -> list[Item]:
        """Both debates of each pair on each of these motions, which are numbers of the file's list."""
        return [item for motion in motions for pair in pairs for item in self._debates(pair, motion)]

    def _debates(self, pair: Pair, number: int) -> list[Item]:
        """Two models debate a motion twice, with the sides swapped. Who is for the motion opens on every other
        motion, so that speaking first and being for it are not the same."""
        given = self.motions[number]
        motion = given if isinstance(given, Motion) else Motion(topic=given)
        found = []
        for sides, (one, other) in (("given", pair), ("swapped", pair[::-1])):
            match = Match(motion.topic, motion.claim, one, other, number % 2 == 0, self.jury_for(pair))
            content = content_of(self._settings(match))
            found.append(
                Item(
                    id=short_hash([content, number]),
                    config=content,
                    factors={"motion": label_of(motion.topic), "for": one, "against": other},
                    group=short_hash([number, *pair]),
                    unit=short_hash([number, one, other]),
                    design={"sides": sides},
                )
            )
        return found

    def _settings(self, match: Match) -> dict[str, Any]:
        """The keys of a debate file that this file has, with those of a match."""
        make = (get_protocol(self.protocol).get(Study) or PLAIN).match
        if make is None:
            told = f"the protocol {self.protocol} has no two sides that could be judged by a jury, so no tournament"
            raise ConfigError(told, "protocol")
        made, own = make(match), dict(self.model_extra or {})
        if clash := sorted({"model", *made} & own.keys()):
            raise ConfigError(f"the tournament itself sets {clash[0]!r}; take it out", clash[0])
        return {**own, "protocol": self.protocol, "seed": self.seed, **made}


def most_rounds(models: int) -> int:
    """The most rounds of a Swiss tournament. Of many models only half are met, so that there are always pairs left."""
    everybody = models - 1 if models % 2 == 0 else models
    return everybody if models <= 8 else models // 2


def read_tournament(path: Path | str, **settings: Any) -> TournamentFile:
    """Read the file of a tournament; ConfigError if it cannot be held. `settings` override its keys."""
    content = read_documents(read_yaml(Path(path)), beside=Path(path))
    given = {key: value for key, value in settings.items() if value is not None}
    found = checked(TournamentFile, {**content, **given}, str(path))
    if missing := [pair for pair in found.pairs if not found.jury_for(pair)]:
        told = listed([f"{one} against {other}" for one, other in missing[:3]])
        more = f" and {len(missing) - 3} more pairs" if len(missing) > 3 else ""
        raise ConfigError(
            f"{path}: nobody is left to judge {told}{more}: all judges ({', '.join(found.judges)}) are of the families "
            "of the two. Add models of other families to `jury`.",
            "jury",
        )
    return found
