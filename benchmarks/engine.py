"""moot's engine against the same calls without an engine, to the same fake endpoint, in the same run.

    python benchmarks/engine.py [--json]

Every contestant plays in a process of its own against an endpoint of its own. docs/benchmarks.md says what is
measured. Exit code 1 when a bar is missed.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from tables import FLOOR, MOOT, WITH_REPORTS, Figures, Judgement, StartUp, judged, printed

ROOT = Path(__file__).parent.parent
CONTESTANTS = ROOT / "benchmarks" / "contestants"
TURNS = 6
CALLS = 4 * TURNS + 6
LONGEST_CHAIN = 19
LONGEST_RUN = 1800


@dataclass(frozen=True, slots=True)
class Contestant:
    name: str
    program: str


PLAYERS = [
    Contestant(MOOT, "with_moot.py"),
    Contestant(WITH_REPORTS, "with_moot_and_reports.py"),
    Contestant(FLOOR, "with_nothing.py"),
]


def main() -> int:
    options = parse()
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.json"
        with endpoint(0) as url:
            subprocess.run([sys.executable, CONTESTANTS / "record.py", url, script], check=True, timeout=LONGEST_RUN)
        rounds: dict[str, list[Figures]] = {one.name: [] for one in PLAYERS}
        for number in range(1, options.rounds + 1):
            for one in PLAYERS:
                say(f"round {number} of {options.rounds}: {one.name}")
                rounds[one.name].append(play(one, script, options))
    figures = {name: Figures.median(several) for name, several in rounds.items()}
    processes = {"bare": "pass", "import_pydantic": "import pydantic", "import_moot": "import moot", "moot_help": HELP}
    start_up = StartUp(**{name: cpu_ms(code) for name, code in processes.items()})
    judgements = judged(figures, start_up)
    if options.json:
        print(json.dumps(document(options, rounds, figures, start_up, judgements), indent=2))
    else:
        print(printed(figures, start_up, judgements))
    return 0 if all(one.met for one in judgements if one.binding) else 1


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="moot's engine against none, on a fake endpoint.")
    parser.add_argument("--rounds", type=int, default=3, help="medians are taken over so many")
    parser.add_argument("--singles", type=int, default=7, help="duels one after another, in each round")
    parser.add_argument("--many", type=int, default=200, help="duels at once, in each round")
    parser.add_argument("--latency-ms", type=float, default=50.0, help="of the endpoint")
    parser.add_argument("--json", action="store_true", help="print all figures as one JSON document")
    return parser.parse_args()


def play(contestant: Contestant, script: Path, options: argparse.Namespace) -> Figures:
    """One round of one contestant, with its calls counted by the endpoint."""
    with endpoint(options.latency_ms) as url:
        order = {"url": url, "script": script, "singles": options.singles, "many": options.many}
        command: list[str | Path] = [sys.executable, CONTESTANTS / contestant.program]
        command += [f"--{name}={value}" for name, value in order.items()]
        done = subprocess.run(command, env=quiet(), stdout=subprocess.PIPE, text=True, check=True, timeout=LONGEST_RUN)
        with urllib.request.urlopen(f"{url}/stats") as answer:
            counted = json.load(answer)
    measured = json.loads(done.stdout)
    calls = CALLS * options.many
    return Figures(
        one_duel=measured["single_seconds"] / (LONGEST_CHAIN * options.latency_ms / 1000),
        calls_per_second=calls / measured["many_seconds"],
        cpu_ms_per_call=measured["many_cpu_seconds"] / calls * 1000,
        peak_rss_mb=measured["peak_rss_mb"],
        most_in_flight=counted["max_in_flight"],
        surplus_calls=counted["requests"] - CALLS * measured["duels"],
    )


@contextmanager
def endpoint(latency_ms: float) -> Iterator[str]:
    """A fake model server in a process of its own, on a free port of the loopback interface."""
    command = [sys.executable, "-m", "tests.kit.endpoint", "--latency-ms", str(latency_ms)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            ready = process.stdout.readline() if process.stdout else ""
            if not ready.startswith("ready "):
                raise RuntimeError("the fake endpoint did not start")
            yield ready.split()[1]
        finally:
            process.terminate()


def quiet() -> dict[str, str]:
    """The environment without proxies, which loopback does not need."""
    return {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}


HELP = "import sys; sys.argv = ['moot', '--help']; from moot.cli import main; main()"


def cpu_ms(code: str, times: int = 7) -> float:
    """CPU time of a fresh interpreter that runs this; the median of several."""
    taken = []
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return statistics.median(taken) * 1000


def document(
    options: argparse.Namespace,
    rounds: dict[str, list[Figures]],
    figures: dict[str, Figures],
    start_up: StartUp,
    judgements: list[Judgement],
) -> dict[str, object]:
    return {
        "cores": os.cpu_count(),
        "latency_ms": options.latency_ms,
        "duels_at_once": options.many,
        "medians": {name: asdict(one) for name, one in figures.items()},
        "rounds": {name: [asdict(one) for one in several] for name, several in rounds.items()},
        "start_up_cpu_ms": asdict(start_up),
        "judgements": [asdict(one) for one in judgements],
    }


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
