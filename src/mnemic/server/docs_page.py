"""`/docs`: a page that shows what the server can do, and lets people try it. It comes with the
server whole: nothing is loaded from elsewhere.
"""

from importlib.resources import files

from fastapi import APIRouter

from mnemic.console.static_files import page_routes


def docs_routes() -> APIRouter:
    """Return the routes of the page. It holds no data, so it needs no key; what it calls may."""
    folder = files("mnemic.server.pages")
    return page_routes(folder, page="docs.html", at="/docs", beside="/docs")
