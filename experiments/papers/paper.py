# SPDX-License-Identifier: BSD-3-Clause
"""The parts of a paper's section of the page."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Iterator


@dataclass(frozen=True)
class Row:
    """A claim, a table or a figure."""

    what: str
    paper: str
    here: str
    agrees: bool
    rule: str
    """The condition under which it agrees."""
    reason: str = ""
    """The reason if it does not agree."""


@dataclass(frozen=True)
class Paper:
    name: str
    title: str
    citation: str
    commands: tuple[str, ...]
    """The command that makes its files in BUILD."""
    repeat: tuple[str, ...]
    """The command that a reader types."""
    rows: Callable[[str], Iterable[Row]]
    figures: Callable[[str], Iterable[tuple[str, str]]]
    """Titles and paths of pictures in BUILD."""
    headlines: tuple[str, ...]
    """The beginnings of the rows that come first on the page."""


def read_table(path: str) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def read_results(path: str) -> list[dict[str, Any]]:
    """The lines of a study's results.jsonl."""
    with open(path, encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def find(results: list[dict[str, Any]], **fields: Any) -> Iterator[dict[str, Any]]:
    """The results that have these fields."""
    for result in results:
        if all(result.get(key) == value for key, value in fields.items()):
            yield result


def is_near(value: str, other: str, share: float) -> bool:
    return abs(float(value) - float(other)) <= share * abs(float(other))


def drawn(what: str, folder: str, names: Iterable[str]) -> Row:
    """A row about pictures."""
    wanted = list(names)
    there = [name for name in wanted if os.path.exists(f"{folder}/{name}.svg")]
    return Row(
        what,
        f"{len(wanted)} figures",
        f"{len(there)} figures, below",
        there == wanted,
        "all are drawn",
    )
