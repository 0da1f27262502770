"""`mnemic setup`: the configuration of MCP clients, printed or written."""
