"""Versions of one debate that differ in one thing each: who takes which side, who speaks first, how the claim is put.

Held with the sides exchanged, a persona's strength and a side's advantage can be told apart; likewise for the order,
and for the wording of the premise.
"""

import itertools
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from moot.errors import ConfigError
from moot.protocols.claims import denial_of, premise_of

Content = dict[str, Any]
Answer = str | bool
OTHER = {"for": "against", "against": "for"}


@dataclass(frozen=True, slots=True)
class Design:
    """Each adds, to every debate, one that is the same but for this."""

    swap_sides: bool = False
    swap_order: bool = False
    reverse_premise: bool = False


@dataclass(frozen=True, slots=True)
class Version:
    """`marks` tells for each thing that the design varies whether it is as given or not."""

    content: Content
    answer: Answer | None
    marks: dict[str, str]


def versions(content: Content, answer: Answer | None, design: Design) -> list[Version]:
    """The debate itself first, then with everything that the design varies, in every combination."""
    flags = {"sides": design.swap_sides, "order": design.swap_order, "premise": design.reverse_premise}
    varied = [name for name, wanted in flags.items() if wanted]
    if not varied:
        return [Version(content, answer, {})]
    protocol = content["protocol"]
    if protocol not in ("duel", "persuasion"):
        raise ConfigError(f"the protocol {protocol} has no two sides that could be exchanged or reversed")
    if protocol == "persuasion" and design.swap_order:
        raise ConfigError("the order of a persuasion dialogue is part of its rules and cannot be swapped")
    return [_version(content, answer, dict.fromkeys(varied, "given") | changed) for changed in _choices(varied)]


def _choices(varied: list[str]) -> list[dict[str, str]]:
    turned = {"sides": "swapped", "order": "swapped", "premise": "reversed"}
    return [
        {name: turned[name] if chosen else "given" for name, chosen in zip(varied, choice, strict=True)}
        for choice in itertools.product((False, True), repeat=len(varied))
    ]


def _version(content: Content, answer: Answer | None, marks: dict[str, str]) -> Version:
    debate = _Duel.of(content) if content["protocol"] == "duel" else _Dialogue.of(content)
    if marks.get("sides") == "swapped":
        debate.swap_sides()
    if marks.get("premise") == "reversed":
        debate.reverse()
        answer = not answer if isinstance(answer, bool) else answer
    if marks.get("order") == "swapped" and isinstance(debate, _Duel):
        debate.swap_order()
    return Version(debate.content, answer, marks)


@dataclass(slots=True)
class _Duel:
    """A duel whose cast, sides and order stand."""

    content: Content
    one: Content
    two: Content

    @classmethod
    def of(cls, content: Content) -> "_Duel":
        made = dict(content)
        seed = made.get("seed", 0)
        pools = made.pop("for", None), made.pop("against", None)
        one, two = made.get("debaters") or (drawn(seed, "for", pools[0]), drawn(seed, "against", pools[1]))
        one, two = dict(one), dict(two)
        if made.get("premise") is not None:
            one["side"] = one.get("side") or OTHER.get(two.get("side") or "", "for")
            two["side"] = OTHER[one["side"]]
        if made.get("order") == "random" and drawn(seed, "order", [False, True]):
            one, two = two, one
        made["order"] = "fixed"
        made["roles"] = _by_name(made.get("roles", {}), {"a": one["name"], "b": two["name"]})
        found = cls(made, one, two)
        found.seat()
        return found

    def swap_sides(self) -> None:
        """The position goes with the side, personality and instructions with the persona."""
        for key in ("side", "position"):
            self.one[key], self.two[key] = self.two.get(key), self.one.get(key)
        self.seat()

    def swap_order(self) -> None:
        self.one, self.two = self.two, self.one
        self.seat()

    def reverse(self) -> None:
        """The denial as the premise: who was for the one is against the other, and holds what it held before."""
        premise = self.content.get("premise")
        if premise is None:
            raise ConfigError("--reverse-premise needs a debate with a `premise`", "premise", missing=True)
        denied = denial_of(premise)
        for debater in (self.one, self.two):
            debater["side"] = OTHER[debater["side"]]
            debater["position"] = REVERSED.format(debater["position"], premise, denied, debater["side"].upper())
        self.content["premise"] = denied
        self.seat()

    def seat(self) -> None:
        """Put both, as they are now, into the config."""
        pair = ({key: value for key, value in one.items() if value is not None} for one in (self.one, self.two))
        self.content["debaters"] = list(pair)


@dataclass(slots=True)
class _Dialogue:
    """A persuasion dialogue, in which the proponent begins."""

    content: Content

    @classmethod
    def of(cls, content: Content) -> "_Dialogue":
        names = {part: content[part]["name"] for part in ("proponent", "opponent")}
        return cls({**content, "roles": _by_name(content.get("roles", {}), names)})

    def swap_sides(self) -> None:
        content = self.content
        content["proponent"], content["opponent"] = content["opponent"], content["proponent"]

    def reverse(self) -> None:
        """The denial as the proposition, and its proponent is who opposed before."""
        self.content["topic"] = denial_of(premise_of(self.content["topic"]) or self.content["topic"])
        self.swap_sides()


def drawn(seed: int, what: str, pool: Any) -> Any:
    """One of a pool, by the lot that the duel itself would draw."""
    return pool[random.Random(f"{seed}/{what}").randrange(len(pool))]  # noqa: S311 (to be repeated, not a secret)


def _by_name(roles: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Models by the names of the cast instead of their parts, since others will have these parts."""
    return {names.get(role.casefold(), role): models for role, models in roles.items()}


REVERSED = (
    "{}\n\nIn this debate the premise is put the other way round. Where your brief speaks of the premise, it means "
    "“{}”; here the premise is “{}”, and you argue {} it. What you hold is the same as before."
)
