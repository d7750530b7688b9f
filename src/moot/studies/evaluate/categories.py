"""Figures by category: how often each method was right, and which design paid for which kind of question."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

if TYPE_CHECKING:
    from moot.studies.evaluate.questions import Row
    from moot.studies.evaluate.summary import Method

Rows = Mapping[str, Mapping[Any, "Row"]]
"""The rows of each method."""


class CategoryFinding(BaseModel):
    """Whether a debate paid on the questions of one category, by tests at `level`, which is that of a debate divided
    by the number of categories. `against` is the baseline that it is least ahead of; shares and difference are over the
    `questions` on which the two can be compared."""

    category: str
    debate: str
    finding: str
    level: float
    against: str | None
    questions: int
    debate_share: float | None
    other_share: float | None
    difference: float | None
    low: float | None
    high: float | None


def categories_in(by_method: Rows) -> dict[str, Rows]:
    """The rows by category, if there are several."""
    names = {row.category: None for found in by_method.values() for row in found.values()}
    if len(names) < 2:
        return {}
    return {
        str(name or "none"): {
            method: {key: row for key, row in found.items() if row.category == name}
            for method, found in by_method.items()
        }
        for name in names
    }


def by_category(by_method: Rows, debates: Sequence[str]) -> "dict[str, list[Method]]":
    """The methods on the questions of each category, if there are several."""
    from moot.studies.evaluate.summary import kind_of, method_of

    return {
        name: [method_of(method, kind_of(method, debates), list(rows.values())) for method, rows in part.items()]
        for name, part in categories_in(by_method).items()
    }


def paid_by_category(by_method: Rows, debates: Sequence[str], level: float, *, lacking: bool) -> list[CategoryFinding]:
    """Whether each debate paid in each category, if there are several."""
    from moot.studies.evaluate.summary import compare_all, debated_of
    from moot.studies.evaluate.verdict import judge

    parts = categories_in(by_method)
    found = []
    for name, part in parts.items():
        there = {method: rows for method, rows in part.items() if rows}
        for debate in (one for one in debates if one in there):
            comparisons = compare_all(debate, there, debates)
            share = level / len(parts)
            verdict = judge(comparisons, debated_of(debate, list(there[debate].values())), lacking=lacking, level=share)
            known = [one for one in comparisons if one.over_read.difference is not None]
            closest = min(known, key=lambda one: one.over_read.difference or 0.0, default=None)
            over = closest.over_read if closest else None
            found.append(
                CategoryFinding(
                    category=name,
                    debate=debate,
                    finding=verdict.finding,
                    level=share,
                    against=closest.against if closest else None,
                    questions=over.questions if over else 0,
                    debate_share=over.first_share if over else None,
                    other_share=over.second_share if over else None,
                    difference=over.difference if over else None,
                    low=over.low if over else None,
                    high=over.high if over else None,
                )
            )
    return found
