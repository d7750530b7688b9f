"""From a name such as `openai/gpt-4o` to a model, with what the environment says about its provider.

Opens no connection and loads no weights. Modules of a provider are imported when one of its models is opened.
"""

import os
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from moot.errors import ConfigError, NotReady
from moot.models.base import Model
from moot.models.catalogue import QWEN, SHIPPED_MODEL
from moot.models.declared import declared_commands
from moot.models.plugged import PLUGGED_IN
from moot.models.prices import Price, context_window
from moot.plugins.features import MissingFeature, built_in, needed

if TYPE_CHECKING:
    from moot.models.external import Inbox
    from moot.models.http import Endpoint
    from moot.models.human import PersonPrompter


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """`timeout` is in seconds, `concurrency` the number of concurrent calls per endpoint, `prices` are by full model
    name. `inbox` receives the entries of outside agents, None outside a run. `prompter` asks people, None for the
    terminal. `rate` is the number of calls per minute and endpoint, None for no limit."""

    timeout: float = 180.0
    concurrency: int = 64
    prices: Mapping[str, Price] = field(default_factory=dict)
    inbox: "Inbox | None" = None
    prompter: "PersonPrompter | None" = None
    rate: int | None = None


@dataclass(frozen=True, slots=True)
class ProviderInfo:
    """A provider as `moot models` lists it. `configured` says whether its variables or packages are there,
    without asking any server; `how` is what to do when they are not."""

    name: str
    what: str
    configured: bool
    how: str
    example: str


@dataclass(frozen=True, slots=True)
class _Hosted:
    """A provider with a known address."""

    what: str
    base_url: str
    key_variables: tuple[str, ...]
    example: str
    ready_path: str = "/models"

    def key_variable(self) -> str:
        """The variable with the key, or the one to set."""
        return next((name for name in self.key_variables if os.environ.get(name)), self.key_variables[0])


_HOSTED = {
    "openai": _Hosted("GPT models", "https://api.openai.com/v1", ("OPENAI_API_KEY",), "openai/gpt-5.2"),
    "anthropic": _Hosted(
        "Claude models", "https://api.anthropic.com", ("ANTHROPIC_API_KEY",), "anthropic/claude-sonnet-4-5"
    ),
    "google": _Hosted(
        "Gemini models",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "google/gemini-2.5-pro",
    ),
    "openrouter": _Hosted(
        "models of many vendors under one key",
        "https://openrouter.ai/api/v1",
        ("OPENROUTER_API_KEY",),
        "openrouter/anthropic/claude-sonnet-4.5",
        ready_path="/key",  # its list of models is open to all, and so says nothing about the key
    ),
}


_LOCAL = ("client", "command", "embedded", "external", "human", "ollama", "scripted")
_PROVIDERS = (*_LOCAL, *_HOSTED)
_PROVIDER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def open_model(name: str, settings: ModelSettings) -> Model:
    """The model of that name. A malformed name is a ConfigError, a missing variable NotReady."""
    check_name(name)
    provider, _, rest = name.partition("/")
    if provider == "embedded":
        return _embedded(name, rest)
    if provider == "scripted":
        from moot.models.scripted import scripted_model

        return scripted_model(rest)
    if provider == "external":
        from moot.models.external import ExternalModel

        return ExternalModel(rest, settings.inbox)
    if provider == "human":
        from moot.models.human import HumanModel

        return HumanModel(rest, prompter=settings.prompter)
    if provider == "client":
        raise ConfigError(
            f"{name} speaks through the assistant that asks for a debate (moot mcp), and none does here. Name another "
            "model with -m."
        )
    if provider == "command":
        from moot.models.command import open_command

        return open_command(rest, settings.timeout, settings.prices, settings.rate)
    if provider == "anthropic":
        from moot.models.anthropic import Anthropic

        return Anthropic(name, rest, endpoint_of(name, settings), settings.prices)
    if provider not in _PROVIDERS and (found := PLUGGED_IN.get(provider)) is not None:
        return found.model(name, rest, settings)
    return _open_compatible(name, provider, rest, settings)


def _embedded(name: str, rest: str) -> Model:
    model: Model = needed("embedded_model", name, "embedded")(rest)
    return model


def check_name(name: str) -> None:
    """ConfigError if this cannot be the name of a model."""
    provider, slash, rest = name.partition("/")
    whole = bool(slash and rest.strip("/") and _PROVIDER_NAME.fullmatch(provider))
    if not whole and provider not in ("embedded", "external"):
        raise ConfigError(_malformed(name, provider))


