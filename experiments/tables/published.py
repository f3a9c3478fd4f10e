# SPDX-License-Identifier: BSD-3-Clause
"""Published tables of run times, and what motley and its rivals predict for the runs
that are held back."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Iterator, Optional

import laws
import numpy
import pandas
import scores

FOLDER = "tests/data/tables"
# Tables that were in sight while the model's constants were chosen.
IN_SIGHT = ["castep-dna", "gromacs-1400k", "openmc", "umt-node", "vlasiator-strong"]
FEWEST_COUNTS = 3  # of nodes in a series; layouts with fewer are put together
PREDICTED = ["predicted", "low", "high"]
PROBABILITIES = [(k + 0.5) / 50 for k in range(50)]


@dataclass
class Machine:
    """The runs of a table on one machine."""

    table: str
    name: str
    runs: pandas.DataFrame

    @property
    def used(self) -> pandas.DataFrame:
        return self.runs[self.runs["used"] == 1]

    def series(self) -> Iterator[pandas.DataFrame]:
        """The runs to which the rivals, which know only P, are fitted: those of one
        size and layout, or of one size if its layouts have few node counts."""
        for _, size in self.runs.groupby("size"):
            few = []
            for _, layout in size.groupby(["processes", "threads"]):
                counts = layout["nodes"][layout["used"] == 1].nunique()
                if counts >= FEWEST_COUNTS:
                    yield layout
                else:
                    few.append(layout)
            if few:
                yield pandas.concat(few)


def read_tables(names: Optional[list[str]] = None) -> Iterator[Machine]:
    """The machines of the tables of these names, or of all."""
    for table in names or sorted(name[:-4] for name in os.listdir(FOLDER)):
        runs = pandas.read_csv(f"{FOLDER}/{table}.csv", comment="#")
        runs["ranks"] = runs["nodes"] * runs["processes"] * runs["threads"]
        for name, group in runs.groupby("group"):
            several = group["threads"].max() > 1
            rows = zip(group["nodes"], group["processes"], group["threads"])
            group["configuration"] = [
                f"m:{nodes}x{processes}" + (f"t{threads}" if several else "")
                for nodes, processes, threads in rows
            ]
            yield Machine(table, str(name), group)


class Motley:
    """motley with its defaults, fitted to some runs of a machine, without the program's
    work and memory."""

    def __init__(self, machine: Machine, runs: pandas.DataFrame, folder: str) -> None:
        import motley

        every = machine.runs
        threads = sorted(set(every["threads"]))
        sizes = sorted(set(map(float, runs["size"])))
        texts = {
            "cluster": "name: published\nlauncher: openmpi\ngroups:\n"
            f"  - {{name: m, nodes: {every['nodes'].max()}, "
            f"processes: {sorted(set(every['processes']))}, "
            f"cores: {(every['processes'] * every['threads']).max()}}}\n",
            "program": 'name: published\ncommand: [none, "{N}"]\ntime: wall\n'
            f"sizes: {{measure: {sizes}, plan: {sizes}}}\n"
            + (f"threads: {threads}\n" if threads[-1] > 1 else ""),
        }
        for name, text in texts.items():
            with open(f"{folder}/{name}.yaml", "w", encoding="utf-8") as stream:
                stream.write(text)
        try:
            self._predictor: Any = motley.Predictor.of_runs(
                f"{folder}/cluster.yaml",
                f"{folder}/program.yaml",
                runs[["configuration", "size", "seconds"]],
            )
        except motley.Error:
            self._predictor = None  # the runs determine no model

    def predict(self, run: Any) -> dict[str, float]:
        """The prediction for a run, with the interval and the score; NaN without a
        model."""
        if self._predictor is None:
            return dict.fromkeys([*PREDICTED, "crps"], numpy.nan)
        times = self._predictor.predict([run.size], run.configuration).times
        found = dict(zip(PREDICTED, times.loc[0, ["seconds", "low", "high"]]))
        quantiles = numpy.ravel(
            self._predictor.quantiles([run.configuration], run.size, PROBABILITIES)
        )
        return {**found, "crps": scores.crps(PROBABILITIES, quantiles, run.seconds)}


def point(machine: Machine, run: Any, **predictions: float) -> dict[str, Any]:
    """A run and its predictions."""
    return {
        "table": machine.table,
        "machine": machine.name,
        "configuration": run.configuration,
        "size": run.size,
        "seconds": run.seconds,
        **predictions,
    }


def predict_held_back(machine: Machine, folder: str) -> pandas.DataFrame:
    """Motley knows all used runs of the machine; a rival those of the series, by the
    median of each configuration. `doublings` is how far a run is beyond the largest
    number of processes that was used in its series."""
    fitted = Motley(machine, machine.used, folder)
    points = []
    for series in machine.series():
        used = series["used"] == 1
        medians = series[used].groupby("ranks")["seconds"].median()
        rivals = laws.fit_all(list(medians.index), list(medians))
        for run in series[~used].itertuples():
            predictions = fitted.predict(run)
            predictions["doublings"] = numpy.log2(run.ranks / medians.index.max())
            predictions.update((name, law(run.ranks)) for name, law in rivals.items())
            points.append(point(machine, run, **predictions))
    return pandas.DataFrame(points)


def predict_single_nodes(machine: Machine, folder: str) -> pandas.DataFrame:
    """The used runs on one node, predicted from those on several nodes; only layouts and
    sizes that ran on both."""
    several = machine.used[machine.used["nodes"] > 1]
    layout = ["processes", "threads", "size"]
    alone = machine.used[machine.used["nodes"] == 1]
    alone = alone.merge(several[layout].drop_duplicates(), on=layout)
    if alone.empty:
        return pandas.DataFrame()
    fitted = Motley(machine, several, folder)
    return pandas.DataFrame(
        point(machine, run, **fitted.predict(run)) for run in alone.itertuples()
    )


def change_by_unit(machine: Machine, points: pandas.DataFrame, folder: str) -> float:
    """The largest relative change of predictions and intervals when N has another unit:
    all sizes times 1000."""
    runs = machine.runs.assign(size=machine.runs["size"] * 1000.0)
    again = predict_held_back(Machine(machine.table, machine.name, runs), folder)
    change = (again[PREDICTED] / points[PREDICTED] - 1).abs().max().max()
    return 0.0 if numpy.isnan(change) else float(change)
