"""Items as they stood at a time, as far as their rows tell."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from mnemic.storage.selections import Selection, Where
from mnemic.storage.timestamps import to_micros

# The memory behind an item knows since when it is out of use; before, both of these were active.
_THEN: Final = """(case when (select m.status_at from current_memory m
            where m.account_id = i.account_id and m.id = i.memory_id) > {{moment}}
      then 'active' else {column} end)"""
_STANDING: Final = ("i.status", "i.lifecycle")


def selected_at(chosen: Selection, moment: datetime) -> Selection:
    """Return those items that were there at a time and were then what is asked for."""
    at = to_micros(moment)
    conditions = [
        replace(one, column=_THEN.format(column=one.column), moment=at)
        if one.column in _STANDING
        else one
        for one in chosen.conditions
    ]
    return replace(chosen, conditions=(*conditions, Where("i.created_at", "<=", at)))
