"""What a debate costs in prompt tokens: every protocol against a fixed fake that answers with filler of stated length.

    python benchmarks/tokens.py [--json] [--save]

A token is four bytes of UTF-8 here, for every model the same: use the figures as ratios. `tokens.before.json` has those
of version 0.1, to which the last columns refer; `--save` writes it anew. Exit code 1 when a bar is missed: at most 55 %
of the prompt tokens of then, and at least 70 % of them in repeated prefixes, for the four debates that cost most.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.kit.recorded import CASES, recorded

import moot
from moot.models.schemas import closed_schema

BEFORE = Path(__file__).with_suffix(".before.json")
BYTES_PER_TOKEN = 4
LEAST_CACHED = 1024
"""Tokens of the shortest prefix that the large providers keep."""
MOST_OF_BEFORE, LEAST_PREFIX = 0.55, 0.70
BARS = ("duel, 12 turns", "arena, 6 agents", "persuasion, 4 rounds", "chaired, 4 rounds")
GROWTH = (
    ("twice the turns", "duel, 6 turns", "duel, 12 turns"),
    ("twice the agents", "arena, 3 agents", "arena, 6 agents"),
    ("twice the revisions", "arena, 3 agents", "arena, 3 agents, 6 revisions"),
    ("twice the rounds", "persuasion, 2 rounds", "persuasion, 4 rounds"),
    ("twice the rounds", "chaired, 2 rounds", "chaired, 4 rounds"),
)


@dataclass(frozen=True, slots=True)
class Figures:
    """`prompt` are the tokens of all messages, `beside` those of schemas that are sent beside them. `prefix` is the
    share of `prompt` that begins as an earlier request did, `long_prefix` where that is long enough to be cached,
    `schema` the share that is the text of a schema, `retries` the calls that were asked again."""

    calls: int
    prompt: int
    beside: int
    largest: int
    prefix: float
    long_prefix: float
    schema: float
    retries: int


def main() -> int:
    parser = argparse.ArgumentParser(description="Prompt tokens of every protocol, against a fixed fake.")
    parser.add_argument("--json", action="store_true", help="print all figures as one JSON document")
    parser.add_argument("--save", action="store_true", help="keep these figures as those to compare with")
    options = parser.parse_args()
    now = {name: figures_of(recorded(case)) for name, case in CASES.items()}
    if options.save:
        BEFORE.write_text(json.dumps({name: asdict(one) for name, one in now.items()}, indent=2) + "\n", "utf-8")
    before = {name: Figures(**one) for name, one in json.loads(BEFORE.read_text("utf-8")).items()}
    if options.json:
        print(json.dumps({name: asdict(one) for name, one in now.items()}, indent=2))
    else:
        print_tables(now, before)
    missed = [line for name in BARS for line in misses(name, now[name], before[name])]
    print("\n".join(missed) or "Every bar is met.", file=sys.stderr)
    return 1 if missed else 0


def figures_of(requests: Sequence[moot.Request]) -> Figures:
    texts = ["\0".join(f"{message.role}\n{message.content}" for message in one.messages) for one in requests]
    sizes = [tokens(text) for text in texts]
    repeated = [
        max((tokens(text[: shared(text, before)]) for before in texts[:number]), default=0)
        for number, text in enumerate(texts)
    ]
    total = sum(sizes)
    return Figures(
        calls=len(requests),
        prompt=total,
        beside=sum(tokens(json.dumps(closed_schema(one.schema, frozenset()))) for one in requests if one.schema),
        largest=max(sizes),
        prefix=round(sum(repeated) / total, 3),
        long_prefix=round(sum(one for one in repeated if one >= LEAST_CACHED) / total, 3),
        schema=round(sum(schema_tokens(text) for text in texts) / total, 3),
        retries=sum(one.attempt > 1 for one in requests),
    )


def shared(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if one.startswith(other[:middle]) else (least, middle - 1)
    return least


def tokens(text: str) -> int:
    return len(text.encode()) // BYTES_PER_TOKEN


def schema_tokens(text: str) -> int:
    """The tokens of JSON Schemas in a text: objects at the beginning of a line that have properties."""
    found, decoder = 0, json.JSONDecoder()
    at = text.find("\n{")
    while at != -1:
        try:
            value, end = decoder.raw_decode(text, at + 1)
        except json.JSONDecodeError:
            value, end = None, at + 2
        if isinstance(value, dict) and "properties" in value:
            found += tokens(text[at + 1 : end])
        at = text.find("\n{", end - 1)
    return found


def print_tables(now: dict[str, Figures], before: dict[str, Figures]) -> None:
    print("| debate | calls | prompt tokens | largest | prefix | ≥1024 | schema text | schema beside | of before |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, one in now.items():
        share = f"{one.prompt / before[name].prompt:.0%}" if name in before else "new"
        print(
            f"| {name} | {one.calls} | {one.prompt:,} | {one.largest:,} | {one.prefix:.0%} | {one.long_prefix:.0%} "
            f"| {one.schema:.0%} | {one.beside:,} | {share} |"
        )
    print("\n| growth | from | prompt tokens | before |")
    print("|---|---|---|---|")
    for what, few, many in GROWTH:
        then = f"×{before[many].prompt / before[few].prompt:.1f}" if few in before and many in before else "new"
        print(f"| {what} | {few} | ×{now[many].prompt / now[few].prompt:.1f} | {then} |")


def misses(name: str, now: Figures, before: Figures) -> list[str]:
    share = now.prompt / before.prompt
    missed = [] if share <= MOST_OF_BEFORE else [f"{name}: {share:.0%} of before, and {MOST_OF_BEFORE:.0%} are allowed"]
    if now.prefix < LEAST_PREFIX:
        missed.append(f"{name}: {now.prefix:.0%} in repeated prefixes, and {LEAST_PREFIX:.0%} are wanted")
    return missed


if __name__ == "__main__":
    sys.exit(main())
