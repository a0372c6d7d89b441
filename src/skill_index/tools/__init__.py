"""
What an agent calls: each tool a function of a catalog, with its text and its data side by side.

Importing this package loads pydantic, which gives the schemas; `import skill_index` does not.
"""

from skill_index.session import Session
from skill_index.tools.approval import Approval, Approver, Decision, content_hash
from skill_index.tools.calls import ToolSchema
from skill_index.tools.describe import DescribeData, DescribeTool, SkillFacts
from skill_index.tools.events import Event, EventLog
from skill_index.tools.listing import ListData, WritableFolder
from skill_index.tools.load import LoadData, UnloadData
from skill_index.tools.read import ReadData
from skill_index.tools.reply import ToolFailure, ToolReply
from skill_index.tools.run import RunData, script_schema
from skill_index.tools.slash import RESERVED
from skill_index.tools.toolkit import Toolkit
from skill_index.tools.usage import UsageReport

__all__ = [
    "RESERVED",
    "Approval",
    "Approver",
    "Decision",
    "DescribeData",
    "DescribeTool",
    "Event",
    "EventLog",
    "ListData",
    "LoadData",
    "ReadData",
    "RunData",
    "Session",
    "SkillFacts",
    "ToolFailure",
    "ToolReply",
    "ToolSchema",
    "Toolkit",
    "UnloadData",
    "UsageReport",
    "WritableFolder",
    "content_hash",
    "script_schema",
]
