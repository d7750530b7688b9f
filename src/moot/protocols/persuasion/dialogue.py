"""The rules of a persuasion dialogue: legal moves and their effects. No model, no room.

`legal_moves` lists the options of the speaker on turn, `check` finds the fault of a proposal, `apply` makes the move
and any moves that the rules add. docs/persuasion.md explains how each rule is interpreted.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from moot.protocols.persuasion.bearing import bears_on
from moot.protocols.persuasion.moves import (
    OTHER,
    ROOT,
    Act,
    Dialogue,
    Move,
    Option,
    Proposal,
    Proposition,
    Rule,
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
    option, text = proposal.option, claimed(dialogue, speaker, proposal)
    if option.attack and (wrong := _check_id(dialogue, text)):
        return wrong
    known = dialogue.find(text)
    if option.attack and (wrong := _check_root(dialogue, speaker, option, text)):
        return wrong
    if known is None:
        return None
    if (OTHER[speaker], known) in dialogue.put_in:
        return f"that is {known}, which the other side has put forward: concede it, or say something else"
    if known == option.about:
        return f"{known} cannot be against itself"
    return (
        _check_attack(dialogue, speaker, option, known)
        or _check_clash(dialogue, known, dialogue.stores[speaker])
        or _check_repetition(dialogue, speaker, option, known, ())
    )


def _check_root(dialogue: Dialogue, speaker: Side, option: Option, text: str) -> str | None:
    """φ and ¬φ deny each other. Neither is a reason why a step fails, nor against anything else."""
    said = folded(text)
    if said not in (folded(dialogue.topic), folded(dialogue.denial)):
        return None
    if (said == folded(dialogue.topic)) != (speaker == "PRO"):
        return "that is what the other side stands for"
    if option.attack == "undercut":
        return "that denies the conclusion; an undercut says why it does not follow from its premises"
    return None if option.about in dialogue.roots else "what is under debate cannot be a reason against something else"


def _check_attack(dialogue: Dialogue, speaker: Side, option: Option, known: str) -> str | None:
    """An argument is against another in one way, and not one that the other side has granted."""
    target = option.about
    earlier = [move for move in dialogue.attacks_by(known, target) if move.attack != option.attack]
    if any(known in dialogue.stores[move.side] for move in earlier):
        return f"{known} {earlier[0].attack}s {target} already, and an argument is against another in one way"
    if option.attack == "rebut" and known in dialogue.stores[OTHER[speaker]]:
        return f"the other side has granted {known}: it cannot be set against what that side holds"
    return None


def _check_clash(dialogue: Dialogue, one: str, held: Iterable[str]) -> str | None:
    """Nobody holds a proposition and its counter-claim."""
    clashing = sorted(dialogue.contraries(one).intersection(held))
    if not clashing:
        return None
    return f"{one} is against {clashing[0]}, which you hold: nobody is committed to both"


def _check_premises(dialogue: Dialogue, speaker: Side, proposal: Proposal) -> str | None:
    conclusion = proposal.option.about
    if not 1 <= len(proposal.premises) <= MOST_PREMISES:
        return f"`since` needs one to {MOST_PREMISES} premises"
    resolved = []
    for premise in proposal.premises:
        text = premise.content.strip()
        if not text:
            return "a premise says nothing"
        if wrong := _check_id(dialogue, text):
            return wrong
        meant = text_meant(dialogue, text)
        known = dialogue.find(meant)
        if known in dialogue.roots or folded(meant) == folded(dialogue.denial):
            return "what is under debate cannot be a reason"
        if known is not None and (known == conclusion or known in _resting_on(dialogue, conclusion)):
            return f"{known} cannot be a reason for {conclusion}: it is that, or rests on it"
        if known is not None and dialogue.attacks_by(known, conclusion):
            return f"{known} was put forward against {conclusion}: it cannot be a reason for it"
        resolved.append(known or meant)
    held = {*dialogue.stores[speaker], conclusion, *resolved}
    if wrong := next(filter(None, (_check_clash(dialogue, one, held) for one in resolved)), None):
        return wrong
    return _check_repetition(dialogue, speaker, proposal.option, conclusion, tuple(resolved))


def _check_id(dialogue: Dialogue, content: str) -> str | None:
    """A text that is only an id stands for what it names, so that has to be on record."""
    text = content.strip()
    if re.fullmatch(r"K\d+", text) and text not in dialogue.facts:
        return f"{text} is not in the shared context, and only what is there can be cited"
    if re.fullmatch(r"A\d+", text) and text not in dialogue.propositions:
        return f"{text} is no proposition on record"
    return None


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
    return dialogue.denial if denies and dialogue.counter_root is None else text_meant(dialogue, proposal.content)


def text_meant(dialogue: Dialogue, content: str) -> str:
    """The text of a claim or a premise, which can be given by the id of a proposition or a fact."""
    text = content.strip()
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
                dialogue = _retracted(dialogue, side, one, why.id, text, "retraction")
    return dialogue


def _consistent(dialogue: Dialogue, side: Side, granted: str) -> Dialogue:
    """After a concession: what the side held against it, or it against, is retracted."""
    clashing = dialogue.contraries(granted) & dialogue.stores[side]
    for one in (one for one in dialogue.propositions if one in clashing):
        text = f"{one} is retracted: {granted}, now granted, is against it."
        dialogue = _retracted(dialogue, side, one, dialogue.moves[-1].id, text, "clash")
    return dialogue


def finished(dialogue: Dialogue) -> Dialogue:
    """The position after the closing: claims that nothing backs are retracted for their holders, and then whatever
    rested on them alone."""
    while unbacked := [(side, one) for side in OTHER for one in dialogue.unbacked(side)]:
        for side, one in unbacked:
            asked = [why.id for why in dialogue.whys(side, one)]
            text = f"{one} is retracted: nothing that still stands backs it, and the dialogue is over."
            target = asked[0] if asked else dialogue.put_in[side, one]
            dialogue = _retracted(dialogue, side, one, target, text, "unbacked")
    return dialogue


def _retracted(dialogue: Dialogue, side: Side, one: str, target: str, text: str, rule: Rule) -> Dialogue:
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
        proposition = _put(dialogue, puts, side, _cited(dialogue, proposal, 0, text, (*fact, *proposal.evidence)))
    for at, premise in enumerate(proposal.premises, start=1):
        fact, text = _fact_named(dialogue, premise.content), text_meant(dialogue, premise.content)
        one = _put(dialogue, puts, side, _cited(dialogue, proposal, at, text, (*fact, *premise.evidence)))
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


def _fact_named(dialogue: Dialogue, content: str) -> tuple[str, ...]:
    """The fact that a text which is only its id stands for."""
    return (content.strip(),) if content.strip() in dialogue.facts else ()


@dataclass(frozen=True, slots=True)
class _Cited:
    """A text with the facts cited for it, and those of them that bear on it."""

    text: str
    evidence: tuple[str, ...]
    bears: tuple[str, ...]


def _cited(dialogue: Dialogue, proposal: Proposal, number: int, text: str, evidence: tuple[str, ...]) -> _Cited:
    bearing = [one for one in evidence if (number, one) not in proposal.unborne]
    return _Cited(text, evidence, tuple(one for one in bearing if bears_on(dialogue.facts[one], text)))


def _put(dialogue: Dialogue, puts: list[Proposition], side: Side, cited: _Cited) -> str:
    """Put a proposition forward: a new one, or one on record, possibly with more evidence."""
    text = folded(cited.text)
    known = dialogue.find(text) or next((one.id for one in puts if folded(one.content) == text), None)
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
