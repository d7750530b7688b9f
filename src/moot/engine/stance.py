"""What somebody argues for, in the few words that keep a small model on its side and from saying the same again.

Found by trying; docs/design/small-models.md tells what else was tried. Full prompts use none of this.
"""

import re
from dataclasses import dataclass

from moot.record.payloads import Side
from moot.text.claims import denial_of

_OBJECT = {"we": "us", "i": "me", "they": "them", "he": "him", "she": "her"}
_GOOD = ("help", "improve", "protect", "strengthen", "save", "support")
_BAD = ("hurt", "damage", "weaken", "endanger", "cost", "slow down")
_PLAIN = (
    " because",
    " for a simple reason:",
    " because, in practice,",
    " because of",
    " because people",
    " and everyday life shows it:",
)
_RETORTS = (
    "I see it differently.",
    "{opponent} is wrong.",
    "That does not convince me.",
    "{opponent} misses the point.",
)
_DOUBTS = ("The weak point is that", "{opponent} forgets that", "{opponent} does not see that")
_LAST_WORDS = ("I have listened, and I have not changed my mind.", "Let me end with what matters most.")


@dataclass(frozen=True, slots=True)
class Stance:
    """What somebody argues for, and against whom, at turn `number` of their debate; 0 is before the first."""

    premise: str | None
    side: Side | None
    opponent: str = ""
    number: int = 0

    def words(self) -> dict[str, str]:
        """What short prompts and first words say at that turn."""
        belief, says = conviction(self.premise, self.side)
        number = self.number
        return {
            "belief": belief,
            "first_reason": says + _reason(belief, 0),
            "second_reason": says + _reason(belief, 1),
            "opening_reason": says + _reason(belief, 2),
            "reason": says + _reason(belief, number + 1),
            "next_reason": says + _reason(belief, number + 2),
            "doubt": self._one_of(_DOUBTS),
            "retort": self._one_of(_RETORTS),
            "last_word": self._one_of(_LAST_WORDS),
        }

    def _one_of(self, phrases: tuple[str, ...]) -> str:
        return phrases[self.number % len(phrases)].replace("{opponent}", self.opponent)


def conviction(premise: str | None, side: Side | None) -> tuple[str, str]:
    """A side as a sentence without its full stop, and how a statement of it begins.

    A side that is said outright, and denied outright, is kept; "I am against this because" slides over to the other
    side within a sentence.
    """
    if premise is None or side is None:
        return "my side is right", "My side is right"
    claim, agrees = premise.strip().rstrip(".!"), side == "for"
    if asked := re.fullmatch(r"The answer to the question “(.*)\?” is yes", claim, re.DOTALL):
        if wish := re.fullmatch(r"should (\S+) (.+)", asked[1], re.IGNORECASE | re.DOTALL):
            claim = f"I {'' if agrees else 'do not '}want to see {_OBJECT.get(wish[1].lower(), wish[1])} {wish[2]}"
            return claim, claim
        answer = "yes" if agrees else "no"
        return f"The answer to '{asked[1]}?' is {answer}", f"{answer.capitalize()},"
    belief = claim if agrees else denial_of(claim).rstrip(".")
    return belief, belief


def _reason(belief: str, number: int) -> str:
    """How a sentence goes on after the belief: a verb of the right colour, another one each time."""
    if not re.search(r"\b(should|must|want)\b", belief):
        return _PLAIN[number % len(_PLAIN)]
    verbs = _BAD if re.search(r"\bnot\b", belief) else _GOOD
    return f" because that would {verbs[number % len(verbs)]}"
