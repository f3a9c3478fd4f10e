# SPDX-License-Identifier: BSD-3-Clause
"""Shared code of the studies in Python: options and folders, reproducible random
numbers, judging and printing results. study.bash has the same for studies in shell."""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
from typing import Any, Iterable, Optional

import numpy

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_BITS = 2**64 - 1


class Study:
    """NAME/run [--quick|--recorded] [--json FILE] BUILD, and what follows from it:
    `mode` (full, quick, recorded), `build`, and `out`, the folder of all output. It
    changes to the root of the source, and puts BUILD's motley first, as command and as
    module, also for programs that the study starts."""

    def __init__(self, run: str, parser: Optional[argparse.ArgumentParser] = None):
        self.here = os.path.dirname(os.path.abspath(run))
        self.name = os.path.basename(self.here)
        parser = parser or argparse.ArgumentParser()
        parser.prog = f"experiments/{self.name}/run"
        mode = parser.add_mutually_exclusive_group()
        for word, text in (
            ("quick", "a small part, for the tests"),
            ("recorded", "from recorded truth, or from the last full run"),
        ):
            mode.add_argument(
                f"--{word}", dest="mode", action="store_const", const=word, help=text
            )
        parser.add_argument("--json", metavar="FILE", help="write the results there")
        parser.add_argument("build", metavar="BUILD")
        self.options = parser.parse_args()
        self.mode: str = self.options.mode or "full"
        self.build = os.path.abspath(self.options.build)
        self.json = self.options.json and os.path.abspath(self.options.json)
        self.out = os.path.join(self.build, "experiments", self.name)
        if self.mode == "quick":
            self.out += "/quick"
        os.makedirs(self.out, exist_ok=True)
        os.chdir(ROOT)
        os.environ["PATH"] = f"{self.build}/cli:{os.environ['PATH']}"
        modules = f"{self.build}/python", os.environ.get("PYTHONPATH", "")
        os.environ["PYTHONPATH"] = ":".join(filter(None, modules))
        os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
        sys.path.insert(0, f"{self.build}/python")

    def judge(self, results: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Compare results with targets.tsv, and keep them, with their targets, in
        OUT/results.jsonl and the file of --json."""
        judged = subprocess.run(
            ["experiments/judge"],
            input="".join(json.dumps(result) + "\n" for result in results),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        for path in (f"{self.out}/results.jsonl", self.json):
            if path:
                write(path, judged)
        return [json.loads(line) for line in judged.splitlines()]

    def report(self, lines: Iterable[str]) -> None:
        """Print a report, and keep it in OUT/report.md."""
        text = "".join(line + "\n" for line in lines)
        print(text, end="", flush=True)
        write(f"{self.out}/report.md", text)


def write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def read_lines(path: str) -> list[dict[str, Any]]:
    """The JSON objects of a file, one a line."""
    with open(path, encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def mix(state: int) -> int:
    """The step of Vigna's splitmix64 generator: every bit of the result depends on
    every bit of the state. It takes arrays of uint64, too."""
    state = (state + 0x9E3779B97F4A7C15) & _BITS
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _BITS
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _BITS
    return state ^ (state >> 31)


def _uniform(bits: int) -> float:
    """In 0 < x < 1."""
    return ((bits >> 11) + 0.5) / 9007199254740992.0


def normal(key: int) -> float:
    """A standard normal number by Box and Muller, always the same for a key."""
    return math.sqrt(-2 * math.log(_uniform(mix(key)))) * math.cos(
        2 * math.pi * _uniform(mix(key ^ _BITS))
    )


class Random:
    """A sequence of random numbers, the same for the same seed and purpose."""

    def __init__(self, seed: int, purpose: str) -> None:
        self.state = mix(seed)
        for byte in purpose.encode():
            self.state = mix(self.state ^ byte)

    def _next(self) -> float:
        self.state = mix(self.state)
        return _uniform(self.state)

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * self._next()

    def log_between(self, low: float, high: float) -> float:
        """Uniform in the logarithm."""
        return low * math.pow(high / low, self._next())

    def integer(self, low: int, high: int) -> int:
        """One of low, low + 1, ..., high."""
        return low + int((high - low + 1) * self._next())

    def chance(self, probability: float) -> bool:
        return self._next() < probability


class Noise:
    """The factors of noise of runs' seconds: log-normal, with a median of 1 and this
    deviation of the logarithm. A run has the same factor whatever ran before."""

    def __init__(self, deviation: float, seed: int) -> None:
        self.deviation = deviation
        self._key = mix(seed)

    def key(self, size: Any, uses: Iterable[Any], repetition: int) -> Any:
        """The factor of a run, by the bits of its size, uses_of() its configuration,
        and the number of its repetition; or those of many, by arrays."""
        key = mix(mix(self._key ^ size) ^ (repetition & _BITS))
        for use in uses:
            key = mix(key ^ use)
        return key

    def factor(self, key: int) -> float:
        return math.exp(self.deviation * normal(key)) if self.deviation else 1.0


def uses_of(configuration: Any) -> list[int]:
    """How a struct mt_configuration uses each group, as a number."""
    return [use.nodes << 32 | use.layout.processes for use in configuration.use]


def bits_of(size: float) -> int:
    return int(numpy.float64(size).view(numpy.uint64))


def round_half_up(value: float) -> float:
    """Round numbers from 0 on as round() of C and jq does."""
    below = math.floor(abs(value))
    return math.copysign(below + (abs(value) - below >= 0.5), value)


def six_digits(value: float) -> Any:
    """A number for a line of JSON; None: not known."""
    if not math.isfinite(value):
        return None
    rounded = float(f"{value:.6g}")
    if value == math.floor(value) and abs(value) < 1e15:
        return int(value)
    return rounded


def number(value: float) -> str:
    """The shortest text of a number, without a fraction of zero."""
    return f"{value:.0f}" if value == math.floor(value) else repr(float(value))


def percent(value: Optional[float]) -> str:
    """A share in percent, with one decimal place."""
    return "-" if value is None else number(round_half_up(value * 1000) / 10) + " %"


def wanted(target: Optional[str]) -> Optional[str]:
    """A target of shares, in percent."""
    if target is None:
        return None
    number = r"[0-9]+(\.[0-9]+)?"
    shares = re.sub(number, lambda found: percent(float(found[0]))[:-2], target)
    return shares.replace("..", " to ") + " %"


def row(cells: Iterable[Any]) -> str:
    """A row of a table in Markdown; missing values are dashes."""
    texts = ("-" if cell is None else str(cell) for cell in cells)
    return f"| {' | '.join(texts)} |"
