# The functions of the shipped protocols for type checkers, made by `python -m tests.kit.settings`.
# A setting that is None is not given. An outcome is None if it could not be read from the log.

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Generic, Literal, TypedDict, TypeVar, Unpack

from pydantic import BaseModel

from moot.engine.outcome.result import Result
from moot.models.base import Model
from moot.protocols.arena.result import ArenaOutcome as Arena
from moot.protocols.chaired.result import ChairedOutcome as Chaired
from moot.protocols.council import Outcome as Council
from moot.protocols.delphi import Outcome as Delphi
from moot.protocols.duel.result import DuelOutcome as Duel
from moot.protocols.hats import Outcome as Hats
from moot.protocols.multiagent import Outcome as Multiagent
from moot.protocols.oversight import Outcome as Oversight
from moot.protocols.oxford import Outcome as Oxford
from moot.protocols.panel.callers import OnAccept
from moot.protocols.panel.result import PanelOutcome as Panel
from moot.protocols.persuasion.result import PersuasionOutcome as Persuasion
from moot.protocols.redteam import Outcome as Redteam
from moot.protocols.socratic import Outcome as Socratic
from moot.record.events import Follower

_Outcome = TypeVar("_Outcome", bound=BaseModel)

class ResultOf(Result, Generic[_Outcome]):
    outcome: _Outcome | None

class CommonSettings(TypedDict, total=False):
    # `follow` is called with every event, `models` are your own models by the names in the settings, without `reports`
    # none are written, `file` is a debate file, and `policy` names a policy.
    follow: Follower | None
    models: Mapping[str, Model] | None
    reports: bool
    file: Path | str | None
    policy: str | None
    model: str | Sequence[str] | None
    roles: Mapping[str, str | Sequence[str] | Mapping[str, Any]] | None
    sampling: Mapping[str, Mapping[str, Any]] | None
    seed: int | None
    out: str | None
    max_calls: int | None
    max_tokens: int | None
    max_cost: float | None
    max_minutes: float | None
    max_reply_tokens: int | None
    timeout: float | None
    concurrency: int | None
    language: str | None
    rate: int | None
    prices: Mapping[str, Mapping[str, Any]] | None
    documents: Sequence[str | Mapping[str, Any]] | None
    tools: Mapping[str, Sequence[str]] | Sequence[str] | None
    max_lookups: int | None
    full: bool | None
    allow: Sequence[str] | None
    accept_revised: bool | None
    framed: bool | None
    submitted: str | None

_DuelSettings = TypedDict(
    "_DuelSettings",
    {"for": Sequence[Mapping[str, Any]] | None, "against": Sequence[Mapping[str, Any]] | None},
    total=False,
)

class DuelSettings(CommonSettings, _DuelSettings, total=False):
    claim: str | None
    denial: str | None
    no_frame: bool | None
    options: Sequence[str] | None
    kind: Literal["yes_no", "open"] | None
    turns: int | None
    words: int | None
    debaters: Sequence[Mapping[str, Any]] | None
    judge: Mapping[str, Any] | None
    judges: Sequence[Mapping[str, Any]] | None
    jury: str | int | Sequence[str] | None
    order: Literal["fixed", "random"] | None
    require: Sequence[str] | None
    factual: bool | None

async def duel(topic: str | None = None, **settings: Unpack[DuelSettings]) -> ResultOf[Duel]: ...

class ChairedSettings(CommonSettings, total=False):
    topic_prompt: str | None
    min_rounds: int | None
    max_rounds: int | None
    time_budget_minutes: float | None
    cast: (
        Mapping[
            Literal["chair", "promoter", "detractor", "verifier", "audience", "reporter", "assessor"], Mapping[str, Any]
        ]
        | None
    )
    evidence: str | Mapping[str, Any] | None
    require: (
        Literal["winner", "affirmative_wins", "negative_wins"]
        | Sequence[Literal["winner", "affirmative_wins", "negative_wins"]]
        | None
    )
    wait_minutes: float | None
    disqualify_fabricators: bool | None

async def chaired(topic: str | None = None, **settings: Unpack[ChairedSettings]) -> ResultOf[Chaired]: ...

class PanelSettings(CommonSettings, total=False):
    kind: str | None
    kinds: Mapping[str, Mapping[str, Any]] | None
    personas: Sequence[Mapping[str, Any]] | None
    persona_weights: Mapping[str, Decimal | float | str] | None
    max_rounds: int | None
    min_agreement_threshold: Decimal | float | str | None
    required_validators: int | None
    quorum: int | None
    timeout_per_round: float | None
    max_revisions: int | None
    reviser: str | Sequence[str] | None
    accepted: Sequence[str] | None
    require: Sequence[str] | None
    source: str | None
    truth: str | None
    on_accept: OnAccept | None

