#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random clusters and programs, as files that motley reads: draw.py FOLDER SEED...
writes FOLDER/SEED/cluster.yaml and the programs' files, always the same for a seed."""

from __future__ import annotations

import math
import os
import sys
from dataclasses import dataclass, field
from typing import Callable, Optional

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from study import ROOT, Random, round_half_up

MOST_NODES = 24
FEWEST_NODES, FEWEST_RANKS = 4, 16
SHIPPED = ("lu", "jacobi", "fft", "fem", "spmm", "matmul-a")
PROGRAMS = (*SHIPPED, "random-1", "random-2", "random-3", "random-4")


def digits(value: float, count: int) -> float:
    """Round to this number of digits."""
    unit = math.pow(10, math.floor(math.log10(value)) - (count - 1))
    return round_half_up(value / unit) * unit


def two(value: float) -> str:
    """Two digits, as people write."""
    return f"{digits(value, 2):.15g}"


@dataclass
class Node:
    """The nodes of a group."""

    nodes: int
    cores: int
    processes: list[int] = field(default_factory=list)
    flops: float = 0


@dataclass
class Cluster:
    """The properties of a cluster that programs are made for."""

    text: str
    flops: float
    """The operations per second of all cores together."""


def draw_group_count(random: Random) -> int:
    """Two or three groups are the rule."""
    left = random.between(0, 1)
    groups = 1
    for share in (0.12, 0.3, 0.26, 0.16, 0.1):
        left -= share
        if left <= 0:
            break
        groups += 1
    return groups


def draw_cores(random: Random, most: int) -> int:
    cores = [n for n in (1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64) if n <= most]
    return cores[random.integer(0, len(cores) - 1)]


