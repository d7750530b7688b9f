"""The config of a re-judging:

its source run, the statements of that run, and who judges or counts again. It is complete, so that a re-judging can be
read, replayed and verified without its source run.
"""

from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, model_validator

from moot.api import KeyFault, Side, is_frozen, voting_rules
from moot.present import Flag
from moot.protocols.personas import Models, Name, Text
from moot.protocols.rejudging.payloads import Order
from moot.voting.rules import RULES

PHASES = ("setup", "judgement", "recount")
Said = Annotated[str, Field(max_length=200_000)]


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SourceRun(Part):
    """The run that is judged again. `log_sha256` is that of its receipt."""

    run: str
    log_sha256: str
    entries: int = Field(ge=1)


class Reader(Part):
    """A judge. It has the same description as the judge of the source run, so that only the model differs."""

    name: Name
    model: Models


class Judgement(Part):
    """The original judgement; missing in a debate without a judge, or one that ended before. `answer` is what it
    answers to the question."""

    judges: list[str] = []
    winner: str | None = None
    answer: str | None = None
    scores: dict[str, float | None] = {}


class Statement(Part):
    speaker: Name
    text: Said


class Debated(Part):
    """A duel: who debated, on which side or for which of the `options`, and what they said in public, in the order they
    said it. `factual` if the question has a right answer."""

    protocol: Literal["duel"] = "duel"
    claim: str | None = None
    options: dict[str, str] = {}
    factual: bool = False
    debaters: Annotated[list[Name], Field(min_length=2, max_length=2)]
    sides: dict[str, Side] = {}
    statements: Annotated[list[Statement], Field(min_length=1)]
    standards: Said
    judged: Judgement = Judgement()


class Proposed(Part):
    """A proposal; `objections` are the most serious ones, with the author's answers."""

    agent: Name
    decision: Said
    text: Said
    objections: str = ""


class Choice(Part):
    """A vote that was cast, and the proposals that it could not be for; the weight is a fraction in words."""

    voter: Name
    ranking: list[str]
    barred: list[str] = []
    weight: str

    @property
    def counts(self) -> Fraction:
        return Fraction(self.weight)


class Contended(Part):
    """An arena: the proposals as they stood at the end, and the votes of its last vote, if there was one. `stands_for`
    says whose proposal counts for whose, where some decide the same."""

    protocol: Literal["arena"] = "arena"
    agents: list[Name]
    proposals: Annotated[list[Proposed], Field(min_length=1, max_length=26)]
    criteria: Annotated[dict[str, Text], Field(min_length=1)]
    standards: Said
    judged: Judgement = Judgement()
    rule: str
    votes: list[Choice] = []
    elected: str | None = None
    stands_for: dict[str, str] = {}

    def counts_as(self, agent: str) -> str:
        return self.stands_for.get(agent, agent)


class RejudgingConfig(BaseModel):
    """`orders` are those in which every judge reads, `rules` those by which the votes are counted again."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    topic: Text
    source: SourceRun
    material: Annotated[Debated | Contended, Field(discriminator="protocol")]
    judges: list[Reader] = []
    orders: Annotated[list[Order], Field(min_length=1, max_length=2)] = ["given", "swapped"]
    rules: list[str] = []
    flags: list[Flag] = []

    @model_validator(mode="after")
    def _something_to_do(self) -> Self:
        what, run = self.material, self.source.run
        if not (self.judges or self.rules):
            raise KeyFault("judges", "say who judges again, or by which rule to count")
        if isinstance(what, Contended) and len(self.orders) < 2:
            raise KeyFault("orders", f"{run} is an arena, whose judges read in both orders; `order` is for duels")
        if self.rules and isinstance(what, Debated):
            raise KeyFault("rules", f"{run} is a duel, in which nobody votes: there is nothing to count by a rule")
        if self.rules and isinstance(what, Contended) and not what.votes:
            raise KeyFault("rules", f"nobody voted in {run}: there is nothing to count by a rule")
        if len({judge.name.casefold() for judge in self.judges}) < len(self.judges):
            raise KeyFault("judges", "two judges have the same name")
        return self

    @model_validator(mode="after")
    def _known_rules(self, info: ValidationInfo) -> Self:
        for rule in self.rules:
            contended = isinstance(self.material, Contended) and not is_frozen(info) and RULES.get(rule) is None
            if contended and rule not in (known := voting_rules()):
                told = f"there is no rule {rule!r} for the votes of an arena; there are {', '.join(known)}"
                raise KeyFault("rules", told)
        return self
