"""The config of a persuasion dialogue: its proposition, its cast, and the sources of its shared context."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from moot.api import FramedConfig, Option, denied
from moot.api.capabilities import Separated
from moot.protocols.personas import Persona, Text, check_names, defaults_of
from moot.protocols.persuasion.shapes import NEITHER, NOBODY

PHASES = ("setup", "round 0", "rounds", "closing", "verdict")
Path = Annotated[str, StringConstraints(min_length=1, max_length=4096, pattern=r"^[^\x00]+$")]


class Biased(Persona):
    """The bias is said openly, in the system prompt and in the report."""

    bias: Text


class PersuasionConfig(FramedConfig):
    """A claim, which is the proposition, and a cast of three. `evidence` are folders or files, with their git
    history."""

    rounds: Annotated[int, Field(ge=1, le=50), Option("Number of rounds.", metavar="N", label="Rounds")] = 2
    perspective: Annotated[
        Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)] | None,
        Option(
            "Whose viewpoint the moderator takes.",
            metavar="ROLE",
            label="Perspective",
            hint="from whose viewpoint the moderator weighs it",
        ),
    ] = None
    evidence: Annotated[
        list[Path],
        Field(max_length=20),
        Option(
            "Folders or files, with their git history, to cite facts from.",
            metavar="PATH...",
            many=True,
            rest=True,
            variable=False,
        ),
    ] = Field([])
    require: Annotated[
        list[Literal["winner", "proponent", "opponent"]],
        Separated,
        Option("Exit with code 100 unless this side wins; winner means any side.", metavar="WHO"),
    ] = Field([])
    proponent: Biased
    opponent: Biased
    moderator: Biased

    @model_validator(mode="after")
    def _unique_names(self) -> Self:
        check_names(((f"{part}.name", one) for part, one in self.cast.items()), (*self.cast, NEITHER, NOBODY))
        return self

    @property
    def cast(self) -> dict[str, Biased]:
        return {"proponent": self.proponent, "opponent": self.opponent, "moderator": self.moderator}

    @property
    def proposition(self) -> str:
        """φ, what yes means."""
        return self.claim or self.topic

    @property
    def opposite(self) -> str:
        """¬φ."""
        return self.denial or denied(self.proposition)


def complete(given: Mapping[str, Any], *, from_file: bool) -> dict[str, Any]:
    """The config with the shipped cast where it names none and, without a file, the shipped proposition."""
    shipped = defaults_of("persuasion")
    missing = [key for key in ("proponent", "opponent", "moderator") if key not in given]
    if not from_file and not {"topic", "claim"} & given.keys():
        missing += ["topic", "claim", "denial"]
    return {key: shipped[key] for key in missing} | dict(given)
