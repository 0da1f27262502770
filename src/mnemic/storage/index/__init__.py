"""The in-process index that both backends search with: a cache of the store."""
