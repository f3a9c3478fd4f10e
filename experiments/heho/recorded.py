# SPDX-License-Identifier: BSD-3-Clause
"""The recorded truth of a program on a cluster, runs made from it with noise, and
models fitted to such runs."""

from __future__ import annotations

import math
import os
import sys
from dataclasses import dataclass
from typing import Any, Optional

import numpy
import pandas

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import motley
from motley.library import array_of, call, ffi, lib, new, parse, take
from motley.models import load_inputs
from study import Noise, bits_of, uses_of

# Seconds of a run that the program does not count: what mpirun took to start ranks on
# the four nodes of experiments/testbed (real), rounded.
START_UP = 1.0

# The most nodes of a group in the configurations to choose among, where models are trained
# on more: as in 2006, all but FFTE on three kinds of nodes.
MOST_NODES = {("toyohashi-3", app): 4 for app in ("lu", "jacobi", "hpcmw")}

# Repetitions of replayed runs, so that what judges a prediction is never what it was
# made from: training takes 0 and less, verification those from 1.
_PROBING = 500
JUDGING = 1000


class Recorded:
    """FOLDER/CLUSTER-APP.csv.gz, as `motley export` writes it: points, one for each
    (size, configuration), in this order, with the median of the seconds of its
    repetitions; runs that failed are passed over. The cluster and the program are those
    of these names."""

    def __init__(self, folder: str, cluster: str, app: str) -> None:
        path = f"{folder}/{cluster}-{app}.csv.gz"
        try:
            runs = pandas.read_csv(path, float_precision="round_trip")
        except EOFError:
            raise OSError(f"'{path}' cannot be read to its end") from None
        self.name, self.app = cluster, app
        self.cluster, self.program = load_inputs(cluster, app)
        self.measure_sizes = ffi.unpack(
            self.program.measure_sizes, self.program.nmeasure_sizes
        )
        self.plan_sizes = ffi.unpack(self.program.plan_sizes, self.program.nplan_sizes)
        self._take(runs[runs["outcome"] == "ok"])

    def _take(self, runs: pandas.DataFrame) -> None:
        configuration = ffi.new("struct mt_configuration *")
        order: dict[tuple[float, bool, bytes], list[float]] = {}
        most = MOST_NODES.get((self.name, self.app), math.inf)
        memory = ffi.buffer(configuration)
        for name, of_name in runs.groupby("configuration", sort=False):
            call(lib.mt_configuration_parse, configuration, self.cluster, name.encode())
            large = any(use >> 32 > most for use in uses_of(configuration))
            for size, seconds in zip(of_name["size"], of_name["seconds"]):
                point = (float(size), large, bytes(memory))
                order.setdefault(point, []).append(seconds)
        points = sorted(order)
        self.count = len(points)
        self.points = ffi.new("struct mt_sample[]", self.count)
        self.sizes = [size for size, _, _ in points]
        self._large = [large for _, large, _ in points]
        self.seconds = [_median(order[point]) for point in points]
        self.configurations = []
        for point, (size, _, buffer), seconds in zip(self.points, points, self.seconds):
            pointer = ffi.addressof(point, "configuration")
            ffi.memmove(pointer, buffer, len(buffer))
            point.size, point.seconds = size, seconds
            self.configurations.append(pointer)
        self.uses = [uses_of(at) for at in self.configurations]
        self.nodes = [sum(use >> 32 for use in uses) for uses in self.uses]
        self.alone = [sum(use > 0 for use in uses) == 1 for uses in self.uses]
        self.texts = [
            take(lib.mt_configuration_format(at, self.cluster))
            for at in self.configurations
        ]
        self._index = {key: i for i, key in enumerate(zip(self.texts, self.sizes))}
        self._find_papers()

    def _find_papers(self) -> None:
        """What the papers' models were trained by: several nodes of one group alone, at
        all measure sizes; NP-T's runs, and seconds without noise."""
        self.measured = [size in self.measure_sizes for size in self.sizes]
        self.trains_papers = [
            alone and nodes > 1 and measured
            for alone, nodes, measured in zip(self.alone, self.nodes, self.measured)
        ]
        self.papers_runs = sum(self.trains_papers)
        self.papers_seconds = sum(
            seconds
            for seconds, trains in zip(self.seconds, self.trains_papers)
            if trains
        )

    @property
    def simulated(self) -> bool:
        return bool(lib.mt_cluster_simulated(self.cluster))

    @property
    def groups(self) -> list[Any]:
        return ffi.unpack(self.cluster.groups, self.cluster.ngroups)

    def find(self, configuration: str, size: float) -> int:
        """The point of a configuration's canonical text."""
        return self._index[configuration, size]

    def truth_at(self, size: float) -> range:
        """The points of a size to choose among, if there is truth: not only training
        runs, of one group each, but configurations of several groups. Otherwise none.
        """
        first = int(numpy.searchsorted(self.sizes, size, "left"))
        end = int(numpy.searchsorted(self.sizes, size, "right"))
        span = range(first, end - sum(self._large[first:end]))
        return range(0) if all(self.alone[i] for i in span) else span

    def noise(self, noise: float) -> float:
        """That of runs where this one is asked for: a cluster that is noisy itself is
        never less so."""
        return max(noise, *(group.simulate.noise for group in self.groups))


