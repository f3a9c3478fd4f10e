# SPDX-License-Identifier: BSD-3-Clause
"""Files that users write: cluster and program files."""

from __future__ import annotations

import os
from typing import Any, Optional, Union

import pandas

from .library import Path, call, ffi, lib, new, shipped, text


class Cluster:
    """A cluster file, motley-cluster(5): its path, or the name of a shipped file, or of
    one in `clusters` below the current folder."""

    def __init__(self, name: Path) -> None:
        self._struct = new("mt_cluster", lib.mt_cluster_clear)
        path = shipped("clusters", name)
        call(lib.mt_cluster_load, self._struct, path)
        self.path: str = os.fsdecode(path)

    @property
    def name(self) -> str:
        return text(self._struct.name) or ""

    @property
    def simulated(self) -> bool:
        """Whether runs on it are simulated."""
        return bool(lib.mt_cluster_simulated(self._struct))

    @property
    def currency(self) -> Optional[str]:
        """The currency of the prices; None if the file has none."""
        return text(self._struct.currency)

    @property
    def groups(self) -> pandas.DataFrame:
        """A row for each group of equal nodes; NaN: the file does not say."""
        return groups(self._struct)

    def __repr__(self) -> str:
        return f"Cluster({self.path!r})"


class Program:
    """A program file, motley-program(5), named like a cluster's."""

    def __init__(self, name: Path) -> None:
        self._struct = new("mt_program", lib.mt_program_clear)
        path = shipped("programs", name)
        call(lib.mt_program_load, self._struct, path)
        self.path: str = os.fsdecode(path)

    @property
    def name(self) -> str:
        return text(self._struct.name) or ""

    @property
    def measure_sizes(self) -> list[float]:
        """Problem sizes N to measure."""
        return ffi.unpack(self._struct.measure_sizes, self._struct.nmeasure_sizes)

    @property
    def plan_sizes(self) -> list[float]:
        """Problem sizes N to plan for."""
        return plan_sizes(self._struct)

    def work(self, size: float, ranks: int = 1) -> float:
        """The operations of a run; NaN: the file does not say."""
        return lib.mt_program_work(self._struct, size, ranks) or float("nan")

    def __repr__(self) -> str:
        return f"Program({self.path!r})"


def groups(cluster: Any) -> pandas.DataFrame:
    """The groups of a struct mt_cluster."""
    nan = float("nan")
    rows = [
        {
            "group": text(group.name),
            "nodes": group.nodes,
            "processes": sorted(
                {group.layouts[k].processes for k in range(group.nlayouts)}
            ),
            "memory": group.memory or nan,
            "price": group.price or nan,
            "watts": group.watts or nan,
            "cores": lib.mt_group_cores(ffi.addressof(group)) or nan,
        }
        for group in ffi.unpack(cluster.groups, cluster.ngroups)
    ]
    return pandas.DataFrame(rows).set_index("group")


def plan_sizes(program: Any) -> list[float]:
    """The sizes to plan for of a struct mt_program."""
    if program.nplan_sizes == 0:
        return []
    return ffi.unpack(program.plan_sizes, program.nplan_sizes)


def cluster_path(cluster: Union[Path, Cluster]) -> bytes:
    """The file of a cluster that is given as an object or by name."""
    if isinstance(cluster, Cluster):
        return os.fsencode(cluster.path)
    return shipped("clusters", cluster)


def program_path(program: Union[Path, Program]) -> bytes:
    """The file of a program, likewise."""
    if isinstance(program, Program):
        return os.fsencode(program.path)
    return shipped("programs", program)
