"""The leaderboard of a tournament in the report of its batch."""

from math import log

from moot.present import Paragraph, Table
from moot.stats import Rate
from moot.studies.batch.cells import adjusted, in_words, interval, p_value, percent, points, points_interval, rate_cells
from moot.studies.batch.plots import Estimate, forest
from moot.studies.page import Findings, Part
from moot.studies.tournament.design import Tournament
from moot.studies.tournament.figures import JudgeFigure, Leaderboard, Place

ELO = 400 / log(10)
"""Points of an Elo rating for one logit."""
WINNERS = {"side": "The side for the motion", "speaking order": "The first speaker"}
METHOD = (
    "Every pair debated each motion twice, with the sides swapped; on every other motion the side against opens. Each "
    "judge read the public statements of a debate twice, without names of models, with the statements of the one first "
    "and then with those of the other. A vote counts if it is the same in both orders; one that the order decides is "
    "half a vote for each. The model with more votes wins, equal votes are a tie, which is half a point for each. A "
    "judge that lacks a reading is left out of that debate; a debate without a judge, or without an end, is missing "
    "and no loss, and two models on a motion count only with both debates. Judges of the family of one of the two are "
    "left out. Strengths are those of Bradley and Terry, fitted with Firth’s penalty, in points of an Elo rating "
    "around the mean of all, which is 0. Their intervals are of 95 %, from resampling motions, with wider percentiles "
    "for few motions; where a model won, or lost, nearly everything, the end towards the middle is Wilson’s, and where "
    "all motions are alike, both ends are. An end is "
    "open where the debates say nothing against any strength beyond. Two models are told apart by the exact test of "
    "the signs of the motions’ differences in points against each other and against the same opponents, adjusted for "
    "all pairs (Holm): at a level of 0.05, and of 0.001 before all debates are held. Every figure is in "
    "statistics.json, every debate in rows.csv and rows.jsonl; recompute.py makes the figures anew."
)


def findings(board: Leaderboard, design: Tournament) -> Findings:
    """The leaderboard with its tables and notes, for the report of its batch."""
    return Findings(
        kind="tournament",
        headline=headline(board),
        claims=claims(board),
        notes=board.notes,
        parts=[_standings(board), *_pairs(board), *_judges(board), _effects(board)],
        method=METHOD,
        made={
            "Judges": ", ".join(design.judges),
            "Families": "; ".join(
                f"{one}: {design.family_of(one)}" for one in dict.fromkeys([*design.models, *design.judges])
            ),
        },
    )


def headline(board: Leaderboard) -> str:
    first = [one for one in board.places if one.place == 1]
    if not board.counted:
        return "No debate counts yet"
    if not first:
        return "The debates do not compare all models with each other"
    told = " and ".join(one.model for one in first)
    if len(first) > 1:
        return f"{told} are level"
    if all(pair.ahead == told for pair in board.pairs if told in (pair.first, pair.second)) and board.pairs:
        return f"{told} debates best"
    return f"{told} is ahead, but not told apart from all others"


def claims(board: Leaderboard) -> list[str]:
    found = [f"{board.counted} of {board.planned} debates count, on {board.motions} motions; {board.ties} are ties."]
    apart = [
        f"{pair.ahead} over {pair.second if pair.ahead == pair.first else pair.first}"
        for pair in board.pairs
        if pair.ahead
    ]
    if any(pair.p is not None for pair in board.pairs):
        told = "; ".join(apart[:8]) + (f"; and {len(apart) - 8} more pairs" if len(apart) > 8 else "")
        found.append(f"Told apart at a level of {board.level:g}: {told or 'no two models'}.")
    found += [
        f"{WINNERS[one.name]} won {in_words(one.rate)} ({adjusted(one.adjusted)})."
        for one in board.effects
        if one.rate.n and one.name in WINNERS
    ]
    return found


def elo(strength: float | None) -> str:
    return "–" if strength is None else f"{strength * ELO:+.0f}"


def elo_interval(one: Place) -> str:
    if one.low is None and one.high is None and one.open is None:
        return "–"
    low = "open" if one.low is None else elo(one.low)
    return f"{low} to {'open' if one.high is None else elo(one.high)}"


def places_of(one: Place) -> str:
    """The places that a model may have."""
    if one.best is None or one.worst is None:
        return "–"
    return f"{one.best}" if one.best == one.worst else f"{one.best} to {one.worst}"


