/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - time and memory, of a real machine (machine.c) or a simulated one
 * (machine_simulated.c).
 */
#ifndef MT_BENCH_MACHINE_H
#define MT_BENCH_MACHINE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

extern const bool machine_simulated;

/* Seconds; the ranks of a node, and all simulated ranks, have the same clock. */
double machine_now(void);
/* Let time pass: asleep, or (`spin`) with the processor busy. */
void machine_delay(double seconds, bool spin);
/*
 * Wait for all ranks of the communicator. Simulated ones then wait until they all can
 * go on at the same instant, which MPI_Barrier does not do: returns for how many
 * seconds.
 */
double machine_barrier(MPI_Comm comm);

/*
 * A message's buffer on each of so many ranks, or NULL. A simulator in which the
 * buffers would take more than 256 MiB gives all ranks the same one: then `*separate`
 * is false, and what is in it means nothing.
 */
void *machine_buffer(size_t bytes, int ranks, bool *separate);
void machine_release(void *buffer, bool separate);

#endif
