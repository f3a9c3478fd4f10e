/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* null, which a simulated node says for what it has not got, is NaN. */
static bool read_number(double *number, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value) && !json_is_null(value))
        return false;
    *number = json_is_null(value) ? NAN : json_number_value(value);
    return true;
}

static bool read_positive(double *number, const json_t *object, const char *key)
{
    return read_number(number, object, key) && *number > 0;
}

/* The index of the node on which the rank runs, or -1. */
static int read_node(const struct mt_check *check, const json_t *object,
                     const char *key)
{
    const json_t *rank = json_object_get(object, key);
    const json_int_t number = json_integer_value(rank);
    if (!json_is_integer(rank) || number < 0 || number >= check->nanswer)
        return -1;
    return mt_check_node_of_rank(check, (int)number);
}

static bool read_text(char **text, const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    if (value && !*text)
        *text = strdup(value);
    return value && *text;
}

/* A second probe finds the load of the first: what was said first stays. */
static bool read_rank(struct mt_check *check, const json_t *object)
{
    const int index = read_node(check, object, "rank");
    if (index < 0)
        return false;
    struct mt_checked_node *node = &check->nodes[index];
    if (node->mpi)
        return true;
    return read_number(&node->cores, object, "cores") &&
           read_number(&node->load, object, "load") &&
           read_number(&node->clock, object, "clock") &&
           read_number(&node->clock_error, object, "clock_error") &&
           read_text(&node->host, object, "host") &&
           read_text(&node->mpi, object, "mpi");
}

static bool read_compute(struct mt_check *check, const json_t *object)
{
    const int index = read_node(check, object, "rank");
    double flops, bandwidth;
    if (index < 0 || !read_positive(&flops, object, "flops") ||
        !read_positive(&bandwidth, object, "bandwidth"))
        return false;
    struct mt_checked_node *node = &check->nodes[index];
    node->flops = fmax(node->flops, flops);
    node->bandwidth = fmax(node->bandwidth, bandwidth);
    return true;
}

static bool add_point(struct mt_curve *curve, const json_t *object)
{
    double bytes, seconds, median;
    return read_positive(&bytes, object, "bytes") &&
           read_positive(&seconds, object, "seconds") &&
           read_positive(&median, object, "median") &&
           mt_curve_add(curve, bytes, seconds, median);
}

static bool read_pair(struct mt_check *check, const json_t *object)
{
    const int from = read_node(check, object, "from");
    const int to = read_node(check, object, "to");
    for (int i = 0; i < check->nlinks; i++)
        if (check->links[i].from == from && check->links[i].to == to)
            return add_point(&check->links[i].curve, object);
    return false;
}

static bool read_alltoall(struct mt_check *check, const json_t *object)
{
    check->said_all = true; /* it comes last */
    return add_point(&check->alltoall, object);
}

int mt_check_read(struct mt_check *check, const char *line, struct mt_error *err)
{
    static const struct {
        const char *test;
        bool (*read)(struct mt_check *check, const json_t *object);
    } tests[] = {{"rank", read_rank},
                 {"compute", read_compute},
                 {"pair", read_pair},
                 {"alltoall", read_alltoall}};

    if (strncmp(line, "{\"test\"", strlen("{\"test\"")) != 0)
        return MT_OK; /* the launcher's own words */
    json_t *object = json_loads(line, 0, NULL);
    const char *test = json_string_value(json_object_get(object, "test"));
    bool understood = false;
    for (size_t i = 0; test && i < sizeof tests / sizeof *tests; i++)
        if (!strcmp(tests[i].test, test))
            understood = tests[i].read(check, object);
    json_decref(object);
    if (!understood)
        return mt_fail(err, MT_EIO, "the probe's words make no sense: '%.*s'",
                       (int)strcspn(line, "\n"), line);
    return MT_OK;
}
