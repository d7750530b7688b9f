"""Variants of a protocol's prompts, measured: right answers, requests answered at the first try, and tokens.

    python benchmarks/prompts.py multiagent --list
    LAB_BASE_URL=http://127.0.0.1:8000/v1 python benchmarks/prompts.py multiagent gsm8k-train.jsonl bbh.jsonl \
        -m lab/qwen2.5-coder-1.5b --seeds 3 --limit 100 --concurrency 60 --out /dev/shm/prompts

A variant is a folder in `benchmarks/variants/PROTOCOL` (or `--variants FOLDER`) with a file `NAME.txt` for each prompt
that it replaces. `--list` prints the names and the texts, such as `AGAIN` or
`prompts.REVISE`: templates and constants in the modules of the protocol. A variant uses only the `{names}` that the
prompt has. The prompts as they are are played as `as is`, with the baselines.

A third of the questions (JSON lines, by the hash of the question) is held back. Choose a variant on the others, and
then play it once with `--last --only NAME`, on the third. Each seed asks all questions again; tries at a question are
one cluster. The table is in Markdown, for docs/benchmarks.md; it is printed and written to OUT/table.md after each
seed. The same command goes on where it stopped. The model `embedded/qwen` needs no endpoint, and takes `--limit 10`.
"""

import argparse
import asyncio
import hashlib
import importlib
import json
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from string import Formatter
from typing import Any

import moot
from moot.api import Template
from moot.stats import paired_shares, rate_of
from moot.studies.cells import interval, percent, points, points_interval
from moot.studies.evaluate import Design, Row

AS_IS = "as is"
VARIANTS = Path(__file__).with_name("variants")
HELD_BACK = 3
"""One of so many questions is for the last check."""
Prompts = Mapping[str, str]
"""New texts by the names of prompts."""


def prompts_of(protocol: str) -> dict[str, tuple[Any, str]]:
    """Where each prompt of a protocol is kept, a module and a name in it, by the prompt's own name."""
    room = importlib.import_module(f"moot.protocols.{protocol}")
    below = [one.name for one in pkgutil.iter_modules(getattr(room, "__path__", []))]
    modules = {"": room, **{f"{name}.": importlib.import_module(f"{room.__name__}.{name}") for name in below}}
    return {
        f"{before}{name}": (module, name)
        for before, module in modules.items()
        for name, value in vars(module).items()
        if name.isupper() and (isinstance(value, Template) or (isinstance(value, str) and " " in value))
    }


def text_of(value: Template | str) -> str:
    return value.full if isinstance(value, Template) else value


def names_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@contextmanager
def replaced(protocol: str, texts: Prompts) -> Iterator[None]:
    """The protocol with these prompts instead of its own. ValueError if there is no such prompt, or no such name in
    it."""
    known = prompts_of(protocol)
    with ExitStack() as back:
        for prompt, text in texts.items():
            if prompt not in known:
                raise ValueError(f"{protocol} has no prompt {prompt!r}; it has {', '.join(known)}")
            module, name = known[prompt]
            value = getattr(module, name)
            if unknown := names_in(text) - names_in(text_of(value)):
                raise ValueError(f"{prompt} does not know {', '.join(sorted(unknown))}")
            if isinstance(value, str):
                back.callback(setattr, module, name, value)
                setattr(module, name, text)
            else:  # in place, since other modules have imported it
                for part, content in (("full", text), ("short", "")):
                    back.callback(object.__setattr__, value, part, getattr(value, part))
                    object.__setattr__(value, part, content)
        yield


def variants_in(folder: Path) -> dict[str, Prompts]:
    return {
        place.name: {path.stem: path.read_text("utf-8") for path in sorted(place.glob("*.txt"))}
        for place in sorted(folder.iterdir() if folder.is_dir() else ())
        if place.is_dir()
    }


def questions_in(files: Sequence[Path], *, last: bool, limit: int | None) -> list[dict[str, Any]]:
    """The questions of one part, in an order by their hashes: the same for everybody."""
    lines = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines() if line.strip()]
    by_hash = {int.from_bytes(hashlib.sha256(line["question"].encode()).digest()): line for line in lines}
    return [by_hash[one] for one in sorted(by_hash) if (one % HELD_BACK == 0) is last][:limit]


def first_try(rows: Sequence[Row]) -> float | None:
    """The share of requests that were not asked again."""
    records = [record for row in rows for run in row.runs for record in moot.find_run(run).records()]
    attempts = [record.attempt for record in records if record.kind == "reply"]
    return 1 - attempts.count(2) / attempts.count(1) if attempts.count(1) else None


