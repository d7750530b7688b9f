"""What an arena may be told, and what it is told when that is wrong."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.define.registry import get_protocol
from moot.protocols.arena.config import ArenaConfig
from moot.testing import ScriptedModel
from tests.kit.arenas import TASK, plain_reply


def debate(**settings: Any) -> ArenaConfig:
    found = moot.configure("arena", topic=TASK, **settings).debate
    assert isinstance(found, ArenaConfig)
    return found


def test_the_shipped_cast() -> None:
    found = debate()
    assert [one.name for one in found.agents] == ["Ines", "Tomas", "Mei"]
    assert (found.quorum, found.refinement) == (2, 6)
    assert len({one.name for one in debate(agents=7).cast}) == 8
    assert [one.name for one in debate(agents=9).agents][-2:] == ["Agent 8", "Agent 9"]
    assert debate(agents=5).quorum == 3


def test_a_shipped_agent_needs_only_its_name() -> None:
    mei, ada = debate(agents=[{"name": "Mei", "weight": 2}, {"name": "Ada"}]).agents
    assert "You count" in mei.personality
    assert mei.weight == 2
    assert "You think for yourself" in ada.personality


def test_whoever_judges_or_watches_speaks_as_the_first_chosen_model_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("MOOT_MODEL", raising=False)

    def cast(*agents: str | list[str] | None, **settings: Any) -> dict[str, list[str]]:
        members = [{"name": name, "model": one} for name, one in zip(("Ada", "Bo", "Cy"), agents, strict=False)]
        config = moot.configure("arena", topic=TASK, agents=members, judge={"name": "Kim"}, observer=True, **settings)
        return asyncio.run(moot.plan(config)).models

    assert cast("one/a", "two/b")["Kim"] == ["one/a"]
    assert cast("one/a", "two/b")["Observer"] == ["one/a"]
    assert cast("human/ann", None, ["two/b", "one/a"])["Kim"] == ["two/b", "one/a"], "people are asked for themselves"
    assert cast("one/a", "two/b", model="three/c")["Kim"] == ["three/c"]
    assert cast("one/a", "two/b", roles={"judge": "three/c"})["Kim"] == ["three/c"]
    assert cast(None, None)["Kim"] == ["embedded/smollm2"]


def test_a_trickster_and_an_observer_by_a_word() -> None:
    found = debate(trickster=True, observer=False, judge={"name": "Kim"})
    assert found.trickster is not None
    assert (found.trickster.name, found.observer) == ("Trickster", None)
    assert [one.name for one in found.judges] == ["Kim"]


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"agents": 1}, "agents"),
        ({"agents": 30}, "agents"),
        ({"agents": [{"name": "Ada"}, {"name": "ada"}]}, "two of the cast are called 'Ada'; names"),
        ({"agents": [{"name": "Kaveh"}, {"name": "Ada"}]}, "a judge is one of them"),
        ({"agents": [{"name": "Ada"}, {"name": "Kaveh"}]}, "two of the cast"),
        ({"agents": [{"name": "Moot"}, {"name": "Ada"}]}, "a part in the script"),
        ({"vote": "coin"}, "there is no rule 'coin'"),
        ({"vote": "weighted", "agents": [{"name": "A", "weight": 0}, {"name": "B", "weight": 0}]}, "a weight above 0"),
        ({"convergence_threshold": 2}, "convergence_threshold"),
        ({"criteria": {}}, "criteria"),
        ({"critique": "star"}, "critique"),
        ({"context": [{"title": "a", "text": "b"}]}, "context"),
        ({"rounds": 3}, "unknown key `rounds`"),
    ],
)
def test_what_is_wrong_is_named(settings: dict[str, Any], fault: str) -> None:
    with pytest.raises(moot.ConfigError, match=fault):
        debate(**settings)


def test_an_agent_may_be_called_like_a_part(tmp_path: Path) -> None:
    model = ScriptedModel(plain_reply)
    agents = [{"name": "Judge"}, {"name": "observer!"}, {"name": "Ada"}, {"name": "ada."}]
    result = asyncio.run(
        moot.arena(TASK, agents=agents, model=model.name, models={model.name: model}, out=str(tmp_path), seed=1)
    )
    assert result.status == "done"
    assert len({request.agent.partition("@")[0] for request in model.requests}) == 5


def test_the_parts_that_can_be_given_a_model() -> None:
    parts = get_protocol("arena").roles
    assert [one.key for one in parts(None)] == ["Ines", "Tomas", "Mei", "Noor", "Lars", "Ayo", "Vera", "judge"]
    config = moot.configure("arena", topic="What now?", agents=2, trickster=True, judges=[{"name": "X"}, {"name": "Y"}])
    found = [(one.key, one.label, one.debates) for one in parts(config.debate)]
    assert found == [
        ("Ines", "Ines", True),
        ("Tomas", "Tomas", True),
        ("judge", "Judge", False),
        ("judge-2", "Judge 2", False),
        ("trickster", "Trickster", False),
    ]
