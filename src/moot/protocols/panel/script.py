"""The panel's script: personas decide whether an idea goes ahead.

Round 1 is in order, each persona seeing those before it; later rounds are parallel, each persona seeing all earlier
rounds; then the validators read everything, vote and rule. A unanimous first round can end the debate. Decisions are
counted from enumerated labels. An idea that is sent back is revised and debated again by a panel without memory, which
sees only the required changes. If too few members can be asked, there is no decision, and the debate stops until it is
resumed.
"""

import difflib
from collections.abc import Callable, Coroutine, Mapping, Sequence
from itertools import count
from operator import attrgetter
from typing import Any

from moot.api import Agent, Draft, Failure, Prose, Room, is_reply, send_back_once
from moot.protocols.panel import requests
from moot.protocols.panel.cast import Panellist, open_panel
from moot.protocols.panel.config import PanelConfig
from moot.protocols.panel.decision import decide, required_modifications
from moot.protocols.panel.findings import contradiction, groups_of, numbered
from moot.protocols.panel.payloads import Ballot, Change, Decision, Idea, Position, Revision, Synthesis
from moot.protocols.panel.session import Session, phase_of
from moot.protocols.panel.shapes import (
    Revised,
    ballot_shape,
    ballot_text,
    merger_shape,
    opinion_shape,
    position_text,
    proposals_in,
    recorded,
    ruling_shape,
    synthesis_text,
)
from moot.protocols.quorum import stop_once
from moot.text import shows
from moot.text.figures import bound_percent

Ask = Callable[[Panellist, str, Mapping[str, Draft]], Coroutine[Any, Any, Draft]]
"""Asks a member, with a suffix for the key of the call and the answers of the others so far."""


async def play(room: Room, config: PanelConfig) -> None:
    panel, seats = await open_panel(room, config)
    idea = room.emit("idea", "moot", config.idea, phase="setup", data=Idea(version=1))
    asked_for: list[str] = []
    for version in range(1, config.max_revisions + 2):
        session = Session(panel, version, idea, seats if version == 1 else panel.seated(version), asked_for)
        decision = await debate(session)
        if decision.decision != config.chosen.revises or version > config.max_revisions:
            return
        revised = await revise(session, decision)
        if revised is None:
            return
        idea, asked_for = revised, required_modifications(session, decision)


async def debate(session: Session) -> Decision:
    """Hold rounds until the decision carries, and return it. Before the required rounds, only a unanimous first round
    is put to the validators."""
    config, room = session.panel.config, session.panel.room
    for number in range(1, config.max_rounds + 1):
        session.rounds.append(await hold_round(session, number))
        required = number >= session.kind.rounds
        if not required and not (number == 1 and room.may_end_early() and session.is_unanimous):
            continue
        await (vote_on_changes if session.kind.each_change else rule)(session, number)
        decision, settled = decide(session, number)
        if settled or number == config.max_rounds:
            break
    room.emit("decision", "moot", in_words(decision), phase="decision", data=decision, target=session.idea)
    return decision


async def hold_round(session: Session, number: int) -> list[Draft]:
    """The positions of a round: the first in order, each seeing those before it; later ones in parallel, each seeing
    all earlier rounds."""

    async def ask(seat: Panellist, again: str, given: Mapping[str, Draft]) -> Draft:
        before = session.panellists[: session.panellists.index(seat)] if number == 1 else []
        heard = [given[one.name] for one in before if one.name in given and is_reply(given[one.name])]
        return await take_position(session, seat, number, heard, again)

    seats, place = session.panellists, f"round {number}"
    given = await ask_all(session, seats, ask, {}, f"round/{number}", place, in_turn=number == 1)
    return [given[seat.name] for seat in seats]


