"""Marks of speakers: short in every script, and different for those who are seen together."""

import pytest

from moot.text.initials import initials_of


@pytest.mark.parametrize(
    ("names", "marks"),
    [
        (["Debater 1", "Debater 2", "Judge"], ["D1", "D2", "Ju"]),
        (["White hat", "Red hat", "Black hat", "Blue hat"], ["WH", "RH", "B1", "B2"]),
        (["Member 1", "Member 12"], ["M1", "M12"]),
        (["Ada", "Adam", "Bo"], ["A1", "A2", "Bo"]),
        (["Anna", "Anne", "Aaron"], ["A1", "A2", "Aa"]),
        (["王小明", "王小红"], ["王1", "王2"]),
        (["Ada", "ada", "A. D. A"], ["A1", "A2", "AA"]),
        (["…", "!"], ["?1", "?2"]),
        ([], []),
    ],
)
def test_no_two_who_are_seen_together_have_the_same_mark(names: list[str], marks: list[str]) -> None:
    assert initials_of(names) == dict(zip(names, marks, strict=True))
    assert len({*marks}) == len(names)
