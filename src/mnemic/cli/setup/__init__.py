"""`mnemic setup`: tell an MCP client of this memory. Start reading at `setup_command`."""
