"""Kilobytes that unpack to gigabytes: replies, pages, answers of tools, PDFs and tables are read up to a bound."""

import asyncio
import resource
import zlib
from collections.abc import Awaitable, Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import NotAReply
from moot.evidence.fetch import Fetcher
from moot.evidence.pages import Problem, Text, Unfetched
from moot.evidence.reader import Readers
from moot.evidence.tools import McpServer
from moot.models.http import Endpoint, post_events, post_json
from moot.studies.evaluate.loading import read_records
from tests.kit.pages import patient_readers, pdf_of
from tests.kit.raw_servers import answering, head
from tests.kit.waiting import PATIENCE

pa: Any = import_module("pyarrow")
pq: Any = import_module("pyarrow.parquet")
UNPACKED = 1 << 27
PACKED = b"/Filter /FlateDecode "
SPARE = 1 << 26
"""What reading may take in memory, far less than what is unpacked."""


@pytest.fixture(autouse=True, scope="module")
def patient() -> Iterator[None]:
    with patient_readers():
        yield


@cache
def bomb(encoding: str) -> bytes:
    packer, blanks = zlib.compressobj(9, zlib.DEFLATED, 31 if encoding == "gzip" else 15), b" " * (1 << 20)
    return b"".join([*(packer.compress(blanks) for _ in range(UNPACKED >> 20)), packer.flush()])


def most_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


async def reply_of(url: str) -> object:
    with pytest.raises(NotAReply, match="sent more than 16 MiB"):
        await post_json(Endpoint(f"{url}/v1"), "/chat", {}, "model")
    return None


async def stream_of(url: str) -> object:
    with pytest.raises(NotAReply, match="too large to be a model reply"):
        await post_events(Endpoint(f"{url}/v1"), "/chat", {}, "model", lambda event: False)
    return None


async def page_of(url: str) -> object:
    async with Fetcher(allow_loopback=True) as fetcher:
        found = await fetcher.fetch(f"{url}/")
    assert isinstance(found, Unfetched) and found.kind == "huge"
    return found


async def tools_of(url: str) -> object:
    with pytest.raises(LookupError, match="compressed"):
        await McpServer("hostile", url=f"{url}/mcp").offered()
    return None


@pytest.mark.parametrize(
    ("reads", "content_type", "encoding"),
    [
        (reply_of, "application/json", "gzip"),
        (reply_of, "application/json", "deflate"),
        (stream_of, "text/event-stream", "deflate"),
        (page_of, "text/html", "gzip"),
        (page_of, "text/html", "deflate"),
        (tools_of, "application/json", "gzip"),
        (tools_of, "text/event-stream", "deflate"),
    ],
)
async def test_a_packed_answer_is_read_up_to_a_bound(
    reads: Callable[[str], Awaitable[object]], content_type: str, encoding: str
) -> None:
    packed = bomb(encoding)

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(head(content_type, len(packed), encoding) + packed)
        await writer.drain()

    before = most_memory()
    async with answering(answer) as url:
        await reads(url)
    assert most_memory() - before < SPARE


def test_a_packed_stream_of_a_pdf_costs_its_reader() -> None:
    readers = Readers(memory=400 << 20)
    try:
        found = readers.read(pdf_of(bomb("deflate"), PACKED), "application/pdf", None, PATIENCE)
        assert isinstance(found, Problem) or len(found.text) < 1000
        packed = zlib.compress(b"BT /F1 9 Tf (Words that can be read.) Tj ET")
        assert isinstance(readers.read(pdf_of(packed, PACKED), "application/pdf", None, PATIENCE), Text | Problem)
    finally:
        readers.close()


def rows(count: int, text: str) -> Any:
    return pa.table({"question": [text] * count, "answer": ["yes"] * count})


WRITERS: dict[str, Callable[[Any, Path], None]] = {
    "one value in every row.parquet": lambda table, path: pq.write_table(table, path, compression="zstd"),
    "many values.parquet": lambda table, path: pq.write_table(table, path, compression="zstd", use_dictionary=False),
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_packed_table_is_read_up_to_a_bound(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / name
    monkeypatch.setattr("moot.studies.evaluate.loading.MAX_UNPACKED_BYTES", 5_000_000)
    WRITERS[name](rows(1000, "x" * 10_000), path)
    assert path.stat().st_size < 100_000
    with pytest.raises(moot.ConfigError, match="unpacked"):
        read_records(path)
    WRITERS[name](rows(300, "x" * 10_000), path)
    assert len(read_records(path)[0]) == 300