def draw_processes(random: Random, cores: int) -> list[int]:
    """The list as sites write it: one process per core; one and all; powers of two;
    some of these; or, on old machines with one core, also two that share it."""
    style = random.integer(0, 3)
    if cores == 1:
        return [1, 2] if style == 0 else [1]
    if style == 0:
        return [cores]
    processes = [1]
    m = 2
    while m < cores and style > 1 and len(processes) < 4:
        processes.append(m)
        m *= 2 if style == 2 else 4
    if cores % 2 == 0 and processes[-1] < cores // 2 and style == 3:
        processes.append(cores // 2)
    return [*processes, cores]


def draw_node(random: Random, ranks: int) -> Node:
    """The largest number of ranks that it can hold."""
    nodes = int(random.log_between(1, min(MOST_NODES, ranks) + 0.99))
    cores = draw_cores(random, ranks // nodes)
    return Node(nodes, cores, draw_processes(random, cores))


def caches(random: Random) -> str:
    size = digits(random.log_between(256, 4096), 2)
    levels = random.integer(0, 2)
    gradual = ", gradual: true" if random.chance(0.5) else ""
    text = "      caches:\n" if levels else ""
    for i in range(levels):
        slowdown = random.between(1.05, 1.8 if i else 1.4)
        text += f"        - {{size: {size:.15g} KiB, "
        text += f"slowdown: {slowdown:.3g}{gradual}}}\n"
        size = digits(size * random.log_between(4, 32), 2)
    return text


def odd_node(random: Random, nodes: int) -> str:
    text = f"      odd: {{node: {random.integer(1, nodes)}, "
    if random.chance(0.5):
        return text + f"slowdown: {random.log_between(1.05, 1.6):.3g}}}\n"
    return text + f"link_slowdown: {random.log_between(1.2, 4):.3g}}}\n"


def simulated(random: Random, node: Node) -> str:
    """The keys that a real site's file would not have."""
    text = f"    simulate:\n      flops: {two(node.flops / 1e6)} Mf\n"
    text += f"      cores: {node.cores}\n" + caches(random)
    # Half a byte to eight bytes an operation of one core, and less for each of many.
    bandwidth = node.flops / 1e6 * random.log_between(0.5, 4) * math.pow(node.cores, 0.6)
    text += f"      memory_bandwidth: {two(bandwidth)} MB/s\n"
    if node.processes[-1] > node.cores:
        text += f"      oversubscription: {random.between(0.01, 0.2):.2g}\n"
    text += f"      noise: {random.between(0.001, 0.05):.2g}\n"
    bandwidth = random.log_between(300, 10000)
    text += f"      loopback: {{latency: {random.log_between(0.3, 8):.2g} us, "
    text += f"bandwidth: {two(bandwidth)} MB/s}}\n"
    if node.nodes > 1 and random.chance(0.08):
        text += odd_node(random, node.nodes)
    return text


def network(random: Random, trunk: bool) -> str:
    """From office Ethernet to networks made for clusters. Slow networks have high
    latencies, too."""
    speed = random.between(0, 1)
    bandwidth = digits(40 * math.pow(150, speed), 2)
    latency = 60 * math.pow(1.0 / 40, speed) * random.log_between(0.6, 1.7)
    latency = digits(latency, 2)
    text = f"network:\n  latency: {latency:.15g} us\n"
    text += f"  bandwidth: {bandwidth:.15g} MB/s\n"
    if random.chance(0.25):
        text += "  protocol: none\n"
    if random.chance(0.1):
        text += "  duplex: half\n"
    if trunk:
        of_trunk = two(bandwidth * random.log_between(0.1, 10))
        late = two(latency * random.log_between(0.3, 20))
        text += f"  trunk: {{latency: {late} us, bandwidth: {of_trunk} MB/s}}\n"
    return text


def draw_nodes(random: Random, groups: int, most: int) -> list[Node]:
    """Each group takes a random part of what is left of the ranks."""
    nodes: list[Node] = []
    ranks = 0
    for g in range(groups):
        left = most - ranks - (groups - 1 - g)
        part = 1 if g == groups - 1 else random.between(0.2, 0.9)
        nodes.append(draw_node(random, int(max(1, left * part))))
        ranks += nodes[-1].nodes * nodes[-1].processes[-1]
    return nodes


def draw_groups(random: Random) -> list[Node]:
    """A cluster that leaves almost no choice is drawn again."""
    groups = draw_group_count(random)
    most = int(random.log_between(24, 160))
    while True:
        nodes = draw_nodes(random, groups, most)
        ranks = sum(node.nodes * node.processes[-1] for node in nodes)
        if ranks >= FEWEST_RANKS and sum(n.nodes for n in nodes) >= FEWEST_NODES:
            return nodes


def draw_cluster(seed: int) -> Cluster:
    random = Random(seed, "cluster")
    nodes = draw_groups(random)
    several = len(nodes) > 1 and random.chance(0.4)
    fastest = random.log_between(0.5e9, 20e9)
    text = f"# A random cluster: experiments/blind, seed {seed}; simulated.\n"
    text += f"name: blind-{seed}\nlauncher: smpi\ngroups:\n"
    for g, node in enumerate(nodes):
        node.flops = fastest / random.log_between(1, 10)
        # Enough for most, too little for some.
        memory = two(512 * node.cores * random.log_between(0.5, 4))
        # The first two groups are on different switches.
        switch = (g + 1 if g < 2 else random.integer(1, 3)) if several else 0
        text += f"  - name: {chr(ord('a') + g)}\n    nodes: {node.nodes}\n"
        text += f"    processes: {node.processes}\n    memory: {memory} MiB\n"
        text += f"    switch: s{switch}\n" if switch else ""
        text += simulated(random, node)
    text += network(random, several)
    if random.chance(0.15):
        slowdown = random.between(1.2, 2.5)
        count = random.integer(1, 4)
        text += f"glitches: {{count: {count}, slowdown: {slowdown:.2g}}}\n"
    return Cluster(text, sum(n.nodes * n.cores * n.flops for n in nodes))


@dataclass
class Sizes:
    """The sizes of a program: measured from `low` to `high`, planned for up to
    `last`."""

    low: float = 0
    high: float = 0
    last: float = 0
    powers: bool = False
    """Of two."""

    def rounded(self, size: float) -> float:
        if self.powers:
            return 2.0 ** round_half_up(math.log2(size))
        unit = math.pow(10, max(0, math.floor(math.log10(size)) - 1))
        return round_half_up(size / unit) * unit

    def spread(self, low: float, high: float, count: int) -> str:
        """`count` sizes, each a factor above the one before."""
        sizes: list[float] = []
        for i in range(count):
            size = self.rounded(low * math.pow(high / low, i / (count - 1)))
            if not sizes or size > sizes[-1]:
                sizes.append(size)
        return "[" + ", ".join(f"{size:.15g}" for size in sizes) + "]\n"

    def text(self, random: Random) -> str:
        """Plans are for sizes from the middle of the measured ones on."""
        first = self.high * math.pow(self.low / self.high, random.between(0.2, 0.7))
        measured = self.spread(self.low, self.high, random.integer(5, 7))
        planned = self.spread(first, self.last, random.integer(4, 6))
        return f"sizes:\n  measure: {measured}  plan: {planned}"


def draw_shipped(name: str, seed: int) -> str:
    """The file of a program that comes with motley, at other sizes. An all-to-all of
    many ranks takes too long to simulate, for the messages grow with P * P."""
    random = Random(seed, name)
    low, high, last = {
        "lu": ((300, 800), (1600, 4800), 9600),
        "jacobi": ((24, 48), (96, 224), 500),
        "fft": ((2048, 8192), (131072, 1048576), 4194304),
        "fem": ((50, 120), (250, 700), 1500),
        "spmm": ((300, 800), (2000, 6000), 14000),
        "matmul-a": ((48, 96), (384, 1024), 2400),
    }[name]
    sizes = Sizes(powers=name == "fft")
    sizes.low = random.log_between(*low)
    sizes.high = random.log_between(*high)
    sizes.last = min(last, sizes.high * random.log_between(1.5, 4))
    text, old_sizes = "", False
    with open(f"{ROOT}/programs/{name}.yaml", encoding="utf-8") as lines:
        for line in lines:
            of_sizes = line.startswith("sizes:")
            if of_sizes:
                text += sizes.text(random)
            old_sizes = of_sizes or (old_sizes and line.startswith(" "))
            if line.startswith("valid: P^2 <= N"):
                text += "valid: P^2 <= N && P <= 64\n"
            elif not old_sizes:
                text += line
    return text


@dataclass
class Skeleton:
    """What `apps/skeleton` is to do."""

    pattern: str = ""
    dimensions: int = 0
    steps: int = 1
    flops: float = 0
    exponent: float = 0
    logarithm: float = 0
    efficiency: float = 0
    units: float = 1
    uneven: float = 0
    heavy: float = 1
    serial: float = 0
    set: float = 0
    set_growth: float = 0
    traffic: float = 0
    message: float = 0
    growth: float = 0
    sizes: Sizes = field(default_factory=Sizes)


def draw_exponent(random: Random, low: float, high: float) -> float:
    """Round to a quarter, as exponents of algorithms are."""
    return low + random.integer(0, int((high - low) * 4)) / 4.0


def draw_dense(random: Random, s: Skeleton) -> None:
    s.sizes.high = random.log_between(1000, 5000)
    s.exponent = 3 if random.chance(0.7) else draw_exponent(random, 2, 3)
    s.steps = random.integer(10, 40)
    s.set = 8 if random.chance(0.5) else 0
    s.set_growth = 2
    s.message = 8
    s.growth = 2


def draw_stencil(random: Random, s: Skeleton) -> None:
    s.dimensions = random.integer(1, 3)
    s.sizes.high = math.pow(random.log_between(1e5, 2e7), 1.0 / s.dimensions)
    s.exponent = s.dimensions
    s.steps = random.integer(2, 6)
    s.set = random.log_between(8, 200)
    s.set_growth = s.dimensions
    s.message = random.log_between(8, 100)


def draw_sparse(random: Random, s: Skeleton) -> None:
    s.sizes.high = random.log_between(1e4, 2e6)
    s.exponent = draw_exponent(random, 1, 1.5)
    s.steps = random.integer(2, 6)
    s.uneven = random.between(0.02, 0.3) if random.chance(0.6) else 0
    s.set = random.log_between(50, 500)
    s.set_growth = 1
    s.message = random.log_between(4, 40)
    s.growth = draw_exponent(random, 0.5, 1)


def draw_transpose(random: Random, s: Skeleton) -> None:
    s.sizes.high = random.log_between(1e4, 4e6)
    s.exponent = draw_exponent(random, 1, 1.5)
    s.logarithm = 1 if s.exponent == 1 else 0
    s.steps = random.integer(1, 2)
    s.set = 32
    s.set_growth = 1
    s.message = random.log_between(4, 32)
    s.growth = 1


def draw_farm(random: Random, s: Skeleton) -> None:
    s.sizes.high = random.log_between(300, 20000)
    s.exponent = draw_exponent(random, 1, 3)
    # At most some hundred units, as each is two messages to simulate.
    s.units = math.log(random.log_between(60, 400)) / math.log(2 * s.sizes.high)
    s.message = random.log_between(8, 1000)
    s.growth = 1


def draw_pipeline(random: Random, s: Skeleton) -> None:
    s.sizes.high = random.log_between(500, 50000)
    s.exponent = draw_exponent(random, 1.5, 2.5)
    s.steps = random.integer(20, 80)
    s.set = random.log_between(4, 40)
    s.set_growth = min(2, s.exponent)
    s.message = random.log_between(8, 200)
    s.growth = 1


def draw_reduce(random: Random, s: Skeleton) -> None:
    s.sizes.high = random.log_between(1e3, 1e6)
    s.exponent = draw_exponent(random, 1, 2)
    s.logarithm = 1 if random.chance(0.3) else 0
    s.steps = random.integer(3, 15)
    s.set = random.log_between(8, 200)
    s.set_growth = 1
    s.message = random.log_between(8, 100)
    s.growth = draw_exponent(random, 0, 0.75)


PATTERNS: dict[str, Callable[[Random, Skeleton], None]] = {
    "dense": draw_dense,
    "stencil": draw_stencil,
    "sparse": draw_sparse,
    "transpose": draw_transpose,
    "farm": draw_farm,
    "pipeline": draw_pipeline,
    "reduce": draw_reduce,
}


def scale(random: Random, s: Skeleton, flops: float) -> None:
    """The work at the largest measured size takes all nodes from a twentieth of a
    second to twenty; at the smallest it is some thirty to a thousand times less."""
    seconds = random.log_between(0.05, 20)
    high = s.sizes.high
    s.efficiency = random.between(0.1, 1)
    work = math.pow(high, s.exponent) * math.pow(math.log2(high), s.logarithm)
    s.flops = digits(seconds * flops * s.efficiency / work, 3)
    low = high * math.pow(random.log_between(30, 1000), -1 / s.exponent)
    s.sizes.low = max(low, 8)
    s.sizes.last = high * random.log_between(1.5, 4)


def draw_skeleton(random: Random, flops: float) -> Skeleton:
    names = list(PATTERNS)
    s = Skeleton(names[random.integer(0, len(names) - 1)])
    PATTERNS[s.pattern](random, s)
    scale(random, s, flops)
    if s.units == 1 and not s.dimensions and random.chance(0.3):
        s.units = draw_exponent(random, 0.5, 1)
    if random.chance(0.25):
        s.heavy = random.between(1.02, 1.3)
    if random.chance(0.4):
        s.serial = random.log_between(0.0002, 0.03)
    if s.set > 0:
        s.traffic = random.log_between(0.02, 4)
    return s


def command(s: Skeleton) -> str:
    def option(name: str, silent: Optional[float] = 0) -> str:
        value = getattr(s, name.replace("-", "_"))
        return "" if value == silent else f', --{name}, "{value:.3g}"'

    return (
        f"command: [skeleton, --model-only, --pattern, {s.pattern}, --size, "
        f'"{{N}}", --steps, "{s.steps}",\n  --flops, "{s.flops:.15g}", --exponent, '
        f'"{s.exponent:.15g}", --efficiency, "{s.efficiency:.3g}"'
        + option("dimensions")
        + option("logarithm")
        + option("units", 1)
        + option("uneven")
        + option("heavy", 1)
        + option("serial")
        + f',\n  --message, "{s.message:.3g}"'
        + option("growth")
        + option("set")
        + option("set-growth")
        + option("traffic")
        + "]\n"
    )


def draw_random(number: int, seed: int, cluster: Cluster) -> str:
    """The file of one of the seed's random programs, from 1 on. Every other one says
    its work and memory."""
    random = Random(seed, f"random {number}")
    s = draw_skeleton(random, cluster.flops)
    text = f"# A random program of the kind '{s.pattern}': experiments/blind, "
    text += f"seed {seed}.\n"
    text += f"name: random-{number}\n{command(s)}"
    text += "time: {match: '^time ([0-9.eE+-]+) s'}\n" + s.sizes.text(random)
    if number % 2 == 1:
        logarithm = "*log2(N)" if s.logarithm > 0 else ""
        text += f"work: {s.flops:.15g}*N^{s.exponent:.15g}{logarithm}\n"
        if s.set > 0:
            text += f"memory: {s.set:.3g}*N^{s.set_growth:.15g}/P\n"
    # An all-to-all of more takes too long to simulate.
    if s.pattern == "transpose":
        text += "valid: P <= 64\n"
    return text + "timeout: 120 s\n"


def write_changed(path: str, text: str) -> None:
    """A file that already has this text is left alone, and others are replaced
    atomically, so that several processes may do this at a time."""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as stream:
            if stream.read() == text:
                return
    part = f"{path}.{os.getpid()}"
    with open(part, "w", encoding="utf-8") as stream:
        stream.write(text)
    os.replace(part, path)


def draw_files(folder: str, seed: int) -> None:
    """Write FOLDER/cluster.yaml and FOLDER/PROGRAM.yaml of that seed."""
    os.makedirs(folder, exist_ok=True)
    cluster = draw_cluster(seed)
    write_changed(f"{folder}/cluster.yaml", cluster.text)
    for name in PROGRAMS:
        if name in SHIPPED:
            text = draw_shipped(name, seed)
        else:
            text = draw_random(int(name[-1]), seed, cluster)
        write_changed(f"{folder}/{name}.yaml", text)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        print("usage: draw.py FOLDER SEED...", file=sys.stderr)
        sys.exit(2)
    for word in sys.argv[2:]:
        draw_files(os.path.join(sys.argv[1], word), int(word))
