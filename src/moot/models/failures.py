"""The ModelError for a failed HTTP exchange, with a message that says what to do.

Opens no connection. The text of a server is untrusted: before it is quoted, it is shortened, and control characters and
the key are removed.
"""

import errno
import math
import re
import ssl
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from moot.errors import (
    ContextOverflow,
    EmptyReply,
    ModelError,
    NotAReply,
    NotReady,
    RateLimited,
    Refused,
    Rejected,
    ServerFault,
    TimedOut,
    Unauthorised,
)
from moot.text import clip, valid_text
from moot.text.json import parse_json

if TYPE_CHECKING:
    from moot.models.http import Endpoint

_LONGEST_QUOTE = 300
_LONGEST_READ = 4000  # of a server's words; a hostile one could send megabytes
_SHORTEST_SECRET = 4  # a shorter "key" is a placeholder, and taking it out would only garble the text

_OVERFLOW = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context length|context length|context size"
    r"|context window|context limit|prompt is too long|input is too long|request_too_large"
    r"|token count .{0,40}exceeds",
    re.IGNORECASE,
)
_OUT_OF_CREDIT = re.compile(
    r"insufficient_quota|billing_error|spend_limit|credit balance is too low|insufficient balance",
    re.IGNORECASE,
)
_POLICY = re.compile(r"content_filter|content_policy|invalid_prompt|flagged|moderation", re.IGNORECASE)
MASKED = "***"
_GOOGLE_RETRY = re.compile(r'"retryDelay"\s*:\s*"([0-9.]+)s"')

# Errors inside a stream or a 200 carry a name where a status would stand.
_STATUS_OF_NAME = {
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "invalid_request_error": 400,
    "billing_error": 402,
}


def quote(endpoint: "Endpoint", text: str, longest: int = _LONGEST_QUOTE) -> str:
    """A server's words made safe to show: without the key, on one line, not longer than `longest`."""
    if len(endpoint.secret) >= _SHORTEST_SECRET:
        text = text.replace(endpoint.secret, "[key]")
    text = text[:_LONGEST_READ]  # only now: half a key must not slip through
    words = "".join(char if char.isprintable() else " " for char in text).split()
    text = " ".join("[key]" if MASKED in word else word for word in words)
    return clip(text, longest)


def not_a_reply(endpoint: "Endpoint", body: bytes) -> NotAReply:
    start = quote(endpoint, body.decode("utf-8", "replace"), 80)
    said = f"something that is no model reply: “{start}”" if start else "an empty page"
    return NotAReply(f"{endpoint.host} answered with {said}. Is {endpoint.base_url} the right address?")


def answer_failure(
    endpoint: "Endpoint", model: str, status: int, headers: Mapping[str, str], body: bytes
) -> ModelError:
    """The error for an answer whose status is not 200."""
    try:
        document = parse_json(body, halves=True)
    except ValueError:
        document = body.decode("utf-8", "replace")
    if 300 <= status < 400:
        return Rejected(
            f"{endpoint.host} sends requests on to another address ({status}), and moot does not take a key "
            f"there. Set the base URL to the address that answers."
        )
    # Who answers with an error charges for nothing.
    error = _meaning(endpoint, model, status, document, _retry_after(headers, body)).costing(False)
    error.status, error.said = status, quote(endpoint, " ".join(_said(document)))
    return error


def error_failure(endpoint: "Endpoint", model: str, document: Any) -> ModelError:
    """The error for a document that says `error` although its status was 200, as streams do. A part of the reply may
    have arrived before."""
    error = document.get("error")
    status = 500
    if isinstance(error, dict):
        code = error.get("code")
        if isinstance(code, int) and 400 <= code < 600:
            status = code
        else:
            names = (error.get("type"), error.get("code"))
            known = (_STATUS_OF_NAME.get(name) for name in names if isinstance(name, str))
            status = next((status for status in known if status is not None), 500)
    return _meaning(endpoint, model, status, document, None).costing(True)


def connection_failure(endpoint: "Endpoint", error: BaseException) -> ModelError:
    """The error for an exchange that broke off, or never began. Uses only types and numbers of `error`, since the texts
    of HTTP libraries may contain headers."""
    import aiohttp

    host = endpoint.host
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        told = f"{host} could not be reached in time. Check the network and {endpoint.base_url}."
        return TimedOut(told).costing(False)
    if isinstance(error, TimeoutError):
        return TimedOut(f"{host} gave no answer within {endpoint.timeout:g} s. Try again, or allow it more time.")
    if isinstance(error, aiohttp.ClientConnectorCertificateError | aiohttp.ClientSSLError | ssl.SSLError):
        return NotReady(f"{host} has no TLS certificate that this machine trusts. Check {endpoint.base_url}.")
    if isinstance(error, aiohttp.ClientProxyConnectionError | aiohttp.ClientHttpProxyError):
        return ServerFault(f"The proxy on the way to {host} failed. Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.")
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return ServerFault(f"The host {host} was not found. Check the network and {endpoint.base_url}.")
    if isinstance(error, aiohttp.ClientConnectorError):
        return _unreached(endpoint, error.os_error)
    if isinstance(error, aiohttp.InvalidURL):
        return NotReady(f"{endpoint.base_url} is not an address that can be called.")
    if isinstance(error, aiohttp.ClientResponseError):
        return NotAReply(f"{host} does not answer in HTTP. Is {endpoint.base_url} the right address?")
    return ServerFault(f"{host} broke the connection before its reply was complete. Try again.").costing(True)


