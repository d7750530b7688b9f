"""A name counts only when nothing else is said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.text.names import name_alone


@pytest.mark.parametrize(
    ("text", "names", "winner"),
    [
        ("**ANN**.", ("Ann", "Bob"), "Ann"),
        ("“Ann”!\n", ("Ann", "Bob"), "Ann"),
        ("The winner is Ann!", ("Ann", "Bob"), None),
        ("Nicht Ann.", ("Ann", "Bob"), None),
        ("Anna", ("Ann", "Anna"), "Anna"),
        ("Ann, Bob", ("Ann", "Bob"), None),
        ("Ann-Marie", ("Ann", "Bob"), None),
        ("Ann Lee", ("Ann", "Ann Lee"), "Ann Lee"),
        ("", ("Ann", "Bob"), None),
        ("Zoë", ("Zoë", "Zoe"), "Zoë"),
        ("STRASSE", ("Straße", "Bob"), "Straße"),
        ("C++", ("C++", "C"), "C++"),
        ("C.", ("C++", "C"), None),
        ("Jose\u0301", ("José", "Jose"), "José"),
        ("Jose\u0301", ("Jose", "Bob"), None),
        ("X\u0302", ("X", "Bob"), None),
        ("A\u200bnn", ("Ann", "Bob"), "Ann"),
        ("O'Neil", ("O’Neil", "Bob"), "O’Neil"),
        ("ipek", ("İpek", "Bob"), "İpek"),
        ("\uff21nn", ("Ann", "Bob"), "Ann"),
        ("李明。", ("李明", "田中"), "李明"),
    ],
)
def test_a_name_alone(text: str, names: tuple[str, str], winner: str | None) -> None:
    assert name_alone(text, names) == winner


NAMES = st.text(alphabet="abcAB ", min_size=1, max_size=6).map(str.strip).filter(bool)


@given(st.lists(NAMES, min_size=2, max_size=2, unique_by=str.casefold))
def test_a_name_names_itself_and_both_name_nobody(names: list[str]) -> None:
    one, two = names
    assert name_alone(one, names) == one
    assert name_alone(f"{one} | {two}", names) is None
