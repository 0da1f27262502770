"""Items as they stood at a time, as far as their history tells."""

from dataclasses import replace
from datetime import datetime

from mnemic.language.token_counts import token_estimate
from mnemic.memory.retrieval.currency import as_it_was
from mnemic.memory.workspace import Workspace
from mnemic.records.item import Item


def item_at(workspace: Workspace, item: Item, moment: datetime) -> Item:
    """Return an item with its text of a time, and in use if it was: how much it matters, and what
    else an author says of it, is told as of now.
    """
    if item.in_use and item.updated_at <= moment:
        return item
    memory = as_it_was(workspace, workspace.existing(item.memory_id), moment)
    if memory.content != item.content:
        item = replace(item, content=memory.content, tokens=token_estimate(memory.content))
    if memory.status != "active" or item.in_use:
        return item
    return replace(item, status="active", lifecycle="active", note=None)
