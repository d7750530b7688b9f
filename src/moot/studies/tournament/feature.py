"""What tournaments bring to moot."""

from moot.plugins.features import Feature

FEATURE = Feature(
    name="tournament",
    extra="studies",
    offers={"tournament": "moot.studies.tournament.design:read_tournament"},
    needs=("batch",),
)
