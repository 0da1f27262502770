"""Addresses: which of them other machines can reach, and under which names a server answers.

A web page may let its own name point to this machine, and so reach a server here with the rights
of whoever looks at the page. Its requests carry that name as Host, and the page as Origin: a
server that knows its names refuses both.
"""

from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from mnemic.runtime.patterns import opening
from mnemic.settings import ServerSettings

_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_ANY: Final = "*"
_HOST: Final = opening(r"(?:\[(?P<number>[^\[\]]+)\]|(?P<name>[^:\[\]]+))(?::\d*)?")


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach an address."""
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return False


def is_everywhere(host: str) -> bool:
    """Tell whether an address stands for all of a machine's own."""
    with suppress(ValueError):
        return ip_address(host).is_unspecified
    return False


@dataclass(frozen=True, slots=True)
class Names:
    """Under which names a server may be addressed, and pages of which origins may do so."""

    hosts: frozenset[str] | None
    """None where any name will do."""

    origins: frozenset[str]

    def allow_host(self, host: str | None) -> bool:
        """Tell whether a request may carry this Host."""
        if self.hosts is None:
            return True
        return host is not None and _bare(host) in self.hosts

    def allow_origin(self, origin: str | None, host: str | None) -> bool:
        """Tell whether a page of this origin may make a request; programs have none."""
        if origin is None:
            return True
        sent = origin.lower()
        if sent in self.origins:
            return True
        scheme, _, address = sent.partition("://")
        return scheme in ("http", "https") and host is not None and address == host.lower()


def names_of(settings: ServerSettings) -> Names:
    """Return under which names a server with these settings may be addressed.

    On an address that others can reach, keys keep strangers out, and only who runs it knows its
    names: any is allowed until some are set.
    """
    given = frozenset(_bare(host) or host for host in settings.hosts)
    if is_loopback(settings.host):
        hosts = _LOCAL | {settings.host} | given
    else:
        hosts = given | (_LOCAL | _own(settings.host) if given else frozenset({_ANY}))
    return Names(None if _ANY in hosts else frozenset(hosts), settings.origins)


def _own(host: str) -> frozenset[str]:
    return frozenset() if is_everywhere(host) else frozenset({host.lower()})


def _bare(host: str) -> str | None:
    """Return a Host without its port, in small letters; None where it is none."""
    written = _HOST.fullmatch(host.strip().lower())
    return None if written is None else written["number"] or written["name"]
