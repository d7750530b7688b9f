"""`moot pulse` and `moot arena --pulse`."""

import json
from pathlib import Path

import pytest

import moot as api
from tests.kit.command import moot, refused
from tests.kit.feeds import ATOM, JSON, RSS

ARENA = ("--agents", "2", "--rounds", "1", "-q", "--json")


@pytest.fixture(autouse=True)
def feeds(provider: str) -> None:
    for name, text in {"rss.xml": RSS, "atom.xml": ATOM, "feed.json": JSON}.items():
        Path(name).write_text(text, "utf-8")


def test_topics_are_listed() -> None:
    listed = moot("pulse", "rss.xml", "atom.xml", "feed.json", "missing.xml")
    assert listed.code == 0
    assert "Is fusion near?" in listed.out
    assert "What should follow from this: “Rents fall”?" in listed.out
    assert "no score · undated · The Wire" in listed.out
    assert "  under 0.01 · 2026-" in listed.out
    assert "e-" not in "".join(line for line in listed.out.splitlines() if line.startswith("  "))
    assert listed.err == "moot: missing.xml is left out: No such file or directory\n"
    stories = json.loads(moot("pulse", "rss.xml", "feed.json", "--limit", "2", "--json").out)
    assert [one["title"] for one in stories] == ["Council bans cars from the city centre", "Rents fall"]
    assert stories[0]["sources"] == ["The Wire"]
    Path("empty.xml").write_text("<rss/>", "utf-8")
    assert moot("pulse", "empty.xml").out == "There is nothing in these feeds.\n"
    assert "no feed can be read" in refused("pulse", "missing.xml")


def test_an_arena_debates_the_first_topic_and_is_told_of_the_others() -> None:
    result = json.loads(moot("arena", "--pulse", "rss.xml", "--pulse", "feed.json", *ARENA).out)
    assert result["topic"] == "What should follow from this: “Council bans cars from the city centre”?"
    entry = next(one for one in api.find_run(result["run"]).entries() if one.type == "background")
    assert "- Rents fall (Jay; 2026-03-01 12:00 UTC)" in entry.content
    assert "trending" in entry.content
    own = json.loads(moot("arena", "What now?", "--pulse", "rss.xml", *ARENA).out)
    assert own["topic"] == "What now?"
    plain = json.loads(moot("arena", "What now?", *ARENA).out)
    assert all(one.type != "background" for one in api.find_run(plain["run"]).entries())
    Path("empty.xml").write_text("<rss/>", "utf-8")
    assert "nothing in these feeds" in refused("arena", "--pulse", "empty.xml")
