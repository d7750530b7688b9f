"""The payloads of a re-judging: a debate that is over, judged or counted again."""

from typing import Literal

from pydantic import Field

from moot.record.payloads import Header, Payload, Payloads, Side

Order = Literal["given", "swapped"]


class RejudgingHeader(Header):
    """`premise` is the claim that the debaters took sides on, where there was one."""

    premise: str | None


class JudgedAgain(Payload):
    """Which run is judged again, and what it came to.

    `log_sha256` is the hash of the last line of its log, chained to all before, and `entries` how many there were.
    `seats` are those between whom is judged, in the order of the cast; `last_word` is who spoke last. `winner` and
    `scores` are the original judgement, by `judges`. `rule` is how votes were counted, and `counted` what that came to.
    """

    run: str
    protocol: str
    log_sha256: str
    entries: int
    seats: list[str]
    sides: dict[str, Side]
    last_word: str | None
    winner: str | None
    scores: dict[str, float | None]
    judges: list[str]
    rule: str | None
    counted: str | None


class Rereading(Payload):
    """What a judge makes of a debate in one order of showing. `labels` says who stood under which letter, in the order
    shown; scores are from 0 to 10 and by name. `contradicts`: one is put first to whom it does not give the highest
    score. Nothing is judged where there is a `failure`."""

    order: Order
    labels: dict[str, str]
    winner: str | None
    scores: dict[str, float]
    by_criterion: dict[str, dict[str, float]]
    reasons: dict[str, str]
    confidence: float | None = Field(ge=0, le=1)
    contradicts: bool
    failure: str | None


class Recount(Payload):
    """The same votes under another rule. `scores` are exact fractions in words, as the rule counts. `same` tells
    whether it comes to what the original count came to; where every change is voted on, `changes` are the decisions
    by their numbers."""

    rule: str
    winner: str | None
    reason: str
    scores: dict[str, str]
    changes: dict[str, str]
    same: bool


PAYLOADS: Payloads = {
    "header": RejudgingHeader,
    "judged_again": JudgedAgain,
    "rereading": Rereading,
    "recount": Recount,
}
