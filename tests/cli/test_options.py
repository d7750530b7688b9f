"""The options of a protocol's own, as the command and the form take them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

import moot
from moot.api import Option
from moot.engine.define.registry import register
from moot.web.start_form import Faults, configured
from tests.kit.command import Said, refused
from tests.kit.command import moot as command
from tests.kit.hands import HANDS, Config, registered
from tests.kit.servers import serving
from tests.kit.trusted import write_trusted
from tests.kit.tutorial import write_hands


class Many(Config):
    strict: Annotated[bool, Option("Count nothing that is unclear.", label="Strict")] = True
    loud: Annotated[bool, Option("Shout.", label="Loud")] = False
    most: Annotated[int | None, Option("Hands at most.", label="Most")] = None
    tone: Annotated[Literal["dry", "warm"] | None, Option("The tone.", label="Tone")] = None
    tags: Annotated[list[str], Option("What it is about.", label="Tags")] = Field([])
    sizes: Annotated[list[int], Option("Sizes.", label="Sizes")] = Field([1, 2])


FORM = {"protocol": "hands", "topic": "Is it so?", "model": "fake/one"}
BOXES = {"box:hands.strict": "yes", "box:hands.loud": "yes"}


PROTOCOL = replace(HANDS, config=Many)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.engine.define.registry._registered", {})


@pytest.fixture
def hands() -> Iterator[None]:
    with registered(PROTOCOL):
        yield


def taken(form: dict[str, str]) -> Any:
    faults = Faults()
    config = configured(form, faults)
    assert config is not None, faults
    return config.debate


@pytest.mark.parametrize("name", ["quiet", "display", "out", "model", "seed", "file", "config", "role", "deliver"])
def test_an_option_of_moots_own_name_is_refused_in_a_line(place: Path, name: str) -> None:
    text = write_hands(place).read_text("utf-8").replace("    voters: Annotated", f"    {name}: Annotated")
    (place / "hands.py").write_text(text, "utf-8")
    told = f"moot: the config of hands has an option `{name}`, which is one of moot's own; call it something else\n"
    assert refused("run", "hands.py", "Is it so?") == told


def test_an_option_named_as_a_setting_of_every_debate_is_refused_from_python() -> None:
    class Seeded(Config):
        seed: Annotated[int, Option("A number.")] = 1

    with pytest.raises(moot.ConfigError, match="has an option `seed`, which is one of moot's own"):
        register(replace(PROTOCOL, name="seeded", config=Seeded))


def asked(*args: str) -> Said:
    # The command looks for protocols of others only where something is plugged in.
    Path("hands.py").write_text("from tests.cli.test_options import PROTOCOL\n", "utf-8")
    write_trusted("plugins: [hands.py]\n")
    return command(*args)


def staged(*args: str) -> Any:
    ended = asked("hands", "Is it so?", *args)
    assert ended.code == 0, ended
    return moot.find_run("latest", "debates").config.debate


@pytest.mark.parametrize(
    ("args", "strict", "loud"),
    [((), True, False), (("--no-strict", "--loud"), False, True), (("--strict",), True, False)],
)
def test_a_switch_that_is_on_can_be_switched_off(
    place: Path, provider: str, args: tuple[str, ...], strict: bool, loud: bool
) -> None:
    found = staged(*args)
    assert (found.strict, found.loud) == (strict, loud)


@pytest.mark.usefixtures("hands")
def test_a_box_of_the_form_says_yes_and_no() -> None:
    assert taken(FORM).strict is True
    assert taken(FORM | BOXES).strict is False
    found = taken(FORM | BOXES | {"hands.strict": "yes", "hands.loud": "yes"})
    assert (found.strict, found.loud) == (True, True)


@pytest.mark.usefixtures("hands")
def test_the_form_shows_what_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path / "runs") as site, site.client() as client:
        page = client.get("/start?protocol=hands").text
        assert 'name="hands.strict" value="yes" checked' in page
        assert 'name="hands.loud" value="yes" checked' not in page
        with monkeypatch.context() as other:  # undone before the server's own settings are
            other.setenv("MOOT_MODEL", "openai/gpt-5-mini")
            assert 'placeholder="openai/gpt-5-mini"' in client.get("/start").text
        assert '<option value="">–</option>' in page, "a choice that need not be made"
        again = client.post("/start", data=FORM | BOXES | {"action": "plan"}).text
        assert 'name="hands.strict" value="yes" checked' not in again, "what was unchecked stays so"
