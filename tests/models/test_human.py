"""A person in the place of a model: at a real terminal, and at streams of a test's own."""

import asyncio
import contextlib
import errno
import io
import json
import os
import pty
import select
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import ConfigError, EmptyReply
from moot.models.base import Message, Request
from moot.models.human import HumanModel
from tests.kit.command import spawn, write_debate
from tests.kit.duels import ADA, BO, small_config
from tests.kit.waiting import PATIENCE

SCORE = {"properties": {"score": {"type": "integer", "minimum": 0, "maximum": 10}, "reasoning": {"type": "string"}}}


pytestmark = pytest.mark.usefixtures("place")


class Terminal:
    """The command at a terminal, with somebody at the keyboard."""

    def __init__(self, *args: str) -> None:
        self._master, slave = pty.openpty()
        self.process = spawn(*args, stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)
        self._unread = ""

    def expect(self, words: str) -> str:
        """What is shown up to and with these words."""
        while words not in self._unread and (more := self._read()):
            self._unread += more
        before, found, self._unread = self._unread.partition(words)
        assert found, f"{words!r} was never shown, but {before}"
        return before + found

    def type(self, *lines: str) -> None:
        os.write(self._master, "".join(f"{line}\n" for line in lines).encode())

    def end(self) -> int:
        """Read to the end, and wait for the exit code."""
        while self._read():
            pass
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)
        os.close(self._master)

    def _read(self) -> str:
        """What is shown next; nothing when it has ended, or has long been silent."""
        if not select.select([self._master], [], [], PATIENCE)[0]:
            return ""
        try:
            return os.read(self._master, 65536).decode("utf-8", "replace")
        except OSError as error:
            if error.errno != errno.EIO:  # the other side has closed it
                raise
            return ""


@contextlib.contextmanager
def at_terminal(*args: str) -> Iterator[Terminal]:
    terminal = Terminal(*args)
    try:
        yield terminal
    finally:
        terminal.close()


@pytest.mark.parametrize("display", ["plain", "full"])
def test_a_person_judges_a_debate(display: str) -> None:
    file = write_debate()
    with at_terminal("run", str(file), "--role", "judge=human/kim", "--display", display) as terminal:
        shown = terminal.expect("Enter to skip:")
        assert "── Kim, private notes (optional) ──" in shown, "by the name that the debate has"
        assert "Turn 1 by Ada:\r\n    Statement 1, by A.\r\n    In two lines." in shown, "a quotation without its marks"
        assert "<<<" not in shown and "judge/" not in shown
        terminal.type("Sound,", "  as far as it goes.", "")
        assert "JSON" not in terminal.expect("reasoning: ")
        terminal.type("It is brief.")
        terminal.expect("score (0 to 10): ")
        for nonsense in ("eleven", "11", "-1", "7.5", ""):
            terminal.type(nonsense)
            terminal.expect("Please enter 0 to 10")
            terminal.expect("score (0 to 10): ")
        terminal.type("7")
        terminal.expect("Statement 2, by B.")
        terminal.expect("Enter to skip:")
        terminal.type("Weaker.", "")
        terminal.expect("reasoning: ")
        terminal.type("It is long.", "5")
        terminal.expect("The debate is over.")
        terminal.type("Ada it is.", "")
        terminal.expect("Who made the stronger case?")
        terminal.type("neither", "")
        terminal.expect("Put your verdict into figures")
        terminal.type("8", "6", "")
        terminal.expect("winner (Ada or Bo): ")
        terminal.type("Zoe")
        terminal.expect("Please enter Ada or Bo")
        terminal.type("ada")
        terminal.expect("Recorded as the stronger case")
        terminal.type("Yes, it is.", "")
        assert terminal.end() == 0
    (run,) = moot.list_runs("debates")
    said = {entry.call: entry for entry in run.entries()}
    assert said["judge/evaluate/1"].content == "Sound,\n  as far as it goes."
    assert said["judge/score/1"].data.score == 7  # type: ignore[union-attr]
    verdict = said["judge/announce"]
    assert (verdict.content, verdict.data.winner) == ("Yes, it is.", "Ada")  # type: ignore[union-attr]
    assert verdict.data.scores == {"Ada": 8, "Bo": 6}  # type: ignore[union-attr]
    assert [record for record in run.records() if record.kind == "failure"] == []


