"""How a command ends badly: our words on standard error, an exit code, and no traceback."""

import json
import sys
from collections.abc import Generator
from contextlib import contextmanager

from mnemic.errors import InvalidInputError, MnemicError


@contextmanager
def reporting_errors(*, as_json: bool = False) -> Generator[None]:
    """Tell what went wrong and leave: with 2 for a value that is not allowed, else with 1."""
    try:
        yield
    except MnemicError as error:
        _tell(str(error), code=error.code, as_json=as_json)
        sys.exit(2 if isinstance(error, InvalidInputError) else 1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _tell(f"{where}{error.strerror or error}", code="system", as_json=as_json)
        sys.exit(1)


def _tell(message: str, *, code: str, as_json: bool) -> None:
    told = {"error": code, "message": message}
    line = json.dumps(told, ensure_ascii=False) if as_json else f"mnemic: {message}"
    sys.stderr.write(f"{line}\n")
