"""Evaluation: does debating pay? Known questions, put to debates and to baselines at equal token budgets."""

from moot.evaluation.questions import BASELINES, Row
from moot.evaluation.running import EvaluationProgress, evaluate
from moot.evaluation.summary import Evaluation

__all__ = ["BASELINES", "Evaluation", "EvaluationProgress", "Row", "evaluate"]
