"""Search services on the web: SearXNG, Brave, Tavily and Exa. Their answers are hostile text like any other."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from moot.text.json import parse_json

Kind = Literal["searxng", "brave", "tavily", "exa"]
ADDRESSES = {"brave": "https://api.search.brave.com", "tavily": "https://api.tavily.com", "exa": "https://api.exa.ai"}
MOST_RESULTS = 5
LARGEST_ANSWER = 2_000_000
SECONDS = 20.0
_LONGEST_EXCERPT = 1_000


@dataclass(frozen=True, slots=True)
class SearchService:
    """`address` is where the service is, `variable` the environment variable with the key, if it needs one."""

    kind: Kind
    address: str
    variable: str = ""

    async def find(self, query: str) -> list[tuple[str, str]]:
        """The best pages for a query: title and address, and what the service quotes from it. LookupError if the
        service does not answer."""
        import aiohttp

        key = os.environ.get(self.variable, "") if self.variable else ""
        if self.variable and not key:
            raise LookupError(f"{self.variable} is not set, which {self.kind} needs")
        try:
            timeout = aiohttp.ClientTimeout(total=SECONDS)
            async with aiohttp.ClientSession(timeout=timeout) as session, self._asked(session, query, key) as answer:
                if answer.status != 200:
                    raise LookupError(f"{self.kind} answered {answer.status}")
                body = bytearray()
                async for piece in answer.content.iter_any():
                    body += piece
                    if len(body) > LARGEST_ANSWER:
                        raise LookupError(f"{self.kind} sent more than {LARGEST_ANSWER:,} bytes")
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise LookupError(f"{self.kind} cannot be reached ({type(error).__name__})") from None
        return self._read(bytes(body))

    def _asked(self, session: Any, query: str, key: str) -> Any:
        base = self.address.rstrip("/")
        if self.kind == "searxng":
            return session.get(f"{base}/search", params={"q": query, "format": "json"}, allow_redirects=False)
        if self.kind == "brave":
            headers = {"X-Subscription-Token": key}
            where, given = f"{base}/res/v1/web/search", {"q": query, "count": str(MOST_RESULTS)}
            return session.get(where, params=given, headers=headers, allow_redirects=False)
        more: dict[str, Any]
        if self.kind == "tavily":
            headers, more = {"Authorization": f"Bearer {key}"}, {"max_results": MOST_RESULTS}
        else:
            excerpt = {"text": {"maxCharacters": _LONGEST_EXCERPT}}
            headers, more = {"x-api-key": key}, {"numResults": MOST_RESULTS, "contents": excerpt}
        return session.post(f"{base}/search", json={"query": query, **more}, headers=headers, allow_redirects=False)

    def _read(self, body: bytes) -> list[tuple[str, str]]:
        try:
            document = parse_json(body)
        except ValueError:
            raise LookupError(f"{self.kind} did not answer in JSON") from None
        if self.kind == "brave" and isinstance(document, dict):
            document = document.get("web")
        results = document.get("results") if isinstance(document, dict) else None
        found = [one for one in results if isinstance(one, dict)] if isinstance(results, list) else []
        return [_result(one) for one in found[:MOST_RESULTS]]


def _result(one: Mapping[str, Any]) -> tuple[str, str]:
    words = next((one[key] for key in ("content", "text", "description") if isinstance(one.get(key), str)), "")
    return f"{one.get('title')}, {one.get('url')}"[:500], words[:_LONGEST_EXCERPT]
