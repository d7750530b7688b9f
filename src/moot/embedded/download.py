"""The progress bar for the weights of the embedded model."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from moot.embedded.weights import on_download


@contextmanager
def show_downloads(console: Console, display: str) -> Iterator[None]:
    """Show downloads while inside: as a bar on a terminal, as a line elsewhere, not at all if the display is off."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        console=console,
    )
    task = None

    def progress(done: int, total: int) -> None:
        nonlocal task
        if task is None:
            task = bar.add_task("Fetching the embedded model, once", total=total)
            if display == "full":
                bar.start()
            else:
                console.print(f"Fetching the embedded model, once ({total // 1_000_000} MB) …")
        bar.update(task, completed=done, total=total)
        if done >= total:
            stop()

    def stop() -> None:
        if bar.live.is_started:
            bar.stop()

    previous = on_download(progress if display in ("full", "plain") else None)
    try:
        yield
    finally:
        stop()
        on_download(previous)
