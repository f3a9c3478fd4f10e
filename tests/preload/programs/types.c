/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Basic types and derived types of all kinds, from roots in turn: the buffer, including
 * the bytes between and around the message, must be as after a message of the same type
 * that a rank sends to itself.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 5 << 20, MIDDLE = 1 << 20 };

static char *sent, *received, *expected; /* ROOM bytes each */
static int ranks;
static MPI_Comm comm;

/* Messages of similar size are consecutive in a communicator of their own, enough for
   an adapting library to have tried all its ways. */
enum { IN_A_ROW = 20, SOME_OF_A_ROW = 7 };

static void begin_row(void)
{
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
}

static void end_row(void)
{
    MPI_Comm_free(&comm);
}

/* The next root: all have their turn. */
static int next_root(void)
{
    static int root;
    return root++ % ranks;
}

static void bcast(MPI_Datatype type, int count, const char *name)
{
    const int root = next_root();
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Aint lb, extent;
    MPI_Type_get_extent(type, &lb, &extent);
    const MPI_Aint span = (count + 1) * (labs(lb) + labs(extent)) + 64;
    const size_t around = (size_t)(MIDDLE - span), bytes = 2 * (size_t)span;
    if (span > MIDDLE || bytes + around > ROOM) {
        check(false, "%d of type %s do not fit", count, name);
        return;
    }
    message_fill(sent + around, bytes, 1);
    memset(received + around, 0, bytes);
    memset(expected + around, 0, bytes);
    MPI_Sendrecv(sent + MIDDLE, count, type, 0, 0, expected + MIDDLE, count, type, 0, 0,
                 MPI_COMM_SELF, MPI_STATUS_IGNORE);
    if (rank == root) /* nothing but the message: nothing else may be sent */
        memcpy(received + around, expected + around, bytes);
    MPI_Bcast(received + MIDDLE, count, type, root, comm);
    MPI_Barrier(comm);
    check(memcmp(received + around, expected + around, bytes) == 0,
          "%d of type %s from root %d are wrong", count, name, root);
}

static void basic_types(void)
{
#define TYPE(type) \
    { \
        type, #type \
    }
    const struct {
        MPI_Datatype type;
        const char *name;
    } types[] = {
        TYPE(MPI_CHAR),
        TYPE(MPI_SIGNED_CHAR),
        TYPE(MPI_UNSIGNED_CHAR),
        TYPE(MPI_BYTE),
        TYPE(MPI_PACKED),
        TYPE(MPI_WCHAR),
        TYPE(MPI_SHORT),
        TYPE(MPI_UNSIGNED_SHORT),
        TYPE(MPI_INT),
        TYPE(MPI_UNSIGNED),
        TYPE(MPI_LONG),
        TYPE(MPI_UNSIGNED_LONG),
        TYPE(MPI_LONG_LONG),
        TYPE(MPI_UNSIGNED_LONG_LONG),
        TYPE(MPI_FLOAT),
        TYPE(MPI_DOUBLE),
        TYPE(MPI_LONG_DOUBLE),
        TYPE(MPI_C_BOOL),
        TYPE(MPI_INT8_T),
        TYPE(MPI_INT16_T),
        TYPE(MPI_INT32_T),
        TYPE(MPI_INT64_T),
        TYPE(MPI_UINT8_T),
        TYPE(MPI_UINT16_T),
        TYPE(MPI_UINT32_T),
        TYPE(MPI_UINT64_T),
        TYPE(MPI_C_FLOAT_COMPLEX),
        TYPE(MPI_C_DOUBLE_COMPLEX),
        TYPE(MPI_C_LONG_DOUBLE_COMPLEX),
        TYPE(MPI_AINT),
        TYPE(MPI_COUNT),
        TYPE(MPI_OFFSET),
        TYPE(MPI_FLOAT_INT),
        TYPE(MPI_DOUBLE_INT),
        TYPE(MPI_LONG_INT),
        TYPE(MPI_2INT),
        TYPE(MPI_SHORT_INT),
        TYPE(MPI_LONG_DOUBLE_INT),
    };
#undef TYPE
    const int bytes[] = {512, 1 << 15};
    const int ntypes = sizeof types / sizeof types[0];
    begin_row();
    for (int i = 0; i < ntypes; i++)
        bcast(types[i].type, 1, types[i].name);
    end_row();
    for (int b = 0; b < 2; b++)
        for (int first = 0; first < ntypes; first += SOME_OF_A_ROW) {
            begin_row();
            for (int i = first; i < first + IN_A_ROW; i++) {
                int size;
                MPI_Type_size(types[i % ntypes].type, &size);
                bcast(types[i % ntypes].type, bytes[b] / size, types[i % ntypes].name);
            }
            end_row();
        }
}