def _median(values: list[float]) -> float:
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


class Replay:
    """Runs made of recorded truth: its seconds with the noise of a run. The same seed
    gives the same runs, whatever else was run before."""

    def __init__(self, recorded: Recorded, noise: float, seed: int) -> None:
        self.recorded = recorded
        self.noise = Noise(noise, seed)
        self._keys: dict[int, Any] = {}

    def run(self, point: int, repetition: int) -> float:
        """The seconds of a run of a point: the repetition is any number, and says
        which."""
        recorded = self.recorded
        if self.noise.deviation == 0:
            return recorded.seconds[point]
        if repetition in (0, JUDGING):  # of many points: all at once
            key = int(self._keys_of(repetition)[point])
        else:
            bits = bits_of(recorded.sizes[point])
            key = self.noise.key(bits, recorded.uses[point], repetition)
        return recorded.seconds[point] * self.noise.factor(key)

    def _keys_of(self, repetition: int) -> Any:
        if repetition not in self._keys:
            recorded = self.recorded
            sizes = numpy.array(recorded.sizes).view(numpy.uint64)
            uses = numpy.array(recorded.uses, numpy.uint64).T
            self._keys[repetition] = self.noise.key(sizes, uses, repetition)
        return self._keys[repetition]


@dataclass(frozen=True)
class Options:
    """What is tried."""

    kind: str = "auto"
    training: str = ""
    """all: as in the papers, all that the model can be fitted from; base: that of the
    library's design, and probes; designed: what else the design adds. Empty: designed
    for auto, all for the others."""
    runs: int = 40
    """At most, of a designed training; 0: no limit."""
    verify: int = 0
    """Runs at each plan size before auto's choice; 0: none."""

    @property
    def design(self) -> str:
        return self.training or ("designed" if self.kind == "auto" else "all")


