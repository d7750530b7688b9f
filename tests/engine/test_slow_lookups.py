"""Servers that take too long: each call has its time, and after two in a row the debate continues without them."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.testing import ScriptedModel
from tests.kit.duels import assert_sound
from tests.kit.lookups import LONGEST, NOTHING, codes, declare, duel, made, over_http, prompt_at, script, wish

SLOW, SLOWER, SLOWEST = (("all__slow", {"text": text}) for text in ("one", "two", "three"))
QUICK, OTHER = (("all__echo", {"text": text}) for text in ("quick", "other"))
LATE = f"no answer within {LONGEST} seconds"
GONE = f"all gave {LATE} 2 times: it is left out of the rest of the debate"


@pytest.fixture(autouse=True)
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CALLS", str(tmp_path / "calls.txt"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "calls.txt"


def debated(**wishes: Any) -> tuple[moot.Result, ScriptedModel]:
    with over_http() as url:
        declare({"all": {"url": url}})
        return duel(script(**wishes), unanswered="slow")


def test_after_two_in_a_row_the_server_is_left_out(calls: Path) -> None:
    replies: dict[str, Any] = {"A__plan__lookup__1": wish(SLOW, SLOWER, SLOWEST), "A__plan__lookup__2": NOTHING}
    replies |= {"B__think__2__lookup__1": wish(QUICK), "B__think__2__lookup__2": NOTHING}
    with over_http() as url:
        declare({"all": {"url": url}})
        whole = script(**replies)
        del whole["A/think/1/lookup/1"]  # it is not asked again what to look up with
        result, model = duel(whole, unanswered="slow")
    assert [(one.agent, one.error) for one in made(result)] == [
        *[("Ada", LATE)] * 2,
        ("Ada", GONE),
        ("Bo", GONE),
    ]
    assert calls.read_text("utf-8").count("slow") == 2
    assert GONE in prompt_at(model, "A/plan/lookup/2") and GONE in codes(result)["lookups_failed"]
    assert_sound(moot.find_run(result.run))


def test_an_answer_in_between_starts_the_count_anew(calls: Path) -> None:
    asked = {"A__plan__lookup__1": wish(SLOW, QUICK, SLOWER), "A__plan__lookup__2": wish(OTHER)}
    result, _ = debated(**asked, A__plan__lookup__3=NOTHING)
    assert [one.error for one in made(result)] == [LATE, None, LATE, None]
    assert calls.read_text("utf-8").count("slow") == 2
