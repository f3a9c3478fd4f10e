# SPDX-License-Identifier: BSD-3-Clause
"""How good the predictions in a frame of runs are: its columns are seconds, predicted,
low and high, crps, and one for each rival."""

from __future__ import annotations

import math
from typing import Any, Optional, Sequence

import laws
import numpy
import pandas

RIVALS = list(laws.LAWS)


def errors(points: pandas.DataFrame, who: str = "predicted") -> pandas.Series:
    """The relative error, not negative; NaN: no prediction."""
    return (points[who] / points["seconds"] - 1).abs()


def median(values: pandas.Series) -> float:
    """NaN if empty."""
    return float(values.quantile(0.5))


def covered(points: pandas.DataFrame) -> float:
    """The share of runs inside their intervals; without one they are outside."""
    return float(points["seconds"].between(points["low"], points["high"]).mean())


def crps(probabilities: Sequence[float], quantiles: Any, seconds: float) -> float:
    """The continuous ranked probability score of log t: twice the integral of the
    pinball loss over the probability (Gneiting and Ranjan 2011). Each quantile stands
    for the probabilities that are nearest to its own."""
    p = numpy.asarray(probabilities)
    off = math.log(seconds) - numpy.log(quantiles)
    ends = numpy.concatenate([[0], (p[1:] + p[:-1]) / 2, [1]])
    loss = numpy.where(off >= 0, p * off, (p - 1) * off)
    return float(2 * (numpy.diff(ends) * loss).sum())


def figures(points: pandas.DataFrame) -> dict[str, float]:
    """The scores of a table, or of several together."""
    error = errors(points)
    widths = points["high"] / points["low"]
    return {
        "median error of a run held back": median(error),
        "90th percentile of the error": error.quantile(0.9),
        "worst error": error.max(),
        "coverage of 90 % intervals": covered(points),
        # From the middle of the logarithms to the ends.
        "half-width of 90 % intervals": math.sqrt(median(widths)) - 1,
        "CRPS of log t": points["crps"].mean(),
        **{f"median error, {name}": median(errors(points, name)) for name in RIVALS},
    }


def over_best(points: pandas.DataFrame) -> Optional[float]:
    """The median error over that of the best rival, each on the runs that both predict,
    which are half of all at least."""
    ratios = []
    for name in RIVALS:
        both = points.dropna(subset=["predicted", name])
        if 2 * len(both) >= len(points):
            ratios.append(median(errors(both)) / median(errors(both, name)))
    return max(ratios, default=None)
