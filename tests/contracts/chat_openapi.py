"""What the OpenAPI document says of the chat's API: `python -m tests.contracts.chat_openapi` writes
it down where a change is meant. Clients are made from it.
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import mnemic
from mnemic.opening import OpenMemory
from mnemic.server.app import build_app

CONTRACT: Final = Path(__file__).with_suffix(".json")


def document_of(memory: OpenMemory) -> dict[str, Any]:
    """Return what the document says of routes; the tools have a contract of their own."""
    whole: dict[str, Any] = json.loads(json.dumps(build_app(memory).openapi()))
    return {name: whole[name] for name in ("openapi", "paths", "components")}


if __name__ == "__main__":
    with (
        TemporaryDirectory() as folder,
        mnemic.open(Path(folder) / "memory.db", embedder="none") as opened,
    ):
        document = document_of(opened)
    CONTRACT.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8")
