"""Images as documents: their kind and size, from the first bytes. Nothing is decoded, so none can be a bomb here."""

from dataclasses import dataclass

MOST_BYTES = 3_000_000
"""The most that all images of a debate may have together. They are stored with the run, and sent with every request."""
MOST_PIXELS = 8_000
"""The longest side that providers take."""
_KINDS = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF87a": "gif", b"GIF89a": "gif"}
_FRAMES = (*range(0xC0, 0xC4), *range(0xC5, 0xC8), *range(0xC9, 0xCC), *range(0xCD, 0xD0))
"""The segments of a JPEG that have its size."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What an image is; `width` and `height` are 0 where its first bytes do not say them."""

    kind: str
    width: int = 0
    height: int = 0

    @property
    def media_type(self) -> str:
        return f"image/{self.kind}"

    @property
    def words(self) -> str:
        size = f", {self.width:,} × {self.height:,} pixels" if self.width and self.height else ""
        return f"An image ({self.kind.upper()}{size})."


def picture_in(body: bytes) -> Picture | None:
    """What kind of image these bytes are; None if they are none that models take."""
    kind = next((kind for start, kind in _KINDS.items() if body.startswith(start)), "")
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        kind = "webp"
    if not kind:
        return None
    if kind == "png":
        return Picture(kind, _number(body[16:20]), _number(body[20:24]))
    if kind == "gif":
        return Picture(kind, int.from_bytes(body[6:8], "little"), int.from_bytes(body[8:10], "little"))
    return Picture(kind, *(_size_of_jpeg(body) if kind == "jpeg" else (0, 0)))


def _size_of_jpeg(body: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 < len(body) and body[at] == 0xFF:
        if body[at + 1] in _FRAMES:
            return _number(body[at + 7 : at + 9]), _number(body[at + 5 : at + 7])
        at += 2 + max(2, _number(body[at + 2 : at + 4]))
    return 0, 0


def _number(part: bytes) -> int:
    return int.from_bytes(part, "big")
