"""The start page: choose protocol, topic and models, see the plan, and start."""

import asyncio
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

import moot
from moot.engine.define.layers import load_options
from moot.engine.define.shipped import DEFAULT
from moot.engine.staging.plan import Plan
from moot.models.catalogue import SHIPPED_MODEL
from moot.models.offers import ask_all, is_stale, known_names
from moot.models.registry import describe_providers
from moot.service.guests import limits_within, refused_model
from moot.service.host import Host, TooManyDebates
from moot.web.again_form import AGAIN, SWAP, filled_from, taken_over
from moot.web.forms import sent
from moot.web.pages.rendering import host_of, page
from moot.web.start_form import LIMITS, Faults, configured, examples, filled_in, offer_of, offers, people_in
from moot.web.threads import run_in_thread

router = APIRouter()
NOT_OFFERED = ("scripted", "external")
"""Providers for files and for other programs, which nobody types into a form."""
UNTOUCHED = "untouched"
"""The field of the page that says that the question has not been edited yet, so that a missing question is not an
error."""
SECONDS_KEPT = 3600.0
"""How long the list of what servers offer is good for."""
SECONDS_TO_ASK = 1.5
"""How long the form waits for such a list; without it, names do not complete."""


@router.get("/start")
async def start_page(
    request: Request,
    protocol: Annotated[str, Query(max_length=100)] = DEFAULT,
    example: str = "",
    again: Annotated[str, Query(max_length=300)] = "",
    swap: bool = False,
    model: Annotated[str, Query(max_length=500)] = "",
) -> Response:
    form = {"protocol": protocol if offer_of({"protocol": protocol}) else DEFAULT}
    # The plan and the debate have the same seed, so that the cast in the plan is the one that speaks.
    seed = str(secrets.randbelow(2**31))
    if is_stale(SECONDS_KEPT):
        with suppress(TimeoutError):
            await asyncio.wait_for(ask_all({}, SECONDS_TO_ASK), SECONDS_TO_ASK)
    if again:
        run = await host_of(request).found(again)
        return await _form(request, await asyncio.to_thread(lambda: filled_from(run, swap=swap)), Faults())
    found = next((offer for offer in examples() if offer.name == example), None)
    return await _form(request, {"model": model, "seed": seed} | (filled_in(found) if found else form), Faults())


@router.post("/start")
async def start(request: Request) -> Response:
    """Start the debate or, with the plan button, show its plan next to the form."""
    form = await sent(request)
    faults = Faults()
    if form.get("action") != "start":
        planned = await _planned(host_of(request), form, faults)
        return await _form(request, form, faults, planned)
    host = host_of(request)
    config = configured(form, faults, await _taken_over(host, form))
    if config is None:
        return await _form(request, form, faults, status=422)
    try:
        name = await host.start(config)
    except TooManyDebates as error:
        faults.add("", f"{error}.")
        return await _form(request, form, faults, status=503)
    except moot.MootError as error:
        _place(form, error, faults)
        return await _form(request, form, faults, status=422)
    people = people_in(await asyncio.to_thread((await host.found(name)).entries))
    where = f"/runs/{name}/watch?seat={quote(people[0], safe='')}" if people else f"/runs/{name}"
    return RedirectResponse(where, 303)


@router.post("/start/plan")
async def plan(request: Request) -> Response:
    """The plan, the errors of the form, and the roles that can be given a model, for the page to insert."""
    form = await sent(request)
    faults = Faults()
    planned = await _planned(host_of(request), form, faults)
    if form.get(UNTOUCHED):
        faults.by_field.pop("topic", None)
    values: dict[str, Any] = {"plan": planned, "faults": faults.by_field, "offer": offer_of(form), "typed": form}
    return page(request, "planned.html.jinja", **values)


async def _planned(host: Host, form: Mapping[str, str], faults: Faults) -> Plan | None:
    """The plan of the debate; None if the form has errors."""
    config = configured(form, faults, await _taken_over(host, form))
    if config is None:
        return None
    try:
        return await run_in_thread(lambda: moot.plan(config, check=host.check_model))
    except moot.MootError as error:
        _place(form, error, faults)
        return None


async def _taken_over(host: Host, form: Mapping[str, str]) -> dict[str, Any]:
    """What a debate that is held again has besides the form; nothing if another protocol is chosen now."""
    if not form.get(AGAIN):
        return {}
    run = await host.found(form[AGAIN])
    same = run.config.protocol.name == form.get("protocol")
    return await asyncio.to_thread(lambda: taken_over(run, swap=bool(form.get(SWAP)))) if same else {}


def _place(form: Mapping[str, str], error: moot.MootError, faults: Faults) -> None:
    offer = offer_of(form)
    assert offer is not None  # noqa: S101 (else there would be no config)
    faults.place(offer, error)


async def _form(
    request: Request, form: Mapping[str, str], faults: Faults, planned: Plan | None = None, status: int = 200
) -> Response:
    # In a thread: the first time, this loads all protocols.
    offered = await asyncio.to_thread(offers)
    chosen, own = offer_of(form), load_options()
    values: dict[str, Any] = {
        "offers": [
            replace(offer, parts=chosen.parts) if chosen and offer.name == chosen.name else offer for offer in offered
        ],
        "limits": LIMITS,
        "allowed": limits_within(own),
        "usual_model": ", ".join([own.model] if isinstance(own.model, str) else own.model or [SHIPPED_MODEL]),
        "examples": examples(),
        "providers": [provider for provider in describe_providers() if provider.name not in NOT_OFFERED],
        "known_models": [name for name in known_names() if refused_model(name) is None],
        "typed": form,
        "faults": faults.by_field,
        "plan": planned,
        "recommended": DEFAULT,
        "refused": status >= 400,
    }
    return page(request, "start.html.jinja", status=status, **values)
