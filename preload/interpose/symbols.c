/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the program's MPI with dlsym(), and opens the core if it is for that MPI. */
#include "wrap.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* MPI_MAX_LIBRARY_VERSION_STRING is 8192 in MPICH, less elsewhere. */
enum { max_version = 8192 };

struct mpi_symbols symbols;
struct fortran_symbols fortran;
static pthread_once_t once = PTHREAD_ONCE_INIT, fortran_once = PTHREAD_ONCE_INIT;
static const void *_Atomic some_caller, *_Atomic some_fortran_caller;
static bool came_by_init; /* before any other call */

/*
 * Python and others load their MPI privately (RTLD_LOCAL), so its symbols are not
 * visible here. They are visible to our caller, from which we make them global.
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

/* A launcher's variables for a rank's number, in the world and on its node. */
static const char *const in_world[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                       "SLURM_PROCID", NULL};
static const char *const on_node[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                      "SLURM_LOCALID", NULL};

static bool is_first(const char *const *ranks)
{
    for (; *ranks; ranks++) {
        const char *rank = getenv(*ranks);
        if (rank && strcmp(rank, "0") != 0)
            return false;
    }
    return true;
}

/* The MPI is the same on all nodes. */
static void complain_of_mpi(const char *version)
{
    if (is_first(in_world))
        fprintf(stderr,
                "motley-balance: built for another MPI than this '%.*s'; all calls are "
                "left to the MPI\n",
                (int)strcspn(version, "\n"), version);
}

/* If this happens on some nodes only, the program hangs. */
static void complain_of_core(const char *why)
{
    char node[256] = "";
    gethostname(node, sizeof(node) - 1);
    if (is_first(on_node))
        fprintf(
            stderr,
            "motley-balance: %s: cannot open a part of the library (%s); it must lie "
            "next to libmotley-balance.so on every node. All calls are left to the "
            "MPI\n",
            node, why);
}

/* MPI_NAMES is a list of names, one of which must occur in the version's text. */
static bool is_ours(const char *version)
{
    static const char *const names[] = {MPI_NAMES};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strstr(version, names[i]))
            return true;
    return false;
}

static bool is_asked_for(void)
{
    const char *options = getenv("MOTLEY_BALANCE");
    return options && *options;
}

/* Even without options: other ranks may have some, and wait for an answer. */
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
        if (is_asked_for())
            complain_of_mpi(version);
        return NULL;
    }
    void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    const struct core *core = library ? dlsym(library, CORE_SYMBOL) : NULL;
    if (!core)
        complain_of_core(dlerror());
    return core;
}

/* The MPI's function of that name with a P in front; for an MPI without these names,
   the function that ours shadows. */
static void *find_function(const char *name)
{
    void *function = dlsym(RTLD_DEFAULT, name);
    return function ? function : dlsym(RTLD_NEXT, name + 1);
}

/* The next function of that name after ours: of another tool, which starts in MPI_Init,
   or of the MPI, which the caller's library may have loaded privately. */
static void *find_next(const char *name, const void *caller)
{
    Dl_info place;
    void *next = dlsym(RTLD_NEXT, name);
    if (next || !dladdr(caller, &place))
        return next;
    void *user = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    next = user ? dlsym(user, name) : NULL;
    if (user)
        dlclose(user);
    return next;
}

/* Functions in _c exist since MPI 4, all or none. Looking for missing ones would take
   the linker a considerable part of MPI_Init's time. */
static void find_calls(void)
{
#define FIND(Name, ...) \
    *(void **)&symbols.calls[CALL_##Name] = find_function("PMPI_" #Name);
#define FIND_LARGE(Name, ...) \
    *(void **)&symbols.large_calls[CALL_##Name] = find_function("PMPI_" #Name "_c");
    PASSED_CALLS(FIND)
    *(void **)&symbols.bcast_c = find_function("PMPI_Bcast_c");
    if (symbols.bcast_c) {
        LARGE_CALLS(FIND_LARGE)
    }
#undef FIND
#undef FIND_LARGE
}

static void find(void)
{
    make_global("PMPI_Bcast", some_caller);
    find_calls();
    *(void **)&symbols.bcast = find_function("PMPI_Bcast");
    *(void **)&symbols.comm_free = find_function("PMPI_Comm_free");
    *(void **)&symbols.comm_disconnect = find_function("PMPI_Comm_disconnect");
    *(void **)&symbols.pcontrol = find_function("PMPI_Pcontrol");
    if (!came_by_init && is_asked_for() && is_first(in_world))
        fprintf(stderr, "motley-balance: MPI_Init did not reach this library, as when "
                        "another tool precedes it in LD_PRELOAD; all calls are left to "
                        "the MPI\n");
    *(void **)&symbols.init = find_next("MPI_Init", some_caller);
    *(void **)&symbols.init_thread = find_next("MPI_Init_thread", some_caller);
    symbols.found = symbols.passes = true;
}

void symbols_begin(void)
{
    static atomic_flag begun = ATOMIC_FLAG_INIT;
    const struct core *core = atomic_flag_test_and_set(&begun) ? NULL : open_core();
    if (core && core->begin()) {
        symbols.core = core;
        symbols.passes = false;
    }
}

const struct mpi_symbols *symbols_init(const void *caller)
{
    came_by_init = true;
    return symbols_find(caller);
}

const struct mpi_symbols *symbols_find(const void *caller)
{
    if (is_set(&symbols.found))
        return &symbols;
    if (!some_caller)
        some_caller = caller;
    pthread_once(&once, find);
    return &symbols;
}

static void find_fortran(void)
{
    make_global("pmpi_bcast_", some_fortran_caller);
#define FIND(Name, name, ...) \
    *(void **)&fortran.calls[CALL_##Name] = find_function("pmpi_" #name "_");
    PASSED_CALLS(FIND)
#undef FIND
    *(void **)&fortran.bcast = find_function("pmpi_bcast_");
    *(void **)&fortran.pcontrol = find_function("pmpi_pcontrol_");
    *(void **)&fortran.init = find_next("mpi_init_", some_fortran_caller);
    *(void **)&fortran.init_thread = find_next("mpi_init_thread_", some_fortran_caller);
    *(void **)&fortran.init_f08 = find_next("mpi_init_f08_", some_fortran_caller);
    *(void **)&fortran.init_thread_f08 =
        find_next("mpi_init_thread_f08_", some_fortran_caller);
    fortran.found = true;
}

const struct fortran_symbols *symbols_find_fortran(const void *caller)
{
    symbols_find(caller);
    if (is_set(&fortran.found))
        return &fortran;
    if (!some_fortran_caller)
        some_fortran_caller = caller;
    pthread_once(&fortran_once, find_fortran);
    return &fortran;
}
