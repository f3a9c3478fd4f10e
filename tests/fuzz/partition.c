/* SPDX-License-Identifier: BSD-3-Clause */
/* Partition files, motley-cut(5). A partition stays the same when written and read
   again, and its product can be predicted. */
#include "fuzz.h"
#include "lib/partition/internal.h"

#include <stdlib.h>

enum { MOST_RANKS = 64, MOST_PANELS = 64 };

static int read_partition(struct mt_partition *partition, const void *bytes,
                          size_t size)
{
    struct mt_error err;
    FILE *stream = fuzz_stream(bytes, size);
    const int status = mt_partition_read(partition, stream, "partition", &err);
    fclose(stream);
    return status;
}

static void write_again(const struct mt_partition *partition)
{
    struct fuzz_page first = {0}, second = {0};
    struct mt_partition again = {0};
    fuzz_page_open(&first);
    mt_partition_write(partition, first.stream);
    fuzz_page_close(&first);
    fuzz_demand(read_partition(&again, first.text, first.length) == MT_OK);
    fuzz_page_open(&second);
    mt_partition_write(&again, second.stream);
    fuzz_page_close(&second);
    fuzz_demand(fuzz_page_same(&first, &second));
    mt_partition_clear(&again);
    fuzz_page_clear(&first);
    fuzz_page_clear(&second);
}

static void predict(const struct mt_partition *partition)
{
    const struct mt_partition_product product = {100, 80, 120};
    struct mt_partition_cluster cluster = {.ranks = partition->ranks,
                                           .network = {1e-5, 1e8, 1, 1}};
    struct mt_strassen_speed *speeds = calloc((size_t)partition->ranks, sizeof *speeds);
    struct mt_partition_forecast forecast = {0};
    struct mt_error err;
    for (int rank = 0; rank < partition->ranks; rank++)
        speeds[rank] = (struct mt_strassen_speed){.flops = 1e9 * (1 + rank % 3),
                                                  .bandwidth = 1e10};
    cluster.speeds = speeds;
    if (mt_partition_predict(&forecast, partition, &product, &cluster, &err) == MT_OK)
        fuzz_demand(forecast.seconds >= 0);
    mt_partition_forecast_clear(&forecast);
    free(speeds);
}

void fuzz_begin(void)
{
}

void fuzz_input(const uint8_t *data, size_t size)
{
    struct mt_partition partition = {0};
    if (read_partition(&partition, data, size) == MT_OK) {
        write_again(&partition);
        if (partition.ranks <= MOST_RANKS && partition.panels <= MOST_PANELS &&
            partition.subpanels <= MOST_PANELS)
            predict(&partition);
    }
    mt_partition_clear(&partition);
}
