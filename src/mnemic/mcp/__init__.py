"""The tools as an MCP server: stdio, resources, the prompt, sampling, and the profiles of tools.

It may import the dialects. Start reading at `mcp_server`; HTTP is in `mnemic.server.mcp_http`.
"""
