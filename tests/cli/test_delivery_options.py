"""After an arena, through the command line: delivery and memory, by `arena`, `resume` and `deliver`."""

import json
import shlex
import sys
from pathlib import Path

import pytest

import moot as api
from moot.memory.store import open_store
from tests.kit.command import moot, refused
from tests.kit.databases import others_database
from tests.kit.webhooks import receiver

pytestmark = pytest.mark.usefixtures("provider")

ARENA = ("What now?", "--agents", "2", "--rounds", "1", "-q", "--json")
RAN = "exec:" + shlex.join([sys.executable, "-c", "print('ran', file=open('ran.txt', 'a')); print('to be read')"])


def test_all_of_it_happens_once_in_order_and_the_result_stays_alone_on_stdout() -> None:
    with receiver() as hook:
        after = ("--deliver", "out.json", "--deliver", hook.url, "--deliver", RAN, "--memory", "memory.db")
        ended = moot("arena", *ARENA, *after)
        assert ended.code == 0, ended.err
        run = json.loads(ended.out)["run"]
        told = [line for line in ended.err.splitlines() if line.startswith("moot: ")]
        assert [line.partition(" ")[2] for line in told] == [
            "out.json has the result",
            "http://127.0.0.1 has the result",
            f"{Path(sys.executable).name} has the result",
            f"the debate is remembered as {json.loads(ended.out)['receipt']['log_sha256'][:12]}",
        ]
        again = moot("resume", run, "-q", "--json", *after)
        assert again.code == 0
        assert again.err.count("before") == 4
        assert json.loads(again.out) == json.loads(ended.out)
        assert moot("runs", "deliver", run, *after[1:6:2]).code == 0
        assert len(hook.got) == 1
    assert Path("ran.txt").read_text("utf-8") == "ran\n"
    assert json.loads(Path("out.json").read_bytes())["topic"] == "What now?"
    with open_store("memory.db") as store:
        assert len(store.leaderboard()) == 2
        assert {one.games for one in store.leaderboard()} == {1}
    assert api.verify(api.find_run(run)).faults == []


def test_mistakes_are_found_before_anything_is_spent() -> None:
    assert "cannot be written" in refused("arena", "x y", "--deliver", "nowhere/x.json")
    assert "needs a path" in refused("arena", "x y", "--deliver", "nonsense://x")
    assert "Unknown command" in refused("arena", "x y", "--deliver", "exec:no-such-command")
    assert "WHERE" in refused("runs", "deliver", "latest")
    Path("folder").mkdir()
    before = others_database("theirs.db")
    for memory, words in {
        "theirs.db": "theirs.db is no memory of moot but a database of something else",
        "folder": "the memory at folder cannot be opened",
        "mysql://me:s3cret@localhost/x": "postgresql://…",
        "postgresql://me:s3@cret@127.0.0.1:1/x": "%40",
    }.items():
        message = refused("arena", "x y", "--memory", memory)
        assert words in message
        assert "cret" not in message
    assert Path("theirs.db").read_bytes() == before
    run = json.loads(moot("duel", "Is it so?", "--turns", "2", "-q", "--json").out)["run"]
    assert "a memory keeps nothing of a duel" in refused("resume", run, "--memory", "memory.db")
