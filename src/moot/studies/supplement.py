"""One file for the supplement of a paper: setup, rows, figures, versions, hashes, and a methods paragraph."""

import io
import json
import platform
import zipfile
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from moot.record.files import CHECKSUMS, checksums

PACKAGES = ("moot", "numpy", "scipy", "krippendorff", "pydantic")
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""A fixed timestamp, so that the same files give the same supplement."""


@cache
def versions() -> dict[str, str]:
    """The versions of the packages that computed the figures."""
    found = {"python": platform.python_version(), "platform": f"{platform.system()} {platform.machine()}"}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def supplement(files: Mapping[str, bytes], methods: str) -> bytes:
    """A ZIP archive of these files, with `methods.md`, `versions.json`, and the hash of each file in `SHA256SUMS`."""
    whole = {
        **files,
        "methods.md": f"{methods}\n".encode(),
        "versions.json": (json.dumps(versions(), indent=2) + "\n").encode(),
    }
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in (*sorted(whole.items()), (CHECKSUMS, checksums(whole))):
            target.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED)
    return archive.getvalue()


def sampling_words(by_role: Mapping[str, Any]) -> str:
    """Sampling settings by role, in words."""
    roles = {
        role: ", ".join(f"{name} {value}" for name, value in chosen.items() if value is not None)
        for role, chosen in by_role.items()
    }
    return "; ".join(f"{role}: {told}" for role, told in roles.items() if told) or "as each provider sets it"
