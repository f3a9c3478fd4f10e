/* SPDX-License-Identifier: BSD-3-Clause */
/* The product phase by phase, blocking or overlapped with its messages. */
#include "agree.h"
#include "attend.h"
#include "exchange.h"
#include "layout.h"
#include "message.h"
#include "motley/pdgemm.h"
#include "motley/strassen.h"
#include "pdgemm.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* The state of a product, phase by phase. */

struct pdgemm_run {
    const struct pdgemm_layout *layout; /* borrowed */
    struct pdgemm_exchange *exchange;   /* borrowed */
    const struct mt_pdgemm_machine *machine;
    double alpha, beta;
    struct mt_pdgemm_part *c; /* borrowed */
    bool *begun;              /* borrowed; of every own tile: beta is applied */
    bool may_attend;          /* a thread, to messages */
    MPI_Comm comm;            /* of all ranks */
    MPI_Comm turn_1; /* of the ranks that have tiles of it; MPI_COMM_NULL on others */
    struct mt_partition_times times;
    double last; /* when time was last recorded */
};

/* Add the time since the last call to one of run->times. */
static void pdgemm_lap(struct pdgemm_run *run, double *seconds)
{
    const double now = MPI_Wtime();
    *seconds += now - run->last;
    run->last = now;
}

/* Compute the products of a phase from the slot. */
static void multiply_phase(struct pdgemm_run *run, int phase,
                           const struct pdgemm_slot *slot)
{
    const struct pdgemm_layout *layout = run->layout;
    const int depth = pdgemm_depth(layout, phase);
    for (int i = 0; i < layout->ntiles && depth > 0; i++) {
        const struct pdgemm_tile *tile = &layout->tiles[i];
        if (tile->turn != mt_partition_turn_of_phase(layout->partition, phase) ||
            tile->spans[MT_PARTITION_A] < 0)
            continue;
        const struct pdgemm_panel *a = &slot->panels[tile->spans[MT_PARTITION_A]];
        const struct pdgemm_panel *b = &slot->panels[tile->spans[MT_PARTITION_B]];
        struct mt_pdgemm_block *c = &run->c->blocks[i];
        run->machine->multiply(run->machine->self, c->rows, c->columns, depth,
                               run->alpha, a->values, a->leading, b->values, b->leading,
                               run->begun[i] ? 1 : run->beta, c->values, c->leading,
                               tile->levels);
        run->begun[i] = true;
    }
}

static int wait_for_all(struct pdgemm_run *run, MPI_Comm comm)
{
    const int code = MPI_Barrier(comm);
    pdgemm_lap(run, &run->times.waiting);
    return code;
}

/* Forward pieces that others get from here, and wait for the rest. */
static int finish_receiving(struct pdgemm_run *run, int phase, struct pdgemm_slot *slot)
{
    const int code = pdgemm_exchange_forward(run->exchange, phase, slot);
    return code == MPI_SUCCESS ? pdgemm_exchange_wait_received(slot) : code;
}

static int send_phase(struct pdgemm_run *run, int phase)
{
    const int code = pdgemm_exchange_send(run->exchange, phase);
    return code == MPI_SUCCESS ? pdgemm_exchange_send_packed(run->exchange, phase,
                                                             &run->exchange->slots[0])
                               : code;
}

/* A step's products of turn 0. The parts for turn 1 are sent at the same time, so that
   ranks that only send them need not attend. */
static int blocking_step(struct pdgemm_run *run, int phase)
{
    struct pdgemm_exchange *exchange = run->exchange;
    struct pdgemm_slot *slot = &exchange->slots[0];
    int code = wait_for_all(run, run->comm);
    if (code == MPI_SUCCESS)
        code = pdgemm_exchange_wait_sent(exchange); /* of the last step's turn 1 */
    if (code == MPI_SUCCESS)
        code = pdgemm_exchange_receive(exchange, phase, slot);
    if (code == MPI_SUCCESS)
        code = pdgemm_exchange_send_in_turn(exchange, phase, slot);
    if (code == MPI_SUCCESS)
        code = finish_receiving(run, phase, slot);
    if (code == MPI_SUCCESS)
        code = pdgemm_exchange_wait_sent(exchange);
    for (int i = 1; i <= run->layout->partition->subpanels && code == MPI_SUCCESS; i++)
        code = send_phase(run, phase + i);
    pdgemm_lap(run, &run->times.communication);
    if (code == MPI_SUCCESS)
        multiply_phase(run, phase, slot);
    pdgemm_lap(run, &run->times.compute);
    return code;
}

