"""Promises of the way in: names, origins, keys, rights and limits, on every route."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import anyio
import httpx2
import pytest
from starlette.routing import BaseRoute, Route

from mnemic.administration.keys import ShownKey
from mnemic.opening import OpenMemory
from mnemic.records.access_key import RIGHTS, Right, includes
from mnemic.server.access.keyring import Keyring
from mnemic.server.access.limits import Rate
from mnemic.server.access.rights import needed
from mnemic.server.account_routes.feed_routes import STREAM
from mnemic.server.app import build_app
from mnemic.settings import ServerSettings
from tests.conftest import Clock
from tests.server.visiting import Visitor, code_of, guarded, visitor

ITEM = {"scope": "chat", "scope_id": "s", "type": "fact", "content": "Mira fears thunder"}


def routes(memory: OpenMemory) -> list[tuple[str, str]]:
    """Return the method and an address of every route."""
    return [
        (method, route.path_format.format_map(_Anything()))
        for route in flat(build_app(memory, settings=ServerSettings(sse=True)).routes)
        # What is called by name, such as MCP's tools, takes every method and looks for itself.
        for method in sorted((route.methods or {"POST"}) - {"HEAD"})
        if (method, route.path) != ("GET", "/sse")
    ]


def test_everything_that_is_served_is_looked_at(memory: OpenMemory) -> None:
    paths = {path for _, path in routes(memory)}

    assert {"/mcp", "/sse/messages", "/sdk/x", "/metrics", "/memories", "/tools"} <= paths
    assert len(paths) > 40


def flat(found: Sequence[BaseRoute]) -> Iterator[Route]:
    """Return the routes, those of routers inside of routers, too."""
    for one in found:
        inner: Any = getattr(one, "original_router", None)
        if isinstance(one, Route):
            yield one
        elif inner is not None:
            yield from flat(inner.routes)


class _Anything(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "chat" if name == "scope" else "x"


def test_without_a_key_only_what_is_for_everybody_is_answered(memory: OpenMemory) -> None:
    nobody = Visitor(guarded(memory))

    for method, path in routes(memory):
        answer = nobody.send(method, path, {})
        if needed(method, path) is None:
            if answer.status_code == 308:
                answer = nobody.send(method, answer.headers["location"])
            assert answer.status_code in (200, 503), path
        else:
            assert answer.status_code == 401, f"{method} {path}"
            assert answer.headers["www-authenticate"].startswith("Bearer")
            assert code_of(answer).lower() == "auth_required"


def test_a_wrong_or_revoked_key_opens_no_route(memory: OpenMemory) -> None:
    app = guarded(memory)
    key, text = memory.keys.create("robot", right="admin")
    memory.keys.revoke(key.id)

    for method, path in routes(memory):
        if needed(method, path) is None:
            continue
        for wrong in (text, "mnm_x_y", "secret"):
            answer = Visitor(app, wrong).send(method, path, {})
            assert answer.status_code == 403, f"{method} {path}"
            assert code_of(answer).lower() == "auth_invalid_credentials"


@pytest.mark.parametrize("right", RIGHTS)
def test_every_route_needs_its_right(memory: OpenMemory, right: Right) -> None:
    someone = visitor(memory, guarded(memory), right=right)

    for method, path in routes(memory):
        # An answer that has no end begins only for who asks for something possible.
        url = f"{path}?limit=0" if path == STREAM else path
        answer = someone.send(method, url, {})
        wanted = needed(method, path)
        allowed = wanted is None or includes(right, wanted)
        assert (answer.status_code != 403) is allowed, f"{method} {path}: {answer.text}"
        if not allowed:
            assert code_of(answer).lower() == "auth_insufficient_scope"


@pytest.mark.parametrize(
    ("method", "path", "right"),
    [
        ("GET", "/health/live", None),
        ("GET", "/version", None),
        ("GET", "/docs", None),
        ("GET", "/memories", "read"),
        ("POST", "/sessions/s/context", "read"),
        ("POST", "/tools/memory_search", "read"),
        ("POST", "/mcp", "read"),
        ("POST", "/tools/memory_add", "write"),
        ("POST", "/tools/memory_chat", "write"),
        ("POST", "/memories", "write"),
        ("DELETE", "/memories/stats", "write"),
        ("POST", "/memory/jobs/a/b/retry", "admin"),
        ("POST", "/memory/scopes/branch/a%2Fb/compact", "admin"),
        ("GET", "/metrics", "admin"),
        ("GET", "/audit", "admin"),
        ("GET", "/memory/jobs", "read"),
    ],
)
def test_rights_go_by_what_a_request_does(method: str, path: str, right: Right | None) -> None:
    assert needed(method, path) == right


def test_a_key_is_taken_from_either_header(memory: OpenMemory) -> None:
    app = guarded(memory)
    _, key = memory.keys.create("robot")

    assert Visitor(app, key).get("/memories").status_code == 200
    for word in ("Bearer", "bearer"):
        with_header = Visitor(app, Authorization=f"{word} {key}")
        assert with_header.get("/memories").status_code == 200
    assert Visitor(app, Authorization=f"Basic {key}").get("/memories").status_code == 401


def test_a_server_on_this_machine_asks_for_keys_once_there_is_one(memory: OpenMemory) -> None:
    assert Visitor(build_app(memory)).get("/memories").status_code == 200
    memory.keys.create("robot")
    assert Visitor(build_app(memory)).get("/memories").status_code == 401
    switched_off = build_app(memory, settings=ServerSettings(auth="off"))
    assert Visitor(switched_off).get("/memories").status_code == 200


def test_a_revoked_key_is_noticed_within_a_second(memory: OpenMemory) -> None:
    now = [0.0]
    keyring = Keyring(memory, clock=lambda: now[0])
    key, text = memory.keys.create("robot")

    assert keyring.remembered(text) is None
    assert keyring.opened_by(text) is not None
    memory.keys.revoke(key.id)
    now[0] = 0.9
    assert keyring.remembered(text) is not None
    now[0] = 1.0
    assert keyring.remembered(text) is None
    assert isinstance(keyring.opened_by(text), ShownKey)


def test_a_key_that_ends_is_refused_from_that_moment_on(memory: OpenMemory, clock: Clock) -> None:
    app = guarded(memory)
    _, text = memory.keys.create("robot", expires_at=clock.now + timedelta(hours=1))
    robot = Visitor(app, text)

    assert robot.get("/memories").status_code == 200
    clock.turn(hours=1)
    answer = robot.get("/memories")

    assert (answer.status_code, code_of(answer)) == (403, "auth_invalid_credentials")
    assert "expired" in answer.text


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:7077", "[::1]:7077", "LOCALHOST:1"])
def test_on_this_machine_a_server_answers_under_its_own_names(
    memory: OpenMemory, host: str
) -> None:
    assert Visitor(build_app(memory), Host=host).get("/memories").status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:7077", "127.0.0.1.evil.example", "", "localhost.x:80"]
)
@pytest.mark.parametrize("path", ["/memories", "/health/live", "/openapi.json", "/mcp"])
def test_under_a_foreign_name_it_answers_nothing(memory: OpenMemory, host: str, path: str) -> None:
    answer = Visitor(build_app(memory), Host=host).get(path)

    assert answer.status_code == 421
    assert code_of(answer) == "host_not_allowed"


def test_names_can_be_added(memory: OpenMemory) -> None:
    def status(name: str, **settings: Any) -> int:
        app = build_app(memory, settings=ServerSettings(auth="off", **settings))
        return Visitor(app, Host=name).get("/memories").status_code

    assert status("memory.example:7077", allowed_hosts="Memory.example, other") == 200
    assert status("evil.example", allowed_hosts="memory.example") == 421
    assert status("evil.example", allowed_hosts="*") == 200
    assert status("anything.example", host="0.0.0.0") == 200  # noqa: S104  keys keep strangers out
    assert status("evil.example", host="0.0.0.0", allowed_hosts="memory.example") == 421  # noqa: S104
    assert status("localhost", host="0.0.0.0", allowed_hosts="memory.example") == 200  # noqa: S104


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://localhost:7077", True),
        ("https://localhost:7077", True),
        ("https://app.example", True),
        ("http://localhost:9999", False),
        ("http://evil.example", False),
        ("https://app.example.evil", False),
        ("null", False),
        ("file://localhost:7077", False),
    ],
)
def test_pages_of_other_origins_are_kept_out(
    memory: OpenMemory, origin: str | None, allowed: bool
) -> None:
    app = build_app(memory, settings=ServerSettings(allowed_origins="https://app.example/"))
    said = {} if origin is None else {"Origin": origin}

    answer = Visitor(app, **said).send("POST", "/memories", ITEM)

    assert answer.status_code == (201 if allowed else 403)
    if not allowed:
        assert code_of(answer) == "origin_not_allowed"
        assert Visitor(app).get("/memories").json()["data"] == []


def test_a_page_that_may_call_is_told_so_by_the_browsers_rules(memory: OpenMemory) -> None:
    app = build_app(memory, settings=ServerSettings(allowed_origins="https://app.example"))
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-api-key"}

    def preflight(origin: str) -> httpx2.Response:
        return Visitor(app, Origin=origin, **asked).send("OPTIONS", "/memories")

    granted = preflight("https://app.example")
    assert granted.status_code == 200
    assert granted.headers["access-control-allow-origin"] == "https://app.example"
    assert "access-control-allow-origin" not in preflight("https://evil.example").headers
    read = Visitor(app, Origin="https://app.example").get("/memories")
    assert read.headers["access-control-allow-origin"] == "https://app.example"


def test_an_account_that_asks_too_often_is_told_when_to_come_back(memory: OpenMemory) -> None:
    app = guarded(memory, requests_per_minute=30)
    busy, other = visitor(memory, app), visitor(memory, app, account="other")
    another_key = visitor(memory, app)

    answers = [busy.get("/memories") for _ in range(4)]

    assert [one.status_code for one in answers] == [200, 200, 200, 429]
    assert code_of(answers[-1]) == "too_many_requests"
    assert answers[-1].headers["retry-after"] in ("1", "2")
    assert another_key.get("/memories").status_code == 429
    assert other.get("/memories").status_code == 200
    tool = busy.send("POST", "/tools/memory_search", {"query": "x"})
    assert tool.status_code == 429
    assert tool.json()["error"]["retryable"] is True


def test_an_account_that_waits_may_ask_again() -> None:
    now = [0.0]
    rate = Rate(60, clock=lambda: now[0])

    assert [rate.take("k") for _ in range(7)] == [0, 0, 0, 0, 0, 0, 1]
    now[0] = 1.0
    assert [rate.take("k"), rate.take("k")] == [0, 1]
    now[0] = 3_600.0
    assert [rate.take("k") for _ in range(7)] == [0, 0, 0, 0, 0, 0, 1]
    assert [Rate(0).take("k") for _ in range(100)] == [0] * 100


def test_more_than_a_server_can_answer_is_told_to_come_back(memory: OpenMemory) -> None:
    app = build_app(memory, settings=ServerSettings(max_requests=1))

    async def twice() -> list[httpx2.Response]:
        found: list[httpx2.Response] = []
        transport = httpx2.ASGITransport(app=app)
        async with (
            httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client,
            anyio.create_task_group() as tasks,
        ):

            async def ask() -> None:
                found.append(await client.get("/memories"))

            tasks.start_soon(ask)
            tasks.start_soon(ask)
        return found

    answers = anyio.run(twice)

    assert sorted(one.status_code for one in answers) == [200, 429]
    refused = next(one for one in answers if one.status_code == 429)
    assert refused.headers["retry-after"] == "1"
    assert Visitor(app).get("/memories").status_code == 200


def test_a_body_that_says_it_is_too_large_is_not_read(memory: OpenMemory) -> None:
    app = build_app(memory, settings=ServerSettings(max_body=1_000))

    answer = Visitor(app).send("POST", "/memories", {**ITEM, "content": "x" * 1_000})

    assert answer.status_code == 413
    assert code_of(answer) == "payload_too_large"
    assert Visitor(app).send("POST", "/memories", ITEM).status_code == 201


def test_the_assistants_tools_are_refused_in_their_own_envelope(memory: OpenMemory) -> None:
    answer = Visitor(guarded(memory)).send("POST", "/tools/memory_search", {"query": "茶"})

    told = answer.json()
    assert answer.status_code == 401
    assert told["success"] is False
    assert told["error"]["code"] == "AUTH_REQUIRED"
    assert set(told["error"]) == {"code", "message", "details", "retryable"}
