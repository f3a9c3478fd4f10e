/* SPDX-License-Identifier: BSD-3-Clause */
#include "starter.h"

#include "child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "x01 16 64000 xeon,ib": node, processors, MB of memory, features. */
static int read_line(struct mt_starter *starter, const char *line, struct mt_error *err)
{
    char host[256], features[256];
    int slots;
    double megabytes;
    if (sscanf(line, "%255s %d %lf %255s", host, &slots, &megabytes, features) != 4 ||
        slots < 1 || !(megabytes >= 0))
        return mt_fail(err, MT_EIO, "'sinfo' prints what is not understood: '%.*s'",
                       (int)strcspn(line, "\n"), line);
    if (mt_starter_find(starter, host))
        return MT_OK; /* it is in several partitions */
    const struct mt_starter_node node = {
        .host = host,
        .slots = slots,
        .memory = megabytes * 1024 * 1024,
        .features = strcmp(features, "(null)") == 0 ? NULL : features};
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
    char name[] = "sinfo", no_header[] = "-h", by_node[] = "-N", format_option[] = "-o",
         format[] = "%N %c %m %f";
    char *const argv[] = {name, no_header, by_node, format_option, format, NULL};
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
