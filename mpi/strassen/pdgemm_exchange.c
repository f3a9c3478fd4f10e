/* SPDX-License-Identifier: BSD-3-Clause */
#include "pdgemm_exchange.h"

#include "pdgemm_message.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TAGS = 32768 /* that every MPI has */ };

static size_t values_of(const struct pdgemm_area *area)
{
    return (size_t)pdgemm_size(area->rows) * (size_t)pdgemm_size(area->columns);
}

/* What a phase needs: all of its slot, or of the calling rank. */
struct needs {
    const struct pdgemm_layout *layout;
    int phase;
    int span;           /* the last one that was visited; -1: none */
    size_t room, blank; /* doubles of a slot; of the largest piece that is sent */
    int receives, sends;
};

/* Whether all that the piece's span needs in the phase lies in one own block. */
static bool is_whole(const struct pdgemm_layout *layout, int phase,
                     const struct pdgemm_piece *piece)
{
    const struct pdgemm_area area =
        pdgemm_span_area(layout, &layout->spans[piece->span], phase);
    return piece->from == layout->rank && pdgemm_same_area(&piece->area, &area);
}

static int count_receive(void *context, const struct pdgemm_piece *piece)
{
    struct needs *needs = context;
    const struct pdgemm_layout *layout = needs->layout;
    if (piece->span != needs->span && !is_whole(layout, needs->phase, piece)) {
        const struct pdgemm_area area =
            pdgemm_span_area(layout, &layout->spans[piece->span], needs->phase);
        needs->room += values_of(&area);
    }
    needs->span = piece->span;
    needs->receives += piece->from != layout->rank;
    return 0;
}

static int count_send(void *context, const struct pdgemm_piece *piece)
{
    struct needs *needs = context;
    const size_t values = values_of(&piece->area);
    needs->blank = values > needs->blank ? values : needs->blank;
    needs->sends++;
    return 0;
}

/* The most of any phase; but the sends of all phases. */
static struct needs count_needs(const struct pdgemm_layout *layout)
{
    struct needs most = {.layout = layout};
    for (int phase = 0; phase < layout->phases; phase++) {
        struct needs needs = {.layout = layout, .phase = phase, .span = -1};
        pdgemm_visit_receives(layout, phase, count_receive, &needs);
        pdgemm_visit_sends(layout, phase, count_send, &needs);
        most.room = needs.room > most.room ? needs.room : most.room;
        most.blank = needs.blank > most.blank ? needs.blank : most.blank;
        most.receives = needs.receives > most.receives ? needs.receives : most.receives;
        most.sends += needs.sends;
    }
    return most;
}

static double *allocate(const struct mt_pdgemm_machine *machine, size_t values)
{
    return machine->allocate(machine->self, (values > 0 ? values : 1) * sizeof(double));
}

static void release(const struct mt_pdgemm_machine *machine, double *values)
{
    if (values != NULL)
        machine->release(machine->self, values);
}

static bool make_slot(struct pdgemm_slot *slot, const struct needs *needs,
                      const struct mt_pdgemm_machine *machine)
{
    slot->values = allocate(machine, needs->room);
    slot->panels = calloc((size_t)needs->layout->nspans + 1, sizeof *slot->panels);
    slot->receives = calloc((size_t)needs->receives + 1, sizeof *slot->receives);
    return slot->values != NULL && slot->panels != NULL && slot->receives != NULL;
}

int pdgemm_exchange_init(struct pdgemm_exchange *exchange, int slots,
                         struct mt_error *err)
{
    const struct needs needs = count_needs(exchange->layout);
    bool enough = true;
    for (int i = 0; i < slots; i++)
        enough &= make_slot(&exchange->slots[i], &needs, exchange->machine);
    exchange->sends = calloc((size_t)needs.sends + 1, sizeof *exchange->sends);
    enough &= exchange->sends != NULL;
    if (exchange->machine->no_values) {
        exchange->blank = allocate(exchange->machine, needs.blank);
        enough &= exchange->blank != NULL;
    }
    if (enough)
        return MT_OK;
    pdgemm_exchange_clear(exchange);
    return mt_fail(err, MT_ENOMEM, "no memory for panels of %.3g MB",
                   1e-6 * (double)needs.room * sizeof(double) * slots);
}

void pdgemm_exchange_clear(struct pdgemm_exchange *exchange)
{
    for (int i = 0; i < 2; i++) {
        release(exchange->machine, exchange->slots[i].values);
        free(exchange->slots[i].panels);
        free(exchange->slots[i].receives);
        exchange->slots[i] = (struct pdgemm_slot){0};
    }
    release(exchange->machine, exchange->blank);
    exchange->blank = NULL;
    free(exchange->sends);
    exchange->sends = NULL;
}

/* Where the piece lies in the rank's own block. */
static struct pdgemm_panel find_own(const struct pdgemm_exchange *exchange,
                                    const struct pdgemm_piece *piece)
{
    const int operand = (int)exchange->layout->spans[piece->span].operand;
    const struct mt_pdgemm_block *block =
        &exchange->parts[operand]->blocks[piece->block];
    if (block->values == NULL)
        return (struct pdgemm_panel){NULL, block->leading};
    return (struct pdgemm_panel){
        block->values + (piece->area.rows.first - block->row) +
            (size_t)(piece->area.columns.first - block->column) *
                (size_t)block->leading,
        block->leading};
}

