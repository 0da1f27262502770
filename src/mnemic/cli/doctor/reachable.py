"""Whether the servers that are used can be reached, and whether the own port is free."""

import json
import socket
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final, cast

from mnemic.cli.doctor.check import DoctorCheck, problem, warning, well
from mnemic.errors import MnemicError
from mnemic.opening import inspect_postgres, missing_rights
from mnemic.providers.chat_models.chat_model import ServedChatModel
from mnemic.providers.server_address import is_on_this_machine
from mnemic.settings import Settings

_SECONDS: Final = 3.0
_HOST: Final = "127.0.0.1"


def check_postgres(settings: Settings) -> tuple[list[DoctorCheck], dict[str, Any]]:
    """Check a PostgreSQL server; return also what it told. Nothing is made there."""
    try:
        store = inspect_postgres(settings)
        missing = missing_rights(settings) if store["exists"] else []
    except MnemicError as error:
        told = str(error).removesuffix(".")
        mend = "check that the server runs, MNEMIC_DATABASE, and the rights of the role"
        return [problem("postgresql", told, mend)], {"database": "postgresql", "exists": False}
    checks = [well("postgresql", f"{store['postgresql']} at {store['database']}"), _pgvector(store)]
    if not store["exists"]:
        checks.append(well("store", "no tables yet; the owner makes them: `mnemic migrate --to`"))
    else:
        checks += [_schema(store["schema"]), _rights(missing)]
    return checks, store


def _pgvector(store: dict[str, Any]) -> DoctorCheck:
    if str(store["pgvector"])[0].isdigit():
        return well("pgvector", str(store["pgvector"]))
    mend = "install the extension `vector`; let the owner run `mnemic migrate --to`"
    return warning("pgvector", str(store["pgvector"]), mend)


def _schema(schema: int) -> DoctorCheck:
    steps = files("mnemic.storage.postgres.migrations").iterdir()
    newest = sum(step.name.endswith(".sql") for step in steps)
    if schema == newest:
        return well("schema", str(schema))
    if schema > newest:
        told = f"{schema}, made by a newer Mnemic; this one knows {newest}"
        return problem("schema", told, "run `pip install --upgrade mnemic`")
    told = f"{schema}, from an older Mnemic; this one needs {newest}"
    return problem("schema", told, "let the owner run `mnemic migrate --to`")


def _rights(missing: Sequence[str]) -> DoctorCheck:
    if not missing:
        return well("permissions", "this role may do what Mnemic needs")
    more = f", and {len(missing) - 1} rights more are missing" if len(missing) > 1 else ""
    mend = "let the owner run `mnemic migrate --to URL --app-role ROLE`"
    return problem("permissions", f"this role has no right to {missing[0]}{more}", mend)


def check_language_model(
    model: ServedChatModel | None, settings: Settings, *, offline: bool
) -> DoctorCheck:
    """Check the language model: its server is asked for its models, never for an answer."""
    if model is None:
        return well("llm", "none; chats are answered from memory")
    told = f"{model.name} at {model.url}"
    if offline:
        return well("llm", f"{told}; not asked, because of --offline")
    import httpx2  # noqa: PLC0415  a tenth of a second that only this needs

    key = settings.llm_api_key
    try:
        answer = httpx2.get(
            f"{model.url}/models",
            headers={"Authorization": f"Bearer {key}"} if key else None,
            timeout=_SECONDS,
            trust_env=not is_on_this_machine(model.url),
        )
    except httpx2.HTTPError as error:
        mend = "start it, or set MNEMIC_LLM_URL to where it is"
        return problem("llm", f"{told}: {type(error).__name__}", mend)
    return _judged(told, model.name, answer.status_code, answer.content)


def _judged(told: str, model: str, status: int, content: bytes) -> DoctorCheck:
    if status in (401, 403):
        return problem("llm", f"{told}: it refuses the key", "set MNEMIC_LLM_API_KEY")
    if status != 200:
        mend = "check MNEMIC_LLM_URL; it should end with /v1"
        return warning("llm", f"{told}: it answers {status} and lists no models", mend)
    known = _models(content)
    # Ollama knows `qwen3:latest` as `qwen3` too.
    if known and model not in known and f"{model}:latest" not in known:
        listed = ", ".join(known[:5])
        return warning("llm", f"{told}: it has no such model", f"set MNEMIC_LLM_MODEL: {listed}")
    return well("llm", f"{told}: it answers")


def _models(content: bytes) -> list[str]:
    """Return the names in a list of models; none where the answer is another one."""
    try:
        listed: object = json.loads(content)
    except ValueError:
        return []
    data = cast("dict[str, object]", listed).get("data") if isinstance(listed, dict) else None
    rows = cast("list[object]", data) if isinstance(data, list) else []
    return [str(cast("dict[str, object]", row).get("id")) for row in rows if isinstance(row, dict)]


def check_port(port: int) -> DoctorCheck:
    """Check whether `mnemic serve` could use a port of this machine, or already does."""
    try:
        socket.create_server((_HOST, port)).close()
    except PermissionError:
        mend = "use one above 1023: `mnemic serve --port 7077`"
        return problem("port", f"{port} is not for this user", mend)
    except OSError:
        if _mnemic_answers(port):
            return well("port", f"a Mnemic serves on {port}")
        mend = "stop what uses it, or run `mnemic serve --port` with another"
        return warning("port", f"{port} is used by another program", mend)
    return well("port", f"{port} is free for `mnemic serve`")


def _mnemic_answers(port: int) -> bool:
    import httpx2  # noqa: PLC0415  as above

    try:
        answer = httpx2.get(f"http://{_HOST}:{port}/health/live", timeout=_SECONDS, trust_env=False)
        return answer.status_code == 200 and answer.json().get("status") == "ok"
    except (httpx2.HTTPError, ValueError, AttributeError):
        return False