def known_window(name: str) -> int | None:
    """The context window of a model in tokens, if it is known without asking a server."""
    provider, _, rest = name.partition("/")
    if provider == "embedded":
        with suppress(MissingFeature):
            return _embedded(name, rest).context_window
        return None
    if provider == "command":
        declared = declared_commands().get(rest)
        return declared.context if declared else None
    return context_window(name)


def may_see(name: str) -> bool:
    """Whether a model may accept images: models over HTTP get them, and may refuse them."""
    return name.partition("/")[0] not in ("client", "command", "embedded", "external", "human", "scripted")


def check_usable(name: str) -> None:
    """An error if a debate with this model would be refused: ConfigError for its name, NotReady for what is missing.
    Asks no server and fetches nothing."""
    model: Any = open_model(name, ModelSettings())
    if name.partition("/")[0] == "embedded":
        model.check()


def describe_providers() -> list[ProviderInfo]:
    """Every provider, including those the environment names by `NAME_BASE_URL`, in alphabetical order."""
    found = [
        _describe_commands(),
        ProviderInfo(
            "embedded",
            f"models inside moot: no key, no network; {QWEN.name} once it is fetched",
            built_in("embedded") is not None and find_spec("xllamacpp") is not None,
            "pip install 'moot[embedded]'",
            SHIPPED_MODEL,
        ),
        ProviderInfo(
            "external", "an outside agent, through `moot log append`", True, "nothing to set up", "external/ada"
        ),
        ProviderInfo("human", "a person at the terminal or the page", True, "nothing to set up", "human/ada"),
        ProviderInfo(
            "ollama",
            "models of a local Ollama server",
            _has_ollama(),
            "install and start Ollama, or set OLLAMA_HOST",
            "ollama/llama3.2",
        ),
        ProviderInfo("scripted", "replies from a file", True, "nothing to set up", "scripted/replies.yaml"),
    ]
    for name, hosted in _HOSTED.items():
        how = f"set {' or '.join(hosted.key_variables)}"
        found.append(ProviderInfo(name, hosted.what, _is_set_up(name, hosted), how, hosted.example))
    found += [ProviderInfo(one.name, one.what, *one.state(), one.example) for one in PLUGGED_IN]
    for name in _custom_providers():
        variable = _variable(name, "BASE_URL")
        found.append(ProviderInfo(name, f"the server named by {variable}", True, f"set {variable}", f"{name}/MODEL"))
    return sorted(found, key=lambda info: info.name)


def _describe_commands() -> ProviderInfo:
    what, how = "programs that read the prompt and print the answer", "declare one under `commands:` in moot.yaml"
    try:
        names = sorted(declared_commands())
    except ConfigError as error:
        return ProviderInfo("command", what, False, str(error), "command/NAME")
    return ProviderInfo("command", what, bool(names), how, f"command/{names[0]}" if names else "command/NAME")


def _open_compatible(name: str, provider: str, rest: str, settings: ModelSettings) -> Model:
    from moot.models.openai_compatible import OpenAICompatible

    endpoint = endpoint_of(name, settings)
    ready_path = _HOSTED[provider].ready_path if provider in _HOSTED else "/models"
    return OpenAICompatible(name, rest, endpoint, settings.prices, ready_path, lists_all=provider == "ollama")


def endpoint_of(name: str, settings: ModelSettings) -> "Endpoint":
    """The endpoint of an HTTP provider's model; NotReady without its key, ConfigError without its address."""
    provider = name.partition("/")[0]
    if provider == "ollama":
        return _endpoint(_ollama_url(), "OLLAMA_HOST", "", "", settings)
    hosted, address_variable = _HOSTED.get(provider), _variable(provider, "BASE_URL")
    key_variable = hosted.key_variable() if hosted else _variable(provider, "API_KEY")
    address, key = os.environ.get(address_variable), os.environ.get(key_variable, "")
    if not address:  # a server of one's own may want no key
        if hosted is None:
            raise ConfigError(_malformed(name, provider))
        if not key.strip():
            raise NotReady(f"{name} needs a key. Set {' or '.join(hosted.key_variables)}.")
        address = hosted.base_url
    is_anthropic = provider == "anthropic"
    if is_anthropic:
        address = address.rstrip("/").removesuffix("/v1")
    return _endpoint(address, address_variable, key_variable, key, settings, anthropic=is_anthropic)


