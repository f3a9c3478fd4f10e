/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of a phase, and the memory they need. */
#include "exchange.h"

#include "message.h"
#include "pieces.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* How much memory the messages of a product need. Pure: no MPI. */

/* Maxima over phases; over steps for values sent packed, and totals for messages sent
   in place. */
struct pdgemm_needs {
    size_t panels;    /* values of spans that are not in one own block */
    size_t scattered; /* values received packed, as they are scattered among others */
    size_t packed;    /* values sent packed, as others lie between them */
    size_t longest;   /* values of a message */
    int receives, packed_sends, sends;
};

/* Counts of a phase or a step. */
struct count {
    const struct pdgemm_layout *layout;
    int phase;
    int span; /* the last one visited; -1: none */
    struct pdgemm_needs needs;
};

static size_t pdgemm_values(const struct pdgemm_area *area)
{
    return (size_t)pdgemm_size(area->rows) * (size_t)pdgemm_size(area->columns);
}

/* Whether a piece is all that its span needs in the phase, and is in an own block or in
   a panel of turn 0. */
static bool pdgemm_is_own(const struct pdgemm_layout *layout, int phase,
                          const struct pdgemm_piece *piece)
{
    const struct pdgemm_area area =
        pdgemm_span_area(layout, &layout->needs.spans[piece->span], phase);
    return piece->from == layout->rank && pdgemm_same_area(&piece->area, &area);
}

/* Whether other values lie between those of the piece in the whole. */
static bool pdgemm_has_gaps(const struct pdgemm_area *piece,
                            const struct pdgemm_area *whole)
{
    return pdgemm_size(piece->rows) < pdgemm_size(whole->rows) &&
           pdgemm_size(piece->columns) > 1;
}

/* Likewise, in the block or the held panel with the piece. */
static bool pdgemm_is_strided(const struct pdgemm_piece *piece)
{
    return pdgemm_has_gaps(&piece->area, &piece->home);
}

static int count_receive(void *context, const struct pdgemm_piece *piece)
{
    struct count *count = context;
    const struct pdgemm_layout *layout = count->layout;
    const struct pdgemm_area area =
        pdgemm_span_area(layout, &layout->needs.spans[piece->span], count->phase);
    if (piece->span != count->span && !pdgemm_is_own(layout, count->phase, piece))
        count->needs.panels += pdgemm_values(&area);
    count->span = piece->span;
    if (piece->from == layout->rank)
        return 0;
    if (pdgemm_has_gaps(&piece->area, &area))
        count->needs.scattered += pdgemm_values(&piece->area);
    count->needs.receives++;
    return 0;
}

static int count_send(void *context, const struct pdgemm_piece *piece)
{
    struct count *count = context;
    const size_t values = pdgemm_values(&piece->area);
    if (values > count->needs.longest)
        count->needs.longest = values;
    if (pdgemm_is_strided(piece)) {
        count->needs.packed += values;
        count->needs.packed_sends++;
    }
    count->needs.sends++;
    return 0;
}

static void keep_most(size_t *most, size_t number)
{
    if (number > *most)
        *most = number;
}

static struct pdgemm_needs pdgemm_count_needs(const struct pdgemm_layout *layout)
{
    struct pdgemm_needs most = {0};
    struct count step = {.layout = layout};
    for (int phase = 0; phase < layout->phases; phase++) {
        struct count receives = {.layout = layout, .phase = phase, .span = -1};
        if (mt_partition_turn_of_phase(layout->partition, phase) == 0)
            step.needs = (struct pdgemm_needs){0};
        step.phase = phase;
        const int sends = step.needs.sends;
        pdgemm_visit_receives(layout, phase, count_receive, &receives);
        pdgemm_visit_sends(layout, phase, count_send, &step);
        keep_most(&most.panels, receives.needs.panels);
        keep_most(&most.scattered, receives.needs.scattered);
        keep_most(&most.packed, step.needs.packed);
        keep_most(&most.longest, step.needs.longest);
        if (receives.needs.receives > most.receives)
            most.receives = receives.needs.receives;
        if (step.needs.packed_sends > most.packed_sends)
            most.packed_sends = step.needs.packed_sends;
        most.sends += step.needs.sends - sends;
    }
    return most;
}

enum { MOST_TAGS = 32768 /* that every MPI has */ };

static double *allocate(const struct mt_pdgemm_machine *machine, size_t values)
{
    return machine->allocate(machine->self, (values > 0 ? values : 1) * sizeof(double));
}

static void release(const struct mt_pdgemm_machine *machine, double *values)
{
    if (values != NULL)
        machine->release(machine->self, values);
}

