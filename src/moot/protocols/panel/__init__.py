"""The panel: five personas decide whether an idea goes ahead."""

ABOUT = "Five personas debate an idea and take a weighted vote."
"""For the list of commands, which loads no protocol."""
