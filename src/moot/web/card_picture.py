"""The picture on a card of the gallery: the first chart or the scores of a debate, drawn small."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import moot
from moot.engine.material import gather
from moot.engine.runs import Run
from moot.present import BarChart, DriftStrip, Map, Range, ScoreChart, ScoreLine, Section, SpreadChart, Standings

WIDTH, HEIGHT = 120.0, 28.0
MAP_HEIGHT = 60.0
_ARGUMENT = re.compile(
    r'<g class="am-arg(?: am-side-(?P<side>\d+))?" id="(?P<id>[^"]+)" '
    r'transform="translate\((?P<x>[\d.-]+) (?P<y>[\d.-]+)\)">'
    r'.*?<rect class="am-box" width="(?P<width>[\d.]+)" height="(?P<height>[\d.]+)"',
    re.DOTALL,
)
Box = tuple[str, float, float, float, float]
_ENDS = re.compile(r'data-ends="([^" ]+ [^" ]+)"')
MOST_NAMES = 6


@dataclass(frozen=True, slots=True)
class Picture:
    """`cast` are the names of those who debated with their colours, and `more` how many others there are. `lines` are
    curves as points of a polyline, `bars` shares of the width, each with a colour. `boxes` are the arguments of a map,
    by side, with place and size, and `links` the lines between them."""

    cast: tuple[tuple[str, str], ...] = ()
    more: int = 0
    lines: tuple[tuple[str, str], ...] = ()
    bars: tuple[tuple[str, float], ...] = ()
    boxes: tuple[Box, ...] = ()
    links: str = ""
    width: float = WIDTH
    height: float = HEIGHT


def picture_of(run: Run) -> Picture:
    """The picture of a finished debate. Blocks, outside of an event loop."""
    material = gather(run, asyncio.run(moot.result_of(run)))
    members = material.header.cast if material.header else []
    cast = tuple((one.name, one.colour) for one in members)
    drawn = _drawn(material.sections())
    return replace(drawn, cast=cast[:MOST_NAMES], more=max(0, len(cast) - MOST_NAMES))


Bars = tuple[tuple[str, float], ...]


def _drawn(sections: Sequence[Section]) -> Picture:
    for block in [block for section in sections for block in section.blocks]:
        match block:
            case ScoreChart(turns=turns) if turns > len(block.lines):
                return Picture(lines=tuple((line.colour, _points(_scored(line), turns)) for line in block.lines))
            case DriftStrip(least=least, rounds=rounds) if len(least) > 1:
                return Picture(lines=(("", _points(sorted(least.items()), max(rounds))),))
            case SpreadChart(ranges=ranges) if len(ranges) > 1:
                return Picture(lines=_narrowing(ranges))
            case BarChart(bars=bars, colours=colours) if bars:
                shares = bars[-1].shares.items()
                return Picture(bars=tuple((colours.get(label, ""), float(share)) for label, share in shares))
            case Map(picture=picture):
                return _small_map(picture)
            case _:
                pass
    return Picture(bars=_scores(sections))


def _narrowing(ranges: Sequence[Range]) -> tuple[tuple[str, str], ...]:
    """The median from range to range, between the ends of the middle half."""
    least, most = min(one.least for one in ranges), max(one.most for one in ranges)
    rows = [[one.lower, one.upper, one.median] for one in ranges]
    curves = [
        [(value - least) / (most - least) if most > least else 0.5 for value in several]
        for several in zip(*rows, strict=True)
    ]
    drawn = [_points(enumerate(curve, 1), len(ranges)) for curve in curves]
    return tuple(zip(("", "", "blue"), drawn, strict=True))


def _small_map(picture: str) -> Picture:
    """A map without its words: boxes in the colours of their sides, and straight lines."""
    found = {one["id"]: _box(one) for one in _ARGUMENT.finditer(picture)}
    right = max((x + width for _, x, _, width, _ in found.values()), default=0.0)
    low = max((y + height for _, _, y, _, height in found.values()), default=0.0)
    if not right or not low:
        return Picture()
    scale = min(WIDTH / right, MAP_HEIGHT / low)
    boxes = {key: (side, x * scale, y * scale, w * scale, h * scale) for key, (side, x, y, w, h) in found.items()}
    centres = {key: f"{x + width / 2:.1f} {y + height / 2:.1f}" for key, (_, x, y, width, height) in boxes.items()}
    ends = [one[1].split() for one in _ENDS.finditer(picture)]
    links = "".join(f"M{centres[a]}L{centres[b]}" for a, b in ends if a in centres and b in centres)
    return Picture(boxes=tuple(boxes.values()), links=links, height=round(low * scale, 1))


def _box(one: re.Match[str]) -> Box:
    return one["side"] or "", float(one["x"]), float(one["y"]), float(one["width"]), float(one["height"])


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
