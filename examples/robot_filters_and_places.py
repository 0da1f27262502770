"""Recall by what was the case and by where it was."""

import mnemic

memory = mnemic.open()
robot = memory.robot

trials = [
    ("Pushed the cube with 4 N on the dry table", 4.0, True, [0.40, 0.10, 0.02]),
    ("Pushed the cube with 9 N on the wet table", 9.0, False, [0.90, 0.10, 0.02]),
    ("Pushed the cube with 6 N on the dry table", 6.0, True, [0.45, 0.15, 0.02]),
    ("Pushed the cube with 2 N on the rubber mat", 2.0, False, [0.10, 0.60, 0.02]),
]
lessons = [
    {
        "insight": text,
        "context": {
            "params": {"force": {"value": force, "unit": "N"}},
            "spatial": {"object_position": place},
            "task": {"success": success},
        },
    }
    for text, force, success, place in trials
]
robot.learn_many(lessons, collection="table")

worked = robot.recall(
    "push the cube",
    collection="table",
    context_filter={"task.success": True, "params.force.value": {"$lt": 5}},
)
for hit in worked["memories"]:
    print(hit["content"], hit["params"]["force"]["value"])

here = {"field": "spatial.object_position", "target": [0.42, 0.12, 0.02], "max_distance": 0.2}
for hit in robot.recall("push the cube", collection="table", spatial_sort=here)["memories"]:
    print(f"{hit.get('distance'):.3f}", hit["content"])

text = robot.recall("push the cube", collection="table", context_filter='{"task.success": false}')
print(text["total"])

try:
    robot.recall("push the cube", context_filter={"params.force.value": {"$near": 5}})
except mnemic.InvalidInputError as error:
    print(error)

memory.close()
