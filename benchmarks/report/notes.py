"""The texts beside the tables, which stand in notes.md."""

from pathlib import Path
from typing import Final

from harness.markdown import read_named

NOTES: Final = read_named(Path(__file__).with_suffix(".md"))
