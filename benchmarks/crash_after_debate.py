"""Kill moot a hundred times in what comes after a debate, and look whether anything is half done, or done twice.

    python benchmarks/crash_after_debate.py [--points N] [--seed N] [--server postgresql://…]

Exit code 1 when something is. `tests/kit/killed_afterwards.py` says how; the tests do the same at fewer points.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.kit.killed_afterwards import check


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill moot at random points after a debate.")
    parser.add_argument("--points", type=int, default=100, help="how often")
    parser.add_argument("--seed", type=int, default=1, help="where")
    parser.add_argument("--server", help="remember in new databases of this PostgreSQL server instead of in files")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="moot-crash-") as name:
        found = check(Path(name), options.points, options.seed, options.server)
    for fault in found.faults:
        print(f"FAULT  {fault}")
    print(f"killed {options.points} times: {len(found.faults)} faults; {found.doubts} doubts, each of them told")
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
