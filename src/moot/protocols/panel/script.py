"""The panel: personas decide whether an idea goes ahead. The script; its prompts are in panel_prompts.

Round 1 in order, each seeing those before it; the later rounds together, each seeing all earlier rounds and nothing
of its own; then the validators read everything, vote and rule. What carries is counted from enumerated labels. An idea
that is sent back is revised and debated afresh, by people who remember nothing of the version before.
"""

import difflib
from collections.abc import Sequence

from moot.engine.room import Room
from moot.engine.structured import Failure
from moot.protocols.panel import prompts
from moot.protocols.panel.cast import Panellist, open_panel
from moot.protocols.panel.config import PanelConfig
from moot.protocols.panel.decision import decide, required_modifications
from moot.protocols.panel.payloads import Change, Decision, Idea, Revision
from moot.protocols.panel.shapes import (
    Revised,
    ballot_lines,
    ballot_of,
    ballot_shape,
    groups_of,
    merger_shape,
    opinion_shape,
    position_of,
    position_text,
    proposals_in,
    ruling_shape,
    synthesis_of,
    synthesis_text,
)
from moot.protocols.panel.sitting import Sitting, phase_of
from moot.record.entry import Draft
from moot.text.figures import bound_percent


async def play(room: Room, config: PanelConfig) -> None:
    panel, seats = await open_panel(room, config)
    idea = room.emit("idea", "moot", config.idea, phase="setup", data=Idea(version=1))
    for version in range(1, config.max_revisions + 2):
        sitting = Sitting(panel, version, idea, seats if version == 1 else panel.seated(version))
        decision = await sit(sitting)
        if decision.decision != config.chosen.revises or version > config.max_revisions:
            return
        revised = await revise(sitting, decision)
        if revised is None:
            return
        idea = revised


async def sit(sitting: Sitting) -> Decision:
    """Rounds until the decision carries, and what it is."""
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
    """Round 1: in the order of the panel, each seeing those before it."""
    said: list[Draft] = []
    for seat in sitting.panellists:
        heard = [draft for draft in said if sitting.usable(draft)]
        said.append(await take_position(sitting, seat, 1, heard))
    return said


async def respond(sitting: Sitting, number: int) -> list[Draft]:
    """A later round: all together, each seeing what was said before it and nothing of it."""
    work = [take_position(sitting, seat, number, sitting.unheard_by(seat.agent)) for seat in sitting.panellists]
    return await sitting.panel.room.together(*work)


async def take_position(sitting: Sitting, seat: Panellist, number: int, heard: Sequence[Draft]) -> Draft:
    panel, agent, at = sitting.panel, seat.agent, f"round/{number}"
    template = prompts.POSITION if number == 1 else prompts.REBUTTAL if number == 2 else prompts.CONVERGENCE
    shape = opinion_shape(sitting.labels, tuple(dict.fromkeys(draft.speaker for draft in heard)))
    prompt = template(**prompts.facts(sitting, agent, heard, number))
    found = await panel.room.ask_for(shape, agent, prompt, at, patience=panel.patience(agent))
    sitting.note_told(agent, at)
    position = position_of(found, sitting.version, number)
    return panel.room.emit(
        "position",
        agent,
        position_text(position),
        phase=phase_of(number),
        data=position,
        call=agent.key(at),
        target=sitting.idea,
    )


async def rule(sitting: Sitting, number: int) -> None:
    """The validators read everything, check it for consistency, vote and rule: together, and unseen by each other."""
    work = [give_ruling(sitting, seat, number) for seat in sitting.validators]
    sitting.rulings = await sitting.panel.room.together(*work)


async def give_ruling(sitting: Sitting, seat: Panellist, number: int) -> Draft:
    panel, agent, at = sitting.panel, seat.agent, f"rule/{number}"
    proposals = proposals_in(sitting.positions)
    numbers = tuple(dict.fromkeys(one.number for one in proposals))
    known = prompts.facts(sitting, agent, sitting.unheard_by(agent), number)
    known |= prompts.proposal_facts(proposals) | prompts.change_facts(sitting.changes)
    prompt = (prompts.RULE_ON_CHANGES if sitting.changes else prompts.RULE)(**known)
    shape = ruling_shape(tuple(panel.config.chosen.labels), numbers, sitting.change_numbers)
    found = await panel.room.ask_for(shape, agent, prompt, at, patience=panel.patience(agent))
    sitting.note_told(agent, at)
    synthesis = synthesis_of(found, sitting.version, number, proposals)
    call = agent.key(at)
    return panel.room.emit(
        "synthesis", agent, synthesis_text(synthesis), phase="ruling", data=synthesis, call=call, target=sitting.idea
    )


