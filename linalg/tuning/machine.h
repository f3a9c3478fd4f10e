/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - the kind of machine of measured crossings: processor, BLAS, and its
 * number of threads. Unequal nodes share home folders, so measurements are stored by
 * machine.
 */
#ifndef MT_TUNING_MACHINE_H
#define MT_TUNING_MACHINE_H

#include <stdbool.h>

struct tuning_machine {
    char processor[96]; /* the kernel's name for it: "AMD EPYC 9654 25 17" */
    char blas[64]; /* "OpenBLAS 0.3.21 Haswell", with the name of its kernels; or the
                      file of a library without a name */
    /* For OPENBLAS_CORETYPE: kernels with wider vectors than those that OpenBLAS
       selects; NULL: none. */
    const char *better_core;
    int threads; /* 1 where the BLAS cannot be asked */
};

void tuning_machine_find(struct tuning_machine *machine);
/* The better value of OPENBLAS_CORETYPE for a processor with these vectors, if this
   BLAS has it. */
const char *tuning_better_core(const char *blas, bool avx2, bool avx512);
/* The BLAS's current number of threads; cheap after the first call. */
int tuning_machine_threads(void);
/* Make the BLAS use `threads` threads; `machine` receives the actual number. */
void tuning_machine_set_threads(struct tuning_machine *machine, int threads);

#endif
