/* SPDX-License-Identifier: BSD-3-Clause */
#include "agree.h"
#include "attend.h"
#include "exchange.h"
#include "layout.h"
#include "machine.h"
#include "message.h"
#include "pdgemm.h"
#include "run.h"

#include <limits.h>
#include <stdlib.h>

/* All that a call works with. */
struct pdgemm_call {
    const struct mt_partition *partition;
    const struct mt_partition_product *product;
    double alpha, beta;
    const struct mt_pdgemm_part *a, *b;
    struct mt_pdgemm_part *c;
    struct mt_pdgemm_machine machine;
    MPI_Comm comm; /* a duplicate: our messages do not meet the program's */
    int rank, ranks;
    struct pdgemm_workspace workspace;
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

/* A zeroed machine is the library's own. */
static int choose_machine(struct pdgemm_call *call, struct mt_error *err)
{
    if (call->machine.multiply != NULL)
        return MT_OK;
    call->machine = pdgemm_own_machine(&call->workspace);
    call->may_attend = pdgemm_may_attend();
    return pdgemm_workspace_init(&call->workspace, &call->layout, call->beta, err);
}

static int prepare_call(struct pdgemm_call *call, struct mt_error *err)
{
    int status = check_call(call, err);
    if (status == MT_OK)
        status = pdgemm_layout_init(&call->layout, call->partition, call->product,
                                    call->rank, err);
    if (status == MT_OK)
        status = choose_machine(call, err);
    if (status != MT_OK)
        return status;
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
    pdgemm_workspace_clear(&call->workspace);
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
    struct mt_error words = {0}; /* that others are told, even if the caller is not */
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
