"""The panel: five personas decide whether an idea goes ahead."""
