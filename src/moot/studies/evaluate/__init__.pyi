# The names of this page, a line each. Each is loaded when it is asked for: see moot.plugins.lazy.
from moot.studies.evaluate.questions import BASELINES as BASELINES
from moot.studies.evaluate.questions import Row as Row
from moot.studies.evaluate.running import Design as Design
from moot.studies.evaluate.running import EvaluationProgress as EvaluationProgress
from moot.studies.evaluate.running import evaluate as evaluate
from moot.studies.evaluate.summary import Evaluation as Evaluation
from moot.studies.evaluate.summary import Figures as Figures
from moot.studies.evaluate.summary import figures as figures

__all__: list[str]  # noqa: PYI035 (made when the page is loaded)
