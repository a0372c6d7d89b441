"""
The words that search passes by unless a query has no others.

Few on purpose: a long stop list loses skills that are named by common words.  `SearchSettings` takes
others.
"""

from __future__ import annotations

_STOP_WORDS = """
a about above after again all also am an and any anything are as at be because been before being below
between both but by can could did do does doing don't during each either etc few for from further get give
had has have having he help her here hers him his how i i'd i'll i'm i've if in into is isn't it it's its
itself just kindly let let's like make many may me might more most much must my myself need no nor not
now of off on once one only or other our ours out over own please same she should show so some something
such than thank thanks that the their theirs them themselves then there these they thing things this
those through to too under until up us use used user users uses using very via want wants was we were
what when where whether which while who whom why will with within without would yes you your yours
s t ll re ve
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""English function words, and the politeness of requests; words that are only common have a low idf."""
