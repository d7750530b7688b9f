"""`moot pulse` and `moot arena --pulse`."""

import json
from pathlib import Path

import pytest

import moot as api
from tests.kit.command import moot, refused
from tests.kit.feeds import ATOM, RDF, RSS

ARENA = ("--agents", "2", "--rounds", "1", "-q", "--json")


@pytest.fixture(autouse=True)
def feeds(provider: str) -> None:
    for name, text in {"rss.xml": RSS, "atom.xml": ATOM, "rdf.xml": RDF}.items():
        Path(name).write_text(text, "utf-8")


def test_topics_are_listed() -> None:
    listed = moot("pulse", "rss.xml", "atom.xml", "rdf.xml", "missing.xml")
    assert listed.code == 0
    assert "Is fusion near?" in listed.out
    assert "  undated · The Wire" in listed.out and "  2026-03-02 12:00 UTC · The Wire" in listed.out
    assert listed.err == "moot: missing.xml is left out: No such file or directory\n"
    stories = json.loads(moot("pulse", "rss.xml", "rdf.xml", "--limit", "2", "--json").out)
    titles = ["Council bans cars from the city centre", "City council bans cars from centre"]
    assert [one["title"] for one in stories] == titles and stories[0]["source"] == "The Wire"
    Path("empty.xml").write_text("<rss/>", "utf-8")
    assert moot("pulse", "empty.xml").out == "There is nothing in these feeds.\n"
    assert "no feed can be read" in refused("pulse", "missing.xml")


def test_an_arena_debates_the_first_topic_and_is_told_of_the_others() -> None:
    result = json.loads(moot("arena", "--pulse", "rss.xml", "--pulse", "rdf.xml", *ARENA).out)
    assert result["topic"] == "Council bans cars from the city centre"
    [document] = api.find_run(result["run"]).config.options.documents
    assert "- City council bans cars from centre (Old News; 2026-03-01 12:00 UTC)" in document.text
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
