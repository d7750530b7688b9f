"""The hand-written debates of the protocols, run by their scripts."""

import asyncio
from pathlib import Path
from typing import Any

import moot
from moot.models.scripted import open_demo, read_demo
from moot.testing import ScriptedModel
from tests.kit import unread

BAD = ["?", "?", "?"]
"""A reply that cannot be used, as often as it is asked for."""


def briefed(answer: str = "It is so.", **more: Any) -> dict[str, Any]:
    """A reply with a brief of one reason, and with fields of its own."""
    return {"because": [{"reason": "It was borne out.", "rests_on": []}], "answer": answer, **more}


def demo_config(name: str, folder: Path | str, **settings: Any) -> moot.RunConfig:
    """The demonstration of a protocol, spoken by its script."""
    given = {**read_demo(name).settings, "model": open_demo(name).name, "out": str(folder), **settings}
    return moot.configure(**given)


def demonstrated(
    name: str, folder: Path | str, replies: dict[str, Any] | None = None, **settings: Any
) -> tuple[moot.Result, ScriptedModel]:
    """A run of the demonstration, in which the given replies take the place of those of its script; None is for one
    that is not asked for."""
    model = open_demo(name)
    assert not callable(model.script)
    model.script = {key: said for key, said in {**model.script, **(replies or {})}.items() if said is not None}
    reports = unread.settings(settings)
    config = demo_config(name, folder, **settings)
    return asyncio.run(moot.run(config, models={model.name: model}, **reports)), model


def codes(result: moot.Result) -> list[str]:
    """What is flagged, but for the script."""
    return [flag.code for flag in result.flags if flag.code != "scripted_replies"]


def report_rows(result: moot.Result) -> list[list[str]]:
    """The rows of all tables in the report."""
    lines = (result.stored.path / "report.md").read_text("utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines if line.startswith("|")]
