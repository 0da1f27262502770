"""An import of the MCP SDK that builds and collects as little as it can."""

import gc
from collections.abc import Generator
from contextlib import contextmanager

from mnemic.startup.lean_sdk import leave_out_client


@contextmanager
def quick_imports() -> Generator[None]:
    """Import the SDK within: its hundreds of models are built on first use, and most never are.

    What an import makes stays, so nothing is collected meanwhile, and nothing of it is looked at
    by later collections.
    """
    from pydantic import BaseModel  # noqa: PLC0415  slow, and only `mnemic mcp` needs it

    BaseModel.model_config["defer_build"] = True
    gc.disable()
    leave_out_client()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
