"""A run that moot 0.1 wrote is not read: one line says so, in every face, and the runs beside it are as they were."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

import moot
from tests.kit.command import moot as command
from tests.kit.command import refused
from tests.kit.duels import staged
from tests.kit.servers import serving


def made_old(run: moot.Run) -> str:
    """Make it a run of moot 0.1, whose log counts from 1, and return the line that is told of it."""
    config = run.path / "config.yaml"
    text = re.sub(
        r"\Amoot:\n  version: .*\n  schema: 4\n", "moot:\n  version: 0.1.0\n  schema: 1\n", config.read_text()
    )
    assert "schema: 1\n" in text
    config.write_text(text)
    lines = run.log_path.read_bytes().replace(b"moot-log-4", b"moot-log-1").splitlines(keepends=True)
    run.log_path.write_bytes(
        b"".join(re.sub(rb'^{"seq":\d+', b'{"seq":%d' % number, line) for number, line in enumerate(lines, 1))
    )
    return f"{run.name} was written by moot 0.1.0 (schema 1), which this version does not read"


@pytest.fixture
def new(place: Path) -> moot.Run:
    return staged(place / "debates")


@pytest.fixture
def old(place: Path, new: moot.Run) -> moot.Run:
    return staged(place / "debates")


@pytest.fixture
def line(old: moot.Run) -> str:
    return made_old(old)


@pytest.mark.parametrize(
    "command", ["show --as Ada", "resume", "verify", "runs report", "export --to md", "fork --at 2"]
)
def test_a_command_says_so_in_one_line(old: moot.Run, line: str, command: str) -> None:
    name, *rest = command.split()
    sub = [rest.pop(0)] if name == "runs" else []
    assert refused(name, *sub, str(old.path), *rest) == f"moot: {line}\n"


def test_a_list_goes_on_with_the_others(new: moot.Run, old: moot.Run, line: str) -> None:
    told = command("list")
    assert (told.code, told.err) == (0, "")
    assert told.out.splitlines()[0] == line
    assert told.out.count("Is it so?") == 1
    rows = {Path(row["run"]).name: row for row in json.loads(command("list", "--json").out)}
    assert (rows[old.name]["status"], rows[old.name]["reason"]) == ("unreadable", line)
    assert (rows[new.name]["status"], rows[new.name]["reason"]) == ("done", None)


def test_pages_and_api_say_so_and_list_the_others(place: Path, new: moot.Run, old: moot.Run, line: str) -> None:
    with serving(place / "debates") as site, site.client() as client:
        for page in (f"/runs/{old.name}", f"/runs/{old.name}/as/A", f"/compare?a={new.name}&b={old.name}"):
            answer = client.get(page)
            assert (answer.status_code, line in unescape(answer.text)) == (422, True), page
        for rest in ("", "/entries", "/verify", "/export/md"):
            answer = client.get(f"/api/runs/{old.name}{rest}")
            assert (answer.status_code, answer.json()) == (422, {"error": line}), rest
        assert client.post(f"/api/runs/{old.name}/resume").json() == {"error": line}
        gallery = unescape(client.get("/").text)
        assert gallery.count(line) == 1 and "Is it so?" in gallery
        cards = {one["name"]: (one["status"], one["headline"]) for one in client.get("/api/runs").json()["runs"]}
        assert cards[old.name] == ("unreadable", line) and cards[new.name][0] == "done"
