"""What goes into a prompt: which items may, which do, and the text that they make.

Pure functions: the items, how well a recall found them, and the time are arguments. Start reading
at `selection`.
"""
