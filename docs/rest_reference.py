"""The blocks of the REST references, made from the server's OpenAPI document."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from field_meanings import MEANINGS

import mnemic
from mnemic.dialects.chat.error_answers import STATUS
from mnemic.errors import MnemicError
from mnemic.server.app import build_app

Schema = Mapping[str, Any]

CHAT_TAGS: Final = (
    *("memories", "sessions", "memory-edges", "memory-jobs", "memory-scopes", "erasures"),
)
ACCOUNT_TAGS: Final = (
    *("account", "scopes", "explain", "events", "episodes", "points", "perceptions", "payloads"),
    *("graph", "sources", "keys"),
)
_EVERY_ROUTE: Final = {"500", "503"}
_DONE: Final = {"200", "201"}
_LONG: Final = 10
_OWN: Final = ("mnemic.errors", "mnemic.memory.")
_TIME: Final = "Milliseconds since the epoch."
# Known by their status alone; the engine has no word for them.
_BY_THE_SERVER: Final = {
    405: ("method_not_allowed", "The address takes other methods; `Allow` names them."),
    413: ("payload_too_large", "The body has more than 1 MiB."),
    415: ("unsupported_media_type", "Send the body as `application/json`."),
}
_WORDS: Final = {"busy": "resource_busy", "chat_service": "chat_service_error"}


def blocks(tags: Sequence[str]) -> dict[str, str]:
    """Return the generated blocks of the page about some groups of routes, by their names."""
    with mnemic.open(":memory:", embedder="none") as memory:
        document: Schema = build_app(memory).openapi()
    made = {_name(tag): "\n\n".join(_operations(document, tag)) for tag in tags}
    return {
        **made,
        "routes": _routes(document, tags),
        "objects": _objects(document, tags),
        "codes": _codes(),
    }


def _name(tag: str) -> str:
    return tag.replace("-", "_")


def _of_tag(document: Schema, tag: str) -> Iterator[tuple[str, str, Schema]]:
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if tag in operation["tags"]:
                yield method.upper(), path, operation


def _routes(document: Schema, tags: Sequence[str]) -> str:
    rows = ["| route | what it does |", "|---|---|"]
    for tag in tags:
        for method, path, operation in _of_tag(document, tag):
            rows.append(
                f"| [`{method} {path}`](#{_anchor(method, path)}) | {operation['summary']} |"
            )
    return "\n".join(rows)


def _anchor(method: str, path: str) -> str:
    kept = "".join(one for one in path if one.isalnum() or one in "_-")
    return f"{method.lower()}-{kept}".lower()


def _operations(document: Schema, tag: str) -> Iterator[str]:
    shown: dict[str, str] = {}
    for method, path, operation in _of_tag(document, tag):
        told = operation["description"].rstrip(".")
        extra = "" if told == operation["summary"] else f"\n\n{_joined(operation['description'])}"
        parts = [f"### {method} {path}\n\n{operation['summary']}.{extra}"]
        for table in _inputs(document, operation):
            # A long table that an earlier route has too is told by a link to it.
            link = f"[{method} {path}](#{_anchor(method, path)})"
            first = shown.setdefault(table, link) if table.count("\n") > _LONG else link
            parts.append(table if first == link else f"Parameters: as for {first}.")
        parts.append(f"Answers {_answer(document, operation['responses'])}")
        yield "\n\n".join(parts)


def _inputs(document: Schema, operation: Schema) -> Iterator[str]:
    for where, title in (("path", "in the path"), ("query", "parameter")):
        given = [one for one in operation.get("parameters", ()) if one["in"] == where]
        if given:
            schemas = {one["name"]: {**one["schema"], **_about(one)} for one in given}
            needed = [one["name"] for one in given if one["required"]]
            yield _table(title, schemas, needed, operation, defaults=where == "query")
    if "requestBody" in operation:
        body = _resolved(
            document, operation["requestBody"]["content"]["application/json"]["schema"]
        )
        # A patch leaves alone what it does not name, whatever a new item would get.
        patch = body["title"].endswith("Patch")
        needed = body.get("required", ())
        yield _table("in the body", body["properties"], needed, operation, defaults=not patch)


def _about(parameter: Schema) -> dict[str, str]:
    return {"description": parameter["description"]} if "description" in parameter else {}


def _table(
    title: str,
    schemas: Mapping[str, Schema],
    needed: Sequence[str],
    operation: Schema,
    *,
    defaults: bool,
) -> str:
    head = f"| {title} | type | default | what it means |\n|---|---|---|---|"
    if not defaults:
        head = f"| {title} | type | what it means |\n|---|---|---|"
    rows = [head]
    for name, schema in schemas.items():
        cells = [f"`{name}`", _type(schema)]
        if defaults:
            cells.append(_default(schema, required=name in needed))
        cells.append(_meaning(name, schema, within=operation["operationId"]))
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _default(schema: Schema, *, required: bool) -> str:
    if required:
        return "required"
    default = schema.get("default")
    return "–" if default is None else f"`{json.dumps(default, ensure_ascii=False)}`"


def _answer(document: Schema, responses: Schema) -> str:
    status = next(code for code in responses if code in _DONE)
    answer = _resolved(document, responses[status]["content"]["application/json"]["schema"])
    told = [f"`{name}`: {_type(one)}" for name, one in answer["properties"].items()]
    refused = [code for code in responses if code not in _DONE and code not in _EVERY_ROUTE]
    errors = f" Errors: {', '.join(refused)}." if refused else ""
    return f"{status} with {', '.join(told)}.{errors}"


def _objects(document: Schema, tags: Sequence[str]) -> str:
    """Return what answers are made of, each once, in the order of the routes."""
    seen: dict[str, Schema] = {}
    for tag in tags:
        for _, _, operation in _of_tag(document, tag):
            for status in _DONE & operation["responses"].keys():
                found = operation["responses"][status]["content"]["application/json"]["schema"]
                _collect(document, _resolved(document, found), seen)
            if "requestBody" in operation:
                body = operation["requestBody"]["content"]["application/json"]["schema"]
                _collect(document, _resolved(document, body), seen)
    return "\n\n".join(_object(name, schema) for name, schema in seen.items())


def _collect(document: Schema, schema: Schema, seen: dict[str, Schema]) -> None:
    for inner in schema.get("properties", {}).values():
        for name in _referred(inner):
            if name not in seen:
                seen[name] = document["components"]["schemas"][name]
                _collect(document, seen[name], seen)


def _object(name: str, schema: Schema) -> str:
    rows = ["| field | type | what it means |", "|---|---|---|"]
    for field, one in schema["properties"].items():
        seldom = "" if field in schema.get("required", ()) else " Optional."
        about = _meaning(field, one, within=name)
        rows.append(f"| `{field}` | {_type(one)} | {about}{seldom} |")
    return f"### {name}\n\n{_joined(schema['description'])}\n\n" + "\n".join(rows)


def _meaning(field: str, schema: Schema, *, within: str) -> str:
    """Return what a field means, in the words of the document or else in those kept beside it."""
    told = _joined(schema.get("description", ""))
    if told in ("", _TIME):
        told = f"{MEANINGS.get(f'{within}.{field}') or MEANINGS.get(field, '')} {told}".strip()
    return told


def _referred(schema: Schema) -> Iterator[str]:
    if "$ref" in schema:
        yield schema["$ref"].rpartition("/")[2]
    for one in schema.get("anyOf", ()):
        yield from _referred(one)
    if "items" in schema:
        yield from _referred(schema["items"])


def _resolved(document: Schema, schema: Schema) -> Schema:
    if "$ref" not in schema:
        return schema
    return document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    kind = str(schema.get("type", "any value"))
    if "items" in schema:
        kind = f"list of {_type(schema['items'])}"
    return f"{kind}{_limits(schema)}"


def _limits(schema: Schema) -> str:
    for low, high, unit in (
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", ""),
    ):
        least, most = schema.get(low), schema.get(high)
        if most is not None:
            return f", {_number(least or 0)} to {_number(most)}{unit}"
        if least is not None:
            return f", at least {_number(least)}{unit.removesuffix('s') if least == 1 else unit}"
    return ""


def _number(value: float) -> str:
    # The largest whole numbers are limits of the wire, and better told as powers.
    if value == 2**53 - 1:
        return "2⁵³−1"
    return f"{value:g}" if value < 1 or value % 1 else f"{int(value):,}"


def _codes() -> str:
    """Return every code with its status, in the words of the errors themselves."""
    told: list[tuple[int, str, str]] = [
        (status, code, about) for status, (code, about) in _BY_THE_SERVER.items()
    ]
    for kind in _kinds(MnemicError):
        status = next(STATUS[one] for one in kind.__mro__ if one in STATUS)
        if status not in (400, 500) and kind.code != "lease_lost":
            told.append((status, _WORDS.get(kind.code, kind.code), _joined(kind.__doc__ or "")))
    told.append((400, "validation_error", "Values are not allowed; `details` names each."))
    told.append((500, "internal_error", "Something broke; `details.request_id` is in the log."))
    rows = ["| status | code | what it says |", "|---|---|---|"]
    unique = {(status, code): about for status, code, about in reversed(told)}
    rows += [f"| {status} | `{code}` | {unique[status, code]} |" for status, code in sorted(unique)]
    return "\n".join(rows)


def _kinds(kind: type[MnemicError]) -> Iterator[type[MnemicError]]:
    for one in kind.__subclasses__():
        # Not those that a test may have made.
        if one.__module__.startswith(_OWN):
            yield one
        yield from _kinds(one)


def _joined(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
