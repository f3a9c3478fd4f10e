/* SPDX-License-Identifier: BSD-3-Clause */
/* What each rank computes and sends in a phase of a product. */
#include "work.h"

#include "lib/base/array.h"
#include "spans.h"

#include <math.h>
#include <stdlib.h>

/* A message, before messages are sorted by phase and sender. */
struct message_entry {
    size_t place; /* (phase * ranks + the sender) * 2; + 1 for what it sends on */
    struct mt_partition_message message;
};

struct message_finder {
    struct mt_partition_work *work;
    const struct mt_partition *partition;
    struct message_entry *entries; /* owned */
};

static int add_entry(struct message_finder *finder, const struct message_entry *entry,
                     struct mt_error *err)
{
    const int status = mt_array_grow(&finder->entries, finder->work->nmessages,
                                     sizeof *finder->entries, "messages", err);
    if (status == MT_OK)
        finder->entries[finder->work->nmessages++] = *entry;
    return status;
}

/* Bytes are counted in the array of the seconds at first. */
static void add_received(struct mt_partition_work *work,
                         const struct mt_partition_piece *piece, int member)
{
    const size_t phase = (size_t)piece->phase * (size_t)work->ranks;
    work->fresh[phase + (size_t)piece->others[member]] += piece->bytes;
}

/* Members forward it, see mt_partition_parent(); each sends to its last child first. */
static int visit_for_messages(void *context, const struct mt_partition_piece *piece,
                              struct mt_error *err)
{
    struct message_finder *finder = context;
    struct mt_partition_work *work = finder->work;
    const int end = work->nmessages + piece->count;
    int status = MT_OK;
    for (int member = piece->count; member > 0 && status == MT_OK; member--) {
        const int parent = mt_partition_parent(finder->partition, member);
        const int sender = parent > 0 ? piece->others[parent - 1] : piece->owner;
        const size_t place =
            (size_t)piece->phase * (size_t)work->ranks + (size_t)sender;
        const struct message_entry entry = {
            .place = 2 * place + (parent > 0),
            .message = {.to = piece->others[member - 1],
                        .number = end - member,
                        .after = parent > 0 ? end - parent : -1,
                        .bytes = piece->bytes},
        };
        work->bytes += piece->bytes;
        add_received(work, piece, member - 1);
        status = add_entry(finder, &entry, err);
    }
    return status;
}

/* Sort the messages by place; those of a place stay in order. `next`: the index of the
   place's next message. */
static void sort_by_sender(const struct message_finder *finder, size_t *next)
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
        const struct message_entry *entry = &finder->entries[i];
        work->messages[next[entry->place]++] = entry->message;
    }
}

static int find_messages(struct mt_partition_work *work,
                         const struct mt_partition *partition,
                         const struct mt_partition_product *product,
                         struct mt_error *err)
{
    struct message_finder finder = {.work = work, .partition = partition};
    const size_t places = (size_t)work->phases * (size_t)work->ranks;
    size_t *next = calloc(2 * places + 1, sizeof *next);
    work->starts = calloc(places + 1, sizeof *work->starts);
    int status = next && work->starts
                     ? mt_partition_visit_pieces(partition, product, visit_for_messages,
                                                 &finder, err)
                     : mt_fail(err, MT_ENOMEM, "no memory for %d phases", work->phases);
    if (status == MT_OK) {
        work->messages = calloc((size_t)work->nmessages + 1, sizeof *work->messages);
        if (work->messages)
            sort_by_sender(&finder, next);
        else
            status =
                mt_fail(err, MT_ENOMEM, "no memory for %d messages", work->nmessages);
    }
    free(next);
    free(finder.entries);
    return status;
}

/* A message, before messages are sorted by phase and receiver. */
struct parcel_entry {
    size_t place; /* phase * ranks + the rank that gets it */
    int from, operand;
    double bytes;
};

struct parcel_finder {
    struct mt_partition_work *work;
    struct parcel_entry *transfers; /* owned */
    int ntransfers;
};

static int add_transfer(struct parcel_finder *finder,
                        const struct parcel_entry *transfer, struct mt_error *err)
{
    const int status = mt_array_grow(&finder->transfers, finder->ntransfers,
                                     sizeof *finder->transfers, "messages", err);
    if (status == MT_OK)
        finder->transfers[finder->ntransfers++] = *transfer;
    return status;
}

