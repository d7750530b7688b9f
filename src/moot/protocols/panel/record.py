"""The facts that fill the panel's prompts: the brief, and the record of what was said, the same for everybody."""

from collections.abc import Sequence

from moot.api import Draft, Fact, brief_parts, fenced, is_reply
from moot.protocols.panel import prompts
from moot.protocols.panel.cast import Panellist
from moot.protocols.panel.findings import LooksFor, numbered, raised_words
from moot.protocols.panel.payloads import Change, Position, Proposal
from moot.protocols.panel.shapes import MOST_RESPONSES, held_words, position_words, synthesis_text
from moot.protocols.panel.sitting import Sitting

LONGEST_EXCERPT = 600
"""Characters of an idea that was accepted before: enough to tell a duplicate."""


def brief(sitting: Sitting) -> str:
    """What every request begins with: the question, the labels, the criteria and the idea."""
    config, kind = sitting.panel.config, sitting.panel.config.chosen
    labels = [f"- {label}: {meaning}" for label, meaning in kind.labels.items()]
    short = [_excerpt(text) for text in config.accepted]
    ideas = "\n\n".join(fenced(text, f"accepted idea {number}") for number, text in enumerate(short, 1))
    wanted = fenced("\n".join(f"- {' '.join(text.split())}" for text in sitting.asked_for), "required changes 1")
    return prompts.BRIEF.format(
        question=kind.question,
        answers=prompts.VOTES if kind.each_change else prompts.ANSWERS,
        labels="\n".join([*labels, prompts.ABSTENTION]),
        criteria=kind.criteria,
        what=prompts.QUESTION if kind.factual else prompts.CHANGE if kind.code else prompts.IDEA,
        idea=fenced(sitting.idea.content, f"idea {sitting.version}"),
        accepted=prompts.ACCEPTED.format(ideas=ideas) if short else "",
        asked_for=prompts.ASKED_FOR.format(changes=wanted) if sitting.asked_for else "",
    )


def record(sitting: Sitting, heard: Sequence[Draft] = ()) -> str:
    """All statements, in order. The labels of a round come after it, since nobody sees them during the round; `heard`
    are positions of the current round."""
    parts, place = [], 0
    for number, said in enumerate([*sitting.rounds, heard], 1):
        usable = [draft for draft in said if is_reply(draft)]
        for draft in usable:
            place += 1
            parts.append(fenced(_position(draft, number), f"position {place}"))
        if number > len(sitting.rounds):
            break
        held = [line for draft in usable if (line := held_words(draft))]
        parts += [fenced("\n".join(held), f"labels after round {number}")] if held else []
        rulings = [draft for draft in sitting.ruled.get(number, []) if is_reply(draft)]
        parts += [
            fenced(f"{draft.speaker}\n\n{synthesis_text(draft.data)}", f"ruling after round {number}")  # type: ignore[arg-type]
            for draft in rulings
        ]
    told = "What has been said:\n\n" + "\n\n".join(parts) + "\n\n" if parts else ""
    return told + found_so_far(sitting, heard)


def by_number(sitting: Sitting) -> dict[str, Draft]:
    """The positions of all rounds under the numbers that the record gives them."""
    said = [draft for positions in sitting.rounds for draft in positions if is_reply(draft)]
    return {f"{place}": draft for place, draft in enumerate(said, 1)}


def found_so_far(sitting: Sitting, heard: Sequence[Draft]) -> str:
    """The findings so far. They have numbers once their round is over; before that nobody can refer to them."""
    lines = [f"{one.number}, {one.persona}: {raised_words(one.raised)}" for one in numbered(sitting.positions)]
    for draft in heard:
        found = draft.data.findings if isinstance(draft.data, Position) else []
        lines += [f"{draft.speaker}: {raised_words(one)}" for one in found]
    shown = "\n".join(" ".join(line.split()) for line in lines)
    return prompts.SO_FAR.format(findings=fenced(shown, "findings 1")) if lines else ""


