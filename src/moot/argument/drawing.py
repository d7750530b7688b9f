"""An argument graph as a picture (SVG) and as an indented text.

Attack, undercut and support differ in line style, arrow head and colour. Names and texts are untrusted: they are
escaped, shortened in the boxes, and complete in the tooltips.
"""

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from moot.argument.formats.base import ATTACK, SUPPORT, UNDERCUT, texts
from moot.argument.graph import ArgumentError, Graph
from moot.argument.layout import LOOP, Point, arrange
from moot.text import cut, printable
from moot.text.maps import CSS, MARKERS, anchor

MARGIN = 20.0
LINE, SMALL = 17.0, 15.0
"""Heights of a line of text."""
FONT, PAD = 12.5, 11.0
TEXT_WIDTH, MOST_LINES = 340.0, 4
MOST_ARGUMENTS, MOST_RELATIONS = 5_000, 10_000
SIDES = 5
"""The number of colours for sides. With more sides, the name in the box still distinguishes them."""
_UNDRAWABLE = re.compile(r"[\ud800-\udfff\ufffe\uffff]")
_NARROW, _BROAD = frozenset("iljtfrI.,;:'!|()[]{} -/\\`\""), frozenset("mwMWQOGD@%—…<>+=~^#&")
BOLD, LABEL = 1.22, 0.95
"""The width of names and of sides relative to plain text."""
_WORDS = {ATTACK: "attacks", UNDERCUT: "undercuts", SUPPORT: "supports"}


@dataclass(frozen=True, slots=True)
class _Box:
    """The content and the size of one box."""

    name: str
    score: str
    share: float | None
    side: str
    lines: list[str]
    width: float
    height: float


def draw(
    graph: Graph,
    scores: Mapping[str, float | None] | None = None,
    sides: Mapping[str, str] | None = None,
    links: Mapping[str, str] | None = None,
) -> str:
    """The graph as one self-contained SVG element, for a file or the middle of a page.

    A score of None or NaN is shown as not settled. `sides` colours and labels arguments by their side. Each argument is
    an element with the id `anchor(name)`; `links` makes it a link to a place in the same page, such as `#move-3`.
    """
    fallen, own = {one.name for one in graph.fallen}, dict.fromkeys(graph.relations())
    graph = graph.whole()
    edges = [*own, *(one for one in graph.relations() if one not in own)]
    if len(graph) > MOST_ARGUMENTS or len(edges) > MOST_RELATIONS:
        raise ArgumentError(
            f"a map of {len(graph):,} arguments and {len(edges):,} relations is more than anybody can read; at most "
            f"{MOST_ARGUMENTS:,} and {MOST_RELATIONS:,} are drawn"
        )
    colours = {side: number % SIDES for number, side in enumerate(dict.fromkeys((sides or {}).values()))}
    boxes = [
        _box(name, text, scores or {}, (sides or {}).get(name, ""))
        for name, text in zip(graph.names, texts(graph), strict=True)
    ]
    laid = arrange([(box.width, box.height) for box in boxes], edges)
    parts = []
    for at, ((source, target, kind), route) in enumerate(zip(edges, laid.routes, strict=True)):
        look = f"am-{kind}" if at < len(own) else f"am-fallen am-{kind}"
        path = _path(route) if route else _loop(laid.centres[source], boxes[source])
        words = f"{graph.names[source]} {_WORDS[kind]} {graph.names[target]}"
        ends = f"{anchor(graph.names[source])} {anchor(graph.names[target])}"
        parts.append(f'<path class="{look}" d="{path}" data-ends="{ends}"><title>{_safe(words)}</title></path>')
    for name, text, box, centre in zip(graph.names, texts(graph), boxes, laid.centres, strict=True):
        element = _element(name, text, box, centre, colours.get(box.side))
        if name in fallen:
            element = element.replace("am-arg", "am-fallen am-arg", 1)
        if links and name in links:
            if not re.fullmatch(r"#[\w.:-]+", links[name]):
                raise ArgumentError(f"{links[name]!r} is not a link to a place in the page, such as #move-3")
            element = f'<a href="{escape(links[name])}">{element}</a>'
        parts.append(element)
    kinds = [kind for kind in (ATTACK, UNDERCUT, SUPPORT) if any(kind == other for *_, other in edges)]
    legend, legend_width = _legend(kinds, colours, laid.height + 2 * MARGIN + 10)
    width = max(laid.width, legend_width) + 2 * MARGIN
    height = laid.height + 2 * MARGIN + (30 if legend else 0)
    desc = f"{len(graph)} arguments, {len(graph.attacks)} attacks, {len(graph.supports)} supports."
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="am" role="img" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}"><title>Argument map</title><desc>{desc}</desc>\n<style>{CSS}</style>\n'
        f'<defs>{MARKERS}</defs>\n<rect class="am-paper" width="{width:.0f}" height="{height:.0f}"/>\n'
        f'<g transform="translate({MARGIN:.0f} {MARGIN:.0f})">\n' + "\n".join(parts) + f"\n</g>\n{legend}</svg>\n"
    )


