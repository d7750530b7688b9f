"""The effects of moves in a persuasion dialogue, and the moves that its rules add. No model, no room.

`apply` makes a move that is legal (see `legal`), `passed` ends a turn, `finished` the dialogue. docs/persuasion.md
explains how each rule is interpreted.
"""

from dataclasses import dataclass, replace

from moot.protocols.persuasion.legal import check, claimed, legal_moves
from moot.protocols.persuasion.moves import OTHER, ROOT, Dialogue, Move, Option, Proposal, Proposition, Rule, Side
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
    after = _with(dialogue, _made(dialogue, place[1], proposal))
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
        dialogue = _with(dialogue, replace(_made(dialogue, side, opening), rule="opening"))
    before = {move.id for move in dialogue.moves}
    if slot != "closing":
        dialogue = _challenged(dialogue, side)
    if slot in ("answer", "again"):
        dialogue = _settled(_challenged(dialogue, OTHER[side]), before)
    after = replace(dialogue, turn=dialogue.turn + 1)
    upcoming = after.place
    if upcoming and upcoming[2] != "closing" and not after.ended and not legal_moves(after, upcoming[1]):
        return replace(after, ended="no legal move is left")
    return after


def _challenged(dialogue: Dialogue, side: Side) -> Dialogue:
    """Ask why, on behalf of `side`, for each claim of the other side that has no evidence and was not questioned."""
    claims = [move for move in dialogue.moves if move.act == "claim" and move.side != side]
    for claim in claims:
        one = claim.proposition
        open_to_it = one in dialogue.stores[claim.side] and one not in dialogue.stores[side]
        # A claim that was retracted and repeated has not been questioned since.
        asked = any(move.act == "why" for move in dialogue.challenges(claim.side, one))
        if open_to_it and not asked and not dialogue.backed(claim.side, one):
            option = Option("why", dialogue.put_in.get((claim.side, one), claim.id), one)
            text = f"Why {one}? It was put forward without evidence."
            dialogue = _with(dialogue, replace(_made(dialogue, side, Proposal(option, text)), rule="challenge"))
    return dialogue


def _settled(dialogue: Dialogue, asked_before: set[str]) -> Dialogue:
    """The end of a round: premises with an unanswered why are retracted for their holders. A why that a rule asked
    just now could not be answered yet."""
    for side in OTHER:
        for why, one in dialogue.unanswered(side):
            due = why.id in asked_before and dialogue.is_premise(side, one) and one not in dialogue.roots
            if due and one in dialogue.stores[side]:
                text = f"{one} is retracted: {why.id} asked why, and the round ended without an answer."
                dialogue = retracted(dialogue, side, one, why.id, text, "retraction")
    return dialogue


def _consistent(dialogue: Dialogue, side: Side, granted: str) -> Dialogue:
    """After a concession, retract the side's own propositions that are against it, or that it is against."""
    clashing = dialogue.contraries(granted) & dialogue.stores[side]
    for one in (one for one in dialogue.propositions if one in clashing):
        text = f"{one} is retracted: {granted}, now granted, is against it."
        dialogue = retracted(dialogue, side, one, dialogue.moves[-1].id, text, "clash")
    return dialogue


def finished(dialogue: Dialogue) -> Dialogue:
    """The position after the closing: propositions without support are retracted, and then those that depended only on
    them."""
    while found := [(side, one) for side in OTHER for one in unbacked(dialogue, side)]:
        for side, one in found:
            asked = [why.id for why in dialogue.whys(side, one)]
            text = f"{one} is retracted: nothing that still stands backs it, and the dialogue is over."
            target = asked[0] if asked else dialogue.put_in[side, one]
            dialogue = retracted(dialogue, side, one, target, text, "unbacked")
    return dialogue


