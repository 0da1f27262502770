"""What the HTTP answers of model servers mean, whoever asked."""

from typing import Final

import httpx2
from pydantic import BaseModel, ValidationError

# Enough for a sentence; a server may send a whole page.
_EXCERPT: Final = 200


class _ServerError(BaseModel):
    """The error of OpenAI (an object with a message), of Ollama (a text), or of servers that put
    `message` or `detail` at the top.
    """

    error: str | dict[str, object] | None = None
    message: object = None
    detail: object = None

    @property
    def told(self) -> str:
        inner = self.error.get("message") if isinstance(self.error, dict) else self.error
        said = (inner, self.message, self.detail)
        return next((text for text in said if isinstance(text, str)), "")


def is_passing(status: int) -> bool:
    """Tell whether a server may answer better a moment later."""
    return status == 429 or status >= 500


def seconds_asked_for(response: httpx2.Response) -> float | None:
    """Return how long the server wants to be left alone, or None where it does not say."""
    asked = response.headers.get("Retry-After", "")
    return float(asked) if asked.isdecimal() else None


def reason_in(content: bytes, *, key: str | None) -> str:
    """Return what the server says about its error, shortened and without the key, or ""."""
    try:
        told = _ServerError.model_validate_json(content).told
    except ValidationError:
        return ""
    # Cut after the key is out: half a key would no longer be recognised.
    return without_key(told, key)[:_EXCERPT]


def without_key(text: str, key: str | None) -> str:
    """Return the text with every mention of the key blotted out."""
    return text.replace(key, "***") if key else text
