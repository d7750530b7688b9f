"""Where settings come from, which of them wins, and that nothing but ConfigError comes of nonsense."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from moot import ConfigError, RunConfig, configure
from moot.engine.define.config import Options, thawed
from moot.engine.define.layers import parse_roles
from moot.plugins.files import user_file
from moot.protocols.duel.config import DuelConfig
from moot.text.yaml import MAX_FILE_BYTES, parse_yaml, read_yaml
from tests.kit.duels import ADA, BO, KIM
from tests.kit.trusted import write_trusted

pytestmark = pytest.mark.usefixtures("place")


# Precedence: what is given, then variables, the debate's file, the project's, the user's


def test_the_nearest_setting_wins(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(**given: Any) -> tuple[Any, Any]:
        options = configure("duel", place / "debate.yaml", **given).options
        return options.model, options.max_calls

    (place / "debate.yaml").write_text("topic: x\n", "utf-8")
    assert found() == (None, None)
    user_file().parent.mkdir(parents=True)
    user_file().write_text("model: a/user\nmax_calls: 1\n", "utf-8")
    assert found() == ("a/user", 1)
    write_trusted("model: a/project\nmax_calls: 2\n", place)
    assert found() == ("a/project", 2)
    (place / "debate.yaml").write_text("topic: x\nmodel: a/debate\nmax_calls: 3\n", "utf-8")
    assert found() == ("a/debate", 3)
    monkeypatch.setenv("MOOT_MODEL", "a/variable")
    monkeypatch.setenv("MOOT_MAX_CALLS", "4")
    assert found() == ("a/variable", 4)
    (place.parent / "policy.yaml").write_text("model: a/policy\nmax_calls: 5\n", "utf-8")
    assert found(policy="../policy.yaml") == ("a/policy", 5)
    monkeypatch.setenv("MOOT_POLICY", "../policy.yaml")
    assert found() == ("a/policy", 5)
    assert found(model=["a/given", "a/fallback"], max_calls=0) == (["a/given", "a/fallback"], 0)
    assert found(model=None, max_calls=None) == ("a/policy", 5)


def test_roles_are_merged_one_by_one(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user_file().parent.mkdir(parents=True)
    user_file().write_text("roles: {a: x/user, b: x/user, c: x/user, d: x/user, e: x/user}\n", "utf-8")
    write_trusted("roles: {b: x/project, c: x/project, d: x/project, e: x/project}\n", place)
    (place / "debate.yaml").write_text("topic: x\nroles: {c: x/file, d: x/file, e: [x/file, x/other]}\n", "utf-8")
    monkeypatch.setenv("MOOT_ROLES", "d=x/variable, e=x/variable")
    roles = configure(file=place / "debate.yaml", roles={"e": "x/given"}).options.roles
    assert roles == {"a": "x/user", "b": "x/project", "c": "x/file", "d": ["x/variable"], "e": "x/given"}


def test_a_role_named_again_gets_a_fallback() -> None:
    assert parse_roles(["judge=a/b", " A = c/d=e ", "judge=f/g"]) == {"judge": ["a/b", "f/g"], "A": ["c/d=e"]}


def test_every_option_but_those_of_a_gate_prices_and_documents_is_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {
        "model": "a/b",
        "seed": "5",
        "out": "elsewhere",
        "max_calls": "1",
        "max_tokens": "2",
        "max_cost": "3.5",
        "max_minutes": "4.5",
        "max_reply_tokens": "16",
        "timeout": "6.5",
        "concurrency": "7",
        "rate": "8",
        "language": "German",
        "max_lookups": "9",
        "full": "True",
    }
    others = {"roles", "prices", "sampling", "documents", "tools", "allow", "accept_revised", "framed", "submitted"}
    assert values.keys() | others == Options.model_fields.keys()
    for name, value in values.items():
        monkeypatch.setenv(f"MOOT_{name.upper()}", value)
    options = configure(topic="x").options.model_dump(include=set(values))
    assert {name: str(value) for name, value in options.items()} == values
    for name in values:
        monkeypatch.setenv(f"MOOT_{name.upper()}", "")
    assert configure(topic="x", seed=1).options == Options.model_validate({"seed": 1})


def test_keys_with_nothing_behind_them_and_empty_settings_files_are_as_good_as_none(place: Path) -> None:
    (place / "moot.yaml").write_text("# model: a/b\n", "utf-8")
    keys = "".join(f"{name}:\n" for name in Options.model_fields)
    (place / "debate.yaml").write_text(f"topic: x\n{keys}", "utf-8")
    first, second = (configure(file=place / "debate.yaml").options for _ in range(2))
    assert first.model_copy(update={"seed": None}) == Options.model_validate({})
    assert first.seed != second.seed, "without a seed every run draws its own"


def test_a_file_of_another_protocol_is_refused(place: Path) -> None:
    (place / "debate.yaml").write_text("protocol: arena\ntopic: x\n", "utf-8")
    with pytest.raises(ConfigError, match=r"debate.yaml is for the protocol arena, not for duel"):
        configure("duel", place / "debate.yaml")


def test_a_file_is_read_no_further_than_it_may_be_long() -> None:
    with pytest.raises(ConfigError, match=f"/dev/zero is larger than {MAX_FILE_BYTES:,} bytes"):
        read_yaml(Path("/dev/zero"))
    with pytest.raises(ConfigError, match="cannot be read: embedded null byte"):
        read_yaml(Path("a\0b"))


# Whatever is handed in


@contextlib.contextmanager
def only_config_errors() -> Iterator[None]:
    with contextlib.suppress(ConfigError):
        yield


untimed = settings(deadline=None)
texts = st.text() | st.sampled_from(["openai/gpt-5.2", "half a pair \ud800", "a\0b"])
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(scalars, inner, max_size=3),
    max_leaves=8,
)
keys = st.sampled_from(
    [*Options.model_fields, *DuelConfig.model_json_schema(by_alias=True)["properties"], "no_judge", "zzz"]
)
personas = st.sampled_from([ADA, BO, KIM]).flatmap(
    lambda one: st.dictionaries(st.sampled_from([*one, "side", "type", "colour", "model"]), values, max_size=3).map(
        lambda changes: one | changes
    )
)
any_settings = st.dictionaries(keys, values | personas | st.lists(personas, max_size=3), max_size=5)


@untimed
@given(any_settings)
def test_settings_of_any_shape_are_taken_or_refused(given_settings: dict[str, Any]) -> None:
    with only_config_errors():
        assert isinstance(configure("duel", **given_settings), RunConfig)


@untimed
@given(st.binary())
def test_bytes_of_any_kind_are_read_or_refused(data: bytes) -> None:
    with only_config_errors():
        assert all(isinstance(key, str) for key in parse_yaml(data, "it"))


@untimed
@given(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text())
def test_what_another_program_dumps_is_read_as_it_was_meant(value: Any) -> None:
    text = yaml.safe_dump({"key": value})
    assert parse_yaml(text.encode(), "it") == {"key": value}


sayings = st.text(min_size=1, max_size=40).filter(str.strip) | st.sampled_from(["a\x85b", "a\u2028b", "1e5", "\r\n.\r"])


@untimed
@given(sayings, sayings, st.lists(sayings, min_size=1, max_size=3), st.integers(), st.floats(0, 1e300))
def test_a_frozen_config_is_the_same_when_it_is_read_again(
    topic: str, position: str, models: list[str], seed: int, cost: float
) -> None:
    cast: dict[str, Any] = {"debaters": [ADA | {"position": position}, BO], "judge": KIM | {"model": models}}
    roles = dict.fromkeys(models, models)
    config = configure("duel", topic=topic, model=models[0], roles=roles, seed=seed, max_cost=cost, **cast)
    file = Path("config.yaml")
    file.write_text(config.frozen(), "utf-8")
    assert thawed(read_yaml(file), str(file)) == config
