/* SPDX-License-Identifier: BSD-3-Clause */
#include "testbed.h"

#include "cli/process/folders.h"
#include "groups.h"
#include "links.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is tried in a network namespace that ends with this process. */
struct trial {
    const char *tool;
    const char *commands; /* of its batch */
    const char *lacking;
};

static const struct trial trials[] = {
    {"ip", "link add bridge0 type bridge\n", "bridges (kernel module 'bridge')"},
    {"ip", "link add port0 type veth peer name eth0\n",
     "pairs of virtual links (kernel module 'veth')"},
    {"tc", "qdisc add dev port0 root tbf rate 1mbit burst 10000 latency 1ms\n",
     "the filter that slows links (kernel module 'sch_tbf')"},
    {NULL, NULL, NULL},
};

static int lack(struct mt_error *err, const char *what, const char *reason)
{
    return mt_fail(err, MT_ENOTFOUND, "no testbed can be made here: %s%s%s", what,
                   reason[0] ? ": " : "", reason);
}

static int check_tools(struct mt_error *err)
{
    static const char *const tools[] = {"ip", "tc", NULL};
    for (int i = 0; tools[i]; i++) {
        char *path = mt_find_on_path(tools[i]);
        if (!path)
            return mt_fail(err, MT_ENOTFOUND,
                           "no testbed can be made here: '%s' is not installed; on "
                           "Debian: apt install iproute2",
                           tools[i]);
        free(path);
    }
    return MT_OK;
}

static int check_groups(struct mt_error *err)
{
    struct mt_hierarchy hierarchy;
    struct mt_error reason = {0};
    if (mt_hierarchy_find(&hierarchy, &reason) != MT_OK ||
        mt_hierarchy_check(&hierarchy, &reason) != MT_OK)
        return lack(err, reason.text, "");
    return MT_OK;
}

static int try(const struct trial *trial, struct mt_error *err)
{
    struct mt_error reason = {0};
    int status = mt_links_batch(trial->tool, trial->commands, &reason);
    return status ? lack(err, trial->lacking, reason.text) : MT_OK;
}

int mt_testbed_supported(struct mt_error *err)
{
    if (geteuid() != 0)
        return lack(err, "only root may make one", "");
    int status = check_tools(err);
    if (status == MT_OK)
        status = check_groups(err);
    if (status == MT_OK && unshare(CLONE_NEWNET) != 0)
        return lack(err, "network namespaces", strerror(errno));
    for (int i = 0; status == MT_OK && trials[i].tool; i++)
        status = try(&trials[i], err);
    return status;
}
