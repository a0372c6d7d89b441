"""
From the bytes of one SKILL.md to a frozen `Skill`, and a finding for everything that is wrong.

    bytes → text → header + body → YAML (mended where it broke) → fields → rules → Skill

Pure: nothing here reads a file, and no bytes make it raise.  PyYAML is loaded with the first
file, not with this package.  Why not hand the header to `yaml.safe_load`?  It turns `1.10` into
1.1 and `007` into 7, forgets lines, repeated keys and comments, and one unquoted colon costs
the whole skill.
"""

from skill_index.parsing.codes import CODES, Code
from skill_index.parsing.document import Parsed, parse_skill
from skill_index.parsing.many import parse_skills
from skill_index.parsing.spec import SPEC_KEYS
from skill_index.parsing.tools import split_tools
from skill_index.parsing.writer import to_skill_md

__all__ = [
    "CODES",
    "SPEC_KEYS",
    "Code",
    "Parsed",
    "parse_skill",
    "parse_skills",
    "split_tools",
    "to_skill_md",
]
