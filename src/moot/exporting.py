"""A whole run as one document."""

import json
from typing import TYPE_CHECKING

import yaml

from moot.debate import result_of
from moot.errors import ConfigError
from moot.report import html_report, markdown_report
from moot.runs import Run
from moot.stores.base import CONFIG

if TYPE_CHECKING:
    from moot.argument.graph import Graph

GRAPHS = ("af", "aif", "apx", "argdown", "dot", "graph", "graphml", "mermaid", "tgf")
"""Forms of the argument graph; `graph` is moot's own JSON, since `json` is the whole run."""


async def export(run: Run, form: str) -> str:
    """`md` or `html`: the report. `json`: config, log, journal and result together. Or the argument graph, in one of
    the forms `GRAPHS`: a persuasion dialogue has one, for others `extract` makes it."""
    if form in GRAPHS:
        from moot.argument import formats

        return formats.write(graph_of(run), "json" if form == "graph" else form)
    result = await result_of(run)
    match form:
        case "md":
            return markdown_report(run, result)
        case "html":
            return html_report(run, result)
        case "json":
            whole = {
                "config": yaml.safe_load(run.place.read(CONFIG) or b""),
                "result": result.document(),
                "log": [entry.model_dump(mode="json") for entry in run.entries()],
                "calls": [record.model_dump(mode="json") for record in run.records()],
            }
            return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"
        case _:
            raise ConfigError(f"a run is exported to {', '.join(('md', 'html', 'json', *GRAPHS))}, not {form!r}")


def graph_of(run: Run) -> "Graph":
    """The argument graph of a run: a persuasion dialogue's framework or, for other debates, what was extracted."""
    from moot.argument import formats
    from moot.protocols.persuasion.framework import dialogue_of
    from moot.protocols.persuasion.framework import graph_of as graph_of_dialogue

    if (dialogue := dialogue_of(run.entries())) is not None:
        return graph_of_dialogue(dialogue)
    extracted = run.place.read("arguments.json")
    if extracted is None:
        raise ConfigError(f"{run.name} has no argument graph yet; make one: moot argue extract {run.name}")
    return formats.read(extracted.decode("utf-8", "replace"), "json")
