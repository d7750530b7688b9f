"""moot's arena against aragora-debate: five agents on the same fake endpoint, in the same run, as ratios.

    python benchmarks/arena.py [--no-peers | --peers DIR] [--json]

A debate cannot take less time than its longest chain of calls that wait for each other. The figure is how much more it
takes: for moot's arena the chain has 11 calls (nine rounds, three of them with a question about agreement), for three
rounds of propose, critique and vote it has 9. Exit code 1 when moot misses the bar of 1.10.
"""

import argparse
import json
import statistics
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from engine import CONTESTANTS, LONGEST_RUN, endpoint, quiet, say
from environments import Unavailable, default_folder, environment

BAR = 1.10


@dataclass(frozen=True, slots=True)
class Contestant:
    """`chain` is the longest chain of calls that its debate needs."""

    name: str
    python: Path
    program: str
    chain: int


@dataclass(frozen=True, slots=True)
class Figures:
    """`wall_by_chain` is the time of one debate by that of its longest chain; `many` the same for several at once."""

    calls: float
    wall_by_chain: float
    many_by_chain: float
    cpu_ms_per_call: float
    most_in_flight: int
    peak_rss_mb: float


def main() -> int:
    options = parse()
    contestants = [
        Contestant("moot", Path(sys.executable), "arena_moot.py", 11),
        Contestant("the same calls, nothing else", Path(sys.executable), "arena_floor.py", 11),
    ]
    if not options.no_peers:
        contestants += peers(options.peers)
    rounds: dict[str, list[Figures]] = {one.name: [] for one in contestants}
    for number in range(1, options.rounds + 1):
        for one in contestants:
            say(f"round {number} of {options.rounds}: {one.name}")
            rounds[one.name].append(play(one, options))
    best = {
        name: sorted(several, key=lambda one: one.wall_by_chain)[len(several) // 2] for name, several in rounds.items()
    }
    if options.json:
        print(json.dumps({name: asdict(one) for name, one in best.items()}, indent=2))
    else:
        print_table(best, options.many)
    met = statistics.median(one.wall_by_chain for one in rounds["moot"]) <= BAR
    say(f"moot within {BAR:g} of its longest chain: {'yes' if met else 'NO'}")
    return 0 if met else 1


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="moot's arena against aragora-debate, on a fake endpoint.")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--peers", type=Path, default=default_folder(), help="where their environments are, or will be")
    which.add_argument("--no-peers", action="store_true", help="moot alone; installs nothing")
    parser.add_argument("--rounds", type=int, default=3, help="the median is taken over so many")
    parser.add_argument("--singles", type=int, default=5, help="debates one after another, in each round")
    parser.add_argument("--many", type=int, default=10, help="debates at once, in each round")
    parser.add_argument("--latency-ms", type=float, default=50.0, help="of the endpoint")
    parser.add_argument("--json", action="store_true", help="print all figures as one JSON document")
    return parser.parse_args()


def peers(folder: Path) -> Iterator[Contestant]:
    try:
        yield Contestant("aragora-debate", environment("aragora-debate", folder), "arena_aragora.py", 9)
    except Unavailable as reason:
        say(f"without aragora-debate: {reason}")


def play(contestant: Contestant, options: argparse.Namespace) -> Figures:
    """One round of one contestant, with its calls counted by the endpoint."""
    with endpoint(options.latency_ms) as url:
        order = {"url": url, "script": "none", "singles": options.singles, "many": options.many}
        command: list[str | Path] = [contestant.python, CONTESTANTS / contestant.program]
        command += [f"--{name}={value}" for name, value in order.items()]
        done = subprocess.run(command, env=quiet(), stdout=subprocess.PIPE, text=True, check=True, timeout=LONGEST_RUN)
        with urllib.request.urlopen(f"{url}/stats") as answer:
            counted = json.load(answer)
    measured = json.loads(done.stdout)
    calls = counted["requests"] / measured["duels"]
    ideal = contestant.chain * options.latency_ms / 1000
    return Figures(
        calls=calls,
        wall_by_chain=round(measured["single_seconds"] / ideal, 3),
        many_by_chain=round(measured["many_seconds"] / ideal, 3),
        cpu_ms_per_call=round(measured["many_cpu_seconds"] / (calls * options.many) * 1000, 3),
        most_in_flight=counted["max_in_flight"],
        peak_rss_mb=round(measured["peak_rss_mb"], 1),
    )


def print_table(best: dict[str, Figures], many: int) -> None:
    print(
        f"| | calls | one debate: wall ÷ chain | {many} at once: wall ÷ chain | CPU ms/call | most in flight | RSS MB |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, one in best.items():
        figures = f"{one.calls:g} | {one.wall_by_chain:.2f} | {one.many_by_chain:.2f} | {one.cpu_ms_per_call:.2f}"
        print(f"| {name} | {figures} | {one.most_in_flight} | {one.peak_rss_mb:.0f} |")


if __name__ == "__main__":
    sys.exit(main())