async def vote_on_changes(sitting: Sitting, number: int) -> None:
    """Merge the proposals that say the same, then let everybody vote on each. Without any, the validators rule on
    whether that is right."""
    sitting.changes, sitting.ballots = await merge(sitting, number), []
    if not sitting.changes:
        await rule(sitting, number)
        return
    voting = [cast_ballot(sitting, seat, number) for seat in sitting.panellists]
    ruling = [give_ruling(sitting, seat, number) for seat in sitting.validators]
    cast = await sitting.panel.room.together(*voting, *ruling)
    sitting.ballots, sitting.rulings = cast[: len(voting)], cast[len(voting) :]


async def merge(sitting: Sitting, number: int) -> list[Draft]:
    """The changes to vote on. The first validator puts proposals together; where it cannot, each stands alone."""
    room, validators = sitting.panel.room, sitting.validators
    proposals = proposals_in(sitting.positions)
    numbers = tuple(dict.fromkeys(one.number for one in proposals))
    groups, failure, call, speaker = [[one] for one in numbers], None, None, "moot"
    if len(numbers) > 1 and validators:
        agent, at = validators[0].agent, f"merge/{number}"
        call = agent.key(at)
        prompt = prompts.MERGE(**prompts.proposal_facts(proposals))
        found = await room.ask_for(merger_shape(numbers), agent, prompt, at, patience=sitting.panel.patience(agent))
        if isinstance(found, Failure):
            failure = f"proposals that say the same may stand apart: {found.reason}"
        else:
            groups, speaker = groups_of(numbers, found.model_dump()), agent.name
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


async def cast_ballot(sitting: Sitting, seat: Panellist, number: int) -> Draft:
    panel, agent, at = sitting.panel, seat.agent, f"ballot/{number}"
    known = prompts.facts(sitting, agent, sitting.unheard_by(agent), number) | prompts.change_facts(sitting.changes)
    shape, prompt = ballot_shape(sitting.change_numbers), prompts.VOTE(**known)
    found = await panel.room.ask_for(shape, agent, prompt, at, patience=panel.patience(agent))
    sitting.note_told(agent, at)
    ballot = ballot_of(found, sitting.version, number)
    text = f"No vote: {ballot.failure}" if ballot.failure else "\n".join(ballot_lines(ballot.votes))
    call = agent.key(at)
    return panel.room.emit("ballot", agent, text, phase="ruling", data=ballot, call=call, target=sitting.idea)


async def revise(sitting: Sitting, decision: Decision) -> Draft | None:
    """The next version of the idea; None when there is none to be had."""
    panel, version, old = sitting.panel, sitting.version + 1, sitting.idea.content
    required, reviser = required_modifications(sitting, decision), panel.reviser(sitting.version)
    if not required:
        found: Revised | Failure = Failure("", "nobody said what has to change")
    else:
        prompt = prompts.REVISE(**prompts.revision_facts(sitting, required))
        found = await panel.room.ask_for(Revised, reviser, prompt, "revise", patience=panel.patience(reviser))
    if isinstance(found, Failure):
        new, diff, failure, call = old, "", found.reason, found.key or None
        text = f"The idea could not be revised: {failure}"
    else:
        new, failure, call = found.idea.strip(), None, reviser.key("revise")
        diff = "\n".join(
            difflib.unified_diff(
                old.splitlines(), new.splitlines(), f"version {version - 1}", f"version {version}", lineterm=""
            )
        )
        text = diff or "The idea came back unchanged."
    unchanged = failure is None and new.split() == old.split()
    revision = Revision(version=version, required=required, diff=diff, unchanged=unchanged, failure=failure)
    panel.room.emit("revision", reviser, text, phase="revision", data=revision, call=call, target=sitting.idea)
    if failure is not None or unchanged or not new:
        return None
    return panel.room.emit("idea", reviser, new, phase="revision", data=Idea(version=version), call=call)


def in_words(decision: Decision) -> str:
    share = f"{bound_percent(decision.agreement)}% of the weight"  # rounded down already, so whole
    if decision.carried and decision.changes:
        adopted = [one.number for one in decision.changes if one.decision == "yes"]
        return f"Changes to make: {', '.join(adopted)}." if adopted else "No change is to be made."
    if decision.carried:
        return f"{decision.decision}, with {share}."
    advice = f" The validators recommend: {decision.recommendation}." if decision.recommendation else ""
    return f"No consensus: {decision.short_of}.{advice}"
