"""The leaderboard over HTTP, without a memory, with an empty one, and with ratings."""

from pathlib import Path

import httpx

from moot.memory.store import open_store
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
        assert " ".join([one.agent, *one.cells]).strip() in text
    assert "<b>Dee</b>" not in answer.text
