"""The one table writer: figures in Markdown, for the docs and for the console."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

Format = Callable[[Any], str]
Record = Mapping[str, Any]

_NAME: Final = re.compile(r"(?:<!-- |-- name: )(\S+)(?: -->)?\n")


def cell(value: object) -> str:
    """Return a value as it is shown: numbers with no more digits than they deserve."""
    if value is None:
        return "–"
    if isinstance(value, float):
        if abs(value) >= 100:
            return f"{value:,.0f}"
        return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def share(value: float | None) -> str:
    """Return a share of one with three digits."""
    return "–" if value is None else f"{value:.3f}"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its title, and where its value stands in a record of the results."""

    title: str
    value: str | Callable[[Any], object]
    """Keys with slashes between them, or a function of the record."""
    form: Format = cell

    def shown(self, record: Record) -> str:
        """Return the cell of a record; a dash where the value was not measured."""
        value = lookup(record, self.value) if isinstance(self.value, str) else self.value(record)
        return self.form(value)


def columns(described: Mapping[str, str], form: Format = cell) -> list[Column]:
    """Return columns from their titles and paths."""
    return [Column(title, path, form) for title, path in described.items()]


def lookup(record: Record, path: str) -> Any:
    """Return the value under keys with slashes between them; None where one is missing."""
    value: Any = record
    for key in path.split("/"):
        if not isinstance(value, Mapping) or key not in value:
            return None
        value = value[key]
    return value


def records(
    first: str, described: Sequence[Column], rows: Iterable[tuple[str, Record]], *, last: str = ""
) -> str:
    """Return a table with a row for each named record; nothing where there is none."""
    cells = [[name, *(column.shown(record) for column in described)] for name, record in rows]
    return table([first, *(column.title for column in described)], cells) + last if cells else ""


def table(titles: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table with the first column to the left and the others to the right."""
    lines = [list(titles), ["---", *(["---:"] * (len(titles) - 1))]]
    lines += [[cell(value) for value in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def section(title: str, *parts: str) -> str:
    """Return a heading with what stands under it, or nothing where nothing does."""
    filled = [part for part in parts if part]
    return "\n".join([f"{title}\n", *filled]) if filled else ""


def show(title: str, measured: Mapping[str, Any]) -> None:
    """Print a table of the numbers in records, whichever they have."""
    rows = {name: record for name, record in measured.items() if isinstance(record, Mapping)}
    keys = dict.fromkeys(
        key
        for record in rows.values()
        for key, value in record.items()
        if isinstance(value, int | float | str | None)
    )
    print(section(f"### {title}", records("", [Column(key, key) for key in keys], rows.items())))


def day(result: Record) -> str:
    """Return the day of a run."""
    return result["run"]["at"][:10]


def read_named(path: Path) -> dict[str, str]:
    """Return the texts of a Markdown or SQL file by the names in the comments above them."""
    _, *parts = _NAME.split(path.read_text("utf-8"))
    return {name: text.strip("\n") + "\n" for name, text in zip(*[iter(parts)] * 2, strict=True)}


def fill_blocks(page: str, blocks: Mapping[str, str]) -> str:
    """Return a page with these texts between its marks `generated:NAME` and `/generated`."""
    for name, text in blocks.items():
        block = re.compile(rf"(<!-- generated:{name} -->\n).*?(<!-- /generated -->)", re.DOTALL)
        page = block.sub(lambda old, text=text: f"{old[1]}{text}{old[2]}", page)
    return page
