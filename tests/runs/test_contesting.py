"""Contesting a dialogue: the verdict moves with no model asked, and the run stays as it was."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.argument import Graph, write
from moot.testing import Scripted, ScriptedModel
from moot.web.pages.progress import progress_of
from tests.kit.arenas import arena
from tests.kit.chaired import hold
from tests.kit.command import empty_place, refused
from tests.kit.command import moot as command
from tests.kit.duels import staged
from tests.kit.panels import panel
from tests.kit.persuasions import persuade


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> moot.Run:
    return moot.find_run(persuade(tmp_path_factory.mktemp("runs"))[0].run)


@pytest.mark.parametrize(
    ("edits", "before", "after"),
    [
        ({"reject": ["A6"]}, "PRO", "OPP"),  # 0.56 falls to 0.46, against 0.5 for what nobody argued about
        ({"reject": ["A5"]}, "PRO", "PRO"),
        ({"reject": ["A6:A1"]}, "PRO", "OPP"),
        # With both premises of the step its undercut goes: 0.5 + 0.2·0.5.
        ({"reject": ["A3:A1:support", "A4:A1"]}, "PRO", "PRO"),
        ({"reject": ["A3:A1", "A5:A1:undercut"]}, "PRO", "PRO"),
        ({"reject": ["A1"]}, "PRO", "OPP"),
        ({"add": ["B1=It is cheap."], "attack": ["B1:A1"]}, "PRO", "OPP"),
        ({"add": ["B1=It is not."], "attack": ["B1:A5"]}, "PRO", "PRO"),
        ({"add": ["B1=It does not follow."], "undercut": ["B1:A1"]}, "PRO", "OPP"),
        ({"weigh": ["A6=0"]}, "PRO", "OPP"),
    ],
)
def test_what_the_verdict_would_be(run: moot.Run, edits: dict[str, Any], before: str, after: str | None) -> None:
    contested = moot.contest(run, **edits)
    assert (contested.before, contested.after, contested.moved) == (before, after, before != after)


def test_one_of_several_relations_is_named(run: moot.Run) -> None:
    both = {"support": ["A5:A1"]}
    with pytest.raises(moot.ConfigError, match="say which, A5:A1:undercut or A5:A1:support"):
        moot.contest(run, **both, reject=["A5:A1"])
    as_before = moot.contest(run, **both, reject=["A5:A1:support"]).contest.after
    turned = moot.contest(run, **both, reject=["A5:A1:attack"]).contest.after
    assert as_before["A1"] == pytest.approx(0.56)
    assert turned["A1"] == pytest.approx(0.5 + 0.2 * (3 * 0.5 + 0.6))


def test_nothing_of_the_run_is_changed(run: moot.Run) -> None:
    files = {path.name: path.read_bytes() for path in run.path.iterdir()}
    moot.contest(run, reject=["A5"])
    assert {path.name: path.read_bytes() for path in run.path.iterdir()} == files


def test_the_command_says_it_in_words_and_as_json(run: moot.Run) -> None:
    told = command("contest", str(run.path), "--reject", "A6")
    assert told.code == 0
    assert told.out.splitlines()[:2] == [
        "Contested: A6 is rejected.",
        "By the scores the case for it is stronger; now the case against it is stronger.",
    ]
    document = json.loads(command("contest", str(run.path), "--weigh", "A3=0.9", "--json").out)
    assert (document["before"], document["after"], document["moved"]) == ("PRO", "PRO", False)
    assert [one["argument"] for one in document["changes"]] == ["A3", "A1"]
    assert document["changes"][0]["after"] == 0.9


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ([], "say what to contest"),
        (["--reject", "A9"], "there is no argument 'A9'"),
        (["--reject", "A6:A4"], "there is no relation of A6 to A4"),
        (["--reject", "A6:A1:rebut"], "there is no rebut of A6 on A1"),
        (["--reject", "A6:A1:hint"], "none of support, attack, rebut, undercut"),
        (["--weigh", "A3"], "A3=0.9"),
        (["--weigh", "A3=2"], "from 0 to 1"),
        (["--weigh", "A3=nan"], "from 0 to 1"),
        (["--add", "A3=Again."], "there twice"),
        (["--attack", "A3"], "A5:A1"),
    ],
)
def test_edits_that_make_no_sense(
    run: moot.Run, options: list[str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty_place(tmp_path, monkeypatch)
    assert reason in refused("contest", str(run.path), *options)


GRAPH = Graph.of(["A1", "A2", "A3"], [("A2", "A1"), ("A3", "A2")], texts={"A1": "It is cheap."})


def test_a_broken_extraction_is_named(tmp_path: Path) -> None:
    run = staged(tmp_path)
    run.write("arguments.json", "{")
    with pytest.raises(moot.ConfigError, match=rf"{run.name}/arguments\.json"):
        moot.contest(run, reject=["A1"])


def extracted(run: moot.Run) -> None:
    """The beginnings of two statements, the second as a rebuttal of the first."""
    said = {one.seq: one.content[:200] for one in run.entries() if len(one.content) > 20}

    def reply(request: moot.Request) -> Scripted:
        if request.key.endswith("/relate"):
            return {"relations": [{"source": "A2", "target": "A1", "kind": "rebut"}]}
        shown = map(int, re.findall(r"entry (\d+) by", request.messages[-1].content))
        found = [{"entry": one, "quote": said[one], "claim": f"Number {one}."} for one in shown if one in said]
        return {"arguments": found[-2:]}

    model = ScriptedModel(reply)
    asyncio.run(moot.extract(run, models={model.name: model}, model=model.name))


DEBATES: dict[str, Callable[[Path], moot.Run]] = {
    "duel": staged,
    "chaired": lambda folder: hold(folder)[0],
    "panel": lambda folder: moot.find_run(panel(folder)[0].run),
    "arena": lambda folder: moot.find_run(arena(folder)[0].run),
}


@pytest.mark.parametrize("protocol", DEBATES)
def test_a_debate_of_every_protocol_is_contested_by_what_was_extracted(protocol: str, tmp_path: Path) -> None:
    run = DEBATES[protocol](tmp_path)
    extracted(run)
    contested = moot.contest(run, reject=["A2"])
    assert contested.sentences() == [
        "Contested: A2 is rejected.",
        "A2 is gone.",
        "A1 rises from 0.350 to 0.500, now with nothing for or against it, and now stands by the attacks alone.",
        "By the attacks alone an argument stands (is grounded) if each attack on it is answered, whatever the scores.",
    ]
    assert progress_of(run).map is not None
    told = command("argue", "why", str(run.path / "arguments.json"), "A1")
    assert (told.code, told.err) == (0, "")
    assert "A2 rebuts A1: -0.150." in told.out
    assert command("verify", str(run.path)).code == 0


def test_a_graph_in_a_file_is_contested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_place(tmp_path, monkeypatch)
    Path("g.json").write_text(write(GRAPH, "json"), "utf-8")
    told = command("contest", "g.json", "--reject", "A2:A1", "--weigh", "A3=0.9")
    assert told.out.startswith("Contested: the base score of A3 is set to 0.9; the attack of A2 on A1 is rejected.\n")
    assert "A1 rises from 0.395 to 0.500" in told.out
    assert "By the scores" not in told.out
    assert command("contest", "-", "--reject", "A2", stdin=write(GRAPH, "tgf").encode()).out.startswith(
        "Contested: A2 is rej"
    )


NAMES = Graph.of(["b", "c", "x=1", "a"], [("b", "c"), ("c", "c")], [("b", "c"), ("c", "x=1")])


@pytest.mark.parametrize(
    ("edits", "words"),
    [
        ({"reject": ["b : c : support"]}, "the support of b on c is rejected"),
        ({"reject": ["c", "c", "c:c", "c:x=1"]}, "c is rejected"),
        ({"attack": ["b:a"]}, "a rebuttal of b on a is added"),
        ({"weigh": ["x=1=0.9"]}, "the base score of x=1 is set to 0.9"),
    ],
)
def test_what_is_rejected_with_something_else_goes_once(edits: dict[str, Any], words: str) -> None:
    assert moot.contest(NAMES, **edits).summary.startswith(f"Contested: {words}.\n")


def test_a_dialogue_that_has_not_begun_cannot_be_contested(tmp_path: Path) -> None:
    run = moot.find_run(persuade(tmp_path, max_calls=0)[0].run)
    run.log_path.write_text("", "utf-8")
    with pytest.raises(moot.ConfigError, match="has no arguments yet"):
        moot.contest(run, reject=["A1"])
