"""What a topic asks: to choose between options, or for yes or no."""

import pytest

from moot.text.claims import alternatives_of, choice_of, denial_of, premise_of


@pytest.mark.parametrize(
    ("topic", "options"),
    [
        ("Should we use Postgres or MySQL?", ["Postgres", "MySQL"]),
        ("Should we use either Postgres or MySQL?", ["Postgres", "MySQL"]),
        ("Should we use Ruby on Rails or Django?", ["Ruby on Rails", "Django"]),
        ("Should I learn Rust or Go first?", ["Rust", "Go"]),
        ("Postgres vs. MySQL for analytics?", ["Postgres", "MySQL"]),
        ("Python vs Java vs Go", ["Python", "Java", "Go"]),
        ("Is Python or Java better for beginners?", ["Python", "Java"]),
        ("Which is better, tea or coffee?", ["tea", "coffee"]),
        ("Which is better for a small team: Django or Rails?", ["Django", "Rails"]),
        ("Which should a startup choose — monolith or microservices?", ["monolith", "microservices"]),
        ("monolith or microservices", ["monolith", "microservices"]),
        ("Is light a wave or a particle?", ["a wave", "a particle"]),
        ("Is the glass half full or half empty?", ["half full", "half empty"]),
        ("Should I stay or should I go?", ["stay", "go"]),
        ("Should we hire now or later?", ["hire now", "later"]),
        ("Is it better to rent or to buy?", ["to rent", "to buy"]),
        ("Postgres, MySQL, SQLite?", ["Postgres", "MySQL", "SQLite"]),
        ("Choose: AWS, Azure, GCP", ["AWS", "Azure", "GCP"]),
        ("Trams or buses, and why?", ["trams", "buses"]),
        ("Whether to refactor or rewrite", ["refactor", "rewrite"]),
        ("Which database?\n- Postgres\n- MySQL\n- SQLite", ["Postgres", "MySQL", "SQLite"]),
    ],
)
def test_a_choice(topic: str, options: list[str]) -> None:
    assert alternatives_of(topic) == options
    assert (premise_of(topic) or "").startswith(("The better choice is", "The right answer is"))


def test_what_a_thing_is_is_no_choice_of_the_better() -> None:
    claim = premise_of("Is light a wave or a particle?")
    assert claim == "The right answer is a wave, not a particle."
    assert denial_of(claim) == "The right answer is a particle, not a wave."
    assert premise_of("Is Python or Java better for beginners?") == "The better choice is Python, not Java."


def test_options_are_compared_in_the_language_of_the_topic() -> None:
    assert choice_of(["Bus", "Bahn"], "Was ist besser für die Stadt?") == "“Bus” > “Bahn”"
    assert choice_of(["82", "84"], factual=True) == "The right answer is 82, not 84."


@pytest.mark.parametrize(
    ("topic", "premise"),
    [
        ("Should we do more or less of it?", "We should do more or less of it."),
        ("Should we decide whether or not to ship?", "We should decide whether or not to ship."),
        ("Should we ship it or not?", "We should ship it."),
        ("Should we ban cars, yes or no?", "We should ban cars."),
        ("Are viruses alive, or are they not?", "The answer to the question “Are viruses alive?” is yes."),
        ("Should we ask one or two people?", "We should ask one or two people."),
        ("Should we never use goto or eval?", "We should never use goto or eval."),
        ("Trams are better than buses or cars.", "Trams are better than buses or cars."),
        *(
            (topic, f"The answer to the question “{topic}” is yes.")
            for topic in (
                "Will it break sooner or later?",
                "Should parents have a day or two off?",
                "Should a city of 5 or 6 million people have a metro?",
                "Should anyone over 16 or 17 vote?",
                "Should companies with 10 or more employees have a council?",
                "Should drugs or alcohol be banned?",
                "Should trial and error or luck decide?",
                "Should one parent or the other stay at home?",
                "Is it worth an hour or so a day?",
                "Should dogs and/or cats be allowed?",
            )
        ),
    ],
)
def test_no_choice(topic: str, premise: str) -> None:
    assert alternatives_of(topic) == []
    assert premise_of(topic) == premise