def http_providers() -> list[str]:
    """The providers over HTTP that are set up, without asking any server."""
    hosted = [name for name, one in _HOSTED.items() if _is_set_up(name, one)]
    return [*hosted, *(["ollama"] if _has_ollama() else []), *_custom_providers()]


def keys_in_environment() -> list[tuple[str, str]]:
    """The variables of known providers that contain a key, each with a model that can be used with it."""
    return [(one.key_variable(), one.example) for one in _HOSTED.values() if os.environ.get(one.key_variable())]


def _is_set_up(name: str, hosted: _Hosted) -> bool:
    return bool(os.environ.get(hosted.key_variable()) or os.environ.get(_variable(name, "BASE_URL")))


def _has_ollama() -> bool:
    return bool(os.environ.get("OLLAMA_HOST") or shutil.which("ollama"))


def _endpoint(
    address: str,
    address_variable: str,
    key_variable: str,
    key: str,
    settings: ModelSettings,
    *,
    anthropic: bool = False,
) -> "Endpoint":
    from moot.models.http import Endpoint

    key = key.strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise NotReady(f"{key_variable} holds characters that no key has. Set it again.")
    address = address.strip().rstrip("/")
    if not _is_plain(address):  # it is not quoted: it may hold a password
        hint = f" A key belongs in {key_variable}." if key_variable else ""
        raise ConfigError(f"{address_variable} must be an address such as http://localhost:8000/v1.{hint}")
    headers: dict[str, str] = {}
    if anthropic:
        from moot.models.anthropic import API_VERSION

        headers["anthropic-version"] = API_VERSION
    if key:
        headers |= {"x-api-key": key} if anthropic else {"Authorization": f"Bearer {key}"}
    return Endpoint(address, headers, key, key_variable, settings.timeout, settings.concurrency, settings.rate)


def _is_plain(address: str) -> bool:
    """Whether it is an http address with a host, and without password, query or fragment."""
    try:
        parts = urlsplit(address)
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return fine and not (parts.username or parts.password or parts.query or parts.fragment)


def _ollama_url() -> str:
    """The address of Ollama, from OLLAMA_HOST by the rules of Ollama itself: scheme, host and port may each be missing,
    and the scheme changes the default port."""
    value = os.environ.get("OLLAMA_HOST", "").strip().strip("\"'").strip()
    scheme, _, rest = value.rpartition("://")
    default = {"http": "80", "https": "443"}.get(scheme, "11434")
    authority, _, path = rest.partition("/")
    if "@" in authority:  # Ollama would take the password for a port; let the check of addresses refuse it
        return f"{scheme or 'http'}://{authority}"
    if authority.count(":") > 1 and not authority.startswith("["):  # a bare IPv6 address
        authority = f"[{authority}]"
    host, port = re.fullmatch(r"(\[.*\]|[^:]*):?(.*)", authority, re.DOTALL).groups()  # type: ignore[union-attr]
    # A server told to listen everywhere is reached at this machine.
    host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(host, host)  # noqa: S104
    port = port if port.isdecimal() and int(port) <= 65535 else default
    return "/".join(filter(None, (f"{scheme or 'http'}://{host}:{port}", path.strip("/"), "v1")))


def _variable(provider: str, what: str) -> str:
    return f"{provider.upper().replace('-', '_')}_{what}"


def _custom_providers() -> list[str]:
    suffix = "_BASE_URL"
    names = {name.removesuffix(suffix).lower() for name, value in os.environ.items() if name.endswith(suffix) and value}
    return sorted(name for name in names if name not in _PROVIDERS and _PROVIDER_NAME.fullmatch(name))


def _malformed(name: str, provider: str) -> str:
    if "/" not in name:
        return f"“{name}” needs a provider, for example {_HOSTED['openai'].example}."
    if not _PROVIDER_NAME.fullmatch(provider) or provider in _PROVIDERS:
        return f"“{name}” is not a model: it must be provider/name, such as {_HOSTED['openai'].example}."
    near = get_close_matches(provider.lower(), [*_PROVIDERS, *PLUGGED_IN.names(), *_custom_providers()], 1, cutoff=0.7)
    guess = f" Did you mean {near[0]}/…?" if near else ""
    return (
        f"“{name}”: there is no provider “{provider}”.{guess} To use your own server, set "
        f"{_variable(provider, 'BASE_URL')}; the file of a plug-in is named with --plugin."
    )
