"""Argument maps: nothing overlaps, everything is there, and nothing anybody wrote becomes markup."""

import random
import re
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.argument.drawing import draw, text_map
from moot.argument.graph import ArgumentError, Graph
from moot.argument.layout import arrange
from moot.text.maps import anchor
from tests.kit.browser import chromium
from tests.kit.graphs import HOSTILE, named_graphs

SVG = "{http://www.w3.org/2000/svg}"
WORDS = ["We", "should", "move", "the", "service", "because", "nobody", "can", "mend", "it", "any", "more"]

Drawing = tuple[list[tuple[float, float]], list[tuple[int, int, str]]]
"""The sizes of boxes, and the lines between them."""


@st.composite
def drawings(draw_: st.DrawFn) -> Drawing:
    sizes = draw_(st.lists(st.tuples(st.floats(38, 220), st.floats(30, 120)), min_size=1, max_size=14))
    ends = st.integers(0, len(sizes) - 1)
    return sizes, draw_(
        st.lists(st.tuples(ends, ends, st.sampled_from(("attack", "undercut", "support"))), max_size=24)
    )


@given(drawings())
def test_boxes_keep_apart_and_lines_keep_off_boxes(
    drawing: Drawing,
) -> None:
    sizes, edges = drawing
    laid = arrange(sizes, edges)
    boxes = [
        (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        for (x, y), (width, height) in zip(laid.centres, sizes, strict=True)
    ]
    for one, other in combinations(boxes, 2):
        assert one[3] < other[1] or other[3] < one[1]
    for left, top, right, bottom in boxes:
        assert -0.001 <= left <= right <= laid.width + 0.001
        assert -0.001 <= top <= bottom <= laid.height + 0.001
    for (source, target, _), route in zip(edges, laid.routes, strict=True):
        if source == target:
            assert route == []
            continue
        for place, (x, y) in ((source, route[0]), (target, route[-1])):
            left, top, right, bottom = boxes[place]
            assert left - 0.001 <= x <= right + 0.001
            assert top - 0.001 <= y <= bottom + 0.001
        for (x, y), (next_x, next_y) in pairwise(route):
            assert x == next_x or y == next_y
            for left, top, right, bottom in boxes:
                assert not (
                    max(x, next_x) > left + 0.001
                    and min(x, next_x) < right - 0.001
                    and max(y, next_y) > top + 0.001
                    and min(y, next_y) < bottom - 0.001
                )


def test_an_issue_stands_together_below_its_claim_and_the_largest_first() -> None:
    edges = [(3, 1, "attack"), (2, 1, "attack"), (4, 2, "support"), (5, 3, "support"), (4, 5, "attack")]
    laid = arrange([(50, 30)] * 6, edges)
    assert sorted(range(6), key=lambda one: laid.centres[one][1]) == [1, 3, 5, 2, 4, 0]
    lefts = [x for x, _ in laid.centres]
    assert lefts[0] == lefts[1] < lefts[2] == lefts[3] < lefts[4] == lefts[5]
    assert laid.width < 300


def test_the_same_graph_is_drawn_the_same() -> None:
    graph = some_graph(40)
    assert draw(graph) == draw(graph)


def some_graph(size: int) -> Graph:
    chance = random.Random(size)
    names = [f"A{number}" for number in range(size)]
    attacks = [(names[number], names[chance.randrange(number)]) for number in range(1, size)]
    attacks += [(chance.choice(names), chance.choice(names)) for _ in range(size // 4)]
    supports = [(names[number], names[chance.randrange(number)]) for number in range(1, size, 3)]
    texts = {name: " ".join(chance.choices(WORDS, k=chance.randrange(30))) for name in names}
    return Graph.of(names, attacks, supports, undercuts=[(names[-1], names[0])], texts=texts)


@given(named_graphs())
def test_whatever_it_is_called_it_is_drawn_and_escaped(graph: Graph) -> None:
    scores: dict[str, float | None] = {name: number / 7 for number, name in enumerate(graph.names)}
    root = ET.fromstring(draw(graph, scores, {name: name for name in graph.names}))
    ids = [element.get("id") for element in root.iter() if (element.get("id") or "").startswith("arg-")]
    assert ids == [anchor(name) for name in graph.names]
    assert len(set(ids)) == len(graph)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "desc", "style", "defs", "marker", "path", "circle", "rect", "g", "text",
    }  # fmt: skip
    lines = [element for element in root.iter(f"{SVG}path") if element.find(f"{SVG}title") is not None]
    assert len(lines) == len(graph.attacks) + len(graph.supports)


def test_an_id_says_which_argument_and_no_two_are_the_same() -> None:
    assert anchor("P1") == "arg-P1"
    assert len({anchor(name) for name in HOSTILE}) == len(HOSTILE)
    assert all(re.fullmatch(r"arg-[A-Za-z0-9_-]*", anchor(name)) for name in HOSTILE)


def by_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if name in (element.get("class") or "").split()]


def test_relations_differ_in_line_and_head() -> None:
    graph = Graph.of(["a", "b"], [("a", "b")], [("b", "a")], undercuts=[("b", "b")])
    text = draw(graph)
    root = ET.fromstring(text)
    for kind in ("attack", "undercut", "support"):
        assert len(by_class(root, f"am-{kind}")) == 2, "the relation and the legend"
        assert root.find(f".//*[@id='am-head-{kind}']") is not None
        rule = re.search(rf"\.am-{kind} \{{[^}}]*marker-start[^}}]*\}}", text)
        assert rule and ("stroke-dasharray" in rule[0]) == (kind != "attack")
    assert "prefers-color-scheme: dark" in text


def test_a_long_text_is_cut_in_the_box_and_whole_in_the_tooltip() -> None:
    long = "One reason after the other. " * 20
    root = ET.fromstring(draw(Graph.of(["a", "b" * 300], texts={"a": long})))
    shown = [element.text or "" for element in by_class(root, "am-text")]
    assert len(shown) == 4
    assert shown[-1].endswith("…")
    (box, other) = by_class(root, "am-arg")
    assert (box[0].text or "").split() == ["a", *long.split()]
    assert (other[0].text or "") == "b" * 300
    assert (by_class(other, "am-name")[0].text or "").endswith("…")


def test_scores_sides_and_links() -> None:
    graph = Graph.of(["P1", "O1"], [("O1", "P1")])
    root = ET.fromstring(draw(graph, {"P1": 0.25, "O1": None}, {"P1": "PRO", "O1": "OPP"}, {"P1": "#move-1"}))
    assert [element.text for element in by_class(root, "am-score")] == ["0.25", "not settled"]
    assert len(by_class(root, "am-bar")) == 1
    assert [element.text for element in by_class(root, "am-side")] == ["PRO", "OPP"]
    (link,) = root.iter(f"{SVG}a")
    assert link.get("href") == "#move-1"
    assert link[0].get("id") == "arg-P1"
    for bad in ("javascript:alert(1)", "https://example.org", '#"><script>'):
        with pytest.raises(ArgumentError, match="not a link to a place in the page"):
            draw(graph, links={"P1": bad})


def test_an_empty_graph_is_an_empty_picture() -> None:
    assert by_class(ET.fromstring(draw(Graph.of([]))), "am-arg") == []
    assert text_map(Graph.of([])) == ""


def test_the_map_in_text() -> None:
    graph = Graph.of(
        ["P1", "O1", "P2", "O2", "O3"],
        [("O1", "P1"), ("P1", "O1"), ("O2", "P2")],
        [("P2", "P1"), ("O2", "O1")],
        undercuts=[("O3", "P1"), ("O3", "O3")],
        texts={"P1": "We should\nmove.", "O2": "Not so."},
    )
    assert text_map(graph, {"P1": 0.5, "O1": None}) == (
        "P1 [0.50]: We should move.\n"
        "├─ − O1 [not settled]\n"
        "│  ├─ − P1 (a cycle)\n"
        "│  └─ + O2: Not so.\n"
        "├─ − undercut: O3\n"
        "│  └─ − undercut: O3 (a cycle)\n"
        "└─ + P2\n"
        "   └─ − O2 (above)\n"
    )


@given(named_graphs(names=st.from_regex(r"[a-z][0-9]", fullmatch=True), texts=st.just("Words.")))
def test_the_map_in_text_has_every_argument_and_every_relation_once(graph: Graph) -> None:
    lines = text_map(graph).splitlines()
    again = [line for line in lines if line.endswith((" (above)", " (a cycle)"))]
    roots = [line for line in lines if line[0] not in "├└│ "]
    assert len(lines) - len(again) == len(graph)
    assert len(lines) - len(roots) == len(graph.attacks) + len(graph.supports)


def test_what_nobody_could_read_is_not_drawn() -> None:
    with pytest.raises(ArgumentError, match="a map of 5,001 arguments and 0 relations"):
        draw(Graph.numbered(map(str, range(5001))))


def test_a_long_line_of_attacks_is_no_trouble() -> None:
    names = [str(number) for number in range(2000)]
    graph = Graph.of(names, zip(names[1:], names, strict=False))
    assert text_map(graph).count("\n") == 2000
    assert draw(graph).count('class="am-arg"') == 2000


@pytest.mark.browser
def test_texts_fit_their_boxes_in_a_browser(tmp_path: Path) -> None:
    words = ["<script>alert(1)</script> and &&&& ####", "M" * 80, "MORE CAPITALS THAN ONE WOULD LIKE", "illicit" * 20]
    names = [*some_graph(30).names, *words]
    graph = Graph.of(names, texts={name: words[number % 4] for number, name in enumerate(names)})
    (tmp_path / "map.svg").write_text(draw(graph, dict.fromkeys(graph.names, 0.5), {"A0": "PROPONENT"}), "utf-8")
    with chromium() as browser:
        page = browser.new_page()
        page.goto((tmp_path / "map.svg").as_uri())
        over = page.evaluate(
            """() => [...document.querySelectorAll(".am-arg")].flatMap(arg => {
                const box = arg.querySelector(".am-box").getBBox();
                return [...arg.querySelectorAll("text")].filter(text => {
                    const words = text.getBBox();
                    return words.x < 0 || words.x + words.width > box.width || words.y + words.height > box.height;
                }).map(text => text.textContent);
            })"""
        )
    assert over == []
