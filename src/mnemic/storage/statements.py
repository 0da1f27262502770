"""Named SQL statements, read from the `.sql` files of a backend."""

import re
from functools import cache
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)


@cache
def load_statements(package: str) -> dict[str, str]:
    """Return every named statement of a backend's package; a name that occurs twice is a bug."""
    texts = [
        file.read_text("utf-8")
        for file in sorted(files(package).iterdir(), key=lambda file: file.name)
        if file.name.endswith(".sql")
    ]
    return parse_statements("\n".join(texts))


def parse_statements(text: str) -> dict[str, str]:
    """Split a text at its `-- name:` lines."""
    pieces = _NAME.split(text)[1:]
    statements: dict[str, str] = {}
    for name, body in zip(pieces[::2], pieces[1::2], strict=True):
        if name in statements:
            raise ValueError(f"The statement {name} is defined twice.")
        statements[name] = body.strip()
    return statements