async def ask_all(
    session: Session,
    seats: Sequence[Panellist],
    ask: Ask,
    given: dict[str, Draft],
    at: str,
    place: str,
    *,
    in_turn: bool = False,
) -> dict[str, Draft]:
    """Ask these members, and add their answers to those `given` before, by name. Once too few can be asked, nobody else
    is; the debate stops here, and asks the missing ones again when it resumes. `at` and `place` name this place of the
    script in keys and in words."""
    room = session.panel.room
    for attempt in count(1):
        again = "" if attempt == 1 else f"/again/{attempt}"
        missing = [seat for seat in seats if seat.name not in given or not is_reply(given[seat.name])]
        for seat in missing:
            given.pop(seat.name, None)
        if in_turn:
            for seat in missing:
                if session.lack(given) is None:
                    given[seat.name] = await ask(seat, again, given)
        else:
            drafts = await room.together(*(ask(seat, again, given) for seat in missing))
            given |= zip((seat.name for seat in missing), drafts, strict=True)
        lack = session.lack(given)
        if lack is None:
            return given
        lost = [seat.name for seat in seats if seat.name not in given or not is_reply(given[seat.name])]
        answered = sum(is_reply(draft) for draft in given.values())
        stop_once(room, f"{session.version}/{at}/{attempt}", place, lost, answered, lack)
    raise AssertionError  # the loop has no end


async def take_position(session: Session, seat: Panellist, number: int, heard: Sequence[Draft], again: str) -> Draft:
    panel, kind = session.panel, session.kind
    names = dict.fromkeys(draft.speaker for draft in session.heard_from(seat.name, heard))
    modifies = kind.each_change or kind.revises is not None
    labels, looks_for = session.labels, session.looks_for(seat)
    shape = opinion_shape(labels, tuple(names), looks_for, modifies=modifies, steps=kind.factual)
    prompt = requests.for_position(session, seat, heard, number)
    prose = Prose(others=[one.name for one in session.panellists if one is not seat])
    at = f"round/{number}{again}"
    reply, call = await panel.ask(seat, shape, prompt, at, prose=prose, words=attrgetter("claim"))
    position = recorded(Position, reply, session.version, number)
    text, phase = position_text(position), phase_of(number)
    return panel.room.emit("position", seat.agent, text, phase=phase, data=position, call=call, target=session.idea)


async def rule(session: Session, number: int) -> None:
    """The validators read everything, check it for consistency, vote and rule, in parallel and independently."""

    async def ask(seat: Panellist, again: str, _: Mapping[str, Draft]) -> Draft:
        return await give_ruling(session, seat, number, again)

    given = {draft.speaker: draft for draft in session.rounds[-1]}
    await ask_all(session, session.validators, ask, given, f"rule/{number}", f"the ruling after round {number}")
    session.rulings = session.ruled[number] = [given[seat.name] for seat in session.validators]


async def give_ruling(session: Session, seat: Panellist, number: int, again: str) -> Draft:
    panel, kind = session.panel, session.kind
    proposals = proposals_in(session.standing)
    findings = () if session.changes else tuple(finding.number for finding in numbered(session.positions))
    shape = ruling_shape(
        tuple(kind.labels),
        tuple(dict.fromkeys(proposal.number for proposal in proposals)),
        session.change_numbers,
        findings,
        modifies=kind.revises is not None,
    )
    prompt = requests.for_ruling(session, seat, proposals, number)
    at, accept = f"rule/{number}{again}", send_back_once(contradiction)
    reply, call = await panel.ask(seat, shape, prompt, at, accept=accept)
    answered = not isinstance(reply, Failure) and shows(reply.answer)  # type: ignore[attr-defined]
    brief = reply.brief(requests.by_number(session)) if answered else None  # type: ignore[union-attr]
    ruling = recorded(Synthesis, reply, session.version, number, proposals=proposals, brief=brief)
    text = synthesis_text(ruling, findings)
    return panel.room.emit("synthesis", seat.agent, text, phase="ruling", data=ruling, call=call, target=session.idea)


async def vote_on_changes(session: Session, number: int) -> None:
    """Merge equal proposals, then vote on each. Without proposals, the validators rule on whether that is right."""
    session.changes, session.ballots = await merge(session, number), []
    if not session.changes:
        await rule(session, number)
        return

    async def ask(seat: Panellist, again: str, _: Mapping[str, Draft]) -> Draft:
        return await (give_ruling if seat.seat.validator else cast_ballot)(session, seat, number, again)

    # Validators rule in parallel with the vote, and come after it in the log.
    seats = [*session.panellists, *session.validators]
    given = await ask_all(session, seats, ask, {}, f"vote/{number}", f"the vote after round {number}")
    session.ballots = [given[seat.name] for seat in session.panellists]
    session.rulings = session.ruled[number] = [given[seat.name] for seat in session.validators]


