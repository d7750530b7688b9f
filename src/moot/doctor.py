"""Is this machine ready for a debate? Checks that spend nothing and fetch nothing."""

import ctypes.util
import os
import platform
import sys
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from moot.casting import DEFAULT_MODEL
from moot.config import configure
from moot.errors import MootError
from moot.models.registry import ModelSettings, describe_providers, open_model
from moot.models.weights import have_weights, weights_path


@dataclass(frozen=True, slots=True)
class Check:
    """`ok` is None for what is neither good nor bad; `hint` says what to do about it."""

    name: str
    ok: bool | None
    found: str
    hint: str = ""


def diagnose(out: str = "debates") -> list[Check]:
    """All checks, the ones that matter most first."""
    checks = [
        Check("Python", sys.version_info >= (3, 11), f"{platform.python_version()} on {platform.system()}"),
        Check("moot", None, version("moot")),
        _config_files(),
        _model(),
        *_embedded(),
        _folder(out),
    ]
    for provider in describe_providers():
        if provider.name not in ("embedded", "scripted", "human"):
            found = "configured" if provider.configured else "not configured"
            checks.append(Check(provider.name, None, found, "" if provider.configured else provider.how))
    return checks


def _config_files() -> Check:
    try:
        configure("duel", topic="doctor")
    except MootError as error:
        return Check("config files", False, str(error), "Mend the file, or take it away.")
    return Check("config files", True, "moot.yaml and the user's file are sound, or absent")


def _model() -> Check:
    try:
        options = configure("duel", topic="doctor").options
        chosen = options.model or DEFAULT_MODEL
        name = chosen if isinstance(chosen, str) else chosen[0]
        open_model(name, ModelSettings())
    except MootError as error:
        return Check("default model", False, str(error), "Choose another with -m or MOOT_MODEL.")
    return Check("default model", True, name)


def _embedded() -> list[Check]:
    """The runtime and the weights of the embedded model."""
    if find_spec("xllamacpp") is None:
        return [Check("embedded runtime", None, "not installed", "pip install 'moot[embedded]'")]
    checks = [Check("embedded runtime", True, f"xllamacpp {version('xllamacpp')}")]
    if sys.platform == "linux" and ctypes.util.find_library("gomp") is None:
        checks.append(Check("libgomp", False, "missing", "Install it, on Debian: apt-get install libgomp1"))
    if have_weights():
        checks.append(Check("embedded weights", True, str(weights_path())))
    else:
        checks.append(Check("embedded weights", None, "not fetched yet", "The first debate fetches them (93 MB)."))
    return checks


def _folder(out: str) -> Check:
    folder = Path(out)
    existing = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    if os.access(existing, os.W_OK):
        return Check("run folders", True, f"go to {out}")
    return Check("run folders", False, f"{existing} cannot be written to", "Choose another folder with --out.")
