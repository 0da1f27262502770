"""Every byte of every file in a folder, to look for what must not be there."""

from pathlib import Path


def contents(folder: Path) -> dict[str, bytes]:
    """Return what each file holds, by its name."""
    return {
        str(one.relative_to(folder)): one.read_bytes()
        for one in sorted(folder.rglob("*"))
        if one.is_file()
    }


def files_with(folder: Path, *marks: bytes) -> set[tuple[str, bytes]]:
    """Return in which files there is which of these."""
    return {
        (name, mark) for name, data in contents(folder).items() for mark in marks if mark in data
    }
