"""Write the parts of the reference that follow from the code: `python docs/generate.py`."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import typer

from mnemic.cli.app import app
from mnemic.dialects.robot.catalog import tools_of

DOCS: Final = Path(__file__).resolve().parent
_BLOCK: Final = "<!-- generated:{name} -->\n{body}\n<!-- /generated -->"
_BLOCKS: Final = re.compile(r"<!-- generated:(\w+) -->\n.*?<!-- /generated -->", re.DOTALL)
_WIDTH: Final = 88


def pages() -> dict[Path, str]:
    """Return every page that is generated, whole or in part, as it should be."""
    tools = DOCS / "reference" / "robot-tools.md"
    return {
        DOCS / "reference" / "cli.md": _cli(),
        tools: _filled(tools.read_text("utf-8"), _tool_tables()),
    }


def _filled(page: str, blocks: Mapping[str, str]) -> str:
    return _BLOCKS.sub(lambda old: _BLOCK.format(name=old[1], body=blocks[old[1]]), page)


def _cli() -> str:
    group: Any = typer.main.get_command(app)
    parts = [
        "# Commands\n\nThis page is made by `python docs/generate.py` from the commands themselves."
        " Settings are in [settings.md](settings.md); what the tools do is in"
        " [robot-tools.md](robot-tools.md).\n",
        "Exit codes: 0 for success, 1 for an error, 2 for a value or an option that is not"
        " allowed. Errors go to standard error; with `--json` they are a JSON object with `error`"
        " and `message`.\n",
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


def _tool_tables() -> dict[str, str]:
    return {
        tool.name: "\n".join(
            [
                "| parameter | type | default | what it means |",
                "|---|---|---|---|",
                *(
                    _parameter(name, schema, required=name in tool.takes["required"])
                    for name, schema in tool.parameters.items()
                ),
                "",
                f"Answer: {_answer(tool.answers)}",
            ]
        )
        for tool in tools_of("robot-extended")
    }


def _parameter(name: str, schema: Mapping[str, Any], *, required: bool) -> str:
    default = "required" if required else f"`{json.dumps(schema.get('default'))}`"
    about = " ".join(str(schema.get("description", "")).split()).replace("|", "\\|")
    return f"| `{name}` | {_type(schema)} | {default} | {about} |"


def _type(schema: Mapping[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None:
        return f"{schema['type']}, {low} to {high}" if high is not None else f"{schema['type']} ≥ 1"
    if "maxLength" in schema:
        return f"{schema['type']}, at most {schema['maxLength']:,} characters"
    if "maxItems" in schema:
        return f"{schema['type']}, at most {schema['maxItems']:,}"
    return str(schema["type"])


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
