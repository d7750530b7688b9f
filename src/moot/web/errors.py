"""Errors as responses: `{"error": "…"}` for programs, a page for people, never a traceback."""

from http import HTTPStatus
from typing import get_args

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.routing import Match

import moot
from moot.engine.define.config import checked
from moot.errors import CallFailed, LimitReached, ModelError, ReplayDivergence
from moot.service.host import NoSuchRun, TooManyDebates
from moot.service.live import NotAsked
from moot.text.prose import sentence
from moot.web.pages.rendering import host_of, sorry

RETRY_AFTER = 30
MOST_FAULTS_TOLD = 4
LONGEST_ERROR = 2000
NO_SUCH_ADDRESS = "there is nothing at this address"
SETTINGS = " (what a protocol itself takes goes into `settings`)"


STATUSES: dict[type[moot.MootError], int] = {
    NoSuchRun: 404,
    NotAsked: 409,
    TooManyDebates: 503,
    moot.RunBusy: 409,
    moot.RunDamaged: 409,
    ReplayDivergence: 409,
    moot.ConfigError: 422,
    moot.NotReady: 422,
    ModelError: 502,
    CallFailed: 502,
    LimitReached: 422,
}
"""The HTTP status of each kind of error; 500 for all others."""


def status_of(error: Exception) -> int:
    return next((code for kind, code in STATUSES.items() if isinstance(error, kind)), 500)


def handle(app: FastAPI) -> None:
    """Register handlers for all errors."""

    def moot_error(request: Request, error: Exception) -> Response:
        return problem(request, status_of(error), host_of(request).message_for(error))

    def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101 (registered for it)
        headers = dict(error.headers or {})
        if isinstance(error.__cause__, RecursionError):
            return problem(request, 422, "the request is nested too deeply")
        if error.status_code == 405:
            headers["Allow"] = ", ".join(_methods(app, request))
        is_unexplained = error.status_code == 404 and error.detail == HTTPStatus.NOT_FOUND.phrase
        text = NO_SUCH_ADDRESS if is_unexplained else str(error.detail)
        return problem(request, error.status_code, text, headers)

    def wrong_request(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)  # noqa: S101 (registered for it)
        return problem(request, 422, _faults(request, error))

    def lost(request: Request, error: Exception) -> Response:
        return problem(request, 503, host_of(request).message_for(error))

    def broken(request: Request, _: Exception) -> Response:
        # The server logs the details; clients do not need them.
        return problem(request, 500, "something went wrong in the server")

    app.add_exception_handler(moot.MootError, moot_error)
    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(RequestValidationError, wrong_request)
    app.add_exception_handler(ConnectionError, lost)
    app.add_exception_handler(Exception, broken)


def _methods(app: FastAPI, request: Request) -> list[str]:
    """The methods of that address. Each method has a route of its own, and Starlette names only the first one's."""

    def is_known(method: str) -> bool:
        return any(route.matches({**request.scope, "method": method})[0] == Match.FULL for route in app.routes)

    return [method for method in ("DELETE", "GET", "PATCH", "POST", "PUT") if is_known(method)]


def problem(request: Request, status: int, text: str, headers: dict[str, str] | None = None) -> Response:
    """The response to a request that cannot be served."""
    headers = dict(headers or {})
    if status == 503:
        headers.setdefault("Retry-After", str(RETRY_AFTER))
    text, path = text[:LONGEST_ERROR], request.url.path
    if path.startswith("/v1/"):
        # OpenAI answers invalid requests with this status.
        status = 400 if status == 422 else status
        return openai_problem(status, text, "invalid_request_error" if status < 500 else "server_error", headers)
    if path.startswith("/api/") or path == "/api":
        return JSONResponse({"error": text}, status, headers)
    answer = sorry(request, status, "That did not work", sentence(text))
    answer.headers.update(headers)
    return answer


def openai_problem(status: int, text: str, kind: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """What is wrong, in the shape that OpenAI's clients read."""
    return JSONResponse({"error": {"message": text, "type": kind, "param": None, "code": None}}, status, headers)


def _faults(request: Request, error: RequestValidationError) -> str:
    """The first faults and their places, without repeating the input."""
    faults = error.errors()
    if any(fault["type"] == "json_invalid" for fault in faults):
        return "the request is not JSON"
    model, body = _body_of(request), error.body
    if model is not None and all(fault["loc"][0] == "body" for fault in faults):
        try:
            checked(model, body, "the request")
        except moot.ConfigError as refusal:
            misplaced = any(fault["type"] == "extra_forbidden" and len(fault["loc"]) == 2 for fault in faults)
            return f"{refusal}{SETTINGS if misplaced and 'settings' in model.model_fields else ''}"
    told_plainly = []
    for fault in faults[:MOST_FAULTS_TOLD]:
        place = ".".join(str(part) for part in fault["loc"] if part != "body")
        told_plainly.append(f"`{place}`: {fault['msg']}" if place else str(fault["msg"]))
    return "; ".join(told_plainly)


def _body_of(request: Request) -> type[BaseModel] | None:
    """The model of the route's body."""
    field = getattr(request.scope.get("route"), "body_field", None)
    annotation = field.field_info.annotation if field is not None else None
    kinds = [
        kind for kind in (annotation, *get_args(annotation)) if isinstance(kind, type) and issubclass(kind, BaseModel)
    ]
    return kinds[0] if kinds else None
