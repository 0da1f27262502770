"""Write what follows from the code: parts of the reference, and the types of the clients.

Run it as `python docs/generate.py`.
"""

import inspect
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import typer
from client_stub import stub
from rest_reference import ACCOUNT_TAGS, CHAT_TAGS, blocks

from mnemic.cli.command_line import app
from mnemic.dialects.assistant import catalog as assistant
from mnemic.dialects.assistant import router
from mnemic.dialects.assistant.messages import DONE, WRONG
from mnemic.dialects.robot import catalog as robot
from mnemic.engine.chat_verbs import ChatMemory
from mnemic.rpc.verbs import LOCAL

DOCS: Final = Path(__file__).resolve().parent
_BLOCK: Final = "<!-- generated:{name} -->\n{body}\n<!-- /generated -->"
_BLOCKS: Final = re.compile(r"<!-- generated:(\w+) -->\n.*?<!-- /generated -->", re.DOTALL)
_WIDTH: Final = 88


def pages() -> dict[Path, str]:
    """Return every file that is generated, whole or in part, as it should be."""
    reference = DOCS / "reference"
    tables = {
        "robot-tools.md": _robot_tables(),
        "assistant-tools.md": _assistant_tables(),
        "account-api.md": blocks(ACCOUNT_TAGS),
        "chat-api.md": blocks(CHAT_TAGS),
        "python.md": {"chat_verbs": _verbs(ChatMemory), "local_verbs": _local_verbs()},
    }
    filled = {
        reference / name: _filled((reference / name).read_text("utf-8"), blocks)
        for name, blocks in tables.items()
    }
    typed = DOCS.parent / "src" / "mnemic" / "client" / "parts.pyi"
    return {reference / "cli.md": _cli(), typed: stub(), **filled}


def _filled(page: str, blocks: Mapping[str, str]) -> str:
    return _BLOCKS.sub(lambda old: _BLOCK.format(name=old[1], body=blocks[old[1]]), page)


def _cli() -> str:
    group: Any = typer.main.get_command(app)
    parts = [
        "# Commands\n\nThis page is made by `python docs/generate.py` from the commands themselves."
        " Settings are in [settings.md](settings.md); what the tools do is in"
        " [robot-tools.md](robot-tools.md), [assistant-tools.md](assistant-tools.md) and"
        " [chat-api.md](chat-api.md).\n",
        "Exit codes: 0 for success, 1 for an error, 2 for a value or an option that is not"
        " allowed, 3 for a store that others hold, 4 for one that cannot be opened or written;"
        " see [exit-codes.md](exit-codes.md). Errors go to standard error; with `--json` they are"
        " a JSON object with `error` and `message`.\n",
        f"## mnemic\n\n```text\n{_help(group, 'mnemic', None)}\n```\n",
    ]
    parent = group.context_class(group, info_name="mnemic", **group.context_settings)
    parts += [
        f"## mnemic {name}\n\n```text\n{_help(command, name, parent)}\n```\n"
        for name, command in group.commands.items()
    ]
    return "\n".join(parts)


def _help(command: Any, name: str, parent: Any) -> str:
    # Plain text: boxes and colours depend on the terminal.
    command.rich_markup_mode = None
    context = command.context_class(
        command, info_name=name, parent=parent, terminal_width=_WIDTH, **command.context_settings
    )
    lines = command.get_help(context).splitlines()
    return "\n".join(line.rstrip() for line in lines).strip()


def _verbs(kind: type) -> str:
    """Return a row for each public method of a class, in the order in which they stand there."""
    rows = ["| method | what it does |", "|---|---|"]
    for name in vars(kind):
        method = getattr(kind, name)
        if inspect.isfunction(method) and not name.startswith("_"):
            told = " ".join((inspect.getdoc(method) or "").partition("\n\n")[0].split())
            rows.append(f"| `{name}({', '.join(_plain(method))})` | {told} |")
    return "\n".join(rows)


def _local_verbs() -> str:
    """Return a row for each method that no client has."""
    rows = ["| method | why |", "|---|---|"]
    return "\n".join([*rows, *(f"| `{name}` | {why} |" for name, why in LOCAL.items())])


def _plain(method: Any) -> list[str]:
    """Return the parameters of a method without their types."""
    plain: list[str] = []
    for name, one in inspect.signature(method).parameters.items():
        if one.kind is one.KEYWORD_ONLY and "*" not in plain:
            plain.append("*")
        simple = one.default is None or isinstance(one.default, str | int | float)
        value = repr(one.default).replace("'", '"') if simple else "…"
        plain.append(name if one.default is one.empty else f"{name}={value}")
    return plain[1:]


