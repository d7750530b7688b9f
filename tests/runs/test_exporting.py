"""One table of exporters, for every face, and plug-ins can add to it."""

import asyncio
import json
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import moot
from moot.argument.formats import FORMATS
from moot.engine.define.exporter import EXPORTERS, Exporter, register_exporter
from moot.runs.export import GRAPHS, exporter, exporter_names, exporters
from tests.kit.command import moot as command
from tests.kit.duels import staged


def count_entries(run: moot.Run) -> str:
    return f"{len(run.entries())} entries\n"


async def name_protocol(run: moot.Run) -> str:
    return json.dumps({"protocol": (await moot.result_of(run)).protocol})


COUNT = Exporter("count", "how many entries there are", "text/plain", count_entries)
NAME = Exporter("name", "the protocol", "application/json", name_protocol)


@pytest.fixture(autouse=True)
def none_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EXPORTERS, "_added", {})
    monkeypatch.setattr(EXPORTERS, "_points", ())


def test_every_format_of_a_graph_has_an_exporter() -> None:
    graphs = {one.name for one in exporters() if one.graph}
    assert graphs == (FORMATS.keys() - {"json"}) | {"graph"} == set(GRAPHS)
    assert exporter_names()[:3] == ["md", "html", "json"]
    assert all(one.about and "/" in one.media for one in exporters())


def test_exporters_that_are_registered_are_used_like_moots_own(tmp_path: Path) -> None:
    run = staged(tmp_path)
    for one in (COUNT, COUNT, NAME):  # the same again changes nothing
        register_exporter(one)
    assert asyncio.run(moot.export(run, "count")) == f"{len(run.entries())} entries\n"
    assert json.loads(asyncio.run(moot.export(run, "name"))) == {"protocol": "duel"}
    assert exporter_names()[-2:] == ["count", "name"]
    told = command("export", str(run.path), "--to", "count")
    assert (told.code, told.out) == (0, f"{len(run.entries())} entries\n")


def test_a_name_that_is_taken_is_refused() -> None:
    register_exporter(COUNT)
    for taken in ("md", "count"):
        with pytest.raises(moot.ConfigError, match=f"the exporter '{taken}' is there already"):
            register_exporter(Exporter(taken, "another", "text/plain", lambda _: ""))


def test_an_installed_package_brings_its_exporters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("count", "tests.runs.test_exporting:COUNT", EXPORTERS.group),
        EntryPoint("wrong", "tests.runs.test_exporting:COUNT", EXPORTERS.group),
        EntryPoint("broken", "tests.runs.test_exporting:NOWHERE", EXPORTERS.group),
    ]
    monkeypatch.setattr(EXPORTERS, "_points", tuple(points))
    assert exporter_names()[-3:] == ["broken", "count", "wrong"], "none is loaded to be named"
    assert exporter("count") == COUNT
    assert asyncio.run(moot.export(staged(tmp_path), "count")).endswith(" entries\n")
    for name, told in (("wrong", "is no exporter of that name"), ("broken", "cannot be loaded: AttributeError")):
        with pytest.raises(moot.ConfigError, match=told):
            exporter(name)
    assert [one.name for one in exporters()][-1] == "count", "those that cannot be loaded are left out"
