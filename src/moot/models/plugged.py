"""Providers of models from plug-ins. An error in their code is reported in one line, like an error of the model."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from moot.errors import ConfigError, ModelError, NotReady
from moot.models.base import Model, ModelReply, OnText, Request
from moot.plugins.guard import Broken, failing_as, guarded
from moot.plugins.table import Table
from moot.present.data import first_fault

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
        ready = guarded(lambda: bool(self.ready()))
        return (False, f"its own check failed: {ready.why}") if isinstance(ready, Broken) else (ready, self.how)

    def model(self, name: str, rest: str, settings: "ModelSettings") -> Model:
        with failing_as(lambda why: ConfigError(f"the provider {self.name!r} cannot open {name}: {why}")):
            opened: Any = self.open(name, rest, settings)
            refused = tuple(getattr(opened, "takes_no", ()))
            sees = bool(getattr(opened, "takes_images", False))
            # Records and fallbacks go by the name that was asked for, whatever the model calls itself.
            return _Guarded(name, opened.small, opened.context_window, opened.ready, opened.reply, refused, sees)


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
        with failing_as(lambda why: NotReady(f"{self.name} cannot be asked: {why}")):
            await self.own_ready()

    async def reply(self, request: Request, on_text: OnText | None = None) -> ModelReply:
        with failing_as(lambda why: ModelError(f"{self.name} failed: {why}")):
            made = await self.own_reply(request, on_text)
        if not isinstance(made, ModelReply):
            raise ModelError(f"{self.name} answered with no ModelReply: {made!r:.100}")
        try:
            return TypeAdapter(ModelReply).validate_python(asdict(made))
        except ValidationError as error:
            raise ModelError(f"{self.name} answered with a faulty ModelReply: {first_fault(error)}") from None


PLUGGED_IN: Table[Provider] = Table(Provider, "provider of models", "moot.models")
"""Providers of installed packages and plug-in files."""
