"""`moot rank`, `moot knowledge` and `moot memory`: what arenas leave, through the command line."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import moot as api
from moot.memory.store import open_store
from tests.command import empty_place, moot, refused
from tests.test_docs import endpoint

ARENA = ("--agents", "2", "--rounds", "1", "-q")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    found = empty_place(tmp_path, monkeypatch)
    with endpoint() as url:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("MOOT_MODEL", "openai/gpt-5-mini")
        yield found


def test_an_arena_is_remembered_ranked_found_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_MEMORY", "memory.db")
    ended = moot("arena", "Should the cache be shared?", "--agents", "3", *ARENA[2:], "--json", "--seed", "1")
    assert ended.code == 0, ended.err
    names = {one["agent"] for one in json.loads(moot("rank", "--json").out)}
    assert len(names) == 3
    assert all(name in moot("rank").out for name in names)
    (found,) = json.loads(moot("knowledge", "search", "caches", "--json").out)
    run = api.find_run(json.loads(ended.out)["run"])
    assert found["question"] == "Should the cache be shared?"
    assert found["id"] == json.loads(ended.out)["receipt"]["log_sha256"]
    assert "Should the cache be shared?" in moot("knowledge", "search", "caches").out
    assert json.loads(moot("knowledge", "show", found["id"][:8], "--json").out)["run"] == str(run.path)
    receipt = json.loads((run.path / "receipt.json").read_bytes())
    assert found["receipt"] == receipt
    shown = moot("knowledge", "show", found["id"][:8]).out
    for words in ("Should the cache be shared?", f"Receipt {receipt['id']}", "Decided by", "Evidence", "Dissent of"):
        assert words in shown
    (remembered,) = json.loads(moot("memory", "list", "--json").out)
    assert (remembered["id"], remembered["tier"]) == (found["id"], "fast")
    assert 0.9 < remembered["strength"] <= 1
    assert found["id"][:12] in moot("memory", "list").out
    assert "already" in moot("memory", "add", str(run.path)).out
    assert moot("memory", "forget", found["id"][:8]).code == 0
    assert "Nothing is known" in moot("knowledge", "search", "caches").out
    assert "Nothing is remembered" in moot("memory", "list").out
    assert {one["agent"] for one in json.loads(moot("rank", "--json").out)} == names


def test_what_is_recalled_is_in_the_log_and_nothing_else_is() -> None:
    assert moot("arena", "Should the cache be shared?", *ARENA, "--memory", "memory.db").code == 0
    without = json.loads(moot("arena", "Is a shared cache safe?", *ARENA, "--memory", "memory.db", "--json").out)
    assert "earlier debate" not in Path(without["run"], "log.jsonl").read_text("utf-8")
    reminded = json.loads(
        moot("arena", "Is a shared cache safe?", *ARENA, "--memory", "memory.db", "--recall", "1", "--json").out
    )
    entry = next(one for one in api.find_run(reminded["run"]).entries() if one.type == "background")
    assert "It is what was thought then, not a fact." in entry.content
    assert "cache" in entry.content


def test_a_run_can_be_added_later() -> None:
    run = json.loads(moot("arena", "What now?", *ARENA, "--json").out)["run"]
    assert moot("memory", "add", run, "--memory", "memory.db").out == "Remembered.\n"
    with open_store("memory.db") as store:
        assert len(store.leaderboard()) == 2


def test_an_entry_from_outside_makes_no_other_debate_of_it() -> None:
    run = json.loads(moot("arena", "What now?", *ARENA, "--json").out)["run"]
    assert moot("memory", "add", run, "--memory", "memory.db").out == "Remembered.\n"
    Path("note.txt").write_text("By the way.", "utf-8")
    noted = ("--phase", "outcome", "--speaker", "Kaveh", "--type", "note", "--content-file", "note.txt")
    assert moot("log", "append", run, *noted).code == 0
    assert "already" in moot("memory", "add", run, "--memory", "memory.db").out


def test_what_cannot_be_remembered() -> None:
    run = json.loads(moot("duel", "Is it so?", "--turns", "2", "-q", "--json").out)["run"]
    assert "only an arena is remembered" in refused("memory", "add", run, "--memory", "memory.db")
    assert "--memory" in refused("rank")
    for command in (
        ["rank"],
        ["knowledge", "search", "x"],
        ["knowledge", "show", "abc"],
        ["memory", "list"],
        ["memory", "forget", "abc"],
    ):
        assert "there is no memory at memory.db yet" in refused(*command, "--memory", "memory.db")
    assert "no memory" in refused("arena", "What now?", "--memory", "memory.db", "--recall", "1")
    assert "--recall needs" in refused("arena", "What now?", "--recall", "1")
    Path("folder").mkdir()
    ended = moot("arena", "What now?", *ARENA, "--memory", "folder")
    assert ended.code == 2
    assert "the debate is done, but the memory at folder" in ended.err
    assert "moot memory add" in ended.err
