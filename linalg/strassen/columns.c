/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits work on columns among threads. */
#include "columns.h"

#include <pthread.h>
#include <sched.h>

/* Of OpenMP, if the program has it. */
int omp_in_parallel(void) __attribute__((weak));

bool mt_strassen_has_cores(int threads)
{
    cpu_set_t cores;
    return threads <= MT_STRASSEN_MOST_THREADS &&
           (!omp_in_parallel || !omp_in_parallel()) &&
           sched_getaffinity(0, sizeof cores, &cores) == 0 &&
           CPU_COUNT(&cores) >= threads;
}

/* Elements a thread, below which starting it takes longer than it saves. */
static const size_t fewest = 1 << 17;

/* A thread's share. */
struct share {
    columns_work *work;
    const void *data;
    size_t first, columns;
    pthread_t thread;
    bool started;
};

static void *do_share(void *data)
{
    const struct share *share = data;
    share->work(share->data, share->first, share->columns);
    return NULL;
}

void mt_strassen_by_columns(int threads, size_t rows, size_t columns,
                            columns_work *work, const void *data)
{
    struct share shares[MT_STRASSEN_MOST_THREADS];
    const size_t most = rows * columns / fewest,
                 wanted = threads > 1 ? (size_t)threads : 1;
    const size_t count = most < 1 ? 1 : most < wanted ? most : wanted;
    for (size_t i = 0; i < count; i++) {
        const size_t first = columns * i / count;
        shares[i] = (struct share){work, data, first, columns * (i + 1) / count - first,
                                   .started = false};
        if (i > 0)
            shares[i].started =
                pthread_create(&shares[i].thread, NULL, do_share, &shares[i]) == 0;
    }
    do_share(&shares[0]);
    for (size_t i = 1; i < count; i++)
        if (shares[i].started)
            pthread_join(shares[i].thread, NULL);
        else
            do_share(&shares[i]);
}
