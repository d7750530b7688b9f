"""Persuasion dialogues as games, move by move and without models."""

import random
from collections.abc import Callable, Mapping
from string import ascii_lowercase

from moot.protocols.persuasion.dialogue import apply, finished, passed
from moot.protocols.persuasion.legal import check, legal_moves
from moot.protocols.persuasion.moves import Option, Premise, Proposal
from moot.protocols.persuasion.position import Dialogue

FACTS = {"K1": "The tests take an hour.", "K2": "Two people know the module."}


def start(rounds: int = 2, facts: dict[str, str] | None = None) -> Dialogue:
    return Dialogue("We should rewrite it.", "We should not rewrite it.", rounds, FACTS if facts is None else facts)


def option(dialogue: Dialogue, label: str) -> Option:
    """The legal option so labelled; what comes after a comma may be left out."""
    assert dialogue.place is not None
    found = legal_moves(dialogue, dialogue.place[1])
    matches = [one for one in found if label in (one.label, one.label.partition(",")[0])]
    assert matches, f"{label} is not among {[one.label for one in found]}"
    return matches[0]


def say(
    dialogue: Dialogue, label: str, *premises: str | Premise, text: str = "", evidence: str = "", irrelevant: str = ""
) -> Dialogue:
    """Make that move. The moderator found that the `irrelevant` facts do not bear on the claim."""
    given = tuple(one if isinstance(one, Premise) else Premise(one) for one in premises)
    cited = (*evidence.split(), *irrelevant.split())
    unfit = frozenset((0, one) for one in irrelevant.split())
    return apply(dialogue, Proposal(option(dialogue, label), text or f"Words for {label}.", given, cited, unfit))


def after_reasons(*premises: str) -> Dialogue:
    game = say(say(start(), "claim A1"), "rebut A1")
    return say(game, "since A1", *(premises or ("It is slow.", "Nobody knows it.")))


def to_the_end(game: Dialogue) -> Dialogue:
    """The rest of the dialogue is passed over."""
    while game.place and not game.ended:
        game = passed(game)
    return finished(game)


def proposal_for(game: Dialogue, chosen: Option, lot: random.Random) -> Proposal:
    """A way to make that move, by lot: new words, known words, the two positions, facts and propositions. It can be
    illegal."""
    facts, known = sorted(game.facts), list(game.propositions)
    cited = tuple(lot.sample(facts, lot.randrange(len(facts) + 1)))
    irrelevant = frozenset((lot.randrange(5), one) for one in cited)
    new = (
        f"{lot.choice(('The tests', 'People', 'Taxes', 'Unicorns'))} say {''.join(lot.choices(ascii_lowercase, k=8))}."
    )
    if chosen.act != "since":
        texts = [new, new, "It is slow.", "It is fast.", "The tests are slow.", game.denial]
        texts += [game.propositions[one].content for one in known]
        return Proposal(chosen, lot.choice(texts), (), cited if chosen.act == "claim" else (), irrelevant)
    words = [new, f"In other words, {new}", *facts, *known[1:], "It is slow.", "It is fast."]
    premises = tuple(Premise(lot.choice(words), cited) for _ in range(lot.randint(1, 4)))
    return Proposal(chosen, "So it is.", premises, irrelevant=irrelevant)


def play_at_random(lot: random.Random, rounds: int, facts: dict[str, str]) -> Dialogue:
    """A whole dialogue of legal moves by lot, with a forfeited turn now and then. The roots are given up in few of
    them, so that most are long."""
    game, keen = start(rounds, facts), lot.random() < 0.8
    while game.place is not None and not game.ended:
        _, side, slot = game.place
        offered = legal_moves(game, side)
        if keen:
            offered = [one for one in offered if one.act in ("claim", "since", "why") or one.about not in game.roots]
        proposals = (proposal_for(game, lot.choice(offered), lot) for _ in range(8 if offered else 0))
        legal = next((one for one in proposals if check(game, side, one) is None), None)
        if legal is None or lot.random() < 0.05:
            game = passed(game)
            continue
        game = apply(game, legal)
        if slot == "closing" and lot.random() < 0.5:
            game = passed(game)
    return finished(game)


Player = Callable[[Dialogue, list[Option]], Proposal | None]
"""What a side says in a position with these options; None passes."""


def played(rounds: int, facts: Mapping[str, str], pro: Player, opp: Player) -> Dialogue:
    """A whole dialogue between these players. What they say against the rules costs them the turn."""
    game = start(rounds, dict(facts))
    while game.place is not None and not game.ended:
        side = game.place[1]
        offered = legal_moves(game, side)
        said = (pro if side == "PRO" else opp)(game, offered) if offered else None
        game = passed(game) if said is None or check(game, side, said) else apply(game, said)
    return finished(game)


def words(game: Dialogue, about: str) -> str:
    """Words that nobody has said yet."""
    return f"Number {len(game.moves)} on {about}."


def reasons(game: Dialogue, chosen: Option, count: int) -> Proposal:
    texts = tuple(Premise(f"Reason {number} of {words(game, chosen.about)}") for number in range(count))
    return Proposal(chosen, words(game, chosen.about), texts)


def asker(game: Dialogue, offered: list[Option]) -> Proposal | None:
    """Asks why of whatever it can, and says nothing else."""
    return next((Proposal(one, "Why?") for one in offered if one.act == "why"), None)


def rebutter(*about: str) -> Player:
    """Denies these again and again, and gives no reason for anything."""

    def player(game: Dialogue, offered: list[Option]) -> Proposal | None:
        denials = [one for one in offered if one.attack == "rebut"]
        chosen = [one for one in denials if one.about in about] or denials
        return Proposal(chosen[0], words(game, chosen[0].about)) if chosen else None

    return player


def reasoner(count: int, *, answers: bool = True, asks: bool = False) -> Player:
    """Opens and gives reasons for its position, so many at once. It answers questions, and asks about attacks, or it
    does not."""

    def player(game: Dialogue, offered: list[Option]) -> Proposal | None:
        steps = [one for one in offered if one.act == "since"]
        own = [one for one in steps if one.about in game.roots]
        owed = [one for one in steps if one.about not in game.roots and game.by_id[one.target or "P1"].act == "why"]
        bare = [one for one in own if not game.backed("PRO" if one.about == "A1" else "OPP", one.about)]
        if bare:
            return reasons(game, bare[0], count)
        if answers and owed:
            return reasons(game, owed[0], 1)
        if asks and (doubt := asker(game, offered)):
            return doubt
        if offered[0].act == "claim" and (offered[0].target is None or offered[0].about == "A1"):
            return Proposal(offered[0], words(game, "it"))
        return reasons(game, own[0], count) if own and answers else None

    return player
