# SPDX-License-Identifier: BSD-3-Clause
"""Which runs to make, one after the other: to fit models, or to find the best
configuration for a size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Iterator, Optional, Union

from .inputs import Cluster, Program
from .library import Error, Path, Status, call, check, encode, ffi, lib, new, take
from .models import load_inputs

_PHASES = ("base", "probes", "further", "verification")
_ENDS = ("", "settled", "all measured", "runs used", "seconds used", "stopped")


@dataclass(frozen=True, eq=False)
class Proposal:
    """A run to make."""

    configuration: str
    size: float
    phase: str
    """Its purpose: base, probes or further runs of a design, or verification."""
    repeat: int
    """How many times it has been made before."""
    seconds: float
    """The expected seconds; NaN: no times are known yet."""
    struct: Any
    """The struct mt_proposal."""


class Campaign:
    """Proposes runs and learns from them. The caller makes the runs:

    for proposal in campaign:
        campaign.observe(proposal, seconds)
    """

    def __init__(self, struct: Any, cluster: Any, propose: Any, observe: Any) -> None:
        self._struct, self._cluster = struct, cluster
        self._propose, self._observe = propose, observe
        self.end = ""
        """Why it proposes no more runs: settled, all measured, runs used or seconds
        used; empty while it still proposes some."""

    def next(self) -> Optional[Proposal]:
        """The run to make next; None: no more runs."""
        struct = ffi.new("struct mt_proposal *")
        end = ffi.new("enum mt_end *")
        call(self._propose, self._struct, struct, end)
        self.end = _ENDS[end[0]]
        if self.end:
            return None
        configuration = ffi.addressof(struct, "configuration")
        return Proposal(
            configuration=take(
                lib.mt_configuration_format(configuration, self._cluster)
            ),
            size=struct.size,
            phase=_PHASES[struct.phase],
            repeat=struct.repeat,
            seconds=struct.seconds,
            struct=struct,
        )

    def __iter__(self) -> Iterator[Proposal]:
        while proposal := self.next():
            yield proposal

    def observe(
        self, proposal: Proposal, seconds: float, spent: Optional[float] = None
    ) -> None:
        """Learn how long a run took; NaN: it failed. `spent`, by default the same,
        counts towards the limit of seconds."""
        observation = ffi.new("struct mt_observation *")
        observation.made = True
        observation.seconds = seconds
        if spent is not None:
            observation.spent = spent
        elif seconds == seconds:
            observation.spent = seconds
        call(self._observe, self._struct, proposal.struct, observation)


class Design(Campaign):
    """The runs from which to fit models, as `motley measure` chooses them: the
    next is always the run that tells most about the plan for its cost.

    `candidates` are (configuration, size) pairs to choose among; None: all
    configurations of one group at the measure sizes of the program's file. `seconds`
    and `runs` limit the total; 0: no limit. `exact`: repeated runs take exactly the
    same time.
    """

    def __init__(
        self,
        cluster: Union[Path, Cluster],
        program: Union[Path, Program],
        candidates: Optional[Iterable[tuple[str, float]]] = None,
        *,
        seconds: float = 0,
        runs: int = 0,
        exact: bool = False,
    ) -> None:
        check("seconds", seconds, lambda x: x >= 0, "0 or more")
        check("runs", runs, lambda x: x >= 0, "0 or more")
        cluster_struct, program_struct = load_inputs(cluster, program)
        listed = _candidates(cluster_struct, program_struct, candidates)
        of = ffi.new("struct mt_design_case *")
        of.cluster, of.program = cluster_struct, program_struct
        of.candidates, of.count = listed, len(listed)
        of.limits.seconds, of.limits.runs = seconds, runs
        of.exact = exact
        made = ffi.new("struct mt_design **")
        call(lib.mt_design_make, made, of)
        used = (cluster_struct, program_struct)
        design = ffi.gc(made[0], lambda struct, used=used: lib.mt_design_free(struct))
        super().__init__(
            design, cluster_struct, lib.mt_design_next, lib.mt_design_observe
        )


def _candidates(
    cluster: Any, program: Any, wanted: Optional[Iterable[tuple[str, float]]]
) -> Any:
    """An array of struct mt_candidate."""
    if wanted is not None:
        pairs = list(wanted)
        array = ffi.new("struct mt_candidate[]", len(pairs))
        for candidate, (configuration, size) in zip(array, pairs):
            candidate.size = size
            call(
                lib.mt_configuration_parse,
                ffi.addressof(candidate, "configuration"),
                cluster,
                encode(configuration),
            )
        return array
    measurement = ffi.new("struct mt_measurement *")
    names = ffi.new("char[]", b"homogeneous")
    measurement.cluster, measurement.program = cluster, program
    measurement.configurations, measurement.sizes = names, program.measure_sizes
    measurement.nsizes, measurement.repeat = program.nmeasure_sizes, 1
    tasks = new("mt_tasks", lib.mt_tasks_clear)
    call(lib.mt_tasks_plan, tasks, measurement)
    array = ffi.new("struct mt_candidate[]", tasks.count)
    for i, candidate in enumerate(array):
        candidate.configuration = tasks.tasks[i].configuration
        candidate.size = tasks.tasks[i].size
    return array


class Verification(Campaign):
    """The runs at one size that show which configuration is really the best, as `motley
    plan --verify` makes them: see Predictor.verify()."""

    def __init__(
        self,
        predictor: Any,
        candidates: Any,
        size: float,
        runs: int,
        *,
        confidence: float = 0,
    ) -> None:
        """Takes a struct mt_predictor, which learns the runs, and a struct mt_plan of
        the candidates."""
        verify = new("mt_verify", lib.mt_verify_clear, predictor)
        call(lib.mt_verify_init, verify, predictor, candidates, size, runs)
        if confidence:
            lib.mt_verify_until(verify, confidence)
        cluster = predictor.problem.cluster
        super().__init__(verify, cluster, lib.mt_verify_next, lib.mt_verify_observe)
        self._predictor, self._size = predictor, size

    def best(self) -> dict[str, Any]:
        """The fastest configuration that ran, and its expected seconds with their 90 %
        interval, low to high."""
        best = lib.mt_verify_best(self._struct)
        if best == ffi.NULL:
            raise Error(
                Status.ENOTFOUND, f"all runs failed at N = {self._size:.15g}"
            )
        prediction = ffi.new("struct mt_prediction *")
        call(lib.mt_predictor_predict, self._predictor, best, self._size, prediction)
        return {
            "configuration": take(lib.mt_configuration_format(best, self._cluster)),
            "seconds": prediction.seconds,
            "low": prediction.low,
            "high": prediction.high,
        }
