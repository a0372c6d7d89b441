"""Scripts of skills, run as processes of their own: as they are, or inside a bubblewrap sandbox."""

from skill_index.running.arguments import to_arguments
from skill_index.running.bubblewrap import BubblewrapRunner
from skill_index.running.calls import FunctionsOnly, ScriptCall, ScriptResult, ScriptRunner
from skill_index.running.interpreters import INTERPRETERS
from skill_index.running.local import SubprocessRunner
from skill_index.running.options import ALLOWED, ProcessOptions
from skill_index.running.unpack import unpacked

__all__ = [
    "ALLOWED",
    "INTERPRETERS",
    "BubblewrapRunner",
    "FunctionsOnly",
    "ProcessOptions",
    "ScriptCall",
    "ScriptResult",
    "ScriptRunner",
    "SubprocessRunner",
    "to_arguments",
    "unpacked",
]
