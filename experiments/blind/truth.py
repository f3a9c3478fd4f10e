# SPDX-License-Identifier: BSD-3-Clause
"""The true times of a random program on a random cluster: simulated without noise when
they are asked for, and kept in a file that later runs share; and the best of them."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from typing import Any, Iterator, Optional

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import motley
from motley.library import call, ffi, lib
from motley.models import load_inputs
from study import Noise, Random, bits_of, mix

from draw import draw_files

# The most runs at a size: at first, and when searching near the best.
_RANDOM_SAMPLE, _MOST_NEIGHBOURS, _BEST_EXPANDED = 8, 40, 3

Use = tuple[int, int]
Uses = tuple[Use, ...]
"""Nodes and processes on each, of every group; (0, 0): it is not used."""
NONE: Use = (0, 0)


class Truth:
    """The case of a seed and one of its programs. Its files are written into
    FOLDER/SEED, and its truth into FOLDER/SEED/PROGRAM-VERSION.csv, where the version
    depends on what the files say. Several processes may add to it at the same time."""

    def __init__(self, folder: str, seed: int, program: str, noise: float) -> None:
        self.seed, self.name = seed, program
        own = os.path.join(folder, str(seed))
        draw_files(own, seed)
        self.cluster_path = f"{own}/cluster.yaml"
        self.program_path = f"{own}/{program}.yaml"
        self.cluster, self.program = load_inputs(self.cluster_path, self.program_path)
        self.groups = ffi.unpack(self.cluster.groups, self.cluster.ngroups)
        self.names = [ffi.string(group.name).decode() for group in self.groups]
        self.layouts = [
            [group.layouts[k].processes for k in range(group.nlayouts)]
            for group in self.groups
        ]
        self.measure_sizes = _unpack(self.program, "measure_sizes")
        self.plan_sizes = _unpack(self.program, "plan_sizes")
        self.simulated, self.seconds = 0, 0.0
        self._noise = Noise(noise, seed)
        self._scratch = tempfile.TemporaryDirectory()
        self._quiet = self._write_quiet()
        self._path = f"{own}/{program}-{self._version():08x}.csv"
        self._allowed: dict[tuple[Uses, float], bool] = {}
        self.points: dict[tuple[Uses, float], float] = {}
        self._read()

    def _write_quiet(self) -> str:
        """The cluster without its noise: a trial adds some of its own."""
        path = os.path.join(self._scratch.name, "cluster.yaml")
        with open(self.cluster_path, encoding="utf-8") as cluster:
            text = re.sub(r"^ *noise:.*\n", "", cluster.read(), flags=re.MULTILINE)
        with open(path, "w", encoding="utf-8") as quiet:
            quiet.write(text)
        return path

    def _version(self) -> int:
        """A number that changes with the text of the files."""
        version = 0
        for path in (self.cluster_path, self.program_path):
            with open(path, "rb") as stream:
                for byte in stream.read():
                    version = mix(version ^ byte)
        return version >> 32

    def _read(self) -> None:
        """Skip half lines of writers that were killed."""
        if not os.path.exists(self._path):
            return
        with open(self._path, encoding="utf-8") as lines:
            for line in lines:
                words = line.split(",")
                if len(words) == 3 and line.endswith("\n"):
                    point = self.uses(words[0]), float(words[1])
                    self.points.setdefault(point, float(words[2]))

    def text(self, uses: Uses) -> str:
        """As a configuration is written."""
        return "+".join(
            f"{name}:{nodes}x{processes}"
            for name, (nodes, processes) in zip(self.names, uses)
            if nodes > 0
        )

    def uses(self, text: str) -> Uses:
        found = [NONE] * len(self.names)
        for word in text.split("+"):
            name, nodes, processes = re.split("[:x]", word)
            found[self.names.index(name)] = int(nodes), int(processes)
        return tuple(found)

    def alone(self, group: int, nodes: int, processes: int) -> Uses:
        uses = [NONE] * len(self.names)
        uses[group] = nodes, processes
        return tuple(uses)

    def allows(self, uses: Uses, size: float) -> bool:
        """Whether the program may run so."""
        known = self._allowed.get((uses, size))
        if known is None:
            known = any(nodes for nodes, _ in uses) and self._fits(uses, size)
            self._allowed[uses, size] = known
        return known

    def _fits(self, uses: Uses, size: float) -> bool:
        configuration = ffi.new("struct mt_configuration *")
        text = self.text(uses).encode()
        call(lib.mt_configuration_parse, configuration, self.cluster, text)
        return bool(lib.mt_plan_fits(self.cluster, self.program, configuration, size))

    def true_seconds(self, uses: Uses, size: float) -> float:
        """NaN: the run fails."""
        point = uses, size
        if point not in self.points:
            start = time.monotonic()
            line = f"{self.text(uses)},{size:.15g},{self._simulate(uses, size):.9g}\n"
            self.simulated += 1
            self.seconds += time.monotonic() - start
            # In one piece, so that those of several processes do not mix.
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
            file = os.open(self._path, flags, 0o666)
            os.write(file, line.encode())
            os.close(file)
            self.points[point] = float(line.split(",")[2])
        return self.points[point]

    def _simulate(self, uses: Uses, size: float) -> float:
        # In a store of its own, as models of earlier runs would be fitted first.
        with tempfile.TemporaryDirectory(dir=self._scratch.name) as folder:
            made = subprocess.run(
                ["motley", "run", "--json", "--size", f"{size:.17g}"]
                + ["--configuration", self.text(uses)]
                + ["--timeout", f"{self.program.timeout:.15g} s"]
                + ["--db", f"{folder}/motley.db", self._quiet, self.program_path],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        if made.returncode == 1:
            return math.nan
        if made.returncode != 0:
            raise OSError(f"motley run: {made.stderr.strip()}")
        return float(json.loads(made.stdout)["seconds"])

    def run(self, uses: Uses, size: float, repetition: int) -> float:
        """The seconds of a run with noise; NaN: it fails. The repetition says which
        run."""
        seconds = self.true_seconds(uses, size)
        numbers = [nodes << 32 | processes for nodes, processes in uses]
        numbers += [0] * (lib.MT_MAX_GROUPS - len(numbers))
        key = self._noise.key(bits_of(size), numbers, repetition)
        return seconds * self._noise.factor(key)


def _unpack(program: Any, member: str) -> list[float]:
    return ffi.unpack(getattr(program, member), getattr(program, f"n{member}"))


class Search:
    """Search the best at a size by known and further runs."""

    def __init__(self, truth: Truth, size: float) -> None:
        self.truth, self.size = truth, size
        self.left = 0
        self.expanded: list[Uses] = []

    def find(self) -> tuple[Uses, float]:
        for uses in (*self._alone(), *self._all_groups(), *self._sample()):
            self._try(uses)
        self.left = _MOST_NEIGHBOURS
        self._descend()
        best = self._fastest(fresh=False)
        if best is None:
            raise motley.Error(
                motley.Status.ENOTFOUND, f"no run succeeds at N = {self.size:.15g}"
            )
        return best

    def _try(self, uses: Uses) -> None:
        if self.truth.allows(uses, self.size):
            before = len(self.truth.points)
            self.truth.true_seconds(uses, self.size)
            self.left -= len(self.truth.points) - before

    def _alone(self) -> Iterator[Uses]:
        """Each group on all of its nodes, half of them, and one."""
        for g, group in enumerate(self.truth.groups):
            for processes in self.truth.layouts[g]:
                for nodes in (group.nodes, (group.nodes + 1) // 2, 1):
                    yield self.truth.alone(g, nodes, processes)

    def _all_groups(self) -> Iterator[Uses]:
        """All nodes, with the fewest and the most processes."""
        both = list(zip(self.truth.groups, self.truth.layouts))
        yield tuple((group.nodes, layouts[0]) for group, layouts in both)
        yield tuple((group.nodes, layouts[-1]) for group, layouts in both)

    def _sample(self) -> Iterator[Uses]:
        """Half of the groups are in it, and half of these with all of their nodes."""
        random = Random(self.truth.seed, self.truth.name)
        for _ in range(_RANDOM_SAMPLE if len(self.truth.groups) > 1 else 0):
            mixed = []
            for group, layouts in zip(self.truth.groups, self.truth.layouts):
                used, all_nodes = random.chance(0.6), random.chance(0.5)
                nodes = random.integer(1, group.nodes)
                processes = layouts[random.integer(0, len(layouts) - 1)]
                use = (group.nodes if all_nodes else nodes), processes
                mixed.append(use if used else NONE)
            yield tuple(mixed)

    def _fastest(self, fresh: bool) -> Optional[tuple[Uses, float]]:
        """The best at the size; fresh: among those whose neighbours are not known."""
        known = [
            (uses, seconds)
            for (uses, size), seconds in self.truth.points.items()
            if size == self.size
            and not math.isnan(seconds)
            and not (fresh and uses in self.expanded)
        ]
        return min(known, key=lambda point: point[1], default=None)

    def _descend(self) -> None:
        while self.left > 0 and len(self.expanded) < _MOST_NEIGHBOURS:
            found = self._fastest(fresh=True)
            if found is None:
                break
            uses, least = found
            faster = sum(
                size == self.size and seconds < least
                for (_, size), seconds in self.truth.points.items()
            )
            if faster >= _BEST_EXPANDED:
                break
            self.expanded.append(uses)
            for g, use in enumerate(uses):
                for change in self._changes(use, g):
                    if self.left > 0:
                        self._try((*uses[:g], change, *uses[g + 1 :]))

    def _changes(self, use: Use, g: int) -> Iterator[Use]:
        """A node more or less, all or none of them, processes one step up or down."""
        nodes, processes = use
        most, layouts = self.truth.groups[g].nodes, self.truth.layouts[g]
        kept = processes if nodes else layouts[-1]
        changes = [(nodes + 1, kept), (nodes - 1, kept), (most, kept), NONE]
        if processes in layouts:
            step = layouts.index(processes)
            changes += [(nodes, next_to) for next_to in layouts[step + 1 : step + 2]]
            changes += [(nodes, next_to) for next_to in layouts[:step][-1:]]
        changes.append((most, layouts[0]))
        for change in changes:
            if change[0] == 0:
                yield NONE
            elif 0 < change[0] <= most:
                yield change
