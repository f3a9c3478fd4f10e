/* SPDX-License-Identifier: BSD-3-Clause */
#include "parcels.h"

#include "pieces.h"

#include <stdlib.h>

/* A message, before those of a phase and a rank are brought together. */
struct message {
    size_t place; /* phase * ranks + the rank that gets it */
    int from, operand;
    double bytes;
};

struct finder {
    struct mt_partition_work *work;
    struct message *messages; /* owned */
    size_t nmessages, room;
};

static int add_message(struct finder *finder, const struct message *message,
                       struct mt_error *err)
{
    if (finder->nmessages == finder->room) {
        const size_t room = finder->room > 0 ? 2 * finder->room : 1024;
        struct message *messages = realloc(finder->messages, room * sizeof *messages);
        if (!messages)
            return mt_fail(err, MT_ENOMEM, "no memory for %zu messages", room);
        finder->messages = messages;
        finder->room = room;
    }
    finder->messages[finder->nmessages++] = *message;
    return MT_OK;
}

/* Each gets it from the owner. */
static int visit_piece(void *context, const struct mt_partition_piece *piece,
                       struct mt_error *err)
{
    struct finder *finder = context;
    const size_t first = (size_t)piece->phase * (size_t)finder->work->ranks;
    int status = MT_OK;
    for (int i = 0; i < piece->count && !status; i++) {
        const struct message message = {.place = first + (size_t)piece->others[i],
                                        .from = piece->owner,
                                        .operand = piece->operand,
                                        .bytes = piece->bytes};
        finder->work->bytes += piece->bytes;
        status = add_message(finder, &message, err);
    }
    return status;
}

/* Sort the messages by place; those of a place stay in order: of A, then of B. `next`
   is where the place's next one goes. */
static void sort_messages(struct message *sorted, int *next,
                          const struct finder *finder)
{
    int *starts = finder->work->starts;
    const size_t places = (size_t)finder->work->phases * (size_t)finder->work->ranks;
    for (size_t i = 0; i < finder->nmessages; i++)
        starts[finder->messages[i].place + 1]++;
    for (size_t place = 0; place < places; place++) {
        next[place] = starts[place];
        starts[place + 1] += starts[place];
    }
    for (size_t i = 0; i < finder->nmessages; i++)
        sorted[next[finder->messages[i].place]++] = finder->messages[i];
}

/* Bring messages from the same rank, of the same operand, at the same place together.
   `seen` is where the last parcel of a rank ends. */
static void pack(struct mt_partition_work *work, const struct message *sorted,
                 int *seen)
{
    const size_t places = (size_t)work->phases * (size_t)work->ranks;
    int kept = 0;
    for (size_t place = 0, i = 0; place < places; place++) {
        const size_t end = (size_t)work->starts[place + 1];
        int begin = work->starts[place] = kept;
        for (; i < end; i++) {
            const struct message *message = &sorted[i];
            if (kept > begin && message->operand != sorted[i - 1].operand)
                begin = kept;
            int *last = &seen[message->from];
            if (*last <= begin) {
                work->parcels[kept++] =
                    (struct mt_partition_parcel){.from = message->from};
                *last = kept;
            }
            work->parcels[*last - 1].messages++;
            work->parcels[*last - 1].bytes += message->bytes;
        }
    }
    work->starts[places] = kept;
}

static int gather(struct finder *finder, struct mt_error *err)
{
    struct mt_partition_work *work = finder->work;
    const size_t places = (size_t)work->phases * (size_t)work->ranks;
    work->starts = calloc(places + 1, sizeof *work->starts);
    work->parcels = calloc(finder->nmessages + 1, sizeof *work->parcels);
    struct message *sorted = calloc(finder->nmessages + 1, sizeof *sorted);
    int *next = calloc(places, sizeof *next);
    int *seen = calloc((size_t)work->ranks, sizeof *seen);
    int status = MT_OK;
    if (work->starts && work->parcels && sorted && next && seen) {
        sort_messages(sorted, next, finder);
        pack(work, sorted, seen);
    } else {
        status =
            mt_fail(err, MT_ENOMEM, "no memory for %zu messages", finder->nmessages);
    }
    free(seen);
    free(next);
    free(sorted);
    return status;
}

int mt_partition_find_parcels(struct mt_partition_work *work,
                              const struct mt_partition *partition,
                              const struct mt_partition_product *product,
                              struct mt_error *err)
{
    struct finder finder = {.work = work};
    int status =
        mt_partition_visit_pieces(partition, product, visit_piece, &finder, err);
    if (!status)
        status = gather(&finder, err);
    free(finder.messages);
    return status;
}
