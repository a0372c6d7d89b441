"""
What can be wrong with a place of skills: one table of codes, one way to say them.

    could not look      root-not-a-folder  unreadable  source-failed  too-many-folders
    nothing there       root-missing
    a file was lost     link-out  not-a-file  file-too-large  vanished  dangling-link
                        unsafe-name  member-unreadable  wrong-type  step-failed
                        bad-entry  unverified  too-many-skills
    a file was doubted  file-name  second-file  second-member  nearly-named  skills-within
    was not searched    hidden-folder  retired-folder  link-up  too-deep
    is not listed       odd-name  too-many-files
    was left out        shadowed  switched-off
    is not of today     last-good

Hosts act on the code, so its severity is fixed here and not where a problem is met: "nothing
found" and "could not look" must never become the same answer.
"""

from __future__ import annotations

import errno

from skill_index.findings import Finding, Severity

FILE_NAME = "file-name"
"""Said by a source just before the file itself: it is not called SKILL.md."""

VANISHED = "vanished"
"""Said of what is not there; who asked for a file of its own accord reads it as that there is none."""

SEVERITIES = {
    "bad-entry": Severity.ERROR,
    "dangling-link": Severity.WARNING,
    FILE_NAME: Severity.WARNING,
    "file-too-large": Severity.ERROR,
    "hidden-folder": Severity.INFO,
    "last-good": Severity.WARNING,
    "link-out": Severity.ERROR,
    "link-up": Severity.INFO,
    "member-unreadable": Severity.ERROR,
    "nearly-named": Severity.WARNING,
    "not-a-file": Severity.ERROR,
    "odd-name": Severity.WARNING,
    "retired-folder": Severity.INFO,
    "root-missing": Severity.INFO,
    "root-not-a-folder": Severity.ERROR,
    "second-file": Severity.WARNING,
    "second-member": Severity.WARNING,
    "shadowed": Severity.INFO,
    "skills-within": Severity.WARNING,
    "source-failed": Severity.ERROR,
    "step-failed": Severity.ERROR,
    "switched-off": Severity.INFO,
    "too-deep": Severity.WARNING,
    "too-many-files": Severity.WARNING,
    "too-many-folders": Severity.ERROR,
    "too-many-skills": Severity.ERROR,
    "unreadable": Severity.ERROR,
    "unsafe-name": Severity.ERROR,
    "unverified": Severity.ERROR,
    VANISHED: Severity.WARNING,
    "wrong-type": Severity.ERROR,
}


def problem(code: str, path: str, message: str) -> Finding:
    """Return the finding of a code of the table, with the severity that belongs to it."""
    return Finding(code, SEVERITIES[code], message, path)


def failure(error: OSError | ValueError, path: str) -> Finding:
    """
    Return what a refused system call means for the file or folder at `path`.

    >>> print(failure(PermissionError(13, "Permission denied"), "pdf/SKILL.md"))
    pdf/SKILL.md: error unreadable cannot be read: Permission denied (EACCES); check its permissions
    """
    if isinstance(error, FileNotFoundError):
        return problem(VANISHED, path, "was removed while the skills were being read; scan again")
    if isinstance(error, PermissionError):
        return problem("unreadable", path, f"cannot be read: {reason(error)}; check its permissions")
    return problem("unreadable", path, f"cannot be read: {reason(error)}")


def link_failure(error: OSError, path: str) -> Finding:
    """Return what a refused system call means for the link at `path`: no target, or no access to it."""
    if isinstance(error, FileNotFoundError | NotADirectoryError) or error.errno == errno.ELOOP:
        return problem("dangling-link", path, f"is a link that leads nowhere: {reason(error)}")
    return failure(error, path)


def reason(error: OSError | ValueError) -> str:
    """Return the system's own words for an error, with the errno name that no locale translates."""
    if isinstance(error, OSError) and error.errno is not None:
        name = errno.errorcode.get(error.errno, str(error.errno))
        return f"{error.strerror} ({name})"
    return str(error)


def too_large(path: str, size: str, limit: int) -> Finding:
    """Return the finding of a file above the byte limit; `size` is in bytes, or says how it was found."""
    message = f"is too large: {size} bytes, and at most {limit:,} are read; move text to other files"
    return problem("file-too-large", path, message)


def second_file(path: str, chosen: str) -> Finding:
    """Return the finding of a file that could be the skill of its folder, had it no better-named one."""
    message = f"is ignored beside {chosen}: a folder has one skill; remove or rename it"
    return problem("second-file", path, message)
