/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels in a real build: their code runs, and nothing is charged. */
#include "work.h"

#include <stdlib.h>

const bool work_simulated = false;

void work_node_init(struct work_node *node, bool model_only)
{
    *node = (struct work_node){.model_only = model_only};
}

bool work_run(const struct work_node *node, const struct work *work)
{
    (void)node;
    (void)work;
    return true;
}

void work_incast(double bytes)
{
    (void)bytes;
}

void *work_array(const struct work_node *node, size_t count, size_t size)
{
    (void)node;
    return calloc(count, size);
}

void *work_buffer(const struct work_node *node, size_t count, size_t size)
{
    (void)node;
    return calloc(count, size);
}

void work_buffer_free(const struct work_node *node, void *buffer)
{
    (void)node;
    free(buffer);
}
