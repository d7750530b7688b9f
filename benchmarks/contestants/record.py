"""Records the script: plays one duel with moot and writes down the calls it made, for the others to follow.

Usage: record.py URL FILE
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from script import Call, Script, save
from with_moot import TOPIC, TURNS

import moot
from moot.record.journal import Record


async def recorded(url: str) -> Script:
    os.environ |= {"FAKE_BASE_URL": url, "FAKE_API_KEY": "none"}
    with tempfile.TemporaryDirectory() as folder:
        result = await moot.duel(TOPIC, model="fake/fake", turns=TURNS, no_frame=True, out=folder)
        records = [record for record in moot.find_run(result.run).records() if record.kind == "reply"]
    script = script_of(records)
    if len(script.calls) != 4 * TURNS + 6 or script.longest_chain != result.longest_chain:
        raise RuntimeError(f"{len(script.calls)} calls, longest chain {script.longest_chain}: that is no duel")
    return script


def script_of(records: list[Record]) -> Script:
    systems: dict[str, str] = {}
    calls: list[Call] = []
    last: dict[str, Record] = {}
    last_of_part: dict[str, str] = {}
    longest = max(len(record.reply or "") for record in records)
    for record in records:
        agent, sent = record.agent or "", record.sent or []
        if sent[0].role == "system":
            systems[agent] = sent[0].content
        before = last.get(agent)
        # Whoever is asked without memory, as the judge for its verdict, still answers after its last reply.
        part = agent.partition("@")[0]
        awaited = [last_of_part[part]] if part in last_of_part else []
        # The others ask for plain text only, also where moot gets a short JSON object. What their history gains
        # by that is cut off the next prompt, so that nobody sends more than moot.
        surplus = longest - len(before.reply or "") if before else 0
        calls.append(Call(record.key, agent, sent[-1].content[surplus:], awaited + statement_before(record.key)))
        last[agent], last_of_part[part] = record, record.key
    return Script(systems, calls)


def statement_before(key: str) -> list[str]:
    """The public statement that a call is about."""
    _, step, number = [*key.split("/"), "0"][:3]
    turn = int(number) if step == "evaluate" else int(number) - 1 if step == "think" else 0
    return [f"{'A' if turn % 2 else 'B'}/turn/{turn}"] if turn else []


if __name__ == "__main__":
    save(asyncio.run(recorded(sys.argv[1])), Path(sys.argv[2]))
