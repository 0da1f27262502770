"""The schema, one step per file."""
