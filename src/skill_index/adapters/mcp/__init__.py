"""
Skills for every agent that speaks MCP: a server over a toolkit, an index or a catalog.

    serve(as_server(SkillIndex.from_paths("skills")))

The other direction, skills that an MCP server has, is `skill_index.sources.mcp.McpSource`.
"""

from skill_index.adapters.mcp.servers import as_server
from skill_index.adapters.mcp.serving import http_app, serve, serve_http, serve_stdio

__all__ = ["as_server", "http_app", "serve", "serve_http", "serve_stdio"]
