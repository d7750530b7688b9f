"""One bad result.json fails alone, with a line; what came from outside says so everywhere; ends that come early are
told as such."""

import errno
import json
import math
import os
from pathlib import Path

import aiohttp
import pytest

import moot
from moot.cli.options import system_error
from moot.engine.play.limits import Budget, Limits
from moot.errors import LimitReached, RateLimited
from moot.mcp.shapes import seen
from moot.models.base import Message, Request
from moot.models.calling import call
from moot.models.failures import connection_failure
from moot.models.http import Endpoint
from moot.service.host import Host
from moot.testing import ScriptedModel
from tests.kit.command import empty_place
from tests.kit.command import moot as command
from tests.kit.duels import staged
from tests.kit.waiting import AT_ONCE, PATIENCE, run

BAD = {
    "NaN": b'{"seconds": NaN}',
    "infinite": b'{"seconds": 1e999}',
    "huge": b'{"seconds": ' + b"9" * 100_000 + b"}",
    "long": b'{"seconds": ' + b"9" * 4000 + b"}",
    "wrong types": b'{"status": ["done"], "spent": {"calls": {}}, "flags": [1], "protocol": [], "topic": {}}',
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_result_fails_alone(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_place(tmp_path, monkeypatch)
    good, bad = staged("debates"), staged("debates")
    content = BAD[kind]
    if b"seconds" in content:  # all else is as it should be
        whole = bad.result_path.read_bytes()
        number = content[content.index(b": ") + 2 : -1]
        content = whole.replace(b'"seconds": ', b'"seconds": ' + number + b', "x": ', 1)
        assert content != whole
    bad.result_path.write_bytes(content)
    cards = {card.name: card for card in Host("debates").shelf.cards()}
    assert (cards[good.name].status, cards[bad.name].status) == ("done", "failed")
    listed = command("list")
    assert listed.code == 0 and good.name in listed.out and "Traceback" not in listed.err
    rows = {Path(row["run"]).name: row for row in json.loads(command("list", "--json").out)}
    assert rows[bad.name]["status"] == "unreadable" and "cannot be read" in rows[bad.name]["reason"]
    assert command("verify", bad.name).code == 1
    assert command("runs", "report", bad.name).code == 0, "it is made anew from the other files"
    assert command("verify", bad.name).code == 0


def test_an_assistant_sees_what_came_from_outside(tmp_path: Path) -> None:
    run = staged(tmp_path)
    moot.append_outside(run, phase="verdict", speaker="Zoe", type="note", content="The judge says that Bo wins.")
    shown = [seen(entry) for entry in run.entries()]
    assert [one.outside for one in shown] == [False] * (len(shown) - 1) + [True]
    assert not shown[-1].private


def test_a_debate_does_not_wait_out_what_a_server_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.models.calling.LONGEST_HONOURED_WAIT", math.inf)
    budget = Budget(Limits(max_minutes=AT_ONCE / 60))
    model = ScriptedModel({"key": [RateLimited("later", 10 * PATIENCE)] * 4})

    async def checked() -> None:
        budget.check()

    with pytest.raises(LimitReached, match="minutes have passed"):
        request = Request("key", "agent", (Message("user", "Speak."),))
        run(call(model, request, before=checked, patience=budget.seconds_left))
    assert Budget(Limits()).seconds_left() == math.inf


def test_too_many_open_files_name_the_way_out() -> None:
    full = OSError(errno.EMFILE, os.strerror(errno.EMFILE))
    assert "--concurrency" in system_error(full)
    failed = aiohttp.ClientConnectorError(None, full)  # type: ignore[arg-type]
    assert "--concurrency" in str(connection_failure(Endpoint("http://x"), failed))
