"""Figures by category: how often each method was right, and which design paid for which kind of question."""

from collections.abc import Mapping, Sequence
from typing import Any

from moot.studies.evaluate.questions import Row
from moot.studies.evaluate.summary import CategoryFinding, Method, compare_all, debated_of, kind_of, method_of
from moot.studies.evaluate.verdict import judge

Rows = Mapping[str, Mapping[Any, Row]]
"""The rows of each method."""


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


def by_category(by_method: Rows, debates: Sequence[str]) -> dict[str, list[Method]]:
    """The methods on the questions of each category, if there are several."""
    return {
        name: [method_of(method, kind_of(method, debates), list(rows.values())) for method, rows in part.items()]
        for name, part in categories_in(by_method).items()
    }


def paid_by_category(by_method: Rows, debates: Sequence[str], level: float, *, lacking: bool) -> list[CategoryFinding]:
    """Whether each debate paid in each category, if there are several."""
    parts = categories_in(by_method)
    found = []
    for name, part in parts.items():
        there = {method: rows for method, rows in part.items() if rows}
        for debate in (debate for debate in debates if debate in there):
            comparisons = compare_all(debate, there, debates)
            share = level / len(parts)
            verdict = judge(comparisons, debated_of(debate, list(there[debate].values())), lacking=lacking, level=share)
            known = [comparison for comparison in comparisons if comparison.over_read.difference is not None]
            closest = min(known, key=lambda one: one.over_read.difference or 0.0, default=None)
            found.append(
                CategoryFinding(
                    category=name,
                    debate=debate,
                    finding=verdict.finding,
                    level=share,
                    against=closest.against if closest else None,
                    over=closest.over_read if closest else None,
                )
            )
    return found
