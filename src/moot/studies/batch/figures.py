"""The statistics of a batch, in the form of `statistics.json`."""

from pydantic import BaseModel

from moot.stats import Rate
from moot.studies.template import Note


class Test(BaseModel):
    """`p` is an exact test with topics as clusters; null if there are too few. `p_at_worst` is the same if all that
    `failed` had gone the other way, and `adjusted` the larger of the two, corrected for the other tests of the batch
    (Holm)."""

    failed: int
    p: float | None
    p_at_worst: float | None
    adjusted: float | None = None


class Effect(Test):
    """How often the first of two wins where both should be equally likely, and the test of that."""

    name: str
    first: str
    second: str
    rate: Rate


class PairedEffect(Test):
    """Pairs of debates that differ in one property only, which the personas exchange. `first_both` and `second_both`
    count the pairs in which the same value of this property won both times, `same_persona` those in which the same
    persona won both times. The test is of the first two counts against each other. A pair without two decisions is
    missing, also if one of its debates was not held. `failed` are pairs of which a debate failed."""

    design: str
    first: str
    second: str
    first_both: int
    second_both: int
    same_persona: Rate


class Flips(Test):
    """Decisions before and after the debate, where both are known and so is the right answer. The test is of right to
    wrong against wrong to right."""

    first_right: Rate
    right: Rate
    right_to_wrong: Rate
    wrong_to_right: Rate


class Minds(BaseModel):
    """Changes of mind of single agents, over all debates. `without_evidence` are changes for which the agent named no
    new evidence. Right and wrong are counted where the right answer is known."""

    changes: int
    without_evidence: Rate
    right_to_wrong: int
    wrong_to_right: int
    right_to_wrong_without_evidence: int


class Level(BaseModel):
    """The debates with one value of a factor. `outcomes` are as for the whole batch. The `failed` are in no rate.
    `undecided` are finished debates without a decision; debates that are neither done nor failed are unfinished."""

    value: str
    planned: int
    done: int
    failed: int
    undecided: int
    outcomes: dict[str, int]
    upheld: Rate
    right: Rate


class Spread(BaseModel):
    """The distribution of what the debates used; `unknown` counts debates whose models reported no usage."""

    total: float
    least: float
    median: float
    most: float
    n: int
    unknown: int


class BatchStatistics(BaseModel):
    """`outcomes` are the outcomes in one line each, the most frequent first, and `flags` the codes of warnings about
    them, both with the number of debates. `flag_texts` has the sentence of each code in the first debate with it.
    `upheld`, here and by judge and factor, is about the claim as given: if the claim was reversed and the denial
    upheld, the claim counts as rejected. `duplicates` are debates that repeat another word for word and count once;
    `topics` are the clusters of the other debates."""

    debates: int
    duplicates: int
    topics: int
    by_status: dict[str, int]
    outcomes: dict[str, int]
    flags: dict[str, int]
    flag_texts: dict[str, str] = {}
    win_rates: dict[str, dict[str, Rate]]
    self_play: int
    upheld: Rate
    effects: list[Effect]
    paired: list[PairedEffect]
    changed_by_debate: Rate
    flips: Flips | None
    minds: Minds | None
    factors: dict[str, list[Level]]
    spent: dict[str, Spread]
    notes: list[Note]
