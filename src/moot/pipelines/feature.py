"""What gates in pipelines bring to moot."""

from moot.plugins.features import Feature

FEATURE = Feature(
    name="pipelines",
    extra="pipelines",
    offers={
        "debating": "moot.pipelines.debating:Gating",
        "exporters": "moot.pipelines.documents:EXPORTERS",
        "study": "moot.pipelines.overview:READER",
    },
)
