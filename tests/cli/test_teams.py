"""`moot arena --pool`: a team chosen by rating and calibration, with its reasons where everybody can read them."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

import moot as api
from moot.engine.define.remembered import Cast
from moot.memory.ratings import Game
from moot.memory.store import Outcome, open_store
from tests.kit.command import moot, refused

pytestmark = pytest.mark.usefixtures("provider")

ARENA = ("What now?", "--rounds", "1", "-q", "--json")
POOL = [
    {"name": "Ada", "model": "openai/gpt-5"},
    {"name": "Bo", "model": "openai/gpt-5-mini"},
    {"name": "Cy", "model": "openai/gpt-4o"},
    {"name": "Di", "model": "openai/mistral-small", "personality": "You doubt."},
    {"name": "Ines", "model": "openai/qwen3"},
]


def write_pool(content: Any = None) -> str:
    Path("pool.yaml").write_text(yaml.safe_dump({"agents": POOL} if content is None else content), "utf-8")
    return "pool.yaml"


def remember(agents: dict[str, float], memory: str) -> None:
    """A memory in which each of them has won or lost against somebody."""
    outcome = Outcome("1", "run", "Q?", "D.", "approved", "judge", None, datetime.now(UTC))
    rated = {one["name"]: f"{one['name']} · {one['model']}" for one in POOL}
    votes = {rated[agent]: Cast(0.9, agent, won == 1) for agent, won in agents.items()}
    with open_store(memory) as store:
        for number in range(60):
            games = [Game(rated[agent], "Zed", won) for agent, won in agents.items()]
            store.record(Outcome(**{**_fields(outcome), "id": str(number)}), games, votes)


def _fields(outcome: Outcome) -> dict[str, Any]:
    return {name: getattr(outcome, name) for name in Outcome.__slots__}


def config_of(out: str) -> dict[str, Any]:
    config: dict[str, Any] = yaml.safe_load(Path(json.loads(out)["run"], "config.yaml").read_text("utf-8"))
    return config


def test_ratings_and_calibration_choose_and_weigh() -> None:
    remember({"Cy": 1.0, "Di": 1.0, "Ada": 0.0}, "memory.db")
    ended = moot("arena", *ARENA, "--pool", write_pool(), "--team", "3", "--memory", "memory.db", "--vote", "weighted")
    assert ended.code == 0, ended.err
    config = config_of(ended.out)
    agents = {one["name"]: one for one in config["agents"]}
    assert set(agents) == {"Cy", "Di", "Bo"}, "the two that won, and one who is unknown; Ada has lost"
    assert agents["Di"]["personality"] == "You doubt."
    assert float(agents["Cy"]["weight"]) > 1.1 * float(agents["Bo"]["weight"])
    assert config["selection"][0] == "3 of 5 agents of pool.yaml; by the ratings in the memory"
    rules = next(one for one in api.find_run(json.loads(ended.out)["run"]).entries() if one.type == "rules")
    for line in config["selection"]:
        assert line in ended.err
        assert line in rules.content
    assert "Ada is not in: worth" in ended.err
    assert api.verify(api.find_run(json.loads(ended.out)["run"])).faults == []


def test_bad_pools_are_refused() -> None:
    assert "cannot be read" in refused("arena", "x y", "--pool", "missing.yaml")
    assert "`agents`: missing" in refused("arena", "x y", "--pool", write_pool({"people": []}))
    assert "unknown key `agents.0.modle`" in refused(
        "arena", "x y", "--pool", write_pool({"agents": [{"name": "A", "modle": "x"}, {"name": "B"}]})
    )
    twice = write_pool({"agents": [{"name": "Ada"}, {"name": "ada"}]})
    assert "two agents are called" in refused("arena", "x y", "--pool", twice)
    few = write_pool({"agents": [{"name": "Ada", "model": "openai/a"}, {"name": "Bo", "model": "openai/b"}]})
    assert "too few for a team of 3" in refused("arena", "x y", "--pool", few)
    kin = write_pool({"agents": [{"name": name} for name in ("Ada", "Bo", "Cy")]})
    assert "gives a team of 2 at most" in refused("arena", "x y", "--pool", kin)
    assert "needs a --pool" in refused("arena", "x y", "--team", "3")
    assert "give either" in refused("arena", "x y", "--pool", kin, "--agents", "3")
