"""A run as its argument graph, in every format."""

import shlex
from functools import partial

from moot.argument import formats
from moot.argument.extracted import extracted_graph
from moot.argument.graph import Graph
from moot.engine.define.capabilities import ArgumentMap
from moot.engine.define.exporter import Exporter
from moot.engine.define.plugin_option import plugin_option
from moot.engine.staging.runs import Run
from moot.errors import ConfigError


def graph_of(run: Run) -> Graph:
    """The argument graph of a run: from its protocol or, for other debates, from an extraction."""
    own = run.config.protocol.get(ArgumentMap)
    if own and (graph := own.graph(run.entries())) is not None:
        return graph
    extracted = extracted_graph(run)
    if extracted is None:
        way = shlex.join(["moot", *plugin_option(run.config.protocol.name), "argue", "extract", run.address])
        raise ConfigError(f"{run.name} has no argument graph yet. To make one: {way}", key="graph")
    return extracted


def has_graph(run: Run) -> bool:
    """Whether it has an argument graph that is not empty."""
    try:
        return len(graph_of(run)) > 0
    except ConfigError:
        return False


def _write(form: str, run: Run) -> str:
    return formats.write(graph_of(run), form)


def _exporter(name: str, about: str, media: str = "text/plain", form: str = "") -> Exporter:
    """An exporter to the format with this name unless `form` is another."""
    return Exporter(name, about, media, partial(_write, form or name), graph=True)


EXPORTERS = (
    _exporter("af", "ICCMA's numeric p af"),
    _exporter("apx", "ASPARTIX facts"),
    _exporter("argdown", "Argdown"),
    _exporter("dot", "Graphviz", "text/vnd.graphviz"),
    _exporter("graph", "moot's own JSON of a graph", "application/json", "json"),
    _exporter("mermaid", "Mermaid flowcharts"),
    _exporter("tgf", "the trivial graph format"),
)
"""`graph` is moot's JSON, since `json` is the complete run."""
