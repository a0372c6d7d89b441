"""
How generated tests run: at random on a desk, where a new failure is a find, and the same each time in CI.

A change must not fail for an input that another change let in; the random runs are there to find it.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("ci")
