/* SPDX-License-Identifier: BSD-3-Clause */
#include "parts.h"

int mt_cut_choose(struct mt_cut *cut, enum mt_cut_kind kind,
                  const struct mt_cut_product *product,
                  const struct mt_cut_cluster *cluster, int most, struct mt_error *err)
{
    typedef int choose(struct mt_cut * cut, const struct mt_cut_task *task,
                       struct mt_error *err);
    static choose *const choices[MT_CUT_KINDS] = {
        [MT_CUT_EQUAL] = mt_cut_choose_equal,
        [MT_CUT_GREEDY] = mt_cut_choose_greedy,
        [MT_CUT_RECURSIVE] = mt_cut_choose_recursive,
        [MT_CUT_AUTO] = mt_cut_choose_auto,
    };
    if (product->m < 0 || product->n < 0 || product->k < 0)
        return mt_fail(err, MT_EINVAL, "a product of sizes %d, %d, %d", product->m,
                       product->n, product->k);
    if (cluster->ranks < 1 || most < 1)
        return mt_fail(err, MT_EINVAL, "no cut for %d ranks with at most %d blocks",
                       cluster->ranks, most);
    const struct mt_cut_task task = {product, cluster, most};
    struct mt_cut chosen = {.kind = kind};
    const int status = choices[kind](&chosen, &task, err);
    if (status)
        mt_cut_clear(&chosen);
    else
        *cut = chosen;
    return status;
}
