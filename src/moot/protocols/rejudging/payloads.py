"""The payloads of a re-judging: a debate that is over, judged or counted again."""

from typing import Annotated, Literal

from pydantic import Field

from moot.api import Header, Payload, Payloads, Side

Order = Literal["given", "swapped"]


class RejudgingHeader(Header):
    """`claim` is the claim that the debaters took sides on, where there was one."""

    claim: str | None


class JudgedAgain(Payload):
    """The source run, and its outcome.

    `log_sha256` is the hash of the last line of its log, chained to all before, and `entries` how many there were.
    `seats` are the contestants, in the order of the cast; `last_word` is the last speaker. `winner`, `answer` and
    `scores` are the original judgement, by `judges`. `rule` is the rule for counting votes, and `counted` its result.
    """

    run: str
    protocol: str
    log_sha256: str
    entries: int
    seats: list[str]
    sides: dict[str, Side]
    last_word: str | None
    winner: str | None
    answer: str | None
    scores: dict[str, float | None]
    judges: list[str]
    rule: str | None
    counted: str | None


class Rereading(Payload):
    """A judge's reading of a debate in one order. `labels` says who had which letter, in the order shown; scores are
    from 0 to 10 and by name. `contradicts`: the first place does not have the highest score. With a `failure` there is
    no judgement."""

    order: Order
    labels: dict[str, str]
    winner: str | None = None
    scores: dict[str, float] = Field(default_factory=dict)
    by_criterion: dict[str, dict[str, float]] = Field(default_factory=dict)
    reasons: dict[str, str] = Field(default_factory=dict)
    confidence: Annotated[float | None, Field(ge=0, le=1)] = None
    contradicts: bool = False
    failure: str | None = None


class Recount(Payload):
    """The same votes under another rule. `scores` are exact fractions in words, as the rule counts. `same` says whether
    the result is that of the original count."""

    rule: str
    winner: str | None
    reason: str
    scores: dict[str, str]
    same: bool


PAYLOADS: Payloads = {
    "header": RejudgingHeader,
    "judged_again": JudgedAgain,
    "rereading": Rereading,
    "recount": Recount,
}
