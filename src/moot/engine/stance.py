"""The position of a speaker in a few words, which keep a small model on its side and from repeating itself.

Found by experiment; docs/design/small-models.md lists what else was tried. Full prompts do not use it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from moot.record.payloads import Side
from moot.text.claims import denial_of, in_words
from moot.text.language import ends_sentence, language_of

_CHOICE = r"The (?:better choice|right answer) is (?P<mine>.+), not (?P<other>.+)"
_YES = r"The answer to the question “(.*)\?” is yes\."
_PREDICATE = r"(?:an?|the|better|best|worse|worst|more|less|good|bad|right|wrong|worth|too|still)\b"
_SEVERAL = r"(?:(?:an?|the) )?(?!(?:an?|the)\b)[^\s,;:?]+(?: (?!(?:to|of|for|in|on|at|by|with)\b)[^\s,;:?]+)?"
_ASKED = re.compile(
    rf"(?!.*\b(?:ever|always|never|really|just|only|what|who|which|how)\b)(?P<verb>is|are) "
    rf"(?:(?P<subject>(?:(?:an?|the) )?(?!(?:an?|the)\b)[^,;:?]+?) (?P<rest>{_PREDICATE}[^?]*)"
    rf"|(?P<short>{_SEVERAL}) (?P<last>[^\s,;:?]+))",
    re.IGNORECASE,
)
"""A question whose answer can be said as a sentence: the predicate begins with such a word, or is the last word after
one or two."""
_OBJECT = {"we": "us", "i": "me", "they": "them", "he": "him", "she": "her"}
_GOOD = ("help", "improve", "protect", "strengthen", "save", "support", "give new life to")
_BAD = ("hurt", "damage", "weaken", "endanger", "cost", "slow down", "take something from")
_GAINS = (
    "The first to gain would be",
    "Picture it done: it would {verb}",
    "What wins me over is that it would {verb}",
    "In everyday life it would {verb}",
    "Think of those who come after us: it would {verb}",
)
_LOSSES = (
    "The first to suffer would be",
    "Picture it done: it would {verb}",
    "What worries me is that it would {verb}",
    "In everyday life it would {verb}",
    "Nobody speaks of the price: it would {verb}",
)
_PLAIN = (
    "{belief} because",
    "Everyday life shows it:",
    "The plainest proof is that",
    "What settles it for me is that",
    "Look closer, and you find that",
)
_CHOSEN = (
    "What speaks for {mine} is that",
    "The trouble with {other} is that",
    "Those who know {mine} say that",
    "In everyday use {mine}",
    "Whoever starts with {other} soon finds that",
)
_PLANS = ("My best reason is that it would {verb}", "Above all, it would {verb}", "I shall say that it would {verb}")
_SECOND_THOUGHTS = ("Besides, it would {verb}", "I could add that it would {verb}", "There is more: it would {verb}")
_PLAIN_PLANS = ("My best reason is that", "Above all,", "I shall say that")
_PLAIN_SECOND_THOUGHTS = ("Besides,", "I could add that", "There is more:")
_CHOSEN_PLANS = ("My best reason for {mine} is that", "Above all, {mine}", "I shall say that {mine}")
_CHOSEN_SECOND_THOUGHTS = ("Besides, {mine}", "I could add that {mine}", "There is more: {mine}")
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
_LAST_WORDS = (
    "Let me end with what matters most.",
    "One thing stands after all this.",
    "It all comes down to this.",
)
_WEIGHED = (
    "The strongest point of {speaker} is that",
    "The weakest point of {speaker} is that",
    "What {speaker} leaves open is",
    "What {speaker} adds here is that",
)


@dataclass(frozen=True, slots=True)
class Stance:
    """The position of a speaker and the opponent's, at turn `number` of the debate; 0 is before the first. The wording
    depends on the names of both, and changes from turn to turn and when the speaker is asked again."""

    premise: str | None
    side: Side | None
    opponent: str = ""
    number: int = 0
    speaker: str = ""
    again: int = 0

    def words(self) -> dict[str, str]:
        """The words for short prompts and first words at that turn. English first words are not used for a claim in
        another language."""
        belief, says = conviction(self.premise, self.side)
        said = {
            "belief": belief,
            "sure": f"You are sure of this: {belief}.",
            "lead": "your best reason",
            "why": f"why: {belief}",
        }
        if language_of(self.premise or "") == "other":
            begun = ("first_reason", "second_reason", "opening_reason", "reason", "next_reason")
            return {**said, **dict.fromkeys((*begun, "doubt", "retort", "last_word"), "")}
        choice = re.fullmatch(_CHOICE, belief, re.DOTALL)
        wishes = choice is None and re.search(r"\b(should|must|want)\b", belief) is not None
        against = re.search(r"\bnot\b", belief) is not None
        verbs = _BAD if against else _GOOD
        options = choice.groupdict() if choice else {}
        plans, second_thoughts, reasons = (
            (_CHOSEN_PLANS, _CHOSEN_SECOND_THOUGHTS, _CHOSEN)
            if choice
            else (_PLANS, _SECOND_THOUGHTS, _LOSSES if against else _GAINS)
            if wishes
            else (_PLAIN_PLANS, _PLAIN_SECOND_THOUGHTS, _PLAIN)
        )

        def put(phrases: tuple[str, ...], later: int = 0) -> str:
            return self._one_of(phrases, later).format(
                verb=self._one_of(verbs, later), belief=says, opponent=self.opponent, **options
            )

        outright = f"{says} because that would {self._one_of(verbs)}" if wishes else f"{says} because"
        return {
            **said,
            "first_reason": put(plans),
            "second_reason": put(second_thoughts, 1),
            "opening_reason": outright,
            # Each speaker states the position outright at first: a small model that never does drifts to the other
            # side.
            "reason": outright if self.number <= 2 and not self.again else put(reasons),
            "next_reason": put(reasons, 2),
            "doubt": put(_DOUBTS),
            "retort": put(_RETORTS),
            "last_word": put(_LAST_WORDS),
        }

    def reworded(self) -> "Stance":
        """The same in other words."""
        return replace(self, again=self.again + 1)

    def _one_of(self, phrases: tuple[str, ...], later: int = 0) -> str:
        # The names of both, so that two speakers never begin alike in turns that follow each other.
        cast = sum(map(ord, self.speaker + self.opponent))
        turn = self.number or int(self.side == "against")
        return phrases[(cast + turn + later + self.again) % len(phrases)]


def weighing(speaker: str, number: int) -> str:
    """How a judge begins to assess a speaker's statement at that turn."""
    return _WEIGHED[number % len(_WEIGHED)].format(speaker=speaker)


