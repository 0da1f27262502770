"""One run of a robot from start to end, with a force reading kept byte for byte."""

import mnemic

memory = mnemic.open()
robot = memory.robot

run = robot.start_session(
    collection="deliveries",
    context={"robot": {"type": "Fetch"}, "task": {"name": "carry a bottle to room 4"}},
)
session = run["session_id"]

for lesson in (
    "Noticed that the tall bottle wobbles on the tray",
    "Noticed that the tall bottle wobbles on the tray when the lift brakes hard before a floor",
    "Decided to carry bottles on the left side",
):
    robot.learn(lesson, collection="deliveries", session_id=session)

reading = '{"newton": [0.0, 4.2, 9.81, 12.50], "hz": 100}'
kept = robot.save_perception(
    "Force while lifting a full bottle",
    perception_type="tactile",
    data=reading,
    collection="deliveries",
    session_id=session,
)
print(robot.get(kept["memory_id"]).get("data") == reading)

ended = robot.end_session(session, outcome_score=0.9)
print(ended["summary"])
print(ended["consolidated"]["merged_groups"], ended["consolidated"]["superseded_count"])

for gone in robot.list(collection="deliveries", status="superseded"):
    print(gone["status"], "|", gone["content"])

later = robot.recall("carrying a bottle", collection="deliveries", session_id=session)
print(later["total"])

memory.close()