def unbacked(dialogue: Dialogue, side: Side) -> list[str]:
    """The propositions of a side without a relevant fact, a remaining reason, or the other side's consent. A premise
    that the other side let pass is not among it."""
    granted = dialogue.stores[OTHER[side]]
    bare = [one for one in dialogue.holds(side) if one not in granted and not dialogue.backed(side, one)]
    claims = {move.proposition for move in dialogue.moves if (move.side, move.act) == (side, "claim")}
    return [one for one in bare if one in claims or dialogue.whys(side, one) or not _let_pass(dialogue, side, one)]


def _let_pass(dialogue: Dialogue, side: Side, premise: str) -> bool:
    """Whether the other side had a turn in which it could ask why, and used it for something else than a question."""
    other, put = OTHER[side], dialogue.by_id[dialogue.put_in[side, premise]]
    asking = {move.turn for move in dialogue.moves if (move.side, move.act, move.rule) == (other, "why", None)}
    chances = (turn for turn in range(put.turn + 1, dialogue.turns_taken) if turn not in asking)
    return any(
        one.act == "why" and one.about == premise
        for turn in chances
        for one in legal_moves(dialogue.before(turn), other)
    )


def retracted(dialogue: Dialogue, side: Side, one: str, target: str, text: str, rule: Rule) -> Dialogue:
    """The position after a retraction that a rule makes for a side."""
    move = _made(dialogue, side, Proposal(Option("retract", target, one), text))
    number = dialogue.rounds + 1 if rule == "unbacked" else move.round
    return _with(dialogue, replace(move, rule=rule, round=number))


def _made(dialogue: Dialogue, side: Side, proposal: Proposal) -> Move:
    """The move for a legal proposal, with numbered propositions and its effects."""
    option, place = proposal.option, dialogue.place
    number = sum(move.side == side for move in dialogue.moves) + 1
    puts: list[Proposition] = []
    proposition, premises, counters = option.about, [], None
    if option.act == "claim":
        counters = option.about if option.attack else None
        text = claimed(dialogue, side, proposal)
        fact = _fact_named(dialogue, proposal.content) if text != dialogue.denial else ()
        proposition = _put(dialogue, puts, side, _cited(proposal, 0, text, (*fact, *proposal.evidence)))
    for at, premise in enumerate(proposal.premises, start=1):
        fact, text = _fact_named(dialogue, premise.content), dialogue.meant(premise.content)
        one = _put(dialogue, puts, side, _cited(proposal, at, text, (*fact, *premise.evidence)))
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
        content=proposal.content.strip(),
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


@dataclass(frozen=True, slots=True)
class _Cited:
    """A text with the facts cited for it, and the relevant ones among them."""

    text: str
    evidence: tuple[str, ...]
    bears: tuple[str, ...]


def _cited(proposal: Proposal, number: int, text: str, evidence: tuple[str, ...]) -> _Cited:
    return _Cited(text, evidence, tuple(one for one in evidence if (number, one) not in proposal.irrelevant))


def _put(dialogue: Dialogue, puts: list[Proposition], side: Side, cited: _Cited) -> str:
    """Put a proposition forward: a new one, or one on record, possibly with more evidence."""
    known = dialogue.find(cited.text) or next((one.id for one in puts if dialogue.same(cited.text, one.content)), None)
    before = next((one for one in puts if one.id == known), None) or dialogue.propositions.get(known or "")
    if before is None:
        new = f"A{len(dialogue.propositions) + sum(one.id not in dialogue.propositions for one in puts) + 1}"
        before = Proposition(new, cited.text, side)
    merged = replace(
        before,
        evidence=tuple(dict.fromkeys((*before.evidence, *cited.evidence))),
        bears=tuple(dict.fromkeys((*before.bears, *cited.bears))),
    )
    puts[:] = [*(one for one in puts if one.id != merged.id), merged]
    return merged.id


def _with(dialogue: Dialogue, move: Move) -> Dialogue:
    after = replace(dialogue, moves=(*dialogue.moves, move))
    given_up = after.given_up if dialogue.given_up is None else None
    return replace(after, ended=after.words_for(given_up)) if given_up else after
