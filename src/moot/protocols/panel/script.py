"""The panel's script: personas decide whether an idea goes ahead.

Round 1 is in order, each persona seeing those before it; later rounds are parallel, each persona seeing all earlier
rounds; then the validators read everything, vote and rule. Decisions are counted from enumerated labels. An idea
that is sent back is revised and debated again by a panel without memory, which sees only the required changes. If
too few members can be asked, there is no decision, and the debate stops until it is resumed.
"""

import difflib
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from itertools import count
from operator import attrgetter
from typing import Any

from moot.api import Agent, Deadline, Draft, Failure, Prose, Room, is_reply
from moot.protocols.panel import prompts
from moot.protocols.panel.cast import Panellist, open_panel
from moot.protocols.panel.config import PanelConfig
from moot.protocols.panel.decision import decide, required_modifications
from moot.protocols.panel.findings import groups_of, numbered, sound_ruling
from moot.protocols.panel.payloads import Change, Decision, Idea, Revision
from moot.protocols.panel.record import (
    brief,
    by_number,
    change_facts,
    looks_for,
    position_facts,
    proposal_facts,
    revision_facts,
    seat_facts,
)
from moot.protocols.panel.shapes import (
    Revised,
    ballot_lines,
    ballot_of,
    ballot_shape,
    merger_shape,
    opinion_shape,
    position_of,
    position_text,
    proposals_in,
    ruling_shape,
    same_in,
    synthesis_of,
    synthesis_text,
)
from moot.protocols.panel.sitting import Sitting, phase_of
from moot.protocols.quorum import stop_once
from moot.text.figures import bound_percent

Answer = Callable[[Panellist, Deadline, str], Coroutine[Any, Any, Draft]]


async def play(room: Room, config: PanelConfig) -> None:
    panel, seats = await open_panel(room, config)
    idea = room.emit("idea", "moot", config.idea, phase="setup", data=Idea(version=1))
    asked_for: list[str] = []
    for version in range(1, config.max_revisions + 2):
        sitting = Sitting(panel, version, idea, seats if version == 1 else panel.seated(version), asked_for)
        decision = await sit(sitting)
        if decision.decision != config.chosen.revises or version > config.max_revisions:
            return
        revised = await revise(sitting, decision)
        if revised is None:
            return
        idea, asked_for = revised, required_modifications(sitting, decision)


async def sit(sitting: Sitting) -> Decision:
    """Hold rounds until the decision carries, and return it."""
    config, room = sitting.panel.config, sitting.panel.room
    for number in range(1, config.max_rounds + 1):
        sitting.rounds.append(await (take_positions(sitting) if number == 1 else respond(sitting, number)))
        if number < config.chosen.rounds:
            continue
        await (vote_on_changes if config.chosen.each_change else rule)(sitting, number)
        decision, settled = decide(sitting, number)
        if settled or number == config.max_rounds:
            break
    room.emit("decision", "moot", in_words(decision), phase="decision", data=decision, target=sitting.idea)
    return decision


async def take_positions(sitting: Sitting) -> list[Draft]:
    """Round 1: in order, each seeing those before it. Stops asking once too many are missing."""
    given: dict[str, Draft] = {}

    async def ask(missing: Sequence[Panellist], again: str) -> None:
        deadline = sitting.panel.deadline(*(seat.agent for seat in missing))
        for seat in missing:
            given.pop(seat.name, None)
        for place, seat in enumerate(sitting.panellists):
            if seat in missing and sitting.may_go_on(given):
                before = [given[one.name] for one in sitting.panellists[:place] if one.name in given]
                heard = [draft for draft in before if is_reply(draft)]
                given[seat.name] = await take_position(sitting, seat, 1, heard, deadline, again)

    await until_enough(sitting, sitting.panellists, given, ask, "round/1", "round 1")
    return [given[seat.name] for seat in sitting.panellists]


async def respond(sitting: Sitting, number: int) -> list[Draft]:
    """A later round: in parallel, each seeing all earlier rounds."""

    async def answer(seat: Panellist, deadline: Deadline, again: str) -> Draft:
        return await take_position(sitting, seat, number, [], deadline, again)

    given = await ask_together(sitting, sitting.panellists, answer, {}, f"round/{number}", f"round {number}")
    return [given[seat.name] for seat in sitting.panellists]


async def ask_together(
    sitting: Sitting, seats: Sequence[Panellist], answer: Answer, given: dict[str, Draft], at: str, place: str
) -> dict[str, Draft]:
    """Ask these members in parallel, within the time of a round, and add their answers to those `given` before."""

    async def ask(missing: Sequence[Panellist], again: str) -> None:
        deadline = sitting.panel.deadline(*(seat.agent for seat in missing))
        drafts = await sitting.panel.room.together(*(answer(seat, deadline, again) for seat in missing))
        given.update(zip((seat.name for seat in missing), drafts, strict=True))

    await until_enough(sitting, seats, given, ask, at, place)
    return given


