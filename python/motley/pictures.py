# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of results by matplotlib, for their plot() methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

import matplotlib.pyplot
from matplotlib.axes import Axes

if TYPE_CHECKING:
    from .node_count import Scaling
    from .planning import Front, Predictions
    from .surface import Survey

_MOST_LINES = 8  # that can be told apart


def _begin(axes: Optional[Axes], title: str, simulated: bool) -> Axes:
    if axes is None:
        axes = matplotlib.pyplot.figure().add_subplot()
    axes.set_title(title + (" (simulated)" if simulated else ""))
    return axes


def predictions(result: Predictions, axes: Optional[Axes] = None) -> Axes:
    """Predicted times over N with their 90 % intervals, and measured ones as points, of
    all configurations, or of as many as can be told apart."""
    axes = _begin(axes, f"{result.program} on {result.cluster}", result.simulated)
    names = result.times["configuration"].unique()
    step = -(-len(names) // _MOST_LINES)
    for name in names[::step]:
        times = result.times[result.times["configuration"] == name].sort_values("size")
        (line,) = axes.plot(times["size"], times["fitted"], label=name)
        color = line.get_color()
        axes.fill_between(
            times["size"], times["low"], times["high"], color=color, alpha=0.2
        )
        axes.plot(times["size"], times["measured"], "o", color=color)
    axes.set(xscale="log", yscale="log", xlabel="problem size N", ylabel="seconds")
    axes.legend()
    return axes


def front(result: Front, axes: Optional[Axes] = None) -> Axes:
    """Price or energy over the time."""
    title = f"{result.program} on {result.cluster}, N = {result.size:.15g}"
    axes = _begin(axes, title, result.simulated)
    column = {"price": "cost", "energy": "joules"}[result.against]
    points = result.points
    axes.step(points["seconds"], points[column], where="post", alpha=0.4)
    axes.plot(points["seconds"], points[column], "o")
    for end, side in ((0, "left"), (-1, "right")):
        row = points.iloc[end]
        place = (row["seconds"], row[column])
        axes.annotate(row["configuration"], place, ha=side, va="bottom")
    units = {"joules": "energy [J]"}
    axes.set(
        xlabel="predicted seconds", ylabel=units.get(column, column), ylim=(0, None)
    )
    return axes


def survey(result: Survey, axes: Optional[Axes] = None) -> Axes:
    """Lines of equal efficiency, and the best size on each number of nodes."""
    title = f"{result.machine} {result.algorithm}: efficiency"
    axes = _begin(axes, title, result.simulated)
    grid = result.points.pivot(index="size", columns="nodes", values="efficiency")
    lines = axes.contourf(grid.columns, grid.index, grid, levels=10)
    axes.figure.colorbar(lines, ax=axes)
    axes.plot(result.ridge["nodes"], result.ridge["size"], "k.-", label="best size")
    axes.set(xscale="log", yscale="log", xlabel="nodes P", ylabel="problem size N")
    axes.legend()
    return axes


def scaling(result: Scaling, axes: Optional[Axes] = None) -> Axes:
    """Efficiency over the nodes, with 90 % intervals: of as many series as can be told
    apart. Points were measured; a star is an answer."""
    axes = _begin(axes, "efficiency", False)
    for number, answer in result.answers.head(_MOST_LINES).iterrows():
        points = result.points[result.points["series"] == number]
        measured = points["measured"].fillna(points["seconds"])
        worth = points["efficiency"] * measured
        label = f"{answer['group']} N = {answer['size']:.15g}".strip()
        (line,) = axes.plot(points["nodes"], worth / points["seconds"], label=label)
        color = line.get_color()
        axes.fill_between(
            points["nodes"],
            worth / points["high"],
            worth / points["low"],
            color=color,
            alpha=0.2,
        )
        ran = points[points["runs"] > 0]
        axes.plot(ran["nodes"], ran["efficiency"], "o", color=color)
        best = points[points["nodes"] == answer["nodes"]]
        axes.plot(best["nodes"], best["efficiency"], "*", color="black")
    axes.axhline(result.efficiency, linestyle=":", color="black")
    axes.set(xscale="log", xlabel="nodes", ylabel="efficiency")
    axes.legend()
    return axes
