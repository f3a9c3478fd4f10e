# SPDX-License-Identifier: BSD-3-Clause
"""The store of runs, as data frames."""

from __future__ import annotations

import os
import warnings
from types import TracebackType
from typing import Any, Optional, Union

import pandas

from .inputs import Cluster, Program
from .library import (
    Error,
    Path,
    Status,
    call,
    columns,
    encode,
    ffi,
    lib,
    new,
    parse,
    string,
    text,
)

_TEXTS = ("cluster", "program", "configuration", "reason", "launcher", "output")
_NUMBERS = (
    "id",
    "size",
    "repetition",
    "outcome",
    "seconds",
    "wall",
    "exit_code",
    "signal",
    "simulated",
    "started",
)
# The columns of `motley export`.
_COLUMNS = (
    "cluster",
    "program",
    "configuration",
    "size",
    "repetition",
    "outcome",
    "seconds",
    "wall",
    "exit_code",
    "signal",
    "reason",
    "launcher",
    "simulated",
    "started",
    "output",
)


class Store:
    """The file that keeps every run and every model: `motley.db` or another path. It is
    opened for reading and must exist; with `write` it is opened for writing, too, and
    created if it does not exist.

    It is closed by close(), at the end of a `with` block, or when it is no longer used.
    """

    def __init__(self, path: Path = "motley.db", *, write: bool = False) -> None:
        store = ffi.new("struct mt_store **")
        mode = lib.MT_STORE_WRITE if write else lib.MT_STORE_READ
        call(lib.mt_store_open, store, encode(path), mode)
        self._struct: Any = ffi.gc(store[0], lib.mt_store_close)
        self.path: str = os.fspath(path)

    def close(self) -> None:
        if self._struct is not None:
            ffi.release(self._struct)
        self._struct = None

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    @property
    def struct(self) -> Any:
        """The struct mt_store."""
        if self._struct is None:
            raise Error(Status.EINVAL, f"store '{self.path}' is closed")
        return self._struct

    def runs(
        self,
        cluster: Union[None, Path, Cluster] = None,
        program: Union[None, Path, Program] = None,
        *,
        configuration: Optional[str] = None,
        size: float = 0,
        newest: int = 0,
    ) -> pandas.DataFrame:
        """The runs, in the order in which they were made, with the columns of `motley
        export` and their numbers in the store as index. Arguments restrict the runs;
        `newest`: at most that number of runs. Failed runs have a reason instead of
        seconds; `started` is in seconds since 1970 UTC."""
        names = [
            string(name_of(cluster, Cluster)),
            string(name_of(program, Program)),
            string(configuration),
        ]
        if cluster is not None:
            call(lib.mt_store_check_names, self.struct, names[0], names[1])
        filter = ffi.new("struct mt_run_filter *")
        filter.cluster, filter.program, filter.configuration = names
        filter.size = size
        filter.newest = newest
        runs = new("mt_runs", lib.mt_runs_clear)
        call(lib.mt_store_runs, self.struct, runs, filter)
        return _frame(runs)

    def add(
        self,
        runs: pandas.DataFrame,
        cluster: Union[None, Path, Cluster] = None,
        program: Union[None, Path, Program] = None,
    ) -> None:
        """Add runs that were made elsewhere, all or none. The frame has a row per run
        with the columns of runs(); required are configuration, size and seconds, and
        cluster and program unless given as arguments. Without the column repetition,
        repetitions are counted. Runs that are added twice are stored twice."""
        given = runs.copy()
        if cluster is not None:
            given["cluster"] = name_of(cluster, Cluster)
        if program is not None:
            given["program"] = name_of(program, Program)
        others = ", ".join(str(name) for name in given if name not in _COLUMNS)
        if others:
            warnings.warn(f"columns ignored: {others}", stacklevel=2)
        needed = ["cluster", "program", "configuration", "size", "seconds"]
        for column in needed:
            if column not in given:
                raise Error(Status.EINVAL, f"no column '{column}'")
        if "repetition" not in given:
            given["repetition"] = given.groupby(needed[:4]).cumcount() + 1
        array = ffi.new("struct mt_run[]", len(given))
        kept: list[Any] = []  # the texts, kept as long as the structs point to them
        for run, row in zip(array, given.to_dict("records")):
            _fill(run, row, kept)
        call(lib.mt_store_add_runs, self.struct, array, len(given))


def name_of(
    what: Union[None, Path, Cluster, Program],
    load: Union[type[Cluster], type[Program]],
) -> Optional[str]:
    """The name of a cluster or program in the store: for a path, the name in that
    file."""
    if what is None or isinstance(what, (Cluster, Program)):
        return what.name if what else None
    return load(what).name if lib.mt_named_by_path(encode(what)) else os.fspath(what)


def _fill(run: Any, row: dict[str, Any], kept: list[Any]) -> None:
    """Set the members of a run that the row knows."""
    for column in _COLUMNS:
        value: Any = row.get(column)
        if pandas.isna(value):
            continue
        if column in _TEXTS:
            kept.append(string(value))
            setattr(run, column, kept[-1])
        elif column == "outcome":
            run.outcome = parse(lib.mt_outcome_parse, "mt_outcome", value)
        elif column in ("size", "seconds", "wall"):
            setattr(run, column, float(value))
        else:
            setattr(run, column, int(value))


def _frame(runs: Any) -> pandas.DataFrame:
    """The runs of a struct mt_runs."""
    array, count = runs.runs, runs.count
    numbers = columns(array, count, _NUMBERS)
    frame = pandas.DataFrame(numbers)
    for name in _TEXTS:
        frame[name] = [text(getattr(array[i], name)) for i in range(count)]
    names = [text(lib.mt_outcome_name(value)) for value in range(lib.MT_RUN_UNREAD + 1)]
    frame["outcome"] = [names[value] for value in numbers["outcome"]]
    frame.loc[frame["outcome"] != "ok", "seconds"] = float("nan")
    return frame.set_index("id")[list(_COLUMNS)]
