/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cluster_cases.h - reads cluster files that are written here.
 */
#ifndef MT_CLUSTER_CASES_H
#define MT_CLUSTER_CASES_H

#include "motley/cluster.h"

#include "broken.h"

/* `cluster`, which must be empty, from the text. */
static inline void load(struct mt_cluster *cluster, const char *text)
{
    struct mt_error err = {0};
    const char *path = write_text(text);
    int status = mt_cluster_load(cluster, path, &err);
    unlink(path);
    assert_string_equal(err.text, "");
    assert_int_equal(status, MT_OK);
    assert_string_equal(cluster->path, path);
}

static inline int load_cluster(const char *path, struct mt_error *err)
{
    struct mt_cluster cluster = {0};
    const int status = mt_cluster_load(&cluster, path, err);
    assert_null(cluster.groups); /* unchanged */
    assert_null(cluster.path);
    return status;
}

#endif
