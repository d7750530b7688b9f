"""A vote in words counts only when it is beyond doubt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.voting.names import named


@pytest.mark.parametrize(
    ("text", "names", "winner"),
    [
        ("Ann", ("Ann", "Bob"), "Ann"),
        ("**ANN**.", ("Ann", "Bob"), "Ann"),
        ("The winner is Ann!", ("Ann", "Bob"), "Ann"),
        ("Anna", ("Ann", "Bob"), None),
        ("Anna", ("Ann", "Anna"), "Anna"),
        ("Ann Lee", ("Ann", "Ann Lee"), "Ann Lee"),
        ("Ann", ("Ann", "Ann Lee"), "Ann"),
        ("Ann, not Bob", ("Ann", "Bob"), None),
        ("Ann Lee beat Ann", ("Ann", "Ann Lee"), None),
        ("", ("Ann", "Bob"), None),
        ("Neither of them", ("Ann", "Bob"), None),
        ("Zoë", ("Zoë", "Zoe"), "Zoë"),
        ("STRASSE", ("Straße", "Bob"), "Straße"),
        ("C++ wins", ("C++", "C"), "C++"),
        ("Bo's case", ("Bo", "Al"), "Bo"),
        ("_Ann_", ("Ann", "Bob"), "Ann"),
        ("Ann-Marie", ("Ann", "Bob"), None),
        ("Certainly not Ann.", ("Ann", "Bob"), None),
        ("It wasn't Bob", ("Ann", "Bob"), None),
        ("Ann lost.", ("Ann", "Bob"), None),
        ("Jose\u0301", ("José", "Jose"), "José"),
        ("Jose\u0301", ("Jose", "Bob"), None),
        ("X\u0302", ("X", "Bob"), None),
        ("José", ("Jose\u0301", "Bob"), "Jose\u0301"),
        ("A\u200bnn", ("Ann", "Bob"), "Ann"),
        ("O'Neil", ("O’Neil", "Bob"), "O’Neil"),
        ("Ann\u00a0 Lee", ("Ann Lee", "Bob"), "Ann Lee"),
        ("ipek", ("İpek", "Bob"), "İpek"),
        ("\uff21nn", ("Ann", "Bob"), "Ann"),
        ("The Lost Poet", ("The Lost Poet", "Bob"), "The Lost Poet"),
        ("Dr. Not", ("Dr. Not", "Bob"), "Dr. Not"),
        ("The Lost Poet lost", ("The Lost Poet", "Bob"), None),
    ],
)
def test_whole_and_unambiguous_names(text: str, names: tuple[str, str], winner: str | None) -> None:
    assert named(text, names) == winner


NAMES = st.text(alphabet="abcAB ", min_size=1, max_size=6).map(str.strip).filter(bool)


@given(st.lists(NAMES, min_size=2, max_size=2, unique_by=str.casefold), st.booleans())
def test_a_name_alone_names_itself_and_both_name_nobody(names: list[str], flip: bool) -> None:
    one, two = reversed(names) if flip else names
    assert named(one, names) == one
    assert named(f"{one} | {two}", names) is None
