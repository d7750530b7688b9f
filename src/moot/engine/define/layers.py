"""Settings from everywhere become the config of a run: YAML files, MOOT_* variables and keywords.

Flags and keywords override the policy, then variables, the debate's file, the project's `moot.yaml`, and the user's.
What others may have written only tightens: `plugins/files.py` says which settings of a project's `moot.yaml` count, and
`engine/define/sealed.py` what a gate accepts.
"""

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from operator import or_
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from moot.engine.define.config import Options, RunConfig, checked
from moot.engine.define.gate import check_allowed, sha256
from moot.engine.define.policy import read_policy
from moot.engine.define.protocol import Protocol, with_defaults
from moot.engine.define.registry import get_protocol
from moot.engine.define.sampling import merge_sampling, parse_sampling
from moot.engine.define.sealed import sealed
from moot.engine.define.shipped import DEFAULT
from moot.engine.define.submitted import submission
from moot.engine.sources.context import read_documents
from moot.engine.sources.toolbox import parse_tools, tools_in
from moot.errors import ConfigError
from moot.models.declared import commands_in
from moot.plugins.files import (
    COMMANDS,
    LOOKUPS,
    REQUIRE,
    RUN_HERE,
    ignored_settings,
    project_file,
    read_settings,
    settings_file,
    user_file,
)
from moot.text.yaml import read_yaml


def configure(
    protocol: str | None = None, file: Path | str | None = None, policy: str | None = None, **settings: Any
) -> RunConfig:
    """The config of a new run. `settings` are options and keys of the protocol's config; None means not given. `policy`
    names a policy."""
    return _configured(protocol, file, policy, settings, gate=False)


def configure_gate(protocol: str, **settings: Any) -> RunConfig:
    """The same for a debate that others rely on even if nothing is required of it by name."""
    return _configured(protocol, None, None, settings, gate=True)


def _configured(
    protocol: str | None,
    file: Path | str | None,
    policy: str | None,
    settings: Mapping[str, Any],
    *,
    gate: bool,
) -> RunConfig:
    given = {key: value for key, value in settings.items() if value is not None}
    content = read_documents(read_yaml(Path(file)), beside=Path(file)) if file else {}
    given, ruling = read_documents(given), read_policy(policy)
    if content.get("documents") and given.get("documents"):
        given["documents"] = [*content.pop("documents"), *given["documents"]]
    content.pop("moot", None)
    ruled = dict(ruling.settings) if ruling else {}
    chosen = get_protocol(_named(protocol, ((file, content), (ruling.used.source if ruling else None, ruled))))
    where = str(file) if file else chosen.name
    if chosen.lookups.refused and any(layer.get("tools") for layer in (content, ruled, given)):
        raise ConfigError(f"{chosen.name} takes no tools: {chosen.lookups.refused}", "tools")
    layers, asked = (content, ruled, given), given
    personas = {role: one for layer in layers for role, one in _personas_in(layer).items()}
    content, ruled, given = map(_without_personas, layers)
    own = [(content, where), (ruled, ruling.used.source if ruling else ""), (given, "options")]
    options = _merged(*(_options_in(layer, place) for layer, place in own))
    several = {**content, **ruled, **given}
    debate = {key: value for key, value in several.items() if key not in Options.model_fields}
    text = debate.get(chosen.subject.key)
    options, debate = _as_document(chosen, options, debate)
    debate |= {"roles": personas} if personas else {}
    if gate or debate.get(REQUIRE):
        cast = {"model": options.model, "roles": options.roles}
        debate = sealed(chosen.name, Path(file) if file else None, asked, debate, cast)
    options, debate = _seated(chosen, options, debate)
    if chosen.lookups.refused:
        options = options.model_copy(update={"tools": {}})  # those are for other debates
    for layer in (ruled, given):
        check_allowed(chosen, layer.get("allow"))
    also = [*Options.model_fields, "protocol"]
    known = checked(chosen.config, with_defaults(chosen, debate, from_file=file is not None), where, also)
    options = options.model_copy(update={"submitted": given.get("submitted") or _changed_hash(chosen, text, known)})
    return RunConfig(chosen, options, known, policy=ruling.used if ruling else None, ignored=tuple(ignored_settings()))


def _as_document(protocol: Protocol, options: Options, debate: dict[str, Any]) -> tuple[Options, dict[str, Any]]:
    """The settings of a debate whose subject is the first document, if it is a diff or too long for a subject. Whoever
    wrote it overrides nothing."""
    subject = protocol.subject
    made = submission(subject, debate.get(subject.key), str(debate.get(subject.source) or ""))
    if made is None:
        return options, debate
    if options.accept_revised:
        told = f"--accept-revised needs the {subject.name} itself, and no diff and no long text"
        raise ConfigError(told, "accept_revised")
    documents = [made.document, *options.model_dump()["documents"]]
    options = checked(Options, {**options.model_dump(), "documents": documents}, "options")
    return options, {**made.implied, **debate, **made.subject}


