"""A debate in words, for where there is nothing but text: what was said in public, and what it came to."""

from collections.abc import Mapping
from typing import Any

import moot
from moot.web.shelf import decision_of

NOT_TOLD = ("header", "setup", "switch", "summary", "reader_vote")
"""Entries that a reader of the text has no use for."""


def entry_in_words(entry: moot.Entry) -> str:
    """What somebody said in public, as a paragraph; nothing for the rest."""
    if entry.to != "all" or entry.type in NOT_TOLD or not entry.content.strip():
        return ""
    return f"**{entry.speaker}** ({entry.type.replace('_', ' ')}): {entry.content.strip()}\n\n"


def outcome_in_words(result: Mapping[str, Any], link: str) -> str:
    """The decision, why, who dissents, what it took, and where to read all of it."""
    stopped = result.get("status") == "limit"
    parts = [f"**{'Stopped early: ' if stopped else ''}{result.get('reason') if stopped else decision_of(result)}**"]
    if reasons := _reasons(result):
        parts.append(reasons)
    dissent = [
        f"- {one.get('persona') or one.get('agent')}: {one.get('opinion') or one.get('reason')}"
        for one in [*(result.get("dissenting_opinions") or []), *(result.get("dissent") or [])]
    ]
    if dissent:
        parts.append("Dissent:\n" + "\n".join(dissent))
    spent = result.get("spent") or {}
    cost = spent.get("cost")
    price = "" if cost is None else f", ${cost:.4f}"
    parts.append(f"{spent.get('calls', 0)} calls{price}. The whole debate: {link}")
    return "\n\n".join(parts)


def _reasons(result: Mapping[str, Any]) -> str:
    """Why, in the words of whoever decided."""
    verdict = result.get("verdict")
    told = [
        result.get("reasoning"),
        verdict.get("rationale") if isinstance(verdict, Mapping) else None,
        result.get("proposal"),
        "\n".join(f"- {point}" for point in result.get("key_points") or []),
    ]
    return next((text.strip() for text in told if isinstance(text, str) and text.strip()), "")
