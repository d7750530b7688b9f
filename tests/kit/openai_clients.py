"""OpenAI's own client for a server under test, and what it sends beside the question."""

from typing import Any

import openai

from tests.kit.servers import Site

BRIEF = {"moot": {"settings": {"turns": 2, "claim": "It is so."}}}
WAITING = {"moot": {"settings": {"turns": 2}, "roles": {"A": "human/Robin"}}}


def client_of(site: Site, **settings: Any) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{site.url}/v1", api_key=settings.pop("api_key", "none"), max_retries=0, **settings)
