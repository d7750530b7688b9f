"""A debate that is stopped at any moment has a result from the moment its folder exists."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.testing import ScriptedModel
from tests.kit.duels import MODEL, full_script, small_config
from tests.kit.processes import process
from tests.kit.waiting import ended, run, turns

TERMINATED = """
import os, signal, sys
import moot
from moot.system import end_as_by_interrupt, run_until_stopped
from moot.testing import ScriptedModel
from tests.kit.duels import MODEL, full_script, small_config
script = full_script(2)
def answer(request):
    if request.key == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGTERM)  # it is handled here, in the middle of the debate's own code
    return script[request.key]
signal.signal(signal.SIGINT, signal.SIG_IGN if sys.argv[3] == "ignored" else signal.default_int_handler)
end_as_by_interrupt()
os.kill(os.getpid(), signal.SIGINT) if sys.argv[3] == "ignored" else None
try:
    run_until_stopped(moot.run(small_config(sys.argv[1]), models={MODEL: ScriptedModel(answer)}))
except KeyboardInterrupt:
    print("interrupted")
"""
MOMENTS = [*range(1, 25), *range(25, 400, 25)]


async def stopped(debate: Coroutine[Any, Any, moot.Result], moment: int) -> bool:
    """Whether it was cancelled, after that many turns of the loop."""
    task = asyncio.create_task(debate)
    await turns(moment)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        return True
    return False


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_stopped_debate_has_its_result(tmp_path: Path, moment: int) -> None:
    models = {MODEL: ScriptedModel(full_script(2))}
    was_cancelled = run(stopped(moot.run(small_config(tmp_path), models=models), moment))
    for found in moot.list_runs(str(tmp_path)):
        status = (found.result() or {})["status"]
        assert status in (("interrupted", "done") if was_cancelled else ("done",))


@pytest.mark.parametrize("interrupts", ["ignored", "heard"])
def test_a_request_to_end_is_not_raised_inside_the_debate(tmp_path: Path, interrupts: str) -> None:
    """In the background of a shell script interrupts are ignored, and requests to end are not."""
    key = list(full_script(2))[3]
    with process(tmp_path, key, interrupts, code=TERMINATED) as running:
        assert ended(running) == ("interrupted\n", "")
    [found] = moot.list_runs(str(tmp_path))
    assert (found.result() or {})["status"] == "interrupted"
