/* SPDX-License-Identifier: BSD-3-Clause */
#include "draw.h"

#include "cli/process/folders.h"
#include "cluster.h"
#include "lib/base/draft.h"
#include "program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const program_names[PROGRAMS] = {
    "lu",       "jacobi",   "fft",      "fem",      "spmm",
    "matmul-a", "random-1", "random-2", "random-3", "random-4"};

/* The whole of a file; the caller frees it. NULL: errno says why. */
static char *read_text(const char *path)
{
    char *text = NULL;
    size_t room = 0;
    FILE *stream = fopen(path, "re");
    if (!stream)
        return NULL;
    if (getdelim(&text, &room, 0, stream) < 0) {
        free(text);
        text = NULL;
    }
    fclose(stream);
    return text;
}

static int replace_file(const char *path, const char *text, struct mt_error *err)
{
    struct mt_draft draft;
    int status = mt_draft_open(&draft, path, err);
    if (status != MT_OK)
        return status;
    fputs(text, draft.stream);
    return mt_draft_close(&draft, MT_OK, err);
}

/* Takes the text. */
static int write_file(const char *folder, const char *name, char *text,
                      struct mt_error *err)
{
    char *path;
    if (!text || asprintf(&path, "%s/%s.yaml", folder, name) < 0) {
        free(text);
        return mt_fail(err, MT_ENOMEM, "no memory for a file");
    }
    char *before = read_text(path);
    int status = MT_OK;
    if (!before || strcmp(before, text) != 0)
        status = replace_file(path, text, err);
    free(before);
    free(path);
    free(text);
    return status;
}

static int draw_program(FILE *stream, int number, const struct drawn_cluster *cluster,
                        uint64_t seed, struct mt_error *err)
{
    if (number >= SHIPPED_PROGRAMS) {
        draw_random_program(stream, number - SHIPPED_PROGRAMS + 1, cluster, seed);
        return MT_OK;
    }
    char *path = mt_shipped_file("programs", program_names[number]);
    char *text = path ? read_text(path) : NULL;
    int status = MT_OK;
    if (text)
        draw_shipped_program(stream, program_names[number], text, seed);
    else
        status = mt_fail(err, MT_ENOTFOUND, "the program '%s' is not there",
                         program_names[number]);
    free(text);
    free(path);
    return status;
}

/* File number -1 is the cluster's. */
static int draw_file(const char *folder, int number, struct drawn_cluster *cluster,
                     uint64_t seed, struct mt_error *err)
{
    char *text = NULL;
    size_t length;
    int status = MT_OK;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return mt_fail(err, MT_ENOMEM, "no memory for a file");
    if (number < 0)
        *cluster = draw_cluster(stream, seed);
    else
        status = draw_program(stream, number, cluster, seed, err);
    fclose(stream);
    if (status == MT_OK)
        return write_file(folder, number < 0 ? "cluster" : program_names[number], text,
                          err);
    free(text);
    return status;
}

int draw_files(const char *folder, uint64_t seed, struct mt_error *err)
{
    struct drawn_cluster cluster;
    int status = MT_OK;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return mt_fail(err, MT_EIO, "cannot make '%s': %s", folder, strerror(errno));
    for (int number = -1; number < PROGRAMS && status == MT_OK; number++)
        status = draw_file(folder, number, &cluster, seed, err);
    return status;
}
