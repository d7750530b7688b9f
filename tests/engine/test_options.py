"""Options are made from the types of fields, and what people choose becomes the value of its type."""

from enum import Enum
from typing import Annotated, Literal

from pydantic import BaseModel

from moot.engine.define.config import checked
from moot.engine.define.options import Option, declared


class Style(Enum):
    CALM = "calm"
    SHARP = "sharp"


class Config(BaseModel):
    level: Annotated[Literal[1, 2, 3], Option("How deep.")] = 2
    share: Annotated[Literal[5, "all"] | None, Option("How much.")] = None
    style: Annotated[Style, Option("How they speak.")] = Style.CALM
    depths: Annotated[list[Literal[1, 2]] | None, Option("Which depths.")] = None


def test_choices_of_any_type_are_told_as_people_write_them() -> None:
    options = {one.name: one for one in declared(Config)}
    assert {one.kind for one in options.values()} == {"choice"}
    assert (options["level"].choices, options["level"].default) == (("1", "2", "3"), "2")
    assert (options["style"].choices, options["style"].default) == (("calm", "sharp"), "calm")
    assert (options["depths"].choices, options["depths"].many) == (("1", "2"), True)
    assert options["depths"].settings(["1,2", "1"]) == {"depths": ["1", "2", "1"]}


def test_a_choice_becomes_the_value_of_its_type() -> None:
    given = {"level": "3", "share": "5", "style": "sharp", "depths": ["1", "2"]}
    config = checked(Config, given, "here")
    assert (config.level, config.share, config.style, config.depths) == (3, 5, Style.SHARP, [1, 2])
    assert checked(Config, {"level": 1, "share": "all", "depths": [2]}, "here").share == "all"
