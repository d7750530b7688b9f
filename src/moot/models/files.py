"""Model files that other programs have left on this machine: found and read, never written.

Ollama, LM Studio and the Hugging Face hub each have their own cache of GGUF files. Each file can be used where it is,
under the name that is given here.
"""

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from moot.errors import ConfigError
from moot.models.gguf import describe
from moot.system.home import expanded

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_OLLAMA_MODEL = "application/vnd.ollama.image.model"
_LATER_PIECE = re.compile(r"-(?!00001)\d{5}-of-\d{5}\.gguf$")
"""A large model has several files; the first one opens it."""
_NO_SPEAKERS = re.compile(r"clip|.*bert.*|t5encoder|.*embedding.*")
"""Architectures that turn pictures or texts into numbers, and answer nothing."""
MOST_FILES = 200


@dataclass(frozen=True, slots=True)
class ModelFile:
    """`name` is what to pass with `-m`; `title` is what its owner calls it."""

    name: str
    title: str
    owner: str
    size: int
    parameters: int


def model_files() -> list[ModelFile]:
    """By owner and title, each file once."""
    found: dict[Path, ModelFile] = {}
    for owner, title, path in _candidates():
        if len(found) == MOST_FILES:
            break
        try:
            real, size = path.resolve(), path.stat().st_size
        except (OSError, RuntimeError):
            continue
        described = None if real in found else describe(path)
        if described is not None and not _NO_SPEAKERS.fullmatch(described.architecture):
            found[real] = ModelFile(f"embedded/{_short(path)}", title, owner, size, described.parameters)
    return sorted(found.values(), key=lambda file: (file.owner, file.title))


def _candidates() -> Iterator[tuple[str, str, Path]]:
    given = os.environ.get
    for folder in _once(given("OLLAMA_MODELS"), "~/.ollama/models", "/usr/share/ollama/.ollama/models"):
        yield from (("Ollama", title, path) for title, path in _of_ollama(folder))
    for folder in _once(_moved_lm_studio(), "~/.lmstudio/models", "~/.cache/lm-studio/models"):
        yield from (("LM Studio", path.stem, path) for path in _ggufs(folder))
    shared = given("XDG_CACHE_HOME") or "~/.cache"
    hub = given("HF_HUB_CACHE") or Path(given("HF_HOME") or Path(shared, "huggingface")) / "hub"
    for folder in _once(hub):
        yield from (("Hugging Face", path.stem, path) for path in _ggufs(folder))


def _of_ollama(folder: Path) -> Iterator[tuple[str, Path]]:
    """The models in Ollama's store, by the names that Ollama gives them."""
    manifests = folder / "manifests"
    for manifest in _files(manifests, "*"):
        try:
            layers = json.loads(manifest.read_bytes())["layers"]
            digests = [one["digest"] for one in layers if one["mediaType"] == _OLLAMA_MODEL]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
        *_, name, tag = manifest.relative_to(manifests).parts
        for digest in digests:
            if isinstance(digest, str) and _DIGEST.fullmatch(digest):
                yield f"{name}:{tag}", folder / "blobs" / digest.replace(":", "-")


def _ggufs(folder: Path) -> list[Path]:
    return [path for path in _files(folder, "*.gguf") if not _LATER_PIECE.search(path.name)]


def _files(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(path for path in folder.rglob(pattern) if path.is_file() and path.parent != folder)
    except OSError:
        return []


def _moved_lm_studio() -> Path | None:
    """The models of an LM Studio whose home was moved: a file says where it is."""
    try:
        return Path(expanded("~/.lmstudio-home-pointer").read_text("utf-8").strip(), "models")
    except (OSError, ValueError, ConfigError):
        return None


def _once(*folders: Path | str | None) -> list[Path]:
    """The given folders, except those in a home folder that does not exist."""
    found = dict[Path, None]()
    for folder in folders:
        with suppress(ConfigError):
            found |= {expanded(folder): None} if folder else {}
    return list(found)


def _short(path: Path) -> str:
    """The path with `~` for the user's home."""
    with suppress(ConfigError, ValueError):
        return f"~/{path.relative_to(expanded('~'))}"
    return str(path)