def text_map(graph: Graph, scores: Mapping[str, float | None] | None = None) -> str:
    """The graph as an indented tree, with the supporters (+) and attackers (−) below each argument.

    The roots are the arguments that do not attack or support anything. An argument is written out once; after that it
    is only named, as `(above)` or, inside a cycle, as `(a cycle)`.
    """
    graph = graph.whole()
    below: list[list[tuple[int, str]]] = [[] for _ in graph.names]
    points = [False] * len(graph)
    for source, target, kind in graph.relations():
        below[target].append((source, kind))
        points[source] |= source != target
    lines: list[str] = []
    labels = _labels(graph, scores or {})
    seen: set[int] = set()
    roots = [number for number in range(len(graph)) if not points[number]]
    for root in [*roots, *range(len(graph))]:
        if root not in seen:
            lines += _tree(root, below, labels, seen)
    return "\n".join([*lines, ""]) if lines else ""


def _labels(graph: Graph, scores: Mapping[str, float | None]) -> list[tuple[str, str]]:
    """For each argument its name, and the text that follows where it is written out."""
    labels = []
    for name, text in zip(graph.names, texts(graph), strict=True):
        score = f" [{_figure(scores[name])}]" if name in scores else ""
        labels.append((_flat(name), f"{score}: {_flat(text)}" if text else score))
    return labels


def _tree(
    root: int, below: list[list[tuple[int, str]]], labels: list[tuple[str, str]], seen: set[int]
) -> Iterator[str]:
    marks = {SUPPORT: "+ ", ATTACK: "− ", UNDERCUT: "− undercut: "}
    waiting = [(root, "", "", 0)]
    path: list[int] = []
    while waiting:
        node, lead, kind, depth = waiting.pop()
        del path[depth:]
        name, rest = labels[node]
        head = f"{lead}{marks.get(kind, '')}{name}"
        if node in seen:
            yield f"{head} ({'a cycle' if node in path else 'above'})"
            continue
        seen.add(node)
        path.append(node)
        yield f"{head}{rest}"
        # Deeper lines start with a rule under every argument that has more children.
        inner = lead.replace("├─ ", "│  ").replace("└─ ", "   ")
        for place, (source, relation) in enumerate(reversed(below[node])):
            waiting.append((source, f"{inner}{'├─ ' if place else '└─ '}", relation, depth + 1))


def _flat(text: str) -> str:
    return " ".join(printable(_UNDRAWABLE.sub("\N{REPLACEMENT CHARACTER}", text)).split()) or '""'


def _safe(text: str) -> str:
    return escape(printable(_UNDRAWABLE.sub("\N{REPLACEMENT CHARACTER}", text)), quote=False)


def _figure(score: float | None) -> str:
    return "not settled" if score is None or math.isnan(score) else f"{score:.2f}"


def _box(name: str, text: str, scores: Mapping[str, float | None], side: str) -> _Box:
    score = scores.get(name)
    figure = _figure(score) if name in scores else ""
    beside = _width(figure) + 14 if figure else 0.0
    title = _fit(_flat(name), (TEXT_WIDTH - beside) / BOLD)
    lines = _wrap(_flat(text), TEXT_WIDTH, MOST_LINES) if text else []
    label = _fit(_flat(side), TEXT_WIDTH / LABEL) if side else ""
    content = [
        BOLD * _width(title) + beside,
        LABEL * _width(label),
        *(_width(line) for line in lines),
    ]
    width = max(38.0, *content) + 2 * PAD
    height = 2 * PAD + LINE + len(lines) * SMALL + (SMALL if label else 0) + (7 if figure else 0) - 3
    share = None if score is None or math.isnan(score) else min(1.0, max(0.0, score))
    return _Box(title, figure, share, label, lines, width, height)


def _width(text: str) -> float:
    """The approximate width of a text, rather too wide than too narrow, since fonts differ."""
    total = 0.0
    for char in text:
        if char in _NARROW:
            total += 0.41
        elif char in _BROAD or unicodedata.east_asian_width(char) in "WF":
            total += 1.02
        elif char.isupper():
            total += 0.72
        else:
            total += 0.63
    return total * FONT


