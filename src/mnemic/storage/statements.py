"""Named SQL statements, read from the `.sql` files of a backend."""

import re
from functools import cache
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)


@cache
def load_statements(package: str) -> dict[str, str]:
    """Return every named statement of a backend's package; a name that occurs twice is a bug."""
    statements: dict[str, str] = {}
    for file in sorted(files(package).iterdir(), key=lambda file: file.name):
        if file.name.endswith(".sql"):
            for name, text in parse_statements(file.read_text("utf-8")).items():
                if name in statements:
                    raise ValueError(f"statement {name} is defined twice in {package}")
                statements[name] = text
    return statements


def parse_statements(text: str) -> dict[str, str]:
    """Split a file at its `-- name:` lines."""
    pieces = _NAME.split(text)[1:]
    return {name: body.strip() for name, body in zip(pieces[::2], pieces[1::2], strict=True)}
