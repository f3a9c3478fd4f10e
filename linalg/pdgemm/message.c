/* SPDX-License-Identifier: BSD-3-Clause */
/* A rectangle of a matrix as one MPI message, of any size. */
#include "message.h"

#include <limits.h>

int pdgemm_mpi(int code, struct mt_error *err)
{
    if (code == MPI_SUCCESS)
        return MT_OK;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    return mt_fail(err, MT_EIO, "a message failed: %s", text);
}

/* The count and type of a message. A type that is `made` must be freed. */
struct content {
    int count;
    MPI_Datatype type;
    bool made;
};

static int describe(struct content *content, const struct pdgemm_message *message)
{
    const bool has_gaps = message->leading > message->rows && message->columns > 1;
    if (!has_gaps && message->rows <= INT_MAX / message->columns) {
        *content =
            (struct content){message->rows * message->columns, MPI_DOUBLE, false};
        return MPI_SUCCESS;
    }
    *content = (struct content){1, MPI_DATATYPE_NULL, true};
    const int code = MPI_Type_vector(message->columns, message->rows, message->leading,
                                     MPI_DOUBLE, &content->type);
    return code == MPI_SUCCESS ? MPI_Type_commit(&content->type) : code;
}

/* MPI keeps the type until the message has ended. */
static int forget(struct content *content, int code)
{
    if (content->made && content->type != MPI_DATATYPE_NULL)
        MPI_Type_free(&content->type);
    return code;
}

int pdgemm_send(const struct pdgemm_message *message, MPI_Comm comm,
                MPI_Request *request)
{
    struct content content;
    int code = describe(&content, message);
    if (code == MPI_SUCCESS)
        code = MPI_Isend(message->values, content.count, content.type, message->rank,
                         message->tag, comm, request);
    return forget(&content, code);
}

int pdgemm_send_through(const struct pdgemm_message *message, MPI_Comm comm)
{
    struct content content;
    int code = describe(&content, message);
    if (code == MPI_SUCCESS)
        code = MPI_Ssend(message->values, content.count, content.type, message->rank,
                         message->tag, comm);
    return forget(&content, code);
}

int pdgemm_receive(const struct pdgemm_message *message, MPI_Comm comm,
                   MPI_Request *request)
{
    struct content content;
    int code = describe(&content, message);
    if (code == MPI_SUCCESS)
        code = MPI_Irecv(message->values, content.count, content.type, message->rank,
                         message->tag, comm, request);
    return forget(&content, code);
}

int pdgemm_wait(MPI_Request *requests, int count)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < count && code == MPI_SUCCESS; i++)
        code = MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    return code;
}

int pdgemm_test(MPI_Request *requests, int count, bool *is_open)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < count && code == MPI_SUCCESS; i++) {
        int done = 1;
        if (requests[i] != MPI_REQUEST_NULL)
            code = MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
        *is_open |= !done;
    }
    return code;
}
