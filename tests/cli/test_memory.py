"""`moot memory rank` and `moot memory`: what arenas leave, through the command line."""

import json
from pathlib import Path

import pytest

import moot as api
from moot.memory.store import open_store
from tests.kit.command import moot, refused
from tests.kit.databases import others_database

pytestmark = pytest.mark.usefixtures("provider")

ARENA = ("--agents", "2", "--rounds", "1", "-q")
NOTHING_RECALLED = (
    "nothing in the memory is alike enough to this task, so nothing is recalled; "
    "`moot memory search` looks for single words, too"
)


def test_an_arena_is_remembered_ranked_found_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_MEMORY", "memory.db")
    ended = moot("arena", "Should the cache be shared?", "--agents", "3", *ARENA[2:], "--json", "--seed", "1")
    assert ended.code == 0, ended.err
    ranked = json.loads(moot("memory", "rank", "--json").out)
    names = {one["agent"] for one in ranked}
    assert names == {f"{one['persona']} · {one['model']}" for one in ranked}
    assert len(names) == 3
    assert all(one["persona"] in moot("memory", "rank").out for one in ranked)
    (found,) = json.loads(moot("memory", "search", "caches", "--json").out)
    run = api.find_run(json.loads(ended.out)["run"])
    assert found["question"] == "Should the cache be shared?"
    assert found["id"] == json.loads(ended.out)["receipt"]["log_sha256"]
    assert "Should the cache be shared?" in moot("memory", "search", "caches").out
    assert json.loads(moot("memory", "show", found["id"][:8], "--json").out)["run"] == str(run.path)
    receipt = json.loads((run.path / "receipt.json").read_bytes())
    assert found["receipt"] == receipt
    shown = moot("memory", "show", found["id"][:8]).out
    for words in ("Should the cache be shared?", f"Receipt {receipt['id']}", "Decided by", "Evidence"):
        assert words in shown
    (remembered,) = json.loads(moot("memory", "list", "--json").out)
    assert (remembered["id"], remembered["tier"]) == (found["id"], "fast")
    assert 0.9 < remembered["strength"] <= 1
    assert found["id"][:12] in moot("memory", "list").out
    assert "already" in moot("memory", "add", str(run.path)).out
    right = next(iter(found["proposals"]))
    noted = moot("memory", "outcome", str(run.path), "--right", right).out
    assert noted.startswith(f"Noted: the proposal of {right} was right.\nOf ")
    assert sum(one["known"] for one in json.loads(moot("memory", "rank", "--json").out)) > 0
    assert "has no proposal of Eve: there is a proposal of" in refused(
        "memory", "outcome", str(run.path), "--right", "Eve"
    )
    assert moot("memory", "outcome", str(run.path), "--right", "none").code == 0
    for command in (["show", found["id"][:8]], ["search", "caches"], ["list", "--json"]):
        assert "one of the proposals was right." in moot("memory", *command).out
    assert "there is none" in refused("memory", "forget", ""), "an empty variable of a script is no id"
    assert moot("memory", "forget", found["id"][:8]).code == 0
    assert "Nothing is known" in moot("memory", "search", "caches").out
    assert "Nothing is remembered" in moot("memory", "list").out
    assert {one["agent"] for one in json.loads(moot("memory", "rank", "--json").out)} == names


def test_what_is_recalled_is_in_the_log_and_nothing_else_is() -> None:
    assert moot("arena", "Should the cache be shared?", *ARENA, "--memory", "memory.db").code == 0
    without = json.loads(moot("arena", "Is a shared cache safe?", *ARENA, "--memory", "memory.db", "--json").out)
    assert "Earlier de" not in Path(without["run"], "log.jsonl").read_text("utf-8")
    reminded = json.loads(
        moot("arena", "Is a shared cache safe?", *ARENA, "--memory", "memory.db", "--recall", "1", "--json").out
    )
    tiers = [one["tier"] for one in json.loads(moot("memory", "list", "--memory", "memory.db", "--json").out)]
    assert sorted(tiers) == ["fast", "fast", "medium"]
    reminding = ("--memory", "memory.db", "--recall", "1")
    assert moot("plan", "arena", "Is a shared cache safe?", *ARENA, *reminding).code == 0
    listed = json.loads(moot("memory", "list", "--memory", "memory.db", "--json").out)
    assert [one["tier"] for one in listed] == tiers, "a plan is no use"
    ended = moot("arena", "Who should win the football cup?", *ARENA, *reminding, "--json")
    assert ended.err.startswith(f"moot: {NOTHING_RECALLED}\n")
    assert "Earlier de" not in Path(json.loads(ended.out)["run"], "log.jsonl").read_text("utf-8")
    [document] = api.find_run(reminded["run"]).config.options.documents
    assert document.title.startswith("Earlier ") and document.source == "memory"
    assert "It is what was thought then, not a fact." in document.text and "cache" in document.text


def test_what_cannot_be_remembered() -> None:
    run = json.loads(moot("duel", "Is it so?", "--turns", "2", "-q", "--json").out)["run"]
    assert "is a duel, of which a memory keeps nothing" in refused("memory", "add", run, "--memory", "memory.db")
    for command in (["memory", "rank"], ["memory", "list"]):
        assert refused(*command) == "Missing option '--memory' (env var: 'MOOT_MEMORY').\n"
    before = others_database("theirs.db")
    for command in (
        ["memory", "rank"],
        ["memory", "search", "x"],
        ["memory", "show", "abc"],
        ["memory", "list"],
        ["memory", "forget", "abc"],
    ):
        assert "there is no memory at memory.db yet" in refused(*command, "--memory", "memory.db")
        assert "theirs.db is no memory of moot" in refused(*command, "--memory", "theirs.db")
    assert Path("theirs.db").read_bytes() == before
    assert "--recall needs" in refused("arena", "What now?", "--recall", "1")
    with open_store("full.db") as store:
        store._database.execute("DROP TABLE memories")
    assert "the memory failed: no such table" in refused("memory", "list", "--memory", "full.db")


@pytest.mark.parametrize("protocol", ["duel", "council"])
def test_every_protocol_recalls(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert moot("arena", "Should the cache be shared?", *ARENA, "--memory", "memory.db").code == 0
    monkeypatch.setenv("MOOT_MEMORY", "memory.db")
    ended = moot(protocol, "Is a shared cache safe?", "-q", "--json", "--recall", "1")
    [document] = api.find_run(json.loads(ended.out)["run"]).config.options.documents
    assert (document.source, "remembered" in ended.err) == ("memory", False)
    assert "--recall reads from it" in refused(protocol, "Is it so?", "--memory", "memory.db")
