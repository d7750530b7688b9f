"""Tags of a run: a file next to its log, which is not part of the debate or its receipt."""

import json
from collections.abc import Sequence
from contextlib import suppress

from moot.engine.staging.runs import Run
from moot.errors import ConfigError, RunDamaged
from moot.text import one_line
from moot.text.json import parse_json

TAGS = "tags.json"
LONGEST, MOST = 40, 20


def tags_of(run: Run) -> tuple[str, ...]:
    """Its tags; none if the file is not what moot wrote."""
    with suppress(ValueError, OSError, RunDamaged):
        found = parse_json(run.place.read(TAGS) or b"[]")
        if isinstance(found, list):
            return tuple(dict.fromkeys(one_line(one)[:LONGEST] for one in found[:MOST] if isinstance(one, str)))
    return ()


def set_tags(run: Run, tags: Sequence[str]) -> tuple[str, ...]:
    """Give a run these tags in place of the others."""
    chosen = list(dict.fromkeys(one_line(one) for one in tags if one.strip()))
    if too_long := next((one for one in chosen if len(one) > LONGEST or "," in one), None):
        raise ConfigError(f"a tag has up to {LONGEST} characters and no comma, not {too_long[:60]!r}")
    if len(chosen) > MOST:
        raise ConfigError(f"a run has up to {MOST} tags")
    if list(tags_of(run)) != chosen:
        run.write(TAGS, json.dumps(chosen, ensure_ascii=False) + "\n")
    return tuple(chosen)
