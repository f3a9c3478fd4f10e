/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine.h"

#include "pdgemm.h"

#include "motley/strassen.h"

#include <stdlib.h>

/* The doubles that the products of a tile need, over all phases of its turn. */
static size_t tile_room(const struct pdgemm_layout *layout,
                        const struct pdgemm_tile *tile, double beta)
{
    const struct mt_strassen_how how = {.levels = &tile->levels};
    const int m = pdgemm_size(layout->needs.spans[tile->spans[MT_PARTITION_A]].range);
    const int n = pdgemm_size(layout->needs.spans[tile->spans[MT_PARTITION_B]].range);
    size_t most = 0;
    for (int phase = 0; phase < layout->phases; phase++) {
        if (mt_partition_turn_of_phase(layout->partition, phase) != tile->turn)
            continue;
        const int k = pdgemm_depth(layout, phase);
        /* the first product is with beta, the others add to it */
        const size_t first = mt_strassen_workspace(&how, m, n, k, beta);
        const size_t other = mt_strassen_workspace(&how, m, n, k, 1);
        most = first > most ? first : most;
        most = other > most ? other : most;
    }
    return most;
}

int pdgemm_workspace_init(struct pdgemm_workspace *workspace,
                          const struct pdgemm_layout *layout, double beta,
                          struct mt_error *err)
{
    size_t room = 0;
    for (int i = 0; i < layout->ntiles; i++) {
        if (layout->tiles[i].spans[MT_PARTITION_A] < 0)
            continue;
        const size_t needed = tile_room(layout, &layout->tiles[i], beta);
        room = needed > room ? needed : room;
    }
    double *values = pdgemm_memory(room * sizeof *values);
    if (values == NULL)
        return mt_fail(err, MT_ENOMEM, "no memory for sums of %.3g MB",
                       1e-6 * (double)room * sizeof *values);
    *workspace = (struct pdgemm_workspace){values, room};
    return MT_OK;
}

void pdgemm_workspace_clear(struct pdgemm_workspace *workspace)
{
    free(workspace->values);
    *workspace = (struct pdgemm_workspace){0};
}

static void machine_multiply(void *self, int m, int n, int k, double alpha,
                             const double *a, int lda, const double *b, int ldb,
                             double beta, double *c, int ldc, int levels,
                             void (*progress)(void *data), void *data)
{
    const struct pdgemm_workspace *workspace = self;
    struct mt_strassen_how how = {.levels = &levels,
                                  .workspace = workspace->values,
                                  .room = workspace->room,
                                  .progress = progress,
                                  .data = data};
    /* There may be more threads or cores by now than when the room was made. */
    while (mt_strassen_dgemm_with(&how, CblasColMajor, CblasNoTrans, CblasNoTrans, m, n,
                                  k, alpha, a, lda, b, ldb, beta, c,
                                  ldc) == MT_STRASSEN_NO_ROOM)
        how.workspace = NULL; /* which is allocated then */
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

struct mt_pdgemm_machine pdgemm_own_machine(struct pdgemm_workspace *workspace)
{
    return (struct mt_pdgemm_machine){.multiply = machine_multiply,
                                      .allocate = machine_allocate,
                                      .release = machine_release,
                                      .self = workspace};
}
