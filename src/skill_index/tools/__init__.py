"""
What an agent calls: each tool a function of a catalog, with its text and its data side by side.

Importing this package loads pydantic, which gives the schemas; `import skill_index` does not.
"""

from skill_index.tools.describe import DescribeData, DescribeTool, SkillFacts
from skill_index.tools.events import Event, EventLog
from skill_index.tools.reply import ToolFailure, ToolReply
from skill_index.tools.toolkit import Toolkit
from skill_index.tools.usage import UsageReport

__all__ = [
    "DescribeData",
    "DescribeTool",
    "Event",
    "EventLog",
    "SkillFacts",
    "ToolFailure",
    "ToolReply",
    "Toolkit",
    "UsageReport",
]
