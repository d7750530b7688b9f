"""Tool calls in the wire formats of providers, as the one form that the engine knows: a reply in JSON.

`{"lookups": [{"tool": NAME, "arguments": JSON}]}` says what a model wants to look up; the list is empty if it wants
nothing. Models without tool calls are asked for this form itself.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from moot.models.base import ToolOffer

MOST_CALLS = 8
"""More calls in one reply are left out; the engine takes fewer."""


def openai_tools(offers: Sequence[ToolOffer]) -> list[dict[str, Any]]:
    return [
        {
            "type": "function",
            "function": {"name": one.name, "description": one.description, "parameters": dict(one.parameters)},
        }
        for one in offers
    ]


def openai_calls(message: Mapping[str, Any]) -> str:
    """The calls in a message of `/chat/completions`."""
    calls = message.get("tool_calls")
    functions = [one.get("function") for one in calls if isinstance(one, dict)] if isinstance(calls, list) else []
    return wanted((one.get("name"), one.get("arguments")) for one in functions if isinstance(one, dict))


def anthropic_tools(offers: Sequence[ToolOffer]) -> list[dict[str, Any]]:
    return [{"name": one.name, "description": one.description, "input_schema": dict(one.parameters)} for one in offers]


def anthropic_calls(content: Sequence[Any]) -> str:
    """The calls in the content of a message of `/v1/messages`."""
    blocks = [one for one in content if isinstance(one, dict) and one.get("type") == "tool_use"]
    return wanted((one.get("name"), one.get("input")) for one in blocks)


def wanted(calls: Iterable[tuple[Any, Any]]) -> str:
    """Calls as names and arguments, in the form of a reply. Arguments that are not JSON are passed on unchanged, and
    the engine refuses them."""
    found = [
        {"tool": name, "arguments": given if isinstance(given, str) else json.dumps(given or {})}
        for name, given in calls
        if isinstance(name, str)
    ]
    return json.dumps({"lookups": found[:MOST_CALLS]})
