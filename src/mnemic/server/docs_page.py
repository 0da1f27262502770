"""`/docs`: a page that shows what the server can do, and lets people try it. It comes with the
server whole: nothing is loaded from elsewhere.
"""

from importlib.resources import files
from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import Response

_FOLDER: Final = "mnemic.server.pages"
_KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_PAGE: Final = "docs.html"
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


def page_routes() -> APIRouter:
    """Return the routes of the page and of what it is made of. It holds no data, so it needs no
    key; what it calls may.
    """
    router = APIRouter()
    for file in files(_FOLDER).iterdir():
        kind = _KINDS.get(file.name[file.name.rfind(".") :])
        if kind is not None:
            path = "/docs" if file.name == _PAGE else f"/docs/{file.name}"
            _add(router, path, file.read_bytes(), kind)
    return router


def _add(router: APIRouter, path: str, content: bytes, kind: str) -> None:
    headers = {**_HEADERS, "content-type": kind}

    async def show() -> Response:
        return Response(content, headers=headers)

    add: Any = router.add_api_route
    add(path, show, methods=["GET"], include_in_schema=False)
