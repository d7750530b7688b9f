"""Registers an evaluation before its first call: design, tests and stopping rule in one file, fixed by a hash."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from moot.errors import ConfigError
from moot.record.files import write_whole
from moot.studies.bundle import versions
from moot.studies.evaluate.summary import WORTH
from moot.studies.evaluate.verdict import LEVEL
from moot.text.json import parse_json

LOOK = 0.001
"""The significance level of each look but the last. The last look has the rest, so that all looks together keep
LEVEL."""


def levels(looks: Sequence[int]) -> list[float]:
    """The significance level of each look; they add up to LEVEL."""
    return [*[LOOK] * (len(looks) - 1), LEVEL - LOOK * (len(looks) - 1)]


def design_of(spec: Mapping[str, Any], *, questions: int, epochs: int, looks: Sequence[int]) -> dict[str, Any]:
    """Everything that is fixed before the first call."""
    return {
        **json.loads(json.dumps(spec, ensure_ascii=False, default=str)),
        "questions": questions,
        "epochs": epochs,
        "looks": list(looks) or [questions],
        "levels": levels(looks or [questions]),
        "worthwhile_gain": WORTH,
        "moot": versions()["moot"],
        "tests": "McNemar's exact test against each baseline; paid: better than all; did not pay: adjusted after Holm",
        "stopping_rule": "at the first look with a verdict other than cannot tell; else after the last",
    }


def register(path: Path, design: Mapping[str, Any]) -> str:
    """Write the registration and return the hash of the design. An existing file is never overwritten."""
    if path.exists():
        raise ConfigError(f"{path} exists; a registration is not changed, so choose another file")
    digest = _sha256(design)
    document = {
        "registered": datetime.now(UTC).isoformat(timespec="seconds"),
        "sha256": digest,
        "design": dict(design),
    }
    write_whole(path, (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode())
    return digest


def read_registration(path: Path) -> dict[str, Any]:
    """Read a registered design; ConfigError if the file is not a registration or was changed."""
    try:
        document = parse_json(path.read_bytes())
        registered, digest = dict(document["design"]), str(document["sha256"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{path} is no registration: {error}") from None
    if _sha256(registered) != digest:
        raise ConfigError(f"{path} was changed after it was made: its design does not have the hash that it says")
    return registered


def departures(registered: Mapping[str, Any], design: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The hash of the registration, and the differences between it and this design."""
    found = []
    for key in sorted(registered.keys() | design.keys()):
        was, now = registered.get(key), design.get(key)
        if was != now:
            found.append(f"{key}: registered {_short(was)}, and it was {_short(now)}")
    return _sha256(registered), found


def _sha256(design: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(design, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _short(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:120]
