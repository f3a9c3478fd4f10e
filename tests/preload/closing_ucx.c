/* SPDX-License-Identifier: BSD-3-Clause */
#include "closing.h"

int ucp_worker_create(void *context, const void *parameters, void **made)
{
    static int looks[2], workers;
    (void)context, (void)parameters;
    *made = &looks[workers++ % 2];
    return 0;
}

unsigned ucp_worker_progress(void *worker)
{
    return (unsigned)++*(int *)worker;
}

void ucp_worker_destroy(void *worker)
{
    (void)worker;
}

void *ucp_disconnect_nb(void *endpoint)
{
    return endpoint;
}