async def merge(session: Session, number: int) -> list[Draft]:
    """The changes to vote on. The first validator's model merges equal proposals, knowing the idea and no positions; if
    it fails, each stays separate."""
    room, validators = session.panel.room, session.validators
    proposals = proposals_in(session.standing)
    numbers = tuple(dict.fromkeys(proposal.number for proposal in proposals))
    groups, failure, call, speaker = [[one] for one in numbers], None, None, "moot"
    if len(numbers) > 1 and validators:
        prompt, shape = requests.for_merge(session, proposals), merger_shape(numbers)
        reply, call = await session.panel.ask(validators[0], shape, prompt, f"merge/{number}")
        if isinstance(reply, Failure):
            failure = f"proposals that say the same may stand apart: {reply.reason}"
        else:
            pairs = [(pair["proposal"], pair["same_as"]) for pair in reply.model_dump()["pairs"]]
            groups, speaker = groups_of(numbers, pairs), validators[0].name
    drafts = []
    for place, group in enumerate(groups, 1):
        meant = [proposal for proposal in proposals if proposal.number in group]
        change = Change(
            version=session.version,
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


async def cast_ballot(session: Session, seat: Panellist, number: int, again: str) -> Draft:
    panel, shape = session.panel, ballot_shape(session.change_numbers)
    reply, call = await panel.ask(seat, shape, requests.for_ballot(session, seat), f"ballot/{number}{again}")
    ballot = recorded(Ballot, reply, session.version, number)
    text = ballot_text(ballot)
    return panel.room.emit("ballot", seat.agent, text, phase="ruling", data=ballot, call=call, target=session.idea)


async def revise(session: Session, decision: Decision) -> Draft | None:
    """The next version of the idea; None if there is none. If the reviser cannot be asked, the debate stops here."""
    panel, version, old = session.panel, session.version + 1, session.idea.content
    required = required_modifications(session, decision)
    reviser = panel.reviser(session.version)
    stopped, new, diff, call = "nobody said what has to change", old, "", None
    if required:
        new, call = await rewrite(session, reviser, required)
        names = (f"version {version - 1}", f"version {version}")
        diff = "\n".join(difflib.unified_diff(old.splitlines(), new.splitlines(), *names, lineterm=""))
        stopped = ""
    unchanged = not stopped and new.split() == old.split()
    text = f"The idea could not be revised: {stopped}" if stopped else diff or "The idea came back unchanged."
    revision = Revision(version=version, required=required, diff=diff, unchanged=unchanged, stopped=stopped or None)
    speaker = "moot" if stopped else reviser  # who was not asked says nothing
    panel.room.emit("revision", speaker, text, phase="revision", data=revision, call=call, target=session.idea)
    if stopped or unchanged or not new:
        return None
    return panel.room.emit("idea", reviser, new, phase="revision", data=Idea(version=version), call=call)


async def rewrite(session: Session, reviser: Agent, required: list[str]) -> tuple[str, str]:
    """The idea with these changes, and the call it came from."""
    room, patience = session.panel.room, session.panel.patience(reviser)
    for attempt in count(1):
        at = "revise" if attempt == 1 else f"revise/again/{attempt}"
        prompt = requests.for_revision(session, required)
        reply = await room.ask_for(Revised, reviser, prompt, at, patience=patience)
        if not isinstance(reply, Failure):
            return reply.idea.strip(), reviser.key(at)
        needed = f"the {reviser.name} is needed: {reply.reason}"
        stop_once(room, f"{session.version}/revise/{attempt}", "the revision", [reviser.name], 0, needed)
    raise AssertionError  # the loop has no end


def in_words(decision: Decision) -> str:
    share = f"{bound_percent(decision.agreement)}% of the weight"  # rounded down already, so whole
    if decision.carried and decision.changes:
        adopted = [change.number for change in decision.changes if change.decision == "yes"]
        return f"Changes to make: {', '.join(adopted)}." if adopted else "No change is to be made."
    if decision.carried:
        return f"{decision.decision}, with {share}."
    advice = f" The validators recommend: {decision.recommendation}." if decision.recommendation else ""
    return f"No consensus: {decision.short_of}.{advice}"
