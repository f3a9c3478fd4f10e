/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for packed messages: malloc(), or else one reserve for the process. */
#include "room.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

static char *reserve;
static atomic_flag taken = ATOMIC_FLAG_INIT;

/* Pages that are not touched cost nothing. */
bool room_begin(void)
{
    void *memory = mmap(NULL, MESSAGE_MOST_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    reserve = memory;
    return true;
}

void room_end(void)
{
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
