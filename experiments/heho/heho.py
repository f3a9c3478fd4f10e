#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""How good the choices of the models are, on recorded clusters: fits models to runs
with noise, and judges their choice at every plan size. Prints a line of JSON for each
cluster, program, noise and kind of model. Needs BUILD/python in PYTHONPATH."""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import math
import os
import sys
from dataclasses import dataclass
from typing import Any, Iterator, Optional

import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import motley
from recorded import JUDGING, START_UP, Fitted, Options, Recorded, Replay
from study import six_digits

CLUSTERS = "toyohashi-2,toyohashi-3,attic,generations,two-switches,noisy"
APPS = "lu,jacobi,fem,fft"
TOP = 20


@dataclass
class Verdict:
    """The choice at one size, among the configurations that have truth there."""

    size: float
    measured: int
    chosen: int = -1
    best: int = -1
    chosen_seconds: float = 0
    best_seconds: float = 0
    prediction: tuple[float, float, float] = (0, 0, 0)
    """Seconds, low and high of the chosen one."""
    predicted: int = 0
    covered: bool = False
    """The interval holds a new run of the chosen one; and likewise of how many of the
    best tenth of the configurations."""
    top_covered: int = 0
    top_count: int = 0
    verification_runs: int = 0
    verification_seconds: float = 0

    @property
    def regret(self) -> float:
        return self.chosen_seconds / self.best_seconds - 1

    @property
    def error(self) -> float:
        """The relative error of the predicted time of the chosen configuration."""
        return self.prediction[0] / self.chosen_seconds - 1


@dataclass
class Trial:
    """One kind of model on one recorded cluster and app, with the noise of one seed."""

    verdicts: list[Verdict]
    training_runs: int
    training_seconds: float

    @property
    def upper(self) -> int:
        """The first verdict of the upper half of the sizes."""
        return len(self.verdicts) // 2


def covers(prediction: tuple[float, float, float], replay: Replay, point: int) -> bool:
    return prediction[1] <= replay.run(point, JUDGING) <= prediction[2]


def verify(verdict: Verdict, fitted: Fitted, span: range, runs: int) -> None:
    """Take the one that is the best after `runs` runs, as `motley plan --verify`."""
    verification = fitted.verify(span, runs)
    for proposal in verification:
        verdict.verification_runs += 1
        point = fitted.recorded.find(proposal.configuration, proposal.size)
        seconds = fitted.replay.run(point, verdict.verification_runs)
        verdict.verification_seconds += seconds + START_UP
        verification.observe(proposal, seconds)
    best = verification.best()
    verdict.chosen = fitted.recorded.find(best["configuration"], verdict.size)
    verdict.prediction = (best["seconds"], best["low"], best["high"])


def choose(verdict: Verdict, fitted: Fitted, span: range) -> None:
    """Choose unless a verification did: ties go to fewer nodes, as in a plan. Judge the
    intervals of the best tenth of the configurations, or of TOP of them."""
    recorded = fitted.recorded
    expected = fitted.expect(span)
    truth = numpy.array(recorded.seconds[span.start : span.stop])
    order = numpy.argsort(truth, kind="stable")
    top = order[: (len(span) - 1) // 10 + 1]
    verdict.best = span.start + int(order[0])
    verdict.predicted = int(numpy.count_nonzero(~numpy.isnan(expected)))
    for i in top[:: max(1, len(top) // TOP)]:
        point = span.start + int(i)
        if not numpy.isnan(expected[i]):
            verdict.top_count += 1
            prediction = fitted.predict(point)
            verdict.top_covered += covers(prediction, fitted.replay, point)
    if verdict.chosen < 0 and verdict.predicted > 0:
        nodes = numpy.array(recorded.nodes[span.start : span.stop])
        best = numpy.lexsort((nodes, expected))[0]
        verdict.chosen = span.start + int(best)
        verdict.prediction = fitted.predict(verdict.chosen)


def judge_size(fitted: Fitted, span: range, runs: int) -> Verdict:
    recorded = fitted.recorded
    verdict = Verdict(recorded.sizes[span.start], len(span))
    if runs > 0:
        verify(verdict, fitted, span, runs)
    choose(verdict, fitted, span)
    if verdict.chosen < 0:
        raise motley.Error(
            motley.Status.ENOTFOUND,
            f"predicts no configuration at N = {verdict.size:.15g}",
        )
    verdict.chosen_seconds = recorded.seconds[verdict.chosen]
    verdict.best_seconds = recorded.seconds[verdict.best]
    verdict.covered = covers(verdict.prediction, fitted.replay, verdict.chosen)
    return verdict


def judge(fitted: Fitted, runs: int) -> Trial:
    spans = [fitted.recorded.truth_at(size) for size in fitted.recorded.plan_sizes]
    verdicts = [judge_size(fitted, span, runs) for span in spans if span]
    if not verdicts:
        raise motley.Error(motley.Status.ENOTFOUND, "no truth at any plan size")
    return Trial(verdicts, len(fitted.training), fitted.training_seconds)


def regret(trials: list[Trial], upper: bool) -> dict[str, float]:
    """The largest over the sizes and their mean, on average over the trials; and the
    largest of all."""
    figures = {"max": 0.0, "mean": 0.0, "worst_seed": 0.0}
    for trial in trials:
        regrets = [verdict.regret for verdict in trial.verdicts]
        regrets = regrets[trial.upper if upper else 0 :]
        most = max(0.0, *regrets)
        figures["max"] += most / len(trials)
        figures["mean"] += sum(regrets) / len(regrets) / len(trials)
        figures["worst_seed"] = max(figures["worst_seed"], most)
    return figures


def percentile95(values: list[float]) -> float:
    """The smallest that at least 95 % of the values do not exceed."""
    return sorted(values)[math.ceil(0.95 * len(values)) - 1]


def share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else math.nan


def figures(trials: list[Trial], recorded: Recorded) -> dict[str, Any]:
    """The summary of the trials of one model."""
    verdicts = [verdict for trial in trials for verdict in trial.verdicts]
    whole, upper = regret(trials, False), regret(trials, True)
    upper_verdicts = [verdict for t in trials for verdict in t.verdicts[t.upper :]]
    errors = sorted(abs(verdict.error) for verdict in upper_verdicts)
    papers_seconds = recorded.papers_seconds + START_UP * recorded.papers_runs

    def total(name: str) -> int:
        return sum(getattr(verdict, name) for verdict in verdicts)

    costs = dict.fromkeys(("training_runs", "training", "runs", "verification"), 0.0)
    for trial in trials:
        for verdict in trial.verdicts:
            runs = verdict.verification_runs
            costs["runs"] += runs / len(trial.verdicts) / len(trials)
        dearest = max(verdict.verification_seconds for verdict in trial.verdicts)
        costs["verification"] += dearest / len(trials)
        costs["training_runs"] += trial.training_runs / len(trials)
        costs["training"] += trial.training_seconds / len(trials)
    return {
        "max_regret": whole["max"],
        "mean_regret": whole["mean"],
        "worst_seed_max_regret": whole["worst_seed"],
        "upper_max_regret": upper["max"],
        "upper_mean_regret": upper["mean"],
        "upper_regret_95": percentile95([x.regret for x in upper_verdicts]),
        "worst_seed_upper_max_regret": upper["worst_seed"],
        "upper_error_median": (
            errors[(len(errors) - 1) // 2] + errors[len(errors) // 2]
        )
        / 2,
        "upper_error_worst": errors[-1],
        "coverage": share(total("covered"), len(verdicts)),
        "coverage_cases": len(verdicts),
        "top_coverage": share(total("top_covered"), total("top_count")),
        "top_coverage_cases": total("top_count"),
        "seeds": len(trials),
        "sizes": len(trials[0].verdicts),
        "configurations": trials[0].verdicts[-1].measured,
        "predicted": share(total("predicted"), total("measured")),
        "training_runs": costs["training_runs"],
        "training_share": share(costs["training"], papers_seconds),
        "verification_runs": costs["runs"],
        "verification_share": share(costs["verification"], papers_seconds),
    }


def line(
    recorded: Recorded,
    noise: float,
    options: Options,
    outcome: list[Trial] | motley.Error,
) -> dict[str, Any]:
    """Failing because the runs do not determine the model is a result, too."""
    made = {
        "experiment": "heho",
        "cluster": recorded.name,
        "app": recorded.app,
        "noise": noise,
        "model": options.kind,
        "training": options.design,
        "verified": options.verify > 0,
        "verify": options.verify,
        "simulated": recorded.simulated,
        "smallest_group": min(group.nodes for group in recorded.groups),
        "papers_training_runs": recorded.papers_runs,
        "papers_training_seconds": recorded.papers_seconds,
        "fitted": not isinstance(outcome, motley.Error),
    }
    if isinstance(outcome, motley.Error):
        made["reason"] = str(outcome)
    else:
        made.update(figures(outcome, recorded))
    return {
        key: six_digits(value) if isinstance(value, float) else value
        for key, value in made.items()
    }


def try_seeds(
    recorded: Recorded, noise: float, options: Options, seeds: int
) -> tuple[list[Trial], list[Trial]]:
    """A trial for each seed, and the same with verification, by the same models."""
    noise = recorded.noise(noise)
    plain, verified = [], []
    for seed in range(1, (seeds if noise > 0 else 1) + 1):
        fitted = Fitted(Replay(recorded, noise, seed), options)
        plain.append(judge(fitted, 0))
        if options.verify > 0:
            verified.append(judge(fitted, options.verify))
    return plain, verified


def print_detail(
    recorded: Recorded, noise: float, options: Options, trials: list[Trial]
) -> None:
    """Every choice, as a table for people."""
    import pandas

    print(
        f"{recorded.name}, {recorded.app}, noise {noise:g}, {options.kind} "
        f"({'simulated' if recorded.simulated else 'measured'})"
        + (", verified" if options.verify else "")
    )
    rows = [
        {
            "seed": seed,
            "size": verdict.size,
            "chosen": recorded.texts[verdict.chosen],
            "truth": verdict.chosen_seconds,
            "best": recorded.texts[verdict.best],
            "its truth": verdict.best_seconds,
            "regret": verdict.regret,
            **dict(zip(("predicted", "low", "high"), verdict.prediction)),
            "error": verdict.error,
            "covers": verdict.covered,
        }
        for seed, trial in enumerate(trials, 1)
        for verdict in trial.verdicts
    ]
    print(pandas.DataFrame(rows).to_string(index=False, float_format="{:.4g}".format))


def judge_models(
    recorded: Recorded, noise: float, options: Options, seeds: int, detail: bool = False
) -> Iterator[dict[str, Any]]:
    """A line for a kind of model, and another one where it is verified."""
    plain = dataclasses.replace(options, verify=0)
    if options.kind != "auto":
        options = plain
    try:
        trials, verified = try_seeds(recorded, noise, options, seeds)
    except motley.Error as error:
        if error.status not in (motley.Status.ERANK, motley.Status.ENOTFOUND):
            raise
        yield line(recorded, noise, options, error)
        return
    if detail:
        print_detail(recorded, noise, plain, trials)
        if verified:
            print_detail(recorded, noise, options, verified)
        return
    yield line(recorded, noise, plain, trials)
    if verified:
        yield line(recorded, noise, options, verified)


def cases(clusters: list[str], apps: list[str]) -> Iterator[tuple[str, str]]:
    """Each program on each cluster; the twins have fem in its form of 2006, hpcmw."""
    for cluster, app in itertools.product(clusters, apps):
        yield cluster, "hpcmw" if (cluster[:9], app) == ("toyohashi", "fem") else app


def load(folder: str, cluster: str, app: str) -> Optional[Recorded]:
    """None: it is not recorded, and a message says so."""
    try:
        return Recorded(folder, cluster, app)
    except FileNotFoundError as error:
        print(f"heho: left out: {error.filename}: not recorded", file=sys.stderr)
        return None


def _noise(text: str) -> float:
    noise = float(text)
    if not 0 <= noise < 1:
        raise ValueError
    return noise


def _options() -> argparse.Namespace:
    def words(text: str) -> list[str]:
        return text.split(",")

    def noises(text: str) -> list[float]:
        return [_noise(word) for word in words(text)]

    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--clusters", type=words, default=CLUSTERS, help="recorded clusters (all)")
    add("--apps", type=words, default=APPS, help="recorded programs (all)")
    add("--noise", type=noises, default="0.02", help="deviations of seconds (0.02)")
    add("--models", type=words, default="auto", help="auto, n-t, p-t, np-t (auto)")
    add("--training", default="", choices=("all", "base", "designed"))
    add("--seeds", type=int, default=5, help="each with other noise (5)")
    add("--runs", type=int, default=40, help="most runs of auto's training (40)")
    add("--verify", type=int, default=0, help="also verify auto's choice by so many")
    add("--detail", action="store_true", help="every choice, as a table")
    add("folder", help="of the recorded truth")
    return parser.parse_args()


def main() -> None:
    options = _options()
    found = 0
    for cluster, app in cases(options.clusters, options.apps):
        recorded = load(options.folder, cluster, app)
        if recorded is None:
            continue
        found += 1
        for noise, kind in itertools.product(options.noise, options.models):
            tried = Options(kind, options.training, options.runs, options.verify)
            for made in judge_models(
                recorded, noise, tried, options.seeds, options.detail
            ):
                print(json.dumps(made), flush=True)
    if not found:
        sys.exit(f"heho: nothing is recorded in '{options.folder}'")


if __name__ == "__main__":
    try:
        main()
    except (motley.Error, OSError) as error:
        sys.exit(f"heho: {error}")
