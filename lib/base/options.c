/* SPDX-License-Identifier: BSD-3-Clause */
/* Numeric options with a range, and suggestions for mistyped options. */
#include "options.h"

#include "number.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "a whole number from 1 to 8", "a number above 0". */
static void describe(char *text, size_t size, const struct mt_number_option *option)
{
    if (option->kind != MT_NUMBER_ABOVE)
        snprintf(text, size, "a %snumber from %.15g to %.15g",
                 option->kind == MT_NUMBER_WHOLE ? "whole " : "", option->least,
                 option->most);
    else
        snprintf(text, size, "a number above %.15g", option->least);
}

static bool is_within(const struct mt_number_option *option, double value)
{
    if (option->kind == MT_NUMBER_ABOVE)
        return value > option->least && isfinite(value);
    return value >= option->least && value <= option->most &&
           (option->kind != MT_NUMBER_WHOLE || value == floor(value));
}

int mt_number_option_read(struct mt_number_option *option, const char *name,
                          struct mt_error *err)
{
    char range[96];
    double value = 0;
    if (!option->text)
        return MT_OK;
    const char *end = mt_number_read(option->text, &value);
    if (end && !*end && is_within(option, value)) {
        option->value = value;
        return MT_OK;
    }
    describe(range, sizeof range, option);
    return mt_fail(err, MT_EINVAL, "%s: '%.40s' is not %s", name, option->text, range);
}

int mt_option_blame(int status, const char *option, struct mt_error *err)
{
    if (err && (status == MT_EINVAL || status == MT_EPARSE))
        mt_fail(err, (enum mt_status)status, "%s: %s", option, err->text);
    return status;
}

static bool is_last(const struct poptOption *option)
{
    return !option->longName && !option->shortName && !option->arg;
}

static bool is_table(const struct poptOption *option)
{
    return (option->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE;
}

int mt_options_read_numbers(const struct poptOption *options, struct mt_error *err)
{
    int status = MT_OK;
    for (; status == MT_OK && !is_last(options); options++) {
        char name[64];
        snprintf(name, sizeof name, "--%s", options->longName ? options->longName : "");
        if (is_table(options))
            status = mt_options_read_numbers(options->arg, err);
        else if (options->val == MT_OPTION_NUMBER)
            status = mt_number_option_read(options->arg, name, err);
    }
    return status;
}

static void try_names(struct mt_closest *closest, const struct poptOption *options)
{
    for (; !is_last(options); options++)
        if (is_table(options))
            try_names(closest, options->arg);
        else if (options->longName)
            mt_closest_try(closest, options->longName);
}

int mt_options_refuse(const struct poptOption *options, const char *program,
                      const char *word, const char *reason, struct mt_error *err)
{
    char name[32] = "";
    struct mt_closest closest = {.word = name};
    if (strncmp(word, "--", 2) == 0) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "= "), word + 2);
        try_names(&closest, options);
    }
    /* A known option has another fault: its argument is missing, or it takes none. */
    if (closest.name && strcmp(closest.name, name) != 0)
        return mt_fail(err, MT_EINVAL, "%s: '%.60s'; did you mean '--%s'?", reason,
                       word, closest.name);
    return mt_fail(err, MT_EINVAL, "%s: '%.60s'; see '%s --help'", reason, word,
                   program);
}
