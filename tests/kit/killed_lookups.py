"""Debates in which both sides look things up, each killed at another write to its journal.

python -m tests.kit.killed_lookups FOLDER URL STRIDE    one run for every record of that stride, in FOLDER/001, …
"""

import asyncio
import itertools
import os
import stat
import sys
from functools import partial
from importlib import import_module
from pathlib import Path

import moot
from moot.testing import ScriptedModel
from tests.kit.duels import Replies, small_config
from tests.kit.lookups import NOTHING, declare, script, wish
from tests.kit.processes import die, in_child

NAME = "tests.kit.killed_lookups"


def both_look_up() -> Replies:
    replies = script(
        A__plan__lookup__1=wish(("all__echo", {"text": "a1"}), ("all__echo", {"text": "a2"})),
        B__think__2__lookup__1=wish(("all__echo", {"text": "b1"})),
    )
    more: Replies = {"A/plan/lookup/2": NOTHING, "B/think/2/lookup/2": NOTHING, "A/turn/1": "“Echo: a1” [L1a]."}
    more["B/turn/2"] = "Nothing but “Echo: a1” [L1a], and “Echo: b1” [L1b]."
    return replies | more


def kill_after_record(number: int) -> None:
    """Have this process kill itself when it has written that many lines to its journal."""
    write, records = os.write, itertools.count(1)

    def killing_write(fd: int, data: bytes) -> int:
        written = write(fd, data)
        if stat.S_ISREG(os.fstat(fd).st_mode) and "calls.jsonl" in str(Path(f"/proc/self/fd/{fd}").readlink()):
            for _ in range(data.count(b"\n")):
                if next(records) == number:
                    die()
        return written

    os.write = killing_write  # type: ignore[assignment]


def work(folder: Path, number: int) -> None:
    kill_after_record(number)
    model = ScriptedModel(both_look_up())
    config = small_config(folder / f"{number:03}", tools=["all"])
    asyncio.run(moot.run(config, models={model.name: model}))


def main() -> None:
    import_module("moot.evidence.tools")
    import_module("mcp.client.streamable_http")  # once, and not in every child
    folder, url, stride = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    os.chdir(folder)
    declare({"all": {"url": url}})
    for number in itertools.count(1, stride):
        if in_child(partial(work, folder, number)):
            return


if __name__ == "__main__":
    main()
