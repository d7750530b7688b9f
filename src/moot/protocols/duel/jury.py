"""A jury: several judges who read the debate afterwards, each twice and blind to the others, and decide by majority.

A's statements come first in one reading and B's in the other. A juror who names different winners was swayed by the
order, and its vote does not count.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, Field, create_model

from moot.engine.structured import Failure
from moot.protocols.duel.cast import Duel, Juror
from moot.protocols.duel.payloads import Ballot, Order, Turn, Verdict
from moot.protocols.duel.prompts import VOTE, WHO_IS_RIGHT, WHO_IS_STRONGER
from moot.protocols.duel.result import jury_of
from moot.record.entry import Draft

ORDERS: tuple[Order, ...] = ("given", "swapped")


async def ask_jury(duel: Duel, statements: Sequence[Draft]) -> Verdict:
    """The verdict of the jury, whose readings all run at the same time."""
    said = [one for one in statements if isinstance(one.data, Turn) and one.data.failure is None]
    votes = [vote(duel, juror, order, said) for juror in duel.jury for order in ORDERS]
    ballots = await duel.room.together(*votes)
    names = (duel.a.name, duel.b.name)
    found = jury_of(ballots, names)
    winner = found.winner
    sides = {one.name: one.side for one in (duel.a, duel.b)}
    own, other = (found.scores[winner], found.scores[names[names[0] == winner]]) if winner else (None, None)
    return Verdict(
        winner=winner,
        confirmed=winner is not None,
        scores=found.scores,
        scores_from="jury",
        premise_upheld=sides[winner] == "for" if winner and duel.config.premise and sides[winner] else None,
        scores_contradict_winner=own is not None and other is not None and own < other,
        failure=None,  # each ballot says what it lacks
    )


async def vote(duel: Duel, juror: Juror, order: Order, statements: Sequence[Draft]) -> Ballot:
    """One reading by one juror, who knows of no other."""
    agent = juror.agent.fresh(order)
    first, second = (duel.a.name, duel.b.name) if order == "given" else (duel.b.name, duel.a.name)
    prompt = VOTE(
        topic=duel.config.topic,
        asked=WHO_IS_RIGHT if duel.config.factual else WHO_IS_STRONGER,
        sides=f"\n{duel.who_argued_what()}",
        first=first,
        second=second,
        one=[draft for draft in statements if draft.speaker == first],
        two=[draft for draft in statements if draft.speaker == second],
    )
    found = await duel.room.ask_for(vote_shape((first, second)), agent, prompt, "vote")
    if isinstance(found, Failure):
        text = f"No vote: {found.reason}"
        ballot = Ballot(juror=agent.name, order=order, winner=None, scores={}, failure=found.reason)
    else:
        text, scores = found.reasoning, found.scores.model_dump(by_alias=True)
        ballot = Ballot(juror=agent.name, order=order, winner=found.winner, scores=scores, failure=None)
    duel.room.emit("ballot", agent, text, phase="verdict", to=[agent.name], data=ballot, call=agent.key("vote"))
    return ballot


class Vote(BaseModel):
    """A juror's reasons first, so that scores and winner follow from them. The real shape, with the names, is made for
    each order."""

    reasoning: str = Field(min_length=1)
    scores: BaseModel
    winner: str


@lru_cache(maxsize=64)
def vote_shape(names: tuple[str, str]) -> type[Vote]:
    score = {f"of_{place}": (int, Field(alias=name, ge=0, le=10)) for place, name in enumerate(names)}
    scores = create_model("Scores", **score)  # type: ignore[call-overload]
    winner: Any = Literal[names]
    return create_model("Vote", __base__=Vote, scores=(scores, ...), winner=(winner, ...))
