"""A jury: several judges who read the debate afterwards, each twice and blind to the others, and decide by majority.

A's statements come first in one reading and B's in the other; the first debater is called A there. A juror who names
different winners was swayed by the order, and its vote does not count.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from moot.api import Agent, Anonymous, Draft, Failure
from moot.protocols.duel.cast import Duel
from moot.protocols.duel.payloads import Ballot, Order, Turn, Verdict
from moot.protocols.duel.prompts import CONFIDENCE, VOTE, WHO_IS_RIGHT, WHO_IS_STRONGER
from moot.protocols.duel.result import jury_of
from moot.text.masking import masked

LETTERS = ("A", "B")
ORDERS: tuple[Order, ...] = ("given", "swapped")


async def ask_jury(duel: Duel, statements: Sequence[Draft]) -> Verdict:
    """The verdict of the jury, whose readings all run at the same time."""
    spoken = [
        statement for statement in statements if isinstance(statement.data, Turn) and statement.data.failure is None
    ]
    votes = [vote(duel, juror, order, spoken) for juror in duel.jury for order in ORDERS]
    jury = jury_of(await duel.room.together(*votes), duel.names)
    # What a ballot lacks is in the ballot.
    return duel.verdict(jury.winner, jury.scores, confirmed=jury.winner is not None, scores_from="jury", failure=None)


async def vote(duel: Duel, juror: Agent, order: Order, statements: Sequence[Draft]) -> Ballot:
    """One reading by one juror, who does not know of the others."""
    agent = juror.fresh(order)
    names = duel.names if order == "given" else duel.names[::-1]
    letters = dict(zip(names, LETTERS, strict=True))
    one, two = ([blind(draft, letters) for draft in statements if draft.speaker == name] for name in names)
    prompt = VOTE(
        topic=masked(duel.config.topic, letters),
        asked=WHO_IS_RIGHT if duel.config.factual else WHO_IS_STRONGER,
        sides=f"\n{masked(duel.who_argues(), letters)}",
        one=one,
        two=two,
        confidence=CONFIDENCE,
    )
    reply = await duel.room.ask_for(Vote, agent, prompt, "vote")
    if isinstance(reply, Failure):
        text = f"No vote: {reply.reason}"
        ballot = Ballot(juror=agent.name, order=order, winner=None, scores={}, failure=reply.reason)
    else:
        names_of = ", ".join(f"{letter} is {name}" for name, letter in letters.items())
        text = f"{reply.reasoning}\n\n({names_of})"
        ballot = Ballot(
            juror=agent.name,
            order=order,
            winner=names[LETTERS.index(reply.winner)],
            scores={name: getattr(reply.scores, letter) for name, letter in letters.items()},
            confidence=reply.confidence / 100 if reply.confidence is not None else None,
            failure=None,
        )
    duel.room.emit("ballot", agent, text, phase="verdict", to=[agent.name], data=ballot, call=agent.key("vote"))
    return ballot


def blind(statement: Draft, letters: Mapping[str, str]) -> Anonymous:
    """A statement with its number in the debate, and with letters for names."""
    turn = statement.data.turn if isinstance(statement.data, Turn) else 0
    shown = replace(statement, content=masked(statement.content, letters))
    return Anonymous(shown, f"statement {turn} by {letters[statement.speaker]}")


class Scores(BaseModel):
    A: int = Field(ge=0, le=10)
    B: int = Field(ge=0, le=10)


class Vote(BaseModel):
    """A juror's reasons first, so that scores and winner follow from them."""

    model_config = ConfigDict(json_schema_extra={"required": ["reasoning", "scores", "winner", "confidence"]})

    reasoning: str = Field(min_length=1)
    scores: Scores
    winner: Literal["A", "B"]
    confidence: int | None = Field(None, ge=0, le=100)
