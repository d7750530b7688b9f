"""Reads untrusted repositories with git: the list of files, and the history.

Nothing that a repository configures is run: no hooks, monitors, pagers, filters, signature programs or fetches. The
user's own git configuration is kept, since it says what to ignore. Calls block and are limited in time and bytes.
"""

import os
import re
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from moot.errors import ConfigError
from moot.evidence.diffs import without_binary
from moot.evidence.pages import tidy
from moot.evidence.ranking import Index
from moot.text import printable

SECONDS = 30.0
MOST_BYTES = 32 * 1024 * 1024
MOST_COMMITS = 5_000
LONGEST_EXCERPT = 1_000
_SAFE = (
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.untrackedCache=false"),
    *("-c", "core.quotePath=false"),
    *("-c", "safe.bareRepository=explicit"),
    "--no-pager",
    "--no-replace-objects",
    "--literal-pathspecs",
)
_LOG = (
    "-z",
    f"--max-count={MOST_COMMITS}",
    "--no-color",
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--no-decorate",
    "--no-notes",
    "--encoding=UTF-8",
    "--format=tformat:%H%n%cI%n%B",
)
_PLAIN = ("--no-color", "--no-ext-diff", "--no-textconv", "--text")
AS_IT_IS = (*_PLAIN, "--patch", "--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules=dirty")
"""For a diff from which neither an attribute nor the .gitmodules of the repository hides anything."""
_RANGE = (*_PLAIN, "--oneline", "--no-show-signature")
_THEIRS = ("local", "worktree")
"""The scopes of settings that come with a repository."""
_MEANINGS = ("refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")
"""The names that git looks a revision up by."""
_SUFFIX = re.compile(r"[~^]|@\{")
_SHORT_HASH = re.compile(r"[0-9a-f]{4,39}")
_FILTER = ("clean=", "smudge=", "process=", "required=false")
MOST_LISTED = 200
"""The most commits of a range that are listed before its difference."""
_KEPT = ("PATH", "HOME", "XDG_CONFIG_HOME", "SYSTEMROOT", "USERPROFILE", "TMPDIR", "TEMP")
"""Environment variables passed to git; GIT_DIR and the like are not."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that matches a query. `quote` is the verbatim beginning of its message."""

    hash: str
    date: str
    subject: str
    quote: str
    score: float

    @property
    def source(self) -> str:
        return f"commit {self.hash[:12]}"


def listed(folder: Path) -> list[Path] | None:
    """The files of a folder that git tracks or does not ignore; None outside a repository and without git.

    ConfigError if git fails.
    """
    output = _git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate", "--", ".")
    if output is None:
        return None
    return [folder / os.fsdecode(name) for name in output.split(b"\0") if name]


def commits(path: str | Path, query: str, k: int) -> list[Commit]:
    """The k commits in the history of a path whose messages match a query best, newer ones first among ties; empty if
    it is not in a repository. Only the newest 5,000 are searched."""
    where = Path(path)
    if not where.exists():
        raise ConfigError(f"there is no {where}")
    folder, name = (where, ".") if where.is_dir() else (where.parent, where.name)
    prefix = _git(folder, "rev-parse", "--show-prefix")
    if prefix is None:
        return []
    # Naming the top folder of a repository would hide merges, whose messages are often the most useful.
    only = [name] if prefix.strip() or name != "." else []
    output = _git(folder, "log", *_LOG, "HEAD", "--", *only)
    records = [record.decode("utf-8", "replace").split("\n", 2) for record in (output or b"").split(b"\0") if record]
    found = [(hash_, date, tidy(message)) for hash_, date, message in records]
    hits = Index([message for *_, message in found]).best(query, k)
    return [Commit(*found[hit.number][:2], *_excerpt(found[hit.number][2]), hit.score) for hit in hits]


def difference(folder: Path, revisions: str) -> str | None:
    """The commits of a range, its summary by file, and the difference itself, as git prints them; None outside a
    repository. A single revision is compared with the working tree."""
    changes = patch(folder, revisions, "--stat=100")
    if changes is None:
        return None
    log = b""
    if ".." in revisions:
        log = _git(folder, "log", f"--max-count={MOST_LISTED}", *_RANGE, revisions, "--") or b""
    # As git prints it: blanks at the end of a line are a part of the change.
    return "\n".join(without_binary(part.decode("utf-8", "replace")) for part in (log, changes) if part)


