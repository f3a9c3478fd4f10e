/* SPDX-License-Identifier: BSD-3-Clause */
/* A binomial tree over a random affine permutation of the ranks, one for each call. */
#include "order.h"

#include "lib/stats/random.h"

/* The inverse of `number` modulo `modulus` by Euclid's algorithm; 0 if none. */
static int64_t inverse_of(int64_t number, int64_t modulus)
{
    int64_t high = modulus, low = number, high_factor = 0, low_factor = 1;
    while (low > 0) {
        const int64_t times = high / low;
        const int64_t rest = high - times * low;
        const int64_t rest_factor = high_factor - times * low_factor;
        high = low;
        low = rest;
        high_factor = low_factor;
        low_factor = rest_factor;
    }
    return high == 1 ? (high_factor + modulus) % modulus : 0;
}

struct order order_at(int size, int root, int64_t call)
{
    struct order order = {.size = size, .root = root, .stride = 1, .inverse = 1};
    const int64_t others = size - 1;
    if (others < 2)
        return order;
    const uint64_t random = mt_random_hash((uint64_t)call);
    order.shift = (int64_t)((random >> 32) % (uint64_t)others);
    order.stride = (int64_t)((random & 0xffffffff) % (uint64_t)others);
    do {
        order.stride = order.stride % (others - 1) + 1;
        order.inverse = inverse_of(order.stride, others);
    } while (order.inverse == 0);
    return order;
}

int order_place(const struct order *order, int rank)
{
    const int64_t others = order->size - 1;
    const int64_t distance = (rank - order->root + order->size) % order->size;
    if (distance == 0)
        return 0;
    return (int)(1 + (order->stride * (distance - 1) + order->shift) % others);
}

int order_rank(const struct order *order, int place)
{
    const int64_t others = order->size - 1;
    if (place == 0)
        return order->root;
    const int64_t shifted = (place - 1 - order->shift + others) % others;
    const int64_t distance = 1 + order->inverse * shifted % others;
    return (int)((order->root + distance) % order->size);
}
