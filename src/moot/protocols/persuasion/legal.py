"""The legal moves of a position, and the fault of a proposed one. Uses no model and no room."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from moot.protocols.persuasion.moves import OTHER, ROOT, Act, Option, Premise, Proposal, Side, Slot
from moot.protocols.persuasion.position import Dialogue
from moot.protocols.persuasion.record import Offers
from moot.protocols.persuasion.wording import named_id, normal_form

MOST_PREMISES = 2
"""A move answers one proposition. Who may say four at once wins by what nobody has the turns to answer."""
_ACTS: dict[Slot, frozenset[Act]] = {
    "open": frozenset({"claim"}),
    "answer": frozenset({"claim", "why"}),
    "argue": frozenset({"since", "claim", "why"}),
    "attack": frozenset({"since", "claim", "why"}),
    "defend": frozenset({"since", "claim", "why", "concede", "retract"}),
    "again": frozenset({"since", "claim", "why", "concede", "retract"}),
    "closing": frozenset({"concede", "retract"}),
}
_TURNS_NEEDED: dict[Act, int] = {"claim": 2, "why": 1}
"""The turns that must be left after a move that asks for an answer: a claim may be questioned, and that answered."""


_ASSERTING: tuple[Act, ...] = ("claim", "why", "since")
_GIVING_WAY: tuple[Act, ...] = ("concede", "retract")


def legal_moves(dialogue: Dialogue, speaker: Side) -> list[Option]:
    """The options of the speaker; empty if it is not their turn, or if they could only give way before the closing."""
    return [*_possible(dialogue, speaker)] if may_move(dialogue, speaker) else []


def may_move(dialogue: Dialogue, speaker: Side) -> bool:
    """Whether the speaker has any option."""
    first, place = next(_possible(dialogue, speaker), None), dialogue.place
    return first is not None and (first.act in _ASSERTING or (place is not None and place[2] == "closing"))


def _possible(dialogue: Dialogue, speaker: Side) -> Iterator[Option]:
    """What the turn and the table of acts allow; what gives way comes last."""
    acts = _acts(dialogue, speaker)
    if acts == _ACTS["open"]:
        yield Option("claim", None, ROOT)
    elif acts:
        offers = _offers(dialogue)
        for act in (one for one in (*_ASSERTING, *_GIVING_WAY) if one in acts):
            for options in offers[speaker, act].values():
                yield from options


def _acts(dialogue: Dialogue, speaker: Side) -> frozenset[Act]:
    """The acts that the turn allows."""
    place = dialogue.place
    if dialogue.ended or place is None or place[1] != speaker:
        return frozenset()
    if place[2] == "argue" and not dialogue.backed("PRO", ROOT):
        return frozenset({"since"})
    return frozenset(act for act in _ACTS[place[2]] if dialogue.turns_left >= _TURNS_NEEDED.get(act, -2))


def _offers(dialogue: Dialogue) -> Offers:
    """What may be said about each proposition, by speaker and act: worked out anew only where a move changed it."""
    known, stale = dialogue.offers
    if stale or not known:
        fresh = {(side, act): {**known.get((side, act), {})} for side in OTHER for act in (*_ASSERTING, *_GIVING_WAY)}
        # In their order, so that what is new comes last.
        for one in sorted(stale, key=lambda one: int(one[1:])):
            for side in OTHER:
                found = [*_about_theirs(dialogue, side, one), *_about_own(dialogue, side, one)]
                for act in (*_ASSERTING, *_GIVING_WAY):
                    options = tuple(option for option in found if option.act == act)
                    if options or one in fresh[side, act]:
                        fresh[side, act][one] = options
        known = fresh
        dialogue.__dict__["offers"] = known, frozenset[str]()
    return known


def _about_theirs(dialogue: Dialogue, speaker: Side, one: str) -> Iterator[Option]:
    other = OTHER[speaker]
    said_in = dialogue.put_in.get((other, one))
    if said_in is None or one in dialogue.stores[speaker]:
        return
    yield Option("claim", said_in, one, "rebut")
    for step in dialogue.record.steps.get((other, one), ()):
        if dialogue.left_of(step):
            yield Option("claim", step.id, one, "undercut")
    if dialogue.can_be_asked(other, one):
        yield Option("why", said_in, one)
    yield Option("concede", said_in, one)


def _about_own(dialogue: Dialogue, speaker: Side, one: str) -> Iterator[Option]:
    if one not in dialogue.stores[speaker]:
        return
    challenges = dialogue.challenges(speaker, one)
    # A question that is open is answered first, else what was said last.
    answered = [challenge.id for challenge in challenges if challenge.attack != "undercut"]
    first = 0 if dialogue.owes(speaker, one) else -1
    if answered:
        yield Option("since", answered[first], one)
    elif (speaker, one) in dialogue.record.claims and not challenges and not dialogue.backed(speaker, one):
        yield Option("since", None, one)
    if challenges:
        yield Option("retract", challenges[first].id, one)


def _is_legal(dialogue: Dialogue, speaker: Side, option: Option) -> bool:
    acts = _acts(dialogue, speaker)
    if not dialogue.moves or option.act not in acts:
        return option in legal_moves(dialogue, speaker)
    return option in _offers(dialogue)[speaker, option.act].get(option.about, ())


def check(dialogue: Dialogue, speaker: Side, proposal: Proposal) -> str | None:
    """The fault of a move, in words for its speaker; None if it is legal."""
    option = proposal.option
    if not _is_legal(dialogue, speaker, option):
        legal = "; ".join(one.label for one in legal_moves(dialogue, speaker))
        return f"“{option.label}” is not a legal move here; these are: {legal or 'none'}"
    texts = " ".join([proposal.content, *(one.content for one in proposal.premises)])
    if unknown := next((one for one in re.findall(r"[\[［【]([KD]\d+)", texts) if one not in dialogue.facts), None):
        return f"{unknown} is not in the shared context, and only what is there can be cited"
    if not normal_form(proposal.content):
        return "the move says nothing"
    if option.act == "since":
        return _check_premises(dialogue, speaker, proposal) or repeated(dialogue, speaker, proposal)
    if proposal.premises:
        return "only a move with `since` gives premises"
    if option.act != "claim":
        return None
    return repeated(dialogue, speaker, proposal) or _check_claim(dialogue, speaker, proposal)


def mended(dialogue: Dialogue, speaker: Side, proposal: Proposal) -> Proposal:
    """The move that a proposal means, whatever its form. A `since` has two of its premises at the most that can be
    reasons for its conclusion, new ones before others; if there are none, its words are reasons, a line each."""
    option = proposal.option
    if option.act != "since":
        return replace(proposal, premises=())
    lines = [Premise(line.strip()) for line in proposal.content.splitlines() if normal_form(line)]
    given = dialogue.reasons(speaker, option.about)
    for premises in (proposal.premises, lines):
        sound = [one for one in premises if _check_premise(dialogue, option.about, one.content) is None]
        if sound:
            sound.sort(key=lambda one: dialogue.find(dialogue.meant(one.content)) in given)
            return replace(proposal, premises=tuple(sound[:MOST_PREMISES]))
    return replace(proposal, premises=proposal.premises or tuple(lines))


def repeated(dialogue: Dialogue, speaker: Side, proposal: Proposal) -> str | None:
    """What a move says again, in words, if it says nothing else: reasons that its speaker has given, an attack that it
    has made, or what it is to be against."""
    option = proposal.option
    if option.act == "since":
        said = {dialogue.find(dialogue.meant(one.content)) for one in proposal.premises}
        is_old = said <= dialogue.reasons(speaker, option.about)
        return f"it gives the reasons for {option.about} again that were given" if is_old else None
    known = dialogue.find(claimed(dialogue, speaker, proposal)) if option.attack else None
    if known is None:
        return None
    if known == option.about:
        return f"it says {known} again, which it is to be against"
    same = [one for one in dialogue.attacks_by(known, option.about) if one.side == speaker]
    made = next((one.id for one in same if (one.attack, one.target) == (option.attack, option.target)), None)
    return f"that was said already, in {made}" if made else None


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
    return _check_attack(dialogue, speaker, option, known) or _check_clash(dialogue, known, dialogue.stores[speaker])


def _check_root(dialogue: Dialogue, speaker: Side, option: Option, text: str) -> str | None:
    """φ and ¬φ deny each other. Neither can undercut a step or attack anything else."""
    is_topic = dialogue.same(text, dialogue.topic)
    if not is_topic and not dialogue.same(text, dialogue.denial):
        return None
    if is_topic != (speaker == "PRO"):
        return "that is what the other side stands for"
    if option.attack == "undercut":
        return "that denies the conclusion; an undercut says why it does not follow from its premises"
    return None if option.about in dialogue.roots else "what is under debate cannot be a reason against something else"


def _check_attack(dialogue: Dialogue, speaker: Side, option: Option, known: str) -> str | None:
    """An argument attacks another in only one way. It must not be conceded by the other side, and must not be a reason
    for its target, directly or indirectly."""
    target = option.about
    if target in _resting_on(dialogue, known):
        return f"{known} was given as a reason for {target}: it cannot be set against it"
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
        return f"`since` needs one or {MOST_PREMISES} premises"
    for premise in proposal.premises:
        if wrong := _check_premise(dialogue, conclusion, premise.content):
            return wrong
    meant = [dialogue.meant(premise.content) for premise in proposal.premises]
    resolved = [dialogue.find(one) or one for one in meant]
    held = {*dialogue.stores[speaker], conclusion, *resolved}
    return next(filter(None, (_check_clash(dialogue, one, held) for one in resolved)), None)


def _check_premise(dialogue: Dialogue, conclusion: str, content: str) -> str | None:
    if not normal_form(content):
        return "a premise says nothing"
    if wrong := _check_id(dialogue, content):
        return wrong
    meant = dialogue.meant(content)
    known = dialogue.find(meant)
    if any(dialogue.same(meant, root) for root in (dialogue.topic, dialogue.denial)):
        return "what is under debate cannot be a reason"
    if known is None:
        return None
    if known == conclusion or known in _resting_on(dialogue, conclusion):
        return f"{known} cannot be a reason for {conclusion}: it is that, or rests on it"
    return _check_sides(dialogue, known, conclusion)


def _check_sides(dialogue: Dialogue, premise: str, conclusion: str) -> str | None:
    """An argument against a proposition cannot be a reason for it, directly or indirectly."""
    for one in (premise, *sorted(_reasons_for(dialogue, premise))):
        for target in (conclusion, *sorted(_resting_on(dialogue, conclusion))):
            if dialogue.attacks_by(one, target):
                return f"{one} was put forward against {target}: it cannot be a reason for it"
    return None


def _check_id(dialogue: Dialogue, content: str) -> str | None:
    """A text that is only an id means the proposition or fact with this id, which has to be on record."""
    named = named_id(content)
    if named is None or named in dialogue.facts or named in dialogue.propositions:
        return None
    if named[0] == "K":
        return f"{named} is not in the shared context, and only what is there can be cited"
    return f"{named} is no proposition on record"


def _resting_on(dialogue: Dialogue, proposition: str) -> set[str]:
    """Everything that was ever concluded from a proposition, directly or indirectly."""
    uses = dialogue.record.uses
    return _reached(proposition, lambda one: (move.proposition for side in OTHER for move in uses.get((side, one), ())))


def _reasons_for(dialogue: Dialogue, proposition: str) -> set[str]:
    """Everything that was ever given as a reason for a proposition, directly or indirectly."""
    steps = dialogue.record.steps
    return _reached(
        proposition,
        lambda one: (premise for side in OTHER for move in steps.get((side, one), ()) for premise in move.premises),
    )


def _reached(start: str, next_to: Callable[[str], Iterable[str]]) -> set[str]:
    found, fresh = set[str](), {start}
    while fresh:
        fresh = {other for one in fresh for other in next_to(one)} - found
        found |= fresh
    return found


def claimed(dialogue: Dialogue, speaker: Side, proposal: Proposal) -> str:
    """The text of a claim. The two sides of the debate are worded by the topic, not by the speakers."""
    if proposal.option.attack is None:
        return dialogue.topic
    denies = speaker == "OPP" and proposal.option.about == ROOT and proposal.option.attack == "rebut"
    return dialogue.denial if denies and dialogue.counter_root is None else dialogue.meant(proposal.content)
