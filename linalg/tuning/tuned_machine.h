/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuned_machine.h - the kind of machine that crossings are measured for: processor,
 * BLAS, and how many threads that uses. Homes are shared between unequal nodes, so
 * what was measured on one is kept under its name.
 */
#ifndef MT_STRASSEN_TUNED_MACHINE_H
#define MT_STRASSEN_TUNED_MACHINE_H

struct tuned_machine {
    char processor[96]; /* what the kernel calls it: "AMD EPYC 9654 25 17" */
    char blas[64];      /* "OpenBLAS 0.3.21", or the file of a library without a name */
    int threads;        /* 1 where the BLAS cannot be asked */
};

void tuned_machine_find(struct tuned_machine *machine);
/* Let the BLAS use so many threads from now on; `machine` has then what it does use. */
void tuned_machine_set_threads(struct tuned_machine *machine, int threads);

#endif
