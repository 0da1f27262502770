"""Which tools an MCP client is shown, by the name of a profile."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Literal, Protocol

from mnemic.dialects.assistant.toolbox import AssistantToolbox
from mnemic.dialects.assistant.tools import AssistantTools
from mnemic.dialects.robot.toolbox import RobotToolbox
from mnemic.dialects.robot.tools import RobotTools
from mnemic.engine.memory_verbs import Replier

Profile = Literal["robot", "robot-extended", "assistant", "assistant-extended", "all", "extended"]

PROFILES: Final[tuple[Profile, ...]] = (
    "robot",
    "robot-extended",
    "assistant",
    "assistant-extended",
    "all",
    "extended",
)


class Toolbox(Protocol):
    """Some tools in the words of MCP."""

    instructions: ClassVar[str]
    """What a model should know about all of them."""

    def listed(self) -> list[dict[str, Any]]:
        """Describe every tool, as `tools/list` does."""
        ...

    def call(
        self, name: str, arguments: Mapping[str, Any], sampling: Replier | None = None
    ) -> dict[str, Any]:
        """Answer a call as `tools/call` does."""
        ...

    def forbidden(self, name: str) -> dict[str, Any]:
        """Answer a call of somebody who may only read to a tool that changes something."""
        ...


class ToolMemory(Protocol):
    """A memory with both dialects on it."""

    robot: RobotTools
    assistant: AssistantTools


def find_profile(name: str) -> Profile | None:
    """Return the profile of that name, or None."""
    return next((profile for profile in PROFILES if profile == name), None)


def toolboxes(memory: ToolMemory, profile: Profile) -> Sequence[Toolbox]:
    """Return the tools of a profile."""

    extended = profile.endswith("extended")
    robot = RobotToolbox(memory.robot, "robot-extended" if extended else "robot")
    assistant = AssistantToolbox(
        memory.assistant, "assistant-extended" if extended else "assistant"
    )
    if profile.startswith("robot"):
        return [robot]
    return [assistant] if profile.startswith("assistant") else [robot, assistant]
