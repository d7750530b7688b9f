"""Providers of models from plug-ins. An error in their code is reported in one line, like an error of the model."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from moot.errors import ConfigError, ModelError, MootError, NotReady
from moot.models.base import Model, ModelReply, OnText, Request
from moot.plugins.table import Table
from moot.text.prose import what_failed

if TYPE_CHECKING:
    from moot.models.registry import ModelSettings


@dataclass(frozen=True, slots=True)
class Provider:
    """Models from a plug-in: `open` makes a model from its full name (`provider/name`), the name alone, and the
    settings. `what` describes them, `how` says what has to be set up, and `ready` whether that is done."""

    name: str
    open: "Callable[[str, str, ModelSettings], Model]"
    what: str
    example: str
    how: str = "nothing to set up"
    ready: Callable[[], bool] = lambda: True

    def state(self) -> tuple[bool, str]:
        """Whether it is set up, and what to do if it is not."""
        try:
            with _reporting(ConfigError, "its own check failed"):
                return bool(self.ready()), self.how
        except MootError as error:
            return False, str(error)

    def model(self, name: str, rest: str, settings: "ModelSettings") -> Model:
        with _reporting(ConfigError, f"the provider {self.name!r} cannot open {name}"):
            opened: Any = self.open(name, rest, settings)
            refused = tuple(getattr(opened, "takes_no", ()))
            sees = bool(getattr(opened, "takes_images", False))
            # Records and fallbacks go by the name that was asked for, whatever the model calls itself.
            return _Guarded(name, opened.small, opened.context_window, opened.ready, opened.reply, refused, sees)


@contextmanager
def _reporting(kind: Callable[[str], MootError], what: str) -> Iterator[None]:
    """Report an error of a plug-in's code in one line of this kind."""
    try:
        yield
    except MootError:
        raise
    except Exception as error:  # the code of a plug-in can fail in any way
        raise kind(f"{what}: {what_failed(error)}") from error


@dataclass(frozen=True, slots=True)
class _Guarded:
    """A model whose errors are ModelErrors, whatever its code raises."""

    name: str
    small: bool
    context_window: int | None
    own_ready: Callable[[], Any]
    own_reply: Callable[[Request, OnText | None], Any]
    takes_no: tuple[str, ...] = ()
    takes_images: bool = False

    async def ready(self) -> None:
        with _reporting(NotReady, f"{self.name} cannot be asked"):
            await self.own_ready()

    async def reply(self, request: Request, on_text: OnText | None = None) -> ModelReply:
        with _reporting(ModelError, f"{self.name} failed"):
            made = await self.own_reply(request, on_text)
        if not isinstance(made, ModelReply):
            raise ModelError(f"{self.name} answered with no ModelReply: {made!r:.100}")
        return made


PLUGGED_IN: Table[Provider] = Table(Provider, "provider of models", "moot.models")
"""Providers of installed packages and plug-in files."""
