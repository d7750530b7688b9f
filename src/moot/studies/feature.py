"""What studies bring to moot."""

from moot.plugins.features import Feature

FEATURE = Feature(
    name="studies",
    extra="studies",
    offers={"overview": "moot.studies.overview:overview_of", "cards": "moot.studies.pages:cards"},
    routers=["moot.studies.pages:router"],
)
