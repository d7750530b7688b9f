"""Evaluation: does debating pay? Puts questions with known answers to debates and to baselines at equal token
budgets."""

from moot.studies.evaluate.questions import BASELINES, Row
from moot.studies.evaluate.running import Design, EvaluationProgress, evaluate
from moot.studies.evaluate.summary import Evaluation, Figures, figures

__all__ = ["BASELINES", "Design", "Evaluation", "EvaluationProgress", "Figures", "Row", "evaluate", "figures"]
