"""The published tables: each module describes those of one question."""
