"""Reads the header of a GGUF file: the architecture of the model, and its number of parameters."""

import mmap
import stat
import struct
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from pathlib import Path

_ARCHITECTURE = "general.architecture"
_STRING, _ARRAY = 8, 9
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of a value by the number of its type."""
_MOST_ITEMS = 4_000_000
"""More keys, texts or tensors than any real file has."""
_MOST_DIMENSIONS = 4
"""The limit of llama.cpp. The product of many large numbers would take minutes."""
_LONGEST_TEXT = 1 << 16
"""Bytes of a key or a name."""


@dataclass(frozen=True, slots=True)
class Described:
    architecture: str
    parameters: int


def describe(path: Path) -> Described | None:
    """None if the header cannot be read or is incomplete."""
    try:
        found = path.stat()
        # Opening a pipe would wait for somebody who writes to it.
        return _describe(path, found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None
    except OSError:
        return None


@lru_cache(maxsize=256)
def _describe(path: Path, size: int, changed: int) -> Described | None:  # noqa: ARG001 (a changed file is read again)
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _Header(data).read()
    except (ValueError, struct.error, KeyError):  # empty, cut off, or not what it says
        return None


class _Header:
    """Reads values from the current position."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self._at = 0
        self._items = 0

    def read(self) -> Described | None:
        if self._data[:4] != b"GGUF":
            return None
        self._at = 4
        version, tensors, keys = self._number("<IQQ")
        if version < 2:  # it had shorter counts, and no model of today is written so
            return None
        architecture = ""
        for _ in self._counted(keys):
            key, [kind] = self._text(), self._number("<I")
            if key == _ARCHITECTURE and kind == _STRING:
                architecture = self._text()
            else:
                self._skip(kind)
        return Described(architecture, sum(self._tensor() for _ in self._counted(tensors)))

    def _tensor(self) -> int:
        """The parameters of the next tensor."""
        self._text()
        [dimensions] = self._number("<I")
        if dimensions > _MOST_DIMENSIONS:
            raise ValueError("a tensor with too many dimensions")
        found = prod(self._number("<Q")[0] for _ in range(dimensions))
        self._number("<IQ")
        return found

    def _counted(self, number: int) -> range:
        self._items += number
        if self._items > _MOST_ITEMS:
            raise ValueError("too many items")
        return range(number)

    def _number(self, form: str) -> tuple[int, ...]:
        found = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return found

    def _text(self) -> str:
        [length] = self._number("<Q")
        if length > _LONGEST_TEXT:
            raise ValueError("a text that is too long")
        start = self._at
        self._pass(length)
        return self._data[start : self._at].decode("utf-8", "replace")

    def _pass(self, length: int) -> None:
        self._at += length
        if self._at > len(self._data):
            raise ValueError("it ends before that")

    def _skip(self, kind: int) -> None:
        if kind == _STRING:
            [length] = self._number("<Q")
            self._pass(length)
        elif kind == _ARRAY:
            inner, length = self._number("<IQ")
            if inner == _STRING:
                for _ in self._counted(length):
                    self._skip(_STRING)
            else:  # no writer puts lists into lists
                self._pass(_SIZES[inner] * length)
        else:
            self._pass(_SIZES[kind])
