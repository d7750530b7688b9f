"""Figures that a debater computes, such as `[= 31 % × 3]`: code writes the result, and looks for the numbers that they
are computed from. Numbers are compared as written, in the digits of any script and without what groups them."""

import ast
import operator
import re
import unicodedata
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction

LARGEST_COUNT = 12
"""A whole number up to this needs no source: eight hours, twelve months."""
_MARK = re.compile(r"\[=([^\[\]\n]{1,120})\]")
_NUMBER = re.compile(r"\d{1,3}(?:[ \u00a0\u202f'’٬]\d{3})+(?!\d)(?:[.,٫]\d+)?|\d+(?:[.,٫٬]\d+)*")
_PERCENT = "%٪％"
_GROUPED = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_MAYBE_DECIMAL = re.compile(r"[1-9]\d{0,2}[.,]\d\d[1-9]")
"""Grouped or a decimal; nobody writes the decimal with a final zero."""
_SIGNS = str.maketrans("−–×·⋅∙xX÷:（）", "--******//()")
_BETWEEN = {*map(chr, _SIGNS), *"+-*/()", *_PERCENT}
"""What may stand between the numbers of a computation, besides spaces."""
_AS_PERCENT = 100
"""A percentage is a number with `@` and this after it, as a program reads it."""
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
    """The text with the results of its computations. One that is none, or that can be read in two ways, stays as it is.
    A comma before three digits groups them, unless another number of the text has a comma or point that does not."""
    grouped = not any(_has_decimal_comma(number) for number in _NUMBER.findall(text))
    return _MARK.sub(lambda mark: _with_result(mark, grouped=grouped), text)


def _has_decimal_comma(number: str) -> bool:
    """Whether a number can only be read with a comma before its decimals, or with points between its thousands."""
    if _GROUPED.fullmatch(number):
        return "." in number and not _MAYBE_DECIMAL.fullmatch(number)
    return "," in number and number.count(",") == 1 and number.rfind(".") < number.index(",")


def _with_result(mark: re.Match[str], *, grouped: bool) -> str:
    expression = mark[1].partition("=")[0].rstrip()
    values = _values(expression, grouped=grouped)
    if len(values) != 1:
        return mark[0]
    [(value, percent)] = values
    value *= _AS_PERCENT if percent else 1
    number = Decimal(value.numerator) / Decimal(value.denominator)
    told = f"{number:.{max(4, 3 - number.adjusted())}f}"
    return f"[={expression} = {told.rstrip('0').rstrip('.')}{' %' if percent else ''}]"


def _values(expression: str, *, grouped: bool = False) -> set[tuple[Fraction, bool]]:
    """What an expression comes to, with 1.234 read as thousands and as a decimal, and whether that is a percentage;
    empty if it cannot be computed. With `grouped`, 1,234 is thousands."""
    if not _BETWEEN.issuperset("".join(_NUMBER.sub("", expression).split())):
        return set()
    separators = ("", "." if grouped else ".,")
    try:
        return {_value(ast.parse(_plain(expression, decimal), mode="eval").body) for decimal in separators}
    except (SyntaxError, LookupError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return set()


def _plain(expression: str, decimal: str) -> str:
    """The expression with its numbers as fractions, in the signs of the program. Where one of these signs can be before
    decimals, it is."""

    def number(found: re.Match[str]) -> str:
        as_decimal = _MAYBE_DECIMAL.fullmatch(found[0]) and any(sign in found[0] for sign in decimal)
        value = Fraction(found[0].replace(",", ".") if as_decimal else written(found[0]))
        return f" ({value.numerator}/{value.denominator}) "

    text = _NUMBER.sub(number, expression).translate(_SIGNS)
    return re.sub(rf"(\(\d+/\d+\))\s*[{_PERCENT}]", rf"(\1@{_AS_PERCENT})", text).strip()


def _value(node: ast.expr) -> tuple[Fraction, bool]:
    """The value of an expression of whole numbers, and whether it is a percentage by itself: a sum or product of
    percentages, or one that is divided or taken a few times; LookupError for anything else."""
    match node:
        case ast.Constant(value=int(number)):
            return Fraction(number), False
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            value, percent = _value(operand)
            return -value, percent
        case ast.BinOp(left=left, op=ast.MatMult()):
            return _value(left)[0] / _AS_PERCENT, True
        case ast.BinOp(left=left, op=op, right=right):
            (first, percent), (second, both) = _value(left), _value(right)
            few = second.denominator == 1 and abs(second) <= LARGEST_COUNT
            kept = not both if isinstance(op, ast.Div) else both or (few and isinstance(op, ast.Mult))
            return _OPERATIONS[type(op)](first, second), percent and kept
    raise LookupError(node)