def looks_for(sitting: Sitting, seat: Panellist) -> LooksFor | None:
    """What a panellist is asked about findings; None if the panel passes nothing, so that nothing can be in the way."""
    kind = sitting.panel.config.chosen
    if kind.passes is None:
        return None
    known = numbered(sitting.positions)
    own = tuple(one.number for one in known if one.persona == seat.name)
    return LooksFor(kind.code, tuple(one.number for one in known if one.number not in own), own)


def seat_facts(sitting: Sitting, seat: Panellist, heard: Sequence[Draft], number: int) -> dict[str, Fact]:
    """What every request to a member of the panel says."""
    config, one = sitting.panel.config, seat.seat
    worded = prompts.SEAT.format(
        name=one.name,
        stands_for=one.stands_for,
        question=one.question_on(config.kind),
        instructions=one.instructions,
    )
    if config.chosen.factual:
        worded = prompts.SEAT_ON_TRUTH.format(name=one.name)
    return {
        "brief": brief(sitting),
        "record": record(sitting, heard),
        "number": number,
        "seat": worded,
        "sure": prompts.SURE,
        "label": prompts.LABEL,
        "grades": prompts.GRADES,
        "findings": prompts.RULED if numbered(sitting.positions) else "",
        "parts": brief_parts("the numbers of positions that bear it out"),
        "required": prompts.REQUIRED.format(label=config.chosen.revises) if config.chosen.revises else "",
    }


def position_facts(sitting: Sitting, seat: Panellist, heard: Sequence[Draft], number: int) -> dict[str, Fact]:
    """What a request for a position says: what it answers, and what is legal in this round of this kind."""
    kind = sitting.panel.config.chosen
    others = {draft.speaker for draft in sitting.heard_from(seat.name, heard)}
    most = min(len(others), MOST_RESPONSES)
    stage = {1: prompts.POSITIONS_STAGE, 2: prompts.REBUTTAL_STAGE}.get(number, prompts.CONVERGENCE_STAGE)
    choice = prompts.CHANGES if kind.each_change else prompts.LABEL
    if kind.revises:
        choice += prompts.MODIFICATIONS.format(label=kind.revises)
    findings, asked = "", looks_for(sitting, seat)
    if asked is not None:
        findings = prompts.FINDINGS_IN_CODE if asked.code else prompts.FINDINGS
        findings += prompts.CONFIRMS * bool(asked.others) + prompts.WITHDRAWS * bool(asked.own) + "\n- "
    return {
        **seat_facts(sitting, seat, heard, number),
        "stage": stage.format(number=number),
        "responses": prompts.RESPONSES.format(most=most) if most else "",
        "findings": findings,
        "claim": prompts.IMPROVES if kind.each_change else prompts.CLAIM,
        "choice": choice,
        "call": {1: prompts.POSITION_CALL, 2: prompts.REBUTTAL_CALL}.get(number, prompts.LAST_CALL),
    }


def proposal_facts(proposals: Sequence[Proposal]) -> dict[str, Fact]:
    """The proposed modifications under their numbers, each once and without who proposed it."""
    lines = {one.number: f"{one.number}: {' '.join(one.text.split())}" for one in reversed(proposals)}
    listed = "\n".join(reversed(lines.values()))
    return {"proposals": fenced(listed, "proposals 1") if listed else "Nobody has proposed a modification."}


def change_facts(changes: Sequence[Draft]) -> dict[str, Fact]:
    texts = [f"{draft.data.number}: {draft.data.text}" for draft in changes if isinstance(draft.data, Change)]
    return {"changes": fenced("\n".join(texts), "changes 1")}


def revision_facts(sitting: Sitting, required: Sequence[str]) -> dict[str, Fact]:
    listed = "\n".join(f"- {' '.join(text.split())}" for text in required)
    idea = fenced(sitting.idea.content, f"idea {sitting.version}")
    return {"idea": idea, "required": fenced(listed, "required changes 1")}


def _position(draft: Draft, number: int) -> str:
    said = position_words(draft.data) if isinstance(draft.data, Position) else draft.content
    return f"{draft.speaker}, round {number}\n\n{said}"


def _excerpt(text: str) -> str:
    return text if len(text) <= LONGEST_EXCERPT else f"{text[:LONGEST_EXCERPT].rstrip()} […]"
