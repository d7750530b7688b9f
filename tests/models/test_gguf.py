"""What the header of a model file says, and that no file can lead its reader astray."""

import os
import struct
from pathlib import Path

import pytest

from moot.models.gguf import Described, describe
from tests.kit.ggufs import header, write_model


def test_parameters_are_counted_tensor_by_tensor(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m.gguf", (1536, 151_936), (1536,), (8, 4, 2), architecture="qwen2")
    assert describe(path) == Described("qwen2", 1536 * 151_936 + 1536 + 64)


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m.gguf", (2, 2))
    assert describe(path) == Described("llama", 4)
    assert describe(write_model(path, (2, 2), (3,))) == Described("llama", 7)


@pytest.mark.parametrize("end", range(0, len(header((2, 2))), 7))
def test_a_header_that_is_cut_off_says_nothing(tmp_path: Path, end: int) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(header((2, 2))[:end])
    assert describe(path) is None


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04" + bytes(64),
        b"GGUF" + struct.pack("<IQQ", 3, 1 << 62, 0),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1 << 62),
        b"GGUF" + struct.pack("<IQQQ", 3, 1, 1, (1 << 64) - 1),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1) + b"k" + struct.pack("<I", 99),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1) + b"k" + struct.pack("<IIQ", 9, 9, 1 << 40),
        b"GGUF" + struct.pack("<IQQ", 1, 0, 0),
        b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + struct.pack("<Q", 1) + b"k" + struct.pack("<IQ", 8, (1 << 64) - 1),
        b"GGUF"
        + struct.pack("<IQQ", 3, 1, 1)
        + struct.pack("<Q", 1)
        + b"k"
        + struct.pack("<IIQ", 9, 10, (1 << 64) - 1),
        b"GGUF" + struct.pack("<IQQQIQ", 3, 1, 0, 0, 1 << 18, 0) + struct.pack("<Q", 1 << 63) * (1 << 18),
    ],
    ids=["zip", "tensors", "keys", "text", "type", "nested", "version", "value", "list", "dimensions"],
)
def test_what_no_header_can_be_says_nothing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(content)
    assert describe(path) is None


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "m.gguf")
    assert describe(tmp_path / "m.gguf") is None


def test_what_is_not_there_says_nothing(tmp_path: Path) -> None:
    assert describe(tmp_path / "none.gguf") is None
    assert describe(tmp_path) is None
