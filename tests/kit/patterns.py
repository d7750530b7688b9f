"""Every regular expression of the program, with the ways in which it is used, found in the source itself."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.kit.sources import FILES, SOURCE, nodes

WAYS = ("match", "search", "fullmatch", "sub", "subn", "findall", "finditer", "split")


@dataclass(frozen=True)
class Use:
    """A pattern and the method that it is used by; `where` is for messages."""

    where: str
    way: str
    pattern: "re.Pattern[Any]"

    def on(self, text: str) -> None:
        given: Any = text.encode() if isinstance(self.pattern.pattern, bytes) else text
        empty: Any = given[:0]
        if self.way in ("sub", "subn"):
            getattr(self.pattern, self.way)(empty, given)
        elif self.way == "finditer":
            list(self.pattern.finditer(given))
        else:
            getattr(self.pattern, self.way)(given)


@cache
def uses() -> list[Use]:
    return [use for file in FILES for use in _uses_in(file)]


def _uses_in(file: Path) -> Iterator[Use]:
    text = file.read_text("utf-8")
    if "re." not in text or file.name == "__main__.py":
        return
    place = str(file.relative_to(SOURCE))
    module = import_module(
        ".".join(["moot", *file.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__")
    )
    compiled = {name: value for name, value in vars(module).items() if isinstance(value, re.Pattern)}
    for name in [name for name, value in vars(module).items() if isinstance(value, dict)]:
        tables = getattr(module, name)
        compiled |= {f"{name}[{key}]": value for key, value in tables.items() if isinstance(value, re.Pattern)}
    for name, pattern in compiled.items():
        ways = [way for way in WAYS if f"{name}.{way}(" in text] or (["match"] if "[" in name else [])
        yield from (Use(f"{place}: {name}.{way}", way, pattern) for way in ways)
    for node in nodes(file):
        match node:
            case ast.Call(ast.Attribute(ast.Name("re"), way), [ast.Constant(str(written)), *_]) if way in WAYS:
                flags = re.IGNORECASE | re.DOTALL if "DOTALL" in ast.unparse(node) else re.NOFLAG
                yield Use(f"{place}:{node.lineno}: re.{way}", way, re.compile(written, flags))
