/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - the kind of machine that crossings are measured for: processor,
 * BLAS, and how many threads that uses. Homes are shared between unequal nodes, so
 * what was measured on one is kept under its name.
 */
#ifndef MT_TUNING_MACHINE_H
#define MT_TUNING_MACHINE_H

#include <stdbool.h>

struct tuning_machine {
    char processor[96]; /* what the kernel calls it: "AMD EPYC 9654 25 17" */
    char blas[64]; /* "OpenBLAS 0.3.21 Haswell", the last for what its kernels are; or
                      the file of a library without a name */
    /* For OPENBLAS_CORETYPE: kernels with wider vectors than those that OpenBLAS
       selects; NULL: none. */
    const char *better_core;
    int threads; /* 1 where the BLAS cannot be asked */
};

void tuning_machine_find(struct tuning_machine *machine);
/* The better core for a processor with these vectors, if this BLAS has it. */
const char *tuning_better_core(const char *blas, bool avx2, bool avx512);
/* How many threads the BLAS would use now; cheap after the first time. */
int tuning_machine_threads(void);
/* Make the BLAS use `threads` threads; `machine` gets the number that it does use. */
void tuning_machine_set_threads(struct tuning_machine *machine, int threads);

#endif
