/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages: whether the arguments of a call are right, and the bytes that stand for a
   message whatever its type; their memory is malloc(), or one reserve for the process.
 */
#include "message.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

static char *reserve;
static atomic_flag taken = ATOMIC_FLAG_INIT;
static MPI_Comm self = MPI_COMM_NULL; /* errors are returned */

/* Pages that are not touched cost nothing. */
bool messages_begin(void)
{
    void *memory = mmap(NULL, MESSAGE_MOST_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    reserve = memory;
    return PMPI_Comm_split(MPI_COMM_SELF, 0, 0, &self) == MPI_SUCCESS &&
           PMPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

void messages_end(void)
{
    if (self != MPI_COMM_NULL)
        PMPI_Comm_free(&self);
    if (reserve)
        munmap(reserve, MESSAGE_MOST_BYTES);
    reserve = NULL;
}

char *room_get(size_t bytes)
{
    char *room = malloc(bytes);
    if (room || !reserve || bytes > MESSAGE_MOST_BYTES ||
        atomic_flag_test_and_set(&taken))
        return room;
    return reserve;
}

void room_put(char *room)
{
    if (room && room == reserve)
        atomic_flag_clear(&taken);
    else
        free(room);
}

/* The last predefined type, which the program cannot free, that was found to have no
   gaps. */
static __thread struct {
    MPI_Datatype type;
    size_t size; /* 0: none yet */
} known;

size_t message_known_size(MPI_Datatype type)
{
    return type == known.type ? known.size : 0;
}

/* False: it has gaps. */
static bool remember(MPI_Datatype type)
{
    MPI_Aint lower = 0, extent = 0;
    int size = 0;
    if (PMPI_Type_get_extent(type, &lower, &extent) != MPI_SUCCESS ||
        PMPI_Type_size(type, &size) != MPI_SUCCESS || lower != 0 || extent != size)
        return false;
    known.type = type;
    known.size = (size_t)size;
    return true;
}

bool message_is_plain(MPI_Datatype type)
{
    if (message_known_size(type) > 0)
        return true;
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    if (PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) !=
        MPI_SUCCESS)
        return false;
    if (combiner == MPI_COMBINER_NAMED)
        return remember(type);
    if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP)
        return false;

    int count = 0;
    MPI_Aint unused = 0;
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    if (PMPI_Type_get_contents(type, integers, addresses, types, &count, &unused,
                               &inner) != MPI_SUCCESS)
        return false;
    const bool plain = message_is_plain(inner);
    if (PMPI_Type_get_envelope(inner, &integers, &addresses, &types, &combiner) ==
            MPI_SUCCESS &&
        combiner != MPI_COMBINER_NAMED)
        PMPI_Type_free(&inner); /* a derived type is returned as a handle of our own */
    return plain;
}

static int convert(const struct message *message, char *packed, bool pack,
                   MPI_Comm comm)
{
    const int bytes = (int)message->bytes, count = (int)message->count;
    int position = 0;
    const int status = pack ? PMPI_Pack(message->buffer, count, message->type, packed,
                                        bytes, &position, comm)
                            : PMPI_Unpack(packed, bytes, &position, message->buffer,
                                          count, message->type, comm);
    return status == MPI_SUCCESS && position != bytes ? MPI_ERR_INTERN : status;
}

/* MPICH does not pack from MPI_BOTTOM, so the type is shifted to start at an address of
   ours; its elements stay where they are. */
static int convert_absolute(const struct message *message, char *packed, bool pack,
                            MPI_Comm comm)
{
    char here = 0;
    MPI_Aint place = 0;
    struct message moved = *message;
    PMPI_Get_address(&here, &place);
    place = -place;
    int status =
        PMPI_Type_create_hindexed(1, (int[]){1}, &place, message->type, &moved.type);
    if (status != MPI_SUCCESS)
        return status;
    moved.buffer = &here;
    status = PMPI_Type_commit(&moved.type);
    if (status == MPI_SUCCESS)
        status = convert(&moved, packed, pack, comm);
    PMPI_Type_free(&moved.type);
    return status;
}

int message_pack(const struct message *message, char *packed, MPI_Comm comm)
{
    return message->buffer == MPI_BOTTOM ? convert_absolute(message, packed, true, comm)
                                         : convert(message, packed, true, comm);
}

int message_unpack(const struct message *message, char *packed, MPI_Comm comm)
{
    return message->buffer == MPI_BOTTOM
               ? convert_absolute(message, packed, false, comm)
               : convert(message, packed, false, comm);
}

/* Sending to MPI_PROC_NULL reveals any error in the message, such as a type that is not
   committed. */
static bool can_be_sent(const struct message *message)
{
    const int count = message->count < INT_MAX ? (int)message->count : INT_MAX;
    return PMPI_Send(message->buffer, count, message->type, MPI_PROC_NULL, 0, self) ==
           MPI_SUCCESS;
}

/* Bytes of an element; 0: unknown. MPI 4.1 deprecates this name, but programs built
   with MPICH 4 also run under MPIs of version 3, which lack PMPI_Type_size_c. */
static MPI_Count type_size(MPI_Datatype type)
{
    MPI_Count size = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    const int status = PMPI_Type_size_x(type, &size);
#pragma GCC diagnostic pop
    return status == MPI_SUCCESS && size > 0 ? size : 0;
}

/* The bytes of an element; 0: the message cannot be sent. Most programs send messages
   of one basic type, which need no new query of the MPI. */
static size_t element_size(const struct message *message)
{
    const size_t basic = message_known_size(message->type);
    if (basic > 0 && message->buffer)
        return basic;
    const MPI_Count size = can_be_sent(message) ? type_size(message->type) : 0;
    if (size == 0)
        return 0;
    message_is_plain(message->type);
    return (size_t)size;
}

/* MPI_IN_PLACE is refused by some MPIs, and taken for an address by others. */
size_t message_check(const struct message *message, int root, int size)
{
    size_t bytes;
    if (message->count < 0 || root < 0 || root >= size ||
        message->buffer == MPI_IN_PLACE ||
        __builtin_mul_overflow(element_size(message), (size_t)message->count, &bytes))
        return 0;
    return bytes;
}
