"""The panel: five personas decide whether an idea goes ahead."""

ABOUT = "Five personas with weights take positions on an idea, and vote."
"""For the list of commands, which loads no protocol."""
