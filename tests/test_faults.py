"""A hostile endpoint: every debate ends whole or can be resumed, and no reply is paid for twice."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moot
from moot.errors import ModelError
from moot.record.journal import GAVE_UP
from moot.testing import ScriptedModel
from tests.kit import clock
from tests.kit import endpoint as fake
from tests.kit.duels import full_script, play, small_config
from tests.kit.endpoint import FakeEndpoint, Fault
from tests.kit.examples import examples

PASSING = [fake.rate_limited("0.001"), fake.fail(500), fake.fail(503), fake.RESET, fake.CUT, fake.JUNK, fake.HTML]
PASSING += [fake.EMPTY, fake.HANG]
LASTING = [
    fake.REFUSAL,
    fake.fail(401),
    fake.fail(404),
    fake.fail(400),
    fake.fail(429, "no credit", "insufficient_quota"),
]
DEBATER = {"personality": "p", "position": "q", "instructions": "i"}
CAST: dict[str, Any] = {
    "debaters": [{"name": "Ada", **DEBATER}, {"name": "Bo", **DEBATER}],
    "judge": {"name": "Kim", "personality": "p", "judging_criteria": "c"},
}


async def debate(endpoint: FakeEndpoint, folder: Path, **settings: Any) -> moot.Result:
    settings = {"turns": 2, "claim": "It is so.", **CAST, **settings}
    return await moot.duel("Is it so?", model="fake/model", out=str(folder), seed=1, **settings)


def paid(run: str) -> list[tuple[str, int]]:
    return [(one.key, one.attempt) for one in moot.find_run(run).records() if one.kind == "reply"]


def gaps(run: str) -> int:
    """How many calls were given up, since the model declined or said nothing."""
    return sum(one.key.endswith(GAVE_UP) for one in moot.find_run(run).records())


async def through(faults: list[Fault | None], folder: Path, env: pytest.MonkeyPatch) -> moot.Result:
    """One debate under these faults, resumed on a sound endpoint if it had to stop."""
    async with FakeEndpoint(faults=faults) as endpoint:
        env.setenv("FAKE_BASE_URL", endpoint.url)
        result = await debate(endpoint, folder)
    before = paid(result.run)
    assert result.status in ("done", "failed")
    assert moot.verify(moot.find_run(result.run)).faults == []
    if result.status == "failed":
        assert result.reason
        assert result.failures
        async with FakeEndpoint() as endpoint:
            env.setenv("FAKE_BASE_URL", endpoint.url)
            result = await moot.resume(moot.find_run(result.run))
            assert endpoint.count == len(paid(result.run)) - len(before), "only what was missing was asked for"
    assert paid(result.run)[: len(before)] == before
    return result


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("fault", PASSING, ids=lambda fault: f"{fault.kind}-{fault.status}-{fault.finish}")
def test_a_passing_fault_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Fault, streaming: bool
) -> None:
    def at_the_fourth(number: int, _: object) -> Fault | None:
        if number == 3 and fault == fake.HANG:
            clock.put_forward(3600)
        return fault if number == 3 else None

    async def run() -> tuple[moot.Result, int]:
        async with FakeEndpoint(faults=at_the_fourth) as endpoint:
            monkeypatch.setenv("FAKE_BASE_URL", endpoint.url)
            follow = {"follow": lambda event: None} if streaming else {}
            return await debate(endpoint, tmp_path, **follow), endpoint.count

    result, count = clock.run(run())
    assert result.status == "done"
    assert result.spent.calls == 4 * 2 + 6 == count - 1
    assert len(result.failures) == 1, "and is told about"


@pytest.mark.parametrize("fault", LASTING, ids=lambda fault: f"{fault.kind}-{fault.status}-{fault.finish}")
@pytest.mark.parametrize("at", [0, 5, 13])
def test_a_lasting_fault_stops_the_debate_and_it_is_resumed_or_leaves_a_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Fault, at: int
) -> None:
    result = asyncio.run(through([None] * at + [fault], tmp_path, monkeypatch))
    assert result.status == "done"
    assert gaps(result.run) == (1 if fault == fake.REFUSAL else 0)
    assert result.spent.calls == 4 * 2 + 6 - gaps(result.run)


@examples(10)
@given(st.lists(st.sampled_from([None, None, *PASSING[:-1], *LASTING]), max_size=30))
def test_any_mixture_of_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, faults: list[Fault | None]) -> None:
    result = asyncio.run(through(faults, tmp_path, monkeypatch))
    assert result.status == "done"
    assert result.spent.calls == 4 * 2 + 6 - gaps(result.run)
    assert asyncio.run(moot.replay(moot.find_run(result.run))).differences == []


def test_the_key_is_in_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "sk-very-secret-key-0123456789"
    monkeypatch.setenv("FAKE_API_KEY", secret)
    echo = fake.fail(400, f"the key {secret} is no good")
    result = asyncio.run(through([None, echo], tmp_path, monkeypatch))
    for file in Path(result.run).iterdir():
        assert secret not in file.read_text("utf-8"), file.name
    assert secret not in json.dumps(result.document())


def test_whoever_cannot_speak_is_named_where_others_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match=r"^Bo cannot speak through fake/two: 127\.0\.0\.1:9 refused") as told:
        play(small_config(tmp_path, roles={"B": "fake/two"}), ScriptedModel(full_script(2)))
    assert told.value.key == "roles.B"
    assert list(tmp_path.iterdir()) == []
