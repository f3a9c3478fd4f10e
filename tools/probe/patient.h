/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * patient.h - waiting without keeping the processor busy. Nodes may have less than a
 * core, and ranks of a testbed share one machine: a rank that polls, as MPIs do, would
 * disturb what is measured. A simulated rank waits as MPI does, which costs nothing.
 */
#ifndef MT_PROBE_PATIENT_H
#define MT_PROBE_PATIENT_H

#include <mpi.h>

/* Before the first wait: naps are to be as short as they are asked for. */
void patient_begin(void);
/* For what comes soon, and is timed: looks for a moment, then between short naps. */
void patient_wait(MPI_Request *request, MPI_Status *status);
/* For what may take long: wakes now and then. */
void patient_idle(MPI_Request *request);
/* Until all ranks are here; they may be seconds apart. */
void patient_barrier(void);

#endif
