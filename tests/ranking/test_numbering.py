"""What numbers of raw words spread into is what the analysis of those words says."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from skill_index.ranking.analysis import analyze_once
from skill_index.ranking.numbering import Lexicon

STOP_WORDS = frozenset({"the", "of", "析"})
PLAIN = st.from_regex(r"[A-Za-z0-9]{1,9}", fullmatch=True)
RAWS = (
    st.text(min_size=1)
    | PLAIN
    | st.sampled_from(
        [
            "the",
            "OF",
            "forms",
            "fill-form",
            "myXMLName",
            "解析PDFs",
            "再解析する",
            "析",
            "C++",
            "a\u0301",
            "\u0301",
            "\ufe0f",
        ]
    )
)


@given(st.lists(RAWS), st.booleans())
@example(["\u0301", "the", "\u0301", "\ufe0f", "解析"], True)
def test_words_spread_into_their_terms(raws: list[str], is_spelt_first: bool) -> None:
    """Every term in its order, and whether it tells; words of no terms take none from those beside them."""
    lexicon = Lexicon(STOP_WORDS)
    for raw in raws if is_spelt_first else ():
        lexicon.spelt[raw]
    numbers = np.array([lexicon[raw] for raw in raws], dtype=np.int32)
    terms, telling, ends = lexicon.spread(numbers)
    stems = list(lexicon.stems)
    assert [stems[term] for term in terms] == [token.stem for raw in raws for token in analyze_once(raw)]
    assert ends.tolist() == np.cumsum([len(analyze_once(raw)) for raw in raws], dtype=int).tolist()
    assert telling.tolist() == [
        token.stands and token.form not in STOP_WORDS for raw in raws for token in analyze_once(raw)
    ]