def _unreached(endpoint: "Endpoint", error: OSError) -> ServerFault:
    if isinstance(error, ConnectionRefusedError):
        return ServerFault(f"{endpoint.host} refused the connection: is the server running?")
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return ServerFault("There are too many open files here for one more connection. Lower --concurrency.")
    return ServerFault(f"{endpoint.host} could not be reached. Check the network and {endpoint.base_url}.")


def _meaning(endpoint: "Endpoint", model: str, status: int, document: Any, retry_after: float | None) -> ModelError:
    names, words = _said(document)
    text = f"{names} {words}"[:_LONGEST_READ]
    host = endpoint.host
    because = quote(endpoint, words)
    because = f"({status}: {because})" if because else f"({status})"
    if status == 402 or _OUT_OF_CREDIT.search(text):
        return Rejected(f"{host}: the account is out of credit {because}. Top it up, or use another model.")
    if status in (400, 403) and _POLICY.search(text):
        return Refused(f"{host} declined the request on grounds of policy {because}.")
    if status in (401, 403):
        return _unauthorised(endpoint, model, because)
    if status == 429:
        return RateLimited(f"{host} asks for fewer requests {because}. Wait, or lower the concurrency.", retry_after)
    if status == 413 or _OVERFLOW.search(text):
        return ContextOverflow(f"The request is longer than {model} at {host} can read {because}.")
    if status == 404:
        return Rejected(f"{host} has no model “{model}” {because}. Check the name and {endpoint.base_url}.")
    if status == 408:
        return TimedOut(f"{host} gave up waiting {because}. Try again.")
    if status == 501:  # what a server does not have now, it does not have a moment later
        return Rejected(f"{host} has nothing at that address of {endpoint.base_url} {because}.")
    if status >= 500:
        return ServerFault(f"{host} reported a server error {because}. Try again.", retry_after)
    return Rejected(f"{host} does not take this request for {model} {because}.")


def _unauthorised(endpoint: "Endpoint", model: str, because: str) -> Unauthorised:
    variable = endpoint.key_variable
    if not variable:
        return Unauthorised(f"{endpoint.host} does not let moot use {model} {because}.")
    if not endpoint.secret:
        return Unauthorised(f"{endpoint.host} wants a key {because}. Set {variable}.")
    return Unauthorised(f"{endpoint.host} rejected the key in {variable} for {model} {because}. Check the key.")


def _said(document: Any) -> tuple[str, str]:
    """The server's names for its error (type, code…), and its message. Every server has its own form."""
    if isinstance(document, list) and document:  # Gemini wraps the error in a list
        document = document[0]
    if isinstance(document, str):
        return "", document
    if not isinstance(document, dict):
        return "", ""
    error = document.get("error", document)
    if not isinstance(error, dict):  # Ollama: {"error": "words"}
        return "", str(error)
    names = " ".join(str(error[name]) for name in ("type", "code", "status", "param") if error.get(name))
    words = str(error.get("message") or error.get("detail") or "")
    metadata = error.get("metadata")
    if isinstance(metadata, dict) and metadata.get("raw"):  # OpenRouter: the words of the provider behind it
        words = f"{words}: {metadata['raw']}"
    return names, words


def _retry_after(headers: Mapping[str, str], body: bytes) -> float | None:
    """Seconds to wait, from `retry-after-ms`, `Retry-After` (seconds or a date), or Gemini's `retryDelay`."""
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    header = headers.get("retry-after")
    if header is None:
        found = _GOOGLE_RETRY.search(body.decode("utf-8", "replace"))
        return _seconds(found.group(1)) if found else None
    seconds = _seconds(header)
    if seconds is not None:
        return seconds
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def _seconds(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def empty_reply(endpoint: "Endpoint", model: str, *, cut_short: bool) -> EmptyReply:
    if not cut_short:
        return EmptyReply(f"{model} at {endpoint.host} answered without any text. Try again.")
    error = EmptyReply(
        f"{model} at {endpoint.host} used its whole token limit before any text, as thinking models may do. "
        f"Raise --max-reply-tokens."
    )
    error.retry = False  # the same request would be paid for once more, and most likely end the same way
    return error


def model_id(reported: object) -> str | None:
    """The name of the model that answered according to the server, as one short line of text."""
    return " ".join(valid_text(reported).split())[:200] or None if isinstance(reported, str) else None
