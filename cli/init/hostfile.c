/* SPDX-License-Identifier: BSD-3-Clause */
#include "starter.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SLOTS = 100000 };

/* The next word of `*rest`, or NULL; blanks and '=' stand between words. */
static char *next_word(char **rest)
{
    char *word;
    while ((word = strsep(rest, " \t\r\n=")))
        if (*word)
            return word;
    return NULL;
}

static int parse_slots(int *slots, const char *text, struct mt_error *err)
{
    char *end;
    long number = text ? strtol(text, &end, 10) : 0;
    if (!text || *end || number < 1 || number > MAX_SLOTS)
        return mt_fail(err, MT_EPARSE, "slots must be a number from 1 to %d, not '%s'",
                       MAX_SLOTS, text ? text : "");
    *slots = (int)number;
    return MT_OK;
}

/* A host that comes again has more slots. */
static int add_slots(struct mt_starter *starter, char *host, int slots,
                     struct mt_error *err)
{
    struct mt_starter_node *known = mt_starter_find(starter, host);
    if (known) {
        known->slots += slots;
        return MT_OK;
    }
    return mt_starter_add(starter,
                          &(struct mt_starter_node){.host = host, .slots = slots}, err);
}

/* The line's own way of writing slots tells whose hostfile it is. */
static int read_line(struct mt_starter *starter, char *line, bool *told,
                     struct mt_error *err)
{
    line[strcspn(line, "#")] = '\0';
    char *rest = line, *host = next_word(&rest), *word;
    int slots = 1, status = MT_OK;
    if (!host)
        return MT_OK;
    char *colon = strchr(host, ':');
    if (colon) {
        *colon = '\0';
        status = parse_slots(&slots, colon + 1, err);
        starter->launcher = MT_LAUNCH_MPICH;
        *told = true;
    }
    while (status == MT_OK && (word = next_word(&rest))) {
        if (strcmp(word, "slots") != 0)
            continue;
        status = parse_slots(&slots, next_word(&rest), err);
        starter->launcher = MT_LAUNCH_OPENMPI;
        *told = true;
    }
    return status == MT_OK ? add_slots(starter, host, slots, err) : status;
}

int mt_starter_from_hostfile(struct mt_starter *starter, const char *path,
                             struct mt_error *err)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return mt_fail(err, MT_EIO, "cannot read '%s': %s", path, strerror(errno));
    char *line = NULL;
    size_t size = 0;
    bool told = false;
    int status = MT_OK;
    for (int number = 1; status == MT_OK && getline(&line, &size, file) >= 0;
         number++) {
        struct mt_error reason;
        status = read_line(starter, line, &told, &reason);
        if (status != MT_OK)
            mt_fail(err, status, "%s:%d: %s", path, number, reason.text);
    }
    if (status == MT_OK && ferror(file))
        status = mt_fail(err, MT_EIO, "cannot read '%s'", path);
    else if (status == MT_OK && starter->count == 0)
        status = mt_fail(err, MT_EPARSE, "no hosts in '%s'", path);
    free(line);
    fclose(file);
    if (!told)
        starter->launcher = mt_starter_launcher();
    return status;
}
