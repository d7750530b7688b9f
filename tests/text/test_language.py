"""What can be known of a text's language without understanding it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.protocols.chaired.sentences import sentences
from moot.text.language import ends_sentence, has_spaces, is_question, word_count, words
from moot.text.prose import sentence

QUESTIONS = {
    "English": "Should cities ban private cars?",
    "German": "Sollten Städte private Autos verbieten?",
    "French": "Les villes doivent-elles interdire les voitures privées ?",
    "Spanish": "¿Deben las ciudades prohibir los coches privados?",
    "Chinese": "城市应该禁止私家车吗？",
    "Japanese": "都市は自家用車を禁止すべきですか？",
    "Korean": "도시는 자가용을 금지해야 합니까?",
    "Arabic": "هل يجب على المدن حظر السيارات الخاصة؟",
    "Persian": "آیا شهرها باید خودروهای شخصی را ممنوع کنند؟",
    "Hindi": "क्या शहरों को निजी कारों पर रोक लगानी चाहिए?",
    "Greek": "Πρέπει οι πόλεις να απαγορεύσουν τα αυτοκίνητα;",
    "Armenian": "Արդյո՞ք քաղաքները պետք է արգելեն մեքենաները։",
    "Russian": "Должны ли города запретить частные автомобили?",
    "Ethiopic": "ከተሞች የግል መኪናዎችን መከልከል አለባቸው፧",
}
CLAIMS = {
    "English": "Cities should ban private cars.",
    "German": "Städte sollten private Autos verbieten.",
    "Chinese": "城市应该禁止私家车。",
    "Arabic": "يجب على المدن حظر السيارات الخاصة.",
    "Hindi": "शहरों को निजी कारों पर रोक लगानी चाहिए।",
    "Armenian": "Քաղաքները պետք է արգելեն մեքենաները։",
    "Thai": "เมืองควรห้ามรถยนต์ส่วนตัว",
    "Dutch": "Steden moeten auto's verbieten, want het is beter.",
}


@pytest.mark.parametrize("language", QUESTIONS)
def test_questions_end_as_their_script_ends_them(language: str) -> None:
    assert is_question(QUESTIONS[language])
    assert is_question(f"“{QUESTIONS[language]}” ")
    assert ends_sentence(QUESTIONS[language]) or language == "Greek"


@pytest.mark.parametrize("language", CLAIMS)
def test_claims_are_no_questions(language: str) -> None:
    assert not is_question(CLAIMS[language])
    assert ends_sentence(CLAIMS[language]) is (language != "Thai")
    assert sentence(CLAIMS[language]) == CLAIMS[language] or language == "Thai"


@pytest.mark.parametrize(("text", "count"), [("one two three", 3), ("", 0), ("Rust 很快", 2), ("很" * 342, 171)])
def test_length_is_in_words_or_in_characters_that_say_as_much(text: str, count: int) -> None:
    assert word_count(text) == count


@given(st.integers(1, 500))
def test_a_limit_binds_in_every_script(most: int) -> None:
    for sign, each in (("禁", 2), ("か", 2), ("ก", 5), ("ក", 5)):
        assert word_count(sign * each * most) == most
        assert word_count(sign * each * most + sign) == most + 1
    assert word_count(" ".join(["слово"] * most)) == most


@given(st.text())
def test_words_and_spaces_can_be_had_of_any_text(text: str) -> None:
    assert word_count(text) >= 0
    assert all(words(text))
    assert isinstance(has_spaces(text), bool)


@pytest.mark.parametrize(
    ("text", "count"),
    [("شهرها؟ بله. خیر.", 3), ("पहला। दूसरा। तीसरा।", 3), ("第一。第二！第三？", 3), ("Առաջին։ Երկրորդ։", 2)],
)
def test_sentences_end_as_their_script_ends_them(text: str, count: int) -> None:
    assert len(sentences(text)) == count
