/* SPDX-License-Identifier: BSD-3-Clause */
#include "symbols.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MPI_MAX_LIBRARY_VERSION_STRING is 8192 in MPICH, less elsewhere. */
enum { max_version = 8192 };

static struct mpi_symbols symbols;
static struct fortran_symbols fortran;
static mpi_function native[CALLS], yielding[CALLS], native_fortran[CALLS];
static pthread_once_t once = PTHREAD_ONCE_INIT, fortran_once = PTHREAD_ONCE_INIT;
static const void *_Atomic some_caller, *_Atomic some_fortran_caller;

/*
 * Python and others load their MPI privately (RTLD_LOCAL), so that its symbols are not
 * found from here. Our caller does find them: from there we make the MPI's symbols
 * global.
 */
static void make_global(const char *name, const void *caller)
{
    Dl_info place;
    if (dlsym(RTLD_DEFAULT, name) || !dladdr(caller, &place))
        return;
    void *user = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    const void *function = user ? dlsym(user, name) : NULL;
    if (function && dladdr(function, &place))
        dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
    if (user)
        dlclose(user);
}

/* Whether a launcher says that this is another rank than the first. */
static bool is_first_rank(void)
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                        "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks); i++) {
        const char *rank = getenv(ranks[i]);
        if (rank && strcmp(rank, "0") != 0)
            return false;
    }
    return true;
}

static void complain(const char *what, const char *subject)
{
    if (is_first_rank())
        fprintf(stderr, "motley-balance: %s '%.*s'; all calls are left to the MPI\n",
                what, (int)strcspn(subject, "\n"), subject);
}

/* MPI_NAMES is a list of names, one of which stands in the version's text. */
static bool is_ours(const char *version)
{
    static const char *const names[] = {MPI_NAMES};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strstr(version, names[i]))
            return true;
    return false;
}

static const struct core *open_core(void)
{
    static const char file[] = "libmotley-balance-core.so";
    int (*get_version)(char *, int *);
    *(void **)&get_version = dlsym(RTLD_DEFAULT, "PMPI_Get_library_version");

    char version[max_version] = "unknown";
    int length;
    if (get_version)
        get_version(version, &length);
    if (!is_ours(version)) {
        complain("built for another MPI than this", version);
        return NULL;
    }
    void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    const struct core *core = library ? dlsym(library, CORE_SYMBOL) : NULL;
    if (!core)
        complain("cannot open a part of the library:", dlerror());
    return core;
}

/* The MPI's function of that name, which begins with a P; or, where an MPI has no such
   names, the one that stands behind ours. */
static void *find_function(const char *name)
{
    void *function = dlsym(RTLD_DEFAULT, name);
    return function ? function : dlsym(RTLD_NEXT, name + 1);
}

/* Stands in for what this MPI does not have. In no MPI does 1 mean success. */
static int missing(void)
{
    return 1;
}

static void find_calls(void)
{
    static const char *const names[] = {
#define NAME(name, ...) [CALL_##name] = "PMPI_" #name,
        PLAIN_CALLS(NAME) LARGE_CALLS(NAME) BCAST_CALLS(NAME) LARGE_BCAST_CALLS(NAME)
#undef NAME
    };
    for (int i = 0; i < CALLS; i++) {
        *(void **)&native[i] = find_function(names[i]);
        if (!native[i])
            native[i] = (mpi_function)missing;
    }
    symbols.calls = native;
}

static void find(void)
{
    make_global("PMPI_Bcast", some_caller);
    find_calls();
    *(void **)&symbols.pcontrol = find_function("PMPI_Pcontrol");
    *(void **)&symbols.init = find_function("PMPI_Init");
    *(void **)&symbols.init_thread = find_function("PMPI_Init_thread");
    *(void **)&symbols.finalize = find_function("PMPI_Finalize");
    if (native[CALL_Bcast] == (mpi_function)missing) {
        complain("cannot find", "PMPI_Bcast");
        return;
    }

    const char *options = getenv("MOTLEY_BALANCE");
    if (options && *options)
        symbols.core = open_core();
}

void symbols_begin(void)
{
    if (!symbols.core || !symbols.core->begin())
        return;
    for (int i = 0; i < CALLS; i++)
        yielding[i] = symbols.core->yielding[i] ? symbols.core->yielding[i] : native[i];
    symbols.calls = yielding;
}

void symbols_end(void)
{
    if (symbols.calls == yielding)
        symbols.core->end();
    symbols.calls = native;
}

const struct mpi_symbols *symbols_find(const void *caller)
{
    if (!some_caller)
        some_caller = caller;
    pthread_once(&once, find);
    return &symbols;
}

static void find_fortran_calls(void)
{
    static const char *const names[CALLS] = {
#define NAME(Name, name, NAME, n) [CALL_##Name] = "pmpi_" #name "_",
        PLAIN_CALLS(NAME) BCAST_CALLS(NAME)
#undef NAME
    };
    for (int i = 0; i < CALLS; i++)
        if (names[i])
            *(void **)&native_fortran[i] = find_function(names[i]);
}

static void find_fortran(void)
{
    make_global("pmpi_bcast_", some_fortran_caller);
    find_fortran_calls();
    *(void **)&fortran.pcontrol = find_function("pmpi_pcontrol_");
    *(void **)&fortran.init = find_function("pmpi_init_");
    *(void **)&fortran.init_thread = find_function("pmpi_init_thread_");
    *(void **)&fortran.finalize = find_function("pmpi_finalize_");
}

const struct fortran_symbols *symbols_find_fortran(const void *caller)
{
    if (!some_fortran_caller)
        some_fortran_caller = caller;
    pthread_once(&fortran_once, find_fortran);
    return &fortran;
}

mpi_function symbols_fortran_call(enum call_number call, const void *caller)
{
    symbols_find_fortran(caller);
    const mpi_function stand_in = symbols.calls == yielding && symbols.core
                                      ? symbols.core->yielding_fortran[call]
                                      : NULL;
    return stand_in ? stand_in : native_fortran[call];
}
