"""The words in which each kind of client talks to the engine."""
