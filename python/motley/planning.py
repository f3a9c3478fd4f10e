# SPDX-License-Identifier: BSD-3-Clause
"""Predictions and plans."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Optional, Union

import numpy
import pandas

from .campaigns import Verification
from .inputs import Cluster, Program, groups, plan_sizes
from .library import (
    Error,
    Path,
    Status,
    array_of,
    call,
    check,
    columns,
    doubles,
    encode,
    ffi,
    lib,
    new,
    parse,
    take,
    text,
)
from .models import load_inputs, warn_of_left_out
from .store import Store

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Limits: the member of struct mt_question, what it is in words, and the most.
_LIMITS = {
    "deadline": ("deadline", "seconds", numpy.inf),
    "budget": ("budget", "a cost", numpy.inf),
    "min_efficiency": ("efficiency", "a share of one", 1),
    "max_nodes": ("max_nodes", "a number of nodes", numpy.inf),
}
_PREDICTION = ("seconds", "low", "high", "extrapolated", "unseen")


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predicted and measured times."""

    cluster: str
    program: str
    simulated: bool
    model: str
    times: pandas.DataFrame
    """A row for each configuration and size; NaN: no model, or no run. Plans rank by
    `seconds`, which are measured if the configuration ran at that size; `fitted` then
    has the seconds of the models."""

    def __repr__(self) -> str:
        return f"{_title(self)}, predicted by {self.model} models\n{self.times}"

    def plot(self, axes: Optional[Axes] = None) -> Axes:
        """Draw the predicted times over N, with their 90 % intervals, and the measured
        ones."""
        from . import pictures

        return pictures.predictions(self, axes)


@dataclass(frozen=True, eq=False)
class Plan:
    """The best configurations for a size: what `motley plan` prints."""

    cluster: str
    program: str
    simulated: bool
    size: float
    model: str
    objective: str
    exact: bool
    """Proven: no configuration ranks before the first."""
    bound: float
    gap: float
    """A lower bound of the objective: no configuration is below it, except for guesses
    where others ran at this size."""
    configurations: float
    """The configurations in the search space."""
    evaluated: float
    """The values of models that were computed."""
    failed: int
    """Configurations left out because all their runs at this size failed."""
    choices: pandas.DataFrame
    """Choices from the best on, with their rank as index; NaN: not known."""

    @property
    def best(self) -> str:
        """The configuration to use."""
        return str(self.choices["configuration"].iloc[0])

    def __repr__(self) -> str:
        proof = "proven" if self.exact else "not proven"
        return f"{_title(self)}, N = {self.size:.15g}, {proof}\n{self.choices}"


@dataclass(frozen=True, eq=False)
class Front:
    """The choices between the fastest and the cheapest, or the one with the least
    energy: what `motley plan --pareto` prints."""

    cluster: str
    program: str
    simulated: bool
    size: float
    model: str
    against: str
    """The other criterion besides time: price or energy."""
    exact: bool
    share: float
    """A choice that is not slower than a point may take less price or energy by at most
    this share; 0: the front is exact."""
    configurations: float
    evaluated: float
    failed: int
    points: pandas.DataFrame
    """From the fastest on; each takes longer, and less price or energy, than the one
    before."""

    def __repr__(self) -> str:
        title = f"{_title(self)}, N = {self.size:.15g}, time against {self.against}"
        return f"{title}\n{self.points}"

    def plot(self, axes: Optional[Axes] = None) -> Axes:
        """Draw the points over time."""
        from . import pictures

        return pictures.front(self, axes)


def _title(result: Union[Predictions, Plan, Front]) -> str:
    simulated = " (simulated)" if result.simulated else ""
    return f"{result.program} on {result.cluster}{simulated}"


def _samples(runs: pandas.DataFrame, cluster: Any) -> Any:
    """The struct mt_samples of a frame."""
    samples = new("mt_samples", lib.mt_samples_clear)
    samples.samples = array_of("mt_sample", len(runs))
    samples.failed = array_of("mt_sample", len(runs))
    rows = zip(runs["configuration"], runs["size"], runs["seconds"])
    for configuration, size, seconds in rows:
        if numpy.isnan(seconds):
            sample = samples.failed[samples.nfailed]
            samples.nfailed += 1
        else:
            sample = samples.samples[samples.count]
            samples.count += 1
            sample.seconds = seconds
        sample.size = size
        call(
            lib.mt_configuration_parse,
            ffi.addressof(sample, "configuration"),
            cluster,
            encode(configuration),
        )
    return samples


