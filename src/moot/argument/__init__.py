"""Formal argumentation. It is independent of debates, models and run files."""

from typing import TYPE_CHECKING

from moot.plugins.extras import require
from moot.plugins.lazy import lazy as _lazy

require("argument")

if TYPE_CHECKING:
    from moot.argument.bipolar import READINGS, abstract, derived_attacks
    from moot.argument.contests import (
        Add,
        Change,
        Contest,
        Reject,
        RejectRelation,
        Relate,
        Reweigh,
        Standing,
        contest,
        edited,
    )
    from moot.argument.drawing import draw, text_map
    from moot.argument.dung import (
        SEMANTICS,
        Answer,
        count,
        credulous,
        extension,
        extensions,
        labelling,
        labellings,
        sceptical,
    )
    from moot.argument.formats import FORMATS, FormatError, Loss, guess, losses, read, write
    from moot.argument.gradual import GRADUAL, Scores, scores
    from moot.argument.graph import ArgumentError, Graph
    from moot.argument.propagation import grounded
    from moot.argument.ranks import RANKINGS, ranking
    from moot.argument.structure import Derivation, Locution, Step, Structure
    from moot.argument.updates import Update, read_updates, updated
    from moot.argument.why import (
        Contributions,
        Flip,
        Line,
        Lines,
        Question,
        above,
        attack_lines,
        contributions,
        flip,
        higher,
    )
    from moot.text.maps import anchor

__all__ = [
    "FORMATS",
    "GRADUAL",
    "RANKINGS",
    "READINGS",
    "SEMANTICS",
    "Add",
    "Answer",
    "ArgumentError",
    "Change",
    "Contest",
    "Contributions",
    "Derivation",
    "Flip",
    "FormatError",
    "Graph",
    "Line",
    "Lines",
    "Locution",
    "Loss",
    "Question",
    "Reject",
    "RejectRelation",
    "Relate",
    "Reweigh",
    "Scores",
    "Standing",
    "Step",
    "Structure",
    "Update",
    "above",
    "abstract",
    "anchor",
    "attack_lines",
    "contest",
    "contributions",
    "count",
    "credulous",
    "derived_attacks",
    "draw",
    "edited",
    "extension",
    "extensions",
    "flip",
    "grounded",
    "guess",
    "higher",
    "labelling",
    "labellings",
    "losses",
    "ranking",
    "read",
    "read_updates",
    "sceptical",
    "scores",
    "text_map",
    "updated",
    "write",
]

if not TYPE_CHECKING:  # which would take any name
    __getattr__ = _lazy(
        globals(),
        {
            "moot.argument.bipolar": (
                "READINGS",
                "abstract",
                "derived_attacks",
            ),
            "moot.argument.contests": (
                "Add",
                "Change",
                "Contest",
                "Reject",
                "RejectRelation",
                "Relate",
                "Reweigh",
                "Standing",
                "contest",
                "edited",
            ),
            "moot.argument.drawing": (
                "draw",
                "text_map",
            ),
            "moot.argument.dung": (
                "SEMANTICS",
                "Answer",
                "count",
                "credulous",
                "extension",
                "extensions",
                "labelling",
                "labellings",
                "sceptical",
            ),
            "moot.argument.formats": (
                "FORMATS",
                "FormatError",
                "Loss",
                "guess",
                "losses",
                "read",
                "write",
            ),
            "moot.argument.gradual": (
                "GRADUAL",
                "Scores",
                "scores",
            ),
            "moot.argument.graph": (
                "ArgumentError",
                "Graph",
            ),
            "moot.argument.propagation": ("grounded",),
            "moot.argument.ranks": (
                "RANKINGS",
                "ranking",
            ),
            "moot.argument.structure": (
                "Derivation",
                "Locution",
                "Step",
                "Structure",
            ),
            "moot.argument.updates": (
                "Update",
                "read_updates",
                "updated",
            ),
            "moot.argument.why": (
                "Contributions",
                "Flip",
                "Line",
                "Lines",
                "Question",
                "above",
                "attack_lines",
                "contributions",
                "flip",
                "higher",
            ),
            "moot.text.maps": ("anchor",),
        },
    )
