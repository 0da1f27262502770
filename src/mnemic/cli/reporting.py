"""What a command tells besides its answer: errors, the log, and traces where they are wanted."""

import json
import logging
import sys
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Final

from mnemic.errors import BusyError, InvalidInputError, MnemicError, UnusableStoreError
from mnemic.settings import read_log_settings
from mnemic.telemetry.logs import logging_to_standard_error

if TYPE_CHECKING:
    from mnemic.telemetry.tracing import Spans

_LOG: Final = logging.getLogger("mnemic.command")
FAILED: Final = 1
# Which kind of error ends with which code; what is none of these has failed.
_CODES: Final = ((InvalidInputError, 2), (BusyError, 3), (UnusableStoreError, 4))


def exit_code(error: type[MnemicError]) -> int:
    """Return the code with which a command ends after an error of this kind."""
    return next((code for kind, code in _CODES if issubclass(error, kind)), FAILED)


@contextmanager
def reporting_errors(*, as_json: bool = False) -> Generator[None]:
    """Tell what went wrong and leave: with 2 for a value that is not allowed, 3 for a store that
    others hold, 4 for one that cannot be opened or written, and else with 1.
    """
    try:
        yield
    except MnemicError as error:
        tell(str(error), code=error.code, as_json=as_json)
        sys.exit(exit_code(type(error)))
    except BrokenPipeError:
        # Whoever read has seen enough, as in `mnemic list | head -1`: the command just ends.
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        tell(f"{where}{error.strerror or error}", code="system", as_json=as_json)
        sys.exit(FAILED)


def announce(line: str, **said: object) -> None:
    """Tell what a command that runs on is about to do, whatever the level of the log."""
    _LOG.info(line, extra=said)


def logging_as_set(also: Mapping[str, str] | None = None) -> AbstractContextManager[None]:
    """Return what is entered while a command runs on: it logs as the environment says."""
    chosen = read_log_settings()
    return logging_to_standard_error(
        log_format=chosen.log_format, least=chosen.least, also={_LOG.name: "INFO", **(also or {})}
    )


@contextmanager
def tracing() -> Generator["Spans | None"]:
    """Give what makes spans, where OpenTelemetry is asked for; what is pending is sent at the
    end.
    """
    from mnemic.telemetry.tracing import start_tracing  # noqa: PLC0415  only commands that run on need it

    spans = start_tracing()
    try:
        yield spans
    finally:
        if spans is not None:
            spans.close()


def tell(message: str, *, code: str, as_json: bool) -> None:
    """Write an error to standard error: a line for people, or an object for programs."""
    told = {"error": code, "message": message}
    line = json.dumps(told, ensure_ascii=False) if as_json else f"mnemic: {message}"
    sys.stderr.write(f"{line}\n")
