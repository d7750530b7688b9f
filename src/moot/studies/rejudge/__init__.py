"""Re-judging finished debates without debating again: other judges, another order, another rule."""

from moot.studies.rejudge.agreement import JudgeAgreement, judge_agreement
from moot.studies.rejudge.staging import Orders, rejudge, rejudging_of

__all__ = ["JudgeAgreement", "Orders", "judge_agreement", "rejudge", "rejudging_of"]
