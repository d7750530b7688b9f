"""Quotations are found when they stand in the text, and statuses follow from what was found."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.evidence import Finding, Judgement, Page, Unfetched, decide, find_quote
from moot.evidence.pages import Kind, sha256
from moot.text.quotations import SHORTEST_QUOTE

TEXT = """Closing the old town to cars — except for residents' permits — cut
bus delays. The “bus   priority” scheme was kept; it's cheap. Efﬁciency isn’t every\u00adthing… Cafés gained tables.
Nothing says that traffic elsewhere was unable to cope with the change."""


@pytest.mark.parametrize(
    ("quote", "exact"),
    [
        ("Closing the old town to cars", "Closing the old town to cars"),
        ("permits - cut bus delays.", "permits — cut\nbus delays"),
        ("permits -- cut\tbus\ndelays", "permits — cut\nbus delays"),
        ('The "bus priority" scheme was kept; it’s cheap', "The “bus   priority” scheme was kept; it's cheap"),
        ("Efficiency isn't everything... Cafe\u0301s", "Efﬁciency isn’t every\u00adthing… Cafés"),
        ('"…old town to cars – except for residents…"', "old town to cars — except for residents"),
        (
            "traffic elsewhere was unable to cope with the change.",
            "traffic elsewhere was unable to cope with the change",
        ),
    ],
)
def test_quotes_that_are_there(quote: str, exact: str) -> None:
    found = find_quote(quote, TEXT)
    assert found
    assert found.text == exact == TEXT[found.start : found.end]


@pytest.mark.parametrize(
    "quote",
    [
        "closing the old town to cars",  # case
        "Closing the old towns to cars",
        "Closing the old town to cars cut bus delays",  # an unmarked cut
        "Closing the old town … cut bus delays",  # a marked one
        "able to cope with the change",  # half a word, and the opposite meaning
        "Closing the old town to car",
        "Efficiency isn't everything... Cafe",  # without its accent
        "the change",
        "",
        '"..."',
        "                                  ",
    ],
)
def test_quotes_that_are_not(quote: str) -> None:
    assert find_quote(quote, TEXT) is None


def test_a_later_place_counts_when_an_earlier_one_is_half_a_word() -> None:
    found = find_quote("able to cope with the change", "unable to cope with the change; able to cope with the change")
    assert found
    assert found.start == 32


IN_SCRIPTS = {
    "Chinese": "有轨电车一条车道每小时可以运送四千名乘客，远远超过小汽车。",
    "Japanese": "路面電車は一車線で毎時四千人の乗客を輸送することができる。",
    "Korean": "전차는 한 차로에서 시간당 사천 명의 승객을 실어 나를 수 있다.",
    "Arabic": "يستطيع الترام أن ينقل ٤٠٠٠ راكب كل ساعة في مسار واحد فقط.",
    "Hebrew": "הרכבת הקלה מסוגלת להסיע ארבעת אלפים נוסעים בשעה בנתיב אחד.",
    "Persian": "تراموا می‌تواند در هر ساعت چهار هزار مسافر را جابه‌جا کند.",
    "Hindi": "ट्राम एक लेन में हर घंटे चार हज़ार यात्रियों को ले जा सकती है।",
    "Thai": "รถรางหนึ่งช่องทางขนส่งผู้โดยสารได้สี่พันคนต่อชั่วโมง",
    "Greek": "Το τραμ μεταφέρει τέσσερις χιλιάδες επιβάτες την ώρα.",
    "Russian": "Трамвай перевозит четыре тысячи пассажиров в час по одной полосе.",
    "Armenian": "Տրամվայը ժամում տեղափոխում է չորս հազար ուղևոր։",
    "Georgian": "ტრამვაი საათში ოთხი ათას მგზავრს გადაიყვანს.",
    "Turkish": "İstanbul'da tramvay saatte dört bin yolcu taşıyabiliyor.",
    "Vietnamese": "Xe điện chở được bốn nghìn hành khách mỗi giờ trên một làn.",
}


@pytest.mark.parametrize("language", IN_SCRIPTS)
def test_a_quotation_in_any_script_is_found(language: str) -> None:
    quote = IN_SCRIPTS[language]
    page = f"Before it.\n{quote}\nAfter it."
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        found = find_quote(unicodedata.normalize(form, f"“{quote}”"), page)
        assert found is not None, form
        assert found.text.startswith(quote.rstrip(".。")[:-1])
    middle = len(quote) // 2
    broken = f"{quote[:middle]}\n{quote[middle:]}" if language in ("Chinese", "Japanese", "Thai") else quote
    marked = "\u200f".join(broken) if language in ("Arabic", "Hebrew") else broken
    assert find_quote(quote, f"Before it. {marked} After it.") is not None, "as a page sets it"
    other = quote[:middle] + "ж" + quote[middle + 1 :]
    assert find_quote(other, page) is None


WORDS = st.lists(
    st.text(st.sampled_from("abcdefgéüñABC0123'\"-,.;—“”‘’ﬁ…日本"), min_size=1, max_size=8).filter(
        lambda word: any(sign.isalnum() for sign in word)
    ),
    min_size=12,
    max_size=30,
)
VARIANTS = {
    " ": [" ", "  ", "\n", "\u00a0", "\t"],
    "-": ["-", "–", "—", "‑"],
    "'": ["'", "’", "‘"],
    '"': ['"', "“", "„"],
}


@settings(deadline=None)
@given(WORDS, st.data())
def test_what_is_quoted_from_a_text_is_found_however_it_is_set(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    first = data.draw(st.integers(0, 4))
    quote = " ".join(words[first : first + 8])
    spelling = "".join(data.draw(st.sampled_from(VARIANTS.get(sign, [sign]))) for sign in quote)
    spelling = unicodedata.normalize(data.draw(st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"])), spelling)
    places = data.draw(st.lists(st.integers(0, len(spelling)), max_size=3))
    for place in sorted(places, reverse=True):
        spelling = spelling[:place] + "\u00ad" + spelling[place:]
    found = find_quote(spelling, text)
    long_enough = find_quote(quote, quote) is not None
    assert (found is not None) == long_enough
    if found:
        assert text[found.start : found.end] == found.text


@settings(deadline=None)
@given(st.text(max_size=200), st.text(max_size=60))
def test_what_is_found_is_there(text: str, quote: str) -> None:
    found = find_quote(quote, text)
    if found:
        assert len(quote) * 3 >= SHORTEST_QUOTE
        again = find_quote(found.text, text)
        assert again
        assert again.start <= found.start


@settings(deadline=None)
@given(WORDS, st.integers(0, 7))
def test_a_changed_word_is_noticed(words: list[str], place: int) -> None:
    text = " ".join(words)
    quoted = words[2:10]
    quoted[place] = "Zebra"
    assert find_quote(" ".join(quoted), text) is None


PAGE = Page(
    url="https://a.example/x",
    final_url="https://a.example/x",
    status=200,
    title="Buses",
    text=TEXT,
    sha256=sha256(TEXT),
    fetched_at="2026-01-01T00:00:00+00:00",
)


def judged(supports: str, quote: str = "", confidence: float = 0.8) -> Judgement:
    return Judgement.model_validate(
        {"supports": supports, "quote": quote, "explanation": "so it says", "confidence": confidence}
    )


def test_support_with_a_quote_that_is_there_confirms() -> None:
    found = decide(PAGE, judged("supports", "residents' permits - cut bus delays."))
    assert found == Finding(
        url=PAGE.url,
        status="confirmed",
        confidence=0.8,
        quote="residents' permits — cut\nbus delays",
        explanation="so it says",
        answer="supports",
    )


@pytest.mark.parametrize(("supports", "status"), [("supports", "confirmed"), ("contradicts", "contradicted")])
@pytest.mark.parametrize(
    ("quote", "exact"),
    [
        ("closing the OLD town to cars", "Closing the old town to cars"),
        (
            "“Closing the old town … cut bus delays.”",
            "Closing the old town to cars — except for residents' permits — cut\nbus delays",
        ),
        (
            "cut bus delays. [...] The “bus priority” scheme was kept",
            "cut\nbus delays. The “bus   priority” scheme was kept",
        ),
        (
            "cut bus delays. … it … EFFICIENCY",
            "cut\nbus delays. The “bus   priority” scheme was kept; it's cheap. Efﬁciency",
        ),
    ],
)
def test_capitals_and_omissions_cost_no_finding(quote: str, exact: str, supports: str, status: str) -> None:
    found = decide(PAGE, judged(supports, quote))
    assert (found.status, found.quote) == (status, exact)


@pytest.mark.parametrize("supports", ["supports", "contradicts"])
@pytest.mark.parametrize(
    "quote",
    [
        "",
        "…",
        "bus delays",
        "Closing the town to cars cut all delays by half",
        "[…] " * 9,
        "cut bus delays … Closing the old",
    ],
)
def test_without_a_quote_that_is_there_nothing_is_judged(supports: str, quote: str) -> None:
    found = decide(PAGE, judged(supports, quote, confidence=1))
    assert (found.status, found.confidence, found.quote) == ("unjudged", None, "")


@pytest.mark.parametrize(
    ("supports", "status"),
    [("contradicts", "contradicted"), ("says_nothing", "not_there"), ("partly", "not_there")],
)
def test_a_page_that_does_not_support(supports: str, status: str) -> None:
    found = decide(PAGE, judged(supports, "traffic elsewhere was unable to cope"))
    assert (found.status, found.confidence) == (status, 0.8)
    assert found.quote == "traffic elsewhere was unable to cope"


def test_the_passage_that_was_asked_about_counts_where_none_is_quoted() -> None:
    shown = "traffic elsewhere was unable to cope"
    assert decide(PAGE, judged("supports"), shown).quote == shown
    assert (
        decide(PAGE, judged("supports", "Closing the old town to cars"), shown).quote == "Closing the old town to cars"
    )
    assert decide(PAGE, judged("says_nothing"), shown).status == "not_there"


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("no-host", "fabricated"),
        ("gone", "fabricated"),
        ("absent", "fabricated"),
        ("blocked", "unjudged"),
        ("failing", "unjudged"),
        ("slow", "unjudged"),
        ("huge", "unjudged"),
        ("redirects", "unjudged"),
        ("refused", "unjudged"),
        ("offline", "unjudged"),
        ("unreadable", "unjudged"),
    ],
)
def test_what_was_not_fetched(kind: Kind, status: str) -> None:
    found = decide(Unfetched(url="https://a.example/", kind=kind, words="so it was"), None)
    assert (found.status, found.confidence, found.quote, found.explanation) == (status, None, "", "so it was")
