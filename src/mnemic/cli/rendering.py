"""Answers for people: the same facts as the JSON, set so that they read well in a terminal."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mnemic.dialects.robot import answers

_WHY = "dim"
_KINDS = {
    "episodic_memories": ("episodic memory", "episodic memories"),
    "conversations": ("conversation", "conversations"),
    "sessions": ("chat session", "chat sessions"),
    "events": ("event", "events"),
    "jobs": ("job", "jobs"),
}


def learned(answer: answers.Learned) -> RenderableType:
    """Say that a lesson was stored, or which memory says it already."""
    if answer["status"] == "duplicate":
        method, similarity = answer.get("method", ""), answer.get("similarity", 0.0)
        head = Text.assemble(
            ("known already", "yellow"),
            f" as memory {answer.get('existing_id')} ",
            (f"({method}, similarity {similarity:.2f})", _WHY),
        )
    else:
        head = Text.assemble(
            ("learned", "green"), f" as memory {answer.get('memory_id')} ", _inferred(answer)
        )
    return _with_notes(head, answer)


def recollection(answer: answers.Recollection) -> RenderableType:
    """Show what was recalled, best first, each with the reasons."""
    total = answer["total"]
    what = "nothing like it" if not total else f"{total} {plural(total, 'memory', 'memories')}"
    foot = Text(f"{what} · {answer['mode']} · {answer['query_ms']:.1f} ms", style=_WHY)
    parts: list[RenderableType] = [hits(answer["memories"]), foot] if total else [foot]
    if explanation := answer.get("explanation"):
        parts += [Text(), *_explained(explanation)]
    return Group(*parts)


def hits(memories: Iterable[answers.Experience]) -> Table:
    """Show recalled memories: score, number, text, and why each was found."""
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right")
    table.add_column(justify="right", style="cyan")
    table.add_column(overflow="fold")
    for memory in memories:
        body = Text.assemble(memory["content"], "\n", (why(memory), _WHY))
        table.add_row(f"{memory['_rrf_score']:.2f}", f"#{memory['id']}", body)
    return table


def why(memory: answers.Experience) -> str:
    """Say why a memory was found, in one line."""
    parts = [memory["category"], f"sure {memory['confidence']:.2f}"]
    if "distance" in memory:
        distance = memory["distance"]
        parts.append("no such place" if distance is None else f"distance {distance:.3f}")
    if "_relevance" in memory:
        parts.append(f"relevance {memory['_relevance']:.2f}")
    ranks = {"words": memory["_bm25_rank"], "meaning": memory["_vec_rank"]}
    found = [f"{channel} rank {rank}" for channel, rank in ranks.items() if rank]
    if found:
        parts.append(", ".join(found))
    if reasons := memory.get("_why"):
        parts += _reasons(reasons)
    return " · ".join(parts)


def _reasons(reasons: answers.Reasons) -> list[str]:
    scores = {"BM25": reasons["bm25"], "cosine": reasons["cosine"]}
    shown = [f"{name} {score:.2f}" for name, score in scores.items() if score is not None]
    return shown + [f"{name} {points:+.2f}" for name, points in reasons["signals"].items()]


def _explained(explanation: answers.Explained) -> list[RenderableType]:
    """Show what was sought, what each channel offered, and what each step cost."""
    sought = ", ".join(f"{term['term']} ({term['share']:.1%})" for term in explanation["terms"])
    lines = Text.assemble(
        ("words ", _WHY),
        f"{sought or 'none'}\n",
        ("embedded ", _WHY),
        f"{explanation['embedded'] or 'nothing'}\n",
        ("candidates ", _WHY),
        f"{explanation['candidates']}: {explanation['by_words']} by words, "
        f"{explanation['by_meaning']} by meaning",
    )
    table = Table("step", "ms", "CPU ms", box=None, padding=(0, 2, 0, 0), header_style=_WHY)
    for stage in explanation["stages"]:
        table.add_row(stage["name"], f"{stage['wall_ms']:.2f}", f"{stage['cpu_ms']:.2f}")
    return [lines, table]


def perceived(answer: answers.Perceived) -> RenderableType:
    """Say that a perception was kept."""
    vector = "with" if answer["has_embedding"] else "without"
    return Text.assemble(
        ("kept", "green"),
        f" as memory {answer['memory_id']} ",
        (f"({answer['perception_type']}, {answer['collection']}, {vector} a vector)", _WHY),
    )


def forgotten(answer: answers.Forgotten) -> RenderableType:
    """Say what was forgotten and why."""
    return Text.assemble(
        ("forgotten", "yellow"),
        f": memory {answer['memory_id']}, {answer['content']}\n",
        (f"because: {answer['reason']} · mnemic undo {answer['memory_id']} brings it back", _WHY),
    )


def updated(answer: answers.Updated) -> RenderableType:
    """Show the old and the new version."""
    head = Text.assemble(("updated", "green"), f" memory {answer['memory_id']} ", _inferred(answer))
    versions = Text.assemble(
        ("- ", "red"), answer["old_content"], "\n", ("+ ", "green"), answer["new_content"]
    )
    return Group(_with_notes(head, answer), versions)


def session_started(answer: answers.SessionStarted) -> RenderableType:
    """Show a run's id and what it can draw on."""
    count = answer["active_memories_count"]
    head = Text.assemble(
        ("started ", "green"),
        (answer["session_id"], "cyan"),
        (f" ({answer['collection']}, {count} {plural(count, 'memory', 'memories')})", _WHY),
    )
    return _with_notes(head, answer)


