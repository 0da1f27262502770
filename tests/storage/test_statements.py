"""What holds for the named statements of every backend."""

from pathlib import Path
from typing import Final

import pytest

import mnemic
from mnemic.storage.statements import load_statements, parse_statements

SOURCE: Final = Path(mnemic.__file__).parent
BACKENDS: Final = ("sqlite", "postgres")

# What one backend needs and the other does not, and why.
ONLY: Final = {
    "sqlite": {
        "snapshot_stamp": "an index is kept beside a file; a server is not on this machine",
        "snapshot_stamped": "the same",
        "snapshot_discard": "the same",
        "snapshot_erasures": "the same",
        "job_clock_read": "a file cannot call; workers look at its clock",
        "vectors_since": "sketches of all vectors are held in memory; pgvector needs none",
    },
    "postgres": {
        "graph_settings": "a walk through pgvector's graph is set up for each transaction",
        "graph_size": "accounts share such a graph; a sketch belongs to one memory",
        "receipt_add": "a connection may break during a commit; a file has none",
        "vectors_nearest": "pgvector finds the closest; SQLite has sketches in memory",
        "vectors_nearest_among": "the same",
        "vectors_nearest_in_graph": "the same",
        "vectors_schema": "pgvector may be installed after the other tables were made",
    },
}


def test_both_backends_know_the_same_statements_but_for_a_listed_few() -> None:
    sqlite, postgres = (load_statements(f"mnemic.storage.{name}").keys() for name in BACKENDS)

    assert sqlite - postgres == ONLY["sqlite"].keys()
    assert postgres - sqlite == ONLY["postgres"].keys()


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_statement_is_used_and_says_why(backend: str) -> None:
    code = "\n".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py"))
    for file in (SOURCE / "storage" / backend).glob("*.sql"):
        for name, body in parse_statements(file.read_text("utf-8")).items():
            assert f'"{name}"' in code, f"{name} is never used"
            assert body.startswith("-- "), f"{name} does not say why"


def test_a_statement_that_is_defined_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="job_add is defined twice"):
        parse_statements("-- name: job_add\nselect 1;\n-- name: job_add\nselect 2;\n")
