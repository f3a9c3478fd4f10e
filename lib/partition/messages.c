/* SPDX-License-Identifier: BSD-3-Clause */
#include "messages.h"

#include "pieces.h"

#include <stdlib.h>

/* A message, before those of a phase and a sender are brought together. */
struct entry {
    size_t place; /* (phase * ranks + the sender) * 2; + 1 for what it sends on */
    struct mt_partition_message message;
};

struct finder {
    struct mt_partition_work *work;
    const struct mt_partition *partition;
    struct entry *entries; /* owned */
    size_t room;
};

static int add_entry(struct finder *finder, const struct entry *entry,
                     struct mt_error *err)
{
    const size_t count = (size_t)finder->work->nmessages;
    if (count == finder->room) {
        const size_t room = count > 0 ? 2 * count : 1024;
        struct entry *entries = realloc(finder->entries, room * sizeof *entries);
        if (!entries)
            return mt_fail(err, MT_ENOMEM, "no memory for %zu messages", room);
        finder->entries = entries;
        finder->room = room;
    }
    finder->entries[finder->work->nmessages++] = *entry;
    return MT_OK;
}

/* The members get it from each other, see mt_partition_parent(); each sends to its last
   child first. */
static int visit_piece(void *context, const struct mt_partition_piece *piece,
                       struct mt_error *err)
{
    struct finder *finder = context;
    struct mt_partition_work *work = finder->work;
    const int end = work->nmessages + piece->count;
    int status = MT_OK;
    for (int member = piece->count; member > 0 && !status; member--) {
        const int parent = mt_partition_parent(finder->partition, member);
        const int sender = parent > 0 ? piece->others[parent - 1] : piece->owner;
        const size_t place =
            (size_t)piece->phase * (size_t)work->ranks + (size_t)sender;
        const struct entry entry = {
            .place = 2 * place + (parent > 0),
            .message = {.to = piece->others[member - 1],
                        .number = end - member,
                        .after = parent > 0 ? end - parent : -1,
                        .bytes = piece->bytes},
        };
        work->bytes += piece->bytes;
        status = add_entry(finder, &entry, err);
    }
    return status;
}

/* Sort the messages by place; those of a place stay in order. `next` is where the
   place's next one goes. */
static void sort_messages(const struct finder *finder, size_t *next)
{
    struct mt_partition_work *work = finder->work;
    const size_t places = (size_t)work->phases * (size_t)work->ranks;
    for (int i = 0; i < work->nmessages; i++)
        next[finder->entries[i].place + 1]++;
    for (size_t i = 0; i < 2 * places; i++)
        next[i + 1] += next[i];
    for (size_t i = 0; i <= places; i++)
        work->starts[i] = (int)next[2 * i];
    for (int i = 0; i < work->nmessages; i++) {
        const struct entry *entry = &finder->entries[i];
        work->messages[next[entry->place]++] = entry->message;
    }
}

int mt_partition_find_messages(struct mt_partition_work *work,
                               const struct mt_partition *partition,
                               const struct mt_partition_product *product,
                               struct mt_error *err)
{
    struct finder finder = {.work = work, .partition = partition};
    const size_t places = (size_t)work->phases * (size_t)work->ranks;
    size_t *next = calloc(2 * places + 1, sizeof *next);
    work->starts = calloc(places + 1, sizeof *work->starts);
    int status =
        next && work->starts
            ? mt_partition_visit_pieces(partition, product, visit_piece, &finder, err)
            : mt_fail(err, MT_ENOMEM, "no memory for %d phases", work->phases);
    if (!status) {
        work->messages = calloc((size_t)work->nmessages + 1, sizeof *work->messages);
        if (work->messages)
            sort_messages(&finder, next);
        else
            status =
                mt_fail(err, MT_ENOMEM, "no memory for %d messages", work->nmessages);
    }
    free(next);
    free(finder.entries);
    return status;
}
