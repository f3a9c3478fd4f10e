#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Judges motley's plans for random programs on random clusters, made from noisy runs.
Prints a line of JSON for each plan. Needs BUILD/cli in PATH, and BUILD/python in
PYTHONPATH."""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import sys
from dataclasses import dataclass
from typing import Any, Iterator, Optional

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import motley
import pandas
from motley.library import ffi, text
from study import six_digits

from draw import PROGRAMS
from rivals import NAMES, Rivals
from truth import NONE, Search, Truth, Uses

# Of the runs of a point: those of the training are counted from 0 on, those that verify
# and the one that judges from these, so that no two are the same.
VERIFYING, JUDGING = 500, 1000

# As `motley plan --verify auto`.
KNOWN_RUNS, KNOWN_CONFIDENCE = 24, 0.9


@dataclass
class Verdict:
    """A plan for one size."""

    size: float
    upper: bool
    """In the upper half of the sizes that are planned for."""
    model: str
    verification: str
    """none: by models and training runs alone; runs: by a number of runs at the size;
    auto: by runs at the size until the best is known."""
    chosen: Uses = ()
    prediction: tuple[float, float, float] = (math.nan, math.nan, math.nan)
    planned: bool = True
    """False: a rival whose model has no plan."""
    seconds: float = 0
    covered: bool = False
    """The interval holds a new run."""
    runs: int = 0
    """The number of runs that verified it."""
    best: tuple[Uses, float] = ((), 0)


class Trial:
    """One case: trained, planned and judged. The best is searched once all choices are
    known."""

    def __init__(self, truth: Truth, options: argparse.Namespace) -> None:
        self.truth, self.options = truth, options
        self.runs, self.seconds = 0, 0.0
        self.papers_runs, self.papers_seconds = 0, 0.0
        self.training = self._measure()
        self.judged = [i for i in range(len(truth.plan_sizes)) if self._is_judged(i)]
        ways = ["none"]
        ways += ["runs"] if options.verify > 0 else []
        ways += ["auto"] if options.verify_auto else []
        self.verdicts = [self._plan(i, way) for way in ways for i in self.judged]
        if options.rivals:
            self._choose_rivals()
        for verdict in self.verdicts:
            verdict.best = Search(truth, verdict.size).find()

    def _measure(self) -> pandas.DataFrame:
        """Train as `motley measure --runs` does."""
        truth = self.truth
        design = motley.Design(
            truth.cluster_path, truth.program_path, runs=self.options.runs
        )
        runs: list[tuple[str, float, float]] = []
        for proposal in design:
            point = proposal.configuration, proposal.size
            seconds = truth.run(
                truth.uses(point[0]), point[1], sum(run[:2] == point for run in runs)
            )
            self.runs += 1
            if not math.isnan(seconds):
                runs.append((*point, seconds))
                self.seconds += seconds
            design.observe(proposal, seconds)
        return pandas.DataFrame(runs, columns=["configuration", "size", "seconds"])

    def _is_judged(self, i: int) -> bool:
        """Sizes that are judged: the upper half, and the smallest, if all nodes of some
        groups can hold it: others need more memory a process."""
        truth = self.truth
        if 0 < i < len(truth.plan_sizes) // 2:
            return False
        ways = [
            [NONE, *((group.nodes, processes) for processes in layouts)]
            for group, layouts in zip(truth.groups, truth.layouts)
        ]
        size = truth.plan_sizes[i]
        return any(truth.allows(uses, size) for uses in itertools.product(*ways))

    def _verdict(self, i: int, model: str, verification: str) -> Verdict:
        sizes = self.truth.plan_sizes
        return Verdict(sizes[i], i >= len(sizes) // 2, model, verification)

    def _plan(self, i: int, verification: str) -> Verdict:
        """Use a fresh predictor, as verification at one size changes it."""
        truth = self.truth
        verdict = self._verdict(i, "auto", verification)
        predictor = motley.Predictor.of_runs(
            truth.cluster_path, truth.program_path, self.training
        )
        if verification == "none":
            plan = predictor.plan(verdict.size, top=1).choices.iloc[0]
        else:
            plan = self._verify(verdict, predictor)
        verdict.chosen = truth.uses(plan["configuration"])
        verdict.prediction = plan["seconds"], plan["low"], plan["high"]
        self._judge(verdict)
        return verdict

    def _verify(self, verdict: Verdict, predictor: motley.Predictor) -> dict[str, Any]:
        """Verify as `motley plan --verify` does."""
        if verdict.verification == "auto":
            verification = predictor.verify(
                verdict.size, runs=KNOWN_RUNS, confidence=KNOWN_CONFIDENCE
            )
        else:
            verification = predictor.verify(verdict.size, runs=self.options.verify)
        for proposal in verification:
            uses = self.truth.uses(proposal.configuration)
            seconds = self.truth.run(uses, proposal.size, VERIFYING + verdict.runs)
            verdict.runs += 1
            verification.observe(proposal, seconds)
        return verification.best()

    def _judge(self, verdict: Verdict) -> None:
        verdict.seconds = self.truth.true_seconds(verdict.chosen, verdict.size)
        again = self.truth.run(verdict.chosen, verdict.size, JUDGING)
        verdict.covered = verdict.prediction[1] <= again <= verdict.prediction[2]

    def _choose_rivals(self) -> None:
        rivals = Rivals(self.truth, self.training)
        for i, name in itertools.product(self.judged, NAMES):
            verdict = self._verdict(i, name, "none")
            verdict.chosen, verdict.prediction, verdict.planned = rivals.choose(
                name, verdict.size
            )
            self._judge(verdict)
            self.verdicts.append(verdict)
        self.papers_runs = rivals.papers_runs
        self.papers_seconds = rivals.papers_seconds


def kind_of(truth: Truth) -> str:
    """The pattern of a random program, or the name of a shipped one."""
    words: list[str] = []
    while truth.program.command[len(words)] != ffi.NULL:
        words.append(text(truth.program.command[len(words)]) or "")
    if "--pattern" in words[:-1]:
        return words[words.index("--pattern") + 1]
    return truth.name


def groups_text(truth: Truth) -> str:
    """ "a 4x4 310Gf, b 1x2 1300Gf": the groups' nodes, most processes and speeds."""
    groups = ", ".join(
        f"{name} {group.nodes}x{layouts[-1]} {group.simulate.flops / 1e9:.3g}Gf"
        for name, group, layouts in zip(truth.names, truth.groups, truth.layouts)
    )
    switches = truth.cluster.network.switches
    return groups + (f"; {switches} switches" if switches > 1 else "")


