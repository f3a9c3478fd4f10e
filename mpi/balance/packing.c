/* SPDX-License-Identifier: BSD-3-Clause */
#include "packing.h"

#include <limits.h>

static bool has_no_gaps(MPI_Datatype type)
{
    MPI_Aint lower = 0, extent = 0;
    int size = 0;
    return PMPI_Type_get_extent(type, &lower, &extent) == MPI_SUCCESS &&
           PMPI_Type_size(type, &size) == MPI_SUCCESS && lower == 0 && extent == size;
}

bool packing_is_plain(MPI_Datatype type)
{
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    if (PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) !=
        MPI_SUCCESS)
        return false;
    if (combiner == MPI_COMBINER_NAMED)
        return has_no_gaps(type);
    if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP)
        return false;

    int count = 0;
    MPI_Aint unused = 0;
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    if (PMPI_Type_get_contents(type, integers, addresses, types, &count, &unused,
                               &inner) != MPI_SUCCESS)
        return false;
    const bool plain = packing_is_plain(inner);
    if (PMPI_Type_get_envelope(inner, &integers, &addresses, &types, &combiner) ==
            MPI_SUCCESS &&
        combiner != MPI_COMBINER_NAMED)
        PMPI_Type_free(&inner); /* a derived type comes as a handle of our own */
    return plain;
}

/* One run of elements whose packed bytes an int can count. */
struct run {
    char *elements;
    int count;
    char *packed;
    int bytes;
};

static int pack_run(const struct run *run, MPI_Datatype type, MPI_Comm comm)
{
    int position = 0;
    int status = PMPI_Pack(run->elements, run->count, type, run->packed, run->bytes,
                           &position, comm);
    return status == MPI_SUCCESS && position != run->bytes ? MPI_ERR_INTERN : status;
}

static int unpack_run(const struct run *run, MPI_Datatype type, MPI_Comm comm)
{
    int position = 0;
    int status = PMPI_Unpack(run->packed, run->bytes, &position, run->elements,
                             run->count, type, comm);
    return status == MPI_SUCCESS && position != run->bytes ? MPI_ERR_INTERN : status;
}

static int for_each_run(const struct call *call, char *packed, MPI_Comm comm,
                        int (*step)(const struct run *run, MPI_Datatype type,
                                    MPI_Comm comm))
{
    const MPI_Count size = (MPI_Count)call->bytes / call->count;
    if (size > INT_MAX)
        return MPI_ERR_INTERN;
    const MPI_Count longest = INT_MAX / size;
    MPI_Aint lower = 0, extent = 0;
    int status = PMPI_Type_get_extent(call->type, &lower, &extent);

    for (MPI_Count first = 0; status == MPI_SUCCESS && first < call->count;) {
        const MPI_Count left = call->count - first;
        const MPI_Count n = left < longest ? left : longest;
        const struct run run = {
            .elements = (char *)call->buffer + first * extent,
            .count = (int)n,
            .packed = packed + first * size,
            .bytes = (int)(n * size),
        };
        status = step(&run, call->type, comm);
        first += n;
    }
    return status;
}

int packing_pack(const struct call *call, char *packed, MPI_Comm comm)
{
    return for_each_run(call, packed, comm, pack_run);
}

int packing_unpack(const struct call *call, char *packed, MPI_Comm comm)
{
    return for_each_run(call, packed, comm, unpack_run);
}
