"""Whatever tells people what to type names the plug-in file of a protocol that no setting names."""

import os
import re
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from moot.engine.staging.runs import list_runs
from tests.kit.command import Said, moot_alone, spawn
from tests.kit.endpoint import FakeEndpoint
from tests.kit.servers import endpoint
from tests.kit.tutorial import write_hands
from tests.kit.waiting import PATIENCE, wait_until

PLACES = [".", "tools", "../elsewhere"]
"""Of the file, seen from where the commands are typed."""


@pytest.fixture(params=PLACES)
def hands(request: pytest.FixtureRequest, place: Path, provider: str) -> str:
    folder = place / str(request.param)
    folder.mkdir(exist_ok=True)
    return os.path.relpath(write_hands(folder))


def words_after(lead: str, text: str) -> list[str]:
    """The command that a text tells after these words, without the `moot` before it."""
    found = re.search(rf"{lead}:?\s+moot (.*)", text)
    assert found, text
    return shlex.split(found[1])


def commands_in(report: str) -> list[list[str]]:
    return [
        shlex.split(one)
        for one in re.findall(r"moot ((?:--plugin \S+ )?(?:resume|verify|replay) \S+?)(?:<|\n)", report)
    ]


def stopped(*command: str) -> Said:
    ended = moot_alone(*command, "Is it so?", "-q", "--max-calls", "1")
    assert ended.code == 3, ended
    return ended


@pytest.mark.parametrize("way", ["run", "--plugin"])
def test_what_is_told_can_be_typed(hands: str, way: str) -> None:
    ended = stopped("run", hands) if way == "run" else stopped("--plugin", hands, "hands")
    run = list_runs()[-1]
    reports = [(run.path / name).read_text("utf-8") for name in ("report.md", "report.html")]
    found = [commands_in(report) for report in reports]
    assert found[0] == found[1]
    assert [one[2] for one in found[0]] == ["resume", "verify"]
    outside = hands.startswith("..")
    named = "hands.py" if outside else hands
    assert {tuple(one[:2]) for one in found[0]} == {("--plugin", named)}, "and no report tells where it lies elsewhere"
    assert not outside or str(Path(hands).resolve().parent) not in "".join(reports)
    for one in found[0][1:]:
        assert moot_alone(*(str(hands) if word == named else word for word in one)).code == 0
    going_on = words_after("To continue", ended.out)
    assert going_on[1] == (str(Path(hands).resolve()) if outside else hands)
    assert moot_alone(*going_on, "-q").code == 0
    assert moot_alone("verify", "latest").code == 0


@pytest.fixture
def slow(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeEndpoint]:
    """A server that holds back all replies but the first."""
    with endpoint() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("MOOT_MODEL", "openai/any")
        write_hands(place)
        server.hold(1)
        yield server
        server.let_go()


@pytest.mark.parametrize("command", [["run", "hands.py", "Is it so?"], ["--plugin", "hands.py", "batch", "many.yaml"]])
def test_an_interrupted_command_names_it(command: list[str], slow: FakeEndpoint) -> None:
    Path("many.yaml").write_text("protocol: hands\ntopic: Is it so?\nvoters: 2\nrepeat: 2\n", "utf-8")
    process = spawn(*command)
    wait_until(lambda: slow.held > 0)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    slow.let_go()
    assert process.returncode == 130
    assert words_after("To continue", err.decode())[:2] == ["--plugin", "hands.py"]
    reports = "".join(path.read_text("utf-8") for path in Path().rglob("report.md"))
    assert ("moot --plugin hands.py batch --resume" in reports) == ("batch" in command)
    assert moot_alone(*words_after("To continue", err.decode())).code == 0


def test_a_question_that_is_missing_is_asked_for_by_a_command_that_works(place: Path) -> None:
    write_hands(place)
    ended = moot_alone("run", "hands.py")
    assert ended.code == 2
    assert ended.err.endswith("moot --plugin hands.py hands '…'\n")
