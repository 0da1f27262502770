"""What is written to standard error: a line for each thing, without memories and without keys."""

import json
import logging
import sys
import threading
import traceback
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final, TextIO

from mnemic.errors import MnemicError
from mnemic.telemetry.request_ids import current_request

# What logging itself puts into a record. Everything else was said by whoever logs.
_OWN: Final = {
    *vars(logging.makeLogRecord({})),
    *("asctime", "color_message", "message", "request_id", "taskName"),
}
# Whose words hold neither memories nor keys.
_TRUSTED: Final = ("mnemic", "uvicorn")
# They tell of addresses and bodies, in which memories and keys stand.
_TALKATIVE: Final = ("httpx", "httpx2", "httpcore", "httpcore2", "mcp", "openai", "psycopg")
_LOG: Final = logging.getLogger("mnemic")
_NOBODY: Final[Mapping[str, str]] = MappingProxyType({})


@contextmanager
def logging_to_standard_error(
    *, log_format: str = "text", least: str = "WARNING", also: Mapping[str, str] = _NOBODY
) -> Generator[None]:
    """Write what Mnemic and its server tell to standard error, from a level on; `also` names
    loggers with a level of their own. Programs that log in their own way do not use this.

    What libraries tell is written by its place, and in their words from DEBUG on only.
    """
    handler = _StandardError()
    form = _Json if log_format == "json" else _Text
    handler.setFormatter(form(in_their_words=least == "DEBUG"))
    handler.addFilter(_with_request_id)
    levels = {**dict.fromkeys(_TRUSTED, least), **dict.fromkeys(_TALKATIVE, "WARNING"), **also}
    root = logging.getLogger()
    before = {name: logging.getLogger(name).level for name in levels}
    hook, threading.excepthook = threading.excepthook, _thread_broke
    root.addHandler(handler)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    try:
        yield
    finally:
        threading.excepthook = hook
        root.removeHandler(handler)
        for name, number in before.items():
            logging.getLogger(name).setLevel(number)


class _StandardError(logging.StreamHandler[TextIO]):
    """Writes to whatever is standard error at that moment."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)

    def emit(self, record: logging.LogRecord) -> None:
        self.setStream(sys.stderr)
        super().emit(record)


class _Form(logging.Formatter):
    """What every form of a line knows."""

    def __init__(self, *, in_their_words: bool) -> None:
        super().__init__()
        self._in_their_words = in_their_words

    def may_quote(self, record: logging.LogRecord) -> bool:
        """Tell whether what somebody logs may be written as it is."""
        return self._in_their_words or record.name.partition(".")[0] in _TRUSTED

    def told(self, record: logging.LogRecord) -> str:
        """Return what a line says. The words of a library may quote what was sent to it."""
        if self.may_quote(record):
            return record.getMessage()
        return f"{record.name} has something to tell, line {record.lineno} (see it with debug)"


class _Text(_Form):
    """Lines for people."""

    def format(self, record: logging.LogRecord) -> str:
        request_id: str | None = getattr(record, "request_id", None)
        told = self.told(record)
        line = f"mnemic: {told}" if request_id is None else f"mnemic: {told} [{request_id}]"
        problem = _problem(record)
        return line if problem is None else f"{line}\n{problem['trace']}{problem['error']}"


class _Json(_Form):
    """One object a line: what every line has, and what whoever logs said besides."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self.told(record),
        }
        if self.may_quote(record):
            line |= {name: said for name, said in vars(record).items() if name not in _OWN}
        request_id: str | None = getattr(record, "request_id", None)
        if request_id is not None:
            line["request_id"] = request_id
        line |= _problem(record) or {}
        return json.dumps(line, ensure_ascii=False, default=lambda value: type(value).__name__)


def _thread_broke(broke: threading.ExceptHookArgs) -> None:
    """Tell of what nobody caught in a thread, as everything else is told."""
    name = "" if broke.thread is None else broke.thread.name
    _LOG.error("The thread %s broke", name, exc_info=broke.exc_value)


def _with_request_id(record: logging.LogRecord) -> bool:
    """Note for which request something is told, where it happens: another thread may write it."""
    if not hasattr(record, "request_id"):
        record.request_id = current_request()
    return True


def _problem(record: logging.LogRecord) -> dict[str, str] | None:
    """Return what was raised and where. The message of a foreign error may quote a memory, so
    only its kind is told.
    """
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return None
    kinds: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(kinds) < 10:
        kind = type(cause).__name__
        kinds.append(f"{kind}: {cause}" if isinstance(cause, MnemicError) else kind)
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    trace = "".join(traceback.format_tb(error.__traceback__))
    return {"error": ", after ".join(kinds), "trace": trace}
