"""Protocols as methods of an evaluation. Each protocol defines how it is asked and where its outcome has the answer."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from moot.engine.define.config import RunConfig
from moot.engine.define.layers import configure
from moot.engine.define.registry import all_protocols, get_protocol
from moot.engine.define.shipped import DEFAULT
from moot.engine.define.study import PLAIN, Asking, FoundAnswer, Study
from moot.engine.play.casting import Casting
from moot.engine.staging.replay import RecordedModel
from moot.errors import ConfigError
from moot.studies.evaluate.dataset import Item
from moot.text.yaml import read_yaml


@dataclass(frozen=True, slots=True)
class Contender:
    """A protocol to evaluate, with its own debate file if there is one. `name` is its name in tables, `given` the
    content of the file."""

    name: str
    protocol: str
    file: Path | None
    given: Mapping[str, Any]
    asking: Asking

    def config(self, item: Item, seed: int, candidates: tuple[str, ...], options: Mapping[str, Any]) -> RunConfig:
        """The config of the debate on this question. `candidates` are the two answers that are debated."""
        settings = self.asking.settings(self.given, item, candidates)
        return configure(self.protocol, self.file, **settings, seed=seed, **options)

    def sample(self, item: Item, options: Mapping[str, Any]) -> RunConfig:
        """The config of a debate on this question, with the first two possible answers."""
        return self.config(item, 0, (item.candidates or ("one", "another"))[:2], options)

    def read(self, outcome: BaseModel | None, item: Item, candidates: tuple[str, ...]) -> FoundAnswer:
        """Read the answer from an outcome."""
        if outcome is None:
            return FoundAnswer(None, True, "it came to no outcome")
        return self.asking.read(outcome, item, candidates)


def contender(name: str) -> Contender:
    """Find a protocol by its name, or by a debate file."""
    if not name.endswith((".yaml", ".yml")):
        given: Mapping[str, Any] = {}
        protocol, file, label = name, None, name
    else:
        file = Path(name)
        given = read_yaml(file)
        protocol, label = str(given.get("protocol", DEFAULT)), file.stem
    study = get_protocol(protocol).get(Study) or PLAIN
    if study.asking is None:
        known = ", ".join(
            protocol.protocol.name
            for protocol in all_protocols()
            if (own := protocol.protocol.get(Study)) and own.asking
        )
        raise ConfigError(f"{protocol} cannot be evaluated: {study.unasked}. Those that can: {known}")
    for key in ("judge", "kinds"):
        if not isinstance(given.get(key) or {}, Mapping):
            raise ConfigError(f"{name}: {key!r} should be a table of settings", key)
    if why := study.asking.unsuited(given):
        raise ConfigError(f"{name}: {why}")
    return Contender(label, protocol, file, given, study.asking)


def in_an_order_by_lot(candidates: tuple[str, ...], seed: int) -> tuple[str, ...]:
    """Shuffle the candidates, so that the first speaker does not depend on the order of the options."""
    lot = random.Random(f"{seed}/candidates")  # noqa: S311 (a draw that can be repeated, not a secret)
    return tuple(lot.sample(candidates, len(candidates)))


def speakers(config: RunConfig) -> list[list[str]]:
    """The models of the debaters in the order of the cast, without judges and other roles."""
    casting = Casting(RecordedModel.by_name, config.options.model, config.options.roles)
    study = config.protocol.get(Study) or PLAIN
    if study.asking is not None and study.asking.speakers:
        return [casting.cast(part, name, None)[1] for part, name in study.asking.speakers]
    parts = [part for part in config.protocol.roles(config.debate) if part.debates]
    return [casting.cast(part.key, part.name or part.key, part.model)[1] for part in parts]
