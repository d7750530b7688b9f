"""A run in its own folder."""

import asyncio
import hashlib
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from moot.errors import RunBusy
from moot.record.files import check_folder, keep_whole, open_file, read_file, strangers, write_whole
from moot.record.lines import LineFile, last_line, read_lines
from moot.record.log import head_of, placed
from moot.record.stores.base import CONFIG, LOG
from moot.system import lock


@dataclass(frozen=True, slots=True)
class Folder:
    path: Path

    @property
    def name(self) -> str:
        return self.path.name or self.path.resolve().name

    @property
    def address(self) -> str:
        return str(self.path)

    @property
    def out(self) -> str:
        return str(self.path.parent)

    @contextmanager
    def hold(self) -> Iterator[None]:
        check_folder(self.path)
        with self._lockable() as file:
            for _ in range(20):
                if lock(file):
                    break
                # A process that checks whether the run is busy holds the lock for an instant without running it.
                time.sleep(0.01)
            else:
                raise RunBusy(f"another process is running {self.path}; wait for it to end, or stop it and resume")
            yield

    @property
    def busy(self) -> bool:
        with self._lockable() as file:
            return not lock(file, shared=True)

    def lines(self, name: str) -> LineFile:
        return LineFile(self.path / name)

    def read_lines(self, name: str) -> list[bytes]:
        return read_lines(self.path / name)

    def read(self, name: str) -> bytes | None:
        return read_file(self.path / name)

    def write(self, name: str, text: str) -> None:
        write_whole(self.path / name, text.encode())

    async def keep(self, documents: Mapping[str, str]) -> None:
        await asyncio.gather(*(keep_whole(self.path / name, text.encode()) for name, text in documents.items()))

    def names(self) -> list[str]:
        check_folder(self.path)
        files = sorted(path.name for path in self.path.iterdir() if path.is_file() and not path.name.startswith("."))
        return [name for name in files if name != CONFIG] + [CONFIG]

    def size(self, name: str) -> int:
        path = self.path / name
        return path.stat().st_size if path.exists() else 0

    def add_entry(self, draft: bytes) -> int:
        with closing(self.lines(LOG)) as lines, lines.locked():
            before = lines.new_lines()
            lines.append(placed(draft, len(before), head_of(before)))
            lines.sync()
        return len(before)

    def last_line(self, name: str) -> bytes | None:
        return last_line(self.path / name)

    def sha256(self, name: str) -> str:
        content = self.read(name)
        return "" if content is None else hashlib.sha256(content).hexdigest()

    def set_aside(self) -> list[str]:
        return sorted(path.name for path in self.path.glob("*.torn-*"))

    def strangers(self) -> list[str]:
        """Descriptions of files in the folder that lead out of it."""
        return strangers(self.path)

    def remove(self) -> None:
        shutil.rmtree(self.path)

    def _lockable(self) -> BinaryIO:
        # The frozen config is never written again, so a lock on it only means that somebody runs this.
        return os.fdopen(open_file(self.path / CONFIG), "rb")
