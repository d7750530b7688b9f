"""Run folders mutated at random; `benchmarks/fuzz_runs.py` does the same with ten thousand. And values in results and
journals that stand where others should, one by one."""

import asyncio
import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.staging.run import result_of
from moot.service.host import Host
from tests.kit.arenas import arena
from tests.kit.chaired import hold
from tests.kit.duels import staged
from tests.kit.examples import tries
from tests.kit.mutants import ODD, Fuzzer, values_in
from tests.kit.waiting import PATIENCE


def test_no_mutated_folder_breaks_anything(tmp_path: Path) -> None:
    fuzzer = Fuzzer(tmp_path)
    seeds = tries(40)
    faults = [fault for seed in range(seeds) for fault in fuzzer.attack(seed)]
    assert faults == []
    assert fuzzer.ends["well"] > seeds, "some survive"
    assert fuzzer.ends["RunDamaged"] > seeds, "and some are refused"


def with_odd_values(document: Any) -> Iterator[Any]:
    """The document with each of its values replaced by each that is odd."""
    for number in range(len(list(values_in(document)))):
        for odd in ODD:
            other = json.loads(json.dumps(document))
            holder, key = list(values_in(other))[number]
            holder[key] = odd
            yield other


def test_any_value_in_a_result_is_read_or_refused(tmp_path: Path) -> None:
    run = staged(tmp_path)
    shelf = Host(tmp_path).shelf
    mutants = list(with_odd_values(run.result()))
    for other in random.Random(1).sample(mutants, min(tries(250), len(mutants))):
        run.result_path.write_text(json.dumps(other), "utf-8")
        with suppress(moot.MootError):
            moot.follow_up(run, "And then?")
        shelf.cards(), repr(run)


def facts(run: moot.Run) -> Iterator[tuple[int, Any]]:
    """Those of a journal, by line."""
    for number, line in enumerate(run.journal_path.read_bytes().splitlines()):
        record = json.loads(line)
        if record["kind"] == "fact":
            yield number, record


@pytest.mark.parametrize("protocol", ["duel", "arena", "chaired"])
def test_any_fact_in_a_journal_is_read_or_refused(tmp_path: Path, protocol: str) -> None:
    made = {
        "duel": lambda: staged(tmp_path),
        "arena": lambda: moot.find_run(arena(tmp_path)[0].run),
        "chaired": lambda: hold(tmp_path, out=str(tmp_path))[0],
    }
    run = made[protocol]()
    lines = run.journal_path.read_bytes().splitlines(keepends=True)
    mutants = [
        (number, other) for number, record in facts(run) for other in with_odd_values({"value": record["value"]})
    ]
    ends = set()
    for number, other in random.Random(1).sample(mutants, min(tries(25), len(mutants))):
        record = json.loads(lines[number]) | other
        changed = json.dumps(record, ensure_ascii=False).encode() + b"\n"
        run.journal_path.write_bytes(b"".join([*lines[:number], changed, *lines[number + 1 :]]))
        try:
            asyncio.run(asyncio.wait_for(result_of(moot.Run(run.path)), PATIENCE))
            ends.add("read")
        except moot.MootError:
            ends.add("refused")
    assert "refused" in ends
