"""Protocols as an evaluation puts questions to them. How each is asked, and where in its outcome the answer stands, is
the protocol's own to say."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from moot.engine.casting import Casting
from moot.engine.config import RunConfig, configure
from moot.engine.registry import all_protocols, get_protocol
from moot.engine.replay import RecordedModel
from moot.engine.shipped import DEFAULT
from moot.engine.study import PLAIN, Asking, Said
from moot.errors import ConfigError
from moot.studies.evaluate.dataset import Item
from moot.text.yaml import read_yaml


@dataclass(frozen=True, slots=True)
class Contender:
    """A protocol as it is to be evaluated: with its own debate file, where there is one. `name` is what tables call
    it, `given` what the file says."""

    name: str
    protocol: str
    file: Path | None
    given: Mapping[str, Any]
    asking: Asking

    def config(self, item: Item, seed: int, candidates: tuple[str, ...], options: Mapping[str, Any]) -> RunConfig:
        """The debate on this question. `candidates` are the two answers that are held against each other."""
        settings = self.asking.settings(self.given, item, candidates)
        return configure(self.protocol, self.file, **settings, seed=seed, **options)

    def read(self, outcome: BaseModel | None, item: Item, candidates: tuple[str, ...]) -> Said:
        """The answer that an outcome stands for."""
        if outcome is None:
            return Said(None, True, "it came to no outcome")
        return self.asking.read(outcome, item, candidates)


def contender(name: str) -> Contender:
    """A protocol by its name, or as a debate file describes it."""
    if not name.endswith((".yaml", ".yml")):
        given: Mapping[str, Any] = {}
        protocol, file, label = name, None, name
    else:
        file = Path(name)
        given = read_yaml(file)
        protocol, label = str(given.get("protocol", DEFAULT)), file.stem
    study = get_protocol(protocol).study or PLAIN
    if study.asking is None:
        told = ", ".join(
            one.protocol.name for one in all_protocols() if one.protocol.study and one.protocol.study.asking
        )
        raise ConfigError(f"{protocol} cannot be evaluated: {study.unasked}. Those that can: {told}")
    for key in ("judge", "kinds"):
        if not isinstance(given.get(key) or {}, Mapping):
            raise ConfigError(f"{name}: {key!r} should be a table of settings", key)
    if why := study.asking.unsuited(given):
        raise ConfigError(f"{name}: {why}")
    return Contender(label, protocol, file, given, study.asking)


def refusal(contender: Contender, item: Item) -> str | None:
    """Why this protocol cannot be asked this question, or None."""
    return contender.asking.refuses(item)


def needs_first_answers(contender: Contender, item: Item) -> bool:
    """Whether two blind answers have to be had before there is something to debate."""
    return contender.asking.blind_first and len(item.candidates) != 2


def in_an_order_by_lot(candidates: tuple[str, ...], seed: int) -> tuple[str, ...]:
    """Who speaks first must not hang on the order of the options."""
    lot = random.Random(f"{seed}/candidates")  # noqa: S311 (a draw that can be repeated, not a secret)
    return tuple(lot.sample(candidates, len(candidates)))


def speakers(config: RunConfig) -> list[list[str]]:
    """The models of those who debate, judges and the like left out, in the order of the cast."""
    casting = Casting(RecordedModel.by_name, config.options.model, config.options.roles)
    study = config.protocol.study or PLAIN
    if study.asking is not None and study.asking.speakers:
        return [casting.cast(part, name, None)[1] for part, name in study.asking.speakers]
    parts = [part for part in config.protocol.parts(config.debate) if part.debates]
    return [casting.cast(part.key, part.name or part.key, part.model)[1] for part in parts]