def both_sides(
    topic: str, premise: str | None, sides: Mapping[str, Side | None], held: Mapping[str, str] | None = None
) -> str:
    """The subject and the sides in a few words, for judges. `sides` are in the order of speaking; `held` is what each
    holds, where they debate a choice."""
    first, second = sides
    asked = f"{first} and {second} debate this question: {as_sentence(topic)}"
    if held:
        return f"{asked} {first} says: {held[first]}. {second} says: {held[second]}."
    if premise is None or sides[first] is None:
        return f"{asked} {first} gives an answer, and {second} disagrees."
    pro, con = (first, second) if sides[first] == "for" else (second, first)
    if re.fullmatch(_YES, premise.strip(), re.DOTALL):
        return f"{asked} {pro} says yes, {con} says no."
    return f"{first} and {second} debate this: {as_sentence(premise)} {pro} is for it, {con} is against it."


def as_sentence(claim: str) -> str:
    """A claim for a short prompt, in words and with its full stop."""
    claim = in_words(claim.strip())
    return claim if ends_sentence(claim) else f"{claim}."


def conviction(premise: str | None, side: Side | None) -> tuple[str, str]:
    """A side as a sentence without its full stop, and the beginning of a statement for it.

    A side that is stated outright, or denied outright, is kept; "I am against this because" drifts to the other side
    within a sentence.
    """
    if premise is None or side is None:
        return "my side is right", "My side is right"
    claim, agrees = premise.strip().rstrip(".!"), side == "for"
    if asked := re.fullmatch(_YES, f"{claim}.", re.DOTALL):
        if wish := re.fullmatch(r"should (\S+) (.+)", asked[1], re.IGNORECASE | re.DOTALL):
            claim = f"I {'' if agrees else 'do not '}want to see {_OBJECT.get(wish[1].lower(), wish[1])} {wish[2]}"
            return claim, claim
        if stated := _ASKED.fullmatch(asked[1]):
            subject, rest = stated["subject"] or stated["short"], stated["rest"] or stated["last"]
            said = f"{subject} {stated['verb'].lower()} {rest}"
            return conviction(f"{said[0].upper()}{said[1:]}.", side)
        answer = "yes" if agrees else "no"
        return f"The answer to '{asked[1]}?' is {answer}", f"{answer.capitalize()},"
    belief = in_words(claim if agrees else denial_of(claim)).rstrip(".")
    return belief, belief
