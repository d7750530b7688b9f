"""The displays, driven by events as a debate sends them."""

import io
import json
import re
import threading

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from moot import Entry, Event, Usage
from moot.cli.display import open_display
from moot.present import Flag
from moot.protocols.duel.payloads import DuelHeader, Score, Turn, Verdict
from moot.record.entry import Audience, Draft
from moot.record.events import Answered, Asked, Retried, Streamed, Wrote
from moot.record.payloads import Member, Outside, Payload, Recap, Switch
from tests.kit.waiting import wait_until

CURSOR_SHOWN, CURSOR_HIDDEN = "\x1b[?25h", "\x1b[?25l"
KNOWN = Usage(input=100, cached=0, output=20, cost=0.002)


def terminal(width: int = 80, **environ: str) -> Console:
    file, variables = io.StringIO(), {"TERM": "xterm-256color"} | environ
    return Console(file=file, force_terminal=True, width=width, height=40, _environ=variables)


def log_file(width: int = 80) -> Console:
    return Console(file=io.StringIO(), force_terminal=False, width=width, _environ={})


def written(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def seen(console: Console) -> str:
    """What was written, without what only steers the terminal."""
    return Text.from_ansi(re.sub(r"\x1b\[\??[0-9;]*[A-HJKhl]", "", written(console))).plain


def follow(kind: str, console: Console, *events: Event) -> str:
    with open_display(kind, console) as follower:
        for event in events:
            follower(event)
    return seen(console)


def entry(
    kind: str, speaker: str, content: str, data: Payload | None = None, to: Audience = "all", call: str | None = None
) -> Entry:
    return Draft("rebuttal", speaker, kind, content, to=to, data=data, call=call).at(1, "")


def wrote(kind: str, speaker: str, content: str, data: Payload | None = None, to: Audience = "all") -> Wrote:
    return Wrote(entry(kind, speaker, content, data, to))


def member(part: str, name: str, model: str = "openai/gpt-x", colour: str = "cyan") -> Member:
    role, side = ("judge", None) if part == "judge" else ("debater", "for" if part == "A" else "against")
    return Member.model_validate(
        {"id": part, "name": name, "role": role, "side": side, "personality": "", "colour": colour, "models": [model]}
    )


def header(*cast: Member, flags: tuple[Flag, ...] = (), topic: str = "Is tea better than coffee?") -> Wrote:
    cast = cast or (member("A", "Ada"), member("B", "Bo", colour="magenta"), member("judge", "Cleo", colour="yellow"))
    about = DuelHeader(
        protocol="duel",
        topic=topic,
        claim="Tea is better.",
        details={"Claim": "Tea is better."},
        turns=4,
        cast=list(cast),
        flags=list(flags),
    )
    return wrote("header", "moot", topic, about)


def score(of: str, figure: int | None, text: str = "Sound.") -> Wrote:
    failure = None if figure is not None else text
    payload = Score(turn=1, of=of, score=figure, reasoning=None if failure else text, failure=failure)
    return wrote("score", "Cleo", text, payload, to=["Cleo"])


def verdict(**changes: object) -> Wrote:
    plain = {
        "winner": "Ada",
        "confirmed": True,
        "scores": {"Ada": 8, "Bo": 6},
        "scores_from": "verdict",
        "upheld": True,
        "scores_contradict_winner": False,
        "failure": None,
    }
    return wrote("verdict", "Cleo", "Ada had the better leaves.", Verdict.model_validate(plain | changes))


def whole_debate() -> list[Event]:
    return [
        header(flags=(WARNING, NOTE)),
        wrote("plan", "Ada", "Lead with the leaves.", to=["Ada"]),
        wrote("think", "Bo", "She will say leaves.", to=["Bo"]),
        wrote("turn", "Ada", "Tea calms.\n\nAnd it lasts.", Turn(turn=1, final=False)),
        score("Ada", 6),
        score("Ada", 7, "Better now."),
        score("Ada", 7),
        score("Bo", 5),
        score("Bo", 4, "Weaker."),
        score("Bo", None, "no usable reply in 2 tries"),
        wrote("switch", "moot", "Bo continues with b/y instead of a/x: 401", SWITCH, to=[]),
        wrote("summary", "Bo", "What was said.", Recap(agent="Bo", replaced=["B/plan", "B/think/2"]), to=["Bo"]),
        wrote("note", "auditor", "Please look into this.", Outside()),
        verdict(),
    ]


WARNING = Flag(code="embedded_model", text="Demonstration: not to be relied on.")
NOTE = Flag(code="scripted_model", text="Replies come from a script.", severity="note")
SWITCH = Switch(agent="Bo", from_model="a/x", to_model="b/y", reason="401")


@pytest.mark.parametrize("kind", ["full", "plain"])
def test_everything_that_is_written_is_told(kind: str) -> None:
    console = terminal() if kind == "full" else log_file()
    text = follow(kind, console, *whole_debate())
    for told in (
        "duel",
        "Is tea better than coffee?",
        "Claim: Tea is better.",
        "Ada   argues for · openai/gpt-x",
        "Bo    argues against · openai/gpt-x",
        "Cleo  judge · openai/gpt-x",
        "! Demonstration: not to be relied on.",
        "· Replies come from a script.",
        "Ada plans",
        "Lead with the leaves.",
        "Bo thinks",
        "Ada · for · turn 1 of 4 · rebuttal",
        "Tea calms.",
        "And it lasts.",
        "Ada 6 of 10  Sound.",
        "Ada 7 of 10 ▲  Better now.",
        "Ada 7 of 10 =  Sound.",
        "Bo 5 of 10  Sound.",
        "Bo 4 of 10 ▼  Weaker.",
        "Bo no score  no usable reply in 2 tries",
        "⇄ Bo continues with b/y instead of a/x: 401",
        "≡ Bo continues with a summary of its 2 oldest exchanges",
        "↪ from outside · note · auditor: Please look into this.",
        "Cleo answers the question",
        "Ada wins, 8 to 6",
        "The claim is upheld: Tea is better.",
        "Ada had the better leaves.",
    ):
        assert told in text


def test_full_falls_back_to_plain_where_nothing_can_move() -> None:
    for console in (log_file(), terminal(TERM="dumb")):
        follow("full", console, *whole_debate())
        assert CURSOR_HIDDEN not in written(console)
        assert "Ada · for · turn 1 of 4 · rebuttal\n    Tea calms." in seen(console)


def test_json_is_the_new_entries_and_nothing_else() -> None:
    console = log_file(width=40)
    said = entry("turn", "Ada", "茶 \x9b2J \x1b[2J \n" + "long " * 50, Turn(turn=1, final=False))
    events: list[Event] = [
        Wrote(said, again=True),
        Asked("A/turn/1", "Ada", "m/m"),
        Streamed("A/turn/1", "Ada", "x"),
        Wrote(said),
    ]
    follow("json", console, *events, Retried("A/turn/1", "Ada", "m/m", "RateLimited", "429", 1.0))
    lines = written(console).splitlines()
    assert [json.loads(line) for line in lines] == [json.loads(said.model_dump_json())]
    assert "\x9b" not in lines[0]


def test_live_region_tells_what_is_going_on() -> None:
    console = terminal()
    text = follow(
        "full",
        console,
        header(),
        Asked("B/think/2", "Bo", "openai/gpt-x"),
        Answered("B/think/2", "Bo", "openai/gpt-x", KNOWN),
        Asked("B/turn/2", "Bo", "openai/gpt-x"),
        Asked("judge/evaluate/1", "Cleo", "anthropic/claude-y"),
        Streamed("judge/evaluate/1", "Cleo", "a weighty thought"),
        Streamed("B/turn/2", "Bo", "".join(f"word{number} " for number in range(400))),
        wrote("note", "moot", "draw now"),
    )
    assert re.search(r"Bo is speaking in turn 2 · \d+\.\d s · openai/gpt-x", text)
    assert re.search(r"Cleo is weighing turn 1 · \d+\.\d s · anthropic/claude-y", text)
    assert "turn 1 of 4 · 1 call · 120 tokens · $0.0020 · " in text
    assert "word399" in text
    assert "word350" not in text
    assert "a weighty thought" not in text.split("draw now")[1].split("word399")[1]


@pytest.mark.parametrize("kind", ["full", "plain"])
def test_retries_are_told_with_reason_and_wait(kind: str) -> None:
    console = terminal(120) if kind == "full" else log_file()
    text = follow(
        kind,
        console,
        header(),
        Asked("A/plan", "Ada", "openai/gpt-x"),
        Streamed("A/plan", "Ada", "void text"),
        Retried("A/plan", "Ada", "openai/gpt-x", "RateLimited", "429", 30.0),
        Retried("B/plan", "Bo", "openai/gpt-x", "Unauthorised", "401", 0.0),
        wrote("note", "moot", "draw now"),
    )
    assert "↻ Ada failed at A/plan with openai/gpt-x: RateLimited: 429; again in 30.0 s" in text
    assert re.search(r"(?m)↻ Bo failed at B/plan with openai/gpt-x: Unauthorised: 401 *$", text)
    assert "void text" not in text.split("draw now")[1]
    assert ("Ada tries again in" in text) == (kind == "full")


def test_a_person_at_the_keyboard_is_left_alone() -> None:
    console = terminal()
    cast = (member("A", "Ada", "human/Ada"), member("B", "Bo"), member("judge", "Cleo"))
    others = set(threading.enumerate())
    with open_display("full", console) as follower:
        follower(header(*cast))
        drawing = set(threading.enumerate()) - others
        assert drawing
        assert written(console).rfind(CURSOR_HIDDEN) > written(console).rfind(CURSOR_SHOWN)
        follower(Asked("A/turn/1", "Ada", "human/Ada"))
        quiet = written(console)
        assert quiet.rfind(CURSOR_SHOWN) > quiet.rfind(CURSOR_HIDDEN)
        follower(Asked("B/plan", "Bo", "m/m"))
        follower(Streamed("B/plan", "Bo", "psst"))
        follower(Retried("B/plan", "Bo", "m/m", "RateLimited", "429", 1.0))
        follower(wrote("note", "moot", "held back"))
        follower(Retried("A/turn/1", "Ada", "human/Ada", "EmptyReply", "Ada gave no answer", 0.5))
        wait_until(lambda: drawing.isdisjoint(threading.enumerate()))  # nobody is left who could draw
        assert written(console) == quiet
        follower(Answered("A/turn/1", "Ada", "human/Ada", Usage(cost=0.0)))
        assert "held back" in seen(console)
        assert written(console).rfind(CURSOR_HIDDEN) > written(console).rfind(CURSOR_SHOWN)
    assert written(console).rfind(CURSOR_SHOWN) > written(console).rfind(CURSOR_HIDDEN)


@pytest.mark.parametrize("kind", ["full", "plain"])
def test_a_person_who_takes_part_sees_no_one_elses_secrets(kind: str) -> None:
    console = terminal() if kind == "full" else log_file()
    cast = (member("A", "Ada", "human/Ada"), member("B", "Bo"), member("judge", "Cleo"))
    text = follow(
        kind,
        console,
        header(*cast),
        wrote("plan", "Ada", "my own plan", to=["Ada"]),
        wrote("plan", "Bo", "secret plan", to=["Bo"]),
        score("Ada", 3, "secret reason"),
        Asked("B/think/2", "Bo", "m/m"),
        Streamed("B/think/2", "Bo", "secret thought"),
        wrote("switch", "moot", "Bo continues with b/y instead of a/x: 401", SWITCH, to=[]),
        verdict(),
    )
    assert "secret" not in text
    assert "Bo, in private: plan" in text
    assert "my own plan" in text
    assert "Bo continues with b/y" in text
    assert "Ada wins" in text


HOSTILE = "[red]x[/red][link=http://evil.example]y[/link]"
OBEYED = "\x1b[2J\x1b]8;;http://evil.example\x07\x9b3J\u202e"


@pytest.mark.parametrize("kind", ["full", "plain"])
def test_hostile_text_is_shown_and_not_obeyed(kind: str) -> None:
    console = terminal(200) if kind == "full" else log_file()
    name, text = HOSTILE, f"{HOSTILE} :smile: {OBEYED}"
    follow(
        kind,
        console,
        header(member("A", name, text), member("B", "Bo"), flags=(Flag(code="hostile", text=text),), topic=text),
        wrote("think", name, text, to=[name]),
        wrote("turn", name, text, Turn(turn=1, final=False)),
        score(name, 7, text),
        score(name, None, text),
        Asked(f"A/{text}", name, text),
        Streamed("A/turn/3", name, text),
        Retried(f"A/{text}", name, text, text, text, 9.0),
        wrote("switch", "moot", text, SWITCH, to=[]),
        wrote("summary", name, text, Recap(agent=name, replaced=[text]), to=[name]),
        wrote("note", f"{text}\nAda", text, Outside()),
        verdict(winner=name, scores={name: 1, "Bo": 2}, failure=text, confirmed=False, scores_contradict_winner=True),
    )
    out = written(console)
    assert seen(console).count(HOSTILE) > 12
    assert ":smile:" in out
    for obeyed in ("\x1b[2J", "\x1b]", "\x07", "\x9b", "\u202e", "\x1b]8"):
        assert obeyed not in out
    assert not re.search(r"^Ada", seen(console), re.MULTILINE)


@pytest.mark.parametrize("width", [40, 57, 80, 200])
def test_every_line_fits_the_terminal(width: int) -> None:
    console = terminal(width)
    wide = "茶は心を落ち着かせる、しかも長持ちする🍵👩‍🔬" * 12
    name = "Dr. Ōmoto 大本 of the Institute for Comparative Beverages 🍵"
    text = follow(
        "full",
        console,
        header(member("A", name), member("B", "Bo"), topic=wide),
        wrote("think", name, wide, to=[name]),
        wrote("turn", name, wide, Turn(turn=1, final=False)),
        score(name, 7, wide),
        score(name, 8, wide),
        Asked("A/turn/3", name, "openai/a-model-with-a-rather-long-name-2026-11"),
        Streamed("A/turn/3", name, wide),
        verdict(winner=name, scores={name: 8, "Bo": 6}),
    )
    lines = [line for part in text.splitlines() for line in part.split("\r")]
    assert max(map(cell_len, lines)) <= min(width, 100)
