# SPDX-License-Identifier: BSD-3-Clause
"""The rivals: laws fitted by hand to the times of a program over P processes.

    Amdahl (1967)        a/P + b
    USL, Gunther (1993)  a/P + b + c (P - 1): contention b and coherency c, as times
    a line               log t over log P
    PMNF                 a + b P^i log2(P)^j, found as Extra-P does (../blind/forms.py)

The coefficients of the first two are never negative, and like the line they minimise
squares of relative errors."""

from __future__ import annotations

import itertools
import math
from typing import Any, Callable, Optional, Sequence

import forms
import numpy

Law = Callable[[float], float]
FEWEST_COUNTS = 3  # for a search of forms: two coefficients, and one run left out


def fit_sum(
    terms: Sequence[Law], ranks: Sequence[float], seconds: Sequence[float]
) -> Law:
    """The sum of terms with the least squares of relative errors whose coefficients are
    not negative: the best of those of all subsets, as there are few."""
    rows: Any = numpy.array([[term(p) for term in terms] for p in ranks], float)
    rows /= numpy.asarray(seconds)[:, None]
    ones = numpy.ones(len(rows))
    best, least = numpy.zeros(len(terms)), math.inf
    for n in range(1, len(terms) + 1):
        for subset in itertools.combinations(range(len(terms)), n):
            some = rows[:, list(subset)]
            x, _, rank, _ = numpy.linalg.lstsq(some, ones, None)
            error = float(((some @ x - 1) ** 2).sum())
            if rank == n and (x >= 0).all() and error < least - 1e-12:
                best, least = numpy.zeros(len(terms)), error
                best[list(subset)] = x
    return lambda p: float(sum(c * term(p) for c, term in zip(best, terms)))


def amdahl(ranks: Sequence[float], seconds: Sequence[float]) -> Law:
    return fit_sum([lambda p: 1 / p, lambda p: 1], ranks, seconds)


def usl(ranks: Sequence[float], seconds: Sequence[float]) -> Law:
    return fit_sum([lambda p: 1 / p, lambda p: 1, lambda p: p - 1], ranks, seconds)


def line(ranks: Sequence[float], seconds: Sequence[float]) -> Law:
    slope, level = numpy.polyfit(numpy.log(ranks), numpy.log(seconds), 1)
    return lambda p: float(numpy.exp(level + slope * numpy.log(p)))


def pmnf(ranks: Sequence[float], seconds: Sequence[float]) -> Optional[Law]:
    """None: too few runs to choose a form by leaving each out."""
    if len(ranks) < FEWEST_COUNTS:
        return None
    candidates = [
        forms.Form(sign * form.exponent, form.logarithm)
        for form in forms.FORMS
        for sign in ((-1, 1) if form.exponent else (1,))
    ]
    values = numpy.array([form.values(list(ranks)) for form in candidates]).T
    with numpy.errstate(all="ignore"):
        rows = numpy.stack([numpy.ones(values.shape), values], axis=2)
        coefficients, errors = forms.fit(rows, numpy.asarray(seconds, float))
    best = int(numpy.argmin(errors))
    if not numpy.isfinite(errors[best]):
        return None
    (a, b), form = coefficients[best], candidates[best]
    return lambda p: float(a + b * form.values([p])[0])


LAWS = {"Amdahl": amdahl, "USL": usl, "log-log": line, "PMNF": pmnf}


def fit_all(ranks: Sequence[float], seconds: Sequence[float]) -> dict[str, Law]:
    """The laws that these runs determine, which need two or more numbers of
    processes."""
    if len(set(ranks)) < 2:
        return {}
    found = {name: fit(ranks, seconds) for name, fit in LAWS.items()}
    return {name: law for name, law in found.items() if law}
