"""Versions of one debate that differ in one property each: the sides, the speaking order, the wording of the claim.

Holding a debate again with the sides exchanged separates the strength of a persona from the advantage of a side. The
same goes for the order, and for the wording of the claim.
"""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from moot.engine.define.registry import get_protocol
from moot.engine.define.study import PLAIN, Answer, Content, Study, Variation
from moot.errors import ConfigError


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


def versions(content: Content, answer: Answer | None, design: Design) -> list[Version]:
    """The debate itself first, then all combinations of what the design varies."""
    flags = {"sides": design.swap_sides, "order": design.swap_order, "claim": design.reverse_claim}
    varied = [name for name, wanted in flags.items() if wanted]
    if not varied:
        return [Version(content, answer, {})]
    protocol = get_protocol(content["protocol"])
    study = protocol.get(Study) or PLAIN
    if study.vary is None:
        raise ConfigError(f"the protocol {protocol.name} has no two sides that could be exchanged or reversed")
    return [
        _version(content, answer, study.vary, dict.fromkeys(varied, "given") | choice) for choice in _choices(varied)
    ]


def _choices(varied: list[str]) -> list[dict[str, str]]:
    turned = {"sides": "swapped", "order": "swapped", "claim": "reversed"}
    return [
        {name: turned[name] if chosen else "given" for name, chosen in zip(varied, choice, strict=True)}
        for choice in itertools.product((False, True), repeat=len(varied))
    ]


def _version(
    content: Content,
    answer: Answer | None,
    vary: Callable[[Content, Mapping[Variation, bool]], Content],
    marks: dict[str, str],
) -> Version:
    changes: dict[Any, bool] = {name: mark != "given" for name, mark in marks.items()}
    if changes.get("claim"):
        answer = not answer if isinstance(answer, bool) else answer
    return Version(vary(content, changes), answer, marks)