/* The products of turn 1 in a subpanel. Parts received for turn 0 stay in place. */
static int blocking_substep(struct pdgemm_run *run, int phase)
{
    struct pdgemm_slot *slot = &run->exchange->slots[1];
    if (run->turn_1 == MPI_COMM_NULL)
        return MPI_SUCCESS;
    int code = wait_for_all(run, run->turn_1);
    if (code == MPI_SUCCESS)
        code = pdgemm_exchange_receive(run->exchange, phase, slot);
    if (code == MPI_SUCCESS)
        code = finish_receiving(run, phase, slot);
    pdgemm_lap(run, &run->times.communication);
    if (code == MPI_SUCCESS)
        multiply_phase(run, phase, slot);
    pdgemm_lap(run, &run->times.compute);
    return code;
}

/* Returns MPI's status. */
static int pdgemm_run_blocking(struct pdgemm_run *run)
{
    int code = MPI_SUCCESS;
    for (int phase = 0; phase < run->layout->phases && code == MPI_SUCCESS; phase++)
        code = mt_partition_turn_of_phase(run->layout->partition, phase) == 0
                   ? blocking_step(run, phase)
                   : blocking_substep(run, phase);
    if (code == MPI_SUCCESS)
        code = pdgemm_exchange_wait_sent(run->exchange);
    pdgemm_lap(run, &run->times.communication);
    return code == MPI_SUCCESS ? wait_for_all(run, run->comm) : code;
}

/* A thread drives messages, if the program allows it. */
static int multiply_and_let_pass(struct pdgemm_run *run, int phase,
                                 const struct pdgemm_slot *slot)
{
    struct pdgemm_attendant attendant;
    const bool attends = run->may_attend && pdgemm_attend(&attendant, run->exchange);
    multiply_phase(run, phase, slot);
    const int code = attends ? pdgemm_dismiss(&attendant) : MPI_SUCCESS;
    pdgemm_lap(run, &run->times.compute);
    return code;
}

/* Begin the messages that must be requested or packed before their phase. */
static int begin_phase(struct pdgemm_run *run, int phase)
{
    if (phase == run->layout->phases)
        return MPI_SUCCESS;
    struct pdgemm_slot *slot = &run->exchange->slots[phase % PDGEMM_SLOTS];
    int code = pdgemm_exchange_receive(run->exchange, phase, slot);
    if (code == MPI_SUCCESS)
        code = pdgemm_exchange_wait_packed(slot);
    if (code == MPI_SUCCESS)
        code = pdgemm_exchange_send_packed(run->exchange, phase, slot);
    return code;
}

/* Multiply while the parts for the next phase are in transit. They are requested only
   when this phase's parts have arrived, so that these come first. */
static int overlapped_phase(struct pdgemm_run *run, int phase)
{
    struct pdgemm_slot *slot = &run->exchange->slots[phase % PDGEMM_SLOTS];
    int code = pdgemm_exchange_wait_received(slot);
    if (code == MPI_SUCCESS)
        code = begin_phase(run, phase + 1);
    pdgemm_lap(run, &run->times.communication);
    return code == MPI_SUCCESS ? multiply_and_let_pass(run, phase, slot) : code;
}

/* A and B do not change, so contiguous pieces are sent at once, and receivers decide
   when to take them. No rank waits for a slower one. */
static int pdgemm_run_overlapped(struct pdgemm_run *run)
{
    int code = begin_phase(run, 0);
    for (int phase = 0; phase < run->layout->phases && code == MPI_SUCCESS; phase++)
        code = pdgemm_exchange_send(run->exchange, phase);
    for (int phase = 0; phase < run->layout->phases && code == MPI_SUCCESS; phase++)
        code = overlapped_phase(run, phase);
    if (code == MPI_SUCCESS)
        code = pdgemm_exchange_wait_sent(run->exchange);
    pdgemm_lap(run, &run->times.communication);
    return code == MPI_SUCCESS ? wait_for_all(run, run->comm) : code;
}

