"""A chat app that talks to a server without a socket."""

import json
from typing import Any, Final

import anyio
import httpx2

from mnemic.opening import OpenMemory
from mnemic.server.app import build_app

Json = dict[str, Any]

FIELDS: Final = [
    *("id", "scope", "scope_id", "type", "summary_tier", "content", "fact_key", "importance"),
    *("confidence", "source_floor_id", "source_message_id", "status", "lifecycle_status"),
    *("source_job_id", "token_count_estimate", "last_used_at", "coverage_start_floor_no"),
    *("coverage_end_floor_no", "derived_from_count", "created_at", "updated_at"),
]
META: Final = ["total", "limit", "offset", "has_more", "sort_by", "sort_order"]
_NOTHING: Final = object()


class Api:
    """The whole server on one memory."""

    def __init__(self, memory: OpenMemory, *, worker: bool = True) -> None:
        self.app = build_app(memory, worker_enabled=worker)

    def send(
        self,
        method: str,
        path: str,
        body: object = _NOTHING,
        *,
        raw: Any = None,
        headers: Any = None,
        **params: Any,
    ) -> httpx2.Response:
        """Send one request; what is given by name goes into the address."""
        sent = raw if body is _NOTHING else json.dumps(body).encode()
        said = {"content-type": "application/json"} if headers is None else dict(headers)

        async def once() -> httpx2.Response:
            transport = httpx2.ASGITransport(app=self.app, raise_app_exceptions=False)
            async with httpx2.AsyncClient(
                transport=transport, base_url="http://localhost"
            ) as client:
                return await client.request(
                    method, path, content=sent, headers=said, params=params or None
                )

        return anyio.run(once)

    def ok(self, method: str, path: str, body: object = _NOTHING, **params: Any) -> Any:
        """Send a request that must succeed; return its whole answer."""
        response = self.send(method, path, body, **params)
        assert response.status_code == 200, response.text
        return response.json()

    def get(self, path: str, **params: Any) -> Any:
        """Return the `data` of what stands there."""
        return self.ok("GET", path, **params)["data"]

    def create(self, path: str, body: object) -> Json:
        """Return the `data` of what was made."""
        response = self.send("POST", path, body)
        assert response.status_code == 201, response.text
        return response.json()["data"]

    def item(self, content: object = "It rains", **fields: object) -> Json:
        """Create an item; what is not said is a fact of the chat `s`."""
        given = {"scope": "chat", "scope_id": "s", "type": "fact", "content": content, **fields}
        return self.create("/memories", given)

    def ids(self, **params: Any) -> list[str]:
        """Return the ids of a list, in its order."""
        return [one["id"] for one in self.get("/memories", **params)]

    def texts(self, **params: Any) -> list[str]:
        """Return the texts of a list, in its order."""
        return [one["content"] for one in self.get("/memories", **params)]


def problem(response: httpx2.Response, status: int, code: str) -> Json:
    """Return what an error says, which must be in the envelope."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    answer = response.json()
    assert set(answer) == {"error"}
    assert set(answer["error"]) <= {"code", "message", "details"}
    assert answer["error"]["code"] == code
    assert answer["error"]["message"]
    return answer["error"]


def wrong(response: httpx2.Response) -> list[str]:
    """Return the paths that a refused request is refused for."""
    told = problem(response, 400, "validation_error")
    assert told["message"] == "Request validation failed"
    assert all(set(one) == {"path", "message", "code"} for one in told["details"])
    return [one["path"] for one in told["details"]]
