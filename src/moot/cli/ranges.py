"""Types of options for numbers with bounds, which help and errors describe in words: `2 to 200`, `0 or more`."""

import click


def _in_words(least: float | None, most: float | None) -> str:
    low, high = (None if bound is None else f"{bound:.12g}" for bound in (least, most))
    if high is None:
        return f"{low} or more"
    return f"at most {high}" if low is None else f"{low} to {high}"


class Whole(click.IntRange):
    """A whole number within bounds."""

    name = "whole number"

    def _describe_range(self) -> str:
        return _in_words(self.min, self.max)


class Number(click.FloatRange):
    """A number within bounds."""

    name = "number"

    def _describe_range(self) -> str:
        return _in_words(self.min, self.max)
