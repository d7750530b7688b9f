"""No name stays in clear, in ten scripts, however it is written; and no word is taken for a name."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.text.masking import masked

COVER = "[an agent]"
WRITTEN = {
    "Noor": ["noor", "NOOR", "Noor's", "Noor’s", "Noor认为", "我同意Noor的看法", "Noorのの", "Noor는", "Noor\u200b's"],
    "Viktor": ["viktor", "Viktor'un", "**Viktor**", "@viktor", "ＶＩＫＴＯＲ"],
    "Zoë": ["Zoe\u0308", "ZOË", "Zoe", "zoë", "Zo\u200bë"],
    "Анна": ["АННА", "анна"],
    "Сергей": ["СЕРГЕЙ"],
    "Νίκος": ["ΝΊΚΟΣ", "Νικος"],
    "نور": ["ونور", "لنور", "نُور", "نور،"],
    "ნინო": ["ნინო,"],
    "Նարեկ": ["ՆԱՐԵԿ"],
    "প্রিয়া": ["প্রিয়ার", "প্রিয়াকে"],
    "ஆனந்த்": ["ஆனந்த்."],
    "ענת": ["וענת", "לענת", "ענת."],
    "राम": ["रामने", "राम ने", "राम।"],
    "민수": ["민수는", "민수에게", "김민수가"],
    "田中": ["田中さん", "私は田中に賛成です"],
    "สมชาย": ["คุณสมชาย", "สมชายพูด"],
    "李明": ["我同意李明的看法"],
    "Ada Lovelace": ["Lovelace", "Ada", "ADA LOVELACE"],
}
LEFT = {
    "Ann": "Annual plans annoy Hannah, and Anna too.",
    "Mark": "The market marks a benchmark, and marks remark.",
    "Vera": "Very several. A verdict is very averaged.",
    "Bo": "Both bots boast about a bow.",
    "Marin": "The marine biologist had a submarine.",
    "Вера": "Нет веры в это.",
    "ნინო": "ნინოშვილისთვის",
    "Agent 1": "Agent 12 and Agent 10 agree.",
}


@pytest.mark.parametrize(("name", "written"), [(name, one) for name, forms in WRITTEN.items() for one in forms])
def test_a_name_is_covered_however_it_is_written(name: str, written: str) -> None:
    shown = masked(f"So ({written}) it is.", {name: COVER})
    assert COVER in shown
    bare = unicodedata.normalize("NFKC", name).casefold()
    assert bare not in unicodedata.normalize("NFKC", shown).casefold()


@pytest.mark.parametrize("name", LEFT)
def test_no_word_is_taken_for_a_name(name: str) -> None:
    assert masked(LEFT[name], {name: COVER}) == LEFT[name]


@pytest.mark.parametrize("name", WRITTEN)
@given(
    around=st.tuples(*[st.text(st.characters(exclude_categories=["L", "M", "N", "Cs", "Cf"]), max_size=5)] * 2),
    form=st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]),
    upper=st.booleans(),
)
def test_no_name_is_left_between_signs(name: str, around: tuple[str, str], form: str, upper: bool) -> None:
    written = unicodedata.normalize(form, name.upper() if upper else name)  # type: ignore[arg-type]
    assert masked(f"{around[0]}{written}{around[1]}", {name: COVER}) == (
        f"{unicodedata.normalize('NFC', around[0])}{COVER}{unicodedata.normalize('NFC', around[1])}"
    )


@given(st.text(), st.lists(st.sampled_from(list(WRITTEN)), unique=True))
def test_any_text_can_be_masked(text: str, names: list[str]) -> None:
    shown = masked(text, dict.fromkeys(names, COVER))
    assert masked(text, {}) == unicodedata.normalize("NFC", text)
    assert COVER in shown or shown == unicodedata.normalize("NFC", text)


def test_each_has_its_own_cover_and_the_longer_name_goes_first() -> None:
    covers = {"Ann": "A", "Ann Lee": "B", "Bo": "C"}
    assert masked("Ann Lee met Ann and Bo's Ann-like cat.", covers) == "B met A and C's A-like cat."


def test_a_part_of_a_name_is_covered_if_no_other_name_has_it() -> None:
    covers = {"The Lost Poet": "A", "The Critic": "B"}
    assert masked("The poet lost. Critic, says the Poet.", covers) == "The poet lost. B, says the A."


def test_a_name_without_a_letter_covers_nothing() -> None:
    assert masked("It is so.", {"\u0301": COVER}) == "It is so."