/* Apply beta to the tiles that got no product. */
static void pdgemm_run_scale(struct pdgemm_run *run)
{
    for (int i = 0; i < run->c->nblocks; i++) {
        const struct mt_pdgemm_block *block = &run->c->blocks[i];
        for (int j = 0; j < block->columns && !run->begun[i]; j++) {
            double *column = block->values + (size_t)j * (size_t)block->leading;
            for (int row = 0; row < block->rows; row++)
                column[row] = run->beta == 0 ? 0 : run->beta * column[row];
        }
    }
    pdgemm_lap(run, &run->times.compute);
}

/* Default kernel of a rank, when the program supplies none. */

static void machine_multiply(void *self, int m, int n, int k, double alpha,
                             const double *a, int lda, const double *b, int ldb,
                             double beta, double *c, int ldc, int levels)
{
    const struct mt_strassen_how how = {.levels = &levels};
    (void)self;
    mt_strassen_dgemm_with(&how, CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k,
                           alpha, a, lda, b, ldb, beta, c, ldc);
}

static void *machine_allocate(void *self, size_t bytes)
{
    (void)self;
    return pdgemm_memory(bytes);
}

static void machine_release(void *self, void *memory)
{
    (void)self;
    free(memory);
}

/* malloc() and mt_strassen_dgemm_with(), which keeps its memory for later calls. */
static const struct mt_pdgemm_machine own_machine = {.multiply = machine_multiply,
                                                     .allocate = machine_allocate,
                                                     .release = machine_release};

/* The state of a call. */
struct pdgemm_call {
    const struct mt_partition *partition;
    const struct mt_partition_product *product;
    double alpha, beta;
    const struct mt_pdgemm_part *a, *b;
    struct mt_pdgemm_part *c;
    struct mt_pdgemm_machine machine;
    MPI_Comm comm; /* a duplicate, so that our messages never match the program's */
    int rank, ranks;
    struct pdgemm_layout layout;
    struct pdgemm_exchange exchange;
    bool *begun;     /* owned */
    bool may_attend; /* messages, by a thread */
};

static int check_part(const struct pdgemm_call *call, const struct mt_pdgemm_part *part,
                      enum mt_pdgemm_matrix matrix, struct mt_error *err)
{
    static const char names[] = "ABC";
    const int status = pdgemm_part_check(part, call->partition, call->product, matrix,
                                         call->rank, err);
    if (status == MT_OK && part->values == NULL && !call->machine.no_values)
        return mt_fail(err, MT_EINVAL, "the part of %c has no values", names[matrix]);
    return status;
}

static int check_call(const struct pdgemm_call *call, struct mt_error *err)
{
    const struct mt_partition *partition = call->partition;
    const struct mt_partition_product *product = call->product;
    const bool no_values = call->machine.no_values;
    if (product->m < 0 || product->n < 0 || product->k < 0)
        return mt_fail(err, MT_EINVAL, "a size of %d x %d x %d is negative", product->m,
                       product->n, product->k);
    if (no_values && call->machine.multiply == NULL)
        return mt_fail(err, MT_EINVAL, "only a machine can do without values");
    int status = mt_partition_check(partition, err);
    if (status == MT_OK && partition->subpanels >= INT_MAX / partition->panels)
        status = mt_fail(err, MT_EINVAL, "too many panels: %d of %d subpanels",
                         partition->panels, partition->subpanels);
    if (status == MT_OK && partition->ranks != call->ranks)
        status = mt_fail(err, MT_EINVAL,
                         "the partition is for %d ranks, but the communicator has %d",
                         partition->ranks, call->ranks);
    if (status == MT_OK)
        status = check_part(call, call->a, MT_PDGEMM_A, err);
    if (status == MT_OK)
        status = check_part(call, call->b, MT_PDGEMM_B, err);
    if (status == MT_OK)
        status = check_part(call, call->c, MT_PDGEMM_C, err);
    return status;
}

static int prepare_call(struct pdgemm_call *call, struct mt_error *err)
{
    int status = check_call(call, err);
    if (status == MT_OK)
        status = pdgemm_layout_init(&call->layout, call->partition, call->product,
                                    call->rank, err);
    if (status != MT_OK)
        return status;
    if (call->machine.multiply == NULL) {
        call->machine = own_machine;
        call->may_attend = pdgemm_may_attend();
    }
    call->exchange = (struct pdgemm_exchange){.layout = &call->layout,
                                              .parts = {call->a, call->b},
                                              .machine = &call->machine,
                                              .comm = call->comm};
    call->begun = calloc((size_t)call->layout.ntiles + 1, sizeof *call->begun);
    if (call->begun == NULL)
        return mt_fail(err, MT_ENOMEM, "no memory for %d tiles", call->layout.ntiles);
    const bool needs_two = call->partition->overlap || call->partition->subpanels > 0;
    return pdgemm_exchange_init(&call->exchange, needs_two ? PDGEMM_SLOTS : 1, err);
}