async def until_enough(
    sitting: Sitting,
    asked: Sequence[Panellist],
    given: Mapping[str, Draft],
    ask: Callable[[Sequence[Panellist], str], Awaitable[None]],
    at: str,
    place: str,
) -> None:
    """Ask these panellists; if too few answer, stop, and ask the missing ones again when the debate resumes. `ask`
    fills `given` by name, and gets a suffix for the call's key."""
    missing = list(asked)
    for attempt in count(1):
        await ask(missing, "" if attempt == 1 else f"/again/{attempt}")
        missing = [seat for seat in asked if seat.name not in given or not is_reply(given[seat.name])]
        lack = sitting.lack(given)
        if lack is None:
            return
        answered = sum(is_reply(draft) for draft in given.values())
        names = [seat.name for seat in missing]
        stop_once(sitting.panel.room, f"{sitting.version}/{at}/{attempt}", place, names, answered, lack)


async def take_position(
    sitting: Sitting, seat: Panellist, number: int, heard: Sequence[Draft], deadline: Deadline, again: str
) -> Draft:
    panel, kind = sitting.panel, sitting.panel.config.chosen
    others = sitting.heard_from(seat.name, heard)
    names = dict.fromkeys(draft.speaker for draft in others)
    modifies = kind.each_change or kind.revises is not None
    shape = opinion_shape(sitting.labels, tuple(names), looks_for(sitting, seat), modifies=modifies)
    prompt = prompts.POSITION(**position_facts(sitting, seat, heard, number))
    prose = Prose(others=[one.agent.name for one in sitting.panellists if one is not seat], earlier=others)
    at = f"round/{number}{again}"
    found, call = await panel.ask(seat, shape, prompt, at, deadline, prose=prose, words=attrgetter("claim"))
    position = position_of(found, sitting.version, number)
    return panel.room.emit(
        "position",
        seat.agent,
        position_text(position),
        phase=phase_of(number),
        data=position,
        call=call,
        target=sitting.idea,
    )


async def rule(sitting: Sitting, number: int) -> None:
    """The validators read everything, check it for consistency, vote and rule, in parallel and independently."""

    async def answer(seat: Panellist, deadline: Deadline, again: str) -> Draft:
        return await give_ruling(sitting, seat, number, deadline, again)

    given = {draft.speaker: draft for draft in sitting.rounds[-1]}
    place = f"the ruling after round {number}"
    await ask_together(sitting, sitting.validators, answer, given, f"rule/{number}", place)
    sitting.rulings = sitting.ruled[number] = [given[seat.name] for seat in sitting.validators]


async def give_ruling(sitting: Sitting, seat: Panellist, number: int, deadline: Deadline, again: str) -> Draft:
    panel, kind = sitting.panel, sitting.panel.config.chosen
    proposals = proposals_in(sitting.positions)
    numbers = tuple(dict.fromkeys(one.number for one in proposals))
    known = seat_facts(sitting, seat, [], number) | proposal_facts(proposals) | change_facts(sitting.changes)
    prompt = (prompts.RULE_ON_CHANGES if sitting.changes else prompts.RULE)(**known)
    findings = tuple(one.number for one in numbered(sitting.positions))
    shape = ruling_shape(
        tuple(kind.labels), numbers, sitting.change_numbers, findings, modifies=kind.revises is not None
    )
    accept = sound_ruling(findings)
    found, call = await panel.ask(seat, shape, prompt, f"rule/{number}{again}", deadline, accept=accept)
    synthesis = synthesis_of(found, sitting.version, number, proposals, by_number(sitting))
    return panel.room.emit(
        "synthesis",
        seat.agent,
        synthesis_text(synthesis),
        phase="ruling",
        data=synthesis,
        call=call,
        target=sitting.idea,
    )


async def vote_on_changes(sitting: Sitting, number: int) -> None:
    """Merge equal proposals, then vote on each. Without proposals, the validators rule on whether that is right."""
    sitting.changes, sitting.ballots = await merge(sitting, number), []
    if not sitting.changes:
        await rule(sitting, number)
        return

    async def answer(seat: Panellist, deadline: Deadline, again: str) -> Draft:
        return await (give_ruling if seat.seat.validator else cast_ballot)(sitting, seat, number, deadline, again)

    # Validators rule in parallel with the vote, and come after it in the log.
    seats = [*sitting.panellists, *sitting.validators]
    given = await ask_together(sitting, seats, answer, {}, f"vote/{number}", f"the vote after round {number}")
    sitting.ballots = [given[seat.name] for seat in sitting.panellists]
    sitting.rulings = sitting.ruled[number] = [given[seat.name] for seat in sitting.validators]


