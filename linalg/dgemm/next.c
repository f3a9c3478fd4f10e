/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the dgemm that the preloaded one replaces. */
#include "next.h"

#include <dlfcn.h>
#include <stdatomic.h>

/* Python and others open their BLAS where nobody else sees it; whoever calls us does.
 */
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
