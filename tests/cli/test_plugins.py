"""Plug-in files on the command line: broken ones, ones that would hide something, and what else they bring."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from moot.engine.define.exporter import EXPORTERS
from moot.engine.define.registry import load_file
from moot.engine.staging.runs import list_runs
from tests.kit.command import Said, moot, refused
from tests.kit.trusted import write_trusted
from tests.kit.tutorial import write_hands


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test plugs in is not there in the next."""
    monkeypatch.setattr("moot.engine.define.registry._registered", {})
    monkeypatch.setattr(EXPORTERS, "_added", {})


def name(*files: str) -> None:
    write_trusted(f"plugins: {json.dumps(files)}\n")


def done(*args: str) -> Said:
    ended = moot(*args)
    assert ended.code == 0, ended
    return ended


def test_no_protocol_can_be_called_like_a_command(place: Path) -> None:
    text = write_hands(place).read_text("utf-8")
    (place / "list.py").write_text(text.replace('name="hands"', 'name="list"'), "utf-8")
    said = refused("run", "list.py", "Is it so?")
    assert said == "moot: a protocol cannot be called 'list', since `moot list` is a command\n"


@pytest.mark.parametrize("args", [["--help"], ["list"], ["protocols"], ["models"], ["setup", "doctor"]])
def test_a_broken_plug_in_stops_no_command_that_can_do_without(place: Path, args: list[str]) -> None:
    (place / "hands.py").write_text("def\n", "utf-8")
    name("hands.py")
    ended = moot(*args)
    assert "Traceback" not in ended.err
    assert ended.out
    if args != ["list"]:
        assert "hands.py cannot be loaded: SyntaxError" in " ".join((ended.err + ended.out).split())
    if args == ["protocols"]:
        assert "duel" in ended.out


def test_runs_of_a_broken_plug_in_can_be_read_and_say_why_they_cannot_go_on(
    place: Path, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_hands(place)
    name("hands.py")
    assert moot("hands", "Is it so?", "--max-calls", "1").code != 0
    monkeypatch.setattr("moot.engine.define.registry._registered", {})
    monkeypatch.setattr("moot.engine.define.registry._load_once", load_file)
    (place / "hands.py").write_text("def\n", "utf-8")
    assert "hands" in done("list").out
    assert "Voter 1" in done("show", "latest").out
    assert "hands.py cannot be loaded: SyntaxError" in refused("resume", "latest")


@pytest.fixture
def edited(place: Path, provider: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Changes a text of the plug-in that is named, as if by another process."""
    path = write_hands(place)
    name("hands.py")

    def edit(text: str, other: str) -> None:
        before = path.read_text("utf-8")
        assert text in before
        path.write_text(before.replace(text, other), "utf-8")
        monkeypatch.setattr("moot.engine.define.registry._registered", {})
        monkeypatch.setattr("moot.engine.define.registry._load_once", load_file)

    return edit


def test_a_result_is_not_compared_where_only_the_plug_in_differs(edited: Callable[[str, str], None]) -> None:
    done("hands", "Is it so?")
    edited("The hands say", "The fingers say")
    said = done("verify", "latest").out
    assert "the result is not compared, since the run was begun with hands.py" in " ".join(said.split())


@pytest.mark.parametrize(
    "command",
    [["runs", "report", "latest"], ["runs", "deliver", "latest", "told.md"], ["export", "latest", "--to", "md"]],
)
def test_another_version_of_a_plug_in_does_not_give_a_run_another_verdict(
    edited: Callable[[str, str], None], command: list[str]
) -> None:
    done("hands", "Is it so?")
    result = list_runs()[-1].path / "result.json"
    before = result.read_bytes()
    edited("The hands say", "The fingers say")
    said = refused(*command)
    assert "stays as it is: the run was begun with hands.py (" in said
    assert said.endswith(", which makes another brief, summary\n")
    assert result.read_bytes() == before


def test_where_the_script_goes_another_way_the_plug_in_is_named(edited: Callable[[str, str], None]) -> None:
    assert moot("hands", "Is it so?", "--max-calls", "1").code != 0
    edited("Give your reason,", "State your reason,")
    said = refused("resume", "latest", code=1)
    assert "The plug-in was edited: the run was begun with hands.py (" in said
    assert "another version of moot" not in said


FAILING = """
from moot.runs.export import Exporter
async def _later(run): return None
ALL = [
    FAILS := Exporter("fails", "Fails.", "text/plain", lambda run: 1 / 0),
    NOTHING := Exporter("nothing", "Nothing.", "text/plain", _later),
    HALF := Exporter("half", "Half.", "text/plain", lambda run: "half a \\ud83d"),
]
"""


def test_an_exporter_that_fails_is_told_of_in_a_line(place: Path, provider: str) -> None:
    (place / "failing.py").write_text(FAILING, "utf-8")
    name("failing.py")
    done("duel", "Is it so?", "--turns", "2")
    no_text = "its exporter did not return text"
    for form, why in {"fails": "ZeroDivisionError: division by zero", "nothing": no_text, "half": no_text}.items():
        assert refused("export", "latest", "--to", form, code=1).startswith(f"moot: {form} could not be made: {why}")


@pytest.mark.parametrize(
    ("text", "other", "what"),
    [
        ('about="Every voter', 'about="\\x1b[31mEvery voter', "about"),
        ('about="Every voter', 'about="\\ud83dEvery voter', "about"),
        ("payloads=", 'gives="half a \\ud83d", payloads=', "gives"),
        ('"How many vote."', '"How many \\u202evote."', "options"),
        ('label="Voters"', 'label="half a \\ud83d"', "options"),
        ('label="Voters"', "label=None", "options"),
    ],
)
def test_a_protocol_whose_words_cannot_be_read_is_refused(place: Path, text: str, other: str, what: str) -> None:
    path = write_hands(place)
    code = path.read_text("utf-8")
    assert text in code
    path.write_text(code.replace(text, other), "utf-8")
    told = f"what hands says as its {what} is no text, or has characters that nobody can read"
    assert refused("run", "hands.py", "Is it so?") == f"moot: {told}\n"


@pytest.mark.parametrize("file", ["~nobody-of-that-name/x.py", "a\0b.py"])
def test_a_plug_in_that_can_be_no_file_is_told_of_in_a_line(place: Path, file: str) -> None:
    name(file)
    assert refused("duel", "Is it so?").startswith(f"moot: there is no plug-in {file!r}: ")
    listed = moot("protocols")
    assert (listed.code, listed.err.count("\n")) == (0, 1)
    assert "duel" in listed.out


@pytest.mark.parametrize(
    ("name", "told"),
    [("class", "is a Python keyword"), ("9x", "must begin with a letter"), ("Loud", "lower-case letters")],
)
def test_a_name_for_a_new_protocol_is_refused_with_its_reason(place: Path, name: str, told: str) -> None:
    assert told in refused("protocols", "new", name)
