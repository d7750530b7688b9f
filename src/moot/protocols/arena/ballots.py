"""The vote: blind, in an order shuffled for each voter, counted by the rule of the config."""

from collections.abc import Sequence
from fractions import Fraction

from moot.engine.structured import Failure
from moot.protocols.arena import prompts
from moot.protocols.arena.blind import blind
from moot.protocols.arena.cast import Arena, Seat, everybody
from moot.protocols.arena.payloads import ArenaVote, Tally
from moot.protocols.arena.shapes import ranked, vote_shape
from moot.record.entry import Draft
from moot.voting.rules import Ballot, elect, rule_of


async def vote(arena: Arena, number: int) -> Tally:
    """Everybody votes, those who have no proposal of their own too; whoever fails abstains."""
    arena.open_round(number, "voting", [seat.name for seat in arena.seats])

    async def work(seat: Seat, again: str) -> Draft:
        return await cast_vote(arena, seat, number, again)

    arena.votes = await everybody(arena, number, arena.seats, work)
    tally = count(arena, number, arena.votes)
    arena.room.emit("tally", "moot", f"{tally.reason[:1].upper()}{tally.reason[1:]}.", phase="voting", data=tally)
    return tally


async def cast_vote(arena: Arena, seat: Seat, number: int, again: str) -> Draft:
    room, at = arena.room, "vote"
    by_rank = rule_of(arena.config.vote).ranked
    order = room.shuffled(f"vote/{seat.agent.id}/{number}{again}", arena.proposing)
    shown = blind(arena, order)
    agent = arena.voter(seat, number, again)
    prompt = prompts.VOTE(
        topic=arena.config.topic,
        proposals=shown.shown,
        hearsay=shown.hearsay,
        wanted=prompts.ALL_RANKED if by_rank else prompts.ONE_CHOICE,
    )
    shape = vote_shape(tuple(shown.labels), ranked=by_rank)
    found = await room.ask_for(shape, agent, prompt, at, patience=arena.patience(agent))
    if isinstance(found, Failure):
        data = ArenaVote(
            round=number, labels=shown.labels, ranking=[], confidence=None, reason=None, failure=found.reason
        )
        text = f"Abstains: {found.reason}"
        return room.emit("vote", agent, text, phase="voting", to=[], data=data, call=found.key)
    given = found.model_dump()
    ranking = ranked(given.get("ranking") or [given["choice"]], shown.labels)
    reason = " ".join(given["reason"].split())
    data = ArenaVote(
        round=number,
        labels=shown.labels,
        ranking=ranking,
        confidence=given["confidence"] / 100,
        reason=reason,
        failure=None,
    )
    text = f"{' > '.join(ranking)}: {reason}"
    return room.emit("vote", agent, text, phase="voting", to=[], data=data, call=agent.key(at))


def count(arena: Arena, number: int, drafts: Sequence[Draft]) -> Tally:
    """What the votes come to. A tie is nobody's win."""
    weights = {seat.name: Fraction(seat.member.weight) for seat in arena.seats}
    votes = [(draft.speaker, draft.data) for draft in drafts if isinstance(draft.data, ArenaVote)]
    cast = [(name, vote) for name, vote in votes if vote.failure is None]
    ballots = [Ballot(name, tuple(vote.ranking), weights[name]) for name, vote in cast]
    result = elect(arena.config.vote, [seat.name for seat in arena.proposing], ballots)
    own = [name == vote.ranking[0] for name, vote in cast]
    return Tally(
        round=number,
        rule=arena.config.vote,
        winner=result.winner,
        scores={name: str(score) for name, score in result.scores.items()},
        reason=result.reason,
        cycle=list(result.cycle),
        self_votes=round(sum(own) / len(own), 4) if own else None,
        abstained=[name for name, vote in votes if vote.failure is not None],
    )
