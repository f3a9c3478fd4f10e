# SPDX-License-Identifier: BSD-3-Clause
"""What others would choose for a random program on a random cluster: by models fitted
to runs, or by rules of thumb. A choice that may not run is made smaller until it
may."""

from __future__ import annotations

import math
from typing import Any, Optional

import forms
import motley
import pandas
from motley.library import call, encode, ffi, lib, new, take
from study import Random
from truth import NONE, Truth, Use, Uses

NAMES = ("np-t", "forms", "all nodes", "fastest group", "proportional", "random")

# How often a random choice is drawn until it may run.
_MOST_DRAWS = 10000


def most_processes(layouts: list[int], cores: int) -> int:
    """No more than there are cores, if the group allows that."""
    return max([layouts[0], *(m for m in layouts if m <= cores)])


def proportional(layouts: list[int], share: float) -> int:
    """The number of processes nearest to a share; none if that is less than half of what
    there must be."""
    if share < layouts[0] / 2:
        return 0
    return min(layouts, key=lambda processes: abs(processes - share))


class Rivals:
    """The runs they learn from. NP-T has a training set of its own: several nodes of
    each group alone at all measure sizes. Forms use the runs that trained auto, and the
    rules two runs of each group."""

    def __init__(self, truth: Truth, training: pandas.DataFrame) -> None:
        self.truth = truth
        self.papers_runs, self.papers_seconds = 0, 0.0
        self._papers = self._train_papers()
        self._models, self._kept = self._fit_forms(training)
        self._fastest, self._speeds = 0, [0.0] * len(truth.groups)
        self._time_groups()

    def _train_papers(self) -> Optional[motley.Predictor]:
        """2, 4, 8, ... and all nodes of the group: NP-T takes no run on one."""
        truth, runs = self.truth, []
        for g, group in enumerate(truth.groups):
            counts = [2**k for k in range(1, 10) if 2**k < group.nodes]
            counts += [group.nodes] if group.nodes >= 2 else []
            for processes in truth.layouts[g]:
                for nodes in counts:
                    alone = truth.alone(g, nodes, processes)
                    for size in truth.measure_sizes:
                        if not truth.allows(alone, size):
                            continue
                        seconds = truth.run(alone, size, 0)
                        if not math.isnan(seconds):
                            runs.append((truth.text(alone), size, seconds))
                            self.papers_runs += 1
                            self.papers_seconds += seconds
        frame = pandas.DataFrame(runs, columns=["configuration", "size", "seconds"])
        try:
            return motley.Predictor.of_runs(
                truth.cluster_path, truth.program_path, frame, model="np-t"
            )
        except motley.Error:
            return None

    def _fit_forms(self, training: pandas.DataFrame) -> tuple[Any, list[Any]]:
        """A struct mt_models of kind NP-T, which may be empty, and all that it points
        to. Where a program has a split, the same model is on both sides of it."""
        truth = self.truth
        kept: list[Any] = []
        found: list[Any] = []
        runs = [
            (truth.uses(configuration), size, seconds)
            for configuration, size, seconds in training.itertuples(index=False)
        ]
        for g, layouts in enumerate(truth.layouts):
            for processes in layouts:
                of_class = [
                    (size, uses[g][0] * processes, seconds)
                    for uses, size, seconds in runs
                    if uses == truth.alone(g, uses[g][0], processes)
                ]
                model = forms.find_model(of_class)
                if model is None:
                    continue
                for split in (0, 1) if truth.program.split != ffi.NULL else (-1,):
                    made = self._model(g, processes, model, of_class, kept)
                    made.split = split
                    found.append(made)
        models = ffi.new("struct mt_models *")
        array = ffi.new("struct mt_model[]", len(found))
        for i, made in enumerate(found):
            array[i] = made[0]
        models.models, models.count = array, len(found)
        models.kind = models.options.kind = lib.MT_MODEL_NPT
        return models, [*kept, array]

    def _model(
        self,
        g: int,
        processes: int,
        model: forms.Model,
        runs: list[forms.Run],
        kept: list[Any],
    ) -> Any:
        """A struct mt_model; what it points to is added to the kept objects."""
        made = ffi.new("struct mt_model *")
        parsed = ffi.new("struct mt_terms **")
        call(lib.mt_terms_parse, parsed, encode(model.terms))
        terms = ffi.gc(parsed[0], lib.mt_terms_free)
        text = ffi.new("char[]", encode(model.terms))
        coefficients = ffi.new("double[]", [*model.coefficients, 0.0, 0.0][:3])
        kept += [terms, text, coefficients]
        made.group, made.layout.processes = self.truth.groups[g].name, processes
        made.terms, made.terms_text, made.coefficients = terms, text, coefficients
        made.residual = made.cross_validated = model.error
        sizes, ranks, _ = zip(*runs)
        made.runs = len(runs)
        made.size_low, made.size_high = min(sizes), max(sizes)
        made.ranks_low, made.ranks_high = min(ranks), max(ranks)
        return made

    def _time_up_to(self, uses: Uses, last: int) -> float:
        """The seconds of a run at the largest of the first sizes at which it may run;
        infinite if it may run at none of them."""
        for size in reversed(self.truth.measure_sizes[: last + 1]):
            if self.truth.allows(uses, size):
                seconds = self.truth.run(uses, size, 0)
                return math.inf if math.isnan(seconds) else seconds
        return math.inf

    def _time_groups(self) -> None:
        """Each on all of its nodes at the largest size, and on one at a middle size."""
        sizes, least = len(self.truth.measure_sizes), math.inf
        for g in range(len(self.truth.groups)):
            nodes, processes = self._all_of(g)
            alone = self.truth.alone(g, nodes, processes)
            seconds = self._time_up_to(alone, sizes - 1)
            if seconds < least:
                least, self._fastest = seconds, g
            alone = self.truth.alone(g, 1, processes)
            self._speeds[g] = 1 / self._time_up_to(alone, sizes // 2)

    def _all_of(self, g: int) -> Use:
        group = self.truth.groups[g]
        return group.nodes, most_processes(self.truth.layouts[g], group.simulate.cores)

    def _proportional(self) -> Uses:
        """All nodes, with processes in proportion to the speeds of the groups' nodes:
        the fastest have as many as they may."""
        fastest = max(range(len(self._speeds)), key=lambda g: self._speeds[g])
        _, most = self._all_of(fastest)
        uses = []
        for g, group in enumerate(self.truth.groups):
            share = math.nan
            if self._speeds[fastest] > 0:
                share = most * self._speeds[g] / self._speeds[fastest]
            processes = proportional(self.truth.layouts[g], share)
            uses.append((group.nodes, processes) if processes > 0 else NONE)
        return tuple(uses)

    def _random(self, random: Random) -> Uses:
        """Any nodes of any groups, at least one."""
        while True:
            uses = []
            for group, layouts in zip(self.truth.groups, self.truth.layouts):
                nodes = random.integer(0, group.nodes)
                processes = layouts[random.integer(0, len(layouts) - 1)]
                uses.append((nodes, processes) if nodes > 0 else NONE)
            if any(nodes for nodes, _ in uses):
                return tuple(uses)

    def _draw_allowed(self, size: float) -> Uses:
        random = Random(self.truth.seed, self.truth.name)
        for _ in range(_MOST_DRAWS):
            uses = self._random(random)
            if self.truth.allows(uses, size):
                return uses
        raise motley.Error(
            motley.Status.EINFEASIBLE, f"nothing may run at N = {size:.15g}"
        )

    def _make_allowed(self, uses: Uses, size: float) -> Uses:
        """One node after the other of the slowest group is left out; what is too large
        for the memory of so few nodes is replaced."""
        while any(nodes for nodes, _ in uses):
            if self.truth.allows(uses, size):
                return uses
            used = [g for g, (nodes, _) in enumerate(uses) if nodes > 0]
            slowest = min(used, key=lambda g: self._speeds[g])
            nodes, processes = uses[slowest]
            left = (nodes - 1, processes) if nodes > 1 else NONE
            uses = (*uses[:slowest], left, *uses[slowest + 1 :])
        return self._draw_allowed(size)

    def _plan(self, rival: str, size: float) -> Optional[dict[str, Any]]:
        """By models. Having no plan is not a failure."""
        try:
            if rival == "np-t" and self._papers:
                return self._papers.plan(size, top=1).choices.iloc[0].to_dict()
            if rival == "forms" and self._models.count > 0:
                return self._search(size)
        except motley.Error:
            pass
        return None

    def _search(self, size: float) -> Optional[dict[str, Any]]:
        problem = ffi.new("struct mt_problem *")
        problem.cluster, problem.program = self.truth.cluster, self.truth.program
        problem.models = self._models
        question = ffi.new("struct mt_question *")
        question.size, question.top = size, 1
        plan = new("mt_plan", lib.mt_plan_clear)
        call(lib.mt_plan_search, plan, problem, question)
        choice = plan.choices[0]
        configuration = ffi.addressof(choice, "configuration")
        return {
            "configuration": take(
                lib.mt_configuration_format(configuration, self.truth.cluster)
            ),
            "seconds": choice.prediction.seconds,
            "low": choice.prediction.low,
            "high": choice.prediction.high,
        }

    def choose(self, rival: str, size: float) -> tuple[Uses, Any, bool]:
        """What a rival chooses for a size, the seconds that it predicts, with their
        interval, and whether it has a plan: a model whose runs determine too little has
        none, and all nodes are taken."""
        unknown = (math.nan, math.nan, math.nan)
        truth = self.truth
        planned = rival not in ("np-t", "forms")
        plan = self._plan(rival, size)
        if plan:
            prediction = plan["seconds"], plan["low"], plan["high"]
            return truth.uses(plan["configuration"]), prediction, True
        if rival == "random":
            return self._draw_allowed(size), unknown, planned
        if rival == "fastest group":
            uses = truth.alone(self._fastest, *self._all_of(self._fastest))
        elif rival == "proportional":
            uses = self._proportional()
        else:
            uses = tuple(self._all_of(g) for g in range(len(truth.groups)))
        return self._make_allowed(uses, size), unknown, planned
