# SPDX-License-Identifier: BSD-3-Clause
"""Efficiency surfaces: the efficiency of an algorithm on a machine of any size."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, Union

import numpy
import pandas
from numpy.typing import NDArray

from .library import (
    Path,
    call,
    check,
    columns,
    doubles,
    encode,
    ffi,
    lib,
    new,
    shipped,
    string,
    text,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Axis = Union[str, float, Iterable[float]]
"""Sizes or numbers of nodes: numbers, or as the command takes them, "64:4096:x1.5"."""

_POINT = (
    "seconds",
    "compute",
    "communicate",
    "speed",
    "efficiency",
    "memory",
    "fits",
    "valid",
)


@dataclass(frozen=True, eq=False)
class Survey:
    """An overview of a surface: what `motley surface predict` prints."""

    machine: str
    algorithm: str
    simulated: bool
    points: pandas.DataFrame
    """A row for each size and number of nodes."""
    ridge: pandas.DataFrame
    """The best size on each number of nodes; NaN if unknown."""
    cliffs: pandas.DataFrame
    """Points where a small step loses more than a tenth of the efficiency."""
    speedups: pandas.DataFrame
    """Speed-ups over one node, by kind, with their sizes; empty without a base."""
    iso_efficiency: pandas.DataFrame
    """The smallest and the largest size that reach an efficiency; NaN: none does."""

    def __repr__(self) -> str:
        simulated = " (simulated)" if self.simulated else ""
        grid = self.points.pivot(index="size", columns="nodes", values="efficiency")
        return f"{self.machine} {self.algorithm}{simulated}, efficiency\n{grid}"

    def plot(self, axes: Optional[Axes] = None) -> Axes:
        """Draw lines of equal efficiency over nodes and sizes, and the best sizes."""
        from . import pictures

        return pictures.survey(self, axes)


class Surface:
    """The efficiency E = V / V_ref over N and P of an algorithm (the first, unless it
    is named) on a machine: the path of its file, motley-machine(5), or the name of a
    shipped one. One thread at a time can use it."""

    def __init__(self, machine: Path, algorithm: Optional[str] = None) -> None:
        self._machine = new("mt_machine", lib.mt_machine_clear)
        path = shipped("machines", machine)
        call(lib.mt_machine_load, self._machine, path)
        found = ffi.new("const struct mt_algorithm **")
        call(lib.mt_machine_find, found, self._machine, string(algorithm))
        surface = ffi.new("struct mt_surface **")
        call(lib.mt_surface_make, surface, self._machine, found[0])
        self._struct = ffi.gc(
            surface[0],
            lambda struct, machine=self._machine: lib.mt_surface_free(struct),
        )
        self.path: str = os.fsdecode(path)
        self.machine: str = text(self._machine.name) or ""
        self.algorithm: str = text(found[0].name) or ""
        self.simulated: bool = self._machine.simulated
        self.nodes: int = self._machine.nodes
        """The nodes of the machine; the surface extrapolates to more."""
        self.speed: float = self._machine.speed
        """V_ref: the operations per second of a node at its best."""
        self.memory: float = self._machine.memory or numpy.nan
        """The memory of a node in bytes; NaN: not known."""
        self.learned: Optional[dict[str, Any]] = _learned(found[0].learned)
        """The runs that the machine was learned from; None if it was not learned."""

    def at(self, size: float, nodes: float) -> dict[str, Any]:
        """The prediction at one size and number of nodes, as in Survey.points."""
        point = lib.mt_surface_at(self._struct, size, nodes)
        values = {name: getattr(point, name) for name in _POINT}
        values["memory"] = values["memory"] or numpy.nan
        return values

    def survey(
        self,
        sizes: Optional[Axis] = None,
        nodes: Optional[Axis] = None,
        *,
        base: Optional[float] = None,
        efficiencies: Iterable[float] = (),
    ) -> Survey:
        """Survey these sizes and numbers of nodes, or by default all that make sense on
        the machine. `base` is the size at which speed-ups are relative to one node;
        `efficiencies` are those to find sizes for."""
        request = ffi.new("struct mt_survey_request *")
        size_axis = _axis(lib.mt_axis_parse, sizes)
        node_axis = _axis(lib.mt_axis_parse_nodes, nodes)
        levels = doubles(efficiencies)
        request.sizes, request.nodes = size_axis, node_axis
        if base is not None:
            request.base = _single(base)
        for level in levels:
            check("an efficiency", level, lambda x: 0 < x <= 1, "above 0 and at most 1")
        request.levels, request.nlevels = levels, len(levels)
        survey = new("mt_survey", lib.mt_survey_clear)
        call(lib.mt_survey_make, survey, self._struct, request)
        return self._describe(survey)

    def _describe(self, survey: Any) -> Survey:
        sizes = _values(survey.sizes)
        nodes = _values(survey.nodes)
        count = len(sizes) * len(nodes)
        points = pandas.DataFrame(
            {
                "size": numpy.repeat(sizes, len(nodes)),
                "nodes": numpy.tile(nodes, len(sizes)),
                **columns(survey.points, count, _POINT),
            }
        )
        points["memory"] = points["memory"].where(points["memory"] > 0)
        return Survey(
            machine=self.machine,
            algorithm=self.algorithm,
            simulated=self.simulated,
            points=points,
            ridge=_ridge(survey, nodes),
            cliffs=_cliffs(survey.cliffs),
            speedups=_speedups(survey, nodes),
            iso_efficiency=self._isos(survey),
        )

    def _isos(self, survey: Any) -> pandas.DataFrame:
        numbers = columns(
            survey.isos, survey.nisos, ("efficiency", "nodes", "found", "low", "high")
        )
        frame = pandas.DataFrame(numbers)
        for name, size in (("smallest", "low"), ("largest", "high")):
            frame[name] = frame[size].where(frame["found"])
            frame[f"{name}_work"] = [
                lib.mt_surface_at(self._struct, size, nodes).work
                for size, nodes in zip(frame[name], frame["nodes"])
            ]
        return frame.drop(columns=["found", "low", "high"])

    def __repr__(self) -> str:
        return f"Surface({self.path!r}, {self.algorithm!r})"


def _learned(learned: Any) -> Optional[dict[str, Any]]:
    if learned.runs == 0:
        return None
    return {
        "runs": learned.runs,
        "nodes": learned.nodes,
        "sizes": [learned.size_low, learned.size_high],
        "error": learned.error,
    }


def _axis(parse: Callable[..., int], wanted: Optional[Axis]) -> Any:
    """A struct mt_axis; NULL for None."""
    if wanted is None:
        return ffi.NULL
    if isinstance(wanted, (int, float, numpy.number)):
        wanted = (float(wanted),)
    if not isinstance(wanted, str):
        wanted = ",".join(f"{number:.17g}" for number in wanted)
    axis = new("mt_axis", lib.mt_axis_clear)
    call(parse, axis, encode(wanted))
    return axis


def _single(wanted: float) -> float:
    """A size, checked like those of an axis."""
    number = doubles([wanted])
    call(lib.mt_axis_parse_single, number, encode(f"{wanted:.17g}"))
    return number[0]


def _values(axis: Any) -> NDArray[Any]:
    return numpy.array(ffi.unpack(axis.values, axis.count))


def _ridge(survey: Any, nodes: NDArray[Any]) -> pandas.DataFrame:
    names = ("found", "size", "efficiency", "seconds", "speed")
    frame = pandas.DataFrame(
        {"nodes": nodes, **columns(survey.ridge, len(nodes), names)}
    )
    frame["speed_of_all"] = frame["nodes"] * frame["speed"]
    frame.loc[~frame["found"], [*names[1:], "speed_of_all"]] = numpy.nan
    return frame.drop(columns="found")


def _cliffs(cliffs: Any) -> pandas.DataFrame:
    names = ("along_nodes", "other", "from", "to", "before", "after")
    frame = pandas.DataFrame(columns(cliffs.cliffs, cliffs.count, names))
    along = frame.pop("along_nodes")
    other = frame.pop("other")
    frame.insert(0, "along", numpy.where(along, "nodes", "size"))
    frame.insert(1, "nodes", other.where(~along))
    frame.insert(2, "size", other.where(along))
    return frame


def _speedups(survey: Any, nodes: NDArray[Any]) -> pandas.DataFrame:
    frame = pandas.DataFrame({"nodes": nodes})
    if survey.speedups == ffi.NULL:
        return frame[:0]
    for kind in range(lib.MT_NSPEEDUPS):
        name = (text(lib.mt_speedup_name(kind)) or "").replace(" ", "_")
        rows = [survey.speedups[i] for i in range(len(nodes))]
        frame[name] = [row.speedups[kind] for row in rows]
        frame[f"{name}_size"] = [row.sizes[kind] for row in rows]
    return frame
