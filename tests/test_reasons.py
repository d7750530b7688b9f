"""Reasons are data: nothing in moot looks for words in the sentences that moot itself makes."""

import ast
from collections.abc import Iterator

import pytest

from tests.kit.sources import FILES, SOURCE, nodes, nodes_in

TOLD = {"reason", "error", "failure", "detail", "fault", "message", "notices", "summary", "departures", "notes"}
"""Attributes that hold a sentence for people."""
CUTS = {"startswith", "endswith", "partition", "rpartition", "split", "removeprefix", "removesuffix", "find", "index"}
SEARCHES = {"search", "match", "fullmatch", "findall", "finditer", "sub", "split"}
OF_OTHERS = {
    "embedded/model.py": "what the loader of a library says",
    "database/connection.py": "what a database server says while it starts, stops or is full",
    "text/yaml.py": "what the parser of YAML says",
}


def names_in(tree: list[ast.AST]) -> set[str]:
    """The names of errors, and of each of several sentences."""
    errors = {node.name for node in tree if isinstance(node, ast.ExceptHandler) and node.name}
    loops = [node for node in tree if isinstance(node, ast.comprehension) and is_sentence(node.iter, errors)]
    return errors | {node.target.id for node in loops if isinstance(node.target, ast.Name)}


def is_sentence(node: ast.AST, errors: set[str]) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="str"), args=[ast.Name(id=name)]):
            return name in errors
        case ast.Name(id=name):
            return name in errors
        case ast.Attribute(attr=name):
            return name in TOLD
        case ast.BoolOp(values=[first, *_]):
            return is_sentence(first, errors)
        case _:
            return False


def looked_into(tree: list[ast.AST]) -> Iterator[int]:
    """The lines where a sentence is taken apart, or looked into for words."""
    errors = names_in(tree)
    for node in tree:
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[where]) if is_sentence(where, errors):
                yield node.lineno
            case ast.Compare(ops=[ast.Eq() | ast.NotEq()], left=left, comparators=[right]):
                words = isinstance(right, ast.Constant) and isinstance(right.value, str) and " " in right.value
                if is_sentence(left, errors) and (words or (isinstance(right, ast.Name) and right.id.isupper())):
                    yield node.lineno
            case ast.Call(func=ast.Attribute(value=held, attr=how), args=[_, *_]) if how in CUTS and is_sentence(
                held, errors
            ):
                yield node.lineno
            case ast.Call(func=ast.Attribute(attr=how), args=args) if how in SEARCHES:
                if any(is_sentence(one, errors) for one in args):
                    yield node.lineno


@pytest.mark.parametrize(
    "line",
    [
        'reached = re.search(PATTERN, result.reason or "")',
        'minutes = "have passed" in result.reason',
        "chosen = entry.data.reason == CHOSEN",
        'answered = (sent.reason or "").startswith("it answered")',
        'why = row.detail.removeprefix("not debated: ")',
        'late = any("after the first call" in one for one in found.departures or [])',
        'try: pass\nexcept ConfigError as error:\n    again = "no topic" in str(error)',
    ],
)
def test_such_lines_are_found(line: str) -> None:
    assert list(looked_into(nodes_in(line)))


def test_no_sentence_of_our_own_is_looked_into() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in FILES
        if str(path.relative_to(SOURCE)) not in OF_OTHERS
        for line in looked_into(nodes(path))
    ]
    assert found == []
