"""The vote: blind, in an order shuffled for each voter, counted by the rule of the config."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from moot.api import Draft, Failure
from moot.protocols.arena import prompts
from moot.protocols.arena.board import blind, covered, task
from moot.protocols.arena.candidates import find_candidates
from moot.protocols.arena.cast import Arena, Seat, everybody
from moot.protocols.arena.config import ArenaConfig
from moot.protocols.arena.payloads import ArenaVote, Tally
from moot.protocols.arena.shapes import ABSTAIN, ranked, vote_shape
from moot.text.prose import listed
from moot.voting.rules import Ballot, elect, pooled, rule_of


async def vote(arena: Arena, number: int) -> Tally:
    """All agents vote, including those without a proposal; one that fails abstains, as one may by choice."""
    arena.open_round(number, "voting", [seat.name for seat in arena.seats])
    # Asked in parallel with the vote: the groups are needed only for the count.
    comparing = arena.room.start(find_candidates(arena, number))
    arena.votes = await everybody(arena, number, arena.seats, partial(cast_vote, arena, number))
    cast = {draft.speaker: draft.data for draft in arena.votes if isinstance(draft.data, ArenaVote)}
    tally = count(arena.config, number, cast, await comparing)
    arena.room.emit("tally", "moot", f"{tally.reason[:1].upper()}{tally.reason[1:]}.", phase="voting", data=tally)
    return tally


async def cast_vote(arena: Arena, number: int, seat: Seat, again: str) -> Draft:
    room = arena.room
    by_rank = rule_of(arena.config.vote).ranked
    withheld = arena.config.is_own_barred(len(arena.proposing))
    offered = [other for other in arena.proposing if not withheld or other is not seat]
    order = room.shuffled(f"vote/{seat.agent.id}/{number}{again}", offered)
    shown = blind(arena, order)
    prompt = prompts.VOTE(
        task=task(arena),
        proposals=shown.shown,
        seat=prompts.VOTER.format(personality=covered(arena, seat.member.personality)),
        own=prompts.OWN_WITHHELD if withheld else prompts.OWN_OFFERED,
        wanted=prompts.ALL_RANKED if by_rank else prompts.ONE_CHOICE,
        sure=prompts.SURE.format(what="choices"),
    )
    shape = vote_shape(tuple(shown.labels), ranked=by_rank)
    found, call = await arena.ask(seat, shape, prompt, "vote", place=f"{number}{again.replace('/', '-')}")
    if isinstance(found, Failure):
        data = ArenaVote(round=number, labels=shown.labels, failure=found.reason)
        text = f"Abstains: {found.reason}"
        return room.emit("vote", seat.agent, text, phase="voting", to=[], data=data, call=call)
    given = found.model_dump()
    chosen = given["ranking"] if by_rank else [one for one in [given["choice"]] if one != ABSTAIN]
    ranking = ranked(chosen, shown.labels)
    reason = " ".join(given["reason"].split())
    data = ArenaVote(
        round=number,
        labels=shown.labels,
        ranking=ranking,
        confidence=given["confidence"] / 100 if ranking else None,
        reason=reason,
    )
    text = f"{' > '.join(ranking) or 'Abstains'}: {reason}"
    return room.emit("vote", seat.agent, text, phase="voting", to=[], data=data, call=call)


def count(config: ArenaConfig, number: int, votes: Mapping[str, ArenaVote], groups: Sequence[list[str]]) -> Tally:
    """Count the votes. A tie has no winner, and neither has a vote below the quorum; agents that abstain or could not
    be asked count in every share. Where nobody may vote for itself, a ballot says nothing about its voter's own."""
    rule, weights = rule_of(config.vote), {agent.name: Fraction(agent.weight) for agent in config.agents}
    cast = {name: vote for name, vote in votes.items() if vote.ranking}
    first = Counter(vote.ranking[0] for vote in cast.values())
    stands_for = {name: head for group in groups for head in [max(group, key=first.__getitem__)] for name in group}
    own_barred = len(groups) > 1 and config.is_own_barred(len(stands_for))
    rankings = {name: vote.ranking for name, vote in votes.items()}
    ballots = ballots_of(rankings, weights, stands_for, own_barred=own_barred)
    threshold = None if config.vote_threshold is None else Fraction(config.vote_threshold)
    count_by_rule = partial(elect, config.vote, list(dict.fromkeys(stands_for.values())), at_least=threshold)
    result = count_by_rule(ballots)
    winner, reason = result.winner, result.reason
    enough = len(cast) >= config.quorum
    silent = {head for name, head in stands_for.items() if name not in cast}
    if winner is not None and not enough:
        winner, reason = None, f"{reason}, but {config.quorum} votes are needed, and {len(cast)} were cast"
    elif winner in silent and any(count_by_rule(one).winner != winner for one in _filled(ballots, winner, stands_for)):
        winner, reason = None, f"{reason}, but whoever proposed it did not vote, and might have voted for another"
    # Rules that count shares state the base themselves.
    base = [] if rule.of_all else [f"{len(cast)} of {len(votes)} voted"]
    several = [group for group in groups if len(group) > 1]
    pools = [f"{listed(group)} decide the same and count as one" for group in several]
    return Tally(
        round=number,
        rule=config.vote,
        winner=winner,
        ahead=result.ahead,
        judges_may_choose=[
            one for one in result.ahead if enough and not rule.is_strict(threshold) and one not in silent
        ],
        groups=several,
        voters=len(votes),
        own_barred=own_barred,
        counted={ballot.voter: ballot.ranking[0] for ballot in ballots if ballot.ranking},
        scores={name: str(score) for name, score in result.scores.items()},
        reason="; ".join([reason, *base, *pools]),
        cycle=list(result.cycle),
        abstained=[name for name, vote in votes.items() if not vote.ranking],
    )


def ballots_of(
    rankings: Mapping[str, Sequence[str]],
    weights: Mapping[str, Fraction],
    stands_for: Mapping[str, str],
    *,
    own_barred: bool,
) -> list[Ballot]:
    """The ballots as they are counted: proposals that decide the same are one, and one's own may be barred."""
    cast = [
        Ballot(name, tuple(ranking), weights[name], frozenset({name} & stands_for.keys() if own_barred else ()))
        for name, ranking in rankings.items()
    ]
    return pooled(cast, stands_for)


def _filled(ballots: Sequence[Ballot], winner: str, stands_for: Mapping[str, str]) -> Iterator[list[Ballot]]:
    """The ballots with those that the winner's authors did not cast, for each of the others: absence helps nobody who
    is absent."""
    for rival in {*stands_for.values()} - {winner}:
        others = [one for one in dict.fromkeys(stands_for.values()) if one not in (rival, winner)]
        yield [
            ballot
            if ballot.ranking or stands_for.get(ballot.voter) != winner
            else replace(ballot, ranking=(rival, *others, *({winner} - ballot.barred)))
            for ballot in ballots
        ]
