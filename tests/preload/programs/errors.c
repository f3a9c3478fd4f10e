/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wrong arguments raise the same class of error, on the same error handler, as when
 * the MPI is asked directly; also when only one rank has them.
 */
#include "check.h"

static int calls, seen_class;

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    calls++;
    MPI_Error_class(*code, &seen_class);
}

struct arguments {
    const char *name;
    void *buffer;
    MPI_Datatype type;
    MPI_Comm comm;
    int count, root;
};

static void compare(const struct arguments *a)
{
    calls = seen_class = 0;
    int class, code = PMPI_Bcast(a->buffer, a->count, a->type, a->root, a->comm);
    MPI_Error_class(code, &class);
    const int right_calls = calls, right_seen = seen_class, right_class = class;
    check(right_class != MPI_SUCCESS, "the MPI takes a wrong %s", a->name);
    calls = seen_class = 0;
    code = MPI_Bcast(a->buffer, a->count, a->type, a->root, a->comm);
    MPI_Error_class(code, &class);
    check(class == right_class, "wrong %s: error class %d, not %d", a->name, class,
          right_class);
    check(calls == right_calls && seen_class == right_seen,
          "wrong %s: the handler was called %d times with class %d, not %d with %d",
          a->name, calls, seen_class, right_calls, right_seen);
}

static void wrong_arguments(MPI_Comm comm)
{
    int value = 0, size;
    MPI_Comm_size(comm, &size);
    MPI_Datatype uncommitted;
    MPI_Type_contiguous(2, MPI_INT, &uncommitted);
    const struct arguments wrong[] = {
        {"root", &value, MPI_INT, comm, 1, size},
        {"negative root", &value, MPI_INT, comm, 1, -7},
        {"root of an intercommunicator", &value, MPI_INT, comm, 1, MPI_ROOT},
        {"root that is none", &value, MPI_INT, comm, 1, MPI_PROC_NULL},
        {"count", &value, MPI_INT, comm, -1, 0},
        {"type", &value, MPI_DATATYPE_NULL, comm, 1, 0},
        {"type that is not committed", &value, uncommitted, comm, 1, 0},
        {"communicator", &value, MPI_INT, MPI_COMM_NULL, 1, 0},
#ifndef MPICH /* which ignores it */
        {"buffer", MPI_IN_PLACE, MPI_INT, comm, 1, 0},
#endif
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        compare(&wrong[i]);
    MPI_Type_free(&uncommitted);
}

static void with_handler(MPI_Comm comm, MPI_Errhandler errhandler)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_set_errhandler(comm, errhandler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, errhandler);
    wrong_arguments(comm);
    unbalance(comm);
    wrong_arguments(comm);
    unbalance(comm);
    if (rank == 0)
        wrong_arguments(comm);
    unbalance(comm);
    MPI_Errhandler now;
    MPI_Comm_get_errhandler(comm, &now);
    check(now == errhandler, "the error handler is not what it was");
    if (now != MPI_ERRORS_RETURN)
        MPI_Errhandler_free(&now);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm dup;
    MPI_Errhandler own;
    MPI_Comm_create_errhandler(handler, &own);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    with_handler(dup, own);
    with_handler(dup, MPI_ERRORS_RETURN);
    MPI_Comm_free(&dup);
    MPI_Errhandler_free(&own);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    return check_finish();
}
