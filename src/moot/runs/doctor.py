"""Checks whether this machine is ready for a debate, without spending or fetching anything."""

import os
import platform
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from moot.engine.define.config import Options
from moot.engine.define.layers import configure
from moot.engine.define.registry import package_faults, plugin_faults
from moot.errors import MootError
from moot.models.catalogue import SHIPPED_MODEL
from moot.models.registry import ModelSettings, describe_providers, open_model
from moot.plugins.features import offered


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check. `ok` is None if it is just information; `hint` says how to fix it."""

    name: str
    ok: bool | None
    found: str
    hint: str = ""


def diagnose(out: str | None = None) -> list[Check]:
    """All checks, most important first. `out` is the folder for runs."""
    settings, options = _settings(out)
    model = _model(options)
    checks = [
        Check("Python", sys.version_info >= (3, 11), f"{platform.python_version()} on {platform.system()}"),
        Check("moot", None, version("moot")),
        settings,
        *(Check("plug-in", False, fault, "Fix it, or do not name it.") for fault in plugin_faults()),
        *(Check("package", False, fault, "Fix it, or remove it.") for fault in package_faults()),
        model,
        *(check for found in offered("checks") for check in found(model.found)),
        _folder(options.out),
    ]
    for provider in describe_providers():
        if provider.name not in ("embedded", "scripted", "human"):
            state = "configured" if provider.configured else "not configured"
            checks.append(Check(provider.name, None, state, "" if provider.configured else provider.how))
    return checks


def _settings(out: str | None) -> tuple[Check, Options]:
    try:
        options = configure(out=out).options
    except MootError as error:
        return Check("settings", False, str(error), "Fix it, or remove it."), Options.model_validate({})
    return Check("settings", True, "config files and MOOT_* variables are sound, or absent"), options


def _model(options: Options) -> Check:
    chosen = options.model or SHIPPED_MODEL
    name = chosen if isinstance(chosen, str) else chosen[0]
    try:
        open_model(name, ModelSettings())
    except MootError as error:
        return Check("default model", False, str(error), "Choose another with -m or MOOT_MODEL.")
    return Check("default model", True, name)


def _folder(out: str) -> Check:
    folder = Path(out)
    existing = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    if existing.is_dir() and os.access(existing, os.W_OK):
        return Check("run folders", True, f"go to {out}")
    return Check("run folders", False, f"{existing} cannot be written to", "Choose another folder with --out.")
