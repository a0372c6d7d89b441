"""
Doors into agent frameworks, each one module named after its framework.

    from skill_index.adapters.langchain import as_tools
    agent = create_agent(model, tools=as_tools(index))

Every module has the verb `as_tools(skills, *, beside=())`, where skills are an index, a catalog, or a
`Toolkit` that was narrowed, renamed or given a runner before, and `beside` are the names of the host's own
tools.  What else a framework has a place for (prompt sections, approvals, tool search, servers) stands
beside it under that framework's own word.  A module imports its framework when it is imported (those of
MCP when they are used), so that nobody pays for the others; the extra that installs it has the module's
name.

What they share is here, too: `hosting` (skills, prompts, replies), `sections` (an index section that is made
once), `asking` (what waits for a person) and `tool_ranking` (a host's own tools in the order of a query).
"""
