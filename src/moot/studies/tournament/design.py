"""The design of a tournament: models, motions and a jury, under the key `tournament` of a batch file."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from moot.engine.define.config import checked
from moot.engine.define.registry import get_protocol
from moot.engine.define.shipped import DEFAULT
from moot.engine.define.study import PLAIN, Match, Study
from moot.errors import ConfigError, KeyFault
from moot.models.families import VENDORS, families
from moot.studies.batch.items import Item, content_of, label_of, short_hash
from moot.text.prose import listed

if TYPE_CHECKING:
    from moot.studies.batch.rows import Row
    from moot.studies.tournament.figures import Leaderboard

KEY = "tournament"
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


class Tournament(BaseModel):
    """Every pair of models debates every motion twice, with the sides swapped.

    `jury` are the models that judge; without it, those that debate judge each other. Nobody judges a debate with a
    model of its own family; `families` names those of models whose names do not show them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    models: Annotated[list[str], Field(min_length=2, max_length=MOST_MODELS)]
    motions: Annotated[list[Text | Motion], Field(min_length=1, max_length=MOST_MOTIONS)]
    jury: Annotated[list[str], Field(min_length=1, max_length=LARGEST_JURY)] | None = None
    families: dict[str, str] = {}

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for key, values in (("models", self.models), ("motions", self.topics), ("jury", self.jury or [])):
            twice = sorted({value for value in values if values.count(value) > 1})
            if twice:
                raise KeyFault(key, f"{twice[0]!r} is there twice")
        if unknown := sorted(self.families.keys() - {*self.models, *self.judges}):
            raise KeyFault("families", f"{unknown[0]!r} is neither among the `models` nor in the `jury`")
        if missing := [pair for pair in self.pairs if not self.jury_for(pair)]:
            pairs = listed([f"{one} against {other}" for one, other in missing[:3]])
            more = f" and {len(missing) - 3} more pairs" if len(missing) > 3 else ""
            raise KeyFault(
                "jury",
                f"nobody is left to judge {pairs}{more}: all judges ({', '.join(self.judges)}) are of the families "
                "of the two. Add models of other families to `jury`.",
            )
        return self

    @property
    def topics(self) -> list[str]:
        return [motion if isinstance(motion, str) else motion.topic for motion in self.motions]

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
        own = {family for model in pair for family in self._families_of(model)}
        return [judge for judge in self.judges if own.isdisjoint(self._families_of(judge))][:LARGEST_JURY]

    def left_out(self, pair: Pair) -> list[str]:
        return [judge for judge in self.judges if judge not in self.jury_for(pair)]

    def items(self, settings: Mapping[str, Any]) -> Iterator[Item]:
        """Both debates of each pair on each motion; `settings` are the other keys of the file, those of a debate
        file."""
        for number in range(len(self.motions)):
            for pair in self.pairs:
                yield from _debates(self, pair, number, settings)

    def figures(self, rows: "Sequence[Row]") -> "Leaderboard":
        """The leaderboard that its rows come to."""
        from moot.studies.tournament.analysis import analyse

        return analyse(self, rows)

    def values(self, board: "Leaderboard") -> dict[str, Any]:
        """The leaderboard for the words of its report, and who is told apart from whom."""
        ahead = [
            (pair.ahead, pair.second if pair.ahead == pair.first else pair.first) for pair in board.pairs if pair.ahead
        ]
        first = [place.model for place in board.places if place.place == 1]
        return {
            **dict(board),
            "tested": any(pair.p is not None for pair in board.pairs),
            "apart": [f"{winner} over {other}" for winner, other in ahead],
            "beaten": sum(winner in first for winner, _ in ahead),
            "jury": self.judges,
            "families": {name: self.family_of(name) for name in dict.fromkeys([*self.models, *self.judges])},
        }


def read_tournament(content: Mapping[str, Any], where: str) -> Tournament:
    return checked(Tournament, content, f"{where}: `{KEY}`", under=KEY)


def _debates(tournament: Tournament, pair: Pair, number: int, settings: Mapping[str, Any]) -> Iterator[Item]:
    """Who is for the motion opens on every other motion, so that speaking first and being for it are not the same."""
    given = tournament.motions[number]
    motion = given if isinstance(given, Motion) else Motion(topic=given)
    for sides, (one, other) in (("given", pair), ("swapped", pair[::-1])):
        match = Match(motion.topic, motion.claim, one, other, number % 2 == 0, tournament.jury_for(pair))
        content = content_of(_settings(match, settings))
        yield Item(
            id=short_hash([content, number]),
            config=content,
            factors={"motion": label_of(motion.topic), "for": one, "against": other},
            group=short_hash([number, *pair]),
            design={"sides": sides},
        )


def _settings(match: Match, given: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a debate file that the file has, with those of a match."""
    own = {"protocol": DEFAULT, "seed": 0, **given}
    make = (get_protocol(str(own["protocol"])).get(Study) or PLAIN).match
    if make is None:
        raise ConfigError(
            f"the protocol {own['protocol']} has no two sides that could be judged by a jury, so no tournament",
            "protocol",
        )
    made = make(match)
    if clash := sorted({"model", *made} & given.keys()):
        raise ConfigError(f"the tournament itself sets {clash[0]!r}; take it out", clash[0])
    return {**own, **made}