def _fit(text: str, width: float) -> str:
    """The text, or as much of its start as fits, with an ellipsis."""
    if _width(text) <= width:
        return text
    end = len(text)
    while end and _width(text[:end]) + FONT > width:
        end -= 1
    return f"{cut(text, end)}…"


def _wrap(text: str, width: float, most: int) -> list[str]:
    """The text in lines. Long words are broken, and the text is cut after the last line."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < most:
        line = words.pop(0)
        while words and _width(f"{line} {words[0]}") <= width:
            line = f"{line} {words.pop(0)}"
        if _width(line) > width:
            length = next(end for end in range(len(line), 0, -1) if end == 1 or _width(line[:end]) <= width)
            line, rest = line[:length], line[length:]
            words.insert(0, rest)
        lines.append(line)
    if words:
        while " " in lines[-1] and _width(f"{lines[-1]} …") > width:
            lines[-1] = lines[-1].rpartition(" ")[0]
        lines[-1] = f"{_fit(lines[-1], width - 2 * FONT).removesuffix('…')} …"
    return lines


def _path(route: list[Point]) -> str:
    """From the target on, so that the dashes of lines that share a way are the same."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in reversed(route))


def _loop(centre: Point, box: _Box) -> str:
    x, y = centre[0] + box.width / 2, centre[1]
    reach = x + LOOP * 1.2
    return f"M{x:.1f} {y - 7:.1f}C{reach:.1f} {y - 24:.1f} {reach:.1f} {y + 24:.1f} {x:.1f} {y + 7:.1f}"


def _element(name: str, text: str, box: _Box, centre: Point, colour: int | None) -> str:
    x, y = centre[0] - box.width / 2, centre[1] - box.height / 2
    tooltip = "\n".join(part for part in (name, box.side, box.score, text) if part)
    side = "" if colour is None else f" am-side-{colour}"
    inner = [f"<title>{_safe(tooltip)}</title>"]
    inner.append(f'<rect class="am-box" width="{box.width:.1f}" height="{box.height:.1f}" rx="7"/>')
    inner.append(f'<text class="am-name" x="{PAD}" y="{PAD + 11:.1f}">{_safe(box.name)}</text>')
    if box.score:
        inner.append(f'<text class="am-score" x="{box.width - PAD:.1f}" y="{PAD + 11:.1f}">{box.score}</text>')
    at = PAD + 11
    if box.side:
        at += SMALL
        inner.append(f'<text class="am-side" x="{PAD}" y="{at:.1f}">{_safe(box.side)}</text>')
    for line in box.lines:
        at += SMALL
        inner.append(f'<text class="am-text" x="{PAD}" y="{at + 1:.1f}">{_safe(line)}</text>')
    if box.share is not None:
        bar, top = box.width - 2 * PAD, box.height - PAD
        inner.append(f'<rect class="am-track" x="{PAD}" y="{top:.1f}" width="{bar:.1f}" height="3" rx="1.5"/>')
        if box.share:
            inner.append(
                f'<rect class="am-bar" x="{PAD}" y="{top:.1f}" width="{bar * box.share:.1f}" height="3" rx="1.5"/>'
            )
    return f'<g class="am-arg{side}" id="{anchor(name)}" transform="translate({x:.1f} {y:.1f})">{"".join(inner)}</g>'


def _legend(kinds: list[str], colours: Mapping[str, int], top: float) -> tuple[str, float]:
    """The legend for the lines and colours that occur, and its width."""
    x, parts = 0.0, []
    for kind in kinds:
        parts.append(f'<path class="am-{kind}" d="M{x + 36:.1f} 0H{x:.1f}"/>')
        parts.append(f'<text class="am-key" x="{x + 44:.1f}" y="4">{_WORDS[kind]}</text>')
        x += 44 + _width(_WORDS[kind]) + 20
    for side, colour in colours.items():
        label = _fit(_flat(side), TEXT_WIDTH)
        parts.append(f'<rect class="am-swatch am-side-{colour}" x="{x:.1f}" y="-6" width="12" height="12" rx="3"/>')
        parts.append(f'<text class="am-key" x="{x + 18:.1f}" y="4">{_safe(label)}</text>')
        x += 18 + _width(label) + 20
    if not parts:
        return "", 0.0
    return f'<g class="am-legend" transform="translate({MARGIN:.0f} {top:.1f})">{"".join(parts)}</g>\n', x
