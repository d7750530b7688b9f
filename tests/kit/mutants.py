"""Mutated run folders, and everything that reads one."""

import asyncio
import contextlib
import io
import json
import logging
import os
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import moot
from moot.engine.staging.run import result_of
from moot.pipelines.documents import Review, comment, junit
from moot.publish.decisions import keep_decisions
from moot.publish.folder import publish
from moot.runs import bin as runs_bin
from moot.runs.search import has_words
from moot.runs.tags import set_tags, tags_of
from moot.service.host import Host
from moot.testing import ScriptedModel
from tests.kit.duels import full_script, play, small_config, staged, take_up

FILES = ("config.yaml", "log.jsonl", "calls.jsonl", "result.json", "report.md", "receipt.json", "tags.json")
PIECES = [
    *(b"\0" * 50, b"\n", b"\n\n", b"{", b"[" * 3000, b'"', b"NaN", b"1e999", b"9" * 5000, b"\xff\xfe", b"null", b"-1"),
    *(b"true", b"\\ud800", b"\x1b[31m", b"../../x", b"{}", b"moot:", b"&a *a", b"!!python/object:os.system", b"\r"),
]
IN_PLACE = ("flip", "cut", "insert", "double", "drop", "swap", "empty", "value", "value")
ODD: list[Any] = [
    *(None, True, -1, 1e300, 10**30, "", "\x1b[31m<b>", "../../x", [], [[]], {}, {"": None}, "a" * 5000, [None] * 99)
]
"""Values that stand where others should."""


