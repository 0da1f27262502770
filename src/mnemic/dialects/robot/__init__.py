"""Seven tools for robots that learn from their runs. Start reading at `tools`."""
