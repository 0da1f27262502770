"""The memory of a branch as a fold over its turns, and how the store is made to say the same.

Start reading at `fold`, which is pure; `replay` reads the turns and `settle` writes the result.
"""
