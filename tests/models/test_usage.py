"""Figures of a server that cannot be: they are taken as not said, so that no call looks free."""

import math

import pytest

from moot.models.base import Message, Request, Usage
from moot.models.usage import dollars, doubt, token_count

TEXT = "It is so, and for a reason. " * 20
ASKED = Request("duel/1", "ada", (Message("system", "You are Ada. " * 40), Message("user", "Is it so? " * 40)))


@pytest.mark.parametrize(
    "usage",
    [
        Usage(0, 0, 0),
        Usage(250, 251, 140),
        Usage(10, 0, 140),
        Usage(250, 0, 0),
        Usage(250, 0, 3),
        Usage(10**12, 0, 140),
        Usage(250, 0, 10**12),
        Usage(None, None, 0),
    ],
)
def test_figures_that_cannot_be(usage: Usage) -> None:
    assert doubt(usage, ASKED, TEXT)


@pytest.mark.parametrize("usage", [Usage(), Usage(250, None, 140), Usage(250, 250, 140), Usage(900, 0, 20_000)])
def test_figures_that_may_be(usage: Usage) -> None:
    assert doubt(usage, ASKED, TEXT) is None


def test_what_is_no_figure() -> None:
    for odd in (True, -1, 1.5, "7", None, math.nan):
        assert token_count(odd) is None
    for odd in (True, -0.1, "7", None, math.nan, math.inf):
        assert dollars(odd) is None
