/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills in the placeholders of commands and input files. */
#include "template.h"

#include "internal.h"
#include "lib/base/argv.h"
#include "lib/base/number.h"
#include "lib/expr/internal.h"
#include "lib/yaml/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest text with its placeholders filled. */
static const size_t most_bytes = (size_t)16 * 1024 * 1024;

/* A placeholder of a text, with its braces. */
struct found {
    const char *text, *begin, *end;
    bool doubled; /* doubled braces: text, not a placeholder */
};

static const char of_ranks[] = "ranks:", of_nodes[] = "nodes:", of_folder[] = "folder",
                  of_threads[] = "threads", of_weights[] = "weights",
                  of_weights_lines[] = "weights_lines",
                  of_weights_file[] = "weights_file";

static bool has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Whether some letter is there, and no comma outside of parentheses. */
static bool is_like_expression(const char *begin, const char *end)
{
    bool letter = false;
    int depth = 0;
    for (const char *at = begin; at < end; at++) {
        letter = letter || isalpha((unsigned char)*at);
        depth += (*at == '(') - (*at == ')');
        if (*at == ',' && depth <= 0)
            return false;
    }
    return letter && (isalnum((unsigned char)begin[0]) || strchr("(-!", begin[0])) &&
           (isalnum((unsigned char)end[-1]) || strchr("_)", end[-1]));
}

/* The length of the text between this brace and its closing one; 0: it is not a
   placeholder. */
static size_t inner_length(const char *brace)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_.+-*/%^(),<>=!&| ";
    const char *inner = brace + 1;
    if (has_prefix(inner, of_ranks) || has_prefix(inner, of_nodes)) {
        const size_t length = strcspn(inner, "{}\r\n");
        return inner[length] == '}' ? length : 0;
    }
    const size_t length = strspn(inner, letters);
    return length > 0 && inner[length] == '}' &&
                   is_like_expression(inner, inner + length)
               ? length
               : 0;
}

/* Find the first placeholder at `at` or behind it. */
static bool find_next(struct found *found, const char *text, const char *at)
{
    for (at = strchr(at, '{'); at; at = strchr(at + 1, '{')) {
        const size_t length = inner_length(at);
        if (length == 0 || (at > text && at[-1] == '$'))
            continue;
        *found = (struct found){.text = text, .begin = at, .end = at + length + 2};
        found->doubled = at > text && at[-1] == '{' && *found->end == '}';
        return true;
    }
    return false;
}

/* Fail with the placeholder's line, where there are several. */
MT_PRINTF(4, 5)
static int fail_at(const struct found *found, enum mt_status status,
                   struct mt_error *err, const char *format, ...)
{
    char words[sizeof err->text];
    int line = 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    for (const char *at = found->text; at < found->begin; at++)
        line += *at == '\n';
    return strchr(found->text, '\n') ? mt_fail(err, status, "line %d: %.*s", line,
                                               (int)sizeof words - 24, words)
                                     : mt_fail(err, status, "%s", words);
}

/* The most characters of a placeholder that are quoted. */
static int quoted_length(const struct found *found)
{
    enum { MOST = 60 };
    const int length = (int)(found->end - found->begin);
    return length < MOST ? length : MOST;
}

static int fail_to_parse(const struct found *found, const char *reason,
                         struct mt_error *err)
{
    const int length = quoted_length(found);
    bool word = true;
    for (const char *at = found->begin + 1; at < found->end - 1; at++)
        word = word && (isalnum((unsigned char)*at) || *at == '_');
    if (word)
        return fail_at(found, MT_EPARSE, err,
                       "unknown placeholder '%.*s'; braces that shall stay are doubled",
                       length, found->begin);
    return fail_at(
        found, MT_EPARSE, err,
        "'%.*s' is not a placeholder: %.100s; braces that shall stay are doubled",
        length, found->begin, reason);
}

/* Parse the placeholder's expression, which the caller frees. */
static int parse(struct mt_expr **expr, const struct found *found, struct mt_error *err)
{
    struct mt_error reason = {0};
    char *inner = strndup(found->begin + 1, (size_t)(found->end - found->begin - 2));
    if (!inner)
        return mt_fail(err, MT_ENOMEM, "no memory for a placeholder");
    int status = mt_expr_parse(expr, inner, &reason);
    free(inner);
    if (status == MT_OK && mt_expr_uses(*expr, MT_T)) {
        mt_expr_free(*expr);
        *expr = NULL;
        status = fail_to_parse(found, "it cannot depend on T", err);
    } else if (status == MT_EPARSE) {
        status = fail_to_parse(found, reason.text, err);
    } else if (status != MT_OK) {
        status = mt_fail(err, status, "%s", reason.text);
    }
    return status;
}