def patch(folder: Path, revisions: str, *more: str) -> bytes | None:
    """The difference alone, after what `more` options of git print."""
    if revisions.startswith("-"):
        raise ConfigError(f"{revisions!r} is no revision")
    top = _git(folder, "rev-parse", "--show-toplevel")
    if top is None:
        return None
    _check_place(folder.resolve(), Path(os.fsdecode(top.rstrip(b"\n"))))
    return _git(folder, "diff", *more, *AS_IT_IS, revisions, "--", settings=_without_filters(folder)) or b""


def file_at(folder: Path, revision: str, path: str) -> bytes:
    """The content of a file in a revision; the path starts at the top of the repository. ConfigError if there is none,
    or if the revision could mean several: whoever can push could add a branch or tag that git would prefer."""
    if revision.startswith("-"):
        raise ConfigError(f"{revision!r} is no revision")
    base = _SUFFIX.split(revision, maxsplit=1)[0]
    possible = [place.format(base) for place in _MEANINGS] if base else []
    output = _git(folder, "for-each-ref", "--format=%(refname)", *possible)
    meanings = sorted({*possible} & {os.fsdecode(line) for line in (output or b"").splitlines()})
    if len(meanings) > 1 or (meanings and _SHORT_HASH.fullmatch(base)):
        named = printable(", ".join(meanings))
        raise ConfigError(f"{base} can mean several revisions here ({named}); name the commit by its whole hash")
    content = _git(folder, "cat-file", "blob", f"{revision}:{path}")
    if content is None:
        raise ConfigError(f"there is no {revision}:{path}: this folder is in no git repository with commits")
    return content


def _check_place(folder: Path, top: Path) -> None:
    """ConfigError if the repository says that its files are elsewhere: it would be compared with files of others."""
    own = next((one for one in (folder, *folder.parents) if os.path.lexists(one / ".git")), None)
    if own != top:
        raise ConfigError(f"{folder}: this repository says that its files lie in {top}, and so it is not read")


def _without_filters(folder: Path) -> list[str]:
    """Settings that switch off the programs through which the repository has its files read (`filter.NAME.clean`).
    Those of the user stay."""
    listing = (_git(folder, "config", "--list", "--show-scope", "-z") or b"").decode("utf-8", "surrogateescape")
    parts = listing.split("\0")
    names = [part.partition("\n")[0] for scope, part in zip(parts[::2], parts[1::2], strict=False) if scope in _THEIRS]
    filters = dict.fromkeys(name.rpartition(".")[0] for name in names if name.startswith("filter."))
    if odd := next((name for name in filters if "=" in name), None):
        raise ConfigError(f"{folder}: the repository sets up {printable(odd)!r}, which could not be switched off")
    return [word for name in filters for setting in _FILTER for word in ("-c", f"{name}.{setting}")]


def _excerpt(message: str) -> tuple[str, str]:
    """The subject, and as many whole lines from the beginning as fit."""
    excerpt = message[:LONGEST_EXCERPT]
    if len(message) > LONGEST_EXCERPT:
        excerpt = excerpt.rpartition("\n")[0] or excerpt
    return message.partition("\n")[0], excerpt.rstrip()


def _git(folder: Path, *arguments: str, settings: Sequence[str] = ()) -> bytes | None:
    """The output of a git command; None without git, outside a repository, and in one without commits."""
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ} | {
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_PAGER": "cat",
    }
    with tempfile.TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(  # noqa: S603 (no shell, and nothing of ours that a repository could word)
                ["git", *_SAFE, *settings, *arguments],  # noqa: S607 (the user's git)
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=complaints,
            )
        except FileNotFoundError:
            return None
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(SECONDS, stop)
        timer.start()
        with process:
            assert process.stdout is not None  # noqa: S101 (it was asked for above)
            output = process.stdout.read(MOST_BYTES + 1)
            if len(output) > MOST_BYTES:
                process.kill()
        timer.cancel()
        complaints.seek(0)
        words = complaints.read(2_000).decode("utf-8", "replace")
    if late.is_set():
        raise ConfigError(f"{folder}: git {arguments[0]} took more than {SECONDS:g} seconds")
    if len(output) > MOST_BYTES:
        raise ConfigError(f"{folder}: git {arguments[0]} has more than {MOST_BYTES:,} bytes to say")
    if process.returncode == 0:
        return output
    if "not a git repository" in words or "bad revision 'HEAD'" in words:
        return None
    raise ConfigError(f"{folder}: git {arguments[0]} failed: {tidy(words).partition(chr(10))[0]}")
