"""`moot rejudge` as it is meant to be used: runs by name and by folder, tables and JSON, exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.command import moot, refused, write_debate
from tests.kit.rejudging import read


@pytest.fixture(autouse=True)
def place(place: Path) -> Path:
    write_debate()
    assert moot("run", "debate.yaml", "-q").code == 0
    write("agrees", read(7, 5), read(4, 8))
    write("differs", read(3, 9), read(9, 3))
    write("flips", read(7, 5), read(7, 5))
    return place


def write(name: str, given: Any, swapped: Any) -> None:
    """A judge in a script that takes whichever place it gets."""
    keys = [("judge@given/read", given), ("judge@swapped/read", swapped)]
    Path(f"{name}.yaml").write_text(json.dumps(dict(keys)), "utf-8")


def test_the_debate_is_meant_and_not_its_re_judgings() -> None:
    for name in ("latest", "is-it-so", "latest"):
        assert moot("rejudge", name, "--judge", "scripted/agrees.yaml", "-q", "--again").code == 0
    assert moot("rejudge", "latest", "--judge", "scripted/agrees.yaml", "-q").code == 0, "it is read, not held again"
    listed = json.loads(moot("list", "--json").out)
    assert [row["protocol"] for row in listed] == [*["rejudging"] * 3, "duel"]


def test_a_folder_of_runs_and_what_it_says_of_the_judges() -> None:
    assert moot("run", "debate.yaml", "-q").code == 0
    assert moot("run", "debate.yaml", "-q", "--max-calls", "3").code == 3
    ended = moot("rejudge", "debates", "--judge", "scripted/differs.yaml", "--json")
    document = json.loads(ended.out)
    assert ended.code == 0
    assert [one["winner"] for one in document["results"]] == ["Bo", "Bo"]
    assert {one["protocol"] for one in document["results"]} == {"rejudging"}
    agreement = document["agreement"]
    assert agreement["debates"] == 2
    upheld = {key: value for key, value in agreement["judges"][0]["upheld"].items() if key != "clusters"}
    assert upheld == pytest.approx(
        {"count": 0, "n": 2, "missing": 0, "rate": 0.0, "low": 0.0, "high": 0.8419}, abs=1e-4
    )
    # Two units of one pair each, always apart: observed 1, expected by chance 2/3.
    assert agreement["winners"]["alpha"] == pytest.approx(-0.5)
    assert "1 of the runs in debates cannot be judged like this" in ended.err
    assert "2 of 2: " in ended.err
    shown = moot("rejudge", "debates", "--judge", "scripted/differs.yaml", "-q").out
    words = " ".join(shown.split())
    assert "winners that stand in both orders -0.50" in words
    assert "0 of 2 0 % 0 % to 84 %" in words
    assert "2 of 4 50 % –" in words, "who was shown first, by readings"
    assert "–: no interval, because readings of a debate and debates on a topic are related" in words
    assert "it takes at least 6 of them, of which a few must not have most of the cases." in words
    assert [line.split()[0] for line in shown.splitlines() if "scripted/differs.yaml" in line][:2] == ["1", "2"]
    for run in json.loads(moot("list", "--json").out)[-2:]:
        assert Path(run["run"]).name in words


def test_a_damaged_run_in_a_folder_is_told_and_left_out() -> None:
    assert moot("run", "debate.yaml", "-q").code == 0
    assert moot("run", "debate.yaml", "-q").code == 0
    altered, unreadable, _ = sorted(Path("debates").iterdir())
    log = altered / "log.jsonl"
    log.write_text(log.read_text("utf-8").replace("Ada", "Eve"), "utf-8")
    (unreadable / "config.yaml").write_text("{{{", "utf-8")
    ended = moot("rejudge", "debates", "--judge", "scripted/agrees.yaml", "--json")
    assert ended.code == 0, ended.err
    assert len(json.loads(ended.out)["results"]) == 1
    assert "2 of the runs in debates cannot be judged like this" in ended.err
    assert "do not hold together" in ended.err


def test_what_is_refused() -> None:
    assert "nobody votes" in refused("rejudge", "latest", "--rule", "borda")
    assert "no run 'nowhere'" in refused("rejudge", "nowhere")
    Path("empty").mkdir()
    assert "there are no debates in empty" in refused("rejudge", "empty")


def test_a_table_sets_the_judges_beside_the_original() -> None:
    ended = moot("rejudge", "latest", "--judge", "scripted/flips.yaml")
    assert ended.code == 0, ended.err
    rows = [line.split() for line in ended.out.splitlines()]
    assert ["Kim", "(original)", "Ada", "Ada", "8,", "Bo", "6"] in rows
    assert ["scripted/flips.yaml", "none", "open", "unstable", "Ada", "6,", "Bo", "6"] in rows
    assert "scripted/flips.yaml Bo  Winner: Bo (swapped order)." in ended.err
    assert "! Unstable: the order of showing changes the winner of scripted/flips.yaml." in " ".join(ended.out.split())
