"""Mnemic on PostgreSQL, on SQLite, and what users write by hand."""
