"""The blocks of an Argdown document: statements, arguments and premise–conclusion structures, by Argdown's grammar.

A document that Argdown's own parser complains about is refused, with the line.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from moot.argument.formats.argdown_lexer import Lexer, Token
from moot.argument.formats.base import FormatError, quoted

DEEPEST = 100
"""Relations below relations, and emphasis in emphasis, are read to this depth."""
_TEXT = ("text", "special")
_BELOW = "a relation has to stand below the argument it belongs to, further in"


@dataclass(slots=True)
class Mention:
    """A statement or an argument where it stands in the document. A title of None is given later; a reference has no
    words of its own."""

    kind: str
    line: int
    title: str | None = None
    reference: bool = False
    text: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    below: list[tuple[str, "Mention"]] = field(default_factory=list)


@dataclass(slots=True)
class Inference:
    """A step to the next statement of a structure: its rules, and what undercuts it."""

    line: int
    rules: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    below: list[tuple[str, Mention]] = field(default_factory=list)


@dataclass(slots=True)
class Structure:
    """Premises and conclusions in order, with the inference before each conclusion."""

    line: int
    statements: list[tuple[Inference | None, Mention]] = field(default_factory=list)


Block = Mention | Structure


class Parser:
    """Reads the blocks. `left_out` counts what is not in them."""

    def __init__(self, text: str) -> None:
        self._lexer = Lexer(text)
        self._tokens = self._lexer.run()
        self._place = 0
        self._line, self._counted = 1, 0
        self.left_out: Counter[str] = Counter()

    def document(self) -> list[Block | None]:
        """All blocks; None for a heading."""
        self._skip("new line")
        self._skip("empty line")
        if self._skip("front matter"):
            self.left_out["front matter"] += 1
            self._skip("new line")
            self._expect("empty line", "an empty line has to follow the front matter")
        blocks = self._block()
        while self._skip("empty line"):
            blocks += self._block()
        if self._place < len(self._tokens):
            raise self._fault("does not fit here: a new statement or argument has to follow an empty line")
        return blocks

    def _block(self) -> list[Block | None]:
        kind = self._kind()
        if kind == "heading":
            self._place += 1
            self.left_out["headings"] += 1
            heading = Mention("heading", self._here())
            self._content(heading)
            self._take_data(heading, after_line=True)
            return [None]
        if kind == "number":
            return [self._structure()]
        if kind == "indent":
            return list(self._list())
        return [self._mention()]

    def _list(self) -> list[Mention]:
        """The members of a list, which are statements and arguments of their own."""
        self._place += 1
        kind = self._kind()
        if kind not in ("item", "ordered item"):
            raise FormatError(_BELOW, self._here())
        found = []
        while self._skip(kind):
            found.append(self._mention())
        self.left_out["lists"] += 1
        self._expect("dedent", "the list does not end here")
        return found

    def _structure(self) -> Structure:
        found = Structure(self._here())
        concluded = False
        while (kind := self._kind()) in ("number", "inference"):
            step = self._inference() if kind == "inference" else None
            self._expect("number", "a numbered statement has to follow, as (3)")
            concluded = step is not None
            found.statements.append((step, self._mention("statement")))
        if not concluded:
            raise FormatError("a premise–conclusion structure has to end with ---- and its conclusion", found.line)
        return found

    def _inference(self) -> Inference:
        found = Inference(self._here())
        self._place += 1
        self._skip("new line")
        words: list[str] = []
        while (kind := self._kind()) in (*_TEXT, "comma"):
            if kind == "comma":
                found.rules.append("".join(words))
                words = []
            else:
                words.append(self._token().text)
            self._place += 1
        if words or found.rules:
            found.rules.append("".join(words))
            self._skip("new line")
        found.rules = [" ".join(rule.split()) for rule in found.rules]
        if "" in found.rules:
            raise self._fault("leaves an inference rule empty")
        if self._kind() == "data":
            found.data = self._data()
            self._skip("new line")
        self._expect("inference end", "an inference ends with --")
        self._expect("new line", "the line of an inference has to end here")
        if self._kind() == "indent" and self._tokens[self._place + 1].text in ("_", "<_"):
            self._below(found, 1)
        return found

    def _mention(self, only: str = "", depth: int = 0) -> Mention:
        token = self._token()
        what, _, how = token.kind.partition(" ")
        if only == "statement" and what == "argument":
            raise self._fault("is an argument where a statement has to be")
        found = Mention("argument" if what == "argument" else "statement", self._here())
        if how == "reference" and what in ("argument", "statement"):
            found.title, found.reference = token.text, True
            self._place += 1
            while self._skip("tag"):
                self.left_out["tags"] += 1
            self._skip("new line")
        else:
            if how == "definition":
                found.title = token.text
                self._place += 1
            self._content(found)
        self._take_data(found)
        if self._kind() == "indent":
            self._below(found, depth + 1)
        return found

    def _take_data(self, found: Mention, *, after_line: bool = False) -> None:
        if after_line:
            self._skip("new line")
        if self._kind() == "data":
            found.data = self._data()
            self._skip("new line")

    def _below(self, parent: Mention | Inference, depth: int) -> None:
        if depth > DEEPEST:
            raise self._fault(f"is nested more than {DEEPEST} deep")
        self._expect("indent", "relations have to be indented")
        while self._kind() == "relation":
            symbol = self._token().text
            if isinstance(parent, Inference) and symbol not in ("_", "<_"):
                raise self._fault("is no undercut, and an inference has no other relations")
            self._place += 1
            parent.below.append((symbol, self._mention("statement" if symbol == "><" else "", depth)))
        self._expect("dedent", _BELOW)

    def _content(self, found: Mention, depth: int = 0) -> None:
        """The words of a statement, without markup; there has to be one at least."""
        if depth > DEEPEST:
            raise self._fault(f"is nested more than {DEEPEST} deep")
        words: list[str] = [found.text] if found.text else []
        start = self._place
        while self._place < len(self._tokens):
            token = self._token()
            if token.kind in (*_TEXT, "mention"):
                words.append(token.text)
            elif token.kind == "link":
                words.append(token.text)
                self.left_out["addresses of links"] += 1
            elif token.kind == "tag":
                words.append(" " if token.text[-1] in " \t" else "")
                self.left_out["tags"] += 1
            elif token.kind == "new line":
                words.append(" ")
            elif token.kind.endswith(" start"):
                found.text = "".join(words)
                self._emphasis(found, depth)
                words = [found.text]
                continue
            else:
                break
            self._place += 1
        if self._place == start:
            raise self._fault("comes where the words of a statement or argument have to be")
        found.text = "".join(words)

    def _emphasis(self, found: Mention, depth: int) -> None:
        mark, opened = self._token().kind.removesuffix(" start"), self._here()
        self._place += 1
        if self._kind() != f"{mark} end":
            self._content(found, depth + 1)
        if self._kind() != f"{mark} end":
            raise FormatError(f"the emphasis {mark} is never closed; write \\{mark[0]} for the sign itself", opened)
        found.text += self._token().text
        self.left_out["emphasis"] += 1
        self._place += 1

    def _data(self) -> dict[str, Any]:
        line, source = self._here(), self._token().text
        self._place += 1
        first, _, rest = source.partition("\n")
        block = rest.rstrip().removesuffix("}") if first.rstrip() == "{" else source
        return yaml_data(block, line)

    def _token(self) -> Token:
        if self._place < len(self._tokens):
            return self._tokens[self._place]
        raise FormatError("the document ends too early", self._lexer.line(len(self._lexer.text)))

    def _kind(self) -> str:
        return self._tokens[self._place].kind if self._place < len(self._tokens) else ""

    def _skip(self, kind: str) -> bool:
        if self._kind() != kind:
            return False
        self._place += 1
        return True

    def _expect(self, kind: str, message: str) -> None:
        if not self._skip(kind):
            raise FormatError(message, self._here())

    def _here(self) -> int:
        """The line of the next token; counted on from the last question, which keeps it linear."""
        text = self._lexer.text
        start = self._tokens[self._place].start if self._place < len(self._tokens) else len(text)
        if start < self._counted:
            return self._lexer.line(start)
        self._line += text.count("\n", self._counted, start)
        self._counted = start
        return self._line

    def _fault(self, message: str) -> FormatError:
        here = self._here()
        if self._place >= len(self._tokens):
            return FormatError("the document ends too early", here)
        words = self._lexer.text[self._tokens[self._place].start :].lstrip().split("\n", 1)[0]
        return FormatError(f"{quoted(words)} {message}", here)


def yaml_data(source: str, line: int) -> dict[str, Any]:
    import yaml

    try:
        data = yaml.safe_load(source)
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError, TypeError):
        raise FormatError(f"{quoted(source)} is not YAML data", line) from None
    if not isinstance(data, dict):
        raise FormatError(f"{quoted(source)} is not YAML data with names", line)
    return data
