"""moot's abstract argumentation against its Python peers, on the same frameworks, each in a process of its own."""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from argument_asking import solved
from argument_instances import Instance, chain, grown, published, small_world, uniform
from environments import Unavailable, environment

CONTESTANT = Path(__file__).parent / "contestants" / "dung.py"
PEERS = {"pygarg": "pygarg", "py-arg": "py-arg", "formal-argumentation-z3": "formal-argumentation"}
# Beyond this many arguments no peer ends within the limit, and some take minutes to load.
MOST_FOR_PEERS = 50_000


def questions() -> list[tuple[str, Instance]]:
    """Tasks in the words of the ICCMA contests, and the framework each is asked of."""
    asked: list[tuple[str, Instance | None]] = [
        ("SE-GR", uniform(1_000, 2)),
        ("SE-GR", uniform(10_000, 2)),
        ("SE-GR", chain(10_000)),
        ("SE-GR", published("large/admbuster_50000.af")),
        ("SE-GR", uniform(1_000_000, 2)),
        ("EE-PR", uniform(16, 2)),
        ("EE-ST", uniform(16, 2)),
        ("SE-PR", uniform(300, 8)),
        ("SE-PR", uniform(1_000, 3)),
        ("SE-PR", published("large/a1210993_20150717_0403.gml.80.af")),
        ("EE-CO", grown(60, 0.25)),
        ("EE-PR", grown(80, 0.25)),
        ("EE-ST", grown(80, 0.25)),
        ("EE-SST", grown(80, 0.25)),
        ("EE-PR", small_world(100, 20, 0.4, 0.5)),
        ("EE-ST", small_world(100, 20, 0.4, 0.5)),
        ("EE-PR", published("dung-medium/instances/iccma_n100p3q34ve.af")),
        ("EE-ST", published("dung-medium/instances/iccma_n100p3q34ve.af")),
        ("DS-PR:7", uniform(300, 8)),
        ("DS-PR:7", uniform(1_000, 3)),
        ("DC-PR:7", uniform(300, 8)),
        ("SE-ID", small_world(100, 20, 0.4, 0.5)),
    ]
    return [(task, instance) for task, instance in asked if instance is not None]


def rows(peers_dir: Path | None, limit: float) -> list[dict[str, Any]]:
    """{task, instance, contestant, seconds, note}; no seconds where the limit was passed or it could not be had."""
    interpreters: dict[str, Path | str] = {"moot": Path(sys.executable)}
    for name in PEERS if peers_dir else ():
        try:
            interpreters[name] = environment(name, peers_dir or Path())
        except Unavailable as reason:
            interpreters[name] = str(reason)
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        for task, instance in questions():
            file = Path(folder) / "framework.json"
            file.write_text(json.dumps({"size": instance.size, "attacks": instance.attacks}), "utf-8")
            expected = None
            for name, python in interpreters.items():
                if name != "moot" and instance.size > MOST_FOR_PEERS:
                    continue
                answer = (
                    {"note": python} if isinstance(python, str) else solved(CONTESTANT, python, name, task, file, limit)
                )
                expected = expected or answer.get("answer")
                row = {"task": task, "instance": instance.name, "contestant": PEERS.get(name, name)}
                note = answer.get("note") or ("" if answer["answer"] == expected else "ANSWERS OTHERWISE")
                measured.append({**row, "seconds": answer.get("seconds"), "note": note})
                print(json.dumps(measured[-1]), file=sys.stderr)
    return measured