static bool make_slot(struct pdgemm_slot *slot, int spans,
                      const struct pdgemm_needs *needs,
                      const struct mt_pdgemm_machine *machine)
{
    slot->values = allocate(machine, needs->panels + needs->scattered);
    slot->packed = allocate(machine, needs->packed);
    slot->panels = calloc((size_t)spans + 1, sizeof *slot->panels);
    slot->arrivals = calloc((size_t)needs->receives + 1, sizeof *slot->arrivals);
    slot->sends = calloc((size_t)needs->packed_sends + 1, sizeof(MPI_Request));
    return slot->values != NULL && slot->packed != NULL && slot->panels != NULL &&
           slot->arrivals != NULL && slot->sends != NULL;
}

int pdgemm_exchange_init(struct pdgemm_exchange *exchange, int slots,
                         struct mt_error *err)
{
    struct pdgemm_needs needs = pdgemm_count_needs(exchange->layout);
    if (exchange->machine->no_values)
        needs.packed = needs.scattered = 0;
    else
        needs.longest = 0;
    bool enough = true;
    for (int i = 0; i < slots; i++)
        enough &= make_slot(&exchange->slots[i], exchange->layout->needs.count, &needs,
                            exchange->machine);
    exchange->sends = calloc((size_t)needs.sends + 1, sizeof(MPI_Request));
    exchange->blank = allocate(exchange->machine, needs.longest);
    if (enough && exchange->sends != NULL && exchange->blank != NULL)
        return MT_OK;
    pdgemm_exchange_clear(exchange);
    return mt_fail(err, MT_ENOMEM, "no memory for panels of %.3g MB",
                   1e-6 * slots * sizeof(double) *
                       (double)(needs.panels + needs.scattered + needs.packed));
}

void pdgemm_exchange_clear(struct pdgemm_exchange *exchange)
{
    for (int i = 0; i < PDGEMM_SLOTS; i++) {
        struct pdgemm_slot *slot = &exchange->slots[i];
        release(exchange->machine, slot->values);
        release(exchange->machine, slot->packed);
        free(slot->panels);
        free(slot->arrivals);
        free(slot->sends);
        *slot = (struct pdgemm_slot){0};
    }
    release(exchange->machine, exchange->blank);
    exchange->blank = NULL;
    free(exchange->sends);
    exchange->sends = NULL;
}

/* The position of an area within the values of a larger one. */
static struct pdgemm_panel find_within(const struct pdgemm_panel *panel,
                                       const struct pdgemm_area *whole,
                                       const struct pdgemm_area *area)
{
    if (panel->values == NULL)
        return *panel;
    return (struct pdgemm_panel){
        panel->values + (area->rows.first - whole->rows.first) +
            (size_t)(area->columns.first - whole->columns.first) *
                (size_t)panel->leading,
        panel->leading};
}

/* The piece's position in the rank's own block, or in its panel of turn 0. */
static struct pdgemm_panel find_own(const struct pdgemm_exchange *exchange,
                                    const struct pdgemm_piece *piece)
{
    if (piece->holder >= 0)
        return find_within(&exchange->slots[0].panels[piece->holder], &piece->home,
                           &piece->area);
    const int operand = (int)exchange->layout->needs.spans[piece->span].operand;
    const struct mt_pdgemm_block *block =
        &exchange->parts[operand]->blocks[piece->block];
    return find_within(&(struct pdgemm_panel){block->values, block->leading},
                       &piece->home, &piece->area);
}

static void copy(int rows, int columns, const struct pdgemm_panel *from,
                 const struct pdgemm_panel *to)
{
    for (int i = 0; i < columns; i++)
        memcpy(to->values + (size_t)i * (size_t)to->leading,
               from->values + (size_t)i * (size_t)from->leading,
               (size_t)rows * sizeof *to->values);
}

/* A visit of the pieces of a phase. */
struct traffic {
    struct pdgemm_exchange *exchange;
    struct pdgemm_slot *slot;
    int phase;
    bool sent_on;  /* visit forwarded pieces, not those of owners */
    bool in_turn;  /* begin a message when the last one has been sent */
    int span;      /* the last one that was visited; -1: none */
    size_t used;   /* of the slot's values */
    int narrivals; /* that were visited */
};

static double *take(struct traffic *traffic, const struct pdgemm_area *area)
{
    double *values = traffic->slot->values + traffic->used;
    traffic->used += pdgemm_values(area);
    return values;
}

/* Set the place of a span's panel. */
static void begin_span(struct traffic *traffic, const struct pdgemm_piece *piece,
                       const struct pdgemm_area *whole)
{
    struct pdgemm_panel *panel = &traffic->slot->panels[piece->span];
    traffic->span = piece->span;
    if (pdgemm_is_own(traffic->exchange->layout, traffic->phase, piece))
        *panel = find_own(traffic->exchange, piece);
    else
        *panel = (struct pdgemm_panel){take(traffic, whole), pdgemm_size(whole->rows)};
}

