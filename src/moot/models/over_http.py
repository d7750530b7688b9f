"""What models over HTTP have in common, whatever the format."""

from dataclasses import dataclass, field, replace
from typing import Any

from moot.errors import ImagesRefused, Refused, Rejected
from moot.models.base import ModelReply, Request, Usage
from moot.models.failures import empty_reply, model_id, quote
from moot.models.http import Endpoint, get_json
from moot.models.prices import Prices, context_window
from moot.models.usage import doubt
from moot.text import valid_text

SECONDS_TO_LIST = 20.0
_IMAGES = ("image", "vision", "multimodal", "multi-modal", "content[].type", "must be a string", "valid string")
"""What servers say of a request with images that they refuse: they accept only text, or an image is invalid."""
# Models that refused images, by base URL and name.
_without_images: set[tuple[str, str]] = set()


@dataclass(frozen=True, slots=True)
class HTTPModel:
    """`name` is the full name (`openai/gpt-4o`), `model` is the name on the server."""

    name: str
    model: str
    endpoint: Endpoint
    prices: Prices = field(default_factory=dict)

    @property
    def small(self) -> bool:
        return False

    @property
    def context_window(self) -> int | None:
        return context_window(self.name)

    @property
    def here(self) -> tuple[str, str]:
        """What is learned about a model is learned for its name at its server."""
        return self.endpoint.base_url, self.model

    @property
    def takes_images(self) -> bool:
        """Whether it has not refused any so far."""
        return self.here not in _without_images

    def check_images(self, request: Request) -> None:
        if request.images and not self.takes_images:
            raise ImagesRefused(f"{self.name} takes no images.")

    def refused_images(self, request: Request, error: Rejected) -> bool:
        """Whether that is what the error is about, which is then known for later requests."""
        if refused := bool(request.images) and any(word in str(error).lower() for word in _IMAGES):
            _without_images.add(self.here)
        return refused

    async def listing(self, path: str) -> dict[str, Any]:
        """What the server lists there, for a check of the server and the key."""
        endpoint = replace(self.endpoint, timeout=min(self.endpoint.timeout, SECONDS_TO_LIST))
        return await get_json(endpoint, path, self.model)

    def declined(self, why: str, usage: Usage) -> Refused:
        said = quote(self.endpoint, why)
        return Refused(f"{self.model} at {self.endpoint.host} declined: {said}").paid(usage)

    def replied(self, request: Request, text: str, usage: Usage, *, cut_short: bool, answered_by: object) -> ModelReply:
        """The reply, without figures that cannot be; EmptyReply if there is no text in it."""
        if not text.strip():
            raise empty_reply(self.endpoint, self.model, cut_short=cut_short).paid(usage)
        why = doubt(usage, request, text)
        used = usage if why is None else Usage()
        return ModelReply(valid_text(text), "length" if cut_short else "stop", used, why, model_id(answered_by))
