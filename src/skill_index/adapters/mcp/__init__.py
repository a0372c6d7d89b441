"""
Skills for every agent that speaks MCP: a server over a toolkit, an index or a catalog.

    serve(as_server(SkillIndex.from_paths("skills")))
    server = MCPServer("office", tools=as_tools(index))         a server with tools of its own

The other direction, skills that an MCP server has, is `skill_index.sources.mcp.McpSource`.
"""

from skill_index.adapters.mcp.servers import as_server
from skill_index.adapters.mcp.serving import http_app, serve, serve_http, serve_stdio
from skill_index.adapters.mcp.tools import as_tools

__all__ = ["as_server", "as_tools", "http_app", "serve", "serve_http", "serve_stdio"]
