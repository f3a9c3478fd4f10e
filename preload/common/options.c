/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <stdio.h>
#include <string.h>

const char *const bcast_mode_names[] = {
    [BCAST_OFF] = "off", [BCAST_AUTO] = "auto", [BCAST_PAPER] = "paper"};
const char *const yield_mode_names[] = {
    [YIELD_OFF] = "off", [YIELD_AUTO] = "auto", [YIELD_ALWAYS] = "always"};

static const char known[] =
    "bcast[=auto|paper|off], yield[=auto|always|off], report[=FILE], verbose";

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

/* Without a value, the mode stays as it is. */
static bool parse_mode(int *mode, const char *const *names, int n, const char *value)
{
    if (!value)
        return true;
    for (int i = 0; i < n; i++) {
        if (!strcmp(value, names[i])) {
            *mode = i;
            return true;
        }
    }
    return false;
}

static bool parse_bcast(enum bcast_mode *mode, const char *value)
{
    int which = BCAST_AUTO;
    const bool known_value = parse_mode(&which, bcast_mode_names, BCAST_MODES, value);
    *mode = (enum bcast_mode)which;
    return known_value;
}

static bool parse_yield(enum yield_mode *mode, const char *value)
{
    int which = YIELD_AUTO;
    const bool known_value = parse_mode(&which, yield_mode_names, YIELD_MODES, value);
    *mode = (enum yield_mode)which;
    return known_value;
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
    if (!strcmp(word->name, "yield") || !strcmp(word->name, "patient"))
        return parse_yield(&options->yield, word->value);
    if (!strcmp(word->name, "report"))
        return parse_report(options, word->value);
    options->verbose = true;
    return !strcmp(word->name, "verbose") && !word->value;
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
