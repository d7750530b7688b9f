"""A moot.yaml in a folder of a test, trusted as its user would with `moot setup trust`."""

from pathlib import Path

from moot.plugins.trust import trust


def write_trusted(text: str, folder: Path = Path()) -> None:
    file = folder / "moot.yaml"
    file.write_text(text, "utf-8")
    trust(file)
