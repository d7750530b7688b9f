"""Run folders that were mutated at random, and all that reads them: no traceback, no hang, nothing written outside.

    python benchmarks/fuzz_runs.py [COUNT] [SEED]

Takes some eight minutes for 10,000. Ends with 1 where something went wrong; the seed of that folder makes it again.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.kit.mutants import Fuzzer


def main(count: int, seed: int) -> int:
    began, wrong = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(Path(folder))
        for number in range(seed, seed + count):
            found = fuzzer.attack(number)
            for fault in found:
                wrong += 1
                print(f"seed {number}: {fault}")
    print(f"{count} folders in {time.monotonic() - began:.0f} s, {wrong} faults; {dict(fuzzer.ends)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    sys.exit(main(*(given + [10_000, 0][len(given) :])))
