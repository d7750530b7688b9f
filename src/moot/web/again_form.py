"""The start form for a debate that was held before: its fields are filled in, and what the form has no field for, such
as the cast, is taken over from the run."""

import json
from collections.abc import Mapping
from typing import Any

import moot
from moot.engine.define.study import Study
from moot.runs.follow_up import NOT_KEPT
from moot.service.guests import not_for_guests
from moot.web.start_form import LIMITS, Offer, box_field, offer_of, option_field, role_field

AGAIN, SWAP = "again", "swap"
"""The hidden fields: the run, and whether its sides are swapped."""


def can_swap(run: moot.Run) -> bool:
    """Whether this debate has two sides that can be exchanged."""
    study = run.config.protocol.get(Study)
    return study is not None and study.vary is not None


def filled_from(run: moot.Run, *, swap: bool) -> dict[str, str]:
    """The form as it would have started this debate; ConfigError if its protocol cannot be started from here."""
    content, offer = _content(run, swap=swap), _offer(run)
    form = {"protocol": offer.name, AGAIN: run.name, "seed": str(run.config.seed), **({SWAP: "yes"} if swap else {})}
    form["topic"] = str(content.get(offer.protocol.subject.key) or run.config.topic)
    for option in offer.options:
        if (value := content.get(option.name)) is None:
            continue
        name = option_field(offer, option.name)
        if option.kind == "switch":
            form |= {box_field(name): "yes", **({name: "yes"} if value else {})}
        elif isinstance(value, str | int | float | list):
            form[name] = _typed(value)
    form |= {limit.name: _typed(content[limit.name]) for limit in LIMITS if content.get(limit.name) is not None}
    if content.get("model"):
        form["model"] = _typed(content["model"])
    roles = content.get("roles") or {}
    form |= {role_field(offer, part.key): _typed(roles[part.key]) for part in offer.parts if part.key in roles}
    if content.get("documents"):
        form["documents"] = json.dumps(content["documents"], ensure_ascii=False)
    return form


def taken_over(run: moot.Run, *, swap: bool) -> dict[str, Any]:
    """The settings of the run that the form has no field for. Models of single people are left out, because they would
    override the models in the form."""
    content, offer = _content(run, swap=swap), _offer(run)
    shown = {offer.protocol.subject.key, "model", "documents", *(option.name for option in (*offer.options, *LIMITS))}
    left = {*shown, *NOT_KEPT, *not_for_guests(offer.protocol)}
    kept = {key: _without_models(value) for key, value in content.items() if key not in left}
    parts = {part.key for part in offer.parts}
    roles = {name: models for name, models in (content.get("roles") or {}).items() if name not in parts}
    return {**kept, "roles": roles} if roles else {key: value for key, value in kept.items() if key != "roles"}


def _offer(run: moot.Run) -> Offer:
    offer = offer_of({"protocol": run.config.protocol.name})
    if offer is None:
        raise moot.ConfigError(f"{run.name} cannot be debated again from here: nobody chooses that protocol in a form")
    return offer


def _content(run: moot.Run, *, swap: bool) -> Mapping[str, Any]:
    content = run.config.content()
    study = run.config.protocol.get(Study)
    if not swap:
        return content
    if study is None or study.vary is None:
        raise moot.ConfigError(f"{run.name} has no two sides that could be exchanged")
    return study.vary(content, {"sides": True})


def _without_models(value: Any) -> Any:
    match value:
        case dict():
            return {key: _without_models(inner) for key, inner in value.items() if key != "model"}
        case list():
            return [_without_models(inner) for inner in value]
    return value


def _typed(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_typed, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
