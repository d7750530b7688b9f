"""Publishing: a site of chosen runs, written into a folder that is a site already, or empty."""

import asyncio
import hashlib
import re
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from moot.engine.outcome.material import Material, gather
from moot.engine.staging.finding import known_as
from moot.engine.staging.run import result_of
from moot.engine.staging.runs import Run
from moot.errors import ConfigError, RunBusy
from moot.publish.site import Site, site_files
from moot.record.files import CHECKSUMS, read_file, write_whole

TITLE = "Debates"
INDEX, MADE_BY = "index.html", b'<meta name="generator" content="moot">'
"""The page that a site of moot has, and the mark in it."""
_FILE = re.compile(r"[\w~-]{1,180}")


async def publish(runs: Sequence[Run], folder: Path, *, title: str = TITLE, address: str = "") -> list[str]:
    """Write a site of these runs, the newest first, and return the names of its files.

    An earlier site in the folder is replaced as a whole. ConfigError if the folder has anything else in it, or a page
    that was changed since; RunBusy if a run is in progress.
    """
    if not runs:
        raise ConfigError("there is no run to publish")
    site = Site(title.strip() or TITLE, _checked(address))
    await asyncio.to_thread(_check_folder, folder)
    debates: dict[str, Material] = {}
    # Names begin with the time; runs of one study may have the same.
    by_name = sorted({run.address: run for run in runs}.values(), key=lambda run: run.name)
    for run in sorted(by_name, key=lambda run: run.place.name, reverse=True):
        if run.busy:
            raise RunBusy(f"{run.name} is running; publish it when it has ended")
        name = run.name if _FILE.fullmatch(run.name) else known_as(run.name)
        if name in debates:
            raise ConfigError(f"two of these runs are called {name}")
        debates[name] = replace(gather(run, await result_of(run)), name=run.name)
    files = await asyncio.to_thread(site_files, site, debates)
    await asyncio.to_thread(_replace, folder, files)
    return sorted(files)


def _checked(address: str) -> str:
    if not address:
        return ""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise ConfigError("the address of a site begins with https:// and has no query", "address")
    return address.rstrip("/") + "/"


def _check_folder(folder: Path) -> None:
    """ConfigError if the folder holds anything but a site."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise ConfigError(f"{folder} is not a folder")
    found = {path.name for path in folder.iterdir()} if folder.exists() else set()
    if not found:
        return
    listed = (read_file(folder / CHECKSUMS) or b"").decode("utf-8", "replace").splitlines()
    known = {name: digest for digest, _, name in (line.partition("  ") for line in listed)}
    if MADE_BY not in (read_file(folder / INDEX) or b"" if INDEX in found & known.keys() else b""):
        raise ConfigError(f"{folder} is not empty, and no site of moot; choose another folder")
    for name in sorted(found - {CHECKSUMS}):
        if name not in known:
            raise ConfigError(f"{folder} holds what moot did not write there: {name}; choose another folder")
        if hashlib.sha256(read_file(folder / name) or b"").hexdigest() != known[name]:
            raise ConfigError(f"{folder} was changed since moot wrote it: {name}; choose another folder, or delete it")


def _replace(folder: Path, files: dict[str, bytes]) -> None:
    """Replace the folder with the files. After a crash, the old site or the new one is complete, at worst next to the
    folder, under a name that begins with a dot."""
    folder = folder.absolute()
    mark = secrets.token_hex(8)
    fresh, old = (folder.with_name(f".{folder.name[:100]}.{mark}.{which}") for which in ("new", "old"))
    try:
        fresh.mkdir(parents=True)
        for name, data in files.items():
            write_whole(fresh / name, data, sync=False)
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        if old.exists() and not folder.exists():
            old.rename(folder)
        raise ConfigError(f"the site {folder} cannot be written: {error.strerror}") from error
    shutil.rmtree(old, ignore_errors=True)
