"""How many requests of recorded debates were asked again, by protocol, and why.

    python benchmarks/replies.py FOLDER

Reads the runs in the folder, such as those of a `moot batch` or `moot eval` with a real model.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import moot

MOST_REASONS = 5


def runs_below(folder: Path) -> Iterator[moot.Run]:
    for calls in sorted(folder.rglob("calls.jsonl")):
        yield moot.find_run(str(calls.parent))


def general(fault: str) -> str:
    """A fault without its numbers, so that the same ones are counted together."""
    return re.sub(r"\d+", "N", fault)[:100]


def main(folder: Path) -> None:
    protocols: dict[str, list[moot.Run]] = {}
    for run in runs_below(folder):
        protocols.setdefault(run.config.protocol.name, []).append(run)
    faults: dict[str, Counter[str]] = {}
    print("| protocol | debates | done | requests | asked again | of them |")
    print("|---|--:|--:|--:|--:|--:|")
    for protocol, runs in sorted(protocols.items()):
        done = sum((run.result() or {}).get("status") == "done" for run in runs)
        replies = [record for run in runs for record in run.records() if record.kind == "reply"]
        again = [record for record in replies if record.attempt > 1]
        first = len(replies) - len(again)
        faults[protocol] = Counter(general(record.fault or "") for record in again)
        print(f"| {protocol} | {len(runs)} | {done} | {first:,} | {len(again):,} | {len(again) / max(1, first):.0%} |")
    for protocol, found in faults.items():
        for fault, count in found.most_common(MOST_REASONS):
            print(f"{protocol}: {count} × {fault}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