async def panel(idea: str | Mapping[str, Any] | None = None, **settings: Unpack[PanelSettings]) -> ResultOf[Panel]: ...

class PersuasionSettings(CommonSettings, total=False):
    claim: str | None
    denial: str | None
    no_frame: bool | None
    rounds: int | None
    perspective: str | None
    evidence: Sequence[str] | None
    require: Literal["winner", "proponent", "opponent"] | Sequence[Literal["winner", "proponent", "opponent"]] | None
    proponent: Mapping[str, Any] | None
    opponent: Mapping[str, Any] | None
    moderator: Mapping[str, Any] | None

async def persuasion(topic: str | None = None, **settings: Unpack[PersuasionSettings]) -> ResultOf[Persuasion]: ...

class ArenaSettings(CommonSettings, total=False):
    agents: int | Sequence[Mapping[str, Any]] | None
    judges: int | Sequence[Mapping[str, Any]] | None
    trickster: bool | Mapping[str, Any] | None
    observer: bool | Mapping[str, Any] | None
    answer_form: str | None
    revision_rounds: int | None
    words: int | None
    critique: Literal["all", "ring"] | None
    vote: str | None
    vote_threshold: Decimal | float | str | None
    self_votes: bool | None
    criteria: Mapping[str, str] | None
    convergence_threshold: float | None
    convergence_agreement: float | None
    early_stop_confidence: float | None
    max_extra_rounds: int | None
    pass_mark: float | None
    patience: float | None
    check_sources: bool | None
    require: (
        Literal["approved", "approved_with_conditions", "needs_review", "rejected"]
        | Sequence[Literal["approved", "approved_with_conditions", "needs_review", "rejected"]]
        | None
    )
    selection: Sequence[str] | None
    judge: Mapping[str, Any] | None

async def arena(topic: str | None = None, **settings: Unpack[ArenaSettings]) -> ResultOf[Arena]: ...

class CouncilSettings(CommonSettings, total=False):
    answer_form: str | None
    agents: int | None
    words: int | None

async def council(topic: str | None = None, **settings: Unpack[CouncilSettings]) -> ResultOf[Council]: ...

class MultiagentSettings(CommonSettings, total=False):
    answer_form: str | None
    agents: int | None
    rounds: int | None
    sparse: bool | None
    words: int | None
    require: Sequence[str] | None

async def multiagent(topic: str | None = None, **settings: Unpack[MultiagentSettings]) -> ResultOf[Multiagent]: ...

class DelphiSettings(CommonSettings, total=False):
    answer_form: str | None
    agents: int | None
    unit: str | None
    rounds: int | None
    stable: float | None
    words: int | None

async def delphi(topic: str | None = None, **settings: Unpack[DelphiSettings]) -> ResultOf[Delphi]: ...

class OxfordSettings(CommonSettings, total=False):
    answer_form: str | None
    agents: int | None
    claim: str | None
    denial: str | None
    no_frame: bool | None
    words: int | None
    require: (
        Literal["winner", "for", "against", "carried"] | Sequence[Literal["winner", "for", "against", "carried"]] | None
    )

async def oxford(topic: str | None = None, **settings: Unpack[OxfordSettings]) -> ResultOf[Oxford]: ...

class SocraticSettings(CommonSettings, total=False):
    claim: str | None
    denial: str | None
    no_frame: bool | None
    questions: int | None
    words: int | None
    require: Literal["upheld", "amended", "withdrawn"] | Sequence[Literal["upheld", "amended", "withdrawn"]] | None

async def socratic(topic: str | None = None, **settings: Unpack[SocraticSettings]) -> ResultOf[Socratic]: ...

class HatsSettings(CommonSettings, total=False):
    answer_form: str | None
    words: int | None

async def hats(topic: str | None = None, **settings: Unpack[HatsSettings]) -> ResultOf[Hats]: ...

class RedteamSettings(CommonSettings, total=False):
    answer_form: str | None
    source: str | None
    attacks: int | None
    words: int | None
    require: Literal["holds"] | Sequence[Literal["holds"]] | None

async def redteam(topic: str | None = None, **settings: Unpack[RedteamSettings]) -> ResultOf[Redteam]: ...

class OversightSettings(CommonSettings, total=False):
    answer_form: str | None
    one: str | None
    other: str | None
    right: str | None
    passage: str | None
    consultancy: bool | None
    rounds: int | None
    words: int | None
    require: Sequence[str] | None

async def oversight(topic: str | None = None, **settings: Unpack[OversightSettings]) -> ResultOf[Oversight]: ...
