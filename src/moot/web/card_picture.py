"""The picture on a card of the gallery: the first chart or the scores of a debate, drawn small."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import moot
from moot.engine.material import gather
from moot.engine.runs import Run
from moot.present import BarChart, DriftStrip, ScoreChart, ScoreLine, Section, Standings

WIDTH, HEIGHT = 120.0, 28.0
MOST_NAMES = 6


@dataclass(frozen=True, slots=True)
class Picture:
    """`cast` are the names of those who debated with their colours, and `more` how many others there are. `lines` are
    curves as points of a polyline, `bars` shares of the width, each with a colour."""

    cast: tuple[tuple[str, str], ...] = ()
    more: int = 0
    lines: tuple[tuple[str, str], ...] = ()
    bars: tuple[tuple[str, float], ...] = ()
    width: float = WIDTH
    height: float = HEIGHT


def picture_of(run: Run) -> Picture:
    """The picture of a finished debate. Blocks, outside of an event loop."""
    material = gather(run, asyncio.run(moot.result_of(run)))
    members = material.header.cast if material.header else []
    cast = tuple((one.name, one.colour) for one in members)
    lines, bars = _drawn(material.sections())
    return Picture(cast[:MOST_NAMES], max(0, len(cast) - MOST_NAMES), lines, bars)


Lines = tuple[tuple[str, str], ...]
Bars = tuple[tuple[str, float], ...]


def _drawn(sections: Sequence[Section]) -> tuple[Lines, Bars]:
    for block in [block for section in sections for block in section.blocks]:
        match block:
            case ScoreChart(turns=turns) if turns > len(block.lines):
                return tuple((line.colour, _points(_scored(line), turns)) for line in block.lines), ()
            case DriftStrip(least=least, rounds=rounds) if len(least) > 1:
                return (("", _points(sorted(least.items()), max(rounds))),), ()
            case BarChart(bars=bars, colours=colours) if bars:
                return (), tuple((colours.get(label, ""), float(share)) for label, share in bars[-1].shares.items())
            case _:
                pass
    return (), _scores(sections)


def _scored(line: ScoreLine) -> list[tuple[float, float]]:
    return [(mark.turn, mark.score / 10) for mark in line.marks if mark.score is not None]


def _scores(sections: Sequence[Section]) -> Bars:
    """The final scores, where there is no chart."""
    for block in [block for section in sections for block in section.blocks]:
        if isinstance(block, Standings):
            scores = [(one.colour, one.score) for one in block.standings if one.score is not None]
            total = sum(score for _, score in scores)
            return tuple((colour, score / total) for colour, score in scores) if total > 0 else ()
    return ()


def _points(curve: Iterable[tuple[float, float]], last: float) -> str:
    """A curve of places from 1 to `last` and values from 0 to 1, with a margin for the stroke."""
    step = (WIDTH - 4) / max(1, last - 1)
    return " ".join(f"{2 + (at - 1) * step:.1f},{HEIGHT - 2 - (HEIGHT - 4) * value:.1f}" for at, value in curve)
