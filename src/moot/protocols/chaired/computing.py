"""Figures that a debater computes, such as `[= 31 % × 3]`: code writes the result, and looks for the numbers that they
are computed from. Numbers are compared as written, in the digits of any script and without what groups them."""

import ast
import operator
import re
import unicodedata
from collections.abc import Callable, Mapping
from fractions import Fraction

LARGEST_COUNT = 12
"""A whole number up to this needs no source: eight hours, twelve months."""
_MARK = re.compile(r"\[=([^\[\]\n]{1,120})\]")
_NUMBER = re.compile(r"\d{1,3}(?:[ \u00a0\u202f'’٬]\d{3})+(?!\d)(?:[.,٫]\d+)?|\d+(?:[.,٫٬]\d+)*")
_PERCENT = "%٪％"
_GROUPED = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_MAYBE_DECIMAL = re.compile(r"[1-9]\d{0,2}[.,]\d\d[1-9]")
"""Grouped or a decimal; nobody writes the decimal with a final zero."""
_SIGNS = str.maketrans("−–×·xX÷:（）", "--****//()")
_BETWEEN = frozenset("+-*/()−–×·xX÷:（）" + _PERCENT)
"""What may stand between the numbers of a computation, besides spaces."""
_OPERATIONS: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def numbers_in(text: str) -> set[str]:
    """The numbers of a text, as they are compared; those in its computations are no part of it."""
    return {written(number) for number in _NUMBER.findall(_MARK.sub(" ", text))}


def uncited(text: str, cited: set[str]) -> list[str]:
    """The numbers that the text computes with and that are not among the cited ones."""
    inputs = [number for mark in _MARK.finditer(text) for number in _NUMBER.findall(mark[1].partition("=")[0])]
    small = {number for number in inputs if number.isdecimal() and int(number) <= LARGEST_COUNT}
    return [number for number in dict.fromkeys(inputs) if number not in small and written(number) not in cited]


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


def with_results(text: str) -> str:
    """The text with the results of its computations. One that is none, or that can be read in two ways, stays as it
    is."""
    return _MARK.sub(_with_result, text)


def _with_result(mark: re.Match[str]) -> str:
    expression = mark[1].partition("=")[0].rstrip()
    values = _values(expression)
    if len(values) != 1:
        return mark[0]
    first = _NUMBER.search(expression)
    percent = first is not None and expression[first.end() :].lstrip()[:1] in tuple(_PERCENT)
    told = f"{float(values.pop() * (100 if percent else 1)):.4f}".rstrip("0").rstrip(".")
    return f"[={expression} = {told}{' %' if percent else ''}]"


def _values(expression: str) -> set[Fraction]:
    """What an expression comes to, with 1.234 read as thousands and as a decimal; empty if it cannot be computed."""
    if not _BETWEEN.issuperset("".join(_NUMBER.sub("", expression).split())):
        return set()
    try:
        return {_value(ast.parse(_plain(expression, decimal=decimal), mode="eval").body) for decimal in (False, True)}
    except (SyntaxError, LookupError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return set()


def _plain(expression: str, *, decimal: bool) -> str:
    """The expression with its numbers as fractions, in the signs of the program."""

    def number(found: re.Match[str]) -> str:
        as_decimal = decimal and _MAYBE_DECIMAL.fullmatch(found[0])
        value = Fraction(found[0].replace(",", ".") if as_decimal else written(found[0]))
        return f" ({value.numerator}/{value.denominator}) "

    text = _NUMBER.sub(number, expression).translate(_SIGNS)
    return re.sub(rf"(\(\d+/\d+\))\s*[{_PERCENT}]", r"(\1/100)", text).strip()


def _value(node: ast.expr) -> Fraction:
    """The value of an expression of whole numbers; LookupError for anything else."""
    match node:
        case ast.Constant(value=int(number)):
            return Fraction(number)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATIONS[type(op)](_value(left), _value(right))
    raise LookupError(node)
