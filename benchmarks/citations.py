"""How many honest sentences of a chaired debate are ruled on or sent back, and how many false citations are.

    python benchmarks/citations.py [--json]

The sentences and the scripted models are those of `tests/kit/citations.py`: a verifier that quotes the passage and says
what it says, and a chair that names nothing. Exit code 1 when an honest sentence is ruled on, or a false one is not.
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.kit.citations import false_citations, false_table, honest_table, paraphrases, rebuttals

HONEST = "true"


def main() -> int:
    parser = argparse.ArgumentParser(description="Rulings on honest and false sentences of a chaired debate.")
    parser.add_argument("--json", action="store_true", help="print the rates, with the sentences, as one JSON document")
    options = parser.parse_args()
    quoted, reasoned, labelled = paraphrases(), rebuttals(), false_citations()
    if options.json:
        told = {"paraphrases": quoted, "rebuttals": reasoned, "statements": labelled}
        print(json.dumps(told, default=lambda rate: {"of": rate.of, "ruled": rate.ruled}, indent=2, ensure_ascii=False))
    else:
        print(honest_table(quoted, reasoned))
        print()
        print(false_table(labelled))
    honest = [*quoted.values(), *reasoned.values(), labelled[HONEST]]
    false = [rate for kind, rate in labelled.items() if kind != HONEST]
    return 1 if any(rate.ruled for rate in honest) or any(len(rate.ruled) < rate.of for rate in false) else 0


if __name__ == "__main__":
    sys.exit(main())
