"""The content of files that jobs carry, so that workers open none for them. The submitter reads it."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from moot.database.connection import Database
from moot.engine.define.capabilities import CarriesFiles
from moot.engine.define.config import RunConfig
from moot.engine.play.carried import Carried
from moot.errors import ConfigError
from moot.models.scripted import ScriptedModel, is_demo, read_script, scripted_in
from moot.queue.allowed import uncarried

if TYPE_CHECKING:
    import psycopg

MOST_BYTES = 256 * 1024 * 1024
"""The most that a job may carry; more than a pack of documents may have."""
SCRIPTED = "scripted/"


def read_material(config: RunConfig) -> dict[str, bytes]:
    """The content of all files that a config names; ConfigError if one cannot be read, or cannot be carried."""
    if (key := uncarried(config)) is not None:
        raise ConfigError(f"`{key}` names a file of this machine, and the protocol cannot send its content along", key)
    files = config.protocol.get(CarriesFiles)
    found = {name: one.model_dump_json().encode() for name, one in (files.read(config.debate) if files else {}).items()}
    for model in _models(config):
        if model.startswith(SCRIPTED) and not is_demo(model):
            found[model] = read_script(Path(model.removeprefix(SCRIPTED)))
    if sum(map(len, found.values())) > MOST_BYTES:
        raise ConfigError(f"a job may carry {MOST_BYTES:,} bytes of documents, and these are more")
    return found


def _models(config: RunConfig) -> Iterator[str]:
    """The models that a config names."""
    options, roles = config.options, config.protocol.roles(config.debate)
    for given in (options.model, *options.roles.values(), *(role.model for role in roles)):
        if given is not None:
            yield from [given] if isinstance(given, str) else given


def store_material(
    connection: "psycopg.Connection[Any]", materials: Iterable[Mapping[str, bytes]]
) -> list[dict[str, str]]:
    """Store the content that jobs carry, each once, and return the hashes of each job's by name."""
    hashes, by_hash = list[dict[str, str]](), dict[str, bytes]()
    for material in materials:
        hashes.append({name: hashlib.sha256(content).hexdigest() for name, content in material.items()})
        by_hash |= {hashes[-1][name]: content for name, content in material.items()}
    if not by_hash:
        return hashes
    rows = connection.execute("SELECT sha256 FROM moot_material WHERE sha256 = ANY(%s)", [list(by_hash)])
    known = {found for (found,) in rows}
    for one, content in by_hash.items():
        if one not in known:
            connection.execute("INSERT INTO moot_material VALUES (%s, %s) ON CONFLICT DO NOTHING", [one, content])
    return hashes


def load_material(database: Database, hashes: Mapping[str, Any]) -> tuple[Carried, dict[str, ScriptedModel]]:
    """What a job carries: the content of its documents, and models that reply from its scripts. ConfigError if that
    cannot be read, or is too much: anybody may have written it."""
    if not hashes:
        return Carried(), {}
    wanted = [one for one in hashes.values() if isinstance(one, str) and "\0" not in one]
    if len(wanted) < len(hashes):
        raise ConfigError("the job cannot be read: its material should be hashes by name")
    size = "SELECT coalesce(sum(octet_length(content)), 0) FROM moot_material WHERE sha256 = ANY(%s)"
    if database.rows(size, [wanted])[0][0] > MOST_BYTES:
        raise ConfigError(f"a job may carry {MOST_BYTES:,} bytes of documents, and this one carries more")
    rows = database.rows("SELECT sha256, content FROM moot_material WHERE sha256 = ANY(%s)", [wanted])
    content: dict[str, bytes] = dict(rows)
    found = {name: content[one] for name, one in hashes.items() if one in content}
    scripts = {
        name: scripted_in(text, name.removeprefix(SCRIPTED))
        for name, text in found.items()
        if name.startswith(SCRIPTED)
    }
    return Carried(found), scripts
