"""Addresses for whoever runs the server: whether it is alive, whether it can work, and its version."""

from importlib.metadata import version

from fastapi import APIRouter, HTTPException, Request

from moot.web.pages.rendering import host_of

router = APIRouter(tags=["operation"])


@router.get("/healthz")
def healthz() -> dict[str, str]:
    """The server answers."""
    return {"status": "ok"}


@router.get("/readyz")
async def readyz(request: Request) -> dict[str, str]:
    """The runs can be reached, which was found within a second; 503 otherwise."""
    if not await host_of(request).is_ready():
        raise HTTPException(503, "the runs cannot be reached now")
    return {"status": "ok"}


@router.get("/version")
def moot_version() -> dict[str, str]:
    return {"version": version("moot")}
