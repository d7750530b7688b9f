"""A closed pack of evidence: a folder of documents that are the only sources of a debate.

Each Markdown, text or PDF file is one document; a JSONL file has one `{"url", "title", "text"}` per line. Markdown may
begin with YAML front matter with `url` and `title`. README files describe the pack and are not part of it.
"""

import os
from collections.abc import Iterator
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from moot.errors import ConfigError
from moot.evidence.addresses import normal
from moot.evidence.pages import LONGEST_TEXT, Problem, Unfetched, decode, heading, read_pdf, sha256, tidy
from moot.evidence.ranking import Index, chunks
from moot.present.data import Data, first_fault, read_as
from moot.system.project import check_no_link
from moot.text import printable
from moot.text.yaml import parse_yaml

MOST_DOCUMENTS = 5_000
LARGEST_FILE = 10 * 1024 * 1024
LARGEST_PACK = 100 * 1024 * 1024
LONGEST_FRONT_MATTER = 8_192
_KINDS = {".md", ".markdown", ".txt", ".pdf", ".jsonl"}


class Document(Data):
    """One document of a pack. `sha256` is the hash of the text in UTF-8."""

    url: str
    title: str
    text: str
    sha256: str


class Passage(Data):
    """A verbatim section of a document, with its BM25 score for the query."""

    url: str
    title: str
    text: str
    start: int
    score: float


class _About(BaseModel):
    """The keys read from front matter; other keys are ignored."""

    url: Annotated[str, Field(min_length=1, max_length=2000, pattern=r"^\S+$")] | None = None
    title: Annotated[str, Field(min_length=1, max_length=300)] | None = None


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    url: Annotated[str, Field(min_length=1, max_length=2000, pattern=r"^\S+$")]
    title: Annotated[str, Field(min_length=1, max_length=300)]
    text: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


class Corpus:
    """The documents of a pack, in the order of their file names. `ignored` names files of other types."""

    def __init__(self, documents: list[Document], ignored: list[str] | None = None) -> None:
        self.documents = documents
        self.ignored = ignored or []
        self._by_url = {normal(document.url): document for document in documents}

    @classmethod
    def load(cls, folder: str | Path) -> "Corpus":
        """Read a pack; ConfigError, with file and line, if it is invalid."""
        root = Path(folder)
        check_no_link(root)
        if not root.is_dir():
            raise ConfigError(f"there is no folder {root}")
        paths = _files(root)
        documents: list[Document] = []
        places: dict[str, str] = {}
        for path in (one for one in paths if one.suffix.lower() in _KINDS):
            for place, document in _documents(root, path):
                key = normal(document.url)
                if key in places:
                    raise ConfigError(f"{place}: {document.url} is in {places[key]} too")
                places[key] = place
                documents.append(document)
                if len(documents) > MOST_DOCUMENTS:
                    raise ConfigError(f"{root}: a pack may have {MOST_DOCUMENTS:,} documents, and this has more")
        if not documents:
            raise ConfigError(f"{root}: no Markdown, text, PDF or JSONL documents in it")
        return cls(documents, [str(path.relative_to(root)) for path in paths if path.suffix.lower() not in _KINDS])

    def get(self, url: str) -> Document | None:
        """The document with this URL, ignoring the case of the host and a final slash."""
        return self._by_url.get(normal(url))

    def look_up(self, url: str) -> Document | Unfetched:
        """Answer like a fetcher, as if the pack were the whole web."""
        return self.get(url) or Unfetched(url=url, kind="absent", words="it is not in the evidence pack")

    def search(self, query: str, k: int) -> list[Passage]:
        """The best passages for a query, at most k; ties are in the order of the documents."""
        return [
            self._passages[hit.number].model_copy(update={"score": hit.score}) for hit in self._index.best(query, k)
        ]

    @cached_property
    def _passages(self) -> list[Passage]:
        return [
            Passage(url=document.url, title=document.title, text=chunk.text, start=chunk.start, score=0.0)
            for document in self.documents
            for chunk in chunks(document.text)
        ]

    @cached_property
    def _index(self) -> Index:
        return Index([f"{passage.title}\n{passage.text}" for passage in self._passages])


def shipped_packs() -> dict[str, Path]:
    """The packs that come with moot: their names and folders."""
    root = Path(str(files("moot") / "data" / "evidence"))
    return {path.name: path for path in sorted(root.iterdir()) if path.is_dir()}


def _files(root: Path) -> list[Path]:
    """The files of a pack, sorted. Links and hidden files are ignored."""
    found: list[Path] = []
    total = 0
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for path in (Path(folder, name) for name in names if not name.startswith(".")):
            if path.is_symlink() or not path.is_file() or path.stem.lower() == "readme":
                continue
            size = path.stat().st_size
            total += size
            if size > LARGEST_FILE:
                raise ConfigError(f"{path}: a file of a pack may have {LARGEST_FILE:,} bytes, not {size:,}")
            found.append(path)
            if total > LARGEST_PACK or len(found) > MOST_DOCUMENTS:
                raise ConfigError(f"{root}: a pack may have {MOST_DOCUMENTS:,} files and {LARGEST_PACK:,} bytes")
    return sorted(found)


def _documents(root: Path, path: Path) -> Iterator[tuple[str, Document]]:
    """The documents of a file, each with the place to name in errors."""
    try:
        body = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    name = f"pack:{root.resolve().name}/{path.relative_to(root).as_posix()}".replace(" ", "%20")
    kind = path.suffix.lower()
    if kind == ".jsonl":
        yield from _lines(path, _text(path, body))
    elif kind == ".pdf":
        read = read_pdf(body)
        if isinstance(read, Problem):
            raise ConfigError(f"{path}: {read.words}")
        yield str(path), _document(str(path), name, read.title or path.stem, read.text)
    else:
        about, text = _front_matter(path, _text(path, body)) if kind != ".txt" else (_About(), _text(path, body))
        title = about.title or heading(text) or path.stem
        yield str(path), _document(str(path), about.url or name, title, text)


def _lines(path: Path, text: str) -> Iterator[tuple[str, Document]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        try:
            found = read_as(_Line, line)
        except ValidationError as error:
            raise ConfigError(f"{place}: {first_fault(error)}") from None
        yield place, _document(place, found.url, found.title, found.text)


def _document(place: str, url: str, title: str, text: str) -> Document:
    text = tidy(text)
    if not text:
        raise ConfigError(f"{place}: there is no text in it")
    if len(text) > LONGEST_TEXT:
        raise ConfigError(f"{place}: a document may have {LONGEST_TEXT:,} characters, not {len(text):,}")
    return Document(url=printable(url), title=" ".join(tidy(title).split()), text=text, sha256=sha256(text))


def _text(path: Path, body: bytes) -> str:
    text = decode(body)
    if "\0" in text:
        raise ConfigError(f"{path}:{text.count(chr(10), 0, text.index(chr(0))) + 1}: not text, but binary")
    return text.replace("\r\n", "\n")


def _front_matter(path: Path, text: str) -> tuple[_About, str]:
    if not text.startswith("---\n"):
        return _About(), text
    end = text.find("\n---\n", 3, LONGEST_FRONT_MATTER)
    if end < 0:
        raise ConfigError(f"{path}:1: front matter without its closing --- within {LONGEST_FRONT_MATTER:,} characters")
    try:
        found = parse_yaml(text[4:end].encode(), f"{path}, front matter", may_be_empty=True)
        return _About.model_validate(found), text[end + 5 :]
    except ValidationError as error:
        raise ConfigError(f"{path}:1: front matter: {first_fault(error)}") from None
