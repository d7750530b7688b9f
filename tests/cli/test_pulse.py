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
    [document] = api.find_run(result["run"]).config.options.documents
    assert "- Rents fall (Jay; 2026-03-01 12:00 UTC)" in document.text
    assert document.title == "trending topics"
    Path("debate.yaml").write_text("turns: 2\ndocuments: [{title: Notes, text: Words.}]\n", "utf-8")
    duel = json.loads(moot("duel", "-c", "debate.yaml", "Is it so?", "--pulse", "rss.xml", "--json", "-q").out)
    assert [one.title for one in api.find_run(duel["run"]).config.options.documents] == ["Notes", "trending topics"]
    own = json.loads(moot("arena", "What now?", "--pulse", "rss.xml", *ARENA).out)
    assert own["topic"] == "What now?"
    plain = json.loads(moot("arena", "What now?", *ARENA).out)
    assert api.find_run(plain["run"]).config.options.documents == []
    Path("empty.xml").write_text("<rss/>", "utf-8")
    assert "nothing in these feeds" in refused("arena", "--pulse", "empty.xml")
