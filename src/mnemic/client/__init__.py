"""A memory behind an address, with the verbs of one that is open here."""

from mnemic.client.client import AsyncClient, Client

__all__ = ["AsyncClient", "Client"]