def _changed_hash(protocol: Protocol, text: Any, known: BaseModel) -> str | None:
    """The hash of a submitted text that the config does not keep to the letter, such as without its last newline."""
    return sha256(text) if isinstance(text, str) and text != getattr(known, protocol.subject.key, text) else None


def _named(protocol: str | None, files: Sequence[tuple[Path | str | None, dict[str, Any]]]) -> str:
    """The protocol of a debate, which a debate file and a policy can name too. They all have to be the same."""
    for file, content in files:
        named = content.pop("protocol", None)
        if not isinstance(named, str | None):
            raise ConfigError(f"{file}: `protocol` should be a name, such as duel", "protocol")
        if protocol and named and named != protocol:
            raise ConfigError(f"{file} is for the protocol {named}, not for {protocol}", "protocol")
        protocol = protocol or named
    return protocol or DEFAULT


def _seated(protocol: Protocol, options: Options, debate: dict[str, Any]) -> tuple[Options, dict[str, Any]]:
    """Several models are those of the participants, if the protocol has a seat for each. The first is that of everybody
    else."""
    if not protocol.keys.seats or not isinstance(options.model, list) or len(options.model) < 2:
        return options, debate
    return options.model_copy(update={"model": options.model[0]}), {protocol.keys.seats: options.model, **debate}


def _personas_in(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The `roles` that contain more than a model: the protocol reads them."""
    roles = settings.get("roles")
    return {role: one for role, one in roles.items() if isinstance(one, dict)} if isinstance(roles, dict) else {}


def _without_personas(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with only those `roles` that name models."""
    if not (personas := _personas_in(settings)):
        return settings
    return settings | {"roles": {role: one for role, one in settings["roles"].items() if role not in personas}}


def load_options(**settings: Any) -> Options:
    """The options outside of a debate: from files and variables, overridden by `settings`."""
    overrides = {key: value for key, value in settings.items() if value is not None}
    checked(Options, overrides, "options")
    ruling = read_policy(None)
    return _merged({}, _options_in(ruling.settings, ruling.used.source) if ruling else {}, overrides)


def _merged(own: dict[str, Any], ruled: dict[str, Any], given: dict[str, Any]) -> Options:
    """The options of the user's and the project's files, a debate's `own` file, variables, the policy, and `given`;
    later ones override earlier ones."""
    merged: dict[str, Any] = {"seed": secrets.randbelow(2**31)}
    for layer in (_options_file(user_file()), _options_file(project_file()), own, _variables(), ruled, given):
        both = {key: merge(merged[key], layer[key]) for key, merge in _MERGED.items() if key in merged and key in layer}
        merged |= layer | both
    return checked(Options, merged, "options")


_MERGED: Mapping[str, Callable[[Any, Any], Any]] = {"roles": or_, "sampling": merge_sampling}
"""Options that a later layer overrides only in part."""


def _options_file(path: Path) -> dict[str, Any]:
    """The options in a file for all debates that count; everything in it can be commented out."""
    content, counting = read_settings(path), settings_file(path)
    if COMMANDS in counting:
        commands_in(path)
    if LOOKUPS in counting:
        tools_in(path)
    others = {key: value for key, value in content.items() if key not in (*RUN_HERE, REQUIRE)}
    checked(Options, {key: value for key, value in others.items() if value is not None}, str(path))
    return _options_in(counting, str(path))


def _options_in(settings: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The settings that are options, after validation; a key without a value does not count."""
    options = {key: value for key, value in settings.items() if key in Options.model_fields and value is not None}
    if options:
        checked(Options, options, where)
    return options


def _variables() -> dict[str, Any]:
    """Options from the environment: MOOT_MODEL, MOOT_MAX_CALLS, …; MOOT_ROLES is `judge=MODEL,A=MODEL`,
    MOOT_SAMPLING `temperature=1,judge.temperature=0`."""
    options: dict[str, Any] = {}
    for variable in sorted(_VARIABLES.keys() & set(os.environ)):
        name, value = _VARIABLES[variable], os.environ[variable]
        if value:
            parse = {"roles": parse_roles, "sampling": parse_sampling, "tools": parse_tools}.get(name)
            options |= _options_in({name: parse(value.split(",")) if parse else value}, variable)
    return options


NOT_VARIABLES = ("prices", "documents", "allow", "accept_revised", "submitted")
_VARIABLES = {f"MOOT_{name.upper()}": name for name in Options.model_fields if name not in NOT_VARIABLES}


def parse_roles(pairs: Sequence[str]) -> dict[str, list[str]]:
    """Models by role, from NAME=MODEL; a repeated name adds a fallback."""
    roles: dict[str, list[str]] = {}
    for pair in pairs:
        name, equals, model = pair.partition("=")
        if not (name.strip() and equals and model.strip()):
            raise ConfigError(f"--role needs NAME=MODEL, such as judge=openai/gpt-5, not {pair!r}", "roles")
        roles.setdefault(name.strip(), []).append(model.strip())
    return roles
