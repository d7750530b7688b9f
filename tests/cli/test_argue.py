"""`moot argue`: questions about argument graphs in files."""

import json
import random
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from moot.argument import Graph
from moot.argument.formats import FORMATS, losses, write
from tests.kit import warm
from tests.kit.clock import Ticking
from tests.kit.command import moot, refused
from tests.kit.waiting import PATIENCE, ended


def put(name: str, text: str) -> str:
    Path(name).write_text(text, "utf-8")
    return name


def two_camps() -> str:
    """1 and 2 attack each other, both attack 3, and 3 attacks 4: two preferred extensions, {1, 4} and {2, 4}."""
    return put("camps.af", "p af 4\n1 2\n2 1\n1 3\n2 3\n3 4\n")


def out(*args: str) -> str:
    ended = moot("argue", *args)
    assert (ended.code, ended.err) == (0, "")
    return ended.out


def test_every_task_in_the_words_of_the_competition() -> None:
    file = two_camps()
    assert out("solve", file, "--task", "EE", "--semantics", "PR") in ("[[1,4],[2,4]]\n", "[[2,4],[1,4]]\n")
    assert out("solve", file, "--task", "SE", "--semantics", "pr") in ("w 1 4\n", "w 2 4\n")
    assert out("solve", file, "--task", "DC", "--semantics", "PR", "--arg", "1") == "YES\nw 1 4\n"
    assert out("solve", file, "--task", "DC", "--semantics", "PR", "--arg", "3") == "NO\n"
    assert out("solve", file, "--task", "DS", "--semantics", "PR", "--arg", "4") == "YES\n"
    assert out("solve", file, "--task", "DS", "--semantics", "PR", "--arg", "1") == "NO\nw 2 4\n"
    assert out("solve", file, "-p", "ds-pr", "-a", "1") == "NO\nw 2 4\n"


def test_no_extension_is_not_the_empty_extension() -> None:
    odd = put("odd.apx", "arg(a). arg(b). arg(c). att(a,b). att(b,c). att(c,a).")
    assert out("solve", odd, "-p", "EE-ST") == "[]\n"
    assert out("solve", odd, "-p", "EE-PR") == "[[]]\n"
    assert out("solve", odd, "-p", "SE-ST") == "NO\n"
    assert out("solve", odd, "-p", "SE-PR") == "w\n"
    assert out("solve", odd, "-p", "DC-ST", "-a", "a") == "NO\n"
    assert out("solve", odd, "-p", "DS-ST", "-a", "a") == "YES\n"


def test_supports_are_said_to_be_left_aside() -> None:
    file = put("g.apx", "arg(a). arg(b). arg(c). sup(a,b). att(b,c).")
    ended = moot("argue", "solve", file, "-p", "SE-GR")
    assert (ended.code, ended.out) == (0, "w a b\n")
    assert "supports (1) are not looked at" in ended.err


def test_scores_in_a_table_and_as_json() -> None:
    file = put("g.apx", "arg(a,0.5). arg(b,0.8). arg(long_name). att(b,a).")
    assert out("score", file, "--semantics", "dfquad") == (
        "a          0.100000  below\nb          0.800000  untouched\nlong_name  0.500000  untouched\n"
    )
    found = json.loads(out("score", file, "--semantics", "dfquad", "--json"))
    assert found["certificate"] == "acyclic"
    assert found["converged"] is True
    assert found["arguments"][0] == {
        "name": "a", "score": pytest.approx(0.1), "bounds": [pytest.approx(0.1)] * 2, "state": "below",
    }  # fmt: skip


def test_every_format_is_written_and_what_it_loses_is_said() -> None:
    graph = Graph.of(["a", "b"], [("a", "b")], [("b", "a")], weights={"a": 0.5}, texts={"a": "First.", "b": "Second."})
    file = put("g.json", write(graph, "json"))
    for form in FORMATS:
        ended = moot("argue", "convert", file, "--to", form)
        assert ended.code == 0
        lost = ", ".join(losses(graph, form))
        assert ended.err == (f"moot: {form} does not hold {lost}\n" if lost else "")
    ended = moot("argue", "convert", file, "--to", "tgf")
    assert ended.err == "moot: tgf does not hold weights (1)\n"
    assert ended.out == "a First.\nb Second.\n#\na b\nb a support\n"


