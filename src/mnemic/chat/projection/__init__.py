"""The memory of a branch follows from its turns, and the store is made to say the same.

Start reading at `projecting`, which only reads; `replay` asks it and `settle` writes the result.
"""