/* A message without gaps. Strided pieces are sent later than others, with another tag;
   sender and receiver both know the kind. */
static struct pdgemm_message message_of(const struct traffic *traffic,
                                        const struct pdgemm_piece *piece, int rank,
                                        double *values)
{
    const int rows = pdgemm_size(piece->area.rows);
    const int strided = pdgemm_is_strided(piece);
    return (struct pdgemm_message){.values = values,
                                   .rows = rows,
                                   .columns = pdgemm_size(piece->area.columns),
                                   .leading = rows,
                                   .rank = rank,
                                   .tag =
                                       traffic->phase % (MOST_TAGS / 2) * 2 + strided};
}

static int expect(struct traffic *traffic, const struct pdgemm_piece *piece,
                  const struct pdgemm_panel *place, bool has_gaps)
{
    struct pdgemm_exchange *exchange = traffic->exchange;
    struct pdgemm_arrival *arrival = &traffic->slot->arrivals[traffic->narrivals++];
    double *packed = has_gaps ? take(traffic, &piece->area) : NULL;
    const struct pdgemm_message message = message_of(
        traffic, piece, piece->from, packed != NULL ? packed : place->values);
    if (traffic->sent_on != (piece->from != piece->owner))
        return MPI_SUCCESS;
    *arrival = (struct pdgemm_arrival){.packed = packed,
                                       .place = *place,
                                       .rows = message.rows,
                                       .columns = message.columns};
    exchange->received += (double)pdgemm_values(&piece->area) * sizeof(double);
    return pdgemm_receive(&message, exchange->comm, &arrival->request);
}

static int receive(void *context, const struct pdgemm_piece *piece)
{
    struct traffic *traffic = context;
    struct pdgemm_exchange *exchange = traffic->exchange;
    const struct pdgemm_layout *layout = exchange->layout;
    const bool no_values = exchange->machine->no_values;
    const struct pdgemm_panel *panel = &traffic->slot->panels[piece->span];
    const struct pdgemm_area whole =
        pdgemm_span_area(layout, &layout->needs.spans[piece->span], traffic->phase);
    if (piece->span != traffic->span)
        begin_span(traffic, piece, &whole);
    if (pdgemm_is_own(layout, traffic->phase, piece))
        return MPI_SUCCESS;
    const struct pdgemm_panel place = find_within(panel, &whole, &piece->area);
    if (piece->from != layout->rank)
        return expect(traffic, piece, &place,
                      !no_values && pdgemm_has_gaps(&piece->area, &whole));
    const struct pdgemm_panel own = find_own(exchange, piece);
    if (!no_values && !traffic->sent_on)
        copy(pdgemm_size(piece->area.rows), pdgemm_size(piece->area.columns), &own,
             &place);
    return MPI_SUCCESS;
}

/* Receives are posted in the order in which each rank sends. */
int pdgemm_exchange_receive(struct pdgemm_exchange *exchange, int phase,
                            struct pdgemm_slot *slot)
{
    int code = MPI_SUCCESS;
    for (int sent_on = 0; sent_on <= 1 && code == MPI_SUCCESS; sent_on++) {
        struct traffic traffic = {.exchange = exchange,
                                  .slot = slot,
                                  .phase = phase,
                                  .sent_on = sent_on,
                                  .span = -1};
        code = pdgemm_visit_receives(exchange->layout, phase, receive, &traffic);
        slot->narrivals = traffic.narrivals;
    }
    return code;
}

int pdgemm_exchange_wait_received(struct pdgemm_slot *slot)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < slot->narrivals && code == MPI_SUCCESS; i++) {
        struct pdgemm_arrival *arrival = &slot->arrivals[i];
        code = MPI_Wait(&arrival->request, MPI_STATUS_IGNORE);
        const struct pdgemm_panel packed = {arrival->packed, arrival->rows};
        if (code == MPI_SUCCESS && arrival->packed != NULL)
            copy(arrival->rows, arrival->columns, &packed, &arrival->place);
    }
    slot->narrivals = 0;
    return code;
}

static int send(const struct traffic *traffic, const struct pdgemm_message *message,
                MPI_Request *request)
{
    const MPI_Comm comm = traffic->exchange->comm;
    if (!traffic->in_turn)
        return pdgemm_send(message, comm, request);
    *request = MPI_REQUEST_NULL;
    return pdgemm_send_through(message, comm);
}

static int send_in_place(void *context, const struct pdgemm_piece *piece)
{
    const struct traffic *traffic = context;
    struct pdgemm_exchange *exchange = traffic->exchange;
    if (pdgemm_is_strided(piece))
        return MPI_SUCCESS;
    const bool no_values = exchange->machine->no_values;
    const struct pdgemm_message message =
        message_of(traffic, piece, piece->to,
                   no_values ? exchange->blank : find_own(exchange, piece).values);
    return send(traffic, &message, &exchange->sends[exchange->nsends++]);
}

