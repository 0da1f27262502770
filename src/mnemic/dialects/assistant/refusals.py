"""Why a call was refused, in the codes that clients know."""

from mnemic.dialects.assistant.messages import LocalizedText
from mnemic.errors import (
    BusyError,
    ChatServiceError,
    InvalidInputError,
    MnemicError,
    NotFoundError,
    OutOfTimeError,
    StateError,
)


class Refused(Exception):  # noqa: N818  it is an answer, not a failure
    """A call that is answered with an error: its code, and what to change about it."""

    def __init__(self, code: str, details: LocalizedText, *, retryable: bool = False) -> None:
        super().__init__(details.en)
        self.code = code
        self.details = details
        self.retryable = retryable


def refusal_of(error: MnemicError) -> Refused:
    """Return what a client is told when the engine could not do what was asked."""
    if isinstance(error, ChatServiceError):
        told = LocalizedText(f"语言模型未能回答：{error}", str(error))
        return Refused("CHAT_SERVICE_ERROR", told, retryable=bool(error.details.get("retryable")))
    if isinstance(error, OutOfTimeError):
        return Refused("OUT_OF_TIME", LocalizedText("文本读取超时，但已按原文保存", str(error)))
    # What went out of use meanwhile is not there; a memory that was closed is another matter.
    gone = isinstance(error, StateError) and "memory_id" in error.details
    if gone or isinstance(error, NotFoundError):
        return Refused("NOT_FOUND", LocalizedText("没有这个 ID 的记录", str(error)))
    if isinstance(error, InvalidInputError):
        # What no client can check beforehand, such as how deep a context may be nested.
        code = _CODES.get(error.parameter, "INVALID_PARAMETER")
        return Refused(code, LocalizedText(f"{error.parameter}：不可用（{error}）", str(error)))
    told = LocalizedText(f"存储无法使用：{error}", str(error))
    return Refused("BACKEND_ERROR", told, retryable=isinstance(error, BusyError))


_CODES = {
    "content": "INVALID_CONTENT",
    "context": "INVALID_CONTEXT",
    "query": "INVALID_QUERY",
    "message": "INVALID_MESSAGE",
    "user": "INVALID_USER_ID",
}
