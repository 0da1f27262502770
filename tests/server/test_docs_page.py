"""Promises of `/docs`: a page that works without internet, and that nothing can be put into."""

import re

import pytest

from tests.dialects.chat_calling import Api

_LOADED = re.compile(r"(?:src|href)=\"([^\"#]+)\"|from \"([^\"]+)\"")


@pytest.fixture
def parts(api: Api) -> dict[str, str]:
    """The page and everything that it loads, by address."""
    return _loaded(api)


def _loaded(api: Api) -> dict[str, str]:
    found: dict[str, str] = {}
    wanted = ["/docs"]
    while wanted:
        path = wanted.pop()
        if path in found or path in ("/openapi.json", "/tools"):
            continue
        answer = api.send("GET", path)
        assert answer.status_code == 200, path
        found[path] = answer.text
        for pair in _LOADED.findall(answer.text):
            name = pair[0] or pair[1]
            wanted.append(name.replace("./", "/docs/") if name.startswith("./") else name)
    return found


def test_everything_that_the_page_loads_comes_from_this_server(parts: dict[str, str]) -> None:
    assert {"/docs", "/docs/docs.css", "/docs/docs.js", "/docs/trying.js"} <= set(parts)
    for path, text in parts.items():
        foreign = [one for one in re.findall(r"https?://\S+", text) if "www.w3.org/2000" not in one]
        assert foreign == [], path


def test_no_script_and_no_style_stands_in_the_page_itself(parts: dict[str, str]) -> None:
    page = parts["/docs"]
    assert re.findall(r"<script[^>]*>(?!</script>)", page) == []
    assert "<style" not in page
    assert re.findall(r"\s(?:on\w+|style)=", page) == []
    for path, text in parts.items():
        assert "innerHTML" not in text, path
        assert "localStorage" not in text, path


def test_the_page_may_load_and_call_this_server_only(api: Api) -> None:
    for path, kind in (("/docs", "text/html"), ("/docs/docs.js", "text/javascript")):
        headers = api.send("GET", path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "connect-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["content-type"].startswith(kind)
        assert headers["x-content-type-options"] == "nosniff"


def test_it_stays_out_of_the_document_and_unknown_parts_are_404(api: Api) -> None:
    assert not any("docs" in path for path in api.send("GET", "/openapi.json").json()["paths"])
    assert api.send("GET", "/docs/__init__.py").status_code == 404
    assert api.send("GET", "/docs/../app.py").status_code == 404
