"""The verbs of the memory, each in a module of its own."""
