"""The rules of a persuasion dialogue: legal moves and their effects. No model, no room.

`legal_moves` lists the options of the speaker on turn, `check` finds the fault of a proposal, `apply` makes the move
and any moves that the rules add. docs/persuasion.md explains how each rule is interpreted.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from moot.protocols.persuasion.moves import (
    OTHER,
    ROOT,
    Act,
    Dialogue,
    Move,
    Option,
    Premise,
    Proposal,
    Proposition,
    Side,
    Slot,
    folded,
)

MOST_PREMISES = 4
_ACTS: dict[Slot, frozenset[Act]] = {
    "open": frozenset({"claim"}),
    "answer": frozenset({"claim", "why"}),
    "argue": frozenset({"since"}),
    "attack": frozenset({"claim", "why"}),
    "defend": frozenset({"since", "claim", "concede", "retract"}),
    "again": frozenset({"claim", "since", "concede", "retract"}),
    "closing": frozenset({"concede", "retract"}),
}


class IllegalMove(ValueError):
    """A move that the position does not allow; the message says why."""


def legal_moves(dialogue: Dialogue, speaker: Side) -> list[Option]:
    """The options of the speaker; empty if it is not their turn. The round narrows them if any remain."""
    place = dialogue.place
    if dialogue.ended or place is None or place[1] != speaker:
        return []
    _, _, slot = place
    if slot == "open":
        return [Option("claim", None, ROOT)]
    # These acts contain only their proposition, so a second time would just be a repetition.
    bare = ("why", "concede", "retract")
    made = {(one.act, one.target, one.proposition) for one in dialogue.moves if one.side == speaker and one.act in bare}
    possible = [one for one in _possible(dialogue, speaker, slot) if (one.act, one.target, one.about) not in made]
    narrowed = [option for option in possible if option.act in _ACTS[slot]]
    return narrowed if narrowed or slot == "closing" else possible


def _possible(dialogue: Dialogue, speaker: Side, slot: Slot) -> Iterator[Option]:
    """Everything that the table of acts allows."""
    other, mine = OTHER[speaker], dialogue.stores[speaker]
    for one in dialogue.holds(other):
        if one in mine:
            continue
        said_in = dialogue.put_in[other, one]
        yield Option("claim", said_in, one, "rebut")
        # A question in the last turn of a round could not be answered before unanswered premises are removed.
        if not dialogue.backed(other, one) and not (slot == "again" and dialogue.is_premise(other, one)):
            yield Option("why", said_in, one)
        yield Option("concede", said_in, one)
    for step in dialogue.moves:
        conclusion = step.proposition
        open_to_it = conclusion in dialogue.stores[other] and conclusion not in mine
        if step.act == "since" and step.side == other and open_to_it and dialogue.left_of(step):
            yield Option("claim", step.id, conclusion, "undercut")
    for one in (one for one in dialogue.propositions if one in mine):
        for challenge in dialogue.challenges(speaker, one):
            if challenge.attack != "undercut":
                yield Option("since", challenge.id, one)
            yield Option("retract", challenge.id, one)


def check(dialogue: Dialogue, speaker: Side, proposal: Proposal) -> str | None:
    """The fault of a move, in words for its speaker; None if it is legal."""
    option = proposal.option
    legal = legal_moves(dialogue, speaker)
    if option not in legal:
        return (
            f"“{option.label}” is not a legal move here; these are: {'; '.join(one.label for one in legal) or 'none'}"
        )
    cited = [*proposal.evidence, *(one for premise in proposal.premises for one in premise.evidence)]
    cited += re.findall(r"\[(K\d+)\]", " ".join([proposal.content, *(one.content for one in proposal.premises)]))
    if unknown := next((one for one in cited if one not in dialogue.facts), None):
        return f"{unknown} is not in the shared context, and only what is there can be cited"
    if not proposal.content.strip():
        return "the move says nothing"
    if option.act == "since":
        return _check_premises(dialogue, speaker, proposal)
    if proposal.premises:
        return "only a move with `since` gives premises"
    return _check_claim(dialogue, speaker, proposal) if option.act == "claim" else None


def _check_claim(dialogue: Dialogue, speaker: Side, proposal: Proposal) -> str | None:
    text = claimed(dialogue, speaker, proposal)
    known = dialogue.find(text)
    if known is None:
        own = speaker == "OPP" or folded(text) != folded(dialogue.denial)
        return None if own else "that is what the other side stands for"
    if (OTHER[speaker], known) in dialogue.put_in:
        return f"that is {known}, which the other side has put forward: concede it, or say something else"
    if known == proposal.option.about:
        return f"{known} cannot be against itself"
    return _check_repetition(dialogue, speaker, proposal.option, known, ())


def _check_premises(dialogue: Dialogue, speaker: Side, proposal: Proposal) -> str | None:
    conclusion = proposal.option.about
    if not 1 <= len(proposal.premises) <= MOST_PREMISES:
        return f"`since` needs one to {MOST_PREMISES} premises"
    resolved = []
    for premise in proposal.premises:
        text = premise.content.strip()
        if not text:
            return "a premise says nothing"
        if re.fullmatch(r"K\d+", text) and text not in dialogue.facts:
            return f"{text} is not in the shared context, and only what is there can be cited"
        if re.fullmatch(r"A\d+", text) and text not in dialogue.propositions:
            return f"{text} is no proposition on record"
        known = dialogue.find(premise_text(dialogue, premise))
        if known in dialogue.roots or folded(premise_text(dialogue, premise)) == folded(dialogue.denial):
            return "what is under debate cannot be a reason"
        if known is not None and (known == conclusion or known in _resting_on(dialogue, conclusion)):
            return f"{known} cannot be a reason for {conclusion}: it is that, or rests on it"
        resolved.append(known or premise_text(dialogue, premise))
    return _check_repetition(dialogue, speaker, proposal.option, conclusion, tuple(resolved))


def _check_repetition(
    dialogue: Dialogue, speaker: Side, option: Option, proposition: str, premises: tuple[str, ...]
) -> str | None:
    for move in dialogue.moves:
        same = (move.side, move.act, move.target, move.proposition) == (speaker, option.act, option.target, proposition)
        if same and set(move.premises) == set(premises):
            return f"that was said already, in {move.id}, and no move is made twice"
    return None


def _resting_on(dialogue: Dialogue, proposition: str) -> set[str]:
    """Everything that was ever concluded from a proposition, directly or indirectly."""
    found, fresh = set[str](), {proposition}
    while fresh:
        fresh = {move.proposition for move in dialogue.moves if fresh & {*move.premises}} - found
        found |= fresh
    return found


def claimed(dialogue: Dialogue, speaker: Side, proposal: Proposal) -> str:
    """The text of a claim. The two sides of the debate are worded by the topic, not by the speakers."""
    if proposal.option.attack is None:
        return dialogue.topic
    denies = speaker == "OPP" and proposal.option.about == ROOT and proposal.option.attack == "rebut"
    return dialogue.denial if denies and dialogue.counter_root is None else proposal.content.strip()


def premise_text(dialogue: Dialogue, premise: Premise) -> str:
    text = premise.content.strip()
    if text in dialogue.propositions:
        return dialogue.propositions[text].content
    return dialogue.facts.get(text, text)


def apply(dialogue: Dialogue, proposal: Proposal) -> Dialogue:
    """The position after the move of the speaker on turn and the moves of the rules."""
    place = dialogue.place
    if place is None:
        raise IllegalMove("the dialogue is over")
    if wrong := check(dialogue, place[1], proposal):
        raise IllegalMove(wrong)
    after = _with(dialogue, _made(dialogue, place[1], proposal))
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
    if slot != "closing":
        dialogue = _challenged(dialogue, side)
    if slot in ("answer", "again"):
        dialogue = _settled(_challenged(dialogue, OTHER[side]))
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


def _settled(dialogue: Dialogue) -> Dialogue:
    """The end of a round: premises with an unanswered why are retracted for their holders."""
    for side in ("PRO", "OPP"):
        for why, one in dialogue.unanswered(side):
            if one in dialogue.stores[side] and dialogue.is_premise(side, one) and one not in dialogue.roots:
                text = f"{one} is retracted: {why.id} asked why, and the round ended without an answer."
                proposal = Proposal(Option("retract", why.id, one), text)
                dialogue = _with(dialogue, replace(_made(dialogue, side, proposal), rule="retraction"))
    return dialogue


def _made(dialogue: Dialogue, side: Side, proposal: Proposal) -> Move:
    """The move for a legal proposal, with numbered propositions and its effects."""
    option, place = proposal.option, dialogue.place
    number = sum(move.side == side for move in dialogue.moves) + 1
    puts: list[Proposition] = []
    proposition, premises, counters = option.about, [], None
    if option.act == "claim":
        counters = option.about if option.attack else None
        proposition = _put(dialogue, puts, side, claimed(dialogue, side, proposal), proposal.evidence)
    for premise in proposal.premises:
        fact = (premise.content.strip(),) if premise.content.strip() in dialogue.facts else ()
        one = _put(dialogue, puts, side, premise_text(dialogue, premise), (*fact, *premise.evidence))
        premises += [one] if one not in premises else []
    gains = option.act in ("claim", "since", "concede")
    return Move(
        id=f"{side[0]}{number}",
        round=place[0] if place else dialogue.rounds + 1,
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


def _put(dialogue: Dialogue, puts: list[Proposition], side: Side, text: str, evidence: tuple[str, ...]) -> str:
    """Put a proposition forward: a new one, or one on record, possibly with more evidence."""
    known = dialogue.find(text) or next((one.id for one in puts if folded(one.content) == folded(text)), None)
    before = dialogue.propositions.get(known or "") or next((one for one in puts if one.id == known), None)
    if before is None:
        new = f"A{len(dialogue.propositions) + sum(one.id not in dialogue.propositions for one in puts) + 1}"
        before = Proposition(new, text, side)
    merged = replace(before, evidence=tuple(dict.fromkeys((*before.evidence, *evidence))))
    puts[:] = [*(one for one in puts if one.id != merged.id), merged]
    return merged.id


def _with(dialogue: Dialogue, move: Move) -> Dialogue:
    ended = dialogue.ended
    if move.act in ("concede", "retract") and (root := dialogue.roots.get(move.proposition)):
        ended = f"{root} was {'conceded' if move.act == 'concede' else 'retracted'} by {move.side}"
    return replace(dialogue, moves=(*dialogue.moves, move), ended=ended)