def session_ended(answer: answers.SessionEnded) -> RenderableType:
    """Show what a run stored, what its end changed and what it brings to mind."""
    summary, merged = answer["summary"], answer["consolidated"]
    lines = [
        Text.assemble(("ended ", "green"), (answer["session_id"], "cyan")),
        Text(
            f"stored {summary['memory_count']}: {_counts(summary['by_type'])}"
            f" · {_counts(summary['by_category'])}"
        ),
        Text(
            f"merged {merged['superseded_count']} into {merged['merged_groups']}"
            f" · aged {answer['decayed_count']}"
        ),
    ]
    if answer["related_memories"]:
        lines.append(Text("from other runs:", style=_WHY))
    lines += [
        Text.assemble(
            f"{memory['_rrf_score']:.2f} ", (f"#{memory['id']} ", "cyan"), memory["content"]
        )
        for memory in answer["related_memories"]
    ]
    return Group(*lines)


def record(answer: answers.Record) -> RenderableType:
    """Show one memory in full, a line for each thing that is known of it."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style=_WHY)
    table.add_column(overflow="fold")
    for name, value in answer.items():
        if value not in (None, "", [], "{}"):
            table.add_row(name.replace("_", " "), Text(_written(value)))
    return table


def records(answer: Sequence[answers.Record], *, limit: int) -> RenderableType:
    """Show a page of memories, and how to get the next one where there may be one."""
    if not answer:
        return Text("nothing here", style=_WHY)
    table = Table(box=None, pad_edge=False, header_style=_WHY)
    table.add_column("id", justify="right", style="cyan")
    table.add_column("status")
    table.add_column("category")
    table.add_column("sure", justify="right")
    table.add_column("memory", overflow="fold")
    for record in answer:
        sure = f"{record['confidence']:.2f}"
        content = Text(record["content"])
        table.add_row(str(record["id"]), record["status"], record["category"], sure, content)
    if len(answer) < limit:
        return table
    hint = Text(f"there may be more: add --before {answer[-1]['id']}", style=_WHY)
    return Group(table, hint)


def lessons(answer: Sequence[answers.Learned], *, seconds: float) -> RenderableType:
    """Sum up a bulk import."""
    known = sum(lesson["status"] == "duplicate" for lesson in answer)
    cut = sum("truncated" in lesson for lesson in answer)
    warned = sum("warning" in lesson for lesson in answer)
    parts = [f"{known} known already"]
    if cut:
        parts.append(f"{cut} cut to 300 characters")
    if warned:
        parts.append(f"{warned} with a context that is no object")
    parts.append(f"{seconds:.1f} s")
    head = (f"learned {len(answer) - known}", "green")
    return Text.assemble(head, (f" · {' · '.join(parts)}", _WHY))


def removed(counts: Mapping[str, int], *, dry_run: bool, is_clean: bool) -> RenderableType:
    """Say what was too old, and whether traces of it may still be in the store's files."""
    parts = [
        f"{number:,} {plural(number, *_KINDS[kind])}" for kind, number in counts.items() if number
    ]
    if not parts:
        return Text("nothing is older than it may be kept", style=_WHY)
    head = Text.assemble(
        ("would be removed" if dry_run else "removed", "yellow" if dry_run else "green"),
        f": {', '.join(parts)}",
    )
    if is_clean:
        return head
    told = "Another process still reads the store: run it again to remove the last traces."
    return Group(head, Text(told, style="yellow"))


def _inferred(answer: answers.Learned | answers.Updated) -> tuple[str, str]:
    inferred = answer.get("auto_inferred")
    if inferred is None:
        return "", _WHY
    told = [inferred["category"], f"confidence {inferred['confidence']:.2f}"]
    if files := cast("list[str]", inferred.get("scope_files", [])):
        told.append(", ".join(files))
    return f"({' · '.join(told)})", _WHY


def _with_notes(head: Text, answer: Mapping[str, object]) -> RenderableType:
    notes: list[Text] = []
    if answer.get("truncated"):
        notes.append(Text("cut to 300 characters", style="yellow"))
    if warning := answer.get("warning"):
        notes.append(Text(str(warning), style="yellow"))
    return Group(head, *notes)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "nothing"


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def plural(count: int, one: str, many: str) -> str:
    """Return the word for one thing, or for another number of them."""
    return one if count == 1 else many
