"""What is being said, for people: of a reply that is JSON the texts in it, as they grow; any other as it is.

A reply is read as it comes, so nothing is known of what follows, and nothing is wrong with one that is cut off.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from moot.service.host import News, Silent, Speaking

FENCE = "```json"
ESCAPES = {"n": "\n", "t": "\t", "r": "", "b": "", "f": ""}


class Legible:
    """One reply. It takes the pieces as they come, and gives what there is to read in each."""

    def __init__(self) -> None:
        self._is_json: bool | None = None
        self._begun = ""
        self._open: list[str] = []
        self._in_string = self._is_key = self._after_colon = False
        self._escape = ""
        self._pair = ""
        self._told = self._gap = False

    def more(self, piece: str) -> str:
        if self._is_json is None:
            piece = self._decided(self._begun + piece)
        if not self._is_json:
            return piece
        return "".join(self._inside(one) if self._in_string else self._between(one) for one in piece)

    def _decided(self, begun: str) -> str:
        """What there is to read on once the first sign says what it is; until then nothing."""
        bare = begun.lstrip()
        unfenced = bare.removeprefix(FENCE).lstrip()
        if not unfenced or FENCE.startswith(bare):
            self._begun = begun
            return ""
        self._is_json = unfenced[0] in "{["
        return unfenced if self._is_json else begun

    def _between(self, one: str) -> str:
        if one == '"' and self._open:
            self._in_string, self._gap = True, self._told
            self._is_key = self._open[-1] == "{" and not self._after_colon
        elif one in "{[":
            self._open.append(one)
            self._after_colon = False
        elif one in "}]" and self._open:
            self._open.pop()
            self._after_colon = False
        elif one in ":,":
            self._after_colon = one == ":"
        return ""

    def _inside(self, one: str) -> str:
        if self._escape:
            self._escape += one
            return self._say(self._unescaped())
        if one == "\\":
            self._escape = one
            return ""
        if one == '"':
            self._in_string = self._after_colon = False
            self._pair = ""
            return ""
        return self._say(one)

    def _unescaped(self) -> str:
        """The character, once all of its escape is there. One beyond the first 65,536 is written as two."""
        sign, digits = self._escape[1], self._escape[2:]
        if sign != "u":
            self._escape = ""
            return ESCAPES.get(sign, sign)
        if len(digits) < 4:
            return ""
        self._escape = ""
        try:
            unit = int(digits, 16)
        except ValueError:
            return "\ufffd"
        if 0xD800 <= unit < 0xDC00:
            self._pair = chr(unit)
            return ""
        both, self._pair = self._pair + chr(unit), ""
        return both.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _say(self, text: str) -> str:
        """A text of its own begins with a paragraph of its own. Names of fields are not told."""
        if self._is_key or not text:
            return ""
        text, self._told, self._gap = ("\n\n" if self._gap else "") + text, True, False
        return text


async def legible(following: AsyncGenerator[News, None]) -> AsyncGenerator[News, None]:
    """The same news, with what is being said as `Legible` has it."""
    replies: dict[str, tuple[Legible, int]] = {}
    async with aclosing(following):
        async for news in following:
            if isinstance(news, Speaking):
                reply, told = (Legible(), 0) if news.start == 0 else replies[news.key]
                text = reply.more(news.text)
                replies[news.key] = reply, told + len(text)
                if text or news.start == 0:
                    yield replace(news, start=told, text=text)
                continue
            if isinstance(news, Silent):
                replies.pop(news.key, None)
            yield news
