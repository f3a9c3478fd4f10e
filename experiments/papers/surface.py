# SPDX-License-Identifier: BSD-3-Clause
"""Efficiency surfaces of parallel machines: Furuichi and others, 1997."""

from __future__ import annotations

import os
from typing import Iterator

from paper import Paper, Row, drawn, is_near, read_table

TABLES = {
    "1": "AP1000, algorithm A",
    "2": "Cenju-3, algorithm A",
    "3": "workstations, algorithm A",
    "4": "AP1000, algorithm B",
}
LEARNED = "learned (simulated)"
# Claims in words: what makes our figure agree, and its test.
WORDS = {
    "about 160": ("within 10 of 160", lambda value: 150 <= value <= 170),
    "near 1": ("within 0.1 of 1", lambda value: abs(value - 1) <= 0.1),
    "near 0.6": ("within 0.05 of 0.6", lambda value: abs(value - 0.6) <= 0.05),
    "more than 1": ("more than 1", lambda value: value > 1),
    "below 1": ("below 1", lambda value: value < 1),
    "nearly the same": ("within 10 points", lambda value: value <= 10),
}


def parameters(out: str) -> Iterator[Row]:
    """Tables 1 to 4: what is learned on a few nodes of the twins."""
    for table, what in TABLES.items():
        lines = read_table(f"{out}/tables/table-{table}.csv")
        near = all(is_near(line[LEARNED], line["paper"], 0.16) for line in lines)
        yield Row(
            f"Table {table}: parameters of {what}",
            listed(lines, "paper"),
            listed(lines, LEARNED),
            near,
            "each within 16 %, as a step of the caches has a width",
            "the twin has one cost of a step and one bandwidth for both algorithms, those "
            "of table 1; the paper fitted algorithm B by itself, and its beta of 5.8 us "
            "means 2.8 B/us",
        )


def listed(lines: list[dict[str, str]], column: str) -> str:
    return ", ".join(
        f"{line['parameter']} {line[column]} {line['unit']}" for line in lines
    )


def bandwidths(out: str) -> Iterator[Row]:
    """The equations of 1/b."""
    lines = read_table(f"{out}/tables/bandwidths.csv")
    for machine, what, reason in (
        (
            "cenju-3",
            "Cenju-3: 1/b grows from 2 nodes on, to a limit (0.015 - 0.0238/N^1.5)",
            "",
        ),
        (
            "workstations",
            "workstations: 1/b grows with the root of log N",
            "the twin is one bus of 5.5 MB/s that all messages share, so that the time "
            "grows with N",
        ),
    ):
        of_machine = [line for line in lines if line["machine"] == machine]
        last = of_machine[-1]
        yield Row(
            f"Equation of {what}, us an element on {last['nodes']} nodes",
            last["paper us per element"],
            last[f"{LEARNED.split(' ')[0]} (simulated) us per element"],
            is_near(
                last["learned (simulated) us per element"],
                last["paper us per element"],
                0.2,
            ),
            "within 20 %",
            reason,
        )


def claims(out: str) -> Iterator[Row]:
    lines = read_table(f"{out}/tables/claims.csv")
    speed_ups = [
        line for line in lines if line["paper"] in ("lowest", "higher", "highest")
    ]
    values = [float(line[LEARNED]) for line in speed_ups]
    yield Row(
        "Figure 1: speed-up of 512 nodes, fixed size < fixed time < memory bounded",
        "in this order",
        " < ".join(f"{value:.0f}" for value in values),
        values == sorted(values),
        "in this order",
    )
    for line in lines:
        if line in speed_ups:
            continue
        rule, test = WORDS[line["paper"]]
        learned = line[LEARNED]
        paper = line["from the paper's parameters"]
        value = float(learned or paper)
        here = f"{paper} by its parameters"
        if learned:
            here += f", {learned} as learned"
        if line["simulated"]:
            here += f", {line['simulated']} simulated"
        yield Row(
            f"{line['where'].capitalize()}: {line['claim']}",
            line["paper"],
            here,
            test(value),
            rule,
            reason(line),
        )


def reason(line: dict[str, str]) -> str:
    if line["claim"].startswith("E of 16 workstations"):
        return (
            "the paper's equation 10 makes long messages cost more per byte, which they do "
            "not on the twin; such sizes do not fit into its memory either"
        )
    if line["where"] == "figure 18":
        return "the twin's beta of algorithm B is 8.7 us, not 5.8, see table 4"
    return ""


def errors(out: str) -> Iterator[Row]:
    """Figures 7 to 18: the surfaces, predicted from few nodes and measured."""
    for line in read_table(f"{out}/tables/errors.csv"):
        yield Row(
            f"{line['machine']}, {line['algorithm']}: surface learned on up to "
            f"{line['learned on nodes']} nodes, predicted to {line['predicted to']}",
            "close (pictures)",
            f"E off by {line['mean error %']} % in the mean, {line['worst error %']} % at "
            f"worst, over {line['points where P divides N']} points; the best size off by "
            f"{line['ridge off by steps']} steps",
            float(line["mean error %"]) <= 3 and float(line["worst error %"]) <= 10,
            "at most 3 and 10 %",
        )
    for line in read_table(f"{out}/tables/sections.csv"):
        yield Row(
            f"Figure {line['figure']}: section of the surface at N = {line['nodes']} "
            f"({line['machine']})",
            "predicted and measured close (picture)",
            f"{line['mean error %']} % in the mean, {line['worst error %']} % at worst",
            float(line["worst error %"]) <= 10,
            "at most 10 %",
        )


NUMBERS = ("1", "2", *(str(number) for number in range(7, 19)))


def rows(build: str) -> Iterator[Row]:
    out = f"{build}/experiments/surface"
    yield from parameters(out)
    yield from bandwidths(out)
    yield from claims(out)
    yield from errors(out)
    yield drawn("Figures 1, 2 and 7 to 18", f"{out}/figures", NUMBERS)


def figures(build: str) -> Iterator[tuple[str, str]]:
    folder = f"{build}/experiments/surface/figures"
    for number in NUMBERS:
        yield f"Figure {number}, as learned on the twin", f"{folder}/{number}.svg"
        path = f"{folder}/paper-{number}.svg"
        if os.path.exists(path):
            yield f"Figure {number}, by the paper's parameters", path


PAPER = Paper(
    "surface",
    "Efficiency of hundreds of nodes, from a few",
    "T. Furuichi, K. Nagamatsu and K. Deguchi (1997), about the matrix product on AP1000, "
    "Cenju-3 and a cluster of workstations.",
    ("experiments/surface/run --recorded BUILD",),
    ("make surface STUDY=--recorded",),
    rows,
    figures,
    (
        "Figure 14",
        "Figure 1:",
        "ap1000, matmul-a",
        "cenju-3, matmul-a: surface learned on up to 16",
    ),
)
