# SPDX-License-Identifier: BSD-3-Clause
"""A rival: models in the performance model normal form, found as Extra-P's papers
describe (Calotoiu and others, SC 2013 and CLUSTER 2016; Ritter and others, IPDPS 2020,
for few runs), by an implementation of our own.

For each group and number of processes per node a term N^i log2(N)^j is searched among
the runs of the P with the most sizes; then one of P, with how to combine both: a + b, a
b, a b + a, a b + b, or one of them, always with a constant. Exponents are the published
20 up to 3, with j up to 2, and for P the negative ones as well, as its implementation
allows: times shrink with P. Coefficients come from ordinary least squares, and the best
form has the least symmetric mean absolute percentage error (SMAPE) when leaving one run
out. It needs three sizes at one P."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Callable, Optional

import numpy

FEWEST_SIZES = 3
EXPONENTS = (
    *(0, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 4 / 5, 1, 5 / 4, 4 / 3),
    *(3 / 2, 5 / 3, 7 / 4, 2, 9 / 4, 7 / 3, 5 / 2, 8 / 3, 11 / 4, 3),
)
Array = Any
Run = tuple[float, int, float]
"""Size, ranks and seconds."""


@dataclass(frozen=True)
class Form:
    """x^exponent log2(x)^logarithm."""

    exponent: float
    logarithm: int

    def values(self, xs: list[float]) -> list[float]:
        return [
            math.pow(x, self.exponent) * math.pow(math.log2(x), self.logarithm)
            for x in xs
        ]

    def text(self, variable: str) -> str:
        sign = "/" if self.exponent < 0 else "*"
        power = f"{variable}^{abs(self.exponent):.17g}"
        return f"log2({variable})^{self.logarithm}{sign}{power}"


# All but the constant.
FORMS = [Form(e, j) for e in EXPONENTS for j in range(3)][1:]

# How the terms a of N and b of P are combined beside the constant, as texts and values.
COMBINATIONS: dict[str, Callable[[Any, Any], list[Any]]] = {
    "a": lambda a, b: [a],
    "b": lambda a, b: [b],
    "a, b": lambda a, b: [a, b],
    "a*b": lambda a, b: [a * b],
    "a*b, a": lambda a, b: [a * b, a],
    "a*b, b": lambda a, b: [a * b, b],
}


@dataclass
class Model:
    """Terms, and their coefficients; error: SMAPE of leaving one out."""

    terms: str
    coefficients: list[float]
    error: float


def solve(matrix: Array) -> Array:
    """Solve systems of normal equations, whose unknowns are scaled to a diagonal of
    ones; NaN: they do not determine them."""
    n = matrix.shape[1]
    scale = numpy.sqrt(numpy.diagonal(matrix[:, :, :n], axis1=1, axis2=2))
    good = ((scale > 0) & numpy.isfinite(scale)).all(axis=1)
    matrix = matrix.copy()
    matrix[:, :, :n] /= scale[:, :, None] * scale[:, None, :]
    matrix[:, :, n] /= scale
    for i in range(n):
        good &= matrix[:, i, i] > 1e-10
        for below in range(i + 1, n):
            factor = matrix[:, below, i] / matrix[:, i, i]
            matrix[:, below, i:] -= factor[:, None] * matrix[:, i, i:]
    x = numpy.zeros((len(matrix), n))
    for i in reversed(range(n)):
        x[:, i] = matrix[:, i, n]
        for k in range(i + 1, n):
            x[:, i] -= matrix[:, i, k] * x[:, k]
        x[:, i] /= matrix[:, i, i]
    x /= scale
    x[~good] = numpy.nan
    return x


def fit(rows: Array, seconds: Array) -> tuple[Array, Array]:
    """The coefficients of hypotheses, whose terms at each run `rows` has (runs x
    hypotheses x terms), and the SMAPE of leaving each run out; infinite: they are not
    determined."""
    runs, hypotheses, n = rows.shape
    if runs <= n:
        return numpy.zeros((hypotheses, n)), numpy.full(hypotheses, numpy.inf)
    column = numpy.broadcast_to(seconds[:, None, None], (runs, hypotheses, 1))
    with_seconds = numpy.concatenate([rows, column], axis=2)
    products = rows[:, :, :, None] * with_seconds[:, :, None, :]
    errors = numpy.zeros(hypotheses)
    for i in range(runs):
        x = solve(numpy.add.reduce(numpy.delete(products, i, axis=0), axis=0))
        predicted = numpy.zeros(hypotheses)
        for k in range(n):
            predicted += rows[i, :, k] * x[:, k]
        off = 2 * abs(predicted - seconds[i]) / (abs(predicted) + seconds[i])
        errors += off
    x = solve(numpy.add.reduce(products, axis=0))
    errors[numpy.isnan(errors) | numpy.isnan(x).any(axis=1)] = numpy.inf
    return x, errors / runs


def best_of(
    names: list[str], of_size: list[Form], of_ranks: list[Form], runs: list[Run]
) -> tuple[Optional[Model], Optional[Form]]:
    """The best of the combinations of a form of N with one of P, and the form of N."""
    sizes, ranks, times = (list(column) for column in zip(*runs))
    seconds = numpy.array(times)
    a = numpy.array([form.values(sizes) for form in of_size]).T
    b = numpy.array([form.values(ranks) for form in of_ranks]).T
    width = max(len(of_size), len(of_ranks))
    found: list[tuple[Array, Array]] = []
    for name in names:
        shape = (len(runs), width)
        terms = [numpy.ones(shape), *COMBINATIONS[name](a, b)]
        rows = numpy.stack([numpy.broadcast_to(term, shape) for term in terms], 2)
        with numpy.errstate(all="ignore"):
            found.append(fit(numpy.ascontiguousarray(rows), seconds))
    errors = numpy.stack([error for _, error in found], axis=1)
    form, combination = divmod(int(numpy.argmin(errors)), len(names))
    if math.isinf(errors[form, combination]):
        return None, None
    first = of_size[form % len(of_size)]
    second = of_ranks[form % len(of_ranks)]
    name = names[combination]
    text = "1, " + name.replace("a", first.text("N")).replace("b", second.text("P"))
    coefficients = found[combination][0][form]
    return Model(text, list(coefficients), errors[form, combination]), first


def find_line(runs: list[Run]) -> list[Run]:
    """The runs of one P, that with the most sizes."""
    line: list[Run] = []
    for ranks in dict.fromkeys(run[1] for run in runs):
        same = [run for run in runs if run[1] == ranks]
        if len({run[0] for run in same}) > len({run[0] for run in line}):
            line = same
    return line


def find_model(runs: list[Run]) -> Optional[Model]:
    """None: the runs do not determine one."""
    constant = [Form(0, 0)]
    line = find_line(runs)
    if len({run[0] for run in line}) < FEWEST_SIZES:
        return None
    _, of_size = best_of(["a"], FORMS, constant, line)
    if of_size is None:
        return None
    best, _ = best_of(["a"], [of_size], constant, runs)
    if len({run[1] for run in runs}) > 1:
        of_ranks = [
            Form(sign * form.exponent, form.logarithm)
            for form in FORMS
            for sign in (-1, 1)
        ]
        other, _ = best_of(list(COMBINATIONS)[1:], [of_size], of_ranks, runs)
        if best is None or other is not None and other.error < best.error:
            best = other
    return best
