"""The rules by which a panel's votes are counted again, as people write them: `threshold=0.75,weights=equal`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from moot.api import KeyFault

HOW = "threshold=SHARE, validators=N, weights=equal or PERSONA=WEIGHT"
LARGEST_WEIGHT = 1000


@dataclass(frozen=True, slots=True)
class PanelRule:
    """What it takes to carry. With `equal`, everybody has one vote; `weights` are for single personas."""

    threshold: Decimal
    required_validators: int
    equal: bool = False
    weights: dict[str, Decimal] = field(default_factory=dict)

    def weight_of(self, persona: str, weight: str) -> Decimal:
        """What a vote of that weight weighs under this rule."""
        return self.weights.get(persona, Decimal(1) if self.equal else Decimal(weight))


def parse_rule(rule: str, threshold: str, required_validators: int, personas: Sequence[str]) -> PanelRule:
    """The rule; settings that it does not mention stay the same. ValueError if it is not a rule."""
    share, validators, equal = Decimal(threshold), required_validators, False
    weights: dict[str, Decimal] = {}
    for part in rule.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        persona = next((seat for seat in personas if seat.casefold() == name.casefold()), None)
        if not (name and equals and value):
            raise KeyFault("rules", f"{part.strip()!r} is no rule for the votes of a panel; there are {HOW}")
        if name == "threshold":
            share = _number(value, 1, part)
        elif name == "validators" and value.isdecimal() and int(value) <= len(personas):
            validators = int(value)
        elif name == "weights" and value == "equal":
            equal = True
        elif persona is not None:
            weights[persona] = _number(value, LARGEST_WEIGHT, part)
        else:
            raise KeyFault(
                "rules", f"{part.strip()!r} is no rule here; there are {HOW}; the panel is {', '.join(personas)}"
            )
    return PanelRule(share, validators, equal, weights)


def _number(value: str, most: int, part: str) -> Decimal:
    try:
        number = Decimal(value)
    except InvalidOperation:
        number = Decimal(-1)
    if not (number.is_finite() and 0 <= number <= most):
        raise KeyFault("rules", f"{part.strip()!r} should be a number from 0 to {most}")
    return number
