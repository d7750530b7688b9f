"""The protocols from Python: typed settings, the twin without `await`, results and runs in a line."""

import asyncio
import inspect
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import moot
from moot import sync
from moot.engine.define.registry import get_protocol
from moot.engine.define.shipped import OFFERED
from moot.models.base import OnText
from moot.testing import ScriptedModel
from tests.kit.duels import CAST, calls_of, full_script, not_yet_paid
from tests.kit.settings import FILE, written

ROOT = Path(__file__).parents[2]
SETTINGS: dict[str, Any] = {"turns": 2, "claim": "It is so.", "model": "scripted/replies", **CAST}


def scripted() -> dict[str, Any]:
    model = ScriptedModel(full_script(2))
    return {**SETTINGS, "models": {model.name: model}}


def test_the_types_of_settings_are_those_of_the_configs() -> None:
    assert FILE.read_text("utf-8") == written(), "make it anew: python -m tests.kit.settings"


@pytest.mark.parametrize("name", OFFERED)
def test_there_is_a_function_for_every_protocol_and_a_twin(name: str) -> None:
    function, twin = getattr(moot, name), getattr(sync, name)
    assert inspect.iscoroutinefunction(function)
    assert not inspect.iscoroutinefunction(twin)
    assert twin.__doc__ == function.__doc__
    first = next(iter(inspect.signature(function).parameters))
    subject = get_protocol(name).subject
    assert first in (subject.key, subject.name)


WRONG = {
    'moot.duel("Is it so?", turn=2)': 'Unexpected keyword argument "turn"',
    'moot.duel("Is it so?", turns="two")': 'incompatible type "str"',
    'moot.duel("Is it so?", order="last")': "order",
    'moot.arena("A task.", critique="some")': "critique",
    'moot.delphi("How many?", attacks=2)': 'Unexpected keyword argument "attacks"',
    'moot.sync.hats("What now?", questions=2)': 'Unexpected keyword argument "questions"',
    'moot.socratic("It is so.", require="maybe")': "require",
    'moot.sync.duel("Is it so?").outcome.winer': 'has no attribute "winer"',
    'moot.sync.council("Which?").outcome.scores': 'has no attribute "scores"',
}
RIGHT = """
import moot

async def main() -> None:
    result = await moot.duel("Is it so?", turns=2, claim="It is so.", max_cost=0.5, require="for")
    print(result.summary.headline)
    if result.outcome is not None:
        winner: str | None = result.outcome.winner
    await moot.arena("A task.", agents=3, trickster=True, vote_threshold=0.6, require=["approved"])
    await moot.panel({"name": "An idea"}, kind="selection", documents=["a.md"], roles={"Critic": "openai/gpt-5"})
    await moot.delphi("How many?", model=["a/b", "c/d"], unit="days")

print(moot.sync.redteam("A plan.", attacks=2).status)
"""


def test_a_wrong_setting_is_refused_by_a_type_checker(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import moot\n\n" + "\n".join(WRONG) + "\n", "utf-8")
    right = tmp_path / "right.py"
    right.write_text(RIGHT, "utf-8")
    # With what mypy has kept of moot when it checked that.
    mypy = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml")]
    found = subprocess.run([*mypy, str(wrong), str(right)], capture_output=True, text=True, check=False, cwd=ROOT)
    lines = [line for line in found.stdout.splitlines() if ": error:" in line and "unused-coroutine" not in line]
    assert [line for line in lines if "right.py" in line] == [], found.stdout
    for number, (code, told) in enumerate(WRONG.items(), 3):
        own = [line for line in lines if f"wrong.py:{number}:" in line]
        assert any(told in line for line in own), (code, found.stdout)


def test_the_twin_works_in_a_script_and_inside_a_running_loop(tmp_path: Path) -> None:
    assert sync.duel("Is it so?", out=str(tmp_path / "script"), **scripted()).status == "done"

    async def notebook() -> moot.Result:
        return sync.duel("Is it so?", out=str(tmp_path / "notebook"), **scripted())

    assert asyncio.run(notebook()).status == "done"

    async def wrong() -> moot.Result:
        return sync.duel("Is it so?", turns=1)

    with pytest.raises(moot.ConfigError, match="turns"):
        asyncio.run(wrong())


def test_a_result_and_a_run_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # whose name may be too long for a line
    result = sync.duel("Is it so?", out="runs", **scripted())
    run = moot.find_run(result.run)
    spent = f"{calls_of(2)} calls · $0 · {result.seconds:.1f} s"
    assert repr(result) == str(result) == f"<Result done · Yes, on the reasons given (8 to 6) · {spent} · {result.run}>"
    assert repr(run) == f"<Run {run.address} · duel · Yes, on the reasons given (8 to 6)>"
    (run.path / "config.yaml").write_text("moot: [", "utf-8")
    assert "unreadable" in repr(moot.Run(run.path))


def test_an_interrupt_inside_a_running_loop_stops_the_debate_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = threading.Event()

    class Interrupted(ScriptedModel):
        async def reply(self, request: moot.Request, on_text: OnText | None = None) -> moot.ModelReply:
            if request.key == "B/turn/2":
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
                try:
                    await asyncio.Event().wait()
                finally:
                    ended.set()
            return await super().reply(request, on_text)

    async def cell() -> None:
        sync.duel("Is it so?", **SETTINGS, models={"scripted/replies": Interrupted(full_script(2))})

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background may ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            asyncio.run(cell())
        assert ended.is_set()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    (run,) = moot.list_runs("debates")
    assert asyncio.run(moot.result_of(run)).status == "interrupted"
    left = ScriptedModel(not_yet_paid(full_script(2), run.records()))
    assert sync.resume(run, models={left.name: left}).status == "done"
