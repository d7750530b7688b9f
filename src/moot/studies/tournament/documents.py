"""The documents of a tournament, written from its folder alone."""

import json
from pathlib import Path

from moot.studies.batch.rows import Row
from moot.studies.batch.tables import csv_of, jsonl_of
from moot.studies.page import StudyPage
from moot.studies.supplement import sampling_words, supplement
from moot.studies.tournament.figures import Leaderboard
from moot.studies.tournament.file import TournamentFile
from moot.studies.tournament.report import METHOD, claims, page_of
from moot.studies.tournament.running import ABOUT, Tournament


def write_documents(tournament: Tournament, board: Leaderboard | None = None, reason: str | None = None) -> Leaderboard:
    """Write rows, figures and the leaderboard again, and return the figures. `reason` says why the tournament has not
    ended."""
    rows, about, file = tournament.rows(), tournament.about(), tournament.file
    board = board or tournament.board()
    made = made_with(file, rows)
    figures = json.dumps(board.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"
    page = page_of(str(tournament.path), about["file"], about["created"], rows, board, made, reason)
    texts = {name.replace("report", "leaderboard"): text for name, text in page.documents().items()}
    documents = {
        "rows.csv": csv_of(rows),
        "rows.jsonl": jsonl_of(rows),
        "leaderboard.json": figures.encode(),
        "recompute.py": Path(__file__).with_name("recompute.py.txt").read_bytes(),
        **{name: text.encode() for name, text in texts.items()},
    }
    methods = f"{' '.join(claims(board))} {'; '.join(f'{name}: {value}' for name, value in made.items())}. {METHOD}"
    documents["supplement.zip"] = supplement({**documents, ABOUT: (tournament.path / ABOUT).read_bytes()}, methods)
    for name, data in documents.items():
        tournament.write(name, data)
    return board


def leaderboard_of(tournament: Tournament) -> StudyPage:
    """The current leaderboard."""
    rows, about = tournament.rows(), tournament.about()
    made = made_with(tournament.file, rows)
    return page_of(str(tournament.path), about["file"], about["created"], rows, tournament.board(), made, None)


def made_with(file: TournamentFile, rows: list[Row]) -> dict[str, str]:
    answered = dict.fromkeys(name for row in rows for name in row.answered_by)
    sampling = (file.model_extra or {}).get("sampling") or {}
    return {
        "Models": ", ".join(file.models),
        "Judges": ", ".join(file.judges),
        "Families": "; ".join(f"{one}: {file.family_of(one)}" for one in dict.fromkeys([*file.models, *file.judges])),
        "Models that answered": ", ".join(answered) or "unknown",
        "Sampling": sampling_words(sampling),
        "Motions": f"{len(file.motions)}",
        "Pairing": f"{file.pairing}, seed {file.seed}",
        "Looks": ", ".join(map(str, file.looks)) or "none before the end",
        "Protocol": file.protocol,
    }
