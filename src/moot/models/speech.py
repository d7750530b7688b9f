"""The text of a reply as it arrives, without the thoughts that some models put before it."""

from dataclasses import dataclass, field
from typing import Literal

from moot.models.base import OnText
from moot.text import valid_text


@dataclass(slots=True)
class Speech:
    """The text of a reply as it arrives, without a leading `<think>…</think>` block.

    Local reasoning models put their reasoning into the text. It is not meant for the others, would be quoted and
    judged, and would break JSON replies. Nothing else is removed.
    """

    on_text: OnText | None
    said: list[str] = field(default_factory=list)
    blanks: list[str] = field(default_factory=list)
    held: str = ""
    state: Literal["opening", "thinking", "pausing", "speaking"] = "opening"

    def add(self, piece: str) -> None:
        if self.state == "speaking":
            self._say(piece)
            return
        if self.state == "opening" and not self.held and not piece.strip():
            self.blanks.append(piece)
            return
        self.held += piece
        if self.state == "opening":
            start = self.held.lstrip()
            if len(start) < len("<think>") and "<think>".startswith(start):
                return
            self.state = "thinking" if start.startswith("<think>") else "speaking"
            self.held = "".join(self.blanks) + self.held if self.state == "speaking" else self.held
        if self.state == "thinking":
            _, end, after = self.held.partition("</think>")
            if not end:
                self.held = self.held[-len("</think>") :]
                return
            self.held, self.state = after, "pausing"
        if self.state == "pausing":
            self.held = self.held.lstrip()
            if not self.held:
                return
            self.state = "speaking"
        held, self.held = self.held, ""
        self._say(held)

    def end(self) -> str:
        if self.state == "opening" and self.held:
            self._say("".join(self.blanks) + self.held)
        return _after_thoughts("".join(self.said))

    def _say(self, piece: str) -> None:
        self.said.append(piece)
        if self.on_text is not None:
            self.on_text(valid_text(piece))


def spoken(text: str) -> str:
    """The text of a complete reply."""
    if "<think>" not in text and "</think>" not in text:
        return text
    speech = Speech(None)
    speech.add(text)
    return speech.end()


def _after_thoughts(text: str) -> str:
    """The text after the end of thoughts, if their beginning is not in the reply because the server put it into the
    prompt."""
    thoughts, end, after = text.partition("</think>\n")
    return after.lstrip() if end and "<think>" not in thoughts and after.strip() else text