def _robot_tables() -> dict[str, str]:
    return {
        tool.name: f"{_parameters(tool)}\n\nAnswer: {_answer(tool.answers)}"
        for tool in robot.tools_of("robot-extended")
    }


def _assistant_tables() -> dict[str, str]:
    tables = {
        tool.name: "\n".join(
            [
                _parameters(tool),
                "",
                "| field of `data` | type |",
                "|---|---|",
                *_fields(tool.answers["properties"]["data"]),
                "",
                _notes(tool),
            ]
        )
        for tool in assistant.tools_of("assistant-extended")
    }
    return {**tables, "envelope": _envelope(), "codes": _codes()}


def _envelope() -> str:
    schema = assistant.tools_of("assistant")[0].answers["properties"]
    rows = ["| field | type |", "|---|---|"]
    for name, one in schema.items():
        rows.append(f"| `{name}` | {'the answer of the tool' if name == 'data' else _type(one)} |")
        if name == "error":
            rows += _fields(one, "error.")
    return "\n".join(rows)


def _codes() -> str:
    statuses: Mapping[str, int] = vars(router)["_STATUS"]
    rows = ["| code | `message`, zh | `message`, en | HTTP |", "|---|---|---|---|"]
    rows += [
        f"| `{code}` | {told.zh} | {told.en} | {statuses.get(code, 400)} |"
        for code, told in WRONG.items()
    ]
    return "\n".join(rows)


def _notes(tool: assistant.AssistantTool) -> str:
    hints: Mapping[str, bool] = assistant.described(tool)["annotations"]
    listed = ", ".join(f"`{name}` {json.dumps(value)}" for name, value in hints.items())
    told = DONE[tool.name]
    return f"`message`: {told.zh} or {told.en}. Annotations: {listed}."


def _fields(schema: Mapping[str, Any], before: str = "") -> list[str]:
    """Return a row for each field, those of the objects inside included."""
    rows: list[str] = []
    for name, one in schema["properties"].items():
        seldom = "" if name in schema["required"] else ", where it applies"
        rows.append(f"| `{before}{name}` | {_type(one)}{seldom} |")
        inner, mark = one, ""
        while "items" in inner or "additionalProperties" in inner:
            mark += "[]" if "items" in inner else ".*"
            inner = inner["items"] if "items" in inner else inner["additionalProperties"]
        if "properties" in inner:
            rows += _fields(inner, f"{before}{name}{mark}.")
    return rows


def _parameters(tool: robot.RobotTool | assistant.AssistantTool) -> str:
    return "\n".join(
        [
            "| parameter | type | default | what it means |",
            "|---|---|---|---|",
            *(
                _parameter(name, schema, required=name in tool.takes["required"])
                for name, schema in tool.parameters.items()
            ),
        ]
    )


def _parameter(name: str, schema: Mapping[str, Any], *, required: bool) -> str:
    default = "required" if required else f"`{json.dumps(schema.get('default'))}`"
    about = " ".join(str(schema.get("description", "")).split()).replace("|", "\\|")
    return f"| `{name}` | {_type(schema)} | {default} | {about} |"


def _type(schema: Mapping[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    kind = str(schema.get("type", "any value"))
    if "minimum" in schema or "maxLength" in schema or "maxItems" in schema:
        return f"{kind}{_limits(kind, schema)}"
    return f"{kind} of {_type(schema['items'])}" if "items" in schema else kind


def _limits(kind: str, schema: Mapping[str, Any]) -> str:
    if kind in ("integer", "number"):
        low, high = schema["minimum"], schema.get("maximum")
        return f" ≥ {low}" if high is None else f", {low} to {high:,}"
    if kind == "array":
        return f", at most {schema['maxItems']:,}"
    low = f"{schema['minLength']} to" if "minLength" in schema else "at most"
    return f", {low} {schema['maxLength']:,} characters"


def _answer(schema: Mapping[str, Any]) -> str:
    properties: Mapping[str, Any] = schema["properties"]
    if list(properties) == ["result"]:
        inner = _keys(properties["result"]["items"])
        return f"a list of objects with {inner}. Over MCP it is wrapped as `result`."
    return f"an object with {_keys(schema)}."


def _keys(schema: Mapping[str, Any]) -> str:
    always = [f"`{name}`" for name in schema["properties"] if name in schema["required"]]
    sometimes = [f"`{name}`" for name in schema["properties"] if name not in schema["required"]]
    listed = ", ".join(always)
    return f"{listed}; where it applies also {', '.join(sometimes)}" if sometimes else listed


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, "utf-8")
