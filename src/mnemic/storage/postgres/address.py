"""The address of a PostgreSQL database: read strictly, and shown without its password."""

import re
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from mnemic.errors import SettingsError

# Up to where a user's name goes, however badly the rest is written.
_NAME: Final = re.compile(r"[^:/?#@]*")
_PORT: Final = re.compile(r"[0-9]{1,5}")


def without_password(url: str) -> str:
    """Return an address as it may be shown: without the password and without options.

    What cannot be read as an address is cut rather than shown.
    """
    scheme, _, rest = url.partition("://")
    credentials, at, place = rest.rpartition("@")
    hosts, slash, database = re.split(r"[?#]", place, maxsplit=1)[0].partition("/")
    user = _NAME.match(credentials)
    shown = ",".join(_without_bad_port(host) for host in hosts.split(","))
    return f"{scheme}://{user[0] if user else ''}{at}{shown}{slash}{database}"


def options_of(url: str) -> dict[str, Any]:
    """Return what the driver is to be told, everything in the address unchanged."""
    where = without_password(url)
    try:
        options: dict[str, Any] = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        options = {}
    if not options or not _is_plain(url, options):
        # Not chained: the driver's message may hold the password.
        raise SettingsError(
            f"database: {where} is not an address of PostgreSQL; write "
            "postgresql://user:password@host:5432/database, and in the password %40 for @, "
            "%2F for /, %3A for :, %3F for ? and %23 for #."
        )
    return options


def _is_plain(url: str, options: dict[str, Any]) -> bool:
    """Tell whether the driver found hosts and ports, and no piece of a password in their place."""
    hosts, ports = (str(options.get(name, "")).split(",") for name in ("host", "port"))
    path = url.partition("://")[2].partition("?")[0].partition("/")[2]
    return (
        "@" not in path
        # A socket without a file begins with it.
        and not any("@" in host[1:] for host in hosts)
        and all(_PORT.fullmatch(port) for port in ports if port)
    )


def _without_bad_port(host: str) -> str:
    if host.startswith("["):
        return host
    name, colon, port = host.partition(":")
    return host if not colon or _PORT.fullmatch(port) else name