static int send_packed(void *context, const struct pdgemm_piece *piece)
{
    const struct traffic *traffic = context;
    struct pdgemm_exchange *exchange = traffic->exchange;
    struct pdgemm_slot *slot = traffic->slot;
    if (!pdgemm_is_strided(piece))
        return MPI_SUCCESS;
    const bool no_values = exchange->machine->no_values;
    const struct pdgemm_message message =
        message_of(traffic, piece, piece->to,
                   no_values ? exchange->blank : slot->packed + slot->used);
    if (!no_values) {
        const struct pdgemm_panel own = find_own(exchange, piece);
        const struct pdgemm_panel packed = {message.values, message.rows};
        slot->used += pdgemm_values(&piece->area);
        copy(message.rows, message.columns, &own, &packed);
    }
    return send(traffic, &message, &slot->sends[slot->nsends++]);
}

int pdgemm_exchange_send(struct pdgemm_exchange *exchange, int phase)
{
    struct traffic traffic = {.exchange = exchange, .phase = phase};
    return pdgemm_visit_sends(exchange->layout, phase, send_in_place, &traffic);
}

int pdgemm_exchange_send_packed(struct pdgemm_exchange *exchange, int phase,
                                struct pdgemm_slot *slot)
{
    struct traffic traffic = {.exchange = exchange, .slot = slot, .phase = phase};
    return pdgemm_visit_sends(exchange->layout, phase, send_packed, &traffic);
}

int pdgemm_exchange_send_in_turn(struct pdgemm_exchange *exchange, int phase,
                                 struct pdgemm_slot *slot)
{
    struct traffic traffic = {
        .exchange = exchange, .slot = slot, .phase = phase, .in_turn = true};
    const int code =
        pdgemm_visit_sends(exchange->layout, phase, send_in_place, &traffic);
    return code == MPI_SUCCESS
               ? pdgemm_visit_sends(exchange->layout, phase, send_packed, &traffic)
               : code;
}

/* Forward an arrived piece to a child. */
static int send_on(void *context, const struct pdgemm_piece *piece)
{
    const struct traffic *traffic = context;
    struct pdgemm_arrival *arrival = &traffic->slot->arrivals[traffic->narrivals];
    const struct pdgemm_message message =
        message_of(traffic, piece, piece->to,
                   arrival->packed != NULL ? arrival->packed : arrival->place.values);
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = pdgemm_wait(&arrival->request, 1);
    return code == MPI_SUCCESS ? send(traffic, &message, &request) : code;
}

static int forward(void *context, const struct pdgemm_piece *piece)
{
    struct traffic *traffic = context;
    const struct pdgemm_layout *layout = traffic->exchange->layout;
    if (piece->from == layout->rank)
        return MPI_SUCCESS;
    const int code = pdgemm_visit_forwards(layout, piece, send_on, traffic);
    traffic->narrivals++;
    return code;
}

int pdgemm_exchange_forward(struct pdgemm_exchange *exchange, int phase,
                            struct pdgemm_slot *slot)
{
    struct traffic traffic = {
        .exchange = exchange, .slot = slot, .phase = phase, .in_turn = true};
    return pdgemm_visit_receives(exchange->layout, phase, forward, &traffic);
}

int pdgemm_exchange_wait_packed(struct pdgemm_slot *slot)
{
    const int count = slot->nsends;
    slot->nsends = 0;
    slot->used = 0;
    return pdgemm_wait(slot->sends, count);
}

int pdgemm_exchange_wait_sent(struct pdgemm_exchange *exchange)
{
    const int count = exchange->nsends;
    exchange->nsends = 0;
    int code = pdgemm_wait(exchange->sends, count);
    for (int i = 0; i < PDGEMM_SLOTS && code == MPI_SUCCESS; i++)
        code = pdgemm_exchange_wait_packed(&exchange->slots[i]);
    return code;
}

int pdgemm_exchange_progress(struct pdgemm_exchange *exchange, bool *is_open)
{
    *is_open = false;
    int code = pdgemm_test(exchange->sends, exchange->nsends, is_open);
    for (int i = 0; i < PDGEMM_SLOTS && code == MPI_SUCCESS; i++) {
        struct pdgemm_slot *slot = &exchange->slots[i];
        code = pdgemm_test(slot->sends, slot->nsends, is_open);
        for (int j = 0; j < slot->narrivals && code == MPI_SUCCESS; j++)
            code = pdgemm_test(&slot->arrivals[j].request, 1, is_open);
    }
    return code;
}
