"""The arena's script: rounds 0 to 8, and extra rounds if the last ones settle nothing.

Context, blind proposals, criticism, revisions (each may end in an early consensus), refinement, vote, judgement.
"""

from functools import partial
from typing import Any

from moot.api import Draft, Failure, Room, fenced, require
from moot.protocols.arena import prompts
from moot.protocols.arena.ballots import vote
from moot.protocols.arena.board import (
    board,
    by_number,
    called,
    each_of,
    in_view,
    number_of,
    objected,
    seat_facts,
)
from moot.protocols.arena.cast import Arena, Seat, everybody, failed, open_arena
from moot.protocols.arena.config import FIRST_REVISION, ArenaConfig
from moot.protocols.arena.convergence import agreement_on, how_alike
from moot.protocols.arena.decision import after_judgement, by_consensus, settled
from moot.protocols.arena.judging import judge, reasons_on
from moot.protocols.arena.objections import GRAVEST
from moot.protocols.arena.observer import observe, stop_observing
from moot.protocols.arena.payloads import ArenaProposal, Critique, CritiqueIssue
from moot.protocols.arena.proposing import Feedback, propose, revise
from moot.protocols.arena.shapes import critique_shape
from moot.protocols.arena.trickster import challenge
from moot.text.prose import plural


async def play(room: Room, config: ArenaConfig) -> None:
    arena = await open_arena(room, config)
    if not config.check_sources:
        await debate(arena)
        return
    require("evidence")
    from moot.evidence import Fetcher, loopback_allowed
    from moot.protocols.arena.sources import Library

    async with Fetcher(allow_loopback=loopback_allowed()) as fetcher:
        arena.library = Library(fetcher)
        await debate(arena)


async def debate(arena: Arena) -> None:
    config = arena.config
    await make_proposals(arena)
    await criticise(arena)
    for number in range(FIRST_REVISION, config.refinement):
        await revise_all(arena, number, "revision", _feedback(arena, number))
        found = await how_alike(arena, number)
        if found.hollow and await challenge(arena, number, found):
            continue
        if found.passed and (consensus := await agreement_on(arena, number, found)).reached:
            await stop_observing(arena)
            by_consensus(arena, number, consensus, hollow=found.hollow)
            return
    await revise_all(arena, config.refinement, "refinement", _feedback(arena, config.refinement))
    await measure_hollowness(arena, config.refinement, "refinement")
    await decide(arena, config.refinement + 1)


async def decide(arena: Arena, number: int) -> None:
    """Vote and judge; while that settles nothing, revise, vote and judge again."""
    config = arena.config
    for extra in range(config.max_extra_rounds + 1):
        tally = await vote(arena, number)
        assessed = await judge(arena, number + 1, tally.stands_for)
        if extra == config.max_extra_rounds or settled(config, tally, assessed):
            await stop_observing(arena)
            after_judgement(arena, number + 1, tally, assessed)
            return
        number += 2
        feedback = {seat.name: _verdict_on(arena, seat, tally.reason) for seat in arena.proposing}
        await revise_all(arena, number, "extension", feedback)
        await measure_hollowness(arena, number, "extension")
        number += 1


async def measure_hollowness(arena: Arena, number: int, phase: str) -> None:
    """With a Trickster, measure whether the proposals to vote on are very similar on thin evidence. This is needed
    even if they were not before, because a last pass can drop evidence that an answer to the Trickster had added."""
    if arena.trickster is not None:
        await how_alike(arena, number, phase)


async def make_proposals(arena: Arena) -> None:
    """Round 1: blind proposals."""
    arena.open_round(1, "proposals", [seat.name for seat in arena.seats])
    await everybody(arena, 1, arena.seats, partial(propose, arena))
    observe(arena, 1, [seat.proposal for seat in arena.proposing])


async def criticise(arena: Arena) -> None:
    """Round 2: one call per critic, about all its targets."""
    arena.targets = {seat.name: _targets(arena, seat) for seat in arena.seats}
    critics = [seat for seat in arena.seats if arena.targets[seat.name]]
    arena.open_round(2, "critique", [seat.name for seat in critics])

    made: dict[str, list[Draft]] = {}

    async def work(seat: Seat, again: str) -> Draft:
        made[seat.name] = await criticise_others(arena, seat, again)
        return made[seat.name][-1]

    await everybody(arena, 2, critics, work)
    # In the order of the cast, not of completion.
    critiques = [draft for seat in critics for draft in made[seat.name] if not failed(draft)]
    for draft in critiques:
        if isinstance(draft.data, Critique) and draft.data.of is not None:
            arena.critiques.setdefault(draft.data.of, []).append(draft)
    observe(arena, 2, critiques)


