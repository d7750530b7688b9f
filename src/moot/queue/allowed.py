"""What jobs may use on a worker: models, and tools that its owner allows to others, but no files. Workers do not trust
writers of the queue."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from moot.engine.define.capabilities import CarriesFiles
from moot.engine.define.config import RunConfig
from moot.engine.sources.toolbox import check_tools
from moot.errors import ConfigError
from moot.models.base import Request
from moot.models.catalogue import CATALOGUE
from moot.models.scripted import is_demo

CHANGES = ("max_calls", "max_tokens", "max_cost", "max_minutes", "model", "roles")
"""The options that may change when a debate is continued."""
SHIPPED = (*CATALOGUE, "embedded")


def uncarried(config: RunConfig) -> str | None:
    """A key of the config that names a file whose content its protocol cannot send along, or None."""
    protocol = config.protocol
    if protocol.get(CarriesFiles):
        return None
    debate = config.debate.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return next((key for key in (*protocol.path_keys, *protocol.private) if debate.get(key)), None)


@dataclass(frozen=True, slots=True)
class Allowed:
    """`models` are names, or patterns such as `openai/*`. If there are any, jobs may use only these. A model that is a
    file on the worker's machine must be named exactly. It is also the prompter of the debates, and asks nobody."""

    models: Sequence[str] = ()

    def check(self, config: RunConfig, changes: Mapping[str, Any]) -> None:
        """ConfigError for a job that changes more than it may, names a file, or wants a tool that the worker's own
        config does not allow to others."""
        if unknown := sorted(set(changes) - set(CHANGES)):
            raise ConfigError(f"the queue changes {unknown[0][:60]!r} of a debate, which only its config can")
        check_tools(config.options.tools, for_guests=True)
        if (key := uncarried(config)) is not None:
            raise ConfigError(f"`{key}` names a file, and a worker opens none for jobs", key)

    def refuses(self, model: str) -> str | None:
        """Why jobs may not use this model, or None."""
        provider = model.partition("/")[0]
        if provider in ("human", "external"):
            return f"{model[:60]} cannot be asked by a worker, which nobody sits at"
        in_file = provider in ("scripted", "embedded", "command")
        if model in self.models or (not in_file and any(fnmatchcase(model, pattern) for pattern in self.models)):
            return None
        if in_file and model not in SHIPPED and not is_demo(model):
            if provider == "command":
                return f"{model[:60]} is a program, and a worker runs none for jobs but those that `--model` names"
            return f"{model[:200]} is a file, and a worker opens none for jobs but those that `--model` names"
        if self.models:
            return f"{model[:60]} is not among the models that jobs may use at this worker"
        return None

    async def answered(self, person: str, request: Request) -> str:
        raise NotImplementedError("nobody is asked at a worker")
