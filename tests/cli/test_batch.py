"""The batch command: what it prints, what it leaves, and how it ends."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.batches import CALLS
from tests.kit.command import moot, refused, write_batch
from tests.kit.leagues import MOTIONS, write_league
from tests.kit.servers import endpoint


def test_a_batch_runs_and_sums_up(place: Path) -> None:
    ended = moot("batch", write_batch(repeat=2), "--out", "all")
    assert ended.code == 0, ended.err
    assert "4 of 4 debates done." in ended.out
    assert "claim upheld" in ended.out
    assert "2 of 4 debates repeat another word for word" in ended.out
    assert "Decided debates are few (2)" in ended.out
    assert ended.out.rstrip().endswith("all/report.html")
    assert "done 4/4, running 0, failed 0, cost $0, calls 56" in ended.err
    names = {"batch.json", "items.jsonl", "ledger.jsonl", "rows.csv", "rows.jsonl", "statistics.json", "runs"}
    assert names | {"report.html", "report.md"} <= {path.name for path in (place / "all").iterdir()}
    again = moot("batch", "batch.yaml", "--out", "all", "--quiet")
    assert (again.code, again.err) == (0, "")
    assert again.out == ended.out


def test_a_plan_spends_nothing_and_leaves_nothing(place: Path) -> None:
    ended = moot("plan", "batch", write_batch(budget={"max_calls": 100}), "--swap-sides", "--max-cost", "2")
    assert "4 debates, 56 calls." in ended.out
    assert "max_calls 100, max_cost 2" in ended.out
    found = json.loads(moot("plan", "batch", "batch.yaml", "--json").out)
    assert (found["debates"], found["calls"], found["models"]) == (2, 2 * CALLS, {"scripted/replies.yaml": 2})
    assert sorted(path.name for path in place.iterdir()) == ["batch.yaml", "replies.yaml"]


def test_a_budget_ends_it_with_3_and_resuming_goes_on(place: Path) -> None:
    ended = moot("batch", write_batch(), "--out", "all", "--max-calls", str(CALLS + 1))
    assert ended.code == 3
    assert "1 of 2 debates done, 1 not begun." in ended.out
    assert "The budget is reached: 14 of 15 calls are made" in ended.out
    assert "To continue with a larger budget: moot batch --resume all --max-calls 100\n" in ended.out
    assert "1 of 2 debates done, 1 not begun" in Path("all/report.md").read_text("utf-8"), "in the same words"
    again = moot("batch", "--resume", "all")
    assert (again.code, "1 of 2 debates done" in again.out) == (3, True), (
        "what was typed once holds until more is given"
    )
    found = json.loads(moot("batch", "--resume", "all", "--max-calls", "100", "--json").out)
    assert (found["done"], found["reason"]) == (2, None)


def test_failed_debates_are_held_again_by_the_printed_command(place: Path) -> None:
    file = write_batch()
    replies = (place / "replies.yaml").read_text("utf-8")
    (place / "replies.yaml").write_text("{}", "utf-8")
    ended = moot("batch", file, "--out", "all")
    assert (ended.code, "2 failed" in ended.out) == (1, True), ended.out
    again = "moot batch --resume all --retry-failed"
    assert f"To hold the failed debates again: {again}\n" in ended.out
    (place / "replies.yaml").write_text(replies, "utf-8")
    assert moot(*again.split()[1:]).code == 0


def test_what_is_wrong_is_said_before_anything_is_spent(place: Path) -> None:
    assert "Give either a FILE or --resume FOLDER" in refused("batch")
    assert "cannot be read" in refused("batch", "absent.yaml")
    write_batch(grid={"turns": [1]})
    assert "batch.yaml (turns = 1)" in refused("batch", "batch.yaml")
    write_batch()
    assert "you can only add limits" in refused("batch", "--resume", ".", "--swap-order")
    assert ". is not the folder of a batch" in refused("batch", "--resume", ".")


def test_a_tournament_is_planned_held_and_checked_for_models_that_are_not_there(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with endpoint() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("OLLAMA_HOST", server.url.removesuffix("/v1"))
        league: dict[str, Any] = {"models": ["openai/gpt-5", "openai/qwen3"], "motions": MOTIONS[:2]}
        file = str(write_league(place, **league, jury=["openai/llama-4"]))
        assert json.loads(moot("plan", "batch", file, "--json").out)["debates"] == 4
        assert server.count == 0
        ended = moot("batch", file, "--out", "league", "--quiet")
        assert ended.code == 0, ended.err
        assert "openai/qwen3" in ended.out and ended.out.rstrip().endswith("league/report.html")
        before = server.count
        write_league(place, **league, jury=["openai/llama-4", "ollama/missing"])
        said = moot("batch", file, "--quiet")
        assert (said.code, said.err.count("has no model “missing”"), server.count) == (2, 1, before), said.err
