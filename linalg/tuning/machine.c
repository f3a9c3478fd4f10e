/* SPDX-License-Identifier: BSD-3-Clause */
/* Identifies the machine that was tuned: processor, BLAS, threads. */
#include "machine.h"

#include "linalg/blas/blas.h"

#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The libraries whose threads can be counted, by the names of their functions. */
static const struct kind {
    const char *name;
    const char *version; /* const char *(void) */
    const char *core;    /* const char *(void): the processor of its kernels */
    const char *get;     /* int (void) */
    const char *set;     /* void (int) */
} kinds[] = {
    {"OpenBLAS", "openblas_get_config", "openblas_get_corename",
     "openblas_get_num_threads", "openblas_set_num_threads"},
    {"BLIS", "bli_info_get_version_str", NULL, "bli_thread_get_num_threads",
     "bli_thread_set_num_threads"},
    {"MKL", NULL, NULL, "MKL_Get_Max_Threads", "MKL_Set_Num_Threads"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The lines of /proc/cpuinfo that identify processors, for all architectures. */
static const char *const telling[] = {"model name",      "cpu family", "model",
                                      "CPU implementer", "CPU part",   "cpu"};
enum { TELLING = sizeof telling / sizeof *telling };

/* Splits "name\t: value\n"; NULL: the line is none. */
static char *split(char *line)
{
    char *colon = strchr(line, ':');
    if (!colon)
        return NULL;
    char *value = colon + 1 + strspn(colon + 1, " ");
    value[strcspn(value, "\n")] = '\0';
    while (colon > line && isspace((unsigned char)colon[-1]))
        colon--;
    *colon = '\0';
    return value;
}

/* Read these lines of the first processor; "": not found. */
static void read_values(char values[TELLING][64])
{
    char line[512];
    FILE *info = fopen("/proc/cpuinfo", "re");
    while (info && fgets(line, sizeof line, info) && line[0] != '\n') {
        const char *value = split(line);
        for (int i = 0; value && i < TELLING; i++)
            if (!strcmp(line, telling[i]))
                snprintf(values[i], sizeof values[i], "%.63s", value);
    }
    if (info)
        fclose(info);
}

static void find_processor(char *text, size_t size)
{
    char values[TELLING][64] = {{0}};
    size_t length = 0;
    read_values(values);
    for (int i = 0; i < TELLING && length < size; i++)
        if (values[i][0])
            length += (size_t)snprintf(text + length, size - length, "%s%s",
                                       length > 0 ? " " : "", values[i]);
    if (length == 0)
        snprintf(text, size, "unknown processor");
}

/* The BLAS, with the libraries that it is linked with. */
static void *open_blas(char file[PATH_MAX])
{
    Dl_info place;
    file[0] = '\0';
    if (!dladdr(blas_place(), &place) || !realpath(place.dli_fname, file))
        return NULL;
    return dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

static const struct kind *find_kind(void *library)
{
    for (int i = 0; i < KINDS; i++)
        if (dlsym(library, kinds[i].get) && dlsym(library, kinds[i].set))
            return &kinds[i];
    return NULL;
}

/* Call a function of the library that returns text; "": no such function. */
static const char *ask_text(const char *name, void *library)
{
    const char *(*ask)(void) = NULL;
    if (name)
        *(void **)&ask = dlsym(library, name);
    return ask ? ask() : "";
}

/* "OpenBLAS 0.3.21 Haswell": the version is the first word that begins with a digit. */
static void print_name(char *text, size_t size, const struct kind *kind, void *library)
{
    const char *version = ask_text(kind->version, library);
    const char *digit = strpbrk(version, "0123456789");
    const char *core = ask_text(kind->core, library);
    version = digit ? digit : "";
    snprintf(text, size, "%s%s%.*s%s%s", kind->name, digit ? " " : "",
             (int)strcspn(version, " "), version, core[0] ? " " : "", core);
}

static int count_threads(const struct kind *kind, void *library)
{
    int (*ask)(void);
    *(void **)&ask = dlsym(library, kind->get);
    const int threads = ask();
    return threads > 1 ? threads : 1;
}

static int (*ask_threads)(void); /* the BLAS; NULL: it cannot be asked */

/* The library stays open for later calls. */
static void find_threads(void)
{
    char file[PATH_MAX];
    void *library = open_blas(file);
    const struct kind *kind = library ? find_kind(library) : NULL;
    if (kind)
        *(void **)&ask_threads = dlsym(library, kind->get);
}

int tuning_machine_threads(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_threads);
    const int threads = ask_threads ? ask_threads() : 1;
    return threads > 1 ? threads : 1;
}

const char *tuning_better_core(const char *blas, bool avx2, bool avx512)
{
    /* OpenBLAS's kernels without AVX2 and AVX-512; others may be newer than this
       list. */
    static const char *const old[] = {
        "Prescott",    "Core2",       "Penryn",     "Dunnington",  "Nehalem",
        "Athlon",      "Opteron",     "Barcelona",  "Bobcat",      "Atom",
        "Nano",        "Bulldozer",   "Piledriver", "Steamroller", "Excavator",
        "Sandybridge", "Opteron_SSE3"};
    const char *core = strrchr(blas, ' ');
    if (!core || strncmp(blas, "OpenBLAS ", strlen("OpenBLAS ")) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        if (!strcasecmp(core + 1, old[i]))
            return avx512 ? "SkylakeX" : avx2 ? "Haswell" : NULL;
    return NULL;
}

/* Check for the instruction sets that OpenBLAS's kernels assume. */
static void find_better_core(struct tuning_machine *machine)
{
#ifdef __x86_64__
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    machine->better_core = tuning_better_core(machine->blas, avx2, avx512);
#else
    machine->better_core = NULL;
#endif
}

static void find_blas(struct tuning_machine *machine)
{
    char file[PATH_MAX];
    void *library = open_blas(file);
    const struct kind *kind = library ? find_kind(library) : NULL;
    const char *slash = strrchr(file, '/');
    machine->threads = 1;
    if (kind) {
        print_name(machine->blas, sizeof machine->blas, kind, library);
        machine->threads = count_threads(kind, library);
    } else {
        snprintf(machine->blas, sizeof machine->blas, "%.60s",
                 slash ? slash + 1 : "unknown BLAS");
    }
    if (library)
        dlclose(library);
}

void tuning_machine_find(struct tuning_machine *machine)
{
    find_processor(machine->processor, sizeof machine->processor);
    find_blas(machine);
    find_better_core(machine);
}

void tuning_machine_set_threads(struct tuning_machine *machine, int threads)
{
    char file[PATH_MAX];
    void *library = open_blas(file);
    const struct kind *kind = library ? find_kind(library) : NULL;
    if (kind) {
        void (*set)(long); /* BLIS's dim_t is as wide as a pointer */
        *(void **)&set = dlsym(library, kind->set);
        set(threads);
        machine->threads = count_threads(kind, library);
    }
    if (library)
        dlclose(library);
}
