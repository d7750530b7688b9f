"""Which of the planned debates are there, and which are not.

Debates that started but did not finish are in no share, but may not have failed by chance: a test has to find the same
if all of them had gone the other way.
"""

from collections.abc import Iterable, Sequence

from moot.stats import Clusters, lean_test
from moot.studies.batch.rows import Row

MOST_LEVELS = 50


def has_failed(row: Row) -> bool:
    """Whether the debate was begun and has no end: an outage, a limit, no usable reply."""
    return row.status in ("failed", "limit", "interrupted")


def failed_like(rows: Iterable[Row], held: Sequence[Row]) -> list[Row]:
    """The failed debates of the protocols that have finished debates."""
    kinds = {row.protocol for row in held}
    return [row for row in rows if has_failed(row) and row.protocol in kinds]


def p_at_worst(leans: Sequence[int], failed: int, related: Clusters) -> float | None:
    """The p-value if this many further cases had all gone against the sum of the others; `related` are the clusters of
    all. If that reverses the sum or makes it 0, the finding is lost."""
    lean = sum(leans)
    against = -1 if lean > 0 else 1
    if not failed:
        return lean_test(leans, related)
    if (p := lean_test([*leans, *[against] * failed], related)) is None:
        return None
    return 1.0 if lean * (lean + against * failed) <= 0 else p


def by_value_of(rows: Sequence[Row]) -> dict[str, dict[str, list[Row]]]:
    """The rows by factor and value. Properties that the design varies are factors too, under names that no grid key
    has."""
    found: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        varied = {f"design: {name}": value for name, value in row.design.items()}
        for name, value in {**row.factors, **varied}.items():
            if name != "repeat":
                found.setdefault(name, {}).setdefault(str(value), []).append(row)
    return found