static bool is_word(const struct found *found, const char *word)
{
    return has_prefix(found->begin + 1, word) &&
           found->end == found->begin + strlen(word) + 2;
}

/* The name behind "ranks:" or "nodes:", which are equally long; NULL: an expression. */
static const char *group_name(const struct found *found)
{
    const char *inner = found->begin + 1;
    return has_prefix(inner, of_ranks) || has_prefix(inner, of_nodes)
               ? inner + strlen(of_ranks)
               : NULL;
}

/* What a placeholder of weights depends on; 0: it is none. */
static int weights_of(const struct found *found)
{
    if (is_word(found, of_weights) || is_word(found, of_weights_lines))
        return MT_USES_WEIGHTS;
    return is_word(found, of_weights_file) ? MT_USES_WEIGHTS_FILE : 0;
}

static int check_one(const struct found *found, int *variables, struct mt_error *err)
{
    struct mt_expr *expr = NULL;
    if (found->doubled || group_name(found) || is_word(found, of_folder) ||
        is_word(found, of_threads))
        return MT_OK;
    if (weights_of(found)) {
        *variables |= weights_of(found);
        return MT_OK;
    }
    const int status = parse(&expr, found, err);
    for (int variable = 0; status == MT_OK && variable < MT_NVARIABLES; variable++)
        if (mt_expr_uses(expr, variable))
            *variables |= 1 << variable;
    mt_expr_free(expr);
    return status;
}

int mt_template_check(const char *text, int *variables, struct mt_error *err)
{
    struct found found;
    int status = MT_OK, uses = 0;
    for (const char *at = text; status == MT_OK && find_next(&found, text, at);
         at = found.end)
        status = check_one(&found, &uses, err);
    if (status == MT_OK)
        *variables |= uses;
    return status;
}

/* The most processes on a node, and the most threads of a process. */
static struct mt_layout largest_layout(const struct mt_configuration *configuration)
{
    struct mt_layout largest = {.threads = 1};
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        const struct mt_use use = configuration->use[g];
        if (use.nodes > 0 && use.layout.processes > largest.processes)
            largest.processes = use.layout.processes;
        if (use.nodes > 0 && use.layout.threads > largest.threads)
            largest.threads = use.layout.threads;
    }
    return largest;
}

/* Writes digits, never 1e+15, which few programs read. */
static int write_value(char text[MT_NUMBER_LENGTH], const struct found *found,
                       double value, struct mt_error *err)
{
    const double largest_whole = 9007199254740992.0; /* 2^53 */
    if (fabs(value) > largest_whole)
        return fail_at(found, MT_EINVAL, err,
                       "%.*s = %.17g is more than 2^53, above which whole numbers are "
                       "not exact",
                       quoted_length(found) - 2, found->begin + 1, value);
    if (value == floor(value))
        snprintf(text, MT_NUMBER_LENGTH, "%.0f", value + 0.0);
    else
        mt_number_write(text, value, 1);
    return MT_OK;
}

static int fill_expression(FILE *stream, const struct found *found,
                           const struct mt_filling *filling, struct mt_error *err)
{
    struct mt_expr *expr = NULL;
    char text[MT_NUMBER_LENGTH];
    const double values[MT_NVARIABLES] = {
        [MT_N] = filling->size,
        [MT_P] = mt_configuration_ranks(filling->configuration),
        [MT_M] = largest_layout(filling->configuration).processes};
    int status = parse(&expr, found, err);
    if (status != MT_OK)
        return status;
    const double value = mt_expr_value(expr, values);
    mt_expr_free(expr);
    if (!isfinite(value))
        return fail_at(found, MT_EINVAL, err,
                       "'%.*s' has no value at N = %.10g, P = %d", quoted_length(found),
                       found->begin, values[MT_N], (int)values[MT_P]);
    status = write_value(text, found, value, err);
    if (status == MT_OK)
        fputs(text, stream);
    return status;
}