def test_a_map_is_drawn_as_picture_and_as_text() -> None:
    file = put("g.apx", "arg(a,0.5). arg(b,0.8). att(b,a).")
    assert out("draw", file, "-o", "map.svg", "--scores", "dfquad") == ""
    picture = ET.parse("map.svg").getroot()
    assert picture.tag.endswith("svg")
    assert [element.text for element in picture.iter() if element.get("class") == "am-score"] == ["0.10", "0.80"]
    assert out("draw", file).startswith("<svg")
    assert out("draw", file, "--text", "--scores", "dfquad") == "a [0.10]\n└─ − b [0.80]\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["solve", "bad.apx", "-p", "EE-PR"], "bad.apx: line 2: there is no argument 'b'"),
        (["solve", "none.apx", "-p", "EE-PR"], "none.apx: cannot be read: No such file"),
        (["solve", "good.apx", "-p", "XX-PR"], "there is no task 'XX'; there are EE, SE, DC, DS"),
        (["solve", "good.apx", "-p", "EE"], "say which semantics"),
        (["solve", "good.apx", "-p", "EE-PR", "-s", "ST"], "--task says PR and --semantics ST"),
        (["solve", "good.apx", "-p", "EE-XX"], "there is no semantics 'XX'"),
        (["solve", "good.apx", "-p", "DC-PR"], "DC asks about an argument: --arg NAME"),
        (["solve", "good.apx", "-p", "EE-PR", "-a", "a"], "EE asks about no one argument"),
        (["solve", "good.apx", "-p", "DC-PR", "-a", "z"], "there is no argument 'z'"),
        (["solve", "good.apx", "-p", "SE-PR", "--format", "x"], "there is no format 'x'"),
        (["solve", "what.txt", "-p", "SE-PR"], "what.txt: this is in none of the formats"),
        (["score", "good.apx", "-s", "x"], "x"),
        (["convert", "good.apx"], "say which format: --to af|apx|"),
        (["convert", "good.apx", "-o", "x.txt"], "the ending of x.txt is of no format"),
        (["convert", "good.apx", "-o", "none/x.dot"], "none/x.dot cannot be written: No such file"),
        (["draw", "good.apx", "--scores", "x"], "x"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(args: list[str], message: str) -> None:
    put("bad.apx", "arg(a).\natt(a,b).")
    put("good.apx", "arg(a).")
    put("what.txt", "Who knows?")
    assert message in refused("argue", *args)


def test_names_cannot_command_a_terminal() -> None:
    file = put("g.json", write(Graph.of(["\x1b[2J", "a\nb"]), "json"))
    for args in (["score"], ["draw", "--text"], ["solve", "-p", "SE-GR"], ["draw"]):
        ended = moot("argue", args[0], file, *args[1:])
        assert ended.code == 0
        assert "\x1b" not in ended.out


def grid(side: int) -> str:
    """A square of arguments, each in conflict with its neighbours: very many complete extensions."""
    pairs = [(one, one + 1) for one in range(side * side) if (one + 1) % side]
    pairs += [(one, one + side) for one in range(side * (side - 1))]
    lines = [f"{one + 1} {other + 1}\n{other + 1} {one + 1}\n" for one, other in pairs]
    return put("grid.af", f"p af {side * side}\n{''.join(lines)}")


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let so much time pass whenever the process that waits for the search, or the search, looks at the clock; by
    itself it stands still."""

    def tick(step: float) -> None:
        for module in ("moot.argument.commands.limited", "moot.argument.why"):
            monkeypatch.setattr(f"{module}.time", Ticking(step))

    tick(0)
    return tick


def test_a_time_limit_leaves_what_was_found(clock: Callable[[float], None]) -> None:
    """However many more there are at hand when the time is up."""
    file = grid(12)
    clock(PATIENCE / 20)  # at least one extension comes each time
    limit = f"{PATIENCE:g}"
    said = moot("argue", "solve", file, "-p", "EE-CO", "--timeout", limit)
    assert said.code == 124
    assert said.err.startswith(f"moot: not finished within {limit} s: these ")
    assert len(json.loads(said.out)) > 10
    found = json.loads(moot("argue", "solve", file, "-p", "EE-CO", "--timeout", limit, "--json").out)
    assert found["complete"] is False
    assert len(found["extensions"]) > 10


def tangle() -> str:
    """300 arguments with six attackers each: one score takes a good part of a second."""
    dice = random.Random(3)
    pairs = {(dice.randrange(300), dice.randrange(300)) for _ in range(1800)}
    return put("tangle.af", "p af 300\n" + "".join(f"{one + 1} {other + 1}\n" for one, other in sorted(pairs)))


_TELLING = """
import select, signal, threading
real = select.select
def telling(*given):
    if threading.active_count() == 1:
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    print("waiting", flush=True)
    return real(*given)
select.select = telling
from moot.cli import main
main()
"""
"""The command, which says when it waits for the process that searches. An interrupt does not end that wait: another
thread gets it, as if it had come just before."""


@pytest.mark.parametrize("command", ["solve grid.af -p EE-CO", "why tangle.af 1"])
def test_ctrl_c_ends_a_search_with_one_line(command: str) -> None:
    grid(12)
    tangle()
    process = started("argue", *command.split())
    assert process.stdout is not None
    assert process.stdout.readline() == b"waiting\n"
    process.send_signal(signal.SIGINT)
    assert (ended(process)[1], process.returncode) == (b"moot: interrupted\n", 130)


def started(*arguments: str, before: str = "") -> "subprocess.Popen[bytes]":
    pipe = subprocess.PIPE
    return warm.Started([warm.python(), "-c", before + _TELLING, *arguments], stdin=pipe, stdout=pipe, stderr=pipe)


def test_why_explains_a_score() -> None:
    file = put(
        "tea.tgf", "tea Tea!\ncalm\ncoffee\nthirst\n#\ncalm tea support\ncoffee tea\ntea coffee\nthirst tea undercut\n"
    )
    assert out("why", file, "tea").split("\n")[:4] == [
        "tea (Tea!) scores 0.275, below one half; the attacks alone defeat it.",
        "thirst undercuts tea: -0.220.",
        "coffee rebuts tea: -0.125.",
        "calm supports tea: +0.110.",
    ]
    assert out("why", file, "tea").endswith("Without coffee, thirst, tea would be above one half (the fewest).\n")
    found = json.loads(out("why", file, "tea", "--json"))
    assert (found["turned_by"], found["fewest"], found["grounded"]) == (["coffee", "thirst"], True, "out")
    assert "Nothing speaks for or against it." in out("why", file, "calm")
    assert "there is no argument 'te'" in moot("argue", "why", file, "te").err
