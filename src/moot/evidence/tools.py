"""Tools that agents look things up with: a search in documents and packs, the guarded fetcher, and MCP servers.

A tool gets arguments and gives a text. Every error is a `LookupError`, in words for the model and the log.
"""

import json
import os
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import ValidationError

from moot.evidence.corpus import Corpus
from moot.evidence.fetch import Fetcher, loopback_allowed
from moot.evidence.mcp_connection import over_http, over_streams
from moot.evidence.pages import Unfetched
from moot.evidence.ranking import Index, chunks
from moot.evidence.search_services import SearchService
from moot.plugins.extras import require
from moot.present.data import first_fault
from moot.text import clip
from moot.text.json import parse_json

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import Tool

SECONDS = 30.0
"""What a call may take, unless the declaration of the tool says otherwise."""
MOST_PASSAGES = 5
LONGEST_QUERY = 500
MOST_TOOLS = 20
"""The most tools of one MCP server that are offered."""
MOST_PAGES = 20
"""The most pages of a server's list of tools that are read."""
LONGEST_NAME = 64
LONGEST_DESCRIPTION = 600
LONGEST_SCHEMA = 4_000
SHORTEST_SECRET = 6
"""Characters. A shorter value of a variable can be a word like any other."""
_UNUSABLE = re.compile(r"[^A-Za-z0-9_-]")
"""Providers refuse a request with such a sign in the name of a tool."""
_QUERY = {
    "type": "object",
    "properties": {"query": {"type": "string", "description": "A few words to look for."}},
    "required": ["query"],
}
_URL = {
    "type": "object",
    "properties": {"url": {"type": "string", "description": "The address of a page, with https://."}},
    "required": ["url"],
}


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool as it is described to models; `parameters` is a JSON Schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Offering:
    """The tools of a source. `left_out` says which of them are not offered, and why."""

    tools: list[Offered]
    left_out: str = ""


class Source(Protocol):
    """One or more tools under one name. A call may take `seconds`."""

    @property
    def seconds(self) -> float: ...

    async def offered(self) -> Offering: ...

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """The answer as text; LookupError if there is none."""
        ...


@dataclass
class Search:
    """Finds passages in the documents of a debate, given by number with their texts, in packs of evidence, and with a
    search service."""

    documents: Mapping[str, str]
    packs: Sequence[str] = ()
    service: SearchService | None = None
    seconds: float = SECONDS

    async def offered(self) -> Offering:
        places = {"the documents of this debate": self.documents, "a library": self.packs, "the web": self.service}
        where = " and ".join(name for name, there in places.items() if there)
        if not where:
            raise LookupError("there is nothing to search in: no documents, no packs, no service")
        return Offering([Offered("search", f"Find the passages in {where} that fit a few words best.", _QUERY)])

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:  # noqa: ARG002 (one of several)
        query = text_argument(arguments, "query")[:LONGEST_QUERY]
        found = [self._passages[hit.number] for hit in self._index.best(query, MOST_PASSAGES)]
        fault = ""
        try:
            found += await self.service.find(query) if self.service else []
        except LookupError as error:
            if not found:
                raise
            fault = f"\n\n(These are from the documents and packs alone: {error}.)"
        if not found:
            raise LookupError("no passage has any of these words")
        return "\n\n".join(f"{label}:\n{text}" for label, text in found) + fault

    @cached_property
    def _passages(self) -> list[tuple[str, str]]:
        own = [(f"[{key}]", chunk.text) for key, text in self.documents.items() for chunk in chunks(text)]
        packed = [document for pack in self.packs for document in Corpus.load(pack).documents]
        return [*own, *((f"{one.title}, {one.url}", chunk.text) for one in packed for chunk in chunks(one.text))]

    @cached_property
    def _index(self) -> Index:
        return Index([f"{label}\n{text}" for label, text in self._passages])


@dataclass(frozen=True, slots=True)
class Fetch:
    """Reads public pages, with the guarded fetcher."""

    seconds: float = SECONDS

    async def offered(self) -> Offering:
        require("evidence")
        return Offering([Offered("fetch", "Read a public web page or PDF, as text.", _URL)])

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:  # noqa: ARG002 (one of several)
        async with Fetcher(allow_loopback=loopback_allowed()) as fetcher:
            page = await fetcher.fetch(text_argument(arguments, "url"))
        if isinstance(page, Unfetched):
            raise LookupError(page.words)  # noqa: TRY004 (the page is at fault, not its type)
        return f"{page.title}\n\n{page.text}" if page.title else page.text


