"""The argument graph that was taken from a debate, as files in its folder: who said what, and the map of it."""

from pathlib import Path
from typing import Any

from moot.argument import formats
from moot.argument.drawing import draw, text_map
from moot.argument.extract import ANCHORS
from moot.argument.gradual import scores
from moot.argument.graph import Graph
from moot.engine.define.exporter import EXTRACTED
from moot.engine.staging.runs import Run
from moot.present import Map
from moot.text.json import parse_json


def anchors(run: Run) -> dict[str, dict[str, Any]]:
    """The source of each argument, by name: at least its `speaker` and `entry`. Empty without an extraction."""
    try:
        found = parse_json(run.place.read(ANCHORS) or b"null")
    except ValueError:
        return {}
    arguments = found.get("arguments") if isinstance(found, dict) else None
    named = [one for one in arguments if isinstance(one, dict)] if isinstance(arguments, list) else []
    return {
        one["name"]: one
        for one in named
        if isinstance(one.get("name"), str) and isinstance(one.get("speaker"), str) and type(one.get("entry")) is int
    }


def extracted_graph(run: Run) -> Graph | None:
    """The graph that was taken from the debate, or None."""
    content = run.place.read(EXTRACTED)
    try:
        return None if content is None else formats.read(content.decode("utf-8", "replace"), "json")
    except formats.FormatError as error:
        raise formats.FormatError.in_file(Path(run.name, EXTRACTED), error) from None


def extracted_map(run: Run) -> Map | None:
    """The map of these arguments, with their scores and speakers; each leads to the entry it was taken from."""
    graph = extracted_graph(run)
    if graph is None or not len(graph):
        return None
    found, sources = scores(graph).by_name, anchors(run)
    sides = {name: one["speaker"] for name, one in sources.items() if name in graph.index}
    links = {name: f"#e{sources[name]['entry']}" for name in sides}
    # A picture with links is a group, because an image would hide them from screen readers.
    picture = draw(graph, found, sides, links).replace('role="img"', 'role="group"', 1)
    caption = "Taken from the debate by a model; each argument leads to the entry whose words it quotes."
    return Map("Argument map", picture, text_map(graph, found), caption)
