"""The statistics of a batch, as `statistics.json` has them."""

from pydantic import BaseModel

from moot.stats import Agreement, Difference, Rate


class JudgeBias(BaseModel):
    """How often the claim stood before this judge, and how far that is from how often it stood at all."""

    judge: str
    upheld: Rate
    bias: Difference


class Effect(BaseModel):
    """How often the first of two wins where both should be equally likely. `p` is the exact test of that, with topics
    as clusters; null where there are too few. `adjusted` is the same in view of the other tests of the batch
    (Holm)."""

    name: str
    first: str
    second: str
    rate: Rate
    p: float | None
    adjusted: float | None = None


class PairedEffect(BaseModel):
    """Pairs of debates that differ in one thing alone, which the personas exchange. Of them, in `first_both` and
    `second_both` what they exchange has won both times, and in `same_persona` the same persona has. `p` is the exact
    test of the first two against each other, with topics as clusters. A pair that is not decided twice is missing, also
    where a debate of it was not held."""

    design: str
    first: str
    second: str
    first_both: int
    second_both: int
    same_persona: Rate
    p: float | None
    adjusted: float | None = None


class JudgesAgreement(Agreement):
    """Agreement on debates that differ in their judge alone. `missing` are those that fewer than two have decided."""

    missing: int


class Verdicts(BaseModel):
    """Duels that were judged: how often the judge named the winner when asked for the name alone, and how often it
    gave the other the higher score."""

    confirmed: Rate
    scores_contradict_winner: Rate


class Flips(BaseModel):
    """Decisions before and after the debate, where the right answer is known and both are: `p` is the exact test of
    right to wrong against wrong to right, with topics as clusters."""

    first_right: Rate
    right: Rate
    right_to_wrong: Rate
    wrong_to_right: Rate
    p: float | None
    adjusted: float | None = None


class Minds(BaseModel):
    """Changes of mind of single agents, over all debates. `without_evidence` are those for which the agent named no new
    evidence; right and wrong are counted where the right answer is known."""

    changes: int
    without_evidence: Rate
    right_to_wrong: int
    wrong_to_right: int
    right_to_wrong_without_evidence: int


class Level(BaseModel):
    """The debates with one value of a factor. `headlines` as for the whole batch."""

    value: str
    debates: int
    headlines: dict[str, int]
    upheld: Rate
    right: Rate


class Completeness(BaseModel):
    """What became of the debates with one value of a factor. `undecided` are those that are done without a decision;
    what is neither done nor failed has not come to its end."""

    value: str
    planned: int
    done: int
    failed: int
    undecided: int


class Spread(BaseModel):
    """How what the debates took is spread; `unknown` did not say."""

    total: float
    least: float
    median: float
    most: float
    n: int
    unknown: int


class BatchStatistics(BaseModel):
    """`headlines` are the outcomes of the debates in a line each, the most frequent first, and `flags` the codes of
    what must be known of them, both with how many debates have them. `upheld`, here and by judge and factor, is of the
    claim as it was given: where the premise was reversed, its denial being upheld is the claim being rejected.
    `duplicates` are debates that repeat another word for word and count once; `topics` are the clusters of the rest."""

    debates: int
    duplicates: int
    topics: int
    by_status: dict[str, int]
    headlines: dict[str, int]
    flags: dict[str, int]
    completeness: dict[str, list[Completeness]]
    win_rates: dict[str, dict[str, Rate]]
    self_play: int
    upheld: Rate
    judges: list[JudgeBias]
    effects: list[Effect]
    paired: list[PairedEffect]
    agreement: JudgesAgreement | None
    verdicts: Verdicts | None
    changed_by_debate: Rate
    flips: Flips | None
    minds: Minds | None
    factors: dict[str, list[Level]]
    spent: dict[str, Spread]
    notes: list[str]
