"""The payloads of a duel."""

from typing import Literal

from pydantic import Field

from moot.api import Header, Member, Payload, Payloads
from moot.present import Brief


class DuelHeader(Header):
    """`claim` is what the side for holds; None if it is one of several options, or a thesis that A chooses. `options`
    are what the debaters argue for, by their names: yes and no, or two options."""

    claim: str | None
    turns: int
    options: dict[str, str] = Field(default_factory=dict)

    @property
    def debaters(self) -> list[Member]:
        return [member for member in self.cast if member.role == "debater"]

    @property
    def judge(self) -> str | None:
        return next((member.name for member in self.cast if member.role == "judge"), None)

    @property
    def is_judged(self) -> bool:
        return any(member.role in ("judge", "juror") for member in self.cast)

    def side_of(self, name: str) -> str | None:
        """What a member argues for: its option, or its side of the claim."""
        side = next((member.side for member in self.cast if member.name == name), None)
        return f"for {self.options[name]}" if name in self.options else side


class Turn(Payload):
    """A public statement; `final` if it is the speaker's last. `failure` is the reason why there is no statement."""

    turn: int
    final: bool
    failure: str | None = None


class Score(Payload):
    """The judge's score of `of` after a turn; null with the reason if the judge gave no usable score."""

    turn: int
    of: str
    score: int | None = Field(ge=0, le=10)
    reasoning: str | None
    failure: str | None


Order = Literal["given", "swapped"]


class Ballot(Payload):
    """One reading by a juror: with A's statements first, or B's. `confidence`, from 0 to 1, is how many fair judges it
    expects to name the same winner. `failure` says why it names none."""

    juror: str
    order: Order
    winner: str | None
    scores: dict[str, int]
    confidence: float | None = None
    failure: str | None


Margin = Literal["narrow", "clear", "decisive"]


class Verdict(Payload):
    """The outcome of a duel. `scores_from` says which reply the scores were taken from; `scores_alone` are the last
    running ones, of a judge that was asked for nothing else. `margin` is how clear the outcome is for the judge. In its
    `brief` it answers whoever asked, and `follows` is the debater whose case that answer follows, "" for neither; both
    are None if it wrote none."""

    winner: str | None
    confirmed: bool
    scores: dict[str, int | None]
    scores_from: Literal["verdict", "running", "jury", "scores_alone"]
    upheld: bool | None
    scores_contradict_winner: bool
    failure: str | None
    margin: Margin | None = None
    brief: Brief | None = None
    follows: str | None = None


PAYLOADS: Payloads = {
    "header": DuelHeader,
    "plan": None,
    "think": None,
    "turn": Turn,
    "score": Score,
    "ballot": Ballot,
    "verdict": Verdict,
}