/* Each gets it from the owner. */
static int visit_for_parcels(void *context, const struct mt_partition_piece *piece,
                             struct mt_error *err)
{
    struct parcel_finder *finder = context;
    const size_t first = (size_t)piece->phase * (size_t)finder->work->ranks;
    int status = MT_OK;
    for (int i = 0; i < piece->count && status == MT_OK; i++) {
        const struct parcel_entry transfer = {.place = first + (size_t)piece->others[i],
                                              .from = piece->owner,
                                              .operand = piece->operand,
                                              .bytes = piece->bytes};
        finder->work->bytes += piece->bytes;
        add_received(finder->work, piece, i);
        status = add_transfer(finder, &transfer, err);
    }
    return status;
}

/* Sort the messages by place; those of a place stay in order: of A, then of B. `next`:
   the index of the place's next message. */
static void sort_by_receiver(struct parcel_entry *sorted, int *next,
                             const struct parcel_finder *finder)
{
    int *starts = finder->work->starts;
    const size_t places = (size_t)finder->work->phases * (size_t)finder->work->ranks;
    for (int i = 0; i < finder->ntransfers; i++)
        starts[finder->transfers[i].place + 1]++;
    for (size_t place = 0; place < places; place++) {
        next[place] = starts[place];
        starts[place + 1] += starts[place];
    }
    for (int i = 0; i < finder->ntransfers; i++)
        sorted[next[finder->transfers[i].place]++] = finder->transfers[i];
}

/* Merge messages from the same rank, of the same operand, at the same place. `seen`:
   the end of a rank's last parcel. */
static void pack_parcels(struct mt_partition_work *work,
                         const struct parcel_entry *sorted, int *seen)
{
    const size_t places = (size_t)work->phases * (size_t)work->ranks;
    int kept = 0;
    for (size_t place = 0, i = 0; place < places; place++) {
        const size_t end = (size_t)work->starts[place + 1];
        int begin = work->starts[place] = kept;
        for (; i < end; i++) {
            const struct parcel_entry *transfer = &sorted[i];
            if (kept > begin && transfer->operand != sorted[i - 1].operand)
                begin = kept;
            int *last = &seen[transfer->from];
            if (*last <= begin) {
                work->parcels[kept++] =
                    (struct mt_partition_parcel){.from = transfer->from};
                *last = kept;
            }
            work->parcels[*last - 1].messages++;
            work->parcels[*last - 1].bytes += transfer->bytes;
        }
    }
    work->starts[places] = kept;
}

static int gather_parcels(struct parcel_finder *finder, struct mt_error *err)
{
    struct mt_partition_work *work = finder->work;
    const size_t places = (size_t)work->phases * (size_t)work->ranks;
    work->starts = calloc(places + 1, sizeof *work->starts);
    work->parcels = calloc((size_t)finder->ntransfers + 1, sizeof *work->parcels);
    struct parcel_entry *sorted =
        calloc((size_t)finder->ntransfers + 1, sizeof *sorted);
    int *next = calloc(places, sizeof *next);
    int *seen = calloc((size_t)work->ranks, sizeof *seen);
    int status = MT_OK;
    if (work->starts && work->parcels && sorted && next && seen) {
        sort_by_receiver(sorted, next, finder);
        pack_parcels(work, sorted, seen);
    } else {
        status =
            mt_fail(err, MT_ENOMEM, "no memory for %d messages", finder->ntransfers);
    }
    free(seen);
    free(next);
    free(sorted);
    return status;
}

static int find_parcels(struct mt_partition_work *work,
                        const struct mt_partition *partition,
                        const struct mt_partition_product *product,
                        struct mt_error *err)
{
    struct parcel_finder finder = {.work = work};
    int status =
        mt_partition_visit_pieces(partition, product, visit_for_parcels, &finder, err);
    if (status == MT_OK)
        status = gather_parcels(&finder, err);
    free(finder.transfers);
    return status;
}

void mt_partition_work_clear(struct mt_partition_work *work)
{
    free(work->seconds);
    free(work->fresh);
    free(work->parcels);
    free(work->messages);
    free(work->starts);
    *work = (struct mt_partition_work){0};
}

/* Equal tiles of a rank that follow each other. */
struct tile_run {
    const struct mt_partition_tile *tile;
    int rows, columns, count, first_panel;
};

/* The time of a product, cached, since many sizes in a row share it. */
struct memory {
    int depth;
    bool accumulate;
    double seconds;
};