@dataclass(slots=True)
class McpServer:
    """The tools of an MCP server: a command that speaks over its standard streams, or an address. A new connection is
    made for every lookup, so that a server that dies or hangs costs only that one. A command gets a few harmless
    variables and those that are named in `env`; an address gets `headers`, each with the variable of its value. The
    values of these variables are taken out of everything that the server says."""

    name: str
    command: Sequence[str] = ()
    url: str = ""
    env: Sequence[str] = field(default_factory=tuple)
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = SECONDS
    _known: dict[str, str] = field(default_factory=dict)
    """The server's own names of its tools."""

    async def offered(self) -> Offering:
        require("mcp")
        async with self._client() as client:
            named, more = await self._tools(client)
        fit = {name: one for name, one in named.items() if len(json.dumps(one.input_schema)) <= LONGEST_SCHEMA}
        offers = [
            Offered(
                name,
                clip(self._without_secrets(one.description or one.name), LONGEST_DESCRIPTION),
                parse_json(self._without_secrets(json.dumps(one.input_schema))),
            )
            for name, one in list(fit.items())[:MOST_TOOLS]
        ]
        reasons = {
            f"with parameters of more than {LONGEST_SCHEMA:,} characters": len(named) - len(fit),
            f"beyond the first {MOST_TOOLS}": max(0, len(fit) - MOST_TOOLS),
            "with the same name as another": more,
        }
        return Offering(offers, ", ".join(f"{count} {why}" for why, count in reasons.items() if count))

    async def _tools(self, client: "Client") -> "tuple[dict[str, Tool], int]":
        """The tools of the server by names that every provider takes, and how many more there are of the same names."""
        found: dict[str, Tool] = {}
        same, cursor = 0, None
        for _ in range(MOST_PAGES):
            page = await client.list_tools(cursor=cursor)
            for one in page.tools:
                name = f"{self.name}__{_UNUSABLE.sub('_', one.name)}"[:LONGEST_NAME]
                same += name in found
                found.setdefault(name, one)
                self._known.setdefault(name, one.name)
            cursor = page.next_cursor
            if cursor is None:
                break
        return found, same

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        require("mcp")
        async with self._client() as client:
            if name not in self._known:
                await self._tools(client)
            if name not in self._known:
                raise LookupError(f"the server no longer has {name}")
            answer = await client.call_tool(self._known[name], dict(arguments))
        text = "\n".join(_shown(block) for block in answer.content)
        if not answer.content and answer.structured_content is not None:
            text = json.dumps(answer.structured_content, ensure_ascii=False)
        text = self._without_secrets(text)
        if answer.is_error:
            raise LookupError(text or "the tool failed and did not say why")
        return text

    @asynccontextmanager
    async def _client(self) -> "AsyncIterator[Client]":
        from mcp import Client

        faults: list[str] = []
        try:
            if self.url:
                headers = {name: _filled(value) for name, value in self.headers.items()}
                async with over_http(self.url, headers, faults) as transport, Client(transport) as client:
                    yield client
            else:
                env = {name: os.environ[name] for name in self.env if name in os.environ}
                async with Client(over_streams(self.command, env, faults)) as client:
                    yield client
        except Exception as error:  # a server of others can fail in any way
            while isinstance(error, ExceptionGroup):
                error = error.exceptions[0]
            why = faults[0] if faults else str(error) or type(error).__name__
            if isinstance(error, ValidationError):
                why = f"it does not keep to the protocol: {first_fault(error)}"
            raise LookupError(self._without_secrets(why)) from None

    def _without_secrets(self, text: str) -> str:
        names = [*self.env, *(value.partition("$")[2] for value in self.headers.values())]
        for value in sorted((os.environ.get(name, "").strip() for name in names), key=len, reverse=True):
            if len(value) >= SHORTEST_SECRET:
                text = text.replace(value, "[secret]")
        return text


def _filled(value: str) -> str:
    """The value of a header, with its variable filled in."""
    before, _, name = value.partition("$")
    if not (found := os.environ.get(name, "")).strip():
        raise LookupError(f"{name} is not set")
    return before + found.strip()


def text_argument(arguments: Mapping[str, Any], name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str) or not value.strip():
        raise LookupError(f"`{name}` should be a text")
    return value.strip()


def _shown(block: Any) -> str:
    if block.type == "text":
        return str(block.text)
    if block.type == "resource" and hasattr(block.resource, "text"):
        return str(block.resource.text)
    if block.type == "resource_link":
        return f"{block.name}: {block.uri}"
    return f"({block.type}: not shown)"
