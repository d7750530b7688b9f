"""What pays for the replies of a run: its models, each opened once, and the caller."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from moot.engine.define.config import Options, RunConfig
from moot.engine.play.calls import PayingCaller
from moot.engine.play.limits import Budget
from moot.engine.play.room import Setup
from moot.engine.sources.lookups import lookups_of
from moot.engine.staging.outside import inbox_of
from moot.engine.staging.runs import Run
from moot.errors import ConfigError
from moot.models.base import Model
from moot.models.human import PersonPrompter
from moot.models.registry import ModelSettings, open_model
from moot.models.scripted import ScriptedModel, UnusedReplies
from moot.record.events import Follower
from moot.record.journal import Journal, Record


@dataclass(frozen=True, slots=True)
class Opener:
    """Opens each model of a run once."""

    settings: ModelSettings
    opened: dict[str, Model]

    @classmethod
    def of(
        cls,
        options: Options,
        models: Mapping[str, Model] | None,
        folder: Run | None = None,
        prompter: PersonPrompter | None = None,
    ) -> "Opener":
        settings = ModelSettings(
            options.timeout,
            options.concurrency,
            options.prices,
            inbox_of(folder) if folder else None,
            prompter,
            options.rate,
        )
        return cls(settings, dict(models or {}))

    def __call__(self, name: str) -> Model:
        if name not in self.opened:
            if self.settings.prompter is not None and (why := self.settings.prompter.refuses(name)) is not None:
                raise ConfigError(why)
            self.opened[name] = open_model(name, self.settings)
        return self.opened[name]

    def check_scripts(self, records: Sequence[Record]) -> None:
        """UnusedReplies if a script has replies that were never asked for."""
        for model in self.opened.values():
            if isinstance(model, ScriptedModel) and (unused := model.unused(record.key for record in records)):
                raise UnusedReplies(model.name, unused)


def setup_of(config: RunConfig, journal: Journal, *, rehearsal: bool = False) -> Setup:
    """What the debate of this config brings to its room."""
    return Setup(
        seed=config.seed,
        protocol=config.protocol,
        language=config.language,
        documents=config.options.documents,
        lookups=lookups_of(config, journal),
        carried=config.carried,
        full=config.options.full,
        rehearsal=rehearsal,
    )


def paying_caller(config: RunConfig, journal: Journal, budget: Budget, follow: Follower | None) -> PayingCaller:
    options = config.options
    longest, prices, sampling = options.max_reply_tokens, options.prices, options.sampling
    is_optional = config.protocol.live.is_optional
    return PayingCaller(journal, budget, longest, config.seed, prices, follow, sampling, is_optional)
