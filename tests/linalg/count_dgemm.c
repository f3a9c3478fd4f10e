/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded behind the drop-in: counts the calls of dgemm_ that pass through, and
   prints their number on stderr at the end. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

typedef void dgemm_function(const char *, const char *, const int *, const int *,
                            const int *, const double *, const double *, const int *,
                            const double *, const int *, const double *, double *,
                            const int *, size_t, size_t);
dgemm_function dgemm_;

static long calls;

void dgemm_(const char *transpose_a, const char *transpose_b, const int *m,
            const int *n, const int *k, const double *alpha, const double *a,
            const int *lda, const double *b, const int *ldb, const double *beta,
            double *c, const int *ldc, size_t length_a, size_t length_b)
{
    dgemm_function *next;
    *(void **)&next = dlsym(RTLD_NEXT, "dgemm_");
    calls++;
    next(transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,
         length_a, length_b);
}

__attribute__((destructor)) static void say(void)
{
    fprintf(stderr, "dgemm_ %ld\n", calls);
}
