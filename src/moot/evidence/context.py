"""Reading documents for a debate: files, folders, pages, and differences between git revisions. Blocks.

Everything is read whole or not at all; what a folder leaves out is said.
"""

import asyncio
import base64
import re
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from moot.errors import ConfigError
from moot.evidence.diffs import title_of_diff, unseen, without_colours
from moot.evidence.fetch import Fetcher, loopback_allowed
from moot.evidence.folders import texts_of
from moot.evidence.git import difference
from moot.evidence.pages import Problem, Text, Unfetched, decode, heading, kind_of
from moot.evidence.reader import Readers
from moot.plugins.extras import require
from moot.system.project import check_no_link
from moot.text.images import picture_in
from moot.text.prose import plural

LARGEST_FILE = 20 * 1024 * 1024
READING_SECONDS = 60.0
FOLDER_SECONDS = 180.0
KEY = "documents"
_URL = re.compile(r"https?://", re.IGNORECASE)
_TYPES = {".html": "text/html", ".htm": "text/html", ".xhtml": "text/html"}


@dataclass(frozen=True, slots=True)
class Found:
    """A document that was read. `left_out` says what was not read."""

    title: str
    text: str
    source: str = ""
    left_out: str = ""
    image: str = ""
    """The bytes of an image, in Base64."""

    def document(self) -> Mapping[str, str]:
        told = {"title": self.title[:300], "text": self.text, "source": self.source, "left_out": self.left_out}
        return told | ({"image": self.image} if self.image else {})


def read_context(name: str, most: int, within: Path | None = None) -> Found:
    """Read what a name means: a page, a file, a folder, or a git revision or range. At most this many characters of a
    folder are read; ConfigError if there is nothing to read. Names are relative to the folder `within`, if there is
    one, and nothing outside of it is read."""
    if _URL.match(name):
        return _page(name)
    if not name.strip() or name.startswith("-") or "\0" in name:
        raise ConfigError(f"{name!r} is no file, folder, address or git revision", KEY)
    path = _placed(name, within)
    try:
        if path.is_dir():
            return _folder(path, name, most)
        if path.is_file():
            return read_file(path, name)
    except OSError as error:
        raise ConfigError(f"{name} cannot be read: {error.strerror}", KEY) from error
    try:
        text = difference(within or Path.cwd(), name)
    except ConfigError as error:
        raise ConfigError(f"there is no file or folder {name}, and it is no git revision: {error}", KEY) from error
    if text is None:
        raise ConfigError(
            f"there is no file or folder {name}, and it is no git revision: this is not a git repository", KEY
        )
    if not text.strip():
        raise ConfigError(f"git finds no difference for {name}", KEY)
    return Found(f"git diff {name}", text, f"git diff {name}", unseen(text))


def _placed(name: str, within: Path | None) -> Path:
    try:
        path = (within or Path()) / Path(name).expanduser()
        outside = within is not None and not path.resolve().is_relative_to(within.resolve())
    except (OSError, RuntimeError) as error:
        raise ConfigError(f"{name!r} is no file, folder, address or git revision: {error}", KEY) from error
    if outside:
        raise ConfigError(f"{name} lies outside of the folder of the file that names it; give it with --context", KEY)
    check_no_link(path, KEY)
    return path


def read_file(path: Path, name: str) -> Found:
    """The text of a file: Markdown, text, source code and JSON as they are, PDF and HTML as their words."""
    with path.open("rb") as file:
        body = file.read(LARGEST_FILE + 1)
    return read_body(body, path.name, name)


def read_body(body: bytes, name: str, source: str = "") -> Found:
    """The same for the content of a file with that name."""
    if len(body) > LARGEST_FILE:
        raise ConfigError(f"{name}: a document may have {LARGEST_FILE:,} bytes", KEY)
    if (picture := picture_in(body)) is not None:
        return Found(name, picture.words, source, image=base64.b64encode(body).decode())
    kind = _TYPES.get(Path(name).suffix.lower(), "")
    if kind_of(body, kind) in ("pdf", "html"):
        found = _extracted(body, kind)
        if isinstance(found, Problem):
            raise ConfigError(f"{name}: {found.words}", KEY)
        return Found(found.title or Path(name).stem, found.text, source)
    text = without_colours(decode(body))
    if "\0" in text:
        raise ConfigError(f"{name} is not text, but binary", KEY)
    if not text.strip():
        raise ConfigError(f"{name} is empty", KEY)
    title = heading(text) if Path(name).suffix.lower() in (".md", ".markdown") else ""
    change = title_of_diff(text)
    return Found(title or change or name, text, source, unseen(text) if change else "")


def _extracted(body: bytes, kind: str) -> Text | Problem:
    """The words of a PDF or a page, read by a confined process."""
    require("evidence")
    with closing(Readers()) as readers:
        return readers.read(body, kind, None, READING_SECONDS)


def _page(url: str) -> Found:
    require("evidence")

    async def fetched() -> Found:
        async with Fetcher(allow_loopback=loopback_allowed()) as fetcher:
            page = await fetcher.fetch(url)
        if isinstance(page, Unfetched):
            raise ConfigError(f"{url} cannot be read: {page.words}", KEY)
        return Found(page.title or url, page.text, page.final_url)

    with ThreadPoolExecutor(1) as thread:  # the caller may have an event loop
        return thread.submit(lambda: asyncio.run(fetched())).result()


def _folder(path: Path, name: str, most: int) -> Found:
    """The files of a folder one after the other, each under its name. PDFs are read for their words."""
    parts: list[str] = []
    room, beyond, until = most, 0, time.monotonic() + FOLDER_SECONDS

    def words_of(body: bytes) -> str | None:
        """Those of a PDF, as long as there is time for all of them together."""
        left = until - time.monotonic()
        with suppress(ConfigError):
            require("evidence")
            found = readers.read(body, "", None, min(left, READING_SECONDS)) if left > 0 else None
            return found.text if isinstance(found, Text) else None
        return None

    with closing(Readers()) as readers:  # one process reads all of them
        read = texts_of([path], words_of)
    for label, text in read.texts:
        part = f"=== {label}\n{text.rstrip()}\n"
        if len(part) > room:
            beyond += 1
            continue
        parts.append(part)
        room -= len(part)
    if not parts:
        raise ConfigError(f"there is no text to read in the folder {name}", KEY)
    left_out = {**read.left_out, **({"more than fit": beyond} if beyond else {})}
    words = ", ".join(f"{plural(count, 'file')} ({why})" for why, count in left_out.items())
    title = f"{path.resolve().name}/, {plural(len(parts), 'file')}"
    return Found(title, "\n".join(parts), name, words)