static int fill_use(FILE *stream, const struct found *found, const char *name,
                    const struct mt_filling *filling, struct mt_error *err)
{
    const int length = (int)(found->end - 1 - name);
    for (int g = 0; g < filling->cluster->ngroups; g++) {
        const char *group = filling->cluster->groups[g].name;
        const struct mt_use use = filling->configuration->use[g];
        if ((int)strlen(group) != length || strncmp(group, name, (size_t)length) != 0)
            continue;
        fprintf(stream, "%d",
                has_prefix(found->begin + 1, of_ranks)
                    ? use.nodes * use.layout.processes
                    : use.nodes);
        return MT_OK;
    }
    return fail_at(found, MT_EINVAL, err,
                   "unknown placeholder '%.*s': cluster '%s' has no such group",
                   quoted_length(found), found->begin, filling->cluster->name);
}

/* Nine digits are more precise than any weight. */
static void fill_weights(FILE *stream, const struct mt_filling *filling,
                         const char *between)
{
    const int ranks = mt_configuration_ranks(filling->configuration);
    for (int i = 0; i < ranks; i++)
        fprintf(stream, "%s%.9g", i > 0 ? between : "",
                filling->weights ? filling->weights[i] : 1);
}

static int fill_one(FILE *stream, const struct found *found,
                    const struct mt_filling *filling, struct mt_error *err)
{
    const char *group = group_name(found);
    if (found->doubled) {
        fwrite(found->begin, 1, (size_t)(found->end - found->begin), stream);
        return MT_OK;
    }
    if (is_word(found, of_folder)) {
        fputs(filling->folder, stream);
        return MT_OK;
    }
    if (weights_of(found) == MT_USES_WEIGHTS) {
        fill_weights(stream, filling, is_word(found, of_weights) ? "," : "\n");
        return MT_OK;
    }
    if (weights_of(found)) {
        fputs(MT_WEIGHTS_FILE, stream);
        return MT_OK;
    }
    if (is_word(found, of_threads)) {
        fprintf(stream, "%d", largest_layout(filling->configuration).threads);
        return MT_OK;
    }
    return group ? fill_use(stream, found, group, filling, err)
                 : fill_expression(stream, found, filling, err);
}

static int fill_all(FILE *stream, const char *text, const struct mt_filling *filling,
                    struct mt_error *err)
{
    struct found found;
    const char *at = text;
    int status = MT_OK;
    while (status == MT_OK && find_next(&found, text, at)) {
        fwrite(at, 1, (size_t)(found.begin - at) - found.doubled, stream);
        status = fill_one(stream, &found, filling, err);
        at = found.end + found.doubled;
        if (status == MT_OK && (size_t)ftell(stream) > most_bytes)
            status =
                fail_at(&found, MT_EINVAL, err, "the text becomes longer than 16 MiB");
    }
    if (status == MT_OK)
        fputs(at, stream);
    return status;
}

int mt_template_fill(char **filled, const char *text, const struct mt_filling *filling,
                     struct mt_error *err)
{
    char *written = NULL;
    size_t length;
    FILE *stream = open_memstream(&written, &length);
    if (!stream)
        return mt_fail(err, MT_ENOMEM, "no memory for a text");
    int status = fill_all(stream, text, filling, err);
    const bool failed = ferror(stream);
    if ((fclose(stream) != 0 || failed || !written) && status == MT_OK)
        status = mt_fail(err, MT_ENOMEM, "no memory for a text");
    if (status == MT_OK)
        *filled = written;
    else
        free(written);
    return status;
}

int mt_template_add(char ***words, const char *text, struct mt_error *err)
{
    char *word = NULL;
    size_t length;
    const char *at = text;
    struct found found;
    FILE *stream = open_memstream(&word, &length);
    if (!stream)
        return mt_fail(err, MT_ENOMEM, "no memory for a word");
    for (; find_next(&found, text, at); at = found.end) {
        fwrite(at, 1, (size_t)(found.begin - at), stream);
        fprintf(stream, "{%.*s}", (int)(found.end - found.begin), found.begin);
    }
    fputs(at, stream);
    const bool failed = ferror(stream);
    const int status = fclose(stream) != 0 || failed || !word
                           ? mt_fail(err, MT_ENOMEM, "no memory for a word")
                           : mt_argv_add_word(words, word, err);
    free(word);
    return status;
}