/* Where it has to be in the panel of its span. */
static double *find_place(const struct pdgemm_panel *panel,
                          const struct pdgemm_area *whole,
                          const struct pdgemm_piece *piece)
{
    return panel->values + (piece->area.rows.first - whole->rows.first) +
           (size_t)(piece->area.columns.first - whole->columns.first) *
               (size_t)panel->leading;
}

static void copy(const struct pdgemm_area *area, const struct pdgemm_panel *from,
                 double *to, int leading)
{
    const int columns = pdgemm_size(area->columns);
    for (int i = 0; i < columns; i++)
        memcpy(to + (size_t)i * (size_t)leading,
               from->values + (size_t)i * (size_t)from->leading,
               (size_t)pdgemm_size(area->rows) * sizeof *to);
}

/* A visit of the pieces of a phase. */
struct traffic {
    struct pdgemm_exchange *exchange;
    struct pdgemm_slot *slot;
    int phase;
    int span;    /* the last one that was visited; -1: none */
    size_t used; /* doubles of the slot */
};

/* Say where the panel of a span will be. */
static void begin_span(struct traffic *traffic, const struct pdgemm_piece *piece,
                       const struct pdgemm_area *whole)
{
    struct pdgemm_panel *panel = &traffic->slot->panels[piece->span];
    traffic->span = piece->span;
    if (is_whole(traffic->exchange->layout, traffic->phase, piece)) {
        *panel = find_own(traffic->exchange, piece);
        return;
    }
    *panel = (struct pdgemm_panel){traffic->slot->values + traffic->used,
                                   pdgemm_size(whole->rows)};
    traffic->used += values_of(whole);
}

static int receive(void *context, const struct pdgemm_piece *piece)
{
    struct traffic *traffic = context;
    struct pdgemm_exchange *exchange = traffic->exchange;
    struct pdgemm_slot *slot = traffic->slot;
    const struct pdgemm_layout *layout = exchange->layout;
    const struct pdgemm_panel *panel = &slot->panels[piece->span];
    const struct pdgemm_area whole =
        pdgemm_span_area(layout, &layout->spans[piece->span], traffic->phase);
    if (piece->span != traffic->span)
        begin_span(traffic, piece, &whole);
    if (piece->from != layout->rank) {
        const int rows = pdgemm_size(piece->area.rows);
        const struct pdgemm_message message = {
            .values = find_place(panel, &whole, piece),
            .rows = rows,
            .columns = pdgemm_size(piece->area.columns),
            .leading = exchange->machine->no_values ? rows : panel->leading,
            .rank = piece->from,
            .tag = traffic->phase % MOST_TAGS};
        exchange->received += (double)values_of(&piece->area) * sizeof(double);
        return pdgemm_receive(&message, exchange->comm,
                              &slot->receives[slot->nreceives++]);
    }
    const struct pdgemm_panel own = find_own(exchange, piece);
    if (own.values != NULL && own.values != panel->values)
        copy(&piece->area, &own, find_place(panel, &whole, piece), panel->leading);
    return MPI_SUCCESS;
}

static int send(void *context, const struct pdgemm_piece *piece)
{
    const struct traffic *traffic = context;
    struct pdgemm_exchange *exchange = traffic->exchange;
    const struct pdgemm_panel own = find_own(exchange, piece);
    const int rows = pdgemm_size(piece->area.rows);
    const bool blank = exchange->machine->no_values;
    const struct pdgemm_message message = {.values =
                                               blank ? exchange->blank : own.values,
                                           .rows = rows,
                                           .columns = pdgemm_size(piece->area.columns),
                                           .leading = blank ? rows : own.leading,
                                           .rank = piece->to,
                                           .tag = traffic->phase % MOST_TAGS};
    return pdgemm_send(&message, exchange->comm, &exchange->sends[exchange->nsends++]);
}

int pdgemm_exchange_receive(struct pdgemm_exchange *exchange, int phase,
                            struct pdgemm_slot *slot)
{
    struct traffic traffic = {exchange, slot, phase, -1, 0};
    return pdgemm_visit_receives(exchange->layout, phase, receive, &traffic);
}

int pdgemm_exchange_send(struct pdgemm_exchange *exchange, int phase)
{
    struct traffic traffic = {exchange, NULL, phase, -1, 0};
    return pdgemm_visit_sends(exchange->layout, phase, send, &traffic);
}

int pdgemm_exchange_wait_received(struct pdgemm_slot *slot)
{
    const int count = slot->nreceives;
    slot->nreceives = 0;
    return pdgemm_wait(slot->receives, count);
}

int pdgemm_exchange_wait_sent(struct pdgemm_exchange *exchange)
{
    const int count = exchange->nsends;
    exchange->nsends = 0;
    return pdgemm_wait(exchange->sends, count);
}

int pdgemm_exchange_progress(struct pdgemm_exchange *exchange)
{
    int code = pdgemm_test(exchange->sends, exchange->nsends);
    for (int i = 0; i < 2 && code == MPI_SUCCESS; i++)
        code = pdgemm_test(exchange->slots[i].receives, exchange->slots[i].nreceives);
    return code;
}
