"""`moot tournament`: what it takes, the leaderboard on the terminal and as JSON, taking it up, refusals."""

import json
from pathlib import Path

import pytest

from tests.kit.command import empty_place, moot
from tests.kit.leagues import write_league
from tests.kit.servers import endpoint

MODELS = ["openai/gpt-5-mini", "anthropic/claude-haiku-4-5"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return empty_place(tmp_path, monkeypatch)


def test_a_plan_says_what_it_takes_and_who_judges_whom(place: Path) -> None:
    file = write_league(place, models=MODELS, jury=["openai/gpt-5", "ollama/llama3"], looks=[4])
    said = moot("plan", "tournament", str(file), "--json")
    found = json.loads(said.out)
    assert (said.code, found["debates"], found["calls"]) == (0, 16, 16 * 8)
    assert found["least"]["debates"] == 8
    assert found["juries"] == [{"models": MODELS, "jury": ["ollama/llama3"], "left_out": ["openai/gpt-5"]}]
    said = moot("plan", "tournament", str(file))
    assert "16 debates, 128 calls." in said.out and "left out" in said.out
    assert "it may end, after 8 debates and 64 calls" in said.out
    assert not (place / "tournaments").exists(), "a plan writes nothing"


def test_nobody_left_to_judge_is_refused(place: Path) -> None:
    said = moot("tournament", str(write_league(place, models=MODELS, jury=["openai/gpt-5"])))
    assert said.code == 2
    assert "nobody is left to judge openai/gpt-5-mini against anthropic/claude-haiku-4-5" in said.err


def test_the_leaderboard_and_taking_it_up(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with endpoint() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        models = ["openai/gpt-5-mini", "openai/o3", "openai/llama-4"]
        families = {"openai/o3": "o"}
        file = write_league(place, models=models[:2], jury=models[2:], families=families)
        said = moot("tournament", str(file), "--max-calls", "20", "--quiet")
        assert said.code == 3, said.err
        assert "The budget is reached" in said.out and "moot tournament tournaments/league-" in said.out
        said = moot("tournament", str(file), "--json", "--quiet")
        assert said.code == 0, said.err
        found = json.loads(said.out)
        assert (found["status"], found["leaderboard"]["counted"]) == ("done", 16)
        again = moot("tournament", found["tournament"], "--quiet")
        assert again.code == 0 and "openai/o3" in again.out
        board = Path(found["tournament"])
        assert json.loads((board / "leaderboard.json").read_text("utf-8")) == found["leaderboard"]
        for name in ("leaderboard.html", "leaderboard.md"):
            assert "openai/o3" in (board / name).read_text("utf-8")
        assert moot("tournament", str(board), "--out", "x").code == 2


def test_a_judge_that_cannot_answer_is_found_before_the_first_call(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with endpoint() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("OLLAMA_HOST", server.url.removesuffix("/v1"))
        file = write_league(place, models=["openai/gpt-5", "openai/qwen3"], jury=["openai/llama-4", "ollama/missing"])
        said = moot("tournament", str(file), "--quiet")
        assert (said.code, said.err.count("has no model “missing”")) == (2, 1), said.err
        assert server.count == 0


def test_the_file_has_a_schema() -> None:
    said = moot("schema", "tournament")
    assert {"models", "motions", "jury", "looks"} <= json.loads(said.out)["properties"].keys()
