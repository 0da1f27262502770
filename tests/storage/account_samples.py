"""Values for the statements by which people look at an account."""

from typing import Final

from tests.storage.chat_samples import Sample
from tests.storage.many_memories import SCOPE

_FEED: Final = {"verb": None, "scope_id": None}
_EPISODES: Final = {"scope_id": None, "status": None}
_PLACED: Final = {"scope_id": SCOPE, "before_id": 90_000, "episode_id": None, "limit": 500}

ACCOUNT_SAMPLES: Final[dict[str, list[Sample]]] = {
    "events_before": [Sample({**_FEED, "before_id": 90_000, "until": None, "limit": 50}, ("id",))],
    "events_after": [Sample({**_FEED, "after_id": 90_000, "limit": 50}, ("id",))],
    "event_last": [Sample({})],
    "events_by_day": [Sample({"latest": 10_000})],
    "episodes_page": [Sample({**_EPISODES, "limit": 50, "offset": 0})],
    "episodes_count": [Sample(_EPISODES)],
    "passages_of_memory": [Sample({"memory_id": 46_000}, ("doc",))],
    "sources_of_memory": [Sample({"memory_id": 46_000, "limit": 50}, ("memory_id",))],
    "scopes_page": [Sample({"kind": "user", "after": "", "part": "an", "limit": 50})],
    "memories_to_place": [Sample(_PLACED, ("scope_id", "id"))],
}
