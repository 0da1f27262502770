"""The robot tools in the words of MCP, as plain JSON: what they look like, what a call answers.

No SDK is needed for that; the server in `dialects.mcp` only carries it.
"""

import json
import logging
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

from mnemic.dialects.robot.catalog import Profile, RobotTool, tools_of
from mnemic.dialects.robot.tools import RobotTools
from mnemic.dialects.schemas import short_answer, short_input
from mnemic.errors import InvalidInputError, MnemicError

Json = dict[str, Any]

_LOG = logging.getLogger("mnemic.mcp")


class RobotToolbox:
    """The tools of one profile, on one memory. Threads may share it."""

    instructions: ClassVar[str] = (
        "A memory of what was learned, sensed and done. Recall before acting; learn what should "
        "change what is done next time; wrap a run in start_session and end_session."
    )

    def __init__(self, robot: RobotTools, profile: Profile = "robot") -> None:
        self._robot = robot
        self._tools = _named(profile)

    def listed(self) -> list[Json]:
        """Describe every tool, as `tools/list` does."""
        return [_described(tool) for tool in self._tools.values()]

    def call(self, name: str, arguments: Mapping[str, Any], sampling: object = None) -> Json:
        """Answer a call as `tools/call` does; the model gets to read our errors, and no others.

        Arguments reach the tool exactly as they were sent: a text that looks like JSON stays a
        text.
        """
        tool = self._tools[name]
        try:
            _check_names(tool, arguments)
            answer = getattr(self._robot, name)(**arguments)
            whole: object = {"result": answer} if tool.answers_list else answer
            text = json.dumps(whole, ensure_ascii=False)
        except MnemicError as error:
            return _refusal(str(error))
        except Exception:
            _LOG.exception("%s failed", name)
            return _refusal(
                f"{name} failed inside Mnemic, which is a bug: the server's log says more. "
                "Other calls still work."
            )
        return {
            "content": [{"type": "text", "text": text}],
            "structuredContent": whole,
            "isError": False,
        }

    def forbidden(self, name: str) -> Json:
        """Answer a call of somebody who may only read."""
        return _refusal(
            f"{name} changes what is remembered and needs the right 'write'; this key has only "
            "'read'. Use a key with the right 'write'."
        )


@cache
def _named(profile: Profile) -> Mapping[str, RobotTool]:
    return {tool.name: tool for tool in tools_of(profile)}


def _check_names(tool: RobotTool, arguments: Mapping[str, Any]) -> None:
    for name in arguments:
        if name not in tool.parameters:
            problem = f"{tool.name} has no such parameter"
            # Half of a surrogate pair in it could not be sent back.
            shown = name.encode("utf-8", "replace").decode("utf-8")[:60]
            raise InvalidInputError(shown, problem, ", ".join(tool.parameters))
    for name in tool.takes["required"]:
        if name not in arguments:
            problem = f"it is missing, and {tool.name} needs it"
            raise InvalidInputError(name, problem, tool.parameters[name]["description"])


def _refusal(text: str) -> Json:
    return {"content": [{"type": "text", "text": text}], "isError": True}


def _described(tool: RobotTool) -> Json:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": short_input(tool.takes),
        "outputSchema": short_answer(tool.answers, depth=0),
        "annotations": {
            "readOnlyHint": tool.reads_only,
            # What is forgotten or overwritten stays in the history and can be brought back.
            "destructiveHint": tool.destroys,
            "idempotentHint": tool.repeatable,
            "openWorldHint": False,
        },
    }
