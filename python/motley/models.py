# SPDX-License-Identifier: BSD-3-Clause
"""Run-time models, fitted to the runs in a store."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Iterable, Optional, Union

import pandas

from .inputs import Cluster, Program, cluster_path, program_path
from .library import (
    Path,
    call,
    columns,
    doubles,
    ffi,
    lib,
    new,
    parse,
    string,
    text,
)
from .store import Store


@dataclass(frozen=True, eq=False)
class Models:
    """The models that `motley fit` prints."""

    cluster: str
    program: str
    simulated: bool
    model: str
    """The kind: auto, n-t, p-t or np-t."""
    models: pandas.DataFrame
    """A row per model: what it models, the runs that it was fitted to, its relative
    errors."""
    terms: pandas.DataFrame
    """A row per term of these models: seconds are the sum of coefficient times term.
    None for auto models."""
    explanation: Optional[dict[str, Any]]
    """An auto model in numbers: the `hypotheses` with their weights, the largest first;
    the standard deviations of the logarithm of the time, `discrepancy` (with P doubled
    beyond the runs) and `noise` (of a run); and the shares `compute`, `serial` and
    `messages` of the time at the largest `size` on the most `ranks`. None for the other
    kinds."""
    refused: pandas.DataFrame
    """Configurations without a model, and why."""
    dropped: pandas.DataFrame
    """Runs left out as glitches, and why."""

    def __repr__(self) -> str:
        simulated = " (simulated)" if self.simulated else ""
        title = f"{self.model} models of {self.program} on {self.cluster}{simulated}"
        return f"{title}\n{self.models}"


def load_inputs(
    cluster: Union[Path, Cluster], program: Union[Path, Program]
) -> tuple[Any, Any]:
    """A struct mt_cluster that is laid out for the struct mt_program."""
    program_struct = new("mt_program", lib.mt_program_clear)
    cluster_struct = new("mt_cluster", lib.mt_cluster_clear)
    call(lib.mt_cluster_load, cluster_struct, cluster_path(cluster))
    call(lib.mt_program_load, program_struct, program_path(program))
    call(lib.mt_cluster_lay_out, cluster_struct, program_struct)
    return cluster_struct, program_struct


def warn_of_left_out(samples: Any, cluster: Any) -> None:
    """Warn, at the line of the caller's caller, of runs of a struct mt_samples that no
    longer count."""
    if samples.left_out > 0:
        warnings.warn(
            f"{samples.left_out} runs are left out: '{text(cluster.name)}' has not got "
            f"their configurations",
            stacklevel=3,
        )


def fit(
    cluster: Union[Path, Cluster],
    program: Union[Path, Program],
    store: Path = "motley.db",
    *,
    model: str = "auto",
    terms: Optional[str] = None,
    split: bool = True,
    sizes: Iterable[float] = (),
    glitch_k: float = 0,
    glitch_tolerance: int = 0,
    refuse_negative: bool = False,
) -> Models:
    """Find the models that the runs determine, and keep them in the store for plans, as
    `motley fit` does; motley-fit(1) explains the options. Raises Error with
    Status.ERANK if the runs determine none."""
    options = ffi.new("struct mt_fit_options *")
    options.kind = parse(lib.mt_model_kind_parse, "mt_model_kind", model)
    options.terms = terms_text = string(terms)  # kept: the struct only points to it
    options.no_split = not split
    options.sizes = sizes_array = doubles(sizes)
    options.nsizes = len(sizes_array)
    options.glitch_k = glitch_k
    options.glitch_tolerance = glitch_tolerance
    options.refuse_negative = refuse_negative
    if options.nsizes == 0:
        options.sizes = ffi.NULL
    cluster_struct, program_struct = load_inputs(cluster, program)
    samples = new("mt_samples", lib.mt_samples_clear)
    with Store(store) as read:
        call(
            lib.mt_store_samples,
            read.struct,
            samples,
            cluster_struct,
            program_struct.name,
        )
    warn_of_left_out(samples, cluster_struct)
    models = new("mt_models", lib.mt_models_clear)
    call(lib.mt_fit, models, cluster_struct, program_struct, samples, options)
    del terms_text, sizes_array
    with Store(store, write=True) as write:
        call(
            lib.mt_store_put_models,
            write.struct,
            cluster_struct.name,
            program_struct.name,
            models,
        )
    return _describe(models, cluster_struct, program_struct)


def _describe(models: Any, cluster: Any, program: Any) -> Models:
    all_models = [models.models[i] for i in range(models.count)]
    return Models(
        cluster=text(cluster.name) or "",
        program=text(program.name) or "",
        simulated=bool(lib.mt_cluster_simulated(cluster)),
        model=text(lib.mt_model_kind_name(models.kind)) or "",
        models=_frame(models),
        terms=pandas.DataFrame(
            [row for i, model in enumerate(all_models) for row in _terms(i, model)],
            columns=["model", "term", "coefficient", "reference"],
        ),
        explanation=_explain(models),
        refused=_texts_frame(models.refused, models.nrefused, ["subject", "reason"]),
        dropped=_texts_frame(
            models.dropped, models.ndropped, ["configuration", "reason"]
        ).assign(**columns(models.dropped, models.ndropped, ["size", "seconds"])),
    )


def _explain(models: Any) -> Optional[dict[str, Any]]:
    if models.posterior == ffi.NULL:
        return None
    struct = new("mt_explanation", lib.mt_explanation_clear)
    call(lib.mt_models_explain, struct, models)
    weighted = [struct.hypotheses[i] for i in range(struct.count)]
    numbers = ("discrepancy", "noise", "size", "ranks", "compute", "serial", "messages")
    return {
        "hypotheses": pandas.DataFrame(
            [(text(one.text), one.weight) for one in weighted],
            columns=["hypothesis", "weight"],
        ),
        **{name: getattr(struct, name) for name in numbers},
    }


def _frame(models: Any) -> pandas.DataFrame:
    count = models.count
    frame = _texts_frame(models.models, count, ["configuration", "group"])
    numbers = [
        "processes",
        "threads",
        "bind",
        "gpus",
        "split",
        "runs",
        "size_low",
        "size_high",
        "ranks_low",
        "ranks_high",
        "residual",
        "cross_validated",
    ]
    frame = frame.assign(**columns(models.models, count, numbers))
    frame["threads"] = frame["threads"].clip(lower=1)
    frame["bind"] = [text(lib.mt_bind_name(bind)) for bind in frame["bind"]]
    frame.index.name = "model"
    return frame


def _texts_frame(array: Any, count: int, names: list[str]) -> pandas.DataFrame:
    """Texts of the structs of an array."""
    return pandas.DataFrame(
        {name: [text(getattr(array[i], name)) for i in range(count)] for name in names}
    )


def _texts(terms: Any) -> list[str]:
    if terms == ffi.NULL:
        return []
    return [
        text(lib.mt_terms_text(terms, i)) or ""
        for i in range(lib.mt_terms_count(terms))
    ]


def _numbers(terms: Any, coefficients: Any) -> list[float]:
    if terms == ffi.NULL:
        return []
    return ffi.unpack(coefficients, lib.mt_terms_count(terms))


def _terms(number: int, model: Any) -> list[dict[str, Any]]:
    """The terms of a model and of the model that it refers to."""
    rows = []
    for term, coefficient in zip(
        _texts(model.terms), _numbers(model.terms, model.coefficients)
    ):
        rows.append((number, term, coefficient, False))
    for term, coefficient in zip(
        _texts(model.reference_terms),
        _numbers(model.reference_terms, model.reference_coefficients),
    ):
        rows.append((number, term, coefficient, True))
    names = ("model", "term", "coefficient", "reference")
    return [dict(zip(names, row)) for row in rows]
