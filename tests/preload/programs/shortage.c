/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands in for the functions by which libmotley-balance-core gets memory, its own and
   the MPI's. */
#include "shortage.h"

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static atomic_int left; /* until one is refused; 0: none is */
static atomic_bool lasting, refused;
static uintptr_t first, last; /* addresses of the core */

static int find_core(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (!strstr(info->dlpi_name, "libmotley-balance-core.so"))
        return 0;
    first = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const uintptr_t end =
            first + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && end > last)
            last = end;
    }
    return 1;
}

/* Whether this call of the core's fails. */
static bool refuses(const void *caller)
{
    if (left == 0)
        return false;
    if (!last)
        dl_iterate_phdr(find_core, NULL);
    if ((uintptr_t)caller < first || (uintptr_t)caller >= last)
        return false;
    if (atomic_fetch_sub(&left, 1) > 1)
        return false;
    left = lasting;
    refused = true;
    return true;
}

void shortage_begin(int nth, bool for_good)
{
    refused = false;
    lasting = for_good;
    left = nth;
}

bool shortage_end(void)
{
    left = 0;
    return refused;
}

__attribute__((constructor)) static void from_the_start(void)
{
    const char *names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK"};
    const char *text = getenv("SHORTAGE");
    int rank, nth;
    for (int i = 0; text && i < 2; i++)
        if (getenv(names[i]) && sscanf(text, "%d:%d", &rank, &nth) == 2 &&
            rank == atoi(getenv(names[i])))
            shortage_begin(nth, true);
}

#define REAL(name) (*(__typeof__(name) **)(void *[]){dlsym(RTLD_NEXT, #name)})
#define CALLER __builtin_return_address(0)

/* NOLINTBEGIN(bugprone-reserved-identifier): the C library's own, behind the names */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
/* NOLINTEND(bugprone-reserved-identifier) */

void *malloc(size_t bytes)
{
    return refuses(CALLER) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    return refuses(CALLER) ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return refuses(CALLER) ? NULL : __libc_realloc(old, bytes);
}

char *strdup(const char *text)
{
    return refuses(CALLER) ? NULL : REAL(strdup)(text);
}

FILE *open_memstream(char **text, size_t *size)
{
    return refuses(CALLER) ? NULL : REAL(open_memstream)(text, size);
}

void *mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    return refuses(CALLER) ? MAP_FAILED
                           : REAL(mmap)(address, bytes, protection, flags, fd, offset);
}

int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy,
                            MPI_Comm_delete_attr_function *delete, int *key,
                            void *extra)
{
    return refuses(CALLER) ? MPI_ERR_NO_MEM
                           : REAL(PMPI_Comm_create_keyval)(copy, delete, key, extra);
}

int PMPI_Comm_set_attr(MPI_Comm comm, int key, void *value)
{
    return refuses(CALLER) ? MPI_ERR_NO_MEM
                           : REAL(PMPI_Comm_set_attr)(comm, key, value);
}

/* The first is for the question itself that the ranks are asked in MPI_Init. */
int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    static bool asked;
    const bool fails = asked && refuses(CALLER);
    asked = true;
    return fails ? MPI_ERR_NO_MEM : REAL(PMPI_Comm_group)(comm, group);
}

int PMPI_Iallreduce(const void *send, void *receive, int count, MPI_Datatype type,
                    MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    static bool again; /* an MPI that can send nothing at all is useless */
    again = !again && refuses(CALLER);
    return again ? MPI_ERR_NO_MEM
                 : REAL(PMPI_Iallreduce)(send, receive, count, type, op, comm, request);
}
