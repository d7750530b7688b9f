"""Formal argumentation. It is independent of debates, models and run files."""

from typing import TYPE_CHECKING

from moot.plugins.lazy import lazy as _lazy

if TYPE_CHECKING:
    from moot.argument.contests import Add as Add
    from moot.argument.contests import Change as Change
    from moot.argument.contests import Contest as Contest
    from moot.argument.contests import Reject as Reject
    from moot.argument.contests import RejectRelation as RejectRelation
    from moot.argument.contests import Relate as Relate
    from moot.argument.contests import Reweigh as Reweigh
    from moot.argument.contests import Standing as Standing
    from moot.argument.contests import contest as contest
    from moot.argument.contests import edited as edited
    from moot.argument.drawing import draw as draw
    from moot.argument.drawing import text_map as text_map
    from moot.argument.dung import SEMANTICS as SEMANTICS
    from moot.argument.dung import Answer as Answer
    from moot.argument.dung import credulous as credulous
    from moot.argument.dung import extension as extension
    from moot.argument.dung import extensions as extensions
    from moot.argument.dung import sceptical as sceptical
    from moot.argument.formats import FORMATS as FORMATS
    from moot.argument.formats import FormatError as FormatError
    from moot.argument.formats import Loss as Loss
    from moot.argument.formats import guess as guess
    from moot.argument.formats import losses as losses
    from moot.argument.formats import read as read
    from moot.argument.formats import write as write
    from moot.argument.gradual import GRADUAL as GRADUAL
    from moot.argument.gradual import Scores as Scores
    from moot.argument.gradual import scores as scores
    from moot.argument.graph import ArgumentError as ArgumentError
    from moot.argument.graph import Graph as Graph
    from moot.argument.propagation import grounded as grounded
    from moot.argument.propagation import labelling as labelling
    from moot.argument.why import Contributions as Contributions
    from moot.argument.why import Flip as Flip
    from moot.argument.why import Line as Line
    from moot.argument.why import Lines as Lines
    from moot.argument.why import attack_lines as attack_lines
    from moot.argument.why import contributions as contributions
    from moot.argument.why import flip as flip
    from moot.text.maps import anchor as anchor

    __all__: list[str]
else:  # a type checker would take any name
    __getattr__ = _lazy(
        globals(),
        {
            "moot.argument.contests": "Add Change Contest Reject RejectRelation Relate Reweigh Standing contest edited",
            "moot.argument.drawing": "draw text_map",
            "moot.argument.dung": "SEMANTICS Answer credulous extension extensions sceptical",
            "moot.argument.formats": "FORMATS FormatError Loss guess losses read write",
            "moot.argument.gradual": "GRADUAL Scores scores",
            "moot.argument.graph": "ArgumentError Graph",
            "moot.argument.propagation": "grounded labelling",
            "moot.argument.why": "Contributions Flip Line Lines attack_lines contributions flip",
            "moot.text.maps": "anchor",
        },
    )
