"""The findings of a panel: their shapes in replies, their numbers, and what became of them.

Panellists raise findings, and confirm those of others or withdraw their own in later rounds. Validators rule on each:
whether it holds, and which others say the same. All of that is in replies that are asked for anyway.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, create_model

from moot.api import IF_SOUND
from moot.present import GRADES, Finding, Grade, Where
from moot.protocols.panel.config import ABSTAIN
from moot.protocols.panel.payloads import NO_FINDING, FindingRuling, Position, Raised

Line = Annotated[str, Field(json_schema_extra={"maxLength": 1200})]
MOST = 12


@dataclass(frozen=True, slots=True)
class LooksFor:
    """What a panellist is asked about findings: those of a change to `code` have a file and a line; `others` and `own`
    are the numbers of findings so far."""

    code: bool
    others: tuple[str, ...] = ()
    own: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Numbered:
    number: str
    persona: str
    raised: Raised


def finding_fields(looks_for: LooksFor) -> dict[str, Any]:
    """The fields of a position that are about findings."""
    place: dict[str, Any] = {"quote": (Line, "")}
    if looks_for.code:
        place = {"file": (Line, ""), "line": (Annotated[int | None, Field(ge=1)], None), **place}
    item: Any = create_model("Found", **place, claim=(Line, ...), severity=(Grade, ...), change=(Line, ""))

    def that_say_something(given: list[Any]) -> list[Any]:
        """One that only says what to change claims that."""
        told = [one.model_copy(update={"claim": one.claim.strip() or one.change.strip()}) for one in given]
        return [one for one in told if one.claim]

    several = Annotated[
        list[Annotated[item, IF_SOUND]], AfterValidator(that_say_something), Field(json_schema_extra={"maxItems": MOST})
    ]
    fields: dict[str, Any] = {"findings": (several, [])}
    for name, numbers in (("confirms", looks_for.others), ("withdraws", looks_for.own)):
        if numbers:
            fields[name] = (list[Annotated[Literal[numbers], IF_SOUND]], [])  # type: ignore[valid-type]
    return fields


def rulings_on(numbers: tuple[str, ...]) -> Any:
    """The type of a validator's rulings on the findings with these numbers."""
    known: Any = Literal[numbers]
    other: Any = Literal[(NO_FINDING, *numbers)]
    item: Any = create_model(
        "OnFinding", finding=(known, ...), holds=(bool, ...), same_as=(other, NO_FINDING), reason=(Line, "")
    )
    return Annotated[
        list[Annotated[item, IF_SOUND]], Field(json_schema_extra={"minItems": len(numbers), "maxItems": len(numbers)})
    ]


def contradiction(ruling: BaseModel) -> str | None:
    """What speaks against a ruling: an answer that comes to another label."""
    given = ruling.model_dump()
    label, follows = given.get("label"), given.get("follows")
    if label == ABSTAIN or follows in (None, ABSTAIN, label):
        return None
    return f"`answer` comes to {follows}, and your label is {label}. Give the answer that your label bears out"


def numbered(positions: Sequence[tuple[str, Position]]) -> list[Numbered]:
    """Every finding of these positions under its number. Somebody who repeats one word for word has raised it once."""
    found: dict[tuple[str, str, str], Raised] = {}
    for persona, position in positions:
        for one in position.findings:
            found.setdefault((persona, plain(one.claim), plain(one.quote)), one)
    return [Numbered(f"F{place}", key[0], one) for place, (key, one) in enumerate(found.items(), 1)]


def raised_words(one: Raised) -> str:
    """A finding as the panel and readers see it, with the place as it was told."""
    named = one.file + (f":{one.line}" if one.line else "")
    place = " ".join(filter(None, (named, f"“{plain(one.quote)}”" if one.quote.strip() else "")))
    change = f" Fix: {one.change}" if one.change.strip() else ""
    return f"{one.severity}{f', {place}' if place else ''}: {one.claim}{change}"


def ruling_words(one: FindingRuling) -> str:
    same = "" if one.same_as in (NO_FINDING, one.finding) else f", the same as {one.same_as}"
    return f"{one.finding} {'holds' if one.holds else 'does not hold'}{same}. {one.reason}".rstrip()


def plain(text: str) -> str:
    return " ".join(text.split())


def groups_of(numbers: Sequence[str], same: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Group what is equal, given pairs of numbers."""
    group = {number: [number] for number in numbers}
    for one, other in same:
        if group[one] is not group[other]:
            group[one] += group[other]
            for number in group[other]:
                group[number] = group[one]
    return [sorted(group[one], key=place_of) for one in numbers if min(group[one], key=place_of) == one]


def place_of(number: str) -> int:
    return int(number[1:])


def settled(
    positions: Sequence[tuple[str, Position]], rulings: Sequence[tuple[str, Sequence[FindingRuling]]]
) -> list[Finding]:
    """What became of the findings in these positions, after the last rulings of the validators. Those that say the same
    are one. It is withdrawn where every validator who rules on it says that it does not hold or, if none rules on it,
    everybody who raised it withdraws it."""
    known = {finding.number: finding for finding in numbered(positions)}
    ruled = [(who, one) for who, several in rulings for one in several if one.finding in known]
    same = [(one.finding, one.same_as) for _, one in ruled if one.same_as in known]
    return [_merged([known[number] for number in group], positions, ruled) for group in groups_of(list(known), same)]


def _merged(
    group: Sequence[Numbered], positions: Sequence[tuple[str, Position]], ruled: Sequence[tuple[str, FindingRuling]]
) -> Finding:
    gone = {finding.number: _withdrawn_by(finding, positions, ruled) for finding in group}
    standing = [finding for finding in group if not gone[finding.number]] or list(group)
    numbers = {finding.number for finding in standing}
    agreeing = [who for who, position in positions if numbers & {*position.confirms}]
    agreeing += [who for who, one in ruled if one.holds and one.finding in numbers]
    raised_by = list(dict.fromkeys(finding.persona for finding in standing))
    withdrawn = all(gone.values())
    return Finding(
        id=group[0].number,
        claim=plain(standing[0].raised.claim),
        severity=max((finding.raised.severity for finding in standing), key=GRADES.index),
        where=[where for finding in standing if (where := _where(finding.raised))],
        change=next((plain(finding.raised.change) for finding in standing if finding.raised.change.strip()), ""),
        raised_by=raised_by,
        confirmed_by=[who for who in dict.fromkeys(agreeing) if who not in raised_by],
        withdrawn_by=list(dict.fromkeys(who for several in gone.values() for who in several)) if withdrawn else [],
        state="withdrawn" if withdrawn else "open",
    )


def _withdrawn_by(
    one: Numbered, positions: Sequence[tuple[str, Position]], ruled: Sequence[tuple[str, FindingRuling]]
) -> list[str]:
    on_it = [(who, ruling.holds) for who, ruling in ruled if ruling.finding == one.number]
    if on_it:
        return [] if any(holds for _, holds in on_it) else [who for who, _ in on_it]
    return [one.persona] * any(who == one.persona and one.number in said.withdraws for who, said in positions)


def _where(one: Raised) -> Where | None:
    named = Where(file=one.file.strip(), line=one.line, quote=one.quote)
    return named if named != Where() else None
