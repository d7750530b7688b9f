"""Parts of a chaired debate that pages show in addition to its report."""

NO_NOTES = (
    "Questions to the sides are the audience’s: give that role to human/NAME when you start a debate of this kind."
)
