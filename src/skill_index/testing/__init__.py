"""
For those who test what they build on skills: Hypothesis strategies, and laws to hold them to.

    from hypothesis import given
    from skill_index.testing import laws, strategies

    @given(strategies.queries())
    def test_my_front_end(query):
        laws.answers_any_text(my_search, query)

Needs the extra `testing` (Hypothesis).
"""

from skill_index.testing import laws, strategies

__all__ = ["laws", "strategies"]
