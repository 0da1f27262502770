"""The command `mnemic`: it starts in `main`; `command_line` puts the commands together.

It may import everything. A command calls the same method that Python and MCP call.
"""
