"""What a speaker holds, and first words of replies, which keep a small model on its side and from repeating itself.

Found by experiment; docs/design/small-models.md lists what else was tried. Full prompts do not use it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from moot.record.payloads import Side
from moot.text.language import ends_sentence

_REASONS = (
    "{belief} because",
    "Everyday life shows it:",
    "The plainest proof is that",
    "What settles it for me is that",
    "Look closer, and you find that",
)
_RETORTS = (
    "I see it differently.",
    "{opponent} is wrong.",
    "That does not convince me.",
    "{opponent} misses the point.",
    "Not so fast, {opponent}.",
)
_DOUBTS = (
    "The weak point is that",
    "{opponent} forgets that",
    "{opponent} does not see that",
    "What is missing there is",
    "I would ask {opponent} whether",
)
_WEIGHED = (
    "The strongest point of {speaker} is that",
    "The weakest point of {speaker} is that",
    "What {speaker} leaves open is",
    "What {speaker} adds here is that",
)


@dataclass(frozen=True, slots=True)
class Stance:
    """What a speaker holds, at turn `number` of the debate; 0 is before the first. The wording depends on the names of
    both speakers, and changes from turn to turn and when the speaker is asked again."""

    holds: str | None
    opponent: str = ""
    number: int = 0
    speaker: str = ""
    again: int = 0

    def words(self) -> dict[str, str]:
        """The words for short prompts and first words at that turn."""
        belief = (self.holds or "my side is right").strip().rstrip(".")

        outright = f"{belief} because"
        return {
            "belief": belief,
            "sure": f"You are sure of this: {belief}.",
            "lead": "your best reason",
            "why": f"why: {belief}",
            "first_reason": "My best reason is that",
            "second_reason": "Besides,",
            "opening_reason": outright,
            # Each speaker states the position outright at first: a small model that never does drifts to the other
            # side.
            "reason": outright if self.number <= 2 and not self.again else self._one_of(_REASONS, belief),
            "next_reason": self._one_of(_REASONS, belief, later=2),
            "doubt": self._one_of(_DOUBTS, belief),
            "retort": self._one_of(_RETORTS, belief),
            "last_word": "It all comes down to this.",
        }

    def reworded(self) -> "Stance":
        """The same in other words."""
        return replace(self, again=self.again + 1)

    def _one_of(self, phrases: tuple[str, ...], belief: str, later: int = 0) -> str:
        # The names of both, so that two speakers never begin alike in turns that follow each other.
        cast = sum(map(ord, self.speaker + self.opponent))
        phrase = phrases[(cast + self.number + later + self.again) % len(phrases)]
        return phrase.format(belief=belief, opponent=self.opponent)


def weighing(speaker: str, number: int) -> str:
    """How a judge begins to assess a speaker's statement at that turn."""
    return _WEIGHED[number % len(_WEIGHED)].format(speaker=speaker)


def both_sides(
    topic: str, claim: str | None, sides: Mapping[str, Side | None], held: Mapping[str, str] | None = None
) -> str:
    """The subject and the sides in a few words, for judges. `sides` are in the order of speaking; `held` is what each
    holds, where they debate a choice."""
    first, second = sides
    asked = f"{first} and {second} debate this question: {as_sentence(topic)}"
    if held:
        return f"{asked} {first} says: {held[first]}. {second} says: {held[second]}."
    if claim is None or sides[first] is None:
        return f"{asked} {first} gives an answer, and {second} disagrees."
    pro, con = (first, second) if sides[first] == "for" else (second, first)
    return f"{first} and {second} debate this: {as_sentence(claim)} {pro} is for it, {con} is against it."


def as_sentence(claim: str) -> str:
    """A claim for a short prompt, with its full stop."""
    claim = claim.strip()
    return claim if ends_sentence(claim) else f"{claim}."
