"""How soon does a debate of three hundred entries appear in a browser, beside another checkout of moot?

    python benchmarks/first_paint.py --before CHECKOUT [--rounds 15] [--json]

Each checkout holds the same duel, with a model server that answers at once, and serves it by a `moot serve` of its own:
one cannot read what another wrote. One browser opens the page to read and the page to watch in turn, with an empty
cache. What counts is the ratio of the first contentful paints of a round, in the median: times alone say how busy the
machine is. Exit code 1 when a page is slower than before.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).parents[1]
sys.path.insert(0, str(HERE))

from tests.kit.browser import FLAGS, find_browser  # noqa: E402

COMMAND = [sys.executable, "-c", "from moot.cli import main; main()"]
TURNS = 75
MOST = 1.0
PAINTED = """() => new Promise(done => new PerformanceObserver(list => {
    const found = list.getEntriesByName("first-contentful-paint")[0];
    if (found) done(found.startTime);
}).observe({type: "paint", buffered: true}))"""


@dataclass(frozen=True, slots=True)
class Figures:
    """Medians of the first contentful paint in milliseconds, and of the ratios of each round."""

    page: str
    entries: int
    before_ms: float
    after_ms: float
    ratio: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    figures = measure(given.before, given.rounds)
    if given.json:
        print(json.dumps([asdict(one) for one in figures], indent=2))
    else:
        for one in figures:
            told = f"{one.before_ms:.0f} ms before, {one.after_ms:.0f} ms now, ratio {one.ratio:.2f}"
            print(f"{one.page} of {one.entries} entries: {told}")
    return int(any(one.ratio > MOST for one in figures))


def measure(before: Path, rounds: int) -> list[Figures]:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as exits:
        runs = {tree: staged(tree, Path(folder) / name) for tree, name in ((before, "before"), (HERE, "now"))}
        served = {tree: exits.enter_context(server(tree, run.parent)) for tree, run in runs.items()}
        playwright = exits.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        figures = []
        for page in ("read", "watch"):
            found = times(
                browser, {tree: f"{url}runs/{runs[tree].name}/{page}" for tree, url in served.items()}, rounds
            )
            ratio = statistics.median(a / b for a, b in zip(found[HERE], found[before], strict=True))
            then, now = (statistics.median(found[tree]) for tree in (before, HERE))
            entries = len((runs[HERE] / "log.jsonl").read_text("utf-8").splitlines())
            figures.append(Figures(page, entries, then, now, ratio))
        browser.close()
        return figures


def staged(tree: Path, folder: Path) -> Path:
    """The run of a long duel, held by the code of that checkout."""
    with model_server() as address:
        options = ["--turns", str(TURNS), "--seed", "1", "--out", str(folder), "-m", "openai/gpt-5-mini", "-q"]
        environment = environment_of(tree, OPENAI_API_KEY="none", OPENAI_BASE_URL=address)
        subprocess.run(
            [*COMMAND, "duel", "Is it so?", *options], env=environment, check=True, stdout=subprocess.DEVNULL
        )
    (run,) = folder.iterdir()
    return run


@contextmanager
def model_server() -> Iterator[str]:
    """The address of a server that answers at once."""
    command = [sys.executable, "-m", "moot.testing.endpoint"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment_of(HERE)) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().removeprefix("ready ").strip()
        finally:
            process.terminate()


def environment_of(tree: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(tree.absolute() / "src"), **more}


@contextmanager
def server(tree: Path, folder: Path) -> Iterator[str]:
    """The address of a server with the code of that checkout."""
    command = [*COMMAND, "serve", "--port", "0", "--out", str(folder)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment_of(tree)) as process:
        assert process.stderr is not None
        try:
            yield process.stderr.readline().rpartition(" ")[2].strip().rstrip("/") + "/"
        finally:
            process.terminate()


def times(browser: Browser, addresses: Mapping[Path, str], rounds: int) -> dict[Path, list[float]]:
    """By round. The first one is not counted, since a server has only then loaded all it needs."""
    found: dict[Path, list[float]] = {tree: [] for tree in addresses}
    for number in range(rounds + 1):
        order = list(addresses)[:: 1 if number % 2 else -1]
        for tree in order:
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            page = context.new_page()
            answer = page.goto(addresses[tree])
            if answer is None or not answer.ok:
                raise SystemExit(f"{tree} does not show it: {addresses[tree]}")
            found[tree].append(page.evaluate(PAINTED))
            context.close()
    return {tree: several[1:] for tree, several in found.items()}


if __name__ == "__main__":
    sys.exit(main())