async def merge(sitting: Sitting, number: int) -> list[Draft]:
    """The changes to vote on. The first validator's model merges equal proposals, knowing the idea and no positions; if
    it fails, each stays separate."""
    room, validators = sitting.panel.room, sitting.validators
    proposals = proposals_in(sitting.positions)
    numbers = tuple(dict.fromkeys(one.number for one in proposals))
    groups, failure, call, speaker = [[one] for one in numbers], None, None, "moot"
    if len(numbers) > 1 and validators:
        deadline = sitting.panel.deadline(validators[0].agent)
        prompt = prompts.MERGE(brief=brief(sitting), **proposal_facts(proposals))
        found, call = await sitting.panel.ask(validators[0], merger_shape(numbers), prompt, f"merge/{number}", deadline)
        if isinstance(found, Failure):
            failure = f"proposals that say the same may stand apart: {found.reason}"
        else:
            groups, speaker = groups_of(numbers, same_in(found)), validators[0].name
    drafts = []
    for place, group in enumerate(groups, 1):
        meant = [one for one in proposals if one.number in group]
        change = Change(
            version=sitting.version,
            round=number,
            number=f"M{place}",
            text=meant[0].text,
            proposals=meant,
            failure=failure,
        )
        text = f"{change.number}: {change.text}"
        drafts.append(room.emit("change", speaker, text, phase="ruling", data=change, call=call))
        failure = None  # told once
    return drafts


async def cast_ballot(sitting: Sitting, seat: Panellist, number: int, deadline: Deadline, again: str) -> Draft:
    panel = sitting.panel
    known = seat_facts(sitting, seat, [], number) | change_facts(sitting.changes)
    shape, prompt = ballot_shape(sitting.change_numbers), prompts.VOTE(**known)
    found, call = await panel.ask(seat, shape, prompt, f"ballot/{number}{again}", deadline)
    ballot = ballot_of(found, sitting.version, number)
    text = f"No vote: {ballot.failure}" if ballot.failure else "\n".join(ballot_lines(ballot.votes))
    return panel.room.emit("ballot", seat.agent, text, phase="ruling", data=ballot, call=call, target=sitting.idea)


async def revise(sitting: Sitting, decision: Decision) -> Draft | None:
    """The next version of the idea; None if there is none. If the reviser cannot be asked, the debate stops here."""
    panel, version, old = sitting.panel, sitting.version + 1, sitting.idea.content
    required = required_modifications(sitting, decision)
    reviser = panel.reviser(sitting.version)
    if not required:
        stopped, new, diff, call = "nobody said what has to change", old, "", None
    else:
        new, call = await rewrite(sitting, reviser, required)
        names = (f"version {version - 1}", f"version {version}")
        diff = "\n".join(difflib.unified_diff(old.splitlines(), new.splitlines(), *names, lineterm=""))
        stopped = None
    unchanged = stopped is None and new.split() == old.split()
    text = f"The idea could not be revised: {stopped}" if stopped else diff or "The idea came back unchanged."
    revision = Revision(version=version, required=required, diff=diff, unchanged=unchanged, stopped=stopped)
    speaker = "moot" if stopped else reviser  # who was not asked says nothing
    panel.room.emit("revision", speaker, text, phase="revision", data=revision, call=call, target=sitting.idea)
    if stopped is not None or unchanged or not new:
        return None
    return panel.room.emit("idea", reviser, new, phase="revision", data=Idea(version=version), call=call)


async def rewrite(sitting: Sitting, reviser: Agent, required: list[str]) -> tuple[str, str]:
    """The idea with these changes, and the call it came from."""
    room, at = sitting.panel.room, "revise"
    attempt = 1
    while True:
        prompt = prompts.REVISE(**revision_facts(sitting, required))
        found = await room.ask_for(Revised, reviser, prompt, at, patience=sitting.panel.deadline(reviser))
        if not isinstance(found, Failure):
            return found.idea.strip(), reviser.key(at)
        needed = f"the {reviser.name} is needed: {found.reason}"
        stop_once(room, f"{sitting.version}/revise/{attempt}", "the revision", [reviser.name], 0, needed)
        attempt += 1
        at = f"revise/again/{attempt}"


def in_words(decision: Decision) -> str:
    share = f"{bound_percent(decision.agreement)}% of the weight"  # rounded down already, so whole
    if decision.carried and decision.changes:
        adopted = [one.number for one in decision.changes if one.decision == "yes"]
        return f"Changes to make: {', '.join(adopted)}." if adopted else "No change is to be made."
    if decision.carried:
        return f"{decision.decision}, with {share}."
    advice = f" The validators recommend: {decision.recommendation}." if decision.recommendation else ""
    return f"No consensus: {decision.short_of}.{advice}"
