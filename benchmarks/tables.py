"""The figures of a benchmark: medians, what they are judged by, and how they are printed."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Self

MOOT, WITH_REPORTS, FLOOR = "moot", "moot with reports", "floor"
MOST_OVERHEAD = 1.10
MOST_START_UP = 2.5


@dataclass(frozen=True, slots=True)
class Figures:
    """`one_duel` is wall time as a multiple of the longest chain of calls; the next four are for many duels at once.

    `surplus_calls` are those the endpoint counted beyond what the script asks for, in the worst round.
    """

    one_duel: float
    calls_per_second: float
    cpu_ms_per_call: float
    peak_rss_mb: float
    most_in_flight: float
    surplus_calls: float

    @classmethod
    def median(cls, several: Sequence[Self]) -> Self:
        middle = cls(*(statistics.median(values) for values in zip(*map(astuple, several), strict=True)))
        return replace(middle, surplus_calls=max((one.surplus_calls for one in several), key=abs))


@dataclass(frozen=True, slots=True)
class StartUp:
    """CPU milliseconds of whole processes: a bare interpreter, one that imports pydantic, one that imports moot, and
    `moot --help`."""

    bare: float
    import_pydantic: float
    import_moot: float
    moot_help: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """Something that was to be reached. A bar is `binding`, an aim is not."""

    what: str
    measured: float
    met: bool
    binding: bool


def judged(figures: Mapping[str, Figures], start_up: StartUp) -> list[Judgement]:
    one, many = figures[WITH_REPORTS].one_duel, figures[MOOT]
    cpu = many.cpu_ms_per_call
    bar, aim = (
        f"one duel with its reports takes at most {most:.2f} × its longest chain" for most in (MOST_OVERHEAD, 1.05)
    )
    judgements = [
        Judgement(bar, one, one <= MOST_OVERHEAD, True),
        Judgement(aim, one, one <= 1.05, False),
        Judgement("many at once take under 1 CPU ms per call, with log and journal", cpu, cpu < 1, False),
    ]
    for what, taken in {"import moot": start_up.import_moot, "moot --help": start_up.moot_help}.items():
        ratio = taken / start_up.import_pydantic
        told = f"`{what}` takes at most {MOST_START_UP:.1f} × the CPU of `import pydantic`"
        judgements.append(Judgement(told, ratio, ratio <= MOST_START_UP, True))
    surplus = max((one.surplus_calls for one in figures.values()), key=abs)
    judgements.append(Judgement("calls beyond the script, of any contestant in any round", surplus, surplus == 0, True))
    return judgements


def printed(figures: Mapping[str, Figures], start_up: StartUp, judgements: Sequence[Judgement]) -> str:
    heads = ["one duel ÷ longest chain", "calls/s", "CPU ms/call", "peak RSS MB", "most in flight"]
    rows = [["", *heads]]
    for name, one in figures.items():
        rows.append(
            [
                name,
                f"{one.one_duel:.3f}",
                f"{one.calls_per_second:,.0f}",
                f"{one.cpu_ms_per_call:.2f}",
                f"{one.peak_rss_mb:.0f}",
                f"{one.most_in_flight:.0f}",
            ]
        )
    cpu = [["CPU ms of a process", ""], ["python -c pass", f"{start_up.bare:.0f}"]]
    cpu += [["import pydantic", f"{start_up.import_pydantic:.0f}"]]
    cpu += [["import moot", f"{start_up.import_moot:.0f}"], ["moot --help", f"{start_up.moot_help:.0f}"]]
    verdicts = [["", "measured", ""]]
    for one_of in judgements:
        word = ("bar" if one_of.binding else "aim") + (" met" if one_of.met else " missed")
        verdicts.append([one_of.what, f"{one_of.measured:.2f}", word])
    return "\n\n".join(markdown(table) for table in (rows, cpu, verdicts))


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table whose columns are aligned; the first row is its head."""
    widths = [max(3, *map(len, column)) for column in zip(*rows, strict=True)]
    rule = ["-" * width if i == 0 else "-" * (width - 1) + ":" for i, width in enumerate(widths)]
    lines = []
    for row in (rows[0], rule, *rows[1:]):
        cells = [cell.ljust(widths[0]) if i == 0 else cell.rjust(widths[i]) for i, cell in enumerate(row)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
