"""Figures, dates and names of a sentence are looked for in a passage, however they are written."""

import pytest

from moot.evidence.anchors import bears, figures, missing, plain, stands

PAGE = (
    "Closing streets in Graz took four thousand cars off the road in April 2017. The World Health Organization spoke "
    "of 1.5 million people and 12 %. PM2.5 fell by a third.\n\nElsewhere, José Müller counted 1 200 bicycles."
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("In 2019 forty studies and 4,000 people", ["2019", "4,000", "forty"]),
        ("3.5 million cars, 12 % [1], entry #7 and round 2", ["3.5 million", "12"]),
        ("twenty-five of two hundred and five", ["twenty-five", "two hundred and five"]),
        ("one or two of a thousand reasons, CO2 and a dozen", []),
    ],
)
def test_figures(text: str, found: list[str]) -> None:
    assert figures(text) == found


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        *[("4,000", "four thousand"), ("4000", "4 000"), ("1.5 million", "1,500,000"), ("40", "forty")],
        *[("1.234", "1,234"), ("1,00,000", "100,000"), ("12,34,567.5", "1234567.5"), ("3 crore", "30 million")],
        *[("٤٠٠٠", "4,000"), ("4,5 Millionen", "4.5 million"), ("2 Mrd", "2 billion"), ("3万", "30 000")],
        *[("5 млн", "5 million"), ("5 m", "five metres, or 5 of them")],
    ],
)
def test_a_figure_stands_however_it_is_written(figure: str, text: str) -> None:
    assert stands(figure, [text])
    assert not stands(f"9{figure}", [text])


def test_a_figure_with_its_scale_is_another_than_without() -> None:
    assert not stands("4", ["4 thousand people"])
    assert not stands("4,5 Millionen", ["4,5 Milliarden"])
    assert not stands("3", ["3万人"])


@pytest.mark.parametrize(
    ("sentence", "lacking"),
    [
        ("In Graz 4,000 cars left by April 2017.", []),
        ("The WHO names 1.5 million people.", []),
        ("As the world Health Organization has it, 12 per cent.", []),
        ("It was in Linz, in May 2018.", ["2018", "Linz", "May"]),
        ("The IMF has 13 per cent.", ["13", "IMF"]),
        ("Fewer PM2.5 particles than PM10.", ["PM10"]),
        ("Streets were closed [1], as entry #9 says.", []),
    ],
)
def test_what_is_missing(sentence: str, lacking: list[str]) -> None:
    assert missing(sentence, PAGE, "A title", 0, 30) == lacking


def test_accents_make_no_difference_to_names() -> None:
    at = PAGE.index("Elsewhere")
    assert missing("There Jose Muller counted 1,200 bicycles.", PAGE, "", at, at + 30) == []


def test_german_nouns_are_no_names() -> None:
    page = "Die Stadt hat die Autos aus der Mitte verbannt, und die Luft wurde besser, sagt der Bericht."
    assert missing("Laut dem Bericht ist die Qualität der Luft 1997 gestiegen.", page, "", 0, 40) == ["1997"]


def test_german_nouns_are_no_names_in_a_short_sentence_on_an_english_page() -> None:
    sentence = "Straßenbahnen befördern 4.000 Menschen je Stunde."
    page = "Trams carry four thousand people an hour."
    assert missing(sentence, page, "", 0, 40) == []
    assert bears(sentence, page, "", 0, 40), "what is in another language shares no words"
    assert not bears("Cyclists dislike cobblestones, kerbs, puddles and rain.", page, "", 0, 40)


def test_a_passage_bears_on_a_sentence_when_they_share_words() -> None:
    assert bears("Closing streets took cars off the road.", PAGE, "", 0, 30)
    assert not bears("Whales dive deeper than any submarine.", PAGE, "", 0, 30)


def test_plain() -> None:
    assert plain("Cars left [1], as #7 says [2].") == "Cars left, as says."
