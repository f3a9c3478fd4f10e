/* SPDX-License-Identifier: BSD-3-Clause */
#include "parts.h"

int mt_partition_choose(struct mt_partition *partition, enum mt_partition_kind kind,
                        const struct mt_partition_product *product,
                        const struct mt_partition_cluster *cluster, int most,
                        struct mt_error *err)
{
    typedef int choose(struct mt_partition * partition,
                       const struct mt_partition_task *task, struct mt_error *err);
    static choose *const choices[MT_PARTITION_KINDS] = {
        [MT_PARTITION_EQUAL] = mt_partition_choose_equal,
        [MT_PARTITION_GREEDY] = mt_partition_choose_greedy,
        [MT_PARTITION_RECURSIVE] = mt_partition_choose_recursive,
        [MT_PARTITION_AUTO] = mt_partition_choose_auto,
    };
    if (product->m < 0 || product->n < 0 || product->k < 0)
        return mt_fail(err, MT_EINVAL, "a product of sizes %d, %d, %d", product->m,
                       product->n, product->k);
    if (cluster->ranks < 1 || most < 1)
        return mt_fail(err, MT_EINVAL,
                       "no partition for %d ranks with at most %d blocks",
                       cluster->ranks, most);
    const struct mt_partition_task task = {product, cluster, most};
    struct mt_partition chosen = {.kind = kind};
    const int status = choices[kind](&chosen, &task, err);
    if (status)
        mt_partition_clear(&chosen);
    else
        *partition = chosen;
    return status;
}
