"""How a function on a workspace is the method of an object that holds one."""

from collections.abc import Callable
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from mnemic.memory.workspace import Workspace

P = ParamSpec("P")
R = TypeVar("R")


class HoldsWorkspace:
    """One account's memories, seen through functions on its workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace


class Method(Generic[P, R]):
    """A function whose first parameter is a workspace, as a method.

    The object binds the function itself to its workspace. So a call adds no frame, and signature,
    types and docstring are those of the function.
    """

    def __init__(self, function: Callable[Concatenate[Workspace, P], R]) -> None:
        self._function = function

    @overload
    def __get__(
        self, instance: None, owner: type[HoldsWorkspace]
    ) -> Callable[Concatenate[Any, P], R]: ...

    @overload
    def __get__(
        self, instance: HoldsWorkspace, owner: type[HoldsWorkspace] | None = None
    ) -> Callable[P, R]: ...

    def __get__(
        self, instance: HoldsWorkspace | None, owner: type[HoldsWorkspace] | None = None
    ) -> Callable[..., R]:
        if instance is None:
            return self._function
        return MethodType(self._function, instance._workspace)  # pyright: ignore[reportPrivateUsage]
