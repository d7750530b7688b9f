"""No name stays in clear, in ten scripts, however it is written; and no word is taken for a name."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.text.masking import masked

COVER = "[an agent]"
WRITTEN = {
    "Noor": [
        "noor",
        "NOOR",
        "Noors",
        "Noor's",
        "Noor’s",
        "Noor认为",
        "我同意Noor的看法",
        "Noorのの",
        "Noor는",
        "noors",
    ],
    "Viktor": [
        "Viktors",
        "Viktorin",
        "Viktornak",
        "Viktor'un",
        "Viktorem",
        "Viktorowi",
        "Viktora",
        "**Viktor**",
        "@viktor",
        "viktorin",
        "viktora",
        "Viktorova",
        "Viktorov",
        "Viktorun",
        "viktorun",
    ],
    "Yewande": ["yewanden", "Yewandes"],
    "Zoë": ["Zoe\u0308", "ZOË", "zoë", "Zoe", "Zoës", "Zo\u200bë"],
    "Анна": ["Анны", "Анне", "Анну", "Анной", "АННА", "анна", "анны", "Аннин", "Анниной"],
    "Сергей": ["Сергея", "Сергею", "Сергеем", "Сергее", "СЕРГЕЙ"],
    "Νίκος": ["Νίκου", "Νίκο", "ΝΊΚΟΣ", "Νικος"],
    "نور": ["ونور", "لنور", "بنور", "نُور", "نور،"],
    "محمد": ["محمدًا", "ومحمد"],
    "ნინო": ["ნინოს", "ნინომ"],
    "Նարեկ": ["Նարեկը", "Նարեկի"],
    "প্রিয়া": ["প্রিয়ার", "প্রিয়াকে"],
    "ஆனந்த்": ["ஆனந்தின்", "ஆனந்துக்கு"],
    "김민수": ["김민수라고", "김민수처럼", "김민수에게서"],
    "ענת": ["וענת", "לענת", "שענת", "ענת."],
    "राम": ["रामने", "राम ने", "रामको", "राम।"],
    "민수": ["민수는", "민수가", "민수의", "민수씨", "민수에게"],
    "田中": ["田中さん", "田中は", "私は田中に賛成です", "田中氏"],
    "สมชาย": ["คุณสมชาย", "สมชายพูด", "ของสมชาย"],
    "李明": ["李明认为", "我同意李明的看法"],
    "Ada Lovelace": ["Lovelace", "Ada", "ADA LOVELACE"],
}
LEFT = {
    "Ann": "Annual plans annoy Hannah, and Anna too.",
    "Will": "They will do it.",
    "Mark": "The market marks a benchmark. Market forces remark.",
    "Vera": "Very several. A verdict is very averaged.",
    "Bo": "Both bots boast about a bow.",
    "Mei": "Mein Plan meint etwas.",
    "Marin": "The marine biologist had a submarine.",
    "Вера": "Нет веры в это.",
    "ნინო": "ნინოშვილისთვის",
    "Agent 1": "Agent 12 and Agent 10 agree.",
    "राम": "रामायण एक ग्रंथ है",
    "The Lost Poet": "The poet lost the game.",
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