static void derived(MPI_Datatype type, int many, const char *name)
{
    MPI_Type_commit(&type);
    begin_row();
    for (int i = 0; i < IN_A_ROW; i++)
        bcast(type, many / 10, name);
    const int counts[] = {1, 3, 0, many};
    for (int c = 0; c < 4; c++)
        bcast(type, counts[c], name);
    end_row();
    MPI_Type_free(&type);
}

static void derived_types(void)
{
    MPI_Datatype type, part;
    MPI_Type_vector(5, 2, 7, MPI_INT, &type);
    derived(type, 5000, "vector");
    MPI_Type_vector(3, 1, -4, MPI_DOUBLE, &type);
    derived(type, 1000, "vector that runs backwards");
    MPI_Type_indexed(4, (int[]){1, 3, 2, 1}, (int[]){12, 0, 7, 20}, MPI_SHORT, &type);
    derived(type, 10000, "indexed in permuted order");
    MPI_Type_create_hindexed_block(3, 5, (MPI_Aint[]){100, 3, 61}, MPI_CHAR, &type);
    derived(type, 5000, "hindexed block, not aligned");
    MPI_Type_create_struct(3, (int[]){1, 2, 5}, (MPI_Aint[]){0, 8, 30},
                           (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_CHAR}, &type);
    derived(type, 10000, "struct");
    MPI_Type_create_resized(MPI_INT, -8, 40, &type);
    derived(type, 10000, "resized");
    MPI_Type_vector(2, 3, 5, MPI_FLOAT, &part);
    MPI_Type_contiguous(4, part, &type);
    derived(type, 3000, "contiguous of vector");
    MPI_Type_create_resized(part, 0, 12, &type);
    MPI_Type_free(&part);
    derived(type, 3000, "vectors that fill each other's gaps");
    MPI_Type_create_subarray(2, (int[]){9, 11}, (int[]){4, 5}, (int[]){3, 2},
                             MPI_ORDER_FORTRAN, MPI_INT, &type);
    derived(type, 1000, "subarray");
    MPI_Type_contiguous(0, MPI_INT, &type);
    derived(type, 1000, "empty");
    MPI_Type_dup(MPI_DOUBLE, &type);
    derived(type, 100000, "dup");
}

/* Addresses instead of a buffer. */
static void absolute_addresses(void)
{
    int rank, a;
    double b[1000];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Aint addresses[2];
    MPI_Get_address(b, &addresses[0]);
    MPI_Get_address(&a, &addresses[1]);
    MPI_Datatype type;
    MPI_Type_create_struct(2, (int[]){1000, 1}, addresses,
                           (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &type);
    MPI_Type_commit(&type);
    begin_row();
    for (int i = 0; i < IN_A_ROW; i++) {
        const int root = next_root();
        a = rank == root ? root + 1 : 0;
        for (int j = 0; j < 1000; j++)
            b[j] = rank == root ? root + j : -1;
        MPI_Bcast(MPI_BOTTOM, 1, type, root, comm);
        MPI_Barrier(comm);
        bool right = a == root + 1;
        for (int j = 0; j < 1000; j++)
            right = right && b[j] == root + j;
        check(right, "data at absolute addresses from root %d is wrong", root);
    }
    end_row();
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    sent = malloc(ROOM);
    received = malloc(ROOM);
    expected = malloc(ROOM);
    if (!sent || !received || !expected)
        MPI_Abort(MPI_COMM_WORLD, 1);
    basic_types();
    derived_types();
    absolute_addresses();
    free(expected);
    free(received);
    free(sent);
    return check_finish();
}
