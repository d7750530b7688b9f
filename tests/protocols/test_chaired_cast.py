"""Who holds the roles of a chaired debate: names, personas, instructions and limits of words from the config."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import moot
from tests.kit.chaired import CLAIM, FIXED, GOOD, config_of, hold, rulings, turn
from tests.kit.duels import assert_sound
from tests.kit.runs import asked

ROLES: dict[str, Any] = {
    "promoter": {
        "name": "Ada",
        "persona": "A tram driver of thirty years.",
        "instructions": "Speak of {lanes}.",
        "words": 60,
    },
    "chair": {"name": "Bo"},
}


def system(model: Any, key: str) -> str:
    return str(next(one for one in model.requests if one.key == key).messages[0].content)


def test_roles_have_names_personas_instructions_and_limits(tmp_path: Path) -> None:
    decided: Any = FIXED["decision"]
    said = f"Ada says: trams matter. As Ada knows, trams carry four thousand people an hour. [1] {CLAIM} [1]"
    answers: dict[str, Any] = {
        "chair@conclusion/decision": decided | {"outcome": "affirmative_wins"},
        "promoter@r1/turn": turn("new_point", said, GOOD),
    }
    run, model = hold(tmp_path, answers, roles=ROLES)
    told = asked(model, "promoter@opening/turn")
    assert "Your name is Ada." in told
    assert "Who you are: A tram driver of thirty years." in told
    assert "within the rules: Speak of {lanes}." in told
    assert "In this debate the chair is Bo." in told
    assert "In this debate the promoter is Ada." in asked(model, "chair@closing/unresolved")
    assert "Ada" not in system(model, "verifier@promoter.opening.1/check")
    assert "new_point, at most 60 words" in system(model, "promoter@r1/turn")
    assert "new_point, at most 300 words" in system(model, "detractor@r1/turn")
    assert "at most 60 words" in asked(model, "promoter@opening/turn")
    assert "at most 400 words" in asked(model, "detractor@opening/turn")
    assert "at most 300 words" in asked(model, "detractor@closing/turn")
    assert rulings(run) == []  # a name of the cast need not stand in a page
    document = run.result() or {}
    assert document["summary"]["reached"].startswith("The stronger case is that of the promoter, Ada, who argued for")
    assert document["names"] == {"chair": "Bo", "promoter": "Ada"}
    first = json.loads(run.log_path.read_text("utf-8").splitlines()[0])
    assert first["data"]["cast"][1]["personality"] == "Ada. A tram driver of thirty years."
    assert_sound(run)


def test_a_limit_of_words_is_kept_by_code(tmp_path: Path) -> None:
    long = turn("new_point", "word " * 70 + CLAIM, GOOD)
    run, model = hold(tmp_path, {"promoter@r1/turn": long, "detractor@r1/turn": long}, roles=ROLES)
    assert [(data.rule, data.against) for data in rulings(run) if data.about == "struck"] == [(4, "promoter")]
    assert "a new_point may have 60" in asked(model, "promoter@r1/turn-again")


def test_roles_come_from_a_file_beside_models(tmp_path: Path) -> None:
    file = tmp_path / "debate.yaml"
    roles = {"promoter": {"name": "Ada", "model": "scripted/a"}, "chair": "scripted/b"}
    file.write_text(yaml.safe_dump({"protocol": "chaired", "topic": "Trams.", "roles": roles}), "utf-8")
    config = moot.configure(file=file)
    assert config.options.roles == {"chair": "scripted/b"}
    assert config.debate.cast["promoter"].name == "Ada"  # type: ignore[attr-defined]
    assert config.debate.model_of("promoter") == "scripted/a"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "roles",
    [{"nobody": {"name": "X"}}, {"chair": {"words": 100}}, {"promoter": {"colour": "red"}}, {"promoter": {"words": 3}}],
)
def test_roles_that_are_none(tmp_path: Path, roles: dict[str, Any]) -> None:
    with pytest.raises(moot.ConfigError):
        config_of(tmp_path, roles=roles)
