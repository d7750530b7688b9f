"""What a newcomer meets first: the list of commands, plans, and the debates there are."""

import os
import pty
import subprocess
from datetime import datetime
from pathlib import Path

import pytest

import moot as api
from moot.cli.main import FIRST
from moot.text.names import slug
from tests.kit.command import document, moot, only_run, refused, warm_command, write_debate


def at_a_terminal(*args: str, pager: str, rows: int = 24) -> str:
    """What a command prints at a terminal with so many lines."""
    own, other = pty.openpty()
    env = os.environ | {"PAGER": pager, "TERM": "xterm", "COLUMNS": "60", "LINES": str(rows)}
    started = subprocess.Popen([*warm_command(), *args], stdin=other, stdout=other, stderr=other, env=env)
    os.close(other)
    parts = []
    try:
        while part := os.read(own, 65536):
            parts.append(part)
    except OSError:  # the other end is closed
        pass
    os.close(own)
    assert started.wait() == 0
    return b"".join(parts).decode().replace("\r\n", "\n")


def test_a_debate_is_shown_with_its_figures_and_paged_at_a_terminal() -> None:
    moot("run", str(write_debate()), "-q")
    piped = moot("show").out
    score = next(entry for entry in only_run().entries() if entry.type == "score")
    figure = getattr(score.data, "score", None)
    assert f"{score.seq}  {score.speaker} · score · Ada {figure} of 10  (private)\n{score.content}\n" in piped
    assert piped.startswith("Yes, on the reasons given (8 to 6)\n")
    assert "\x1b" not in piped
    paged = at_a_terminal("show", pager="tr a-z A-Z")
    assert "YES, ON THE REASONS GIVEN (8 TO 6)" in paged, "it went through the pager"
    assert "\x1b" not in paged, "a pager that nothing is known of gets no colours"
    less = Path("less")
    less.write_text('#!/bin/sh\necho "less $LESS"\nexec cat\n', "utf-8")
    less.chmod(0o700)
    coloured = at_a_terminal("show", pager=str(less.absolute()))
    assert "less -R\n" in coloured and "\x1b[" in coloured, "it would show the codes of colours otherwise"
    assert "Yes, on the reasons given (8 to 6)" in at_a_terminal("show", pager="tr a-z A-Z", rows=500), (
        "which a short text needs not"
    )
    long = " ".join(["unbreakable"] * 20)
    moot("run", str(write_debate(topic=long)), "-q", "--max-calls", "0")
    assert all(
        line.split()[-1] == "unbreakable" for line in at_a_terminal("show", pager="cat").splitlines() if "unb" in line
    )


def test_a_list_is_searched() -> None:
    moot("run", str(write_debate()), "-q")
    moot("run", "debate.yaml", "-q", "--max-calls", "0")
    newest, oldest = document("list")
    assert datetime.fromisoformat(newest["began"]) >= datetime.fromisoformat(oldest["began"])
    assert document("list", "-n", "1") == [newest]
    assert document("list", "--status", "done") == [oldest]
    assert document("list", "--protocol", "duel") == [newest, oldest]
    assert document("list", "--protocol", "arena") == []
    assert document("list", "--query", "REASONS given") == [oldest], "in what it came to"
    said = next(entry.content for entry in api.find_run(oldest["run"]).entries() if entry.type == "turn")
    assert document("list", "--query", said) == [oldest], "in what was said"
    assert moot("list", "--query", "zebra").out == "No run fits\n"
    assert moot("list", "--protocol", "dule").out == "No run fits: none has the protocol 'dule'; there is duel\n"
    assert (
        moot("list", "--status", "failed").out
        == "No run fits: none has the status 'failed'; there are done and limit\n"
    )
    assert moot("list", "--tag", "x").out == "No run fits: none has the tag 'x'; there is none\n"
    assert moot("list", "--protocol", "duel", "--query", "zebra").out == "No run fits\n"


def test_help_shows_what_people_need_first() -> None:
    short = moot("--help").out
    assert [line.split()[0] for line in short.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()] == [*FIRST]
    assert "moot help" in short
    assert moot("help", "list").out.splitlines()[0] == "Usage: moot list [OPTIONS]"
    assert moot("help", "models", "fetch").out.startswith("Usage: moot models fetch")
    assert "`moot help` lists all" in refused("help", "models", "nothing")
    assert "`moot help` lists all" in refused("help", "list", "nothing")


def test_a_plan_refuses_what_a_debate_refuses() -> None:
    for args in (["-m", "opnai/x"], ["--role", "judge=opnai/x"], ["-m", "command/x"]):
        told = moot("duel", "Is it so?", *args)
        planned = moot("plan", "duel", "Is it so?", *args)
        assert (planned.code, planned.err, planned.out) == (told.code, told.err, "") == (2, planned.err, "")
    assert "there is no provider “opnai”" in moot("plan", "Is it so?", "-m", "opnai/x").err


def test_a_plan_says_what_a_debate_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    lacks = "openai/gpt-5 needs a key. Set OPENAI_API_KEY."
    assert document("plan", "Is it so?", "-m", "openai/gpt-5")["not_ready"] == [lacks]
    assert f"The debate would not start: {lacks}" in moot("plan", "Is it so?", "-m", "openai/gpt-5").out
    missing = document("plan", "Is it so?", "-m", "embedded/nofile.gguf")["not_ready"]
    assert "the model file nofile.gguf cannot be read" in missing[0]


@pytest.mark.parametrize(
    ("topic", "name"),
    [
        ("Sollte man Größe prüfen?", "sollte-man-grosse-prufen"),
        ("我们应该用Rust重写吗？", "我们应该用rust重写吗"),
        ("هل يجب أن نعيد الكتابة؟", "هل-يجب-أن-نعيد-الكتابة"),
        ("क्या हमें करना चाहिए", "क्या-हमें-करना-चाहिए"),
        ("İstanbul: Ёлка/한국어", "istanbul-ёлка-한국어"),
        ("../..", "debate"),
        ("日" * 99, "日" * 33),
    ],
)
def test_a_run_has_a_readable_name_in_any_script(topic: str, name: str) -> None:
    assert slug(topic) == name
