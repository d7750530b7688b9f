"""The models that the configured endpoints offer. This process keeps their names, for uses that must not wait for a
server: forms, and the completion of names in a shell."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from moot.errors import ConfigError, ModelError, NotAReply, Rejected
from moot.models.catalogue import CATALOGUE
from moot.models.declared import declared_commands
from moot.models.http import Endpoint, get_json, post_json
from moot.models.pool import pool
from moot.models.prices import Price, Prices, context_window, price_of
from moot.models.registry import ModelSettings, describe_providers, endpoint_of, http_providers
from moot.text import one_line

SECONDS = 8.0
MOST_DESCRIBED = 50
"""Models of Ollama that are asked for their context size, one by one."""
LONGEST_NAME = 200
MOST_NAMES = 5000
_CONTEXT_KEYS = ("context_length", "max_model_len", "context_window", "max_context_length", "max_input_tokens")
"""Where servers say how many tokens a model can read: OpenRouter, vLLM, Groq, LM Studio, Anthropic."""


_names: dict[str, tuple[str, ...]] = {}
_asked = 0.0


@dataclass(frozen=True, slots=True)
class Offer:
    """A model by its full name, with the tokens that it can read and its price, as far as they are known."""

    name: str
    context: int | None
    price: Price | None


@dataclass(frozen=True, slots=True)
class Listed:
    """The models of one provider; `fault` is a sentence that says why they are unknown."""

    provider: str
    offers: tuple[Offer, ...] = ()
    fault: str | None = None


async def ask_all(prices: Prices, seconds: float = SECONDS) -> list[Listed]:
    """Ask every configured HTTP provider, and keep the names. A faulty server raises no error."""
    async with pool():
        found = await asyncio.gather(*(_ask(name, prices, seconds) for name in http_providers()))
    _keep(found)
    return list(found)


async def _ask(provider: str, prices: Prices, seconds: float) -> Listed:
    try:
        endpoint = endpoint_of(f"{provider}/any", ModelSettings(timeout=seconds))
        if provider == "ollama":
            found = await _of_ollama(endpoint)
        else:
            path = "/v1/models?limit=1000" if provider == "anthropic" else "/models"
            found = _entries(await get_json(endpoint, path, "any"), "data", "id")
    except (Rejected, NotAReply):
        return Listed(provider, fault="it has no list of its models; name one all the same")
    except (ConfigError, ModelError) as error:
        return Listed(provider, fault=str(error))
    offers = [_offer(provider, name, entry, prices) for name, entry in found.items()]
    return Listed(provider, tuple(sorted(offers, key=lambda offer: offer.name)))


async def _of_ollama(endpoint: Endpoint) -> dict[str, Mapping[str, Any]]:
    """The models that Ollama has, by its own list, each with its context size."""
    own = replace(endpoint, base_url=endpoint.base_url.removesuffix("/v1"))
    found = _entries(await get_json(own, "/api/tags", "any"), "models", "name")

    async def described(name: str) -> Mapping[str, Any]:
        with suppress(ModelError):
            info = (await post_json(own, "/api/show", {"model": name}, name)).get("model_info")
            if isinstance(info, dict):
                sizes = [value for key, value in info.items() if key.endswith(".context_length")]
                return {"context_length": sizes[0]} if sizes else {}
        return {}

    names = list(found)[:MOST_DESCRIBED]
    return {**found, **dict(zip(names, await asyncio.gather(*map(described, names)), strict=True))}


def _entries(listing: Mapping[str, Any], key: str, name: str) -> dict[str, Mapping[str, Any]]:
    """The entries of a server's list, by the name of the model; invalid entries are left out."""
    several = listing.get(key)
    found: dict[str, Mapping[str, Any]] = {}
    for one in several[:MOST_NAMES] if isinstance(several, list) else ():
        given = one.get(name) if isinstance(one, dict) else None
        if isinstance(given, str) and 0 < len(given) <= LONGEST_NAME and given == one_line(given):
            found[given.removeprefix("models/")] = one  # Google's names begin so
    return found


def _offer(provider: str, name: str, entry: Mapping[str, Any], prices: Prices) -> Offer:
    full = f"{provider}/{name}"
    said = [entry.get(key) for key in _CONTEXT_KEYS]
    meta = entry.get("meta")  # llama.cpp
    said += [meta.get("n_ctx"), meta.get("n_ctx_train")] if isinstance(meta, dict) else []
    context = next((one for one in said if type(one) is int and one > 0), None) or context_window(full)
    price = _stated_price(entry) if full not in prices else None
    return Offer(full, context, price or price_of(full, prices))


def _stated_price(entry: Mapping[str, Any]) -> Price | None:
    """The price in the list itself, as OpenRouter has it: dollars for each token, in words."""
    stated = entry.get("pricing")
    try:
        read, written = (float(stated[key]) * 1e6 for key in ("prompt", "completion"))  # type: ignore[index]
        return Price(input=read, output=written)
    except (TypeError, KeyError, ValueError, OverflowError):
        return None


def known_names() -> list[str]:
    """Names for completion: what the configured providers offered last, or an example of each, then commands, and the
    models that come with moot."""
    examples = {one.name: (one.example,) for one in describe_providers()}
    names = [name for provider in http_providers() for name in _names.get(provider, examples[provider])]
    with suppress(ConfigError):
        names += [f"command/{name}" for name in declared_commands()]
    return [*names, *CATALOGUE]


def is_stale(seconds: float) -> bool:
    """Whether the names are older than this many seconds, or lack a configured provider."""
    there = set(http_providers())
    return bool(there) and (time.monotonic() - _asked > seconds or not there <= _names.keys())


def _keep(found: Sequence[Listed]) -> None:
    """Keep the names. A provider that could not be asked keeps those that it has."""
    global _asked  # noqa: PLW0603 (one list for the process)
    _asked = time.monotonic()
    for one in found:
        if one.fault is None:
            _names[one.provider] = tuple(offer.name for offer in one.offers)
        else:
            _names.setdefault(one.provider, ())
