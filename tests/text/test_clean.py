"""Texts that are shortened, for titles, lists and labels."""

import json

import pytest

from moot.cli.wording import clipped
from moot.text import clip, cut, printable, spelled_out


@pytest.mark.parametrize(
    ("text", "longest", "short"),
    [
        ("Should we move?", 15, "Should we move?"),
        ("Should we move to Rust?", 16, "Should we move…"),
        ("Should we move to Rust?", 17, "Should we move…"),
        ("Should we move to Rust?", 18, "Should we move to…"),
        ("Should we move, and when?", 16, "Should we move…"),
        ("Donaudampfschifffahrtsgesellschaft", 12, "Donaudampfs…"),
        ("Die Donaudampfschifffahrtsgesellschaft", 14, "Die Donaudamp…"),
        ("城市应该禁止私家车进入市中心吗", 8, "城市应该禁止私…"),
        ("我们应该用 PostgreSQL 还是 MySQL", 12, "我们应该用…"),
        ("هل يجب حظر السيارات في المدن", 14, "هل يجب حظر…"),
        ("กรุงเทพมหานครควรห้ามรถยนต์", 10, "กรุงเทพมห…"),
        ("Two\nlines of words", 8, "Two…"),
        ("", 5, ""),
    ],
)
def test_a_text_is_cut_between_words(text: str, longest: int, short: str) -> None:
    assert clip(text, longest) == short
    assert len(clip(text, longest)) <= longest


def test_no_character_is_torn_apart() -> None:
    accented = "ab" + "e\u0301" * 10
    assert all(clip(accented, longest).removesuffix("…")[-1:] != "e" for longest in range(3, 20))
    assert clip("ab👩\u200d💻cd" * 3, 5).removesuffix("…") in ("ab", "ab👩\u200d💻")


def test_json_on_a_terminal_commands_nothing_and_means_the_same() -> None:
    text = "\x7f\x9b2J \u202e \x1b[2J\n“é” 🦉"
    shown = spelled_out(json.dumps({"text": text}, ensure_ascii=False, indent=2))
    assert json.loads(shown) == {"text": text}
    assert printable(shown) == shown and "“é” 🦉" in shown


def test_what_is_cut_keeps_something() -> None:
    assert cut("(((((", 3) == "((("
    assert clip("abc", 1) == "…"


def test_a_line_of_the_console_is_measured_in_cells() -> None:
    assert clipped("城市应该禁止私家车", 18) == "城市应该禁止私家车"
    assert clipped("城市应该禁止私家车", 10) == "城市应该…"
    assert clipped("Should we move to Rust?", 17) == "Should we move…"
