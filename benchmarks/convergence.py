"""How alike proposals look to each embedding backend: the measurement that sets the default convergence threshold.

    python benchmarks/convergence.py [--json]

For each proposal in convergence.yaml: the same decision in other words, the opposite in much the same words, another
decision on the same question, and an unrelated one. Similarity can tell the unrelated from the rest and nothing else:
contradictions score above paraphrases with every backend, which is why the arena asks for agreement after it. The
threshold therefore has to keep out what is unrelated, with a margin, and to let paraphrases through; docs/arena.md has
the table.
"""

import argparse
import json
import statistics
from collections.abc import Sequence
from pathlib import Path

import yaml

from moot.stats.similarity import FALLBACK, SHIPPED, THRESHOLDS, cosines, embed_here, shipped_backend

KINDS = ("paraphrase", "contradiction", "another", "unrelated")
TEXTS = Path(__file__).with_suffix(".yaml")


def main() -> int:
    parser = argparse.ArgumentParser(description="Similarity of paraphrases, contradictions and unrelated proposals.")
    parser.add_argument("--json", action="store_true", help="print all figures as one JSON document")
    options = parser.parse_args()
    cases = yaml.safe_load(TEXTS.read_text("utf-8"))
    backends = [SHIPPED, FALLBACK] if shipped_backend() == SHIPPED else [FALLBACK]
    measured = {backend: {kind: figures_here(backend, cases, kind) for kind in KINDS} for backend in backends}
    if options.json:
        print(json.dumps(measured, indent=2))
        return 0
    for backend, by_kind in measured.items():
        print_table(backend, by_kind)
    return 0


def pairs(cases: Sequence[dict[str, str]], kind: str) -> list[tuple[str, str]]:
    following = [*cases[1:], cases[0]]
    return [
        (one["proposal"], after["proposal"] if kind == "unrelated" else one[kind])
        for one, after in zip(cases, following, strict=True)
    ]


def figures_here(backend: str, cases: Sequence[dict[str, str]], kind: str) -> list[float]:
    return [round(cosines(embed_here(pair, backend))[0], 4) for pair in pairs(cases, kind)]


def print_table(backend: str, by_kind: dict[str, list[float]]) -> None:
    print(f"\n{backend}\n\n| pairs | lowest | median | highest |\n|---|---|---|---|")
    for kind, figures in by_kind.items():
        print(
            f"| {kind} ({len(figures)}) | {min(figures):.2f} | {statistics.median(figures):.2f} | {max(figures):.2f} |"
        )
    threshold = THRESHOLDS[backend]
    passing = {kind: sum(one >= threshold for one in figures) / len(figures) for kind, figures in by_kind.items()}
    print(
        f"\nAt the threshold of {threshold:g} pass: "
        + ", ".join(f"{kind} {share:.0%}" for kind, share in passing.items())
    )
    best = max((round(step / 100, 2) for step in range(1, 100)), key=lambda one: separation(by_kind, one))
    print(f"Best between paraphrases and what is unrelated: {best:g} (right in {separation(by_kind, best):.0%})")


def separation(by_kind: dict[str, list[float]], threshold: float) -> float:
    """The share of paraphrases at or above the threshold and of unrelated pairs below it."""
    same, other = by_kind["paraphrase"], by_kind["unrelated"]
    return (sum(one >= threshold for one in same) + sum(one < threshold for one in other)) / (len(same) + len(other))


if __name__ == "__main__":
    raise SystemExit(main())
