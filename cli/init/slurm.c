/* SPDX-License-Identifier: BSD-3-Clause */
#include "starter.h"

#include "cli/process/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* It is in several partitions: a line for each, in their order. */
static int add_partition(struct mt_starter_node *node, const char *name,
                         struct mt_error *err)
{
    char *names;
    if (asprintf(&names, "%s,%s", node->partitions, name) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for the partitions of a node");
    free(node->partitions);
    node->partitions = names;
    return MT_OK;
}

/* "x01 32 2 8 64000 batch xeon,ib": node, processors, sockets, cores of a socket, MB of
   memory, partition, features. */
static int read_line(struct mt_starter *starter, const char *line, struct mt_error *err)
{
    char host[256], partition[256], features[256];
    int processors, sockets, cores;
    double megabytes;
    if (sscanf(line, "%255s %d %d %d %lf %255s %255s", host, &processors, &sockets,
               &cores, &megabytes, partition, features) != 7 ||
        processors < 1 || sockets < 1 || cores < 1 || !(megabytes >= 0))
        return mt_fail(err, MT_EIO, "'sinfo' prints what is not understood: '%.*s'",
                       (int)strcspn(line, "\n"), line);
    struct mt_starter_node *known = mt_starter_find(starter, host);
    if (known)
        return add_partition(known, partition, err);
    const struct mt_starter_node node = {
        .host = host,
        .slots = processors,
        .cores = sockets * cores,
        /* 1 is what Slurm takes for a node whose memory nobody told it. */
        .memory = megabytes > 1 ? megabytes * 1024 * 1024 : 0,
        .features = strcmp(features, "(null)") == 0 ? NULL : features,
        .partitions = partition};
    return mt_starter_add(starter, &node, err);
}

static int read_nodes(struct mt_starter *starter, FILE *stream, struct mt_error *err)
{
    char *line = NULL;
    size_t size = 0;
    int status = MT_OK;
    rewind(stream);
    while (status == MT_OK && getline(&line, &size, stream) >= 0)
        status = read_line(starter, line, err);
    free(line);
    if (status == MT_OK && starter->count == 0)
        status = mt_fail(err, MT_EIO, "'sinfo' lists no nodes");
    return status;
}

int mt_starter_from_slurm(struct mt_starter *starter, struct mt_error *err)
{
    char name[] = "sinfo", no_header[] = "-h", by_node[] = "-N", sort[] = "-S",
         keys[] = "N,P", print[] = "-o", format[] = "%N %c %X %Y %m %P %f";
    char *const argv[] = {name, no_header, by_node, sort, keys, print, format, NULL};
    FILE *nothing = tmpfile(), *output = tmpfile(), *messages = tmpfile();
    int status;
    if (nothing && output && messages)
        status = mt_child_run(argv, nothing, output, messages, err);
    else
        status = mt_fail(err, MT_EIO, "cannot make temporary files for sinfo");
    if (status == MT_OK)
        status = read_nodes(starter, output, err);
    starter->launcher = MT_LAUNCH_SLURM;
    FILE *const files[] = {nothing, output, messages};
    for (int i = 0; i < 3; i++)
        if (files[i])
            fclose(files[i]);
    return status;
}
