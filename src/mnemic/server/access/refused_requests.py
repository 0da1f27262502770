"""What a request that is not let in is told, in the words of the API it was meant for."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

from mnemic.dialects.assistant.messages import LocalizedText
from mnemic.dialects.assistant.refusals import Refused
from mnemic.dialects.assistant.tools import AssistantTools
from mnemic.dialects.chat.error_answers import envelope
from mnemic.records.access_key import Right

_TOOLS: Final = "/tools/"
_BEARER: Final = {"WWW-Authenticate": 'Bearer realm="mnemic"'}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not let in, and what to do about it."""

    status: int
    code: str
    told: LocalizedText
    headers: Mapping[str, str] | None = None

    def answer(self, path: str, assistant: AssistantTools) -> Response:
        """Return the answer to a request for that address: the assistant's tools have an envelope
        of their own.
        """
        if not is_tool(path):
            return envelope(self.status, self.code, self.told.en, headers=self.headers)
        retryable = self.status in (TOO_MANY, _UNAVAILABLE)
        said = Refused(self.code.upper(), self.told, retryable=retryable)
        return Response(
            json.dumps(assistant.refused(said), ensure_ascii=False),
            status_code=self.status,
            headers=None if self.headers is None else dict(self.headers),
            media_type="application/json",
        )


def is_tool(path: str) -> bool:
    """Tell whether an address is that of an assistant's tool."""
    return path.startswith(_TOOLS)


TOO_MANY: Final = 429
_UNAVAILABLE: Final = 503

NO_KEY: Final = Refusal(
    401,
    "auth_required",
    LocalizedText(
        "请在 x-api-key 或 Authorization: Bearer 请求头中提供密钥",
        "A key is needed. Send it as x-api-key, or as Authorization: Bearer",
    ),
    _BEARER,
)
WRONG_KEY: Final = Refusal(
    403,
    "auth_invalid_credentials",
    LocalizedText("密钥无效或已被撤销", "This key is not valid, or it was revoked"),
)
EXPIRED: Final = Refusal(
    403,
    "auth_invalid_credentials",
    LocalizedText(
        "密钥已过期，请让管理员更换（mnemic keys rotate）",
        "This key has expired. Ask for a new one (`mnemic keys rotate`)",
    ),
)
WRONG_HOST: Final = Refusal(
    421,
    "host_not_allowed",
    LocalizedText(
        "不允许使用此主机名；可在 MNEMIC_ALLOWED_HOSTS 中添加",
        "The server does not answer under this name. MNEMIC_ALLOWED_HOSTS can add it",
    ),
)
WRONG_ORIGIN: Final = Refusal(
    403,
    "origin_not_allowed",
    LocalizedText(
        "不允许来自此来源的网页；可在 MNEMIC_ALLOWED_ORIGINS 中添加",
        "Pages of this origin may not call the server. MNEMIC_ALLOWED_ORIGINS can add it",
    ),
)
OWN_SHARE: Final = Refusal(
    TOO_MANY,
    "too_many_requests",
    LocalizedText(
        "此账户正在发送的数据过多，请稍后再试",
        "This account has as much under way as it may. Come back when some of it is answered",
    ),
    {"Retry-After": "1"},
)
NO_STORE: Final = Refusal(
    _UNAVAILABLE,
    "backend_error",
    LocalizedText(
        "存储暂时无法使用", "The store cannot be used at the moment; the server's log says why"
    ),
)
TOO_SLOW: Final = Refusal(
    408,
    "request_timeout",
    LocalizedText("请求体没有及时到达", "The body of the request did not arrive in time"),
    {"Connection": "close"},
)
OF_ALL: Final = Refusal(
    403,
    "auth_insufficient_scope",
    LocalizedText(
        "此处涉及所有账户；需要服务器自身账户的 admin 密钥",
        "This is about all accounts; it needs an admin key of the server's own account",
    ),
)


def too_large(most: int) -> Refusal:
    """Tell how large a request may be."""
    told = LocalizedText(f"请求超过 {most} 字节", f"The request has more than {most} bytes")
    return Refusal(413, "payload_too_large", told)


def lacking(right: Right) -> Refusal:
    """Tell which right a key lacks."""
    told = LocalizedText(
        f"此密钥没有 {right} 权限", f"This key does not allow it; it needs {right}"
    )
    return Refusal(403, "auth_insufficient_scope", told)


def too_often(seconds: int) -> Refusal:
    """Tell when an account may come back."""
    told = LocalizedText(
        f"此账户的请求过于频繁，请在 {seconds} 秒后重试",
        f"This account makes too many requests. Come back in {seconds} s",
    )
    return Refusal(TOO_MANY, "too_many_requests", told, {"Retry-After": str(seconds)})
