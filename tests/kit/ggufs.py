"""GGUF files with a header and nothing behind it."""

import struct
from pathlib import Path


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def header(*tensors: tuple[int, ...], architecture: str = "llama") -> bytes:
    """The header of a model with tensors of these dimensions, and with keys of several types before them."""
    keys = [
        text("general.architecture") + struct.pack("<I", 8) + text(architecture),
        text("general.alignment") + struct.pack("<II", 4, 32),
        text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 3) + text("a") + text("bc") + text("é"),
        text("tokenizer.ggml.scores") + struct.pack("<IIQ", 9, 6, 2) + struct.pack("<ff", 0.5, 1.5),
        text("llama.rope") + struct.pack("<Id", 12, 1e6),
    ]
    shapes = [
        text(f"blk.{number}") + struct.pack(f"<I{len(one)}QIQ", len(one), *one, 0, 0)
        for number, one in enumerate(tensors)
    ]
    return b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys)) + b"".join(keys + shapes)


def write_model(path: Path, *tensors: tuple[int, ...], architecture: str = "llama") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(header(*tensors, architecture=architecture))
    return path
