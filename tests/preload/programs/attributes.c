/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of the program: kept, copied and deleted exactly when it asks for it. */
#include "check.h"

static int copies, deletions;

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra;
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete (MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

static void check_kept(MPI_Comm comm, int key, int *value)
{
    int *got, found;
    MPI_Comm_get_attr(comm, key, &got, &found);
    check(found && got == value, "the attribute is not what it was");
}

static void check_counts(int expected_copies, int expected_deletions)
{
    check(copies == expected_copies, "%d copies, not %d", copies, expected_copies);
    check(deletions == expected_deletions, "%d deletions, not %d", deletions,
          expected_deletions);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int before, after, value, other;
    MPI_Comm_create_keyval(copy, delete, &before, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, before, &value);
    unbalance(MPI_COMM_WORLD);
    MPI_Comm_create_keyval(copy, delete, &after, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, after, &other);
    unbalance(MPI_COMM_WORLD);
    check_kept(MPI_COMM_WORLD, before, &value);
    check_kept(MPI_COMM_WORLD, after, &other);
    check_counts(0, 0);

    MPI_Comm dup;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    check_counts(2, 0);
    unbalance(dup);
    check_kept(dup, before, &value);
    check_kept(dup, after, &other);
    check_counts(2, 0);
    MPI_Comm_delete_attr(dup, before);
    check_counts(2, 1);
    unbalance(dup);
    MPI_Comm_free(&dup);
    check_counts(2, 2);

    MPI_Comm_free_keyval(&before); /* in use: freed with its last attribute */
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &dup);
    unbalance(dup);
    MPI_Comm_free(&dup);
    check_counts(4, 4);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, after);
    check_counts(4, 5);

    /* Freed while the library may have messages in transit. */
    MPI_Comm_set_attr(MPI_COMM_WORLD, after, &other);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    for (uint32_t i = 0; i < 15; i++)
        check_bcast(&value, sizeof value, 0, dup, i);
    MPI_Comm_free(&dup);
    check_counts(6, 7);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, after);
    MPI_Comm_free_keyval(&after);
    return check_finish();
}
