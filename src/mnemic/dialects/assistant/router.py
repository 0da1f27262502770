"""`POST /tools/{name}`: the assistant's tools over HTTP, to be mounted in any FastAPI app."""

import json
from collections.abc import Callable, MutableMapping
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from mnemic.dialects.assistant.catalog import AssistantTool, Profile, tools_of
from mnemic.dialects.assistant.messages import LocalizedText
from mnemic.dialects.assistant.refusals import Refused
from mnemic.dialects.assistant.streaming import streamed_chat
from mnemic.dialects.assistant.tools import AssistantTools
from mnemic.runtime.yielding import computed

AssistantOf = Callable[[MutableMapping[str, Any]], AssistantTools]
"""Finds whose tools a request calls, by its ASGI scope."""

# Ten pictures of 3 MB as base64, and some room for the message.
_MOST_BYTES: Final = 45 * 1024 * 1024
_EVENTS: Final = "text/event-stream"
_STATUS: Final = {
    "NOT_FOUND": 404,
    "PROFILE_NOT_FOUND": 404,
    "CHAT_SERVICE_ERROR": 502,
    "OUT_OF_TIME": 422,
    "BACKEND_ERROR": 503,
    "INTERNAL_ERROR": 500,
    "PAYLOAD_TOO_LARGE": 413,
    # What the server that the router is mounted in tells before a tool is called.
    "AUTH_REQUIRED": 401,
    "AUTH_INVALID_CREDENTIALS": 403,
    "AUTH_INSUFFICIENT_SCOPE": 403,
    "HOST_NOT_ALLOWED": 421,
    "ORIGIN_NOT_ALLOWED": 403,
    "TOO_MANY_REQUESTS": 429,
    "REQUEST_TIMEOUT": 408,
}


def tools_router(
    assistant: AssistantTools,
    *,
    profile: Profile = "assistant-extended",
    assistant_of: AssistantOf | None = None,
) -> APIRouter:
    """Return a router with one route for each tool of a profile.

    The body is the tool's parameters as a JSON object; the answer is its envelope, with a status
    that says the same. `GET /tools` lists the tools. `assistant_of` finds whose tools a request
    calls; without it, they are always those given.
    """
    router = APIRouter(tags=["assistant"])
    tools = {tool.name: tool for tool in tools_of(profile)}
    for tool in tools.values():
        _add_route(router, assistant_of or (lambda _: assistant), tool)

    async def list_tools() -> JSONResponse:
        """List the tools, with the schemas of what they take and answer."""
        shown = [
            {
                "name": one.name,
                "description": one.description,
                "input_schema": one.takes,
                "output_schema": one.answers,
            }
            for one in tools.values()
        ]
        return JSONResponse({"tools": shown})

    async def unknown(name: str) -> JSONResponse:
        """Say that there is no such tool."""
        known = ", ".join(tools)
        told = LocalizedText(
            f"没有工具 {name!r:.60}；可用：{known}", f"There is no tool {name!r:.60}; use {known}"
        )
        return _answer(assistant.refused(Refused("NOT_FOUND", told)))

    router.add_api_route("/tools", list_tools, methods=["GET"], summary="List the tools")
    router.add_api_route("/tools/{name}", unknown, methods=["POST"], include_in_schema=False)
    return router


def _add_route(router: APIRouter, assistant_of: AssistantOf, tool: AssistantTool) -> None:
    async def call(request: Request) -> Response:
        assistant = assistant_of(request.scope)
        try:
            params = _params(await _body(request))
            if tool.name == "memory_chat" and _wants_events(request):
                return streamed_chat(assistant, params)
            envelope = await run_in_threadpool(computed, assistant.call, tool.name, params)
        except Refused as refused:
            envelope = assistant.refused(refused)
        except Exception:
            envelope = assistant.failed(tool.name)
        return _answer(envelope)

    router.add_api_route(
        f"/tools/{tool.name}",
        call,
        methods=["POST"],
        summary=tool.name,
        description=tool.description,
        operation_id=tool.name,
        responses={
            200: {"content": {"application/json": {"schema": tool.answers}}},
            "4XX": {"content": {"application/json": {"schema": tool.answers}}},
            "5XX": {"content": {"application/json": {"schema": tool.answers}}},
        },
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": tool.takes}},
            }
        },
    )


def _wants_events(request: Request) -> bool:
    """Tell whether events are what a client asks for, not only what it can read beside JSON."""
    accepted = request.headers.get("accept", "")
    return _EVENTS in accepted and "application/json" not in accepted


async def _body(request: Request) -> bytes:
    """Read what was sent, but no more than any call needs."""
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > _MOST_BYTES:
                told = LocalizedText("请求超过 45 MB", "The request has more than 45 MB")
                raise Refused("PAYLOAD_TOO_LARGE", told)
    except ClientDisconnect as error:
        told = LocalizedText("请求体不完整", "The body did not arrive whole")
        raise Refused("INVALID_PARAMETER", told) from error
    return bytes(body)


def _params(body: bytes) -> Any:
    try:
        return json.loads(body or b"{}")
    except (ValueError, RecursionError) as error:
        told = LocalizedText(
            "请求体不是 JSON 对象", "The body is not JSON; send an object of parameters"
        )
        raise Refused("INVALID_PARAMETER", told) from error


def _answer(envelope: dict[str, Any]) -> JSONResponse:
    code = "" if envelope["success"] else envelope["error"]["code"]
    status = _STATUS.get(code, 400) if code else 200
    return JSONResponse(envelope, status_code=status)
