"""Learn lessons, recall one, correct it, forget it, and bring it back."""

import mnemic

memory = mnemic.open()
robot = memory.robot

print(robot.learn("Found that 12.5 N of grip force holds a mug"))
print(robot.learn("found that 12.5 N of grip force holds a mug!"))

robot.learn("Found that 9 N of grip force holds a mug")
robot.learn("Never lift the glass bowl by its rim")
robot.learn("湿手套会让夹爪打滑")

answer = robot.recall("how hard should I grip a mug?", n=2)
for hit in answer["memories"]:
    print(hit["content"], "|", hit["category"], "|", hit["confidence"])

[rule] = robot.recall("lifting the glass bowl", n=1)["memories"]
print(rule["category"])

[known] = robot.recall("12.5 N grip force", n=1)["memories"]
changed = robot.update(known["id"], "Found that 11 N of grip force holds a mug, after calibration")
print(changed["old_content"], "->", changed["new_content"])

robot.forget(known["id"], "the force sensor was not calibrated")
print(robot.get(known["id"])["status"])

robot.undo(known["id"])
print(robot.undo(known["id"])["content"])

for change in robot.history(known["id"]):
    print(change["verb"])

memory.close()
