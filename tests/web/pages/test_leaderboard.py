"""The leaderboard over HTTP, without a memory, with an empty one, and with ratings."""

import re
from pathlib import Path

import httpx

from moot.memory.pages import drawn
from moot.memory.ratings import Interval
from moot.memory.store import Standing, open_store
from tests.kit.library import remembered, text_of
from tests.kit.servers import serving


def board(folder: Path, memory: Path | None) -> httpx.Response:
    with serving(folder, memory=str(memory) if memory else None) as site, site.client() as client:
        return client.get("/leaderboard")


def test_it_says_how_to_get_a_memory(tmp_path: Path) -> None:
    assert "moot serve --memory memory.db" in board(tmp_path, None).text


def test_a_memory_that_is_not_there_yet_or_empty_or_broken(tmp_path: Path) -> None:
    assert "Nobody has been rated yet" in board(tmp_path, tmp_path / "none.db").text
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "broken.db").write_text("This is no database, whatever it is called.", "utf-8")
    assert "The memory cannot be read" in board(tmp_path, tmp_path / "broken.db").text
    with open_store(str(tmp_path / "empty.db")):
        pass
    assert "Nobody has been rated yet" in board(tmp_path, tmp_path / "empty.db").text


def test_it_has_what_the_memory_has(tmp_path: Path) -> None:
    memory = remembered(tmp_path / "memory.db")
    with open_store(str(memory)) as store:
        standings = store.leaderboard()
    answer = board(tmp_path, memory)
    text = text_of(answer)
    for one in standings:
        assert one.fit is not None
        brier = "too few votes" if one.brier is None else f"{one.brier:.3f}"
        told = f"{one.elo:.0f} {one.fit.rating:.0f} {one.fit.low:.0f} to {one.fit.high:.0f} {one.games} {brier}"
        assert f"{one.agent} {told}" in text
    assert answer.text.count('class="whisker"') == answer.text.count('class="dot"') == len(standings)
    assert "<b>Dee</b>" not in answer.text


def test_the_drawing_is_to_scale() -> None:
    given = {"a": (1500.0, 1400.0, 1600.0), "b": (1650.0, 1620.0, 1680.0), "c": (1300.0, 1100.0, 1500.0)}
    chart = drawn([Standing(name, 1500.0, Interval(*fit), 3, None) for name, fit in given.items()])
    assert chart is not None
    assert [one.name for one in chart.whiskers] == ["b", "a", "c"]
    places = {float(name): x for name, x in chart.ticks}
    scale = (max(places.values()) - min(places.values())) / (max(places) - min(places))
    for one in chart.whiskers:
        rating, low, high = given[one.name]
        assert chart.left <= one.low < one.x < one.high <= chart.right
        assert abs((one.high - one.low) - scale * (high - low)) < 0.2
        assert abs(one.x - (places[min(places)] + scale * (rating - min(places)))) < 0.2
    assert drawn([]) is None
    assert drawn([Standing("a", 1500.0, None, 0, None)]) is None
    assert not re.search("nan|inf", str(drawn([Standing("a", 1500.0, Interval(1500.0, 1500.0, 1500.0), 1, None)])))