def _frame(found: dict[str, Any], count: int, index: str) -> pandas.DataFrame:
    return pandas.DataFrame(found, pandas.RangeIndex(1, count + 1, name=index))


class Predictor:
    """Predicts the times of a program on a cluster as the command does: by the runs in
    a store and models fitted to them, or, for the papers' kinds, the models in the
    store if they are up to date.

    Left out with a warning are nodes that did not answer, runs of configurations that
    the cluster does not have, and configurations without a model. It does not write to
    the store: fit() keeps models.
    """

    def __init__(
        self,
        cluster: Union[Path, Cluster],
        program: Union[Path, Program],
        store: Union[Path, Store] = "motley.db",
        *,
        model: str = "auto",
    ) -> None:
        kind = parse(lib.mt_model_kind_parse, "mt_model_kind", model)
        self._cluster, self._program = load_inputs(cluster, program)
        self._struct = new(
            "mt_predictor", lib.mt_predictor_clear, self._cluster, self._program
        )
        if isinstance(store, Store):
            self._load(store, kind)
        else:
            with Store(store) as opened:
                self._load(opened, kind)
        if self._struct.fitted:
            warn_of_left_out(self._struct.samples, self._cluster)
        for subject, reason in self.missing.itertuples(index=False):
            warnings.warn(
                f"left out, no model: {subject}: {reason}", stacklevel=2
            )

    @classmethod
    def of_runs(
        cls,
        cluster: Union[Path, Cluster],
        program: Union[Path, Program],
        runs: pandas.DataFrame,
        *,
        model: str = "auto",
    ) -> Predictor:
        """The same from a frame of runs instead of a store: the columns configuration,
        size and seconds (NaN: the run failed), with the oldest run first."""
        self = cls.__new__(cls)
        self._cluster, self._program = load_inputs(cluster, program)
        self._struct = new(
            "mt_predictor", lib.mt_predictor_clear, self._cluster, self._program
        )
        options = ffi.new("struct mt_fit_options *")
        options.kind = parse(lib.mt_model_kind_parse, "mt_model_kind", model)
        samples = _samples(runs, self._cluster)
        call(
            lib.mt_predictor_fit,
            self._struct,
            self._cluster,
            self._program,
            samples,
            options,
        )
        return self

    def _load(self, store: Store, kind: int) -> None:
        down = new("mt_down_nodes", lib.mt_down_nodes_clear)
        call(lib.mt_store_leave_out_down, store.struct, self._cluster, down)
        hosts = [text(down.nodes[i].host) for i in range(down.count)]
        if hosts:
            warnings.warn(
                f"left out, as they have not answered: {', '.join(map(str, hosts))}",
                stacklevel=3,
            )
        call(
            lib.mt_predictor_load,
            self._struct,
            store.struct,
            self._cluster,
            self._program,
            kind,
        )

    @property
    def groups(self) -> pandas.DataFrame:
        """The groups of the cluster as plans see it: without nodes that do not answer,
        and with the given prices."""
        return groups(self._cluster)

    @property
    def missing(self) -> pandas.DataFrame:
        """Configurations left out as they have no model, and why."""
        rows = [self._struct.missing[i] for i in range(self._struct.nmissing)]
        return pandas.DataFrame(
            [(text(row.subject), text(row.reason)) for row in rows],
            columns=["subject", "reason"],
        )

    def predict(
        self,
        sizes: Optional[Iterable[float]] = None,
        configurations: str = "homogeneous",
    ) -> Predictions:
        """The times of configurations, given as for `motley predict --configuration`,
        at these sizes, or at the plan sizes of the program's file."""
        wanted = plan_sizes(self._program) if sizes is None else list(doubles(sizes))
        for size in wanted:
            check("size", size, lambda x: x > 0, "a number above 0")
        if not wanted:
            raise Error(
                Status.EINVAL,
                f"program '{text(self._program.name)}' names no sizes to plan for: "
                f"give some",
            )
        measurement = ffi.new("struct mt_measurement *")
        names, numbers = ffi.new("char[]", encode(configurations)), doubles(wanted)
        measurement.cluster, measurement.program = self._cluster, self._program
        measurement.configurations, measurement.sizes = names, numbers
        measurement.nsizes, measurement.repeat = len(wanted), 1
        tasks = new("mt_tasks", lib.mt_tasks_clear)
        call(lib.mt_tasks_plan, tasks, measurement)
        rows = [self._predict(tasks.tasks[i]) for i in range(tasks.count)]
        return Predictions(
            **self._what(),
            model=self._model(),
            times=pandas.DataFrame(rows),
        )

    def _predict(self, task: Any) -> dict[str, Any]:
        """A row of the times of a struct mt_task."""
        configuration = ffi.addressof(task, "configuration")
        prediction = ffi.new("struct mt_prediction *")
        row: dict[str, Any] = {
            "configuration": self._format(configuration),
            "size": task.size,
        }
        try:
            call(
                lib.mt_predictor_predict,
                self._struct,
                configuration,
                task.size,
                prediction,
            )
            row.update((name, getattr(prediction, name)) for name in _PREDICTION)
            call(
                lib.mt_models_predict,
                ffi.addressof(self._struct, "problem"),
                configuration,
                task.size,
                prediction,
            )
            row["fitted"] = prediction.seconds
            if not self._measured(configuration, task.size)[1]:
                # the median, not the mean that plans use
                row["seconds"] = prediction.seconds
        except Error as error:
            if error.status != Status.ENOTFOUND:
                raise
            row.update(seconds=numpy.nan, low=numpy.nan, high=numpy.nan)
            row.update(extrapolated=False, unseen=False, fitted=numpy.nan)
        row["measured"] = self._measured(configuration, task.size)[0]
        return row

    def quantiles(
        self,
        configurations: Iterable[str],
        size: float,
        probabilities: Iterable[float],
    ) -> numpy.ndarray:
        """The seconds that a single run does not exceed with these probabilities, by
        auto models: a row for each configuration, a column for each probability. A row
        of NaN: the runs do not determine the configuration's time."""
        wanted = list(probabilities)
        rows = []
        for configuration in configurations:
            values = doubles(wanted)
            parsed = ffi.new("struct mt_configuration *")
            call(
                lib.mt_configuration_parse, parsed, self._cluster, encode(configuration)
            )
            try:
                call(
                    lib.mt_models_quantiles,
                    ffi.addressof(self._struct, "problem"),
                    parsed,
                    size,
                    values,
                    len(wanted),
                )
                rows.append(list(values))
            except Error as error:
                if error.status != Status.ENOTFOUND:
                    raise
                rows.append([numpy.nan] * len(wanted))
        return numpy.array(rows).reshape(-1, len(wanted))

    def _measured(self, configuration: Any, size: float) -> tuple[float, int]:
        """The median of the runs of a configuration at a size, and their number."""
        measured = lib.mt_measured_at(
            ffi.addressof(self._struct, "measured"), configuration, size
        )
        if measured == ffi.NULL:
            return numpy.nan, 0
        return measured.seconds, measured.runs

    def plan(
        self,
        size: float,
        *,
        objective: str = "time",
        deadline: float = 0,
        confidence: float = 0.9,
        budget: float = 0,
        min_efficiency: float = 0,
        max_nodes: int = 0,
        top: int = 5,
        all: bool = False,
    ) -> Plan:
        """The best configurations for problem size N: the best one for each of the
        `top` best numbers of processes, or `all` that meet the limits. The objective is
        time, price or energy. `deadline` (seconds), `budget` (in the cluster's
        currency) and `min_efficiency` are met with the chance `confidence`, 0.5 to
        0.999. A limit of 0 does not restrict; this holds for `max_nodes`, too. Raises
        Error with Status.EINFEASIBLE if no configuration meets the limits."""
        question = self._question(
            size,
            objective,
            confidence,
            deadline=deadline,
            budget=budget,
            min_efficiency=min_efficiency,
            max_nodes=max_nodes,
        )
        check("top", top, lambda x: x >= 0, "a number from 0 on")
        question.top = top
        plan = new("mt_plan", lib.mt_plan_clear)
        call(lib.mt_plan_make, plan, self._struct, question, all)
        choices = [ffi.addressof(plan.choices, i) for i in range(plan.count)]
        found = self._columns(plan.choices, choices, ("ranks", "nodes"))
        measured = [
            self._measured(ffi.addressof(choice, "configuration"), size)
            for choice in choices
        ]
        found["measured"] = [seconds for seconds, _ in measured]
        found["runs"] = [runs for _, runs in measured]
        for name, function in (
            ("speed", lib.mt_plan_speed),
            ("efficiency", lib.mt_plan_efficiency),
        ):
            found[name] = [function(self._struct, choice, size) for choice in choices]
        found["chance"] = [
            lib.mt_plan_chance(self._struct, choice, question) for choice in choices
        ]
        best = lib.mt_choice_value(choices[0], question.objective)
        surely = plan.exact or best == 0
        return Plan(
            **self._what(),
            size=size,
            model=self._model(),
            objective=objective,
            exact=plan.exact,
            bound=plan.bound,
            gap=0 if surely else max(0, 1 - plan.bound / best),
            configurations=plan.configurations,
            evaluated=plan.evaluated,
            failed=plan.failed,
            choices=_frame(found, plan.count, "rank"),
        )

    def verify(
        self,
        size: float,
        *,
        runs: int = 8,
        confidence: float = 0,
    ) -> Verification:
        """The runs that show which configuration is really the best at a size: at most
        `runs`, or fewer once the best is known with this `confidence`. This predictor
        uses their results from then on."""
        check("runs", runs, lambda x: x >= 1, "1 or more")
        check("confidence", confidence, lambda x: 0 <= x < 1, "0 or more and below 1")
        question = self._question(size, "time", 0.5)
        candidates = new("mt_plan", lib.mt_plan_clear)
        call(lib.mt_plan_candidates, candidates, self._struct, question)
        return Verification(
            self._struct, candidates, size, runs, confidence=confidence
        )

    def pareto(
        self,
        size: float,
        *,
        against: Optional[str] = None,
        deadline: float = 0,
        confidence: float = 0.9,
        budget: float = 0,
        min_efficiency: float = 0,
        max_nodes: int = 0,
        top: int = 50,
    ) -> Front:
        """The front of time against price or energy; None: price if the groups have
        prices, otherwise energy. At most `top` points; 0: all of them. The limits are
        those of plan()."""
        question = self._question(
            size,
            against or "time",
            confidence,
            deadline=deadline,
            budget=budget,
            min_efficiency=min_efficiency,
            max_nodes=max_nodes,
        )
        check("top", top, lambda x: x == 0 or x >= 2, "0, or a number from 2 on")
        question.top = top
        front = new("mt_front", lib.mt_front_clear)
        call(lib.mt_plan_front, front, self._struct, question)
        choices = [ffi.addressof(front.points[i], "choice") for i in range(front.count)]
        members = ("ranks", "nodes", "exact", "bound")
        found = self._columns(front.points, choices, members)
        found["bound"] = numpy.where(found["bound"] > 0, found["bound"], numpy.nan)
        values = numpy.array(
            [lib.mt_choice_value(choice, front.against) for choice in choices]
        )
        found["slower"] = found["seconds"] / found["seconds"][0] - 1
        found["saves"] = 1 - values / values[0]
        return Front(
            **self._what(),
            size=size,
            model=self._model(),
            against=text(lib.mt_objective_name(front.against)) or "",
            exact=front.exact,
            share=front.share,
            configurations=front.configurations,
            evaluated=front.evaluated,
            failed=front.failed,
            points=_frame(found, front.count, "point"),
        )

    def _question(
        self,
        size: float,
        objective: str,
        confidence: float,
        **limits: float,
    ) -> Any:
        check("size", size, lambda x: x > 0, "a number above 0")
        check("confidence", confidence, lambda x: 0.5 <= x <= 0.999, "0.5 to 0.999")
        question = ffi.new("struct mt_question *")
        question.size = size
        question.objective = parse(lib.mt_objective_parse, "mt_objective", objective)
        for name, (member, wanted, most) in _LIMITS.items():
            limit = limits.get(name, 0)
            check(name, limit, lambda x: 0 <= x <= most, wanted)
            setattr(question, member, limit)
        # the prediction is the median
        question.confidence = confidence if confidence > 0.5 else 0
        call(lib.mt_question_check, question, self._cluster)
        return question

    def _columns(
        self, array: Any, choices: list[Any], members: tuple[str, ...]
    ) -> dict[str, Any]:
        """The common columns of a plan's choices and a front's points, from pointers to
        the choices in an array, and these members of its structs."""
        cluster = self._cluster
        known = {
            "cost": lib.mt_cluster_has_prices(cluster),
            "joules": lib.mt_cluster_has_watts(cluster),
        }
        found: dict[str, Any] = {
            "configuration": [
                self._format(ffi.addressof(choice, "configuration"))
                for choice in choices
            ],
            **columns(array, len(choices), (*members, *_PREDICTION, *known)),
        }
        for name, is_known in known.items():
            if not is_known:
                found[name] = numpy.nan
        return found

    def _format(self, configuration: Any) -> str:
        """The text of a struct mt_configuration."""
        return take(lib.mt_configuration_format(configuration, self._cluster))

    def _what(self) -> dict[str, Any]:
        return {
            "cluster": text(self._cluster.name),
            "program": text(self._program.name),
            "simulated": bool(lib.mt_cluster_simulated(self._cluster)),
        }

    def _model(self) -> str:
        return text(lib.mt_model_kind_name(self._struct.models.kind)) or ""