def _standings(board: Leaderboard) -> Part:
    lead = (
        "Strength is in points of an Elo rating around the mean of all models, 0; 100 points ahead win 64 of 100 "
        "debates. “May be” are the places that the tests leave open."
    )
    rows = [
        [one.model, str(one.place or "–"), places_of(one), elo(one.strength), elo_interval(one), percent(one.chance)]
        for one in board.places
    ]
    columns = ["Model", "Place", "May be", "Strength", "95 % interval", "Beats an average one"]
    counts = [[one.model, f"{one.points:g}", *map(str, (one.debates, one.ties, one.missing))] for one in board.places]
    tables = [
        Table(columns, rows, name="The leaderboard"),
        Table(["Model", "Points", "Debates", "Ties", "Missing"], counts, name="Points and debates"),
    ]
    marks = [
        Estimate(one.model, one.chance, one.chance_low, one.chance_high, percent(one.chance))
        for one in board.places
        if one.chance is not None and one.chance_low is not None and one.chance_high is not None
    ]
    plots = [forest("Chance to beat an average one, and its 95 % interval", marks, reference=0.5)] if marks else []
    return Part("leaderboard", "Leaderboard", lead, tables, plots, count=len(board.places))


def _pairs(board: Leaderboard) -> list[Part]:
    columns = ["First", "Second", "Points of the first", "Debates", "Missing", "p", "p (Holm)", "Stronger"]
    rows = [
        [
            one.first,
            one.second,
            f"{one.points:g}",
            *map(str, (one.debates, one.missing)),
            p_value(one.p),
            p_value(one.adjusted),
            "–" if one.ahead is None else "first" if one.ahead == one.first else "second",
        ]
        for one in board.pairs
    ]
    lead = "What each two took from each other. The tests count debates against the same opponents as well."
    judged = [[one.first, one.second, ", ".join(one.jury), ", ".join(one.left_out) or "nobody"] for one in board.pairs]
    kept = "Judges favour their own kind, so those of the family of one of the two models are left out."
    juries = Table(["First", "Second", "Judges", "Left out"], judged, texts=4, name="Juries")
    return [
        Part("pairs", "Pair by pair", lead, [Table(columns, rows, texts=2, name="All pairs")]),
        Part("juries", "Who judged whom", kept, [juries]),
    ]


def _judges(board: Leaderboard) -> list[Part]:
    kinds = ["Swayed", "Shown first", "Side for", "Opener", "As others"]
    counts = [
        [one.judge, str(one.debates), str(one.missing), *(percent(rate.rate) for rate in _rates(one))]
        for one in board.judges
    ]
    intervals = [[one.judge, *(interval(rate.low, rate.high) for rate in _rates(one))] for one in board.judges]
    lead = (
        "How often each judge was swayed by the order of showing, and named another winner in the other order; how "
        "often it was for the one shown first, for the side for the motion, and for the opener, where half would be "
        "fair; and how often it voted as the majority of the others."
    )
    tables = [
        Table(["Judge", "Debates", "Missing", *kinds], counts, name="Judges"),
        Table(["Judge", *kinds], intervals, name="Their 95 % intervals"),
    ]
    return [Part("judges", "Judges", lead, tables), _leans(board)]


def _rates(one: JudgeFigure) -> list[Rate]:
    return [one.swayed, one.shown_first, one.for_side, one.opener, one.agrees]


def _leans(board: Leaderboard) -> Part:
    rows = [
        [one.judge, model, points(lean), points_interval(lean)]
        for one in board.judges
        for model, lean in one.leans.items()
    ]
    lead = (
        "By how many points of per cent each judge votes more often for a model than the other judges of the same "
        "debates do. An interval that leaves out 0 is a bias, of about one in twenty by chance."
    )
    table = Table(["Judge", "Model", "Lean", "95 % interval"], rows, texts=2, name="Leans of judges")
    return Part("bias", "Judge bias", lead, [table if rows else Paragraph("No debate has several judges.")])


def _effects(board: Leaderboard) -> Part:
    rows = [
        [f"{one.first}, not {one.second}", *rate_cells(one.rate), p_value(one.p), p_value(one.adjusted)]
        for one in board.effects
    ]
    columns = ["Effect", "Won", "Of", "Missing", "Rate", "95 % interval", "p", "p (Holm)"]
    marks = [
        Estimate(one.first, one.rate.rate, one.rate.low, one.rate.high, f"{percent(one.rate.rate)} (n {one.rate.n})")
        for one in board.effects
        if one.rate.rate is not None and one.rate.low is not None and one.rate.high is not None
    ]
    lead = (
        "Without an effect each would be half. Sides and orders are balanced for every pair, so that an effect makes "
        "debates less telling, but favours no model. Debates with a winner count; for the order of showing, all "
        "readings."
    )
    plots = [forest("Side and order", marks, reference=0.5)] if marks else []
    return Part("effects", "Side and order", lead, [Table(columns, rows, name="Side and order, as a table")], plots)
