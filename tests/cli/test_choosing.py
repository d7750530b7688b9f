"""A question without a protocol: its kind, as a model says it, chooses how it is debated."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import moot as api
from moot.engine.play.frame import suited
from moot.record.payloads import Frame, Header, Kind
from tests.kit.command import moot, only_run, refused
from tests.kit.duels import assert_sound, full_script, replied

FRAMING = "framer@frame/frame"
QUESTION = "Should our API, which is public, be versioned by header?"
CLAIM = "Our API, which is public, should be versioned by header."
MODEL = ("-m", "scripted/replies.yaml")


def framed(kind: str, options: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"kind": kind, "options": list(options)}


def write_replies(frame: Any, **replies: Any) -> None:
    Path("replies.yaml").write_text(yaml.safe_dump({FRAMING: frame, **replies}, allow_unicode=True), "utf-8")


def header(run: api.Run) -> Header:
    data = run.entries()[0].data
    assert isinstance(data, Header)
    return data


@pytest.mark.parametrize(
    ("question", "kind", "options", "protocol", "told"),
    [
        (QUESTION, "yes_no", (), "duel", "a question that yes or no answers"),
        ("Tea or coffee?", "choice", ("Tea", "coffee"), "duel", "a choice between options"),
        ("Rust, Go or Zig?", "choice", ("Rust", "Go", "Zig"), "arena", "a choice between options"),
        ("The earth is flat.", "statement", (), "duel", "a statement to agree with or to deny"),
        ("What is a good life?", "open", (), "council", "an open question"),
        ("How many bees are there?", "number", (), "delphi", "a question for a number"),
        ("Write a haiku about autumn", "task", (), "arena", "a task"),
        ("We ship on Friday, whatever the tests say.", "text", (), "panel", "a text or a plan to judge"),
    ],
)
def test_each_kind_has_its_protocol(
    question: str, kind: Kind, options: tuple[str, ...], protocol: str, told: str
) -> None:
    write_replies(framed(kind, options))
    ended = moot(question, *MODEL, "--max-calls", "1")
    assert ended.code == 3, ended.err
    assert f"moot: It is {told}: {protocol}. To choose another way: " in ended.err
    run = only_run()
    assert (run.config.protocol.name, run.config.topic, run.config.options.framed) == (protocol, question, True)
    assert replied(run) == [FRAMING], "the limit of one call is spent with it"
    assert header(run).frame == Frame(kind=kind, options=list(options), by="model")
    assert_sound(run)
    assert moot("verify", run.name).code == 0


def test_a_choice_whose_options_code_cannot_tell_apart_is_a_duel() -> None:
    assert suited(Frame(kind="choice", by="model"))[0] == "duel"


def test_a_whole_debate_begins_with_its_frame() -> None:
    """It is resumed, forked and verified like any other, and its frame is paid once."""
    write_replies(framed("yes_no"))
    assert moot(QUESTION, *MODEL, "--max-calls", "1", "--seed", "7").code == 3
    run = only_run()
    frame = header(run).frame
    first, second = (member.name for member in header(run).cast[:2])
    script = json.dumps(full_script(6), ensure_ascii=False).replace("Ada", first).replace("Bo", second)
    Path("replies.yaml").write_text(script, "utf-8")
    ended = moot("resume", run.name, "--max-calls", "100")
    assert ended.code == 0, ended.err
    assert replied(run)[0] == FRAMING and replied(run).count(FRAMING) == 1
    assert (run.result() or {})["spent"]["calls"] == 1 + 4 * 6 + 6
    assert moot("verify", run.name).code == 0
    assert moot("fork", run.name, "--at", "3", "--max-calls", "100").code == 0
    fork = next(one for one in api.list_runs() if one.name != run.name)
    assert header(fork).frame == frame and FRAMING in replied(fork)
    assert_sound(fork)


def test_a_frame_that_cannot_be_used_is_on_record_too() -> None:
    write_replies(["?", "?"])
    ended = moot(QUESTION, *MODEL, "--max-calls", "2")
    assert ended.code == 3
    assert "To choose another way" not in ended.err
    run = only_run()
    assert run.config.protocol.name == "duel"
    assert replied(run) == [FRAMING] * 2
    assert header(run).frame == Frame(by="nobody")
    assert_sound(run)


@pytest.mark.parametrize("options", [["--turns", "2"], ["--claim", CLAIM], ["--no-frame"]])
def test_settings_of_a_duel_choose_a_duel(options: list[str]) -> None:
    write_replies(framed("open"))
    ended = moot(QUESTION, *MODEL, *options, "--max-calls", "0")
    assert (ended.code, only_run().config.protocol.name) == (3, "duel")
    assert "To choose another way" not in ended.err
    assert not only_run().config.options.framed


def test_a_file_in_place_of_the_question_is_what_it_is_about() -> None:
    Path("rfc.md").write_text("# Move to Rust\n\nWe move in May.", "utf-8")
    write_replies(framed("yes_no"))
    ended = moot("rfc.md", *MODEL, "--max-calls", "1")
    assert ended.code == 3, ended.err
    asked = "Should we do what rfc.md proposes?"
    assert f"The question is “{asked}”" in ended.err
    run = only_run()
    assert (run.config.topic, run.config.protocol.name) == (asked, "duel")
    assert [one.title for one in run.config.options.documents] == ["Move to Rust"]


@pytest.mark.parametrize("command", [(), ("duel",), ("panel",)])
def test_files_after_the_question_are_documents(command: tuple[str, ...]) -> None:
    for name in ("rfc", "a", "b"):
        Path(f"{name}.md").write_text(f"Words of {name}.", "utf-8")
    write_replies(framed("yes_no"))
    ended = moot(
        *command,
        "Should we move?",
        "rfc.md",
        "a.md",
        *MODEL,
        "--context",
        "b.md",
        "--max-calls",
        "0" if command else "1",
    )
    assert ended.code == 3, ended.err
    assert [one.source for one in only_run().config.options.documents] == ["b.md", "rfc.md", "a.md"]
    assert "no file or folder c.md" in refused("duel", "Should we move?", "c.md", *MODEL)
