"""The project: the repository, or else the folder, that a command is given in. Others may have written its files."""

import os
from pathlib import Path

from moot.errors import ConfigError

REPOSITORY = ".git"


def project_root() -> Path:
    """The top folder of the repository around the current folder; the current folder if there is none."""
    here = Path.cwd().resolve()
    return next((one for one in (here, *here.parents) if os.path.lexists(one / REPOSITORY)), here)


def lies_in_project(path: Path) -> bool:
    """Whether a path is in the project, as it is written or as it resolves."""
    root = project_root()
    written = Path(os.path.abspath(path))  # noqa: PTH100 (without following links)
    return any(one.is_relative_to(root) for one in (written, path.parent.resolve() / path.name, path.resolve()))


def check_no_link(path: Path, key: str | None = None) -> None:
    """ConfigError if a link in the project is on this path: it could lead to any file of this machine, whose text would
    be judged and published. Links outside of the project are the user's own."""
    root, whole = project_root(), path.absolute()
    for part in (whole, *whole.parents):
        if part.is_symlink() and part.parent.resolve().is_relative_to(root):
            where = part.readlink()
            raise ConfigError(
                f"{path} goes through a link of this project ({part.name} -> {where}). Name the file itself.", key
            )
