"""Policies: settings of a gate that those whom it judges cannot change.

A policy is a YAML file with keys of a debate file, but for its subject: models, roles, prices, personas, thresholds,
requirements. It is named on the command line or in MOOT_POLICY, as a file outside of the project or as REVISION:PATH,
which git reads from a revision such as the base of a pull request. The run and its receipt have its hash.
"""

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from moot.errors import ConfigError
from moot.plugins.files import RUN_HERE
from moot.plugins.trust import check_own
from moot.present.data import Data
from moot.system.home import expanded
from moot.text.yaml import parse_yaml, read_file

KEY = "policy"
VARIABLE = "MOOT_POLICY"
NOT_IN_A_POLICY = ("documents", "seed", "submitted", KEY, *RUN_HERE)


class PolicyUsed(Data):
    """The policy that a run was held under: its name as given, and the hash of its content."""

    source: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy as it was read."""

    used: PolicyUsed
    settings: dict[str, Any] = field(default_factory=dict)


def read_policy(given: str | None) -> Policy | None:
    """The policy of that name, or else of MOOT_POLICY; None if neither names one. ConfigError if it cannot be read, or
    is a file that those whom it judges may have written."""
    name = given or os.environ.get(VARIABLE)
    if not name:
        return None
    content = _content(name)
    settings = {key: value for key, value in parse_yaml(content, name).items() if value is not None}
    settings.pop("moot", None)
    if wrong := next((key for key in NOT_IN_A_POLICY if key in settings), None):
        raise ConfigError(f"{name}: `{wrong}` cannot be set by a policy.", wrong)
    return Policy(PolicyUsed(source=name, sha256=hashlib.sha256(content).hexdigest()), settings)


def _content(name: str) -> bytes:
    revision, colon, path = name.partition(":")
    if not (colon and revision and path) or name.startswith(("/", ".", "~")):
        file = expanded(name)
        check_own(file, "a policy here", KEY)
        return read_file(file)
    from moot.evidence.git import file_at

    return file_at(Path.cwd(), revision, path)
