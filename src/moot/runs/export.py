"""A run as one document, in a form of moot or of a plug-in."""

import inspect
import json
from functools import partial

from moot.engine.define.exporter import EXPORTERS, Exporter
from moot.engine.define.registry import load_named_plugins, plugin_faults
from moot.engine.outcome.material import gather
from moot.engine.staging.run import result_of
from moot.engine.staging.runs import Run
from moot.errors import ConfigError, ReportFailed
from moot.plugins.features import offered
from moot.plugins.guard import failing_as
from moot.record.stores.base import CONFIG
from moot.report import reports
from moot.text import valid_text
from moot.text.yaml import parse_yaml


async def export(run: Run, form: str) -> str:
    """The run in this form: `md` and `html` are the report, `json` is config, log, journal and result together, and
    `exporters` lists the others. ReportFailed if an exporter fails or does not return text."""
    chosen = exporter(form)
    with failing_as(lambda why: ReportFailed({form: valid_text(why)})):
        written = chosen.write(run)
        text = await written if inspect.isawaitable(written) else written
    if not isinstance(text, str) or valid_text(text) != text:
        raise ReportFailed({form: "its exporter did not return text"})
    return text


def exporter_names() -> list[str]:
    """The available forms, moot's own first. Loads only plug-in files."""
    plugin_faults()
    return EXPORTERS.names()


def exporter(name: str) -> Exporter:
    """The exporter with this name; ConfigError if it does not exist."""
    names = exporter_names()
    chosen = EXPORTERS.get(name)
    if chosen is None:
        load_named_plugins()  # a broken plug-in is the likely reason, and raises here
        raise ConfigError(f"unknown format {name!r}; available: {', '.join(names)}", key="form")
    return chosen


def exporters() -> list[Exporter]:
    """All exporters that can be loaded. Asking for a broken one by name says why it is broken."""
    loaded = []
    for name in exporter_names():
        try:
            loaded.append(exporter(name))
        except ConfigError:
            continue
    return loaded


async def _report(form: str, run: Run) -> str:
    return reports(gather(run, await result_of(run)), [form])[f"report.{form}"]


async def _run_document(run: Run) -> str:
    result = await result_of(run)
    document = {
        "config": parse_yaml(run.place.read(CONFIG) or b"", CONFIG, may_be_empty=True),
        "result": result.document(),
        "log": [entry.model_dump(mode="json") for entry in run.entries()],
        "calls": [record.model_dump(mode="json") for record in run.records()],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


_OWN = (
    Exporter("md", "the report in Markdown", "text/markdown", partial(_report, "md")),
    Exporter("html", "the report as one page", "text/html", partial(_report, "html")),
    Exporter("json", "config, log, journal and result together", "application/json", _run_document),
)
for _one in (*_OWN, *(one for several in offered("exporters") for one in several)):
    EXPORTERS.own(_one)
GRAPHS = tuple(one.name for one in EXPORTERS if one.graph)
"""Forms of the argument graph."""
