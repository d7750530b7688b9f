"""What a persuasion dialogue is told: its proposition, its cast, and where its shared context comes from."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from moot.protocols.duel.config import premise_of
from moot.protocols.duel.small import conviction
from moot.protocols.personas import Models, Name, Text

PHASES = ("setup", "round 0", "rounds", "closing", "verdict")
TYPES = {
    "debater": ("move", "final_statement", "note"),
    "moderator": ("sent_back", "judgement", "note"),
}
_VERB = r"(?:should|must|is|are|can|will)"
_NOT_PLAIN = (
    "if|when|unless|because|since|although|while|whether|that|which|who|whose|what|where|how|"
    "all|every|everyone|everybody|everything|each|both|most|many|some|someone|somebody|something|few|any|anyone|anybody|"
    "anything|no|none|nobody|nothing|nowhere|either|neither|only|not|never|"
    "do|does|did|has|have|had|was|were|could|would|may|might"
)
"""Words before the verb with which the denied verb would not deny the sentence: “Nobody should” is no plain claim."""
_PLAIN = re.compile(
    rf"(?!.{{300}})(?P<subject>(?:(?!(?:{_NOT_PLAIN}|{_VERB})\b)[^\s,;:]+ ){{1,6}})(?P<verb>{_VERB}) (?P<negated>not )?"
    rf"(?!(?:never|no|nothing|nobody|only|either|neither|both|always|all|every)\b)"
    rf"(?!.*(?:;|\b(?:because|since)\b|\b(?:and|but|or|so)\b.*\b{_VERB}\b))(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_OPENER = re.compile(rf"(?:{_NOT_PLAIN}|we|the|an?|our|this|these|those|there|it|you|they)\b", re.IGNORECASE)
Path = Annotated[str, StringConstraints(min_length=1, max_length=4096, pattern=r"^[^\x00]+$")]


class Persona(BaseModel):
    """Somebody of the cast. The bias is said openly, in the system prompt and in the report. `type: human` is short
    for `model: human/NAME`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    personality: Text
    bias: Text
    model: Models | None = None
    colour: str | None = Field(None, pattern=r"^[a-z_0-9#]{1,30}$")
    type: Literal["model", "human"] = "model"

    @property
    def speaks_through(self) -> Models | None:
        return f"human/{self.name}" if self.type == "human" and self.model is None else self.model


class PersuasionConfig(BaseModel):
    """A proposition and a cast of three. `evidence` are folders or files, with their git history."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    topic: Text
    rounds: int = Field(2, ge=1, le=50)
    perspective: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)] | None = None
    evidence: Annotated[list[Path], Field(max_length=20)] = []
    proponent: Persona
    opponent: Persona
    moderator: Persona

    @model_validator(mode="after")
    def _a_proposition(self) -> Self:
        if premise_of(self.topic) is None:
            raise ValueError("`topic` should be a claim that can be held and denied, not an open question")
        return self

    @model_validator(mode="after")
    def _unique_names(self) -> Self:
        seen: set[str] = set()
        for persona in self.cast.values():
            name = persona.name.casefold()
            if name in ("proponent", "opponent", "moderator", "moot"):
                raise ValueError(f"nobody can be called {persona.name!r}: that is a part in the script")
            if name in seen:
                raise ValueError(f"two of the cast are called {persona.name!r}; names must be unique")
            seen.add(name)
        return self

    @property
    def cast(self) -> dict[str, Persona]:
        return {"proponent": self.proponent, "opponent": self.opponent, "moderator": self.moderator}

    @property
    def proposition(self) -> str:
        """φ: the topic as a claim."""
        return premise_of(self.topic) or self.topic

    @property
    def denial(self) -> str:
        """¬φ."""
        return denial_of(self.proposition)


def denial_of(proposition: str) -> str:
    """What the opponent stands for, in plain words where the sentence is plain enough to be denied by its verb."""
    claim = proposition.strip().rstrip(".!")
    if asked := re.fullmatch(r"The answer to the question (“.*”) is yes", claim, re.DOTALL):
        return f"The answer to the question {asked[1]} is no."
    if claim.startswith("The better choice is "):
        return f"{conviction(proposition, 'against')[0]}."
    if plain := _PLAIN.fullmatch(claim):
        return f"{plain['subject']}{plain['verb']} {'' if plain['negated'] else 'not '}{plain['rest']}."
    lowered = claim[:1].lower() + claim[1:] if _OPENER.match(claim) else claim
    return f"It is not the case that {lowered}."


def complete(given: Mapping[str, Any], *, from_file: bool) -> dict[str, Any]:
    """The config with the shipped cast where it names none and, without a file, the shipped proposition."""
    shipped = _shipped()
    missing = [key for key in ("proponent", "opponent", "moderator") if key not in given]
    if "topic" not in given and not from_file:
        missing.append("topic")
    return {key: shipped[key] for key in missing} | dict(given)


@cache
def _shipped() -> Mapping[str, Any]:
    content: dict[str, Any] = yaml.safe_load((files("moot") / "data" / "persuasion.yaml").read_text("utf-8"))
    return content


def role_of(config: PersuasionConfig, speaker: str) -> str:
    part = next((part for part, persona in config.cast.items() if persona.name == speaker), "")
    return "debater" if part in ("proponent", "opponent") else part
