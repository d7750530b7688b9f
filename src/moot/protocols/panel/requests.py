"""What each request of a panel says. All begin alike: the brief, and the record of what was said, the same for
everybody; then comes what is asked for, and last who is asked."""

from collections.abc import Sequence

from moot.api import Draft, Fact, Prompt, brief_parts, fenced, is_reply
from moot.protocols.panel import prompts
from moot.protocols.panel.cast import Panellist
from moot.protocols.panel.findings import numbered, raised_words
from moot.protocols.panel.payloads import Change, Position, Proposal, Synthesis
from moot.protocols.panel.session import Session
from moot.protocols.panel.shapes import MOST_RESPONSES, held_words, position_words, synthesis_text

LONGEST_EXCERPT = 600
"""Characters of an idea that was accepted before: enough to tell a duplicate."""


def for_position(session: Session, seat: Panellist, heard: Sequence[Draft], number: int) -> Prompt:
    """What a panellist is asked for that has `heard` these positions of the current round."""
    kind = session.kind
    others = {draft.speaker for draft in session.heard_from(seat.name, heard)}
    most = min(len(others), MOST_RESPONSES)
    stage = {1: prompts.POSITIONS_STAGE, 2: prompts.REBUTTAL_STAGE}.get(number, prompts.CONVERGENCE_STAGE)
    again = prompts.ALL_AGAIN if number > 1 else ""
    choice = prompts.CHANGES.format(again=again) if kind.each_change else prompts.LABEL
    if kind.revises:
        choice += prompts.MODIFICATIONS.format(label=kind.revises, again=again)
    findings, looks_for = "", session.looks_for(seat)
    if looks_for is not None:
        findings = prompts.FINDINGS_IN_CODE if looks_for.code else prompts.FINDINGS
        findings += prompts.CONFIRMS if looks_for.others else ""
        findings += prompts.WITHDRAWS if looks_for.own else ""
        findings += "\n- "
    return prompts.POSITION(
        **_shared(session, seat, heard),
        stage=stage.format(number=number),
        responses=prompts.RESPONSES.format(most=most) if most else "",
        evidence=prompts.STEPS if kind.factual else prompts.EVIDENCE,
        findings=findings,
        claim=prompts.IMPROVES if kind.each_change else prompts.CLAIM,
        choice=choice,
        call={1: prompts.POSITION_CALL, 2: prompts.REBUTTAL_CALL}.get(number, prompts.LAST_CALL),
    )


def for_ruling(session: Session, seat: Panellist, proposals: Sequence[Proposal], number: int) -> Prompt:
    """What a validator is asked for: a ruling or, where changes are voted on, votes with their reasons."""
    revises, settle = session.kind.revises, prompts.SETTLE.format(subject=session.kind.subject)
    shared = _shared(session, seat) | {
        "settle": settle,
        "parts": brief_parts("the numbers of positions that bear it out"),
    }
    if session.changes:
        return prompts.RULE_ON_CHANGES(**shared, changes=_changes(session), grades=prompts.GRADES)
    return prompts.RULE(
        **shared,
        proposals=_proposals(proposals, names=True),
        number=number,
        findings=prompts.RULED if numbered(session.positions) else "",
        label=prompts.LABEL,
        required=prompts.REQUIRED.format(label=revises) if revises else "",
    )


def for_merge(session: Session, proposals: Sequence[Proposal]) -> Prompt:
    """What puts equal proposals together, without who proposed them."""
    return prompts.MERGE(brief=_brief(session), proposals=_proposals(proposals, names=False))


def for_ballot(session: Session, seat: Panellist) -> Prompt:
    return prompts.VOTE(**_shared(session, seat), changes=_changes(session))


def for_revision(session: Session, required: Sequence[str]) -> Prompt:
    listed = "\n".join(f"- {' '.join(text.split())}" for text in required)
    idea = fenced(session.idea.content, f"idea {session.version}")
    return prompts.REVISE(idea=idea, required=fenced(listed, "required changes 1"))


def by_number(session: Session) -> dict[str, Draft]:
    """The positions of all rounds under the numbers that the record gives them."""
    said = [draft for positions in session.rounds for draft in positions if is_reply(draft)]
    return {f"{place}": draft for place, draft in enumerate(said, 1)}


