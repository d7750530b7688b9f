"""Debates in PostgreSQL whose process is killed at a statement, in real processes.

    python -m tests.kit.killed_statements URL MOMENT    one run for every statement there is to be killed at

Only what writes lines and documents counts. `before` nothing of it was done, `after` it is committed and nobody was
told.
"""

import asyncio
import itertools
import sys
from typing import Any

import psycopg

import moot
from moot.testing import ScriptedModel
from tests.kit.duels import small_config
from tests.kit.processes import answer, at_every_step, die

MOMENTS = ("before", "after")
WRITING = ("INSERT INTO moot_lines", "INSERT INTO moot_documents")


def kill_at(step: int, moment: str) -> None:
    execute, steps = psycopg.Connection.execute, itertools.count(1)

    def killing_execute(self: Any, query: Any, *arguments: Any, **more: Any) -> Any:
        text = query.decode() if isinstance(query, bytes) else str(query)
        if not any(one in text for one in WRITING) or next(steps) != step:
            return execute(self, query, *arguments, **more)
        if moment == "after":
            execute(self, query, *arguments, **more)
        return die()

    psycopg.Connection.execute = killing_execute  # type: ignore[method-assign]


def crash(url: str, moment: str) -> None:
    def work(step: int) -> None:
        kill_at(step, moment)
        model = ScriptedModel(answer)
        asyncio.run(moot.run(small_config(url), models={model.name: model}))

    at_every_step(work)


if __name__ == "__main__":
    crash(sys.argv[1], sys.argv[2])
