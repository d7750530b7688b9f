"""What a run leaves for people: a document that cannot be made costs no other, and is told in one line."""

import asyncio
import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.api import Protocol
from moot.engine.define.capabilities import OwnDocuments, ReceiptFields, Redactions
from moot.errors import ReportFailed
from moot.testing import ScriptedModel
from tests.kit import command
from tests.kit.duels import play
from tests.kit.hands import HANDS, config_of, registered, ups
from tests.kit.terminal import told

pytestmark = pytest.mark.usefixtures("reports_are_read")


def failing(*args: Any) -> Any:
    raise ZeroDivisionError("in a renderer")


def with_one(capability: object) -> Protocol:
    return replace(HANDS, capabilities=(capability,))


WHY = f"ZeroDivisionError: in a renderer (test_documents.py, line {failing.__code__.co_firstlineno + 1})"
BROKEN: dict[str, tuple[Protocol, str, set[str]]] = {
    # What each agent was sent stands in the page alone.
    "page": (with_one(Redactions(messages=lambda _: failing)), "report.html", {"report.md", "receipt.json"}),
    "both": (with_one(Redactions(messages=failing)), "report.md and report.html", set()),
    "own": (
        with_one(OwnDocuments(failing)),
        "the protocol's own documents",
        {"report.md", "report.html", "receipt.json"},
    ),
    "receipt": (with_one(ReceiptFields(failing)), "receipt.json", {"report.md", "report.html"}),
}


def hold(folder: Path) -> moot.Result:
    return play(config_of(folder), ScriptedModel(ups(True, True, False)))


def whole(result: moot.Result) -> set[str]:
    """The documents that tell what the debate came to."""
    names = ("report.md", "report.html", "receipt.json")
    paths = [result.stored.path / name for name in names]
    return {path.name for path in paths if path.exists() and "Carried, 2 of 3" in path.read_text("utf-8")}


@pytest.mark.parametrize("which", BROKEN)
def test_at_the_end_of_a_debate(which: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    protocol, what, left = BROKEN[which]
    with registered(protocol), caplog.at_level(logging.WARNING):
        result = hold(tmp_path)
        shown = told(result)
    assert result.status == "done"
    assert whole(result) == left
    assert [record.getMessage() for record in caplog.records] == [
        f"{result.stored.name}: {what} could not be made: {WHY}"
    ]
    assert all(record.exc_info is None for record in caplog.records)
    assert "Carried, 2 of 3" in shown
    named = {one for one in ("report.md", "report.html") if f"Report: {result.run}/{one}" in shown}
    assert named == ({"report.html"} if "report.html" in left else {"report.md"})
    assert (result.stored.path / named.pop()).exists()


@pytest.mark.parametrize("which", BROKEN)
def test_made_anew(which: str, tmp_path: Path) -> None:
    protocol, what, left = BROKEN[which]
    with registered():
        result = hold(tmp_path)
    assert whole(result) == {"report.md", "report.html", "receipt.json"}
    for name in whole(result) - {"receipt.json"}:
        (result.stored.path / name).write_text("from earlier", "utf-8")
    with registered(protocol):
        ended = command.moot("runs", "report", "latest", "--out", str(tmp_path))
        as_json = command.moot("runs", "report", "latest", "--out", str(tmp_path), "--json")
        with pytest.raises(ReportFailed) as failed:
            asyncio.run(moot.rebuild(moot.find_run("latest", str(tmp_path))))
    assert (ended.code, as_json.code) == (1, 1)
    assert ended.err == as_json.err == f"moot: {what} could not be made: {WHY}\n"
    assert set(failed.value.faults) == set(what.split(" and "))
    assert json.loads(as_json.out) == result.document()
    best = next((one for one in ("report.html", "report.md") if one in left), None)
    assert ended.out == (f"{result.run}/{best}\n" if best else "")
    for name in {"report.md", "report.html"} - left:
        text = (result.stored.path / name).read_text("utf-8")
        assert "The report could not be made: ZeroDivisionError" in text, "what is from earlier does not pass for new"
        assert "from earlier" not in text
    assert whole(result) - {"receipt.json"} == left - {"receipt.json"}
