"""The HTTP API under schemathesis with all its phases: no 5xx, and no error in the server's log.

    python benchmarks/fuzz_api.py [SECONDS] [SEED]

Takes ten minutes unless told otherwise. Ends with 1 when something went wrong.
"""

import json
import logging
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.kit.servers import ready_runs, serving

CHECKS = "not_a_server_error,response_headers_conformance,unsupported_method,allow_header_conformance"
"""Not those that compare answers with the document, which describes requests, nor those that expect every valid body to
be accepted: a guest may not set everything that a schema allows."""
NAMES = """
[dictionaries]
runs = {{ values = {names} }}

[parameters]
"path.name" = {{ dictionary = "runs", probability = 0.8 }}
"""
"""Most requests are about runs that there are."""
LIMITS = {"MOOT_MAX_CALLS": "3", "MOOT_MAX_MINUTES": "0.1"}
"""Of every debate that is started, so that none lasts."""


def main(seconds: int, seed: int) -> int:
    schemathesis = str(Path(sys.executable).parent / "schemathesis")
    with tempfile.TemporaryDirectory() as folder:
        runs = ready_runs(Path(folder) / "runs")
        names = Path(folder) / "schemathesis.toml"
        names.write_text(NAMES.format(names=json.dumps([run.name for run in runs.values()])), "utf-8")
        return fuzzed(schemathesis, Path(folder), seconds, seed)


class Errors(logging.Handler):
    """What the server, which runs in this process, logs as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(record.getMessage())


def fuzzed(schemathesis: str, folder: Path, seconds: int, seed: int) -> int:
    errors = Errors()
    logging.getLogger().addHandler(errors)
    with serving(folder / "runs", at_most=1000, environment=LIMITS) as site:
        command = [
            schemathesis,
            "--config-file",
            str(folder / "schemathesis.toml"),
            "run",
            f"{site.url}/api/openapi.json",
            "--phases",
            "examples,coverage,fuzzing,stateful",
        ]
        command += ["--checks", CHECKS, "--max-time", str(seconds), "--seed", str(seed), "--continue-on-failure"]
        command += ["--suppress-health-check", "all", "--mode", "all", "--no-color"]
        began = time.monotonic()
        ended = subprocess.run(command, check=False, env={**os.environ, "HYPOTHESIS_STORAGE_DIRECTORY": str(folder)})
        with site.client() as client:
            alive = client.get("/api/runs").status_code == 200
        seconds_taken = time.monotonic() - began
        print(f"{seconds_taken:.0f} s; exit code {ended.returncode}; {'alive' if alive else 'dead'} at the end")
    for error in errors.seen[:20]:
        print(f"logged: {error}"[:500])
    return 0 if alive and ended.returncode == 0 and not errors.seen else 1


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    sys.exit(main(*(given + [600, 1][len(given) :])))
