"""A memory behind an address, with the verbs of one that is open here.

It imports the table of verbs in `rpc` and no engine. Start reading at `calls`.
"""

from mnemic.client.client import AsyncClient, Client

__all__ = ["AsyncClient", "Client"]