static void clear_call(struct pdgemm_call *call)
{
    pdgemm_exchange_clear(&call->exchange);
    pdgemm_layout_clear(&call->layout);
    free(call->begun);
}

static int agree_on_call(const struct pdgemm_call *call, int status,
                         struct mt_error *err)
{
    const struct pdgemm_fact facts[] = {
        {"m", call->product->m},
        {"n", call->product->n},
        {"k", call->product->k},
        {"alpha", call->alpha},
        {"beta", call->beta},
        {"checksum of the partition", pdgemm_partition_sum(call->partition)},
    };
    return pdgemm_agree(facts, sizeof facts / sizeof *facts, status, call->comm, err);
}

static bool has_turn_1(const struct pdgemm_layout *layout)
{
    bool has = false;
    for (int i = 0; i < layout->ntiles; i++)
        has |= layout->tiles[i].turn == 1;
    return has;
}

static int run_phases(struct pdgemm_run *run)
{
    const struct mt_partition *partition = run->layout->partition;
    if (partition->overlap)
        return pdgemm_run_overlapped(run);
    if (partition->subpanels == 0)
        return pdgemm_run_blocking(run);
    int code = MPI_Comm_split(run->comm, has_turn_1(run->layout) ? 0 : MPI_UNDEFINED, 0,
                              &run->turn_1);
    if (code == MPI_SUCCESS)
        code = pdgemm_run_blocking(run);
    if (run->turn_1 != MPI_COMM_NULL)
        MPI_Comm_free(&run->turn_1);
    return code;
}

static int multiply_parts(struct pdgemm_call *call, double start,
                          struct mt_pdgemm_report *report, struct mt_error *err)
{
    struct pdgemm_run run = {.layout = &call->layout,
                             .exchange = &call->exchange,
                             .machine = &call->machine,
                             .alpha = call->alpha,
                             .beta = call->beta,
                             .c = call->c,
                             .begun = call->begun,
                             .may_attend = call->may_attend,
                             .comm = call->comm,
                             .turn_1 = MPI_COMM_NULL,
                             .last = start};
    pdgemm_lap(&run, &run.times.waiting); /* until all agreed */
    const int code = call->alpha != 0 ? run_phases(&run) : MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        return pdgemm_mpi(code, err);
    if (!call->machine.no_values)
        pdgemm_run_scale(&run);
    if (report != NULL)
        *report = (struct mt_pdgemm_report){run.times, run.last - start,
                                            call->exchange.received};
    return MT_OK;
}

int mt_pdgemm(const struct mt_partition *partition,
              const struct mt_partition_product *product, double alpha,
              const struct mt_pdgemm_part *a, const struct mt_pdgemm_part *b,
              double beta, struct mt_pdgemm_part *c,
              const struct mt_pdgemm_machine *machine, MPI_Comm comm,
              struct mt_pdgemm_report *report, struct mt_error *err)
{
    const double start = MPI_Wtime();
    struct pdgemm_call call = {.partition = partition,
                               .product = product,
                               .alpha = alpha,
                               .beta = beta,
                               .a = a,
                               .b = b,
                               .c = c};
    struct mt_error words = {0}; /* so that others learn of it, even if the caller
                                    ignores it */
    if (machine != NULL)
        call.machine = *machine;
    const int code = MPI_Comm_dup(comm, &call.comm);
    if (code != MPI_SUCCESS)
        return pdgemm_mpi(code, err);
    MPI_Comm_rank(call.comm, &call.rank);
    MPI_Comm_size(call.comm, &call.ranks);

    int status = agree_on_call(&call, prepare_call(&call, &words), &words);
    if (status == MT_OK)
        status = multiply_parts(&call, start, report, &words);
    clear_call(&call);
    MPI_Comm_free(&call.comm);
    return status == MT_OK ? MT_OK : mt_fail(err, status, "%s", words.text);
}
