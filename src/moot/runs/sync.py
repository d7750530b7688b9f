"""The protocols without `await`, for scripts and notebooks: `moot.sync.duel("…", turns=2)` returns the result.

Inside a running event loop, as in a notebook, the debate runs in a thread with its own loop, and the call waits.
"""

import asyncio
import functools
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from moot.engine.staging import plan as planning
from moot.engine.staging import replay as replaying
from moot.engine.staging import run as running
from moot.runs import debates, questions, ways
from moot.runs import export as exporting
from moot.system import raising_interrupts

P = ParamSpec("P")
T = TypeVar("T")


def _sync(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return _waited(function(*args, **kwargs))

    return call


def _waited(work: Coroutine[Any, Any, T]) -> T:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    return _in_thread(work)


def _in_thread(work: Coroutine[Any, Any, T]) -> T:
    """The result, from a thread. Ctrl-C stops the debate, which can be resumed."""
    done: list[T] = []
    failed: list[BaseException] = []
    started: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[T]]] = []
    interrupted, ended = threading.Event(), threading.Event()

    async def main() -> None:
        task = asyncio.ensure_future(work)
        started.append((asyncio.get_running_loop(), task))
        if interrupted.is_set():
            task.cancel()
        done.append(await task)

    def run() -> None:
        try:
            asyncio.run(main())
        except BaseException as error:  # raised again where the call waits
            failed.append(error)
        finally:
            ended.set()

    threading.Thread(target=run, name="moot").start()
    with raising_interrupts():
        while not ended.is_set():
            try:
                # An interrupted `Thread.join` takes the thread for ended before Python 3.13.
                ended.wait()
            except KeyboardInterrupt:
                interrupted.set()
                for loop, task in started:
                    with suppress(RuntimeError):  # it has just ended
                        loop.call_soon_threadsafe(task.cancel)
    if interrupted.is_set():
        raise KeyboardInterrupt
    if failed:
        raise failed[0]
    return done[0]


duel = _sync(ways.duel)
chaired = _sync(ways.chaired)
panel = _sync(ways.panel)
persuasion = _sync(ways.persuasion)
arena = _sync(ways.arena)
council = _sync(ways.council)
multiagent = _sync(ways.multiagent)
delphi = _sync(ways.delphi)
oxford = _sync(ways.oxford)
socratic = _sync(ways.socratic)
hats = _sync(ways.hats)
redteam = _sync(ways.redteam)
oversight = _sync(ways.oversight)
run = _sync(debates.run)
resume = _sync(debates.resume)
rebuild = _sync(debates.rebuild)
ask = _sync(questions.ask)
plan = _sync(planning.plan)
result_of = _sync(running.result_of)
replay = _sync(replaying.replay)
export = _sync(exporting.export)
