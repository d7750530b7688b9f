"""The tools of a debate:

the roles that may use each tool, and the tools that the user declared. A debate names tools. The meaning of a name is
decided here and in the user's own moot.yaml, or that of a project that the user trusts, under `lookups:`, never by a
debate file, a guest, an assistant or a model.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from moot.engine.sources.context import ContextDocument
from moot.errors import ConfigError
from moot.models.declared import as_words, declarations, located
from moot.plugins.extras import require
from moot.plugins.files import LOOKUPS, project_file, resolve_path, user_file
from moot.present.data import Data, Model

if TYPE_CHECKING:
    from moot.evidence.search_services import SearchService
    from moot.evidence.tools import Source

BUILT_IN = ("search", "fetch", "python")
ToolName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,20}$")]
Variable = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]

HeaderName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9-]{0,60}$")]
HeaderValue = Annotated[str, StringConstraints(pattern=r"^([A-Za-z][\w-]* )?\$[A-Za-z_][A-Za-z0-9_]*$")]
"""A variable, after a word such as Bearer. A secret itself does not belong into a file."""
Address = Annotated[str, StringConstraints(pattern=r"^https?://\S+$", max_length=2000)]


class Declared(Data):
    """A tool of the user: an MCP server that is run as a command or has a `url`, or, for `search`, folders with packs
    and a search service: the address of a SearXNG, or the variable with the key of another, which can be `at` another
    address than usual. `env` are variables that a command gets beside the harmless ones, `headers` those that are sent
    to a url, each with the variable that has its value. A call may take `timeout` seconds. Guests and jobs may use it
    only if `guests` is true."""

    model_config = ConfigDict(populate_by_name=True)

    command: Annotated[list[str], BeforeValidator(as_words)] = Field(default_factory=list, alias="run")
    url: Address | None = None
    headers: dict[HeaderName, HeaderValue] = {}
    env: list[Variable] = []
    packs: list[str] = []
    searxng: Address | None = None
    brave: Variable | None = None
    tavily: Variable | None = None
    exa: Variable | None = None
    at: Address | None = None
    timeout: Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)] | None = None
    guests: bool = False

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if self.command and self.url:
            raise ValueError("a tool is either run or has a url, not both")
        if self.headers and not self.url:
            raise ValueError("`headers` are for a tool with a url")
        if len(self.services) > 1:
            raise ValueError("there can be one search service")
        return self

    @property
    def services(self) -> dict[str, str]:
        """The search services, each with its address or variable."""
        named = {"searxng": self.searxng, "brave": self.brave, "tavily": self.tavily, "exa": self.exa}
        return {kind: value for kind, value in named.items() if value}


class _File(Model):
    lookups: dict[ToolName, Declared]


def parse_tools(given: Sequence[Any]) -> dict[str, list[str]]:
    """Tools with the roles that may use them, from NAME, for all debaters, or NAME=ROLE; a name again adds a role."""
    found: dict[str, list[str]] = {}
    for one in given:
        name, _, role = str(one).partition("=")
        roles = found.setdefault(name.strip(), [])
        roles += [role.strip()] if role.strip() else []
    return found


def declared_tools() -> dict[str, Declared]:
    """The declared tools by name; those of the project override those of the user."""
    return tools_in(user_file()) | tools_in(project_file())


def tools_in(file: Path) -> dict[str, Declared]:
    """The tools of one moot.yaml; ConfigError says what is wrong with them. Relative paths start at the folder of the
    file."""
    found: dict[str, Declared] = declarations(file, LOOKUPS, _File)
    for name, one in found.items():
        if name not in BUILT_IN and not (one.command or one.url):
            raise ConfigError(f"{file}: `{LOOKUPS}.{name}` needs `run` or `url`", key=LOOKUPS)
    return {name: _placed(one, file.parent) for name, one in found.items()}


def _placed(one: Declared, folder: Path) -> Declared:
    command = located(one.command, folder) if one.command else []
    return one.model_copy(update={"command": command, "packs": [str(resolve_path(pack, folder)) for pack in one.packs]})


def is_for_guests(name: str) -> bool:
    """Whether the user lets guests and jobs use this tool."""
    known = declared_tools()
    return name in known and known[name].guests


def check_tools(names: Iterable[str], *, for_guests: bool = False) -> None:
    """ConfigError if there is no such tool, if it lacks an extra or, for guests, if the user did not allow it to
    them."""
    known = declared_tools() if names else {}
    for name in names:
        if name not in known and name not in BUILT_IN:
            there = ", ".join(sorted({*known, *BUILT_IN}))
            raise ConfigError(f"unknown tool {name!r}; available: {there} (`{LOOKUPS}:` in moot.yaml)", "tools")
        own = known.get(name, Declared())
        if name == "python" and not (own.command or own.url) and (why := _why_no_sandbox()):
            raise ConfigError(f"the tool 'python' cannot be used: {why}", "tools")
        if own.command or own.url or name == "fetch":
            require("mcp" if own.command or own.url else "evidence")
        if for_guests and not is_for_guests(name):
            raise ConfigError(
                f"the tool {name!r} is not for guests, unless its declaration says `guests: true`", "tools"
            )


def _why_no_sandbox() -> str | None:
    from moot.evidence.sandbox import MISSING, is_at_hand

    return None if is_at_hand() else MISSING


def check_search(names: Iterable[str], documents: Sequence[ContextDocument]) -> None:
    """ConfigError if `search` is wanted and there is nothing to search in."""
    if "search" not in names or documents:
        return
    own = declared_tools().get("search", Declared())
    if not (own.packs or own.services or own.command or own.url):
        raise ConfigError(
            f"there is nothing to search in: give documents with --context, or declare packs or a service for `search` "
            f"(`{LOOKUPS}:` in moot.yaml)",
            "tools",
        )


def open_tools(names: Sequence[str], documents: Sequence[ContextDocument]) -> "Mapping[str, Source]":
    """The tools on this machine, by name."""
    from moot.evidence.sandbox import Sandbox
    from moot.evidence.tools import SECONDS, Fetch, McpServer, Search

    check_tools(names)
    known, found = declared_tools(), dict[str, "Source"]()
    texts = {f"D{number}": one.text for number, one in enumerate(documents, 1)}
    for name in names:
        one = known.get(name, Declared())
        seconds = one.timeout or SECONDS
        if one.command or one.url:
            found[name] = McpServer(name, one.command, one.url or "", one.env, one.headers, seconds)
        else:
            search = Search(texts, one.packs, _service(one), seconds)
            own: dict[str, Source] = {"search": search, "fetch": Fetch(seconds)}
            found[name] = own.get(name) or Sandbox()
    return found


def _service(one: Declared) -> "SearchService | None":
    from moot.evidence.search_services import ADDRESSES, SearchService

    for kind, value in one.services.items():
        if kind == "searxng":
            return SearchService("searxng", value)
        return SearchService(kind, one.at or ADDRESSES[kind], value)  # type: ignore[arg-type]
    return None
