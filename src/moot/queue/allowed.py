"""What jobs may use of a worker's machine. Whoever can write to the queue is not thereby at home here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from moot.engine.config import RunConfig
from moot.errors import ConfigError
from moot.evidence import shipped_packs
from moot.models.weights import SHIPPED_MODEL

IN_FILES = ("scripted/", "embedded/")
NOBODY_HERE = ("human/", "external/")
CHANGES = ("max_calls", "max_tokens", "max_cost", "max_minutes", "model", "roles")
"""What a debate that is taken up may have changed."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """Files below these folders, and none else. Links are followed before it is looked where a file is."""

    folders: Sequence[Path] = ()

    def check(self, config: RunConfig, changes: Mapping[str, Any]) -> None:
        """ConfigError for a debate that would use what jobs may not."""
        if unknown := sorted(set(changes) - set(CHANGES)):
            raise ConfigError(f"the queue changes {unknown[0][:60]!r} of a debate, which only its config can")
        for name in _texts([config.content(), dict(changes)]):
            provider, file = name.strip().partition("/")[::2]
            if name.strip().casefold() == "human" or f"{provider.casefold()}/" in NOBODY_HERE:
                raise ConfigError(f"{name[:60]} cannot be asked by a worker, which nobody sits at")
            if f"{provider.casefold()}/" in IN_FILES and file and name.strip() != SHIPPED_MODEL:
                self._check_file(file)
        debate = config.debate.model_dump(mode="json", by_alias=True, exclude_none=True)
        for key in {"evidence", "file", *config.protocol.path_keys, *config.protocol.private} & debate.keys():
            for file in _texts(debate[key]):
                if file not in shipped_packs():
                    self._check_file(file)

    def _check_file(self, name: str) -> None:
        try:
            found = Path(name).expanduser().resolve()
            allowed = any(found.is_relative_to(folder.resolve()) for folder in self.folders)
        except (OSError, ValueError, RuntimeError):
            allowed = False
        if not allowed:
            raise ConfigError(
                f"{name[:200]} is not for jobs to use at this worker: it allows files only below the folders that "
                "`moot worker --files DIR` names"
            )


def _texts(what: Any) -> Iterator[str]:
    """All texts in plain data, but for its keys."""
    if isinstance(what, str):
        yield what
    elif isinstance(what, Mapping):
        for one in what.values():
            yield from _texts(one)
    elif isinstance(what, list | tuple):
        for one in what:
            yield from _texts(one)
