"""
The loaded skills in the prompt, for hosts that keep instructions there and not in the transcript.

In a transcript instructions scroll away and are lost when it is shortened; in the prompt they
are sent every turn, always current, sorted so that the text changes only when they do.
"""

from __future__ import annotations

from collections.abc import Iterator

from skill_index.catalog import SkillCatalog
from skill_index.errors import SkillNotFoundError
from skill_index.index import SkillIndex, catalog_of
from skill_index.render import VALUE_LIMIT, names_line, sealed
from skill_index.session import Loaded, Session
from skill_index.text import escape


def loaded_skills_section(skills: SkillCatalog | SkillIndex, session: Session) -> str:
    """
    Return the full instructions of the skills a conversation has loaded, by name, or "" for none.

    A skill that was edited since is shown as it is now; one that was removed is named as gone.

    >>> from skill_index import Skill
    >>> catalog = SkillCatalog([Skill("pdf-forms", "Fill PDF forms.", "Use pdftk.")])
    >>> session = Session()
    >>> session.load(catalog.entry("pdf-forms"))
    >>> print(loaded_skills_section(catalog, session))
    Skills in use; follow their instructions.
    <skill_instructions_5fda44efcdcf name="pdf-forms" source="memory">
    Use pdftk.
    </skill_instructions_5fda44efcdcf>
    """
    catalog = catalog_of(skills)
    loaded = sorted(session.loaded, key=lambda one: (one.name.casefold(), one.id))
    if not loaded:
        return ""
    return "\n".join(("Skills in use; follow their instructions.", *_texts(catalog, loaded)))


def _texts(catalog: SkillCatalog, loaded: list[Loaded]) -> Iterator[str]:
    for one in loaded:
        try:
            skill = catalog.entry(one.id).skill
        except SkillNotFoundError:
            yield f"The skill {escape(one.name, VALUE_LIMIT)} was removed; go on without it."
            continue
        yield sealed("skill_instructions", skill.instructions, name=one.name, source=skill.origin.label)


def restore_line(session: Session, load: str = "load_skill") -> str:
    """
    Return what to tell a model after its context was shortened: which skills it had, "" for none.

    Only the names come back: which of them the task still needs, the model knows best.
    """
    if not session.evicted:
        return ""
    had = names_line("Skills that were loaded before", sorted(one.name for one in session.evicted))
    return f"{had}. Their instructions are no longer in view; call {load} again for those still needed."
