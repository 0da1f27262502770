"""The engine below the robot's tools: drafts in, records out, and the reasons of a hit."""

from mnemic import Draft, Query, Scope, parse_filter, parse_near
from mnemic import open as open_memory

WORKSHOP = Scope("collection", "workshop")

with open_memory() as memory:
    stored = memory.remember_many(
        [
            Draft(
                "Drill bit 3 wanders on polished steel",
                WORKSHOP,
                context={"place": [1.0, 2.0], "env": {"sim_or_real": "real"}},
            ),
            Draft(
                "Drill bit 5 wanders on polished brass",
                WORKSHOP,
                context={"place": [4.0, 6.0], "env": {"sim_or_real": "sim"}},
            ),
            Draft("Drill bit 3 wanders on polished steel.", WORKSHOP),
        ]
    )
    for one in stored:
        print(one.memory.id, one.duplicate.method if one.duplicate else "new")

    recalled = memory.recall(Query("which drill bit wanders?", scopes=(WORKSHOP,), limit=2))
    for hit in recalled.hits:
        print(f"{hit.score:.2f}", hit.bm25_rank, dict(hit.signals), hit.memory.content)

    simulated = memory.recall(
        Query(
            "drill",
            scopes=(WORKSHOP,),
            filter=parse_filter({"env.sim_or_real": "sim"}),
            near=parse_near({"field": "place", "target": [4.0, 3.0]}),
        )
    )
    for hit in simulated.hits:
        print(hit.distance, hit.memory.content)

    first = stored[0].memory.id
    memory.revise(first, "Drill bit 3 wanders on polished steel unless it is centre-punched")
    for event in memory.history(first):
        print(event.verb, event.actor)
    print(memory.undo(first).content)
    print(memory.count(WORKSHOP))
