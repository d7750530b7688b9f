"""The hand-written debates: one for each protocol that people can choose, whole, and as their files describe them."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

import moot
from moot.engine.define.shipped import DEFAULT, OFFERED, SHELF
from moot.models.scripted import demo_names, open_demo, read_demo
from moot.protocols.arena.payloads import ArenaDecision
from moot.queue.allowed import Allowed
from moot.queue.material import read_material
from moot.stats.similarity import FALLBACK
from moot.testing import ScriptedModel
from tests.kit.command import empty_place, refused
from tests.kit.command import moot as command
from tests.kit.duels import assert_sound, said, take_up
from tests.kit.examples import tries
from tests.kit.shelf import demo_config, demonstrated

ALWAYS = {"scripted_replies"}
"""What is said of every debate whose replies come from a script."""
Kind = TypeVar("Kind")
CUTS = 1
"""At how many places of its journal a long debate is cut."""


Played = Callable[[str], tuple[moot.Result, ScriptedModel]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Each debate as its script has it, with its reports."""
    folder = tmp_path_factory.mktemp("played")
    return cache(lambda name: demonstrated(name, folder / name, reports=True))


def data_in(run: moot.Run, kind: type[Kind]) -> list[Kind]:
    return [entry.data for entry in run.entries() if isinstance(entry.data, kind)]


def without_times(run: moot.Run) -> list[dict[str, Any]]:
    """What its entries say, but for when a source was looked up."""
    return [
        {**one, "sources": [{**source, "accessed": None} for source in one["sources"]]} for one in said(run.entries())
    ]


def test_each_protocol_has_one() -> None:
    assert set(demo_names()) == set(OFFERED)


@pytest.mark.parametrize("name", OFFERED)
def test_it_is_whole(name: str, played: Played) -> None:
    result, model = played(name)
    assert result.status == "done", result.reason
    run = moot.find_run(result.run)
    assert model.unused(record.key for record in run.records()) == []
    assert len(model.requests) == len({one.key for one in model.requests}), "no reply was asked for again"
    assert result.summary.decided and not result.failures
    assert {flag.code for flag in result.flags} == ALWAYS | set(read_demo(name).flags)
    assert_sound(run)


@pytest.mark.parametrize("name", SHELF)
def test_its_plan_is_a_bound(name: str, tmp_path: Path, played: Played) -> None:
    planned = asyncio.run(moot.plan(demo_config(name, tmp_path)))
    assert planned.calls >= len(played(name)[1].requests)


@pytest.mark.parametrize("name", OFFERED)
def test_taken_up_after_any_record(name: str, tmp_path: Path, played: Played) -> None:
    """With any first part of the journal on disk, the rest is asked for and nothing else, and the log is the same."""
    whole = moot.find_run(played(name)[0].run)
    lines = whole.journal_path.read_bytes().splitlines(keepends=True)
    log = whole.log_path.read_bytes().splitlines(keepends=True)
    cuts = tries(CUTS)
    first = sum(map(ord, name)) % max(1, len(lines) // cuts)  # another one for each
    for kept in range(first, len(lines), max(1, len(lines) // cuts)):
        folder = tmp_path / f"{kept:03}"
        folder.mkdir()
        (folder / "config.yaml").write_bytes((whole.path / "config.yaml").read_bytes())
        (folder / "calls.jsonl").write_bytes(b"".join(lines[:kept]))
        (folder / "log.jsonl").write_bytes(log[0] if kept else b"")
        run = moot.find_run(str(folder))
        again = open_demo(name)
        assert take_up(run, again, reports=False).status == "done"
        asked = Counter((one.key, one.attempt) for one in again.requests)
        paid = {(one.key, one.attempt) for one in whole.records()[:kept] if one.kind == "reply"}
        assert not paid & set(asked) and max(asked.values(), default=1) == 1
        assert without_times(run) == without_times(whole)
        assert_sound(run)


def test_the_command_shows_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_place(tmp_path, monkeypatch)
    for name in OFFERED:
        ended = json.loads(command("demo", name, "--instant", "--json").out)
        assert (ended["protocol"], ended["status"]) == (name, "done")
    assert json.loads(command("demo", "--instant", "--json").out)["protocol"] == DEFAULT


def test_the_command_says_which_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_place(tmp_path, monkeypatch)
    assert ", ".join(sorted(OFFERED)) in refused("demo", "seance")
    listed = " ".join(command("demo", "--help").out.split())
    assert ", ".join(OFFERED) in listed
    assert "demo NAME" in command("protocols").out
    rows = json.loads(command("protocols", "--json").out)
    assert {row["name"] for row in rows if row["demo"]} == set(OFFERED)


@pytest.mark.parametrize("backend", ["shipped", FALLBACK])
def test_an_arena_agrees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str) -> None:
    """The same calls are made where the package that compares texts is not installed."""
    if backend == FALLBACK:
        monkeypatch.setattr("moot.stats.similarity.shipped_backend", lambda: FALLBACK)
    result, model = demonstrated("arena", tmp_path)
    run = moot.find_run(result.run)
    assert model.unused(record.key for record in run.records()) == []
    (decided,) = data_in(run, ArenaDecision)
    assert (decided.decided_by, decided.verdict) == ("vote and judge", "approved_with_conditions")
    assert decided.reasons == ["Tomas has 2 of 2 votes"]


def test_a_worker_runs_them_without_a_file(tmp_path: Path) -> None:
    for name in OFFERED:
        config = demo_config(name, tmp_path)
        assert Allowed().refuses(open_demo(name).name) is None
        assert read_material(config) == {}
    assert Allowed().refuses("scripted/demo:seance") is not None
