/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include "attend.h"

void pdgemm_lap(struct pdgemm_run *run, double *seconds)
{
    const double now = MPI_Wtime();
    *seconds += now - run->last;
    run->last = now;
}

/* The products of a phase, of what is in the slot. */
static void multiply_phase(struct pdgemm_run *run, int phase,
                           const struct pdgemm_slot *slot, void (*progress)(void *data))
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
                               tile->levels, progress, run);
        run->begun[i] = true;
    }
}

static int wait_for_all(struct pdgemm_run *run, MPI_Comm comm)
{
    const int code = MPI_Barrier(comm);
    pdgemm_lap(run, &run->times.waiting);
    return code;
}

/* Send on what others get from here, and wait for the rest. */
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

/* A step's products of turn 0. What the ranks of turn 1 will need is on its way
   meanwhile, so that those who only send it need not attend. */
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
        multiply_phase(run, phase, slot, NULL);
    pdgemm_lap(run, &run->times.compute);
    return code;
}

/* The products of turn 1 in a subpanel. What was got for turn 0 stays where it is. */
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
        multiply_phase(run, phase, slot, NULL);
    pdgemm_lap(run, &run->times.compute);
    return code;
}

int pdgemm_run_blocking(struct pdgemm_run *run)
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

static void let_messages_pass(void *data)
{
    struct pdgemm_run *run = data;
    bool is_open;
    if (run->code == MPI_SUCCESS)
        run->code = pdgemm_exchange_progress(run->exchange, &is_open);
}

/* By a thread where the program allows that, or else between small products. */
static int multiply_and_let_pass(struct pdgemm_run *run, int phase,
                                 const struct pdgemm_slot *slot)
{
    struct pdgemm_attendant attendant;
    const bool attends = run->may_attend && pdgemm_attend(&attendant, run->exchange);
    multiply_phase(run, phase, slot, attends ? NULL : let_messages_pass);
    if (attends)
        run->code = pdgemm_dismiss(&attendant);
    pdgemm_lap(run, &run->times.compute);
    return run->code;
}

/* Begin with what has to be asked for, or packed, before its phase. */
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

/* Multiply, while what the next phase needs is on its way. That is asked for only when
   all is there for this one, so that it comes first. */
static int overlapped_phase(struct pdgemm_run *run, int phase)
{
    struct pdgemm_slot *slot = &run->exchange->slots[phase % PDGEMM_SLOTS];
    int code = pdgemm_exchange_wait_received(slot);
    if (code == MPI_SUCCESS)
        code = begin_phase(run, phase + 1);
    pdgemm_lap(run, &run->times.communication);
    return code == MPI_SUCCESS ? multiply_and_let_pass(run, phase, slot) : code;
}

/* A and B do not change: what need not be packed is sent at once, and the receivers
   decide when they want what. Nobody waits for a rank that is behind. */
int pdgemm_run_overlapped(struct pdgemm_run *run)
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

void pdgemm_run_scale(struct pdgemm_run *run)
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
