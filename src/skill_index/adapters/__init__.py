"""
Doors into agent frameworks, each one module named after its framework.

    from skill_index.adapters.langchain import as_tools
    agent = create_agent(model, tools=as_tools(index))

Every module has the verb `as_tools(skills)`, where skills are an index, a catalog, or a `Toolkit` that
was narrowed, renamed or given a runner before; what else a framework has a place for (prompt sections,
approvals, tool search, servers) stands beside it under that framework's own word.  A module imports
its framework when it is imported, so that nobody pays for the others; the extra that installs it has
the module's name.

This package itself holds what they share: see `hosting`.
"""