async def criticise_others(arena: Arena, critic: Seat, again: str) -> list[Draft]:
    """A critique of each target; a single entry with the reason if the critic failed."""
    room = arena.room
    others = [seat for seat in arena.proposing if seat.name in arena.targets[critic.name]]
    shape = critique_shape(tuple(called(arena, seat.name) for seat in others))
    prompt = prompts.CRITIQUE(
        **seat_facts(arena, critic),
        proposals=board(arena, in_view(arena, critic)),
        targets=each_of(arena, others),
    )
    found, call = await arena.ask(critic, shape, prompt, f"critique{again}")
    if isinstance(found, Failure):
        missing = Critique(round=2, failure=found.reason)
        text = f"No criticism: {found.reason}"
        return [room.emit("critique", critic.agent, text, phase="critique", data=missing, call=call)]
    given = found.model_dump(by_alias=True)
    drafts = []
    for seat in others:
        text = by_number(arena, seat.proposal.content)
        issues = [_issue_of(one, text) for one in given[called(arena, seat.name)]]
        critique = Critique(round=2, of=seat.name, issues=issues)
        text = _criticism(critique)
        drafts.append(
            room.emit("critique", critic.agent, text, phase="critique", data=critique, target=seat.proposal, call=call)
        )
    return drafts


async def revise_all(arena: Arena, number: int, phase: str, feedback: dict[str, Feedback]) -> None:
    """One round in which every agent with a proposal revises it."""
    seats = arena.proposing
    arena.open_round(number, phase, [seat.name for seat in seats])

    async def work(seat: Seat, again: str) -> Draft:
        return await revise(arena, seat, number, phase, feedback[seat.name], again)

    drafts = await everybody(arena, number, seats, work)
    # Only after the round, so that an agent that is asked again sees what the others saw.
    for seat, draft in zip(seats, drafts, strict=True):
        if isinstance(draft.data, ArenaProposal) and not failed(draft):
            seat.versions.append(draft)
    arena.challenge = None
    observe(arena, number, [draft for draft in drafts if not failed(draft)])
    await arena.check_sources(number, phase)


def _targets(arena: Arena, seat: Seat) -> list[str]:
    """Whose proposals this agent criticises: the next in the ring, or all others."""
    names = [one.name for one in arena.proposing]
    if arena.config.critique == "ring":
        return [names[(names.index(seat.name) + 1) % len(names) if seat.name in names else 0]]
    return [name for name in names if name != seat.name]


def _feedback(arena: Arena, number: int) -> dict[str, Feedback]:
    """What each agent sees before it revises: the proposals, and first all objections to its own, later the gravest
    ones; in the last pass also the differences that agents named."""
    left = arena.config.refinement - number
    named = _differences(arena) if not left else ""
    return {seat.name: _feedback_to(arena, seat, number, left, named) for seat in arena.proposing}


def _feedback_to(arena: Arena, seat: Seat, number: int, left: int, named: str) -> Feedback:
    first = number == FIRST_REVISION
    objections = objected(arena, seat)
    said = named
    if first:
        place = number_of(arena, seat.name)
        quoted = fenced("\n".join(by_number(arena, one.raised) for one in objections), f"objections {place}")
        said = (prompts.OBJECTIONS if objections else prompts.NO_OBJECTION).format(number=place, objections=quoted)
    return Feedback(
        stage=_stage(left, first=first),
        proposals=board(arena, in_view(arena, seat), with_objections=not first),
        said=said,
        names=tuple(one.name for one in in_view(arena, seat) if one is not seat),
        objections=tuple(objections if first else objections[:GRAVEST]),
        new=first,
    )


def _stage(left: int, *, first: bool) -> str:
    if left == 0:
        return prompts.LAST_STAGE
    if first:
        return prompts.FIRST_STAGE.format(left=plural(left + 1, "revision"))
    return prompts.NEXT_STAGE.format(left=plural(left, "more revision"))


def _differences(arena: Arena) -> str:
    """What agents said their decisions differ in when they were last asked."""
    lines = [f"- {called(arena, one.speaker)}: {by_number(arena, one.content)}" for one in arena.differences]
    return prompts.DIFFERENCES.format(differences=fenced("\n".join(lines), "differences 1")) if lines else ""


def _verdict_on(arena: Arena, seat: Seat, tally: str) -> Feedback:
    said = fenced(by_number(arena, "\n".join([f"The vote: {tally}.", *reasons_on(arena, seat)])), "judgement 1")
    return Feedback(
        stage=prompts.EXTRA_STAGE,
        proposals=board(arena, in_view(arena, seat), with_objections=True),
        said=prompts.JUDGED.format(number=number_of(arena, seat.name), said=said),
        names=tuple(one.name for one in in_view(arena, seat) if one is not seat),
        objections=tuple(objected(arena, seat)[:GRAVEST]),
    )


def _issue_of(given: dict[str, Any], proposal: str) -> CritiqueIssue:
    """An issue as given; a quotation that does not stand in the proposal is none."""
    quote = " ".join(given["quote"].split()).strip("\"“”'‘’ ")
    stands = bool(quote) and quote.casefold() in " ".join(proposal.casefold().split())
    return CritiqueIssue(**{**given, "severity": given["severity"] / 100, "quote": quote if stands else None})


def _criticism(critique: Critique) -> str:
    lines = [_issue(issue) for issue in critique.issues] or ["Nothing to criticise."]
    return "\n".join([f"On {critique.of}:", "", *lines])


def _issue(issue: CritiqueIssue) -> str:
    mend = f" Suggestion: {' '.join(issue.suggestion.split())}" if issue.suggestion.strip() else ""
    quote = f"On “{issue.quote}”: " if issue.quote else ""
    return f"- {quote}{' '.join(issue.issue.split())} (severity {issue.severity:g}){mend}"
