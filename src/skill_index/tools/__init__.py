"""
What an agent calls: each tool a function of a catalog, with its text and its data side by side.

Importing this package loads pydantic, which gives the schemas; `import skill_index` does not.
"""

from skill_index.tools.describe import DescribeData, DescribeTool, SkillFacts
from skill_index.tools.reply import ToolFailure, ToolReply
from skill_index.tools.toolkit import Toolkit

__all__ = ["DescribeData", "DescribeTool", "SkillFacts", "ToolFailure", "ToolReply", "Toolkit"]