class Fitted:
    """Models fitted to replayed runs."""

    def __init__(self, replay: Replay, options: Options) -> None:
        self.replay = replay
        self.recorded = replay.recorded
        self.training: list[tuple[int, float]] = []
        self.training_seconds = 0.0  # with the start-up of the runs
        self._train(options)
        self._kind = options.kind
        self._predictor: Any = None
        self.fit()

    def fit(self) -> None:
        """Know the training runs alone: forget those of a verification."""
        recorded = self.recorded
        used = (recorded.cluster, recorded.program)
        options = ffi.new("struct mt_fit_options *")
        options.kind = parse(lib.mt_model_kind_parse, "mt_model_kind", self._kind)
        samples = new("mt_samples", lib.mt_samples_clear)
        samples.samples = array_of("mt_sample", len(self.training))
        samples.count = len(self.training)
        for i, (point, seconds) in enumerate(self.training):
            run = samples.samples + i
            ffi.memmove(run, recorded.points + point, ffi.sizeof("struct mt_sample"))
            run.seconds = seconds
        self._predictor = new("mt_predictor", lib.mt_predictor_clear, *used)
        call(lib.mt_predictor_fit, self._predictor, *used, samples, options)

    def _add(self, point: int, repetition: int) -> float:
        seconds = self.replay.run(point, repetition)
        self.training.append((point, seconds))
        self.training_seconds += seconds + START_UP
        return seconds

    def _train(self, options: Options) -> None:
        recorded = self.recorded
        if options.design != "all":
            self._train_by_design(options)
            return
        # N-T has a model for every configuration; the others learn from groups alone,
        # P-T and NP-T only from several nodes.
        trains = {
            "n-t": recorded.measured,
            "auto": [a and m for a, m in zip(recorded.alone, recorded.measured)],
        }.get(options.kind, recorded.trains_papers)
        for point in range(recorded.count):
            if trains[point]:
                self._add(point, 0)

    def _train_by_design(self, options: Options) -> None:
        """As `motley measure --runs`: the design chooses among all runs at the sizes
        that the program's file measures."""
        recorded = self.recorded
        design = motley.Design(
            recorded.name,
            recorded.app,
            [
                (recorded.texts[i], recorded.sizes[i])
                for i in range(recorded.count)
                if recorded.measured[i]
            ],
            runs=options.runs,
            exact=self.replay.noise.deviation == 0,
        )
        probes = 0
        for proposal in design:
            if options.design == "base" and proposal.phase == "further":
                break
            repetition = -proposal.repeat
            if proposal.phase == "probes":
                repetition = _PROBING + probes
                probes += 1
            point = recorded.find(proposal.configuration, proposal.size)
            seconds = self._add(point, repetition)
            design.observe(proposal, seconds, seconds + START_UP)

    def expect(self, span: range) -> Any:
        """The seconds that choices go by, an array, one a point; NaN: none."""
        recorded = self.recorded
        seconds = ffi.new("double[]", [math.nan] * len(span))
        for i, point in enumerate(span):
            lib.mt_predictor_seconds(
                self._predictor,
                recorded.configurations[point],
                recorded.sizes[point],
                seconds + i,
                ffi.NULL,
            )
        return numpy.array(list(seconds))

    def predict(self, point: int) -> tuple[float, float, float]:
        """Seconds, low and high."""
        recorded = self.recorded
        prediction = ffi.new("struct mt_prediction *")
        call(
            lib.mt_predictor_predict,
            self._predictor,
            recorded.configurations[point],
            recorded.sizes[point],
            prediction,
        )
        return (prediction.seconds, prediction.low, prediction.high)

    def verify(self, span: range, runs: int) -> motley.Verification:
        """Runs at the size of these points, which the predictor knows until fit()."""
        self.fit()
        expected = self.expect(span)
        candidates = new("mt_plan", lambda plan: None)
        choices = ffi.new("struct mt_choice[]", len(span))
        for i in numpy.argsort(expected, kind="stable"):
            if numpy.isnan(expected[i]):
                continue
            choice = choices[candidates.count]
            choice.prediction.seconds = expected[i]
            choice.configuration = self.recorded.configurations[span[int(i)]][0]
            choice.nodes = self.recorded.nodes[span[int(i)]]
            candidates.count += 1
        if candidates.count == 0:
            raise motley.Error(motley.Status.ENOTFOUND, "nothing can be predicted")
        candidates.choices = choices
        size = self.recorded.sizes[span[0]]
        return motley.Verification(self._predictor, candidates, size, runs)
