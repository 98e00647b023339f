"""Answers to agents by the Model Context Protocol: tools that only read (docs/mcp.md)."""
