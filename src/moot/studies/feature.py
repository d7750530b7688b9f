"""What studies brings to moot."""

from moot.plugins.features import Feature

FEATURE = Feature(
    name="studies",
    extra="studies",
    offers={"overview": "moot.studies.overview:overview_of"},
)
