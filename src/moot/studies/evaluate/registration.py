"""Registers an evaluation before its first call: design, tests and stopping rule in one file, fixed by a hash."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from moot.errors import ConfigError
from moot.record.files import write_whole
from moot.record.journal import read_journal
from moot.studies.evaluate.summary import WORTH, Evaluation
from moot.studies.looks import levels
from moot.studies.supplement import versions
from moot.studies.template import template_of
from moot.text.json import parse_json
from moot.text.prose import listed


@dataclass(frozen=True, slots=True)
class Registration:
    """A registered design. `sha256` is the hash of the design and of the time `registered`."""

    sha256: str
    registered: datetime
    design: dict[str, Any]


def design_of(spec: Mapping[str, Any], looks: Sequence[int]) -> dict[str, Any]:
    """Everything that is fixed before the first call."""
    return {
        **json.loads(json.dumps(spec, ensure_ascii=False, default=str)),
        "looks": list(looks) or [spec["questions"]],
        "levels": levels(looks or [spec["questions"]]),
        "worthwhile_gain": WORTH,
        "moot": versions()["moot"],
        "tests": "McNemar's exact test against each baseline, at a level divided by the number of debates; paid: "
        "better than all; did not pay: adjusted after Holm; either way with every failure counted against it, too",
        "stopping_rule": "at the first look with a verdict other than cannot tell; else after the last",
    }


def register(path: Path, design: Mapping[str, Any]) -> str:
    """Write the registration and return its hash. An existing file is never overwritten."""
    if path.exists():
        raise ConfigError(f"{path} exists; a registration is not changed, so choose another file")
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    digest = _sha256(now, design)
    document = {"registered": now, "sha256": digest, "design": dict(design)}
    write_whole(path, (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode())
    return digest


def read_registration(path: Path) -> Registration:
    """Read a registered design; ConfigError if the file is not a registration or was changed."""
    try:
        document = parse_json(path.read_bytes())
        design, digest, when = dict(document["design"]), str(document["sha256"]), str(document["registered"])
        found = Registration(digest, datetime.fromisoformat(when), design)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{path} is no registration: {error}") from None
    if _sha256(when, design) != digest:
        raise ConfigError(f"{path} was changed after it was made: its design does not have the hash that it says")
    return found


def first_call(folder: Path) -> datetime | None:
    """When the first model was called in this evaluation."""
    records = (record for journal in folder.glob("runs/**/calls.jsonl") for record in read_journal(journal))
    return min((datetime.fromisoformat(record.started) for record in records if record.started), default=None)


def with_earlier_looks(folder: Path, found: Evaluation) -> Evaluation:
    """The evaluation with the looks at fewer questions that its folder has on record and `--looks` did not plan."""
    try:
        last = parse_json((folder / "summary.json").read_bytes())
        before = {int(last["done"]), *map(int, last["looks"]), *map(int, last.get("earlier_looks", []))}
    except (OSError, ValueError, KeyError, TypeError):
        return found
    earlier = sorted(one for one in before - set(found.looks) if 0 < one < found.done)
    if not earlier:
        return found
    note = template_of("evaluate").note("earlier_looks", earlier=listed(list(map(str, earlier))))
    return found.model_copy(update={"earlier_looks": earlier, "notes": [note, *found.notes]})


def with_departures(
    registration: Registration | None, design: Mapping[str, Any], folder: Path, found: Evaluation
) -> Evaluation:
    """The evaluation with its departures from what was registered, if anything was."""
    if registration is None:
        return found
    begun = first_call(folder)
    told = departures(registration, design, begun, found)
    return found.model_copy(update={"registered": registration.sha256, "departures": told})


def departures(
    registration: Registration, design: Mapping[str, Any], begun: datetime | None, found: Evaluation
) -> list[str]:
    """How this evaluation differs from what was registered: another design, a registration that came after the first
    call, or an end that is not that of the stopping rule."""
    registered, told = registration.design, []
    for key in sorted(registered.keys() | design.keys()):
        was, now = registered.get(key), design.get(key)
        if was != now:
            told.append(f"{key}: registered {_short(was)}, and it was {_short(now)}")
    if begun is not None and begun < registration.registered:
        when, first = (one.isoformat(sep=" ", timespec="seconds") for one in (registration.registered, begun))
        told.append(f"it was registered at {when}, after the first call at {first}")
    if found.earlier_looks:
        told.append(f"it was looked at after {listed(list(map(str, found.earlier_looks)))} questions")
    if found.reason:
        told.append(f"it stopped after {found.done} questions: {found.reason}")
    return told


def _sha256(registered: str, design: Mapping[str, Any]) -> str:
    whole = {"registered": registered, "design": design}
    return hashlib.sha256(json.dumps(whole, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _short(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:120]
