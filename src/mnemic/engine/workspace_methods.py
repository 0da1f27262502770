"""How a function on a workspace is the method of an object that holds one."""

from collections.abc import Callable
from types import MethodType
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from mnemic.memory.workspace import Workspace

P = ParamSpec("P")
R = TypeVar("R")


class HoldsWorkspace:
    """One account's memories, seen through functions on its workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace


class _Method:
    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __get__(self, instance: HoldsWorkspace | None, owner: type[HoldsWorkspace]) -> Any:
        if instance is None:
            return self._function
        return MethodType(self._function, instance._workspace)  # pyright: ignore[reportPrivateUsage]


def method(function: Callable[Concatenate[Workspace, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Make a function whose first parameter is a workspace the method of an object that holds one.

    The function itself is bound, to the workspace. So a call adds no frame, and signature, types
    and docstring are those of the function.
    """
    return cast("Callable[Concatenate[Any, P], R]", _Method(function))
