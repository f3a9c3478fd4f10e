/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and calls the dgemm that the preloaded one replaces; takes the place of
   linalg/blas. */
#include "linalg/blas/blas.h"

#include "next.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

/* Python and others load their BLAS with RTLD_LOCAL; our caller sees it, we may not. */
static void *find(const char *name, const void *caller)
{
    Dl_info place;
    void *function = dlsym(RTLD_NEXT, name);
    if (function || !dladdr(caller, &place))
        return function;
    void *user = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    function = user ? dlsym(user, name) : NULL;
    if (user)
        dlclose(user);
    return function;
}

dropin_fortran *dropin_next_fortran(const void *caller)
{
    static dropin_fortran *_Atomic known;
    dropin_fortran *next = known;
    if (!next && caller) {
        *(void **)&next = find("dgemm_", caller);
        known = next;
    }
    return next;
}

dropin_c *dropin_next_c(const void *caller)
{
    static dropin_c *_Atomic known;
    dropin_c *next = known;
    if (!next && caller) {
        *(void **)&next = find("cblas_dgemm", caller);
        known = next;
    }
    return next;
}

static const char *letter(CBLAS_TRANSPOSE transpose)
{
    return transpose == CblasNoTrans ? "N" : "T";
}

/* Prefer the Fortran function: a BLAS may implement the other one with it, and would
   call us again. */
void blas_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a,
                CBLAS_TRANSPOSE transpose_b, int m, int n, int k, double alpha,
                const double *a, int lda, const double *b, int ldb, double beta,
                double *c, int ldc)
{
    dropin_fortran *fortran = dropin_next_fortran(NULL);
    if (fortran && layout == CblasColMajor)
        fortran(letter(transpose_a), letter(transpose_b), &m, &n, &k, &alpha, a, &lda,
                b, &ldb, &beta, c, &ldc, 1, 1);
    else
        dropin_next_c(NULL)(layout, transpose_a, transpose_b, m, n, k, alpha, a, lda, b,
                            ldb, beta, c, ldc);
}

/* There may be no dgemv where we look. */
void blas_dgemm_thin(CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b, int m,
                     int n, int k, double alpha, const double *a, int lda,
                     const double *b, int ldb, double beta, double *c, int ldc)
{
    blas_dgemm(CblasColMajor, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb,
               beta, c, ldc);
}

const void *blas_place(void)
{
    dropin_fortran *fortran = dropin_next_fortran(NULL);
    dropin_c *c = dropin_next_c(NULL);
    const void *place;
    if (fortran)
        memcpy(&place, &fortran, sizeof place);
    else
        memcpy(&place, &c, sizeof place);
    return place;
}