class Fuzzer:
    """`ends` counts how the acts ended."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.outside = folder / "outside"
        self.outside.mkdir()
        (self.outside / "treasure").write_bytes(b"the owner's own words\n")
        done = staged(folder / "done").path
        stopped = play(small_config(folder / "stopped", 2, max_calls=6), ScriptedModel(full_script(2))).run
        set_tags(moot.Run(done), ["one", "two"])
        self.originals = [done, Path(stopped)]
        self.ends: Counter[str] = Counter()

    def attack(self, seed: int) -> list[str]:
        """Mutate a run by that seed, use it in every way, and say what went wrong."""
        draw = random.Random(seed)
        place = self.folder / "place"
        shutil.rmtree(place, ignore_errors=True)
        run = place / "20260101T000000Z-mutant"
        shutil.copytree(draw.choice(self.originals), run)
        changes = [self._mutate(draw, run) for _ in range(draw.choice([1, 1, 1, 2, 3]))]
        logger = logging.getLogger("moot")
        before = logger.level
        logger.setLevel(logging.CRITICAL)
        try:
            faults = [f"{name} after {changes}: {why}" for name, act in acts(run) if (why := self._attempt(act))]
        finally:
            logger.setLevel(before)
        beside = set(os.listdir(place)) - {run.name, runs_bin.BIN}  # noqa: PTH208
        if sorted(os.listdir(self.outside)) != ["treasure"] or beside:  # noqa: PTH208
            faults.append(f"something was written outside after {changes}")
        if (self.outside / "treasure").read_bytes() != b"the owner's own words\n":
            faults.append(f"a file outside was changed after {changes}")
        return faults

    def _mutate(self, draw: random.Random, run: Path) -> str:
        file = run / draw.choice(FILES)
        kind = draw.choice([*IN_PLACE, "link", "torn link", "pipe", "folder", "gone"])
        if kind in IN_PLACE and file.is_file() and not file.is_symlink():
            file.write_bytes(mutated(draw, kind, file.read_bytes()))
        elif kind == "torn link" and file.is_file() and not file.is_symlink():
            file.write_bytes(file.read_bytes() + b'{"torn')
            aside = run / f"{file.name}.torn-1"
            aside.unlink(missing_ok=True)
            aside.symlink_to(self.outside / "new")
        elif kind not in IN_PLACE and not file.is_dir():
            file.unlink(missing_ok=True)
            self._put(draw, kind, file)
        return f"{kind} {file.name}"

    def _put(self, draw: random.Random, kind: str, file: Path) -> None:
        if kind == "link":
            file.symlink_to(self.outside / draw.choice(["treasure", "new"]))
        elif kind == "pipe":
            os.mkfifo(file)
        elif kind == "folder":
            file.mkdir()

    def _attempt(self, act: Callable[[], object]) -> str | None:
        """What went wrong, other than in one line that says what."""
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                act()
            self.ends["well"] += 1
        except (moot.MootError, OSError) as error:
            self.ends[type(error).__name__] += 1
        except Exception as error:
            return f"{type(error).__name__}: {error}"[:300]
        return None


def mutated(draw: random.Random, kind: str, content: bytes) -> bytes:
    lines, at = content.splitlines(keepends=True), draw.randrange(len(content) + 1)
    match kind:
        case "flip" if at < len(content):
            return content[:at] + bytes([content[at] ^ 1 << draw.randrange(8)]) + content[at + 1 :]
        case "cut":
            return content[:at]
        case "insert":
            return content[:at] + draw.choice(PIECES) + content[at:]
        case "double" if lines:
            return content + draw.choice(lines)
        case "drop" if lines:
            lines.pop(draw.randrange(len(lines)))
        case "swap":
            draw.shuffle(lines)
        case "empty":
            return b""
        case "value":
            number = draw.randrange(len(lines)) if len(lines) > 1 and content.startswith(b'{"') else None
            return _with_odd_value(draw, content, lines, number)
    return b"".join(lines)


def _with_odd_value(draw: random.Random, content: bytes, lines: list[bytes], number: int | None) -> bytes:
    """The same JSON, or the same with one line of it, in which one value is another."""
    try:
        document = json.loads(content if number is None else lines[number])
    except ValueError:
        return content
    places = list(values_in(document))
    if not places:
        return content
    holder, key = draw.choice(places)
    holder[key] = draw.choice(ODD)
    written = json.dumps(document, ensure_ascii=False).encode() + b"\n"
    return written if number is None else b"".join([*lines[:number], written, *lines[number + 1 :]])


def values_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every value in it, as what holds it and where."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield value, key
            yield from values_in(inner)


def acts(path: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """All that is done with a run: first what reads it, and then what writes."""

    def run() -> moot.Run:
        return moot.Run(path)

    async def for_a_pipeline() -> None:
        result = await result_of(run())
        comment(Review.of(result)), junit(Review.of(result))

    yield "list", lambda: [(one.unreadable, one.result()) for one in moot.list_runs(str(path.parent))]
    yield "gallery", lambda: Host(path.parent).shelf.cards()  # noqa: PLW0108 (a folder that cannot be read fails here)
    yield "verify", lambda: moot.verify(run())
    yield "show", lambda: run().readable()
    yield "replay", lambda: asyncio.run(moot.replay(run()))
    yield "export", lambda: asyncio.run(moot.export(run(), "json"))
    yield "view", lambda: moot.seen_by(run(), "Ada")
    yield "search", lambda: has_words(run(), ["nowhere"], [])
    yield "follow-up", lambda: moot.follow_up(run(), "And then?", out=str(path))
    yield "pipeline", lambda: asyncio.run(for_a_pipeline())
    yield "bundle", lambda: asyncio.run(publish([run()], path / "site")) if path.is_dir() else None
    yield "decisions", lambda: asyncio.run(keep_decisions(path / "kept", [run()])) if path.is_dir() else None
    yield "tags", lambda: (tags_of(run()), set_tags(run(), ["mine"]))
    yield "fork", lambda: moot.fork(run(), 2, out=str(path / "forks")) if path.is_dir() else None
    yield "append", lambda: moot.append_outside(run(), phase="opening", speaker="Zoe", type="note", content="hello")
    yield "report", lambda: asyncio.run(moot.rebuild(run()))
    yield "resume", lambda: take_up(run(), ScriptedModel(lambda request: "Ada"), max_calls=10)
    yield "bin", lambda: runs_bin.restore(runs_bin.discard(run()).name, str(path.parent))
