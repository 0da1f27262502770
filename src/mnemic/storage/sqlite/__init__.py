"""The embedded backend."""
