"""Figures that a debater computes, such as `[= 31 % × 3]`: code computes them, and looks for the numbers that they are
computed from. Numbers are compared as they are written, in the digits of any script and without what groups them."""

import ast
import operator
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

MOST_SIGNS = 120
LARGEST_COUNT = 12
"""A whole number up to this needs no source: eight hours, twelve months."""
_MARK = re.compile(rf"\[=([^\[\]\n]{{1,{MOST_SIGNS}}})\]")
_NUMBER = re.compile(r"\d{1,3}(?:[ \u00a0\u202f'’٬]\d{3})+(?!\d)(?:[.,٫]\d+)?|\d+(?:[.,٫٬]\d+)*")
_PERCENT = "%٪％"
_GROUPED = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_SIGNS = str.maketrans("−–×·x÷:（）", "--***//()")
_BETWEEN = frozenset("+-*/()−–×·xX÷:（）" + _PERCENT)
"""What may stand between the numbers of a computation, besides spaces."""
_OPERATIONS: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_WINDOW = 40
"""Characters before a mark in which its result stands."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A mark in a text. `inputs` are its numbers as written that need a source, `fault` is what is wrong with it, and
    `shown` is the mark with its result."""

    start: int
    end: int
    shown: str
    inputs: tuple[str, ...] = ()
    fault: str = ""


def numbers_in(text: str) -> set[str]:
    """The numbers of a text, as they are compared; those in its computations are no part of it."""
    return {written(number) for number in _NUMBER.findall(_MARK.sub(" ", text))}


def written(number: str) -> str:
    """A number in plain digits, without what groups them."""
    plain = "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in number)
    plain = re.sub(r"[ \u00a0\u202f'’٬]", "", plain.replace("٫", "."))
    if _GROUPED.fullmatch(plain) or plain.count(".") > 1 or plain.count(",") > 1:
        first = next(sign for sign in plain if sign in ".,")
        plain = plain.replace(first, "")
    elif "." in plain and "," in plain:
        plain = plain.replace(min(".,", key=plain.index), "")
    return plain.replace(",", ".")


def computed_in(text: str) -> Iterator[Computed]:
    """The computations of a text, each with its result or its fault."""
    for mark in _MARK.finditer(text):
        yield _computed(text, mark)


def with_results(text: str) -> str:
    """The text with the results of its computations."""
    pieces, end = list[str](), 0
    for one in computed_in(text):
        pieces += [text[end : one.start], one.shown]
        end = one.end
    return "".join([*pieces, text[end:]])


def _computed(text: str, mark: re.Match[str]) -> Computed:
    expression, _, result = mark[1].partition("=")
    place = mark.start(), mark.end(), mark[0]
    given = _last_number(result if result.strip() else text[max(0, mark.start() - _WINDOW) : mark.start()])
    values = list(_values(expression))
    if not values:
        return Computed(*place, fault="it is no computation with numbers, + - × / and brackets")
    tokens = _NUMBER.findall(expression)
    inputs = tuple(one for one in tokens if not (one.isdecimal() and int(one) <= LARGEST_COUNT))
    after_first = expression.partition(tokens[0])[2].lstrip()
    told = _told(values[0], percent=after_first[:1] in tuple(_PERCENT))
    if given is None:
        return Computed(mark.start(), mark.end(), f"[={expression.rstrip()} = {told}]", inputs)
    number, percent = given
    if not any(_equal(value, number, percent=percent, decimal=bool(at)) for at, value in enumerate(values)):
        return Computed(*place, inputs, f"it comes to {told}, not to {number}{' %' if percent else ''}")
    return Computed(*place, inputs)


def _last_number(text: str) -> tuple[str, bool] | None:
    """The number that a text ends with, and whether it is a percentage."""
    found = list(_NUMBER.finditer(text))
    rest = text[found[-1].end() :].strip() if found else "none"
    return (found[-1].group(), bool(rest)) if rest in ("", *_PERCENT) else None


def _values(expression: str) -> Iterator[Fraction]:
    """What an expression comes to, with 1.234 read as a thousand and as a decimal; nothing if it cannot be computed."""
    if not _BETWEEN.issuperset("".join(_NUMBER.sub("", expression).split())):
        return
    numbers = _NUMBER.findall(expression)
    names = iter(range(len(numbers)))
    text = re.sub(
        rf"(n\d+)\s*[{_PERCENT}]", r"(\1/100)", _NUMBER.sub(lambda _: f" n{next(names)} ", expression.lower())
    )
    try:
        tree = ast.parse(text.translate(_SIGNS).strip(), mode="eval").body
        for decimal in (False, True):
            yield _value(tree, [Fraction(_plain(number, decimal=decimal)) for number in numbers])
    except (SyntaxError, LookupError, ZeroDivisionError):
        return


def _value(node: ast.expr, numbers: Sequence[Fraction]) -> Fraction:
    """The value of an expression of named numbers; LookupError for anything else."""
    match node:
        case ast.Name(id=name):
            return numbers[int(name[1:])]
        case ast.Constant(value=100):
            return Fraction(100)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, numbers)
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATIONS[type(op)](_value(left, numbers), _value(right, numbers))
    raise LookupError(node)


def _plain(number: str, *, decimal: bool) -> str:
    return number.replace(",", ".") if decimal and _GROUPED.fullmatch(number) else written(number)


def _equal(value: Fraction, number: str, *, percent: bool, decimal: bool) -> bool:
    """Whether a value is this number, rounded as it is written."""
    plain = _plain(number, decimal=decimal)
    places = len(plain.partition(".")[2])
    return abs(value * (100 if percent else 1) - Fraction(plain)) <= Fraction(1, 2 * 10**places)


def _told(value: Fraction, *, percent: bool) -> str:
    shown = f"{float(value * (100 if percent else 1)):.4f}".rstrip("0").rstrip(".")
    return f"{shown} %" if percent else shown


def uncited(inputs: Iterable[str], cited: set[str]) -> list[str]:
    """The numbers that stand in no cited sentence."""
    return [one for one in inputs if written(one) not in cited]
