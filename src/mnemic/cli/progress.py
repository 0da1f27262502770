"""Bars on standard error while something takes long; nothing in a pipe."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text


class _Speed(ProgressColumn):
    """How many rows a second."""

    def render(self, task: Task) -> Text:
        """Return the speed of a task, once it is known."""
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.0f}/s", style="dim")


@contextmanager
def bars() -> Generator[Callable[[str, str, int, int], None]]:
    """Show a bar for each thing that is done to something: what is done, to what, how much of it is
    done, and how much there is.
    """
    terminal = Console(stderr=True)
    tasks: dict[tuple[str, str], TaskID] = {}
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Speed(),
        TimeElapsedColumn(),
        console=terminal,
        disable=not _can_show(terminal),
    ) as bar:

        def show(doing: str, what: str, done: int, total: int) -> None:
            if (doing, what) not in tasks:
                tasks[doing, what] = bar.add_task(f"{doing} {what}", total=total)
            bar.update(tasks[doing, what], completed=done, total=total)

        yield show


@contextmanager
def progress(doing: str) -> Generator[Progress]:
    """Show a bar on standard error while something takes long; nothing in a pipe."""
    terminal = Console(stderr=True)
    with Progress(
        TextColumn(doing),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=terminal,
        transient=True,
        disable=not _can_show(terminal),
    ) as bar:
        yield bar


def _can_show(terminal: Console) -> bool:
    # One that cannot move its cursor would show each step on a line of its own.
    return terminal.is_terminal and not terminal.is_dumb_terminal
