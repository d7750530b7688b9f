"""The cost of tokens, from the price list of genai-prices. Never uses the network.

An unknown price is None and never zero; the user's prices override the list.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict

from moot.models.base import Usage

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo

_FREE_PROVIDERS = ("embedded", "scripted", "human")
_LISTED_AS = {"xai": "x-ai"}
# Charges that three prices per token cannot express; such a model counts as unpriced.
_OTHER_CHARGES = ("requests_kcount", "output_reasoning_mtok", "output_citation_mtok")
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars per million tokens. `cached` is for input from the cache, `written` for input stored in the cache;
    both default to the input price."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    input: float
    cached: float | None = None
    output: float
    written: float | None = None

    def __post_init__(self) -> None:
        figures = (self.input, self.cached, self.output, self.written)
        if not all(figure is None or 0 <= figure < math.inf for figure in figures):
            raise ValueError("a price is a number of dollars, not less than zero")


Prices = Mapping[str, Price]
"""By full model name, such as `openai/gpt-4o`."""


def cost_of(model_name: str, usage: Usage, overrides: Prices, *, written: int = 0) -> float | None:
    """Dollars for one reply; None if the price or the tokens are unknown.

    `written` are the input tokens that the model stored in its cache, if it charges for that.
    """
    if _is_free(model_name) and model_name not in overrides:
        return 0.0
    if usage.input is None or usage.output is None:
        return None
    price = _price(model_name, usage.input, overrides)
    if price is None:
        return None
    cached = usage.cached or 0
    fresh = max(0, usage.input - cached - written)
    dollars = fresh * price.input + usage.output * price.output
    dollars += cached * (price.input if price.cached is None else price.cached)
    dollars += written * (price.input if price.written is None else price.written)
    return dollars / _MILLION


def worst_cost(model_name: str, input_tokens: int, output_tokens: int, overrides: Prices) -> float | None:
    """The maximal cost of a call of this size: nothing is read from the cache, and everything is stored."""
    if _is_free(model_name) and model_name not in overrides:
        return 0.0
    price = _price(model_name, input_tokens, overrides)
    if price is None:
        return None
    dearest_input = max(price.input, price.cached or 0.0, price.written or 0.0)
    return (input_tokens * dearest_input + output_tokens * price.output) / _MILLION


def price_of(model_name: str, overrides: Prices) -> Price | None:
    """The price of a short call; None if it is unknown. Models that cost nothing have zeros."""
    if _is_free(model_name) and model_name not in overrides:
        return Price(input=0.0, output=0.0)
    return _price(model_name, 0, overrides)


def context_window(model_name: str) -> int | None:
    """The context window of the model in tokens, according to the price list."""
    info = _model_info(model_name)
    return info.context_window if info is not None else None


def _is_free(model_name: str) -> bool:
    provider, _, name = model_name.partition("/")
    if provider == "ollama":
        return "cloud" not in name
    return provider in _FREE_PROVIDERS or (provider == "openrouter" and name.endswith(":free"))


def _price(model_name: str, input_tokens: int, overrides: Prices) -> Price | None:
    if model_name in overrides:
        return overrides[model_name]
    # Some prices change with the hour, so a lookup is valid for one minute.
    for start, price in _listed(model_name, int(time.time() // 60)):
        if input_tokens > start:
            return price
    return None


@lru_cache(maxsize=256)
def _listed(model_name: str, minute: int) -> tuple[tuple[int, Price], ...]:
    """The listed prices with the number of input tokens above which each applies, highest first."""
    info = _model_info(model_name)
    if info is None:
        return ()
    listed = info.get_prices(datetime.fromtimestamp(minute * 60, UTC))
    if listed.input_mtok is None or listed.output_mtok is None:
        return ()
    if any(getattr(listed, charge) is not None for charge in _OTHER_CHARGES):
        return ()
    figures = {
        "input": listed.input_mtok,
        "cached": listed.cache_read_mtok,
        "output": listed.output_mtok,
        "written": listed.cache_write_mtok,
    }
    starts = {-1} | {tier.start for figure in figures.values() for tier in getattr(figure, "tiers", ())}
    return tuple(
        (start, Price(**{name: _figure_at(figure, start) for name, figure in figures.items()}))
        for start in sorted(starts, reverse=True)
    )


def _figure_at(figure: Any, start: int) -> Any:
    """One listed figure, a number or a scale, for calls of more than `start` input tokens."""
    if figure is None:
        return None
    reached = [tier.price for tier in getattr(figure, "tiers", ()) if tier.start <= start]
    return float(reached[-1] if reached else getattr(figure, "base", figure))


@lru_cache(maxsize=256)
def _model_info(model_name: str) -> "ModelInfo | None":
    provider_name, _, name = model_name.partition("/")
    if provider_name in (*_FREE_PROVIDERS, "ollama"):
        return None
    from genai_prices.data_snapshot import get_snapshot

    providers = get_snapshot().providers
    wanted = _LISTED_AS.get(provider_name.lower(), provider_name.lower())
    provider = next((provider for provider in providers if provider.id == wanted), None)
    return provider.find_model(name, all_providers=providers) if provider is not None else None
