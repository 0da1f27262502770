"""Pages that come with the server whole: files that may load from this server only."""

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import Response

_KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_HEADERS: Final = {
    "cache-control": "no-cache",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def page_routes(folder: Traversable, *, page: str, at: str, beside: str) -> APIRouter:
    """Return the routes of a page, and of what it is made of: `page` answers at one address, every
    other file of the folder beside another one. They hold no data, so they need no key.
    """
    router = APIRouter()
    for name, file in _files(folder, ""):
        kind = _KINDS.get(name[name.rfind(".") :])
        if kind is not None:
            _add(router, at if name == page else f"{beside}/{name}", file.read_bytes(), kind)
    return router


def console_routes() -> APIRouter:
    """Return the routes of the console."""
    static = files("mnemic.console") / "static"
    return page_routes(static, page="index.html", at="/", beside="/console")


def _files(folder: Traversable, before: str) -> Iterator[tuple[str, Traversable]]:
    for file in folder.iterdir():
        if file.is_dir():
            yield from _files(file, f"{before}{file.name}/")
        else:
            yield f"{before}{file.name}", file


def _add(router: APIRouter, path: str, content: bytes, kind: str) -> None:
    headers = {**_HEADERS, "content-type": kind}

    async def show() -> Response:
        return Response(content, headers=headers)

    add: Any = router.add_api_route
    add(path, show, methods=["GET"], include_in_schema=False)