def test_an_interrupted_person_is_not_asked_again_what_was_answered() -> None:
    file = write_debate(debaters=[ADA | {"type": "human"}, BO])
    with at_terminal("run", str(file)) as terminal:
        assert "── Ada, private notes (optional) ──" in terminal.expect("Enter to skip:")
        terminal.type("My plan.", "")
        terminal.expect("which of your points opens")
        terminal.expect("Enter to skip:")
        terminal.process.send_signal(signal.SIGINT)
        terminal.expect("moot resume debates/")
        assert terminal.end() == 130
    with at_terminal("resume", "latest") as terminal:
        assert "Plan in private" not in terminal.expect("which of your points opens")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == 130
    (run,) = moot.list_runs("debates")
    assert [record.reply for record in run.records() if record.key == "A/plan"] == ["My plan."]
    assert run.entries()[0].data.cast[0].models == ["human/Ada"]  # type: ignore[union-attr]


def test_notes_end_with_an_empty_line_and_other_answers_are_asked_for() -> None:
    request = Request("A/think/1", "A", (Message("user", "Think."),), name="Noor", optional=True)
    for typed, told in (("One.\nTwo.\n\nThree.", "One.\nTwo."), ("\n", "No notes."), ("", "No notes.")):
        screen = io.StringIO()
        assert asyncio.run(HumanModel("ada", screen, io.StringIO(typed)).reply(request)).text == told
        assert "Noor, private notes" in screen.getvalue()


def ask(model: HumanModel, schema: dict[str, Any] | None = None) -> str:
    request = Request("A/plan", "A", (Message("user", "What \x1b[31mnow?"),), schema)
    return asyncio.run(model.reply(request)).text


def test_only_a_terminal_has_a_person_before_it() -> None:
    with pytest.raises(ConfigError, match="human/ada needs a person at a terminal"):
        asyncio.run(HumanModel("ada").ready())
    asyncio.run(HumanModel("ada", answer=io.StringIO()).ready())


def test_prompts_cannot_command_the_terminal() -> None:
    screen = io.StringIO()
    ask(HumanModel("ada", screen, io.StringIO("This.\n")))
    assert "What" in screen.getvalue()
    assert "\x1b" not in screen.getvalue()


@pytest.mark.parametrize("typed", ["", "\n", "\n  \n"])
def test_no_answer_is_an_empty_reply(typed: str) -> None:
    with pytest.raises(EmptyReply, match="ada gave no answer"):
        ask(HumanModel("ada", io.StringIO(), io.StringIO(typed)))
    with pytest.raises(EmptyReply, match="ada gave no answer"):
        ask(HumanModel("ada", io.StringIO(), io.StringIO(typed)), SCORE)


def test_two_people_share_a_keyboard_in_every_debate_of_a_process(tmp_path: Path) -> None:
    for _ in range(2):
        screen = io.StringIO()
        answers = io.StringIO("".join(f"Answer {number}.\n\n" for number in range(6)))
        people = {f"human/{name}": HumanModel(name, screen, answers) for name in ("ada", "bo")}
        config = small_config(tmp_path, roles={"A": "human/ada", "B": "human/bo"}, jury=0)
        result = asyncio.run(moot.run(config, models=people))
        assert result.status == "done", result.reason
        # Both plan at the same time, and neither question is shown before the other one is answered.
        assert screen.getvalue().count("it is your turn") == 2
        assert screen.getvalue().count("private notes (optional)") == 4
        entries = moot.find_run(result.run).entries()[1:]
        assert [entry.content for entry in entries] == [f"Answer {number}." for number in range(6)]


def test_a_person_gives_lists_of_objects_and_leaves_out_what_may_be() -> None:
    source = {"properties": {"url": {"type": "string"}, "title": {"type": "string"}}}
    number = {"anyOf": [{"type": "integer"}, {"type": "null"}]}
    schema = {
        "$defs": {"Source": source},
        "properties": {
            "content": {"type": "string"},
            "sources": {"type": "array", "items": {"$ref": "#/$defs/Source"}},
            "answers": number,
            "target": number,
        },
        "required": ["content", "sources", "answers", "target"],
    }
    typed = io.StringIO("I say so.\ny\nhttps://a.example\nA\ny\nhttps://b.example\nB\n\nx\n7\n\n")
    person = HumanModel("ada", ask=io.StringIO(), answer=typed)
    reply = asyncio.run(person.reply(Request("promoter@r1/turn", "promoter@r1", (Message("user", "Speak."),), schema)))
    assert json.loads(reply.text) == {
        "content": "I say so.",
        "sources": [{"url": "https://a.example", "title": "A"}, {"url": "https://b.example", "title": "B"}],
        "answers": 7,
        "target": None,
    }
