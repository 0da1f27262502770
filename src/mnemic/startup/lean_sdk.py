"""The MCP SDK without what a server never uses."""

import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from types import ModuleType


def leave_out_client() -> None:
    """Let modules of the SDK be imported by their whole names without what their packages bring.

    These would import the client and a second kind of server: 70 ms, and twelve megabytes. Whoever
    asks a package itself for a name still gets it, and the rest with it. Nothing happens if the SDK
    was imported before.
    """
    for name in ("mcp", "mcp.server"):
        spec = find_spec(name)
        if name not in sys.modules and spec is not None:
            sys.modules[name] = _half_open(spec)


def _half_open(spec: ModuleSpec) -> ModuleType:
    """Return a package that runs its own code only when something is asked of it."""
    package = module_from_spec(spec)

    def complete(name: str) -> object:
        del package.__dict__["__getattr__"]
        if spec.loader is not None:
            spec.loader.exec_module(package)
        return getattr(package, name)

    package.__dict__["__getattr__"] = complete
    return package
