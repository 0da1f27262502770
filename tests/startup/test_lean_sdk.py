"""Promises of a lean import: a server starts without the client, and whoever wants that gets it."""

import subprocess
import sys

_TRIED = """
import sys
from mnemic.startup.lean_sdk import leave_out_client
leave_out_client()
import mnemic.mcp.mcp_server
print([name for name in ("mcp.client", "mcp.server.mcpserver", "httpx2") if name in sys.modules])
from mcp import Client, MCPError
from mcp.server import MCPServer
print(Client.__module__, MCPServer.__module__)
"""


def test_the_client_is_left_out_until_it_is_asked_for() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _TRIED], capture_output=True, text=True, check=True
    )

    assert done.stdout.splitlines() == ["[]", "mcp.client.client mcp.server.mcpserver.server"]
