"""The usage that a server reports for a reply, checked against the request and the reply.

A server with wrong or false figures must not make a call look free. Impossible figures are treated as missing, and then
the call counts as the maximum.
"""

import math
from typing import Any

from moot.models.base import Request, Usage, schema_json, size_of

MOST_BYTES_A_TOKEN = 32
"""Prose has four bytes to a token; a long run of blanks has more."""
MOST_TIMES = 4
MOST_TOKENS_OF_IMAGE = 50_000
SLACK = 10_000
"""Tokens beyond what was sent that templates, schemas and thinking may take."""
MOST_TOKENS, MOST_DOLLARS = 1 << 40, 10_000.0
"""More than any reply takes. A figure can have thousands of digits, which would break sums and messages."""


def token_count(value: Any) -> int | None:
    """A number of tokens as a server reports it, or None if it is not valid."""
    return min(value, MOST_TOKENS) if type(value) is int and value >= 0 else None


def dollars(value: Any) -> float | None:
    """An amount of money as a server reports it, or None if it is not valid."""
    return float(min(value, MOST_DOLLARS)) if type(value) in (int, float) and 0 <= value < math.inf else None


def doubt(usage: Usage, request: Request, text: str) -> str | None:
    """Why these figures are impossible, in a clause; None if they are possible or missing."""
    sent, got = sum([message.size for message in request.messages]), size_of(text)
    read, cached, output = usage.input, usage.cached or 0, usage.output
    if usage.cost is not None and usage.cost >= MOST_DOLLARS:
        return f"it is said to have cost ${MOST_DOLLARS:,.0f} or more"
    if read is not None and cached > read:
        return f"{cached:,} of {read:,} input tokens are said to be from a cache"
    if read is not None and read < sent // MOST_BYTES_A_TOKEN:
        return f"{read:,} tokens are said to have been read of {sent:,} bytes"
    seen = MOST_TOKENS_OF_IMAGE * len(request.images)
    shape = 0 if request.schema is None else len(schema_json(request.schema))
    if read is not None and read > MOST_TIMES * (sent + shape) + SLACK + seen:
        return f"{read:,} tokens are said to have been read, where {sent:,} bytes were sent"
    if output is not None and output < -(-got // MOST_BYTES_A_TOKEN):
        return f"{output:,} tokens are said to have been written, and {got:,} bytes came"
    if output is not None and output > MOST_TIMES * max(request.max_tokens, got) + SLACK:
        return f"{output:,} tokens are said to have been written, where {request.max_tokens:,} were allowed"
    return None
