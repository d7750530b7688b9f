"""Sampling settings reach the provider by role, and the journal says what was sent and who answered."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.define.sampling import parse_sampling
from moot.errors import ConfigError
from tests.kit.endpoint import FakeEndpoint

DUEL: dict[str, Any] = {"topic": "Is tea better?", "turns": 2, "seed": 5}


def held(folder: Path, monkeypatch: pytest.MonkeyPatch, provider: str = "fake", **settings: Any) -> tuple[Any, Any]:
    """The requests of a duel at a server, and the records of their replies."""

    async def hold() -> tuple[Any, Any]:
        async with FakeEndpoint() as server:
            monkeypatch.setenv(f"{provider.upper()}_BASE_URL", server.url)
            monkeypatch.setenv(f"{provider.upper()}_API_KEY", "none")
            result = await moot.run(
                moot.configure("duel", model=f"{provider}/one", out=str(folder), **DUEL, **settings)
            )
            return server.requests, [one for one in result.stored.records() if one.kind == "reply"]

    return asyncio.run(hold())


def test_settings_are_sent_by_role_and_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sampling = {"temperature": 0.7, "judge": {"temperature": 0, "seed": 11}, "A": {"seed": "each", "top_p": 0.9}}
    requests, records = held(tmp_path, monkeypatch, sampling=sampling)
    by_part: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        by_part.setdefault(record.key.partition("/")[0], []).append(record.sampling)
    assert all(one == {"temperature": 0, "seed": 11} for one in by_part["judge"])
    assert all(one == {"temperature": 0.7} for one in by_part["B"])
    assert {(one["temperature"], one["top_p"]) for one in by_part["A"]} == {(0.7, 0.9)}
    assert len({one["seed"] for one in by_part["A"]}) == len(by_part["A"]), "each place has a seed of its own"
    sent = [{key: one[key] for key in ("temperature", "top_p", "seed") if key in one} for one in requests]
    assert sorted(map(str, sent)) == sorted(str(record.sampling) for record in records)
    run = moot.list_runs(str(tmp_path))[0]
    assert run.config.options.sampling["judge"].seed == 11
    assert not asyncio.run(moot.replay(run)).differences


def test_nothing_is_sent_where_nothing_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    requests, records = held(tmp_path, monkeypatch)
    assert not [one for one in requests if {"temperature", "top_p", "seed"} & one.keys()]
    assert {record.sampling for record in records} == {None}
    assert {record.answered_by for record in records} == {"fake"}, "whoever it is that the server says answered"


def test_a_model_that_takes_no_seed_is_not_sent_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="anthropic/one takes no seed"):
        held(tmp_path, monkeypatch, "anthropic", sampling={"seed": 3})
    requests, records = held(tmp_path, monkeypatch, "anthropic", sampling={"temperature": 1})
    assert {one["temperature"] for one in requests} == {1}
    assert None not in {record.answered_by for record in records}


@pytest.mark.parametrize(
    ("sampling", "told"),
    [
        ({"temperature": 3}, "less than or equal to 2"),
        ({"Nobody": {"temperature": 1}}, "unknown role 'Nobody'"),
        ({"judge": {"top_k": 1}}, "unknown key `sampling.judge.top_k`"),
        ({"seed": "often"}, "sampling"),
    ],
)
def test_what_cannot_be_set_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sampling: dict[str, Any], told: str
) -> None:
    with pytest.raises(ConfigError) as error:
        held(tmp_path, monkeypatch, sampling=sampling)
    assert told in str(error.value)


def test_options_and_variables_are_merged_by_role_and_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_SAMPLING", "temperature=1,judge.temperature=0")
    given = moot.configure("duel", topic="?", sampling=parse_sampling(["top_p=0.5", "judge.seed=3"])).options.sampling
    assert {role: one.model_dump(exclude_none=True) for role, one in given.items()} == {
        "all": {"temperature": 1.0, "top_p": 0.5},
        "judge": {"temperature": 0.0, "seed": 3},
    }
    with pytest.raises(ConfigError, match="--sampling needs KEY=VALUE"):
        parse_sampling(["judge=1"])
