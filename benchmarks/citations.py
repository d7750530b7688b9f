"""How many honest sentences of a chaired debate are ruled on, and how many false citations are.

    python benchmarks/citations.py [--json]

The sentences and the scripted models are those of `tests/kit/citations.py`: a verifier and a chair that read well,
hastily (wrong at the first look, right at the second), badly, or not at all. Exit code 1 when, where they read well, an
honest sentence is ruled on, or a false one is not.
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.kit.citations import (
    READERS,
    false_citations,
    paraphrases,
    readers_table,
    rebuttals,
)

HONEST = "true"


def main() -> int:
    parser = argparse.ArgumentParser(description="Rulings on honest and false sentences of a chaired debate.")
    parser.add_argument("--json", action="store_true", help="print the rates, with the sentences, as one JSON document")
    options = parser.parse_args()
    quoted = {reader: paraphrases(reader) for reader in READERS}
    reasoned = {reader: rebuttals(reader) for reader in READERS}
    labelled = {reader: false_citations(reader) for reader in READERS if reader != "hastily"}
    if options.json:
        told = {"paraphrases": quoted, "rebuttals": reasoned, "statements": labelled}
        print(json.dumps(told, default=lambda rate: {"of": rate.of, "ruled": rate.ruled}, indent=2, ensure_ascii=False))
    else:
        print(readers_table(quoted, reasoned))
        for reader, rates in labelled.items():
            print(f"{reader}: {', '.join(f'{kind} {rate}' for kind, rate in rates.items())}")
    found = labelled["well"]
    honest = [*quoted["well"].values(), *reasoned["well"].values(), found[HONEST]]
    false = [rate for kind, rate in found.items() if kind != HONEST]
    return 1 if any(rate.ruled for rate in honest) or any(len(rate.ruled) < rate.of for rate in false) else 0


if __name__ == "__main__":
    sys.exit(main())