static void add_run(struct mt_partition_work *work,
                    const struct mt_partition *partition,
                    const struct mt_partition_cluster *cluster,
                    const struct tile_run *run, int k)
{
    const struct mt_partition_tile *tile = run->tile;
    struct memory memory = {0};
    bool accumulate = false;
    for (int phase = tile->turn; phase < work->phases; phase++) {
        if (mt_partition_turn_of_phase(partition, phase) != tile->turn)
            continue;
        const struct mt_partition_range part =
            mt_partition_depth(partition, run->first_panel, phase, k);
        const int depth = part.end - part.first;
        if (depth == 0)
            continue;
        if (depth != memory.depth || accumulate != memory.accumulate) {
            memory = (struct memory){depth, accumulate, 0};
            memory.seconds =
                mt_strassen_seconds(&cluster->speeds[tile->rank], run->rows,
                                    run->columns, depth, tile->levels, accumulate);
        }
        work->seconds[(size_t)phase * (size_t)work->ranks + (size_t)tile->rank] +=
            run->count * memory.seconds;
        accumulate = true;
    }
}

static bool same_run(const struct tile_run *a, const struct tile_run *b)
{
    return a->tile && a->tile->rank == b->tile->rank &&
           a->tile->turn == b->tile->turn && a->tile->levels == b->tile->levels &&
           a->rows == b->rows && a->columns == b->columns;
}

static void find_seconds(struct mt_partition_work *work,
                         const struct mt_partition *partition,
                         const struct mt_partition_task *task)
{
    const struct mt_partition_product *product = task->product;
    struct tile_run run = {0};
    for (int i = 0; i < partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &partition->tiles[i];
        struct tile_run next = {
            .tile = tile,
            .rows = mt_partition_edge(tile->bottom, product->m) -
                    mt_partition_edge(tile->top, product->m),
            .columns = mt_partition_edge(tile->right, product->n) -
                       mt_partition_edge(tile->left, product->n),
            .count = 1,
        };
        if (same_run(&run, &next)) {
            run.count++;
            continue;
        }
        if (run.tile)
            add_run(work, partition, task->cluster, &run, product->k);
        const bool same_rank = run.tile && run.tile->rank == tile->rank;
        next.first_panel =
            same_rank ? run.first_panel : mt_partition_panel(partition, tile->rank, 0);
        run = next;
    }
    if (run.tile)
        add_run(work, partition, task->cluster, &run, product->k);
}

/* Turn the bytes that each rank receives in a phase into seconds for memory used for
   the first time. A phase reuses the memory of the one before, or, with overlap or
   subpanels, of the one before that. */
static void find_fresh(struct mt_partition_work *work,
                       const struct mt_partition *partition, double fresh)
{
    for (int rank = 0; rank < work->ranks; rank++) {
        double used[2] = {0};
        for (int phase = 0; phase < work->phases; phase++) {
            double *bytes = &work->fresh[phase * work->ranks + rank];
            double *most = &used[partition->overlap
                                     ? phase % 2
                                     : mt_partition_turn_of_phase(partition, phase)];
            const double more = fmax(*bytes - *most, 0);
            *most += more;
            *bytes = fresh * more;
        }
    }
}

int mt_partition_work_init(struct mt_partition_work *work,
                           const struct mt_partition *partition,
                           const struct mt_partition_task *task, struct mt_error *err)
{
    struct mt_partition_work made = {
        .ranks = partition->ranks,
        .phases = partition->panels * mt_partition_phases_per_step(partition),
    };
    made.seconds =
        calloc((size_t)made.phases * (size_t)made.ranks, sizeof *made.seconds);
    made.fresh = calloc((size_t)made.phases * (size_t)made.ranks, sizeof *made.fresh);
    int status = MT_OK;
    if (!made.seconds || !made.fresh)
        status = mt_fail(err, MT_ENOMEM, "no memory for %d phases of %d ranks",
                         made.phases, made.ranks);
    else
        find_seconds(&made, partition, task);
    if (status == MT_OK)
        status = partition->overlap
                     ? find_parcels(&made, partition, task->product, err)
                     : find_messages(&made, partition, task->product, err);
    if (status == MT_OK) {
        find_fresh(&made, partition, task->cluster->network.fresh);
        *work = made;
    } else {
        mt_partition_work_clear(&made);
    }
    return status;
}
