"""Texts that stop in the middle go back, and are marked where they still do."""

from pathlib import Path
from typing import Annotated

import pytest
from pydantic import BaseModel, Field

from moot.engine.play.endings import marked, stops_short
from tests.kit.arenas import arena, outcome, proposal


class Said(BaseModel):
    decision: Annotated[str, Field(json_schema_extra={"maxLength": 40})]
    many: list[Annotated[str, Field(json_schema_extra={"maxLength": 40})]] = []


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("This will help us make it so,", True),
        ("費用が下がり、", True),
        ("費用が下がり、利用者が増えます。", False),
        ("x" * 30 + " reduces th", False),  # 41: nobody held it to the bound
        ("x" * 29 + " reduces th", True),
        ("x" * 29 + " reduce it.", False),
        ("Cache the modules", False),
        ("The", False),
    ],
)
def test_what_stops_in_the_middle(text: str, cut: bool) -> None:
    assert stops_short(text, 40) is cut
    assert bool(marked(Said(decision=text))[1]) is cut


def test_a_mark_takes_the_place_of_a_sentence_that_was_only_begun() -> None:
    value = Said(decision="Cache it. It is what we,", many=["We want it,"])
    whole = Said(decision="Cache it. […]", many=["We want it, […]"])
    assert marked(value) == (whole, ["decision", "many.0"])


def test_a_decision_that_stops_in_the_middle_goes_back(tmp_path: Path) -> None:
    cut = proposal("Cache the modules.", "Cache the modules, which will help us,")
    result, model = arena(tmp_path, {"ada/propose": [cut, proposal("Cache the modules.")]})
    [again] = [
        one for one in model.requests if one.key == "ada/propose" and "stops in the middle" in one.messages[-1].content
    ]
    assert "`decision`" in again.messages[-1].content
    assert outcome(result).versions["Ada"][0].decision == "Cache the modules."


def test_a_decision_that_never_ends_is_marked_and_flagged(tmp_path: Path) -> None:
    cut = proposal("Cache the modules.", "Cache the modules. This will help us,")
    result, _ = arena(tmp_path, {"ada/propose": [cut, cut, cut]})
    assert outcome(result).versions["Ada"][0].decision == "Cache the modules. […]"
    assert "texts_cut" in [flag.code for flag in result.flags]
