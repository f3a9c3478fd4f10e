# SPDX-License-Identifier: BSD-3-Clause
"""How many nodes to ask for, from a table of runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

import pandas

from .library import (
    Error,
    Status,
    call,
    check,
    columns,
    ffi,
    lib,
    new,
    string,
    text,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Scaling:
    """The largest number of nodes that reaches an efficiency: what `motley scaling`
    prints."""

    efficiency: float
    confidence: float
    left_out: int
    """Runs outside every series: they failed, or no comparable run used another number
    of nodes."""
    answers: pandas.DataFrame
    """A row for each series of runs of one group, layout and size: the most `nodes`
    with the efficiency, the `chance` that a run has it there (1: it was measured), the
    `most` nodes of a run; `open`: more than `nodes` may have it, too."""
    points: pandas.DataFrame
    """A row for each number of nodes of each `series`, which is a row of `answers`: the
    `measured` seconds (NaN: it did not run), the `speedup` and `efficiency` from these
    or else from the predicted `seconds`, and the `chance`."""

    @property
    def nodes(self) -> int:
        """The answer, if only one series exists."""
        if len(self.answers) != 1:
            raise Error(Status.EINVAL, f"there are {len(self.answers)} answers")
        return int(self.answers["nodes"].iloc[0])

    def __repr__(self) -> str:
        return f"at least {100 * self.efficiency:.4g} % efficiency\n{self.answers}"

    def plot(self, axes: Optional[Axes] = None) -> Axes:
        """Draw the efficiency over the nodes."""
        from . import pictures

        return pictures.scaling(self, axes)


def scaling(
    runs: pandas.DataFrame, *, efficiency: float = 0.7, confidence: float = 0.8
) -> Scaling:
    """How many nodes to use for a program, as `motley scaling` finds it: the most on
    which a run has this efficiency with this chance. `runs` has a row per run: `nodes`
    and `seconds` (NaN: it failed), and where they differ `size`, `group`, processes per
    node (`ppn`), and the `threads` and `gpus` of each process."""
    for column in ("nodes", "seconds"):
        if column not in runs:
            raise Error(Status.EINVAL, f"no column '{column}'")
    good = runs[runs["seconds"].notna()]
    array = ffi.new("struct mt_scaling_run[]", len(good))
    kept: list[Any] = []  # the names, as long as the structs point to them
    for run, row in zip(array, good.to_dict("records")):
        kept.append(string(str(row.get("group", ""))))
        run.group = kept[-1]
        run.size, run.seconds = row.get("size", 1), row["seconds"]
        run.nodes = _whole("nodes", row["nodes"])
        run.layout.processes = _whole("ppn", row.get("ppn", 1))
        run.layout.threads = _whole("threads", row.get("threads", 1))
        run.layout.gpus = _whole("gpus", row.get("gpus", 0))
    question = ffi.new("struct mt_scaling_question *")
    question.efficiency, question.confidence = efficiency, confidence
    struct = new("mt_scaling", lib.mt_scaling_clear)
    call(lib.mt_scaling_find, struct, array, len(good), question)
    series = [struct.series[i] for i in range(struct.count)]
    return Scaling(
        efficiency=efficiency,
        confidence=confidence,
        left_out=struct.left_out + len(runs) - len(good),
        answers=_answers(struct, series),
        points=_points(series),
    )


def _whole(name: str, value: Any) -> int:
    check(name, value, lambda x: 0 <= x == int(x) < 2**31, "a whole number")
    return int(value)


def _answers(struct: Any, series: list[Any]) -> pandas.DataFrame:
    members = ("processes", "threads", "gpus", "weak", "size", "most", "open")
    frame = pandas.DataFrame(columns(struct.series, len(series), members))
    frame["threads"] = frame["threads"].clip(lower=1)
    frame.insert(0, "group", [text(one.group) for one in series])
    answers = [one.points[one.answer] for one in series]
    frame["nodes"] = [answer.nodes for answer in answers]
    frame["chance"] = [answer.chance for answer in answers]
    frame.index.name = "series"
    return frame


def _points(series: list[Any]) -> pandas.DataFrame:
    members = ("nodes", "size", "measured", "runs", "speedup", "efficiency")
    members += ("seconds", "low", "high", "extrapolated", "unseen", "chance")
    frames = [
        pandas.DataFrame(columns(one.points, one.count, members)).assign(series=i)
        for i, one in enumerate(series)
    ]
    return pandas.concat(frames, ignore_index=True)[["series", *members]]
