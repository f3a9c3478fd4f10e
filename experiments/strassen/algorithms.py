# SPDX-License-Identifier: BSD-3-Clause
"""The algorithms of Ohtaki, Takahashi, Boku and Sato (2004), with their own cost
function: which blocks of a grid go to which processor, and which grid is best."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2
from typing import Sequence

ORDERS = ("rows", "to and fro", "dealt")
"""Ways of placing the blocks, as the paper does not say which it uses: one processor's
blocks after the other's along the rows, or along rows to and fro; or in the order in
which algorithm 1 deals them out."""


@dataclass
class Inputs:
    """The input of the cost function: seconds of a product of size N on each processor,
    and of a message with an N x N matrix."""

    size: float
    products: Sequence[float]
    message: float


@dataclass
class Cost:
    """A grid of g x g blocks, and how long it takes by the function."""

    g: int
    shares: list[int]  # how many blocks each processor has
    computing: float
    messages: int  # max(a_i + b_i), blocks that the busiest sends and receives
    communication: float
    grid: list[list[int]]  # the processor of each block

    @property
    def seconds(self) -> float:
        return self.computing + self.communication


def deal(seconds: Sequence[float], blocks: int) -> list[int]:
    """Algorithm 1 (figure 7): the processors that get the blocks, in turn. Each block
    goes to the one that would end first with it, and on a tie to the first of these."""
    ends = [0.0] * len(seconds)
    given = []
    for _ in range(blocks):
        # Rounded, so that times that differ in the last digits only are a tie.
        after = [round(end + each, 9) for end, each in zip(ends, seconds)]
        chosen = after.index(min(after))
        ends[chosen] += seconds[chosen]
        given.append(chosen)
    return given


def lay(given: Sequence[int], g: int, order: str) -> list[list[int]]:
    """The processor of each block of the grid."""
    placed = list(given) if order == "dealt" else sorted(given)
    rows = [placed[i * g : (i + 1) * g] for i in range(g)]
    if order == "to and fro":
        rows[1::2] = [row[::-1] for row in rows[1::2]]
    return rows


def count_messages(rows: list[list[int]], processors: int) -> list[int]:
    """a_i + b_i: how many blocks of A and of B each processor sends and receives, if
    each goes from its owner to the others of its row (A) or column (B)."""
    counts = [0] * processors
    for line in rows + [list(column) for column in zip(*rows)]:
        for owner in line:
            for other in set(line) - {owner}:
                counts[owner] += 1
                counts[other] += 1
    return counts


def cost(inputs: Inputs, n: int, g: int, order: str) -> Cost:
    """A step of algorithm 2 (figure 8): the time of a grid. Products are scaled by
    n^log2(7) and messages by n^2 (section 4.2)."""
    halvings = log2(n / (g * inputs.size))
    seconds = [product * 7**halvings * g for product in inputs.products]
    given = deal(seconds, g * g)
    shares = [given.count(i) for i in range(len(seconds))]
    rows = lay(given, g, order)
    messages = max(count_messages(rows, len(seconds)))
    return Cost(
        g,
        shares,
        max(share * each for share, each in zip(shares, seconds)),
        messages,
        messages * 4**halvings * inputs.message,
        rows,
    )


def choose(inputs: Inputs, n: int, order: str, most: int) -> Cost:
    """Algorithm 2: the grid with the least time, of 1 x 1 to most x most."""
    costs = [cost(inputs, n, g, order) for g in range(1, most + 1)]
    return min(costs, key=lambda each: each.seconds)


def cut_text(chosen: Cost, levels: int) -> str:
    """The grid in the form of motley-cut(5)."""
    g = chosen.g
    lines = ["motley-cut 1", "kind greedy", f"ranks {len(chosen.shares)}"]
    lines += [f"panels {g}", "subpanels 0", "overlap no", "rolled no"]
    tiles = [(chosen.grid[i][j], i, j) for i in range(g) for j in range(g)]
    for rank, i, j in sorted(tiles):
        edges = " ".join(repr(line / g) for line in (i, j, i + 1, j + 1))
        lines.append(f"tile {rank} 0 {levels} {edges}")
    return "\n".join(lines) + "\n"


def heterogeneity(speeds: Sequence[float]) -> float:
    """s of section 5.1: the mean speed over that of the slowest."""
    return sum(speeds) / len(speeds) / min(speeds)


def ideal_gain(s: float, t: float) -> float:
    """Equation 6, in per cent; t is the communication's share of the time with equal
    blocks."""
    return 100 * (1 / ((1 - t) / s + t) - 1)


def operations(levels: int, n: float) -> float:
    """Operations of a product in this many levels of Winograd's variant, as the paper counts:
    7 T(n/2) + 15 (n/2)^2, and 2 n^3 at the lowest."""
    return 7 * operations(levels - 1, n / 2) + 15 * (n / 2) ** 2 if levels else 2 * n**3


def relative_operations(parts: Sequence[tuple[int, float]]) -> float:
    """Operations of products of n/k, by the count of each k, over one of n: n^log2(7)."""
    return sum(count * 7 ** -log2(k) for count, k in parts)
