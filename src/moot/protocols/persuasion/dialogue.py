"""The effects of moves in a persuasion dialogue, and the moves that its rules add. No model, no room.

`apply` makes a move that is legal (see `legal`), `passed` ends a turn, `finished` the dialogue. docs/persuasion.md
explains how each rule is interpreted.
"""

from dataclasses import replace

from moot.protocols.persuasion.legal import check, claimed, may_move
from moot.protocols.persuasion.moves import OTHER, ROOT, Move, Option, Proposal, Proposition, Rule, Side
from moot.protocols.persuasion.position import Dialogue
from moot.protocols.persuasion.wording import named_id


class IllegalMove(ValueError):
    """A move that the position does not allow; the message says why."""


def apply(dialogue: Dialogue, proposal: Proposal) -> Dialogue:
    """The position after the move of the speaker on turn and the moves of the rules."""
    place = dialogue.place
    if place is None:
        raise IllegalMove("the dialogue is over")
    if wrong := check(dialogue, place[1], proposal):
        raise IllegalMove(wrong)
    after = dialogue.after(_made(dialogue, place[1], proposal))
    if proposal.option.act == "concede":
        after = _consistent(after, place[1], proposal.option.about)
    return after if place[2] == "closing" else passed(after)


def passed(dialogue: Dialogue) -> Dialogue:
    """The position after the speaker's turn, with or without a move."""
    place = dialogue.place
    if place is None or dialogue.ended:
        return dialogue
    _, side, slot = place
    if slot == "open" and not dialogue.moves:
        opening = Proposal(Option("claim", None, ROOT), dialogue.topic)
        dialogue = dialogue.after(replace(_made(dialogue, side, opening), rule="opening"))
    if slot not in ("open", "closing"):
        dialogue = _questioned(dialogue)
    after = dialogue.at(dialogue.turn + 1)
    # A turn in which nothing can be said is skipped.
    while (place := after.place) and place[2] != "closing" and not after.ended and not may_move(after, place[1]):
        after = after.at(after.turn + 1)
    return after


def _questioned(dialogue: Dialogue) -> Dialogue:
    """Ask why, on behalf of the other side, for a position without a reason: each side owes one for its own."""
    for one in dialogue.roots:
        side: Side = "PRO" if one == ROOT else "OPP"
        if (
            (side, one) in dialogue.put_in
            and one not in dialogue.stores[OTHER[side]]
            and dialogue.can_be_asked(side, one)
        ):
            option = Option("why", dialogue.put_in[side, one], one)
            text = f"Why {one}? Who takes a position owes a reason."
            dialogue = dialogue.after(replace(_made(dialogue, OTHER[side], Proposal(option, text)), rule="challenge"))
    return dialogue


def _consistent(dialogue: Dialogue, side: Side, granted: str) -> Dialogue:
    """After a concession, retract the side's own propositions that are against it, or that it is against."""
    clashing = dialogue.contraries(granted) & dialogue.stores[side]
    for one in (one for one in dialogue.propositions if one in clashing):
        text = f"{one} is retracted: {granted}, now granted, is against it."
        dialogue = retracted(dialogue, side, one, dialogue.moves[-1].id, text, "clash")
    return dialogue


def finished(dialogue: Dialogue) -> Dialogue:
    """The position after the closing: what owes a reason is retracted, and then what depended only on it."""
    while found := [(side, one) for side in OTHER for one in dialogue.holds(side) if dialogue.owes(side, one)]:
        for side, one in found:
            asked = [why.id for why in dialogue.whys(side, one)]
            text = f"{one} is retracted: a reason was owed for it, and none is left."
            target = asked[0] if asked else dialogue.put_in[side, one]
            dialogue = retracted(dialogue, side, one, target, text, "unbacked")
    return dialogue


def retracted(dialogue: Dialogue, side: Side, one: str, target: str, text: str, rule: Rule) -> Dialogue:
    """The position after a retraction that a rule makes for a side."""
    move = _made(dialogue, side, Proposal(Option("retract", target, one), text))
    number = dialogue.rounds + 1 if rule == "unbacked" else move.round
    return dialogue.after(replace(move, rule=rule, round=number))


def _made(dialogue: Dialogue, side: Side, proposal: Proposal) -> Move:
    """The move for a legal proposal, with numbered propositions and its effects."""
    option, place = proposal.option, dialogue.place
    number = dialogue.record.counts[side] + 1
    puts: list[Proposition] = []
    proposition, premises, counters = option.about, [], None
    if option.act == "claim":
        counters = option.about if option.attack else None
        text = claimed(dialogue, side, proposal)
        fact = _fact_named(dialogue, proposal.content) if text != dialogue.denial else ()
        proposition = _put(dialogue, puts, _cited(side, proposal, 0, text, (*fact, *proposal.evidence)))
    for at, premise in enumerate(proposal.premises, start=1):
        fact, text = _fact_named(dialogue, premise.content), dialogue.meant(premise.content)
        one = _put(dialogue, puts, _cited(side, proposal, at, text, (*fact, *premise.evidence)))
        premises += [one] if one not in premises else []
    gains = option.act in ("claim", "since", "concede")
    return Move(
        id=f"{side[0]}{number}",
        round=place[0] if place else dialogue.rounds + 1,
        turn=dialogue.turn,
        side=side,
        act=option.act,
        target=option.target,
        proposition=proposition,
        counters=counters,
        attack=option.attack,
        said=proposal.content.strip(),
        premises=tuple(premises),
        evidence=tuple(dict.fromkeys(proposal.evidence)),
        puts=tuple(puts),
        adds=frozenset({proposition, *premises}) if gains else frozenset(),
        removes=frozenset({proposition}) if option.act == "retract" else frozenset(),
    )


def _fact_named(dialogue: Dialogue, content: str) -> tuple[str, ...]:
    """The fact of a text that is only its id."""
    named = named_id(content)
    return (named,) if named is not None and named in dialogue.facts else ()


def _cited(side: Side, proposal: Proposal, number: int, text: str, evidence: tuple[str, ...]) -> Proposition:
    """A proposition without a number, with the facts cited for it and the relevant ones among them."""
    return Proposition(
        "", text, side, evidence, tuple(one for one in evidence if (number, one) not in proposal.irrelevant)
    )


def _put(dialogue: Dialogue, puts: list[Proposition], cited: Proposition) -> str:
    """Put a proposition forward: a new one, or one on record, possibly with more evidence."""
    known = dialogue.find(cited.content) or next(
        (one.id for one in puts if dialogue.same(cited.content, one.content)), None
    )
    before = next((one for one in puts if one.id == known), None) or dialogue.propositions.get(known or "")
    if before is None:
        new = len(dialogue.propositions) + sum(one.id not in dialogue.propositions for one in puts) + 1
        before = replace(cited, id=f"A{new}")
    merged = replace(
        before,
        evidence=tuple(dict.fromkeys((*before.evidence, *cited.evidence))),
        bears=tuple(dict.fromkeys((*before.bears, *cited.bears))),
    )
    puts[:] = [*(one for one in puts if one.id != merged.id), merged]
    return merged.id
