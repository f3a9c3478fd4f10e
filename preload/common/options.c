/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses MOTLEY_BALANCE. */
#include "options.h"

#include <stdio.h>
#include <string.h>

const char *const bcast_mode_names[] = {"off", "auto", "paper", "paper-2"};

static const char known[] =
    "bcast[=auto|paper|paper-2|off], reduce, gather, reproducible, "
    "report[=FILE], verbose";

/* A word of the text: "name" or "name=value"; value is NULL without '='. */
struct word {
    char text[sizeof(((struct options *)0)->report_file) + sizeof("report=")];
    const char *name, *value;
};

/* The word at *text, which is moved to the next one; false: it is too long. */
static bool next_word(struct word *word, const char **text)
{
    const size_t length = strcspn(*text, ",");
    if (length >= sizeof(word->text))
        return false;
    memcpy(word->text, *text, length);
    word->text[length] = '\0';
    *text += length + ((*text)[length] == ',');

    char *equals = strchr(word->text, '=');
    if (equals)
        *equals = '\0';
    word->name = word->text;
    word->value = equals ? equals + 1 : NULL;
    return true;
}

static bool parse_bcast(enum bcast_mode *mode, const char *value)
{
    *mode = BCAST_AUTO;
    if (!value)
        return true;
    for (int i = 0; i < BCAST_MODES; i++) {
        if (!strcmp(value, bcast_mode_names[i])) {
            *mode = (enum bcast_mode)i;
            return true;
        }
    }
    return false;
}

static bool parse_report(struct options *options, const char *file)
{
    options->report = true;
    const size_t length = file ? strlen(file) : 0;
    if (length >= sizeof(options->report_file) || (file && length == 0))
        return false;
    if (file)
        memcpy(options->report_file, file, length + 1);
    return true;
}

static bool parse_word(struct options *options, const struct word *word)
{
    if (!strcmp(word->name, "bcast"))
        return parse_bcast(&options->bcast, word->value);
    if (!strcmp(word->name, "report"))
        return parse_report(options, word->value);
    bool *const flag = !strcmp(word->name, "reduce")         ? &options->reduce
                       : !strcmp(word->name, "gather")       ? &options->gather
                       : !strcmp(word->name, "reproducible") ? &options->reproducible
                       : !strcmp(word->name, "verbose")      ? &options->verbose
                                                             : NULL;
    if (!flag || word->value)
        return false;
    *flag = true;
    return true;
}

bool options_parse(struct options *options, const char *text, char *reason, size_t size)
{
    *options = (struct options){0};
    struct options wanted = {0};
    const char *rest = text ? text : "";
    while (*rest) {
        const char *start = rest;
        struct word word;
        if (!next_word(&word, &rest)) {
            snprintf(reason, size, "too long: '%.40s...'", start);
            return false;
        }
        if (!parse_word(&wanted, &word)) {
            snprintf(reason, size, "not known: '%.*s'; known: %s",
                     (int)strcspn(start, ","), start, known);
            return false;
        }
    }
    *options = wanted;
    return true;
}
