"""The card of a debate for previews of links: a PNG with its question, the answer and a reason.

Previews take no SVG, and no library that draws is needed for this: the letters were drawn once, by
`scripts/card-glyphs` from the DejaVu fonts, and are copied here. They are those of languages in Latin script; a debate
with others has no card.
"""

import json
import struct
import unicodedata
import zlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from moot.text import cut

WIDTH, HEIGHT = 1200, 630
MARGIN = 80
LEVELS = 16
PAPER = (250, 249, 246)
INKS = {"ink": (28, 30, 34), "accent": (26, 79, 174), "soft": (87, 93, 104)}
"""The colours of texts; a pixel is a colour and one of 16 levels between it and the paper."""
TITLE_LINES, TEXT_LINES = 3, 3
TITLE_HEIGHT, TEXT_HEIGHT = 78, 48


@dataclass(frozen=True, slots=True)
class Glyph:
    """A letter: where its pixels are from the pen, how far the pen goes on, and the levels of the pixels by row."""

    left: int
    top: int
    advance: int
    rows: tuple[bytes, ...]


def draw_card(title: str, headline: str, reason: str, about: str) -> bytes | None:
    """The card as a PNG; None if a letter of it cannot be drawn."""
    faces = _faces()
    texts = [unicodedata.normalize("NFC", text) for text in (title, headline, reason, about)]
    if any(letter not in faces["text"] for text in texts for letter in text):
        return None
    room = WIDTH - 2 * MARGIN
    image = bytearray(WIDTH * HEIGHT)
    y = MARGIN + 50
    for line in _lines(texts[0], faces["title"], room, TITLE_LINES):
        _write(image, line, faces["title"], y, "ink")
        y += TITLE_HEIGHT
    y += 4
    for text, ink in ((texts[1], "accent"), (texts[2], "ink")):
        left = (HEIGHT - MARGIN - TEXT_HEIGHT - y) // TEXT_HEIGHT + 1
        for line in _lines(text, faces["text"], room, min(TEXT_LINES, left)) if left > 0 else ():
            _write(image, line, faces["text"], y, ink)
            y += TEXT_HEIGHT
    _write(image, _lines(texts[3], faces["text"], room, 1)[0], faces["text"], HEIGHT - MARGIN + 10, "soft")
    return _png(image)


def _lines(text: str, face: dict[str, Glyph], room: int, most: int) -> list[str]:
    """The text in lines that fit; what is too much ends with an ellipsis."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if not lines[-1] or _width(longer, face) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]}…"]
    return [_cut(line, face, room) for line in lines]


def _cut(line: str, face: dict[str, Glyph], room: int) -> str:
    """The line, or as much of it as fits, with an ellipsis."""
    if _width(line, face) <= room:
        return line
    end = len(line)
    while end and _width(f"{line[:end]}…", face) > room:
        end -= 1
    return f"{cut(line, end)}…"


def _width(text: str, face: dict[str, Glyph]) -> int:
    return sum(face[letter].advance for letter in text)


def _write(image: bytearray, text: str, face: dict[str, Glyph], y: int, ink: str) -> None:
    """Write one line with its foot at `y`."""
    x, base = MARGIN, LEVELS * list(INKS).index(ink)
    for letter in text:
        glyph = face[letter]
        for number, row in enumerate(glyph.rows):
            start = (y + glyph.top + number) * WIDTH + x + glyph.left
            for place, level in enumerate(row, start):
                if level:
                    image[place] = base + max(level, image[place] % LEVELS)
        x += glyph.advance


@cache
def _faces() -> dict[str, dict[str, Glyph]]:
    data = (files("moot.report") / "card_glyphs.bin").read_bytes()
    [length] = struct.unpack(">I", data[:4])
    index, pixels = json.loads(data[4 : 4 + length]), zlib.decompress(data[4 + length :])

    def glyph(left: int, top: int, width: int, height: int, advance: int, start: int) -> Glyph:
        rows = tuple(pixels[start + row * width : start + (row + 1) * width] for row in range(height))
        return Glyph(left, top, advance, rows)

    return {face: {letter: glyph(*place) for letter, place in letters.items()} for face, letters in index.items()}


def _png(image: bytearray) -> bytes:
    palette = bytes(
        round(paper + (ink - paper) * level / (LEVELS - 1))
        for colour in INKS.values()
        for level in range(LEVELS)
        for paper, ink in zip(PAPER, colour, strict=True)
    )
    rows = b"".join(b"\0" + image[start : start + WIDTH] for start in range(0, len(image), WIDTH))
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
