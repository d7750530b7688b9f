"""A whole run as one document."""

import json

import yaml

from moot.debate import result_of
from moot.errors import ConfigError
from moot.report import html_report, markdown_report
from moot.runs import Run


async def export(run: Run, form: str) -> str:
    """`md` or `html`: the report. `json`: config, log, journal and result together."""
    result = await result_of(run)
    match form:
        case "md":
            return markdown_report(run, result)
        case "html":
            return html_report(run, result)
        case "json":
            whole = {
                "config": yaml.safe_load((run.path / "config.yaml").read_text("utf-8")),
                "result": result.document(),
                "log": [entry.model_dump(mode="json") for entry in run.entries()],
                "calls": [record.model_dump(mode="json") for record in run.records()],
            }
            return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"
        case _:
            raise ConfigError(f"a run is exported to md, html or json, not {form!r}")
