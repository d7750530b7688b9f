"""Passages from folders of code, configuration and documents. Blocks, so run it in a thread.

Files that git ignores are left out, and so are files that look binary, huge or secret. Files left out are counted.
"""

import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from moot.errors import ConfigError
from moot.evidence.git import listed
from moot.evidence.pages import decode, kind_of
from moot.evidence.ranking import Index, chunks
from moot.system.project import check_no_link
from moot.text import printable

MOST_FILES = 20_000
MOST_BYTES = 32 * 1024 * 1024
LARGEST_FILE = 512 * 1024
LARGEST_PDF = 20 * 1024 * 1024
WordsOf = Callable[[bytes], str | None]
"""Reads the words of a PDF; None if it has none that can be read."""
_IS_TEXT = re.compile(r"[^\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]*")
"""In any encoding, text has no control characters except white space and escapes."""
_SKIPPED_FOLDERS = {"node_modules", "__pycache__", "venv"}
_SECRET = (
    ".env",
    ".env.*",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "id_rsa*",
    "id_ed25519*",
    ".netrc",
    ".npmrc",
    ".pypirc",
)
"""Names of files that often contain keys. Passages are sent to models, possibly of third parties."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage of a file. `source` is `path:first-last`, and `quote` is verbatim from these lines."""

    source: str
    quote: str
    score: float


@dataclass(frozen=True, slots=True)
class Gathered:
    """The passages, the number of files read, and the numbers of files left out, by reason."""

    excerpts: list[Excerpt]
    files: int
    left_out: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Texts:
    """The text of each file with the name to cite it by, and the numbers of files left out, by reason."""

    texts: list[tuple[str, str]]
    left_out: Mapping[str, int]


def texts_of(paths: Iterable[str | Path], words_of: WordsOf | None = None) -> Texts:
    """The texts of all files in these folders, within the limits; PDFs only with `words_of`."""
    left_out: Counter[str] = Counter()
    texts: list[tuple[str, str]] = []
    read_bytes = 0
    for label, path in _files(paths, left_out):
        if len(texts) >= MOST_FILES or read_bytes >= MOST_BYTES:
            left_out["beyond the limits"] += 1
            continue
        text = _text(path, left_out, words_of)
        if text is not None:
            read_bytes += len(text)
            texts.append((label, text))
    return Texts(texts, dict(left_out))


def passages(paths: Iterable[str | Path], query: str, k: int) -> Gathered:
    """The k best passages for a query from the files in these folders (or from these files). Paths in sources are
    relative to the folder they were found in, and begin with its name."""
    read = texts_of(paths)
    places = [(label, chunk) for label, text in read.texts for chunk in chunks(text)]
    # The name of a file says something about its content.
    index = Index([f"{label}\n{chunk.text}" for label, chunk in places])
    found = [(places[hit.number], hit.score) for hit in index.best(query, k)]
    excerpts = [
        Excerpt(f"{label}:{chunk.first_line}-{chunk.last_line}", chunk.text, score) for (label, chunk), score in found
    ]
    return Gathered(excerpts, len(read.texts), read.left_out)


def _files(paths: Iterable[str | Path], left_out: Counter[str]) -> Iterator[tuple[str, Path]]:
    """Every file once, with the name to cite it by."""
    seen = set()
    for given in paths:
        check_no_link(Path(given))
        root = Path(given).resolve()
        if not root.exists():
            raise ConfigError(f"there is no {given}")
        inside = [root] if root.is_file() else sorted(_inside(root))
        for path in inside:
            label = root.name if path == root else f"{root.name}/{path.relative_to(root).as_posix()}"
            if path in seen:
                continue
            seen.add(path)
            if any(fnmatch(path.name.lower(), pattern) for pattern in _SECRET):
                left_out["may hold secrets"] += 1
            else:
                yield printable(label), path


def _inside(root: Path) -> Iterable[Path]:
    found = listed(root)
    if found is not None:
        return found
    return list(_walk(root))


def _walk(root: Path) -> Iterator[Path]:
    """All files except hidden ones, third-party code and build products."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _SKIPPED_FOLDERS]
        yield from (Path(folder, name) for name in names if not name.startswith("."))


def _text(path: Path, left_out: Counter[str], words_of: WordsOf | None) -> str | None:
    """The text of a file; None, and counted, if it is not readable text."""
    try:
        about = path.lstat()
        # Links in the path may lead out of the folder; pipes block.
        if not stat.S_ISREG(about.st_mode) or path.resolve() != path:
            left_out["not a regular file"] += 1
            return None
        if about.st_size > (LARGEST_PDF if words_of and path.suffix.lower() == ".pdf" else LARGEST_FILE):
            left_out["too large"] += 1
            return None
        body = path.read_bytes()
    except OSError:
        left_out["cannot be read"] += 1
        return None
    if kind_of(body, "") == "pdf":
        words = words_of(body) if words_of else None
        if words is None:
            left_out["PDF that cannot be read" if words_of else "binary"] += 1
        return words
    text = decode(body)
    if not _IS_TEXT.fullmatch(text):
        left_out["binary"] += 1
        return None
    return text
