"""
How sure a mean is: the interval that 95 of 100 sets of such queries would fall into.

Queries are drawn anew with replacement and the mean is taken again, two thousand times, from a
fixed seed.  For two systems the differences of each query are drawn, not the two means: queries
differ far more from each other than systems do.  Rejected: a t-interval, since figures of queries
pile up at 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

ROUNDS = 2_000
_SEED = 20_240_229
_CHUNK = 1 << 20  # drawn places held at once
_TAIL = 2.5  # percent beyond each end


def intervals(rows: Sequence[Sequence[float]]) -> list[tuple[float, float, float]]:
    """
    Return mean, low and high end of each column; a row is a query.

    >>> intervals([[0.0, 1.0], [0.0, 1.0]])
    [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0)]
    """
    values = np.asarray(rows, dtype=np.float64)
    count = len(values)
    random = np.random.default_rng(_SEED)
    means = np.empty((ROUNDS, values.shape[1]))
    step = max(1, _CHUNK // count)
    for start in range(0, ROUNDS, step):
        rounds = min(step, ROUNDS - start)
        drawn = random.integers(0, count, size=(rounds, count))
        means[start : start + rounds] = values[drawn].mean(axis=1)
    low, high = np.percentile(means, [_TAIL, 100 - _TAIL], axis=0)
    return [
        (float(mean), float(least), float(most))
        for mean, least, most in zip(values.mean(axis=0), low, high, strict=True)
    ]
