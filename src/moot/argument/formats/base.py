"""Shared parts of the formats: errors, the loss warning, and building a graph line by line."""

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from moot.argument.graph import ArgumentError, Graph

ATTACK, UNDERCUT, SUPPORT = "attack", "undercut", "support"
KINDS = {
    **dict.fromkeys(("", "attack", "attacks", "att", "rebut", "rebuts", "-"), ATTACK),
    **dict.fromkeys(("undercut", "undercuts", "_"), UNDERCUT),
    **dict.fromkeys(("support", "supports", "sup", "+"), SUPPORT),
}
"""The words for relations on labels. A relation without a word is an attack."""
SHORTENED = 60


class FormatError(ArgumentError):
    """A file that cannot be read, or a graph that cannot be written. `line` is the line number from 1, if known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line

    @classmethod
    def in_file(cls, path: Path, error: "FormatError") -> Self:
        """The same error with the name of the file."""
        named = cls(f"{path}: {error}")
        named.line = error.line
        return named


class Loss(UserWarning):
    """Something in the graph that the format cannot hold."""


@dataclass(frozen=True, slots=True)
class Format:
    """A file format for graphs. `losses` lists the parts of a graph that `write` would leave out, in words. One that
    others read is only written, and has no `read`."""

    name: str
    suffixes: tuple[str, ...]
    write: Callable[[Graph], str]
    losses: Callable[[Graph], list[str]]
    read: Callable[[str], Graph] | None = None


@dataclass(slots=True)
class Builder:
    """Builds a graph. Arguments must exist before their relations."""

    index: dict[str, int] = field(default_factory=dict)
    weights: dict[int, float] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    attacks: list[tuple[int, int]] = field(default_factory=list)
    marks: list[bool] = field(default_factory=list)
    supports: list[tuple[int, int]] = field(default_factory=list)

    def add(self, name: str, line: int | None = None, *, weight: float | None = None, text: str = "") -> int:
        """Add a new argument and return its number."""
        if name in self.index:
            raise FormatError(f"the argument {quoted(name)} is there twice", line)
        number = self.index[check_text(name, line)] = len(self.index)
        if weight is not None:
            if not 0 <= weight <= 1:
                raise FormatError(f"the weight of {quoted(name)} is {quoted(str(weight))}, not within 0..1", line)
            self.weights[number] = weight
        if text and text != name:
            self.texts[number] = check_text(text, line)
        return number

    def number(self, name: str, line: int | None = None) -> int:
        if (number := self.index.get(name)) is not None:
            return number
        raise FormatError(f"there is no argument {quoted(name)}", line)

    def relate(self, kind: str, source: int, target: int) -> None:
        if kind == SUPPORT:
            self.supports.append((source, target))
        else:
            self.attacks.append((source, target))
            self.marks.append(kind == UNDERCUT)

    def graph(self) -> Graph:
        places = range(len(self.index))
        return Graph.numbered(
            self.index,
            self.attacks,
            self.supports,
            undercuts=self.marks,
            weights=[self.weights.get(place) for place in places],
            texts=[self.texts.get(place, "") for place in places],
        )


def kind_of(word: str, line: int | None = None) -> str:
    """The kind of relation that a label names."""
    kind = KINDS.get(word.strip().lower())
    if kind is None:
        raise FormatError(f"a relation called {quoted(word)} is neither an attack, an undercut nor a support", line)
    return kind


def texts(graph: Graph) -> tuple[str, ...]:
    """The text of each argument, "" if it is missing or just repeats the name."""
    return tuple("" if text == name else text for name, text in zip(graph.names, graph.texts, strict=True))


def list_losses(graph: Graph, carried: Container[str]) -> list[str]:
    """The parts of a graph that a format with only these features leaves out, in words."""
    counts = {
        "supports": len(graph.supports),
        "undercut marks": sum(graph.undercuts),
        "weights": sum(weight is not None for weight in graph.weights),
        "texts": sum(map(bool, texts(graph))),
        "fallen arguments": len(graph.fallen),
    }
    return [f"{what} ({count})" for what, count in counts.items() if count and what not in carried]


def line_of(text: str, position: int) -> int:
    """The line number, from 1, of the character at this position."""
    return text.count("\n", 0, position) + 1


def check_text(text: str, line: int | None = None) -> str:
    """The text, if a file can hold it: JSON and Python allow half a character (a lone surrogate), UTF-8 does not."""
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        raise FormatError(f"{quoted(text)} holds half a character (a lone surrogate)", line)
    return text


def check_texts(parts: Iterable[str]) -> None:
    for part in parts:
        check_text(part)


def quoted(text: str) -> str:
    """A piece of a file for an error message: quoted, on one line, and short."""
    return ascii(text) if not text.isprintable() else repr(text if len(text) <= SHORTENED else text[:SHORTENED] + "…")
