"""Ask a memory why it answers as it does: what the console shows, in Python."""

import mnemic
from mnemic import Query

memory = mnemic.open()
memory.robot.learn("Found that 12.5 N of grip force holds a ceramic mug")
memory.robot.learn("The wine glass slipped because the gripper was wet")

found = memory.recall(Query("how hard to grip a mug", explain=True))
print(found.hits[0].memory.content, found.hits[0].bm25_rank)
if found.explanation:
    print(sorted(sought.term for sought in found.explanation.terms))
memory.close()