def cells(name: str, rows: Sequence[Row], before: Sequence[Row], *, debated: bool) -> list[str]:
    """A line of the table: a variant, or a baseline, against the prompts as they are."""
    right = [None if row.grade == "failed" else row.grade == "right" for row in rows]
    rate = rate_of(right, [[row.question for row in rows]])
    as_is = {row.key: row for row in before if row.grade != "failed"}
    pairs = [(row, as_is[row.key]) for row in rows if row.grade != "failed" and row.key in as_is]
    found = paired_shares(
        [row.grade == "right" for row, _ in pairs],
        [other.grade == "right" for _, other in pairs],
        [row.question for row, _ in pairs],
    )
    difference = ["", ""] if rows is before else [points(found.value), points_interval(found)]
    tokens = [row.tokens for row in rows]
    mean = "unknown" if None in tokens or not rows else f"{sum(token or 0 for token in tokens) / len(rows):,.0f}"
    tried = percent(first_try(rows)) if debated else ""
    return [name, tried, percent(rate.rate), interval(rate.low, rate.high), *difference, mean, f"{rate.n:,}"]


def table(head: str, found: Mapping[str, Sequence[Row]], debate: str) -> str:
    """The Markdown of all variants: `found` are their rows, those of the baselines among those of AS_IS."""
    before = [row for row in found[AS_IS] if row.method == debate]
    lines = [
        cells(name, before if name == AS_IS else rows, before, debated=True)
        for name, rows in found.items()
        if (name == AS_IS or rows)
    ]
    others = dict.fromkeys(row.method for row in found[AS_IS] if row.method != debate)
    lines += [
        cells(name, [row for row in found[AS_IS] if row.method == name], before, debated=False) for name in others
    ]
    columns = ["prompts", "first try", "right", "95 %", "points more", "95 %", "tokens a question", "answers"]
    rule = ["---", *["--:"] * (len(columns) - 1)]
    return "\n".join([head, "", *(f"| {' | '.join(line)} |" for line in (columns, rule, *lines))]) + "\n"


async def measure(options: argparse.Namespace, **settings: Any) -> str:
    """Play all variants with each seed; the table, which is also written after each seed."""
    folder = options.variants or VARIANTS / options.protocol
    variants: dict[str, Prompts] = {AS_IS: {}, **variants_in(folder)}
    if options.only:
        variants = {name: variants[name] for name in (AS_IS, *options.only)}
    questions = questions_in(options.questions, last=options.last, limit=options.limit)
    part = "last" if options.last else "search"
    options.out.mkdir(parents=True, exist_ok=True)
    dataset = options.out / f"{part}-{len(questions)}.jsonl"
    dataset.write_text("".join(f"{json.dumps(one)}\n" for one in questions), "utf-8")
    found: dict[str, list[Row]] = {name: [] for name in variants}
    report = ""
    for seed in range(1, options.seeds + 1):
        for name, texts in variants.items():
            mark = hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()[:8]
            baselines = [one for one in options.baseline.split(",") if one] if name == AS_IS else []
            design = Design(baselines=baselines, seed=seed, at_once=options.concurrency)
            out = options.out / f"{options.protocol}-{part}-{len(questions)}-{seed}-{name.replace(' ', '-')}-{mark}"
            with replaced(options.protocol, texts):
                done = await moot.evaluate(dataset, [options.protocol], design, out=out, **settings)
            rows = done.rows if name == AS_IS else [row for row in done.rows if row.method == options.protocol]
            found[name] += [row.model_copy(update={"epoch": seed}) for row in rows]
        head = (
            f"{options.protocol}, {options.model or 'the model of the configuration'}, {datetime.now(UTC):%Y-%m-%d}: "
            f"{len(questions)} questions ({'the third held back' if options.last else 'without the third held back'}), "
            f"seeds 1 to {seed}."
        )
        report = table(head, found, options.protocol)
        (options.out / "table.md").write_text(report, "utf-8")
    return report


def parsed(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Variants of a protocol's prompts, measured.")
    parser.add_argument("protocol")
    parser.add_argument("questions", nargs="*", type=Path, help="files of questions, JSON lines")
    parser.add_argument("-m", "--model", help="such as lab/NAME with LAB_BASE_URL, or embedded/qwen")
    parser.add_argument("--variants", type=Path, help="folder of variants")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="play this variant alone")
    parser.add_argument("--last", action="store_true", help="the third of the questions that is held back")
    parser.add_argument("--limit", type=int, metavar="N", help="so many questions")
    parser.add_argument("--seeds", type=int, default=3, metavar="N")
    parser.add_argument("--baseline", default="single,vote", metavar="NAMES")
    parser.add_argument("--concurrency", type=int, default=8, metavar="N", help="questions at once")
    parser.add_argument("--out", type=Path, default=Path("prompts"))
    parser.add_argument("--list", action="store_true", help="print the prompts of the protocol")
    return parser.parse_args(arguments)


def main() -> None:
    options = parsed()
    if options.list:
        for name, (module, key) in prompts_of(options.protocol).items():
            print(f"== {name}\n{text_of(getattr(module, key)).strip()}\n")
        return
    print(asyncio.run(measure(options, **({"model": options.model} if options.model else {}))))


if __name__ == "__main__":
    main()
