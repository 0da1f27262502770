"""The types of a client's verbs, as a stub: the methods of an open memory, sent or awaited."""

import ast
import builtins
import inspect
import sys
import textwrap
from collections.abc import Mapping
from typing import Final

from mnemic.rpc.verbs import LOCAL_PARAMETERS, VERBS, Part, class_of

_HEAD: Final = '''"""What the verbs of a client take and return: as those of an open memory do.

This file is made by `python docs/generate.py`.
"""

'''
_PARTS: Final[Mapping[Part, str]] = {
    "engine": "EngineVerbs",
    "robot": "RobotVerbs",
    "assistant": "AssistantVerbs",
    "chat": "ChatVerbs",
}


def stub() -> str:
    """Return the stub of `mnemic.client.parts`."""
    imports: dict[str, set[str]] = {
        "collections.abc": {"Callable"},
        "typing": {"Any"},
        "mnemic.client.calls": {"Call"},
    }
    classes = [
        _class(part, name, imports, awaited=awaited)
        for part, name in _PARTS.items()
        for awaited in (False, True)
    ]
    lines = [
        f"from {module} import {', '.join(sorted(names))}\n"
        for module, names in sorted(imports.items())
    ]
    return "".join([_HEAD, *lines, "\n", "\n".join(classes)])


def _class(part: Part, name: str, imports: dict[str, set[str]], *, awaited: bool) -> str:
    methods: list[ast.stmt] = []
    for verb in _verbs(part):
        method = _method(part, verb)
        _note_imports(method, getattr(class_of(part), verb).__module__, imports)
        methods.append(_awaited(method) if awaited else method)
    written = "\n\n".join(ast.unparse(ast.fix_missing_locations(one)) for one in methods)
    opened = f"class {'Async' if awaited else ''}{name}:\n"
    made = "    def __init__(self, send: Callable[[Call], Any]) -> None: ...\n\n"
    return f"{opened}{made}{textwrap.indent(written, '    ')}\n"


def _verbs(part: Part) -> list[str]:
    """Return the verbs of a part in the order in which they stand in its class."""
    wanted = {verb.name for verb in VERBS.values() if verb.part == part}
    return [name for name in vars(class_of(part)) if name in wanted]


def _method(part: Part, verb: str) -> ast.FunctionDef:
    """Return a verb as the method of a client, without a body."""
    source = textwrap.dedent(inspect.getsource(getattr(class_of(part), verb)))
    (method,) = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
    method.name = verb
    method.args.args[0] = ast.arg("self")
    _leave_out_local(method.args)
    method.body = [*method.body[:1], ast.Expr(ast.Constant(...))]
    return method


def _leave_out_local(args: ast.arguments) -> None:
    for given, defaults in ((args.args, args.defaults), (args.kwonlyargs, args.kw_defaults)):
        for at in reversed(range(len(given))):
            if given[at].arg in LOCAL_PARAMETERS:
                del given[at], defaults[at - len(given) - 1]
    # A default only says that there is one: what it is, the server knows.
    args.defaults = [ast.Constant(...) for _ in args.defaults]
    args.kw_defaults = [one and ast.Constant(...) for one in args.kw_defaults]


def _awaited(method: ast.FunctionDef) -> ast.AsyncFunctionDef:
    return ast.AsyncFunctionDef(
        method.name, method.args, method.body, [], method.returns, None, lineno=0
    )


def _note_imports(method: ast.FunctionDef, module: str, imports: dict[str, set[str]]) -> None:
    origins = _origins(module)
    hints = [one.annotation for one in (*method.args.args, *method.args.kwonlyargs)]
    for hint in (*hints, method.returns):
        for node in ast.walk(hint) if hint is not None else ():
            if isinstance(node, ast.Name) and not hasattr(builtins, node.id):
                imports.setdefault(origins.get(node.id, module), set()).add(node.id)


def _origins(module: str) -> dict[str, str]:
    """Return where the names come from that a module imports."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {
        name.asname or name.name: node.module or ""
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
