"""Versions of one debate that differ in one property each: the sides, the speaking order, the wording of the claim.

Holding a debate again with the sides exchanged separates the strength of a persona from the advantage of a side. The
same goes for the order, and for the wording of the claim.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from moot.engine.define.registry import get_protocol
from moot.engine.define.study import PLAIN, Answer, Content, Study, Variation
from moot.errors import ConfigError

TURNED: dict[Variation, str] = {"sides": "swapped", "order": "swapped", "claim": "reversed"}


@dataclass(frozen=True, slots=True)
class Design:
    """Each option adds, to every debate, a version that differs only in this."""

    swap_sides: bool = False
    swap_order: bool = False
    reverse_claim: bool = False


@dataclass(frozen=True, slots=True)
class Version:
    """`marks` says for each property that the design varies whether it is as given or not."""

    content: Content
    answer: Answer | None
    marks: dict[str, str]


def versions(content: Content, answer: Answer | None, design: Design) -> Iterator[Version]:
    """The debate itself first, then all combinations of what the design varies."""
    flags: dict[Variation, bool] = {
        "sides": design.swap_sides,
        "order": design.swap_order,
        "claim": design.reverse_claim,
    }
    varied: list[Variation] = [name for name, wanted in flags.items() if wanted]
    if not varied:
        yield Version(content, answer, {})
        return
    protocol = get_protocol(content["protocol"])
    vary = (protocol.get(Study) or PLAIN).vary
    if vary is None:
        raise ConfigError(f"the protocol {protocol.name} has no two sides that could be exchanged or reversed")
    for choice in itertools.product((False, True), repeat=len(varied)):
        changes = dict.fromkeys(flags, False) | dict(zip(varied, choice, strict=True))
        marks: dict[str, str] = {name: TURNED[name] if changes[name] else "given" for name in varied}
        turned = not answer if changes["claim"] and isinstance(answer, bool) else answer
        yield Version(vary(content, changes), turned, marks)
