"""How a small model is asked for an object: choices apart from words, and nothing that is optional."""

from moot.embedded.small_replies import choices_in, joined, needed, texts_in
from moot.engine.play.structured import json_schema
from moot.protocols.panel.shapes import ballot_shape, opinion_shape

LABELS = ("accept", "modify", "reject")


def test_what_may_be_left_out_is_left_out() -> None:
    schema = needed(json_schema(opinion_shape(LABELS, ("Bo",))))
    assert list(schema["properties"]) == ["claim", "label"]


def test_words_and_choices_are_told_apart_and_joined_again() -> None:
    schema = needed(json_schema(opinion_shape((), ("Bo",))))
    assert texts_in(schema) == ["claim", "modifications"]
    assert choices_in(schema) is None
    assert joined(schema, {}, {"claim": "So.", "modifications": "Do it."}) == {
        "claim": "So.",
        "modifications": ["Do it."],
    }
    other = needed(json_schema(opinion_shape(LABELS, ())))
    choices = choices_in(other)
    assert choices is not None
    assert (list(choices["properties"]), choices["required"]) == (["label"], ["label"])
    assert joined(other, {"label": "modify"}, {"claim": "So."}) == {"claim": "So.", "label": "modify"}


def test_nested_choices_are_no_words() -> None:
    schema = needed(json_schema(ballot_shape(("M1", "M2"))))
    assert texts_in(schema) == []
    assert list(choices_in(schema) or {"properties": {}}) != []
