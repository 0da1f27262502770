"""Pictures in a chat: which URIs are taken. None of them is ever fetched."""

import base64
import binascii
from typing import Final
from urllib.parse import urlsplit

from mnemic.dialects.assistant.messages import LocalizedText
from mnemic.dialects.assistant.refusals import Refused
from mnemic.runtime.patterns import opening

MOST_IMAGES: Final = 10
MOST_BYTES: Final = 3 * 1024 * 1024
_LONGEST_ADDRESS: Final = 8_192
_DATA: Final = opening(r"data:image/(png|jpeg|gif|webp);base64,(?s:(.*))")
_VISIBLE: Final = opening(r"[\x21-\x7e]+")
_HEADERS: Final = {
    "png": (b"\x89PNG\r\n\x1a\n",),
    "jpeg": (b"\xff\xd8\xff",),
    "gif": (b"GIF87a", b"GIF89a"),
    "webp": (b"RIFF",),
}


def check_image(at: int, uri: str) -> str:
    """Return a URI that can be passed on, or refuse it with what is wrong with it."""
    if uri.startswith("data:"):
        _check_data(at, uri)
    elif not _is_address(uri):
        raise _refused(
            at,
            LocalizedText("不是可用的地址", "it is not an address that can be used"),
        )
    return uri


def _check_data(at: int, uri: str) -> None:
    match = _DATA.fullmatch(uri)
    if match is None:
        raise _refused(
            at, LocalizedText("不是受支持的 data URI", "it is a data URI of another kind")
        )
    kind, encoded = match[1], match[2]
    try:
        picture = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise _refused(at, LocalizedText("base64 编码有误", "its base64 is broken")) from error
    if len(picture) > MOST_BYTES:
        raise _refused(at, LocalizedText("图片超过 3 MB", "it has more than 3 MB"))
    # The four bytes after RIFF tell a length.
    whole = kind != "webp" or picture[8:12] == b"WEBP"
    if not (whole and picture.startswith(_HEADERS[kind])):
        raise _refused(
            at, LocalizedText(f"内容不是 {kind} 图片", f"what it holds is no {kind} picture")
        )


def _is_address(uri: str) -> bool:
    if len(uri) > _LONGEST_ADDRESS or not _VISIBLE.fullmatch(uri):
        return False
    try:
        parts = urlsplit(uri)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def _refused(at: int, problem: LocalizedText) -> Refused:
    return Refused(
        "INVALID_IMAGE_URI",
        LocalizedText(
            f"image_uris.{at}：{problem.zh}；允许 http(s)://… 或 "
            "data:image/(png|jpeg|gif|webp);base64,…，每张不超过 3 MB",
            f"image_uris.{at}: {problem.en}; allowed: http(s)://… or "
            "data:image/(png|jpeg|gif|webp);base64,… of at most 3 MB",
        ),
    )