def _shared(session: Session, seat: Panellist, heard: Sequence[Draft] = ()) -> dict[str, Fact]:
    """What every request to a member of the panel says."""
    one = seat.seat
    worded = prompts.SEAT.format(
        name=one.name,
        stands_for=one.stands_for,
        question=one.question_on(session.panel.config.kind),
        instructions=one.instructions,
    )
    if session.kind.factual:
        worded = prompts.SEAT_ON_TRUTH.format(name=one.name)
    return {"brief": _brief(session), "record": _record(session, heard), "seat": worded, "sure": prompts.SURE}


def _brief(session: Session) -> str:
    """What every request begins with: the question, the labels, the criteria and the idea."""
    kind = session.kind
    labels = [f"- {label}: {meaning}" for label, meaning in kind.labels.items()]
    short = [_excerpt(text) for text in session.panel.config.accepted]
    ideas = "\n\n".join(fenced(text, f"accepted idea {number}") for number, text in enumerate(short, 1))
    wanted = fenced("\n".join(f"- {' '.join(text.split())}" for text in session.asked_for), "required changes 1")
    return prompts.BRIEF.format(
        question=kind.question,
        answers=prompts.VOTES if kind.each_change else prompts.ANSWERS,
        labels="\n".join([*labels, prompts.ABSTENTION]),
        criteria=kind.criteria,
        subject=kind.subject,
        idea=fenced(session.idea.content, f"idea {session.version}"),
        accepted=prompts.ACCEPTED.format(ideas=ideas) if short else "",
        asked_for=prompts.ASKED_FOR.format(changes=wanted) if session.asked_for else "",
    )


def _record(session: Session, heard: Sequence[Draft]) -> str:
    """All statements, in order. The labels of a round come after it, since nobody sees them during the round."""
    parts, place = [], 0
    for number, said in enumerate([*session.rounds, heard], 1):
        usable = [draft for draft in said if is_reply(draft)]
        for draft in usable:
            place += 1
            parts.append(fenced(_position(draft, number), f"position {place}"))
        if number > len(session.rounds):
            break
        if held := [line for draft in usable if (line := held_words(draft))]:
            parts.append(fenced("\n".join(held), f"labels after round {number}"))
        for draft in session.ruled.get(number, []):
            if isinstance(draft.data, Synthesis) and is_reply(draft):
                words = f"{draft.speaker}\n\n{synthesis_text(draft.data)}"
                parts.append(fenced(words, f"ruling after round {number}"))
    said_so_far = "What has been said:\n\n" + "\n\n".join(parts) + "\n\n" if parts else ""
    return said_so_far + _found_so_far(session, heard)


def _found_so_far(session: Session, heard: Sequence[Draft]) -> str:
    """The findings so far. They have numbers once their round is over; before that nobody can refer to them."""
    lines = [
        f"{finding.number}, {finding.persona}: {raised_words(finding.raised)}"
        for finding in numbered(session.positions)
    ]
    for draft in heard:
        found = draft.data.findings if isinstance(draft.data, Position) else []
        lines += [f"{draft.speaker}: {raised_words(one)}" for one in found]
    shown = "\n".join(" ".join(line.split()) for line in lines)
    return prompts.SO_FAR.format(findings=fenced(shown, "findings 1")) if lines else ""


def _proposals(proposals: Sequence[Proposal], *, names: bool) -> str:
    """The proposed modifications under their numbers, each once."""
    lines: dict[str, str] = {}
    for one in proposals:
        askers = ", ".join(other.persona for other in proposals if other.number == one.number)
        by = f" ({askers})" if names else ""
        lines.setdefault(one.number, f"{one.number}{by}: {' '.join(one.text.split())}")
    return fenced("\n".join(lines.values()), "proposals 1") if lines else "Nobody asks for a modification."


def _changes(session: Session) -> str:
    texts = [
        f"{change.data.number}: {change.data.text}" for change in session.changes if isinstance(change.data, Change)
    ]
    return fenced("\n".join(texts), "changes 1")


def _position(draft: Draft, number: int) -> str:
    words = position_words(draft.data) if isinstance(draft.data, Position) else draft.content
    return f"{draft.speaker}, round {number}\n\n{words}"


def _excerpt(text: str) -> str:
    return text if len(text) <= LONGEST_EXCERPT else f"{text[:LONGEST_EXCERPT].rstrip()} […]"
