"""Persuasion dialogues as games, move by move and without models."""

from moot.protocols.persuasion.dialogue import apply, legal_moves
from moot.protocols.persuasion.moves import Dialogue, Option, Premise, Proposal

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


def say(dialogue: Dialogue, label: str, *premises: str | Premise, text: str = "", evidence: str = "") -> Dialogue:
    given = tuple(one if isinstance(one, Premise) else Premise(one) for one in premises)
    cited = tuple(evidence.split())
    return apply(dialogue, Proposal(option(dialogue, label), text or f"Words for {label}.", given, cited))


def after_reasons(*premises: str) -> Dialogue:
    game = say(say(start(), "claim A1"), "rebut A1")
    return say(game, "since A1", *(premises or ("It is slow.", "Nobody knows it.")))