def failure(truth: Truth, model: str, reason: str) -> dict[str, Any]:
    """A plan that cannot be judged is a result, too."""
    return {
        "experiment": "blind",
        "seed": truth.seed,
        "program": truth.name,
        "kind": kind_of(truth),
        "model": model,
        "failed": reason,
    }


def line(truth: Truth, trial: Trial, verdict: Verdict) -> dict[str, Any]:
    if not math.isfinite(verdict.seconds):
        return failure(truth, verdict.model, "what it chose cannot run")
    predicted, low, high = verdict.prediction
    made = {
        "experiment": "blind",
        "seed": truth.seed,
        "program": truth.name,
        "kind": kind_of(truth),
        "model": verdict.model,
        "verification": verdict.verification,
        "planned": verdict.planned,
        "groups": groups_text(truth),
        "size": int(verdict.size),
        "upper": verdict.upper,
        "chosen": truth.text(verdict.chosen),
        "seconds": verdict.seconds,
        "best": truth.text(verdict.best[0]),
        "best_seconds": verdict.best[1],
        "regret": verdict.seconds / verdict.best[1] - 1,
        "predicted": predicted,
        "error": predicted / verdict.seconds - 1,
        "low": low,
        "high": high,
        "covered": bool(verdict.covered),
        "verification_runs": verdict.runs,
        "training_runs": trial.runs,
        "training_seconds": trial.seconds,
        "papers_runs": trial.papers_runs,
        "papers_seconds": trial.papers_seconds,
    }
    return {
        key: six_digits(value) if isinstance(value, float) else value
        for key, value in made.items()
    }


def run_case(
    seed: int, program: str, options: argparse.Namespace
) -> list[dict[str, Any]]:
    """The lines of a case."""
    truth = Truth(options.cache, seed, program, options.noise)
    try:
        trial = Trial(truth, options)
        lines = [line(truth, trial, verdict) for verdict in trial.verdicts]
    except motley.Error as error:
        lines = [failure(truth, "auto", str(error))]
    print(
        f"{seed}-{program}: {truth.simulated} simulated, {truth.seconds:.1f} s",
        file=sys.stderr,
    )
    return lines


def _programs(words: str) -> list[str]:
    wanted = words.split(",")
    for word in wanted:
        if word not in PROGRAMS:
            raise argparse.ArgumentTypeError(f"unknown program '{word}'")
    return [name for name in PROGRAMS if name in wanted]


def _seeds(words: str) -> Iterator[int]:
    """ "7", or "3-9"."""
    first, _, last = words.partition("-")
    return iter(range(int(first), int(last or first) + 1))


def parse(words: Optional[list[str]] = None) -> argparse.Namespace:
    """The options; None: those of the command line."""
    parser = argparse.ArgumentParser(prog="blind", description=__doc__)
    add = parser.add_argument
    add("--cache", metavar="FOLDER", default="build/experiments/blind/truth")
    add("--programs", type=_programs, default=PROGRAMS, help="which of them (all)")
    add("--runs", type=int, default=40, help="of the training at most (40)")
    add("--verify", type=int, default=8, help="also plan by so many at the size (8)")
    add("--verify-auto", action="store_true", help="... as it takes to know the best")
    add("--rivals", action="store_true", help="also judge what others would choose")
    add("--noise", type=float, default=0.02, help="deviation of seconds (0.02)")
    add("seeds", type=_seeds, nargs="+", metavar="SEED[-SEED]")
    return parser.parse_args(words)


def main() -> None:
    options = parse()
    for seed in itertools.chain(*options.seeds):
        for program in options.programs:
            for made in run_case(seed, program, options):
                print(json.dumps(made), flush=True)


if __name__ == "__main__":
    try:
        main()
    except (motley.Error, OSError) as error:
        sys.exit(f"blind: {error}")
