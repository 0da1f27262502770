"""One module for each table of memories: records in, records out. Start at `memory_rows`."""
