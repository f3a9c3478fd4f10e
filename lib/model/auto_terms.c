/* SPDX-License-Identifier: BSD-3-Clause */
#include "auto_terms.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* A list of terms while it is written. */
struct term_list {
    struct mt_auto_terms *terms;
    FILE *stream;
};

__attribute__((format(printf, 3, 4))) static void add(struct term_list *list,
                                                      enum mt_role role,
                                                      const char *format, ...)
{
    struct mt_auto_terms *terms = list->terms;
    va_list arguments;
    if (terms->count > 0)
        fputs(", ", list->stream);
    va_start(arguments, format);
    vfprintf(list->stream, format, arguments);
    va_end(arguments);
    if (terms->count < MT_MAX_TERMS)
        terms->roles[terms->count] = role;
    terms->count++;
}

/* Messages between nodes, which the processes of a node send through one link: what
   they cost, and what each further process on a node adds. */
static void add_network(struct term_list *list, const char *term)
{
    add(list, MT_ROLE_NETWORK, "(P>M)*(%s)", term);
    add(list, MT_ROLE_NETWORK, "(P>M)*(M-1)*(%s)", term);
}

/* Messages inside one node. */
static void add_local(struct term_list *list, const char *term)
{
    add(list, MT_ROLE_NETWORK, "(P<=M && P>1)*(%s)", term);
}

/* The work is shared by all ranks, more slowly once a rank's data have outgrown a cache
   of some size; a part of it, which grows like its surface, is done in turn. */
static void add_compute(struct term_list *list, const char *work, const char *memory)
{
    add(list, MT_ROLE_OWN, "(%s)/P", work);
    add(list, MT_ROLE_OWN, "(%s)^(2/3)/P", work);
    for (int bits = 18; memory && bits <= 26; bits += 2)
        add(list, MT_ROLE_OWN, "(%s)/P*((%s)>2^%d)", work, memory, bits);
    add(list, MT_ROLE_SERIAL, "(%s)^(2/3)", work);
    add(list, MT_ROLE_SERIAL, "(%s)^(1/3)", work);
    add(list, MT_ROLE_SERIAL, "1");
}

/* What a rank of a grid of `dimensions` passes on through its faces, as a share of the
   faces of the whole: its part across each axis that is cut. */
static void add_faces(FILE *stream, const char *memory, int dimensions)
{
    fprintf(stream, "((%s)*P)^(%d/%d)*(", memory, dimensions - 1, dimensions);
    for (int axis = 1; axis <= dimensions; axis++) {
        fprintf(stream, "%s(dims(P,%d,%d)>1)", axis > 1 ? "+" : "", dimensions, axis);
        for (int other = 1; other <= dimensions; other++)
            if (other != axis)
                fprintf(stream, "/dims(P,%d,%d)", dimensions, other);
    }
    fputs(")", stream);
}

/* All of a rank's data, or their surface, or its faces where the ranks form a grid. */
static int add_data(struct term_list *list, const char *memory)
{
    char *text = NULL;
    size_t length;
    add_network(list, memory);
    add_local(list, memory);
    for (int dimensions = 1; dimensions <= 3; dimensions++) {
        FILE *stream = open_memstream(&text, &length);
        if (!stream)
            return MT_ENOMEM;
        if (dimensions == 1)
            fprintf(stream, "(%s)^(2/3)", memory);
        else
            add_faces(stream, memory, dimensions);
        if (fclose(stream) != 0) {
            free(text);
            return MT_ENOMEM;
        }
        add_network(list, text);
        add_local(list, text);
        free(text);
    }
    return MT_OK;
}

/* Trees of messages that are as large as a surface or an edge of the work, or empty,
   and a message to everybody. */
static int add_messages(struct term_list *list, const char *work)
{
    const char *const powers[] = {"2/3", "1/3"};
    for (int i = 0; i < 2; i++) {
        char *text = NULL;
        if (asprintf(&text, "ceil(log2(P))*(%s)^(%s)", work, powers[i]) < 0)
            return MT_ENOMEM;
        add_network(list, text);
        free(text);
    }
    add_network(list, "ceil(log2(P))");
    add_network(list, "P");
    add_local(list, "ceil(log2(P))");
    add_local(list, "P");
    return MT_OK;
}

static int list_generic(struct term_list *list, const struct mt_program *program)
{
    const char *work = mt_expr_text(program->work);
    const char *memory = program->memory ? mt_expr_text(program->memory) : NULL;
    add_compute(list, work, memory);
    const int status = add_messages(list, work);
    return status == MT_OK && memory ? add_data(list, memory) : status;
}

/* A large size of the program, at which its terms have values. */
static double large_size(const struct mt_program *program)
{
    if (program->nplan_sizes > 0)
        return program->plan_sizes[program->nplan_sizes - 1];
    return program->nmeasure_sizes > 0
               ? program->measure_sizes[program->nmeasure_sizes - 1]
               : 1024;
}

static void list_given(struct term_list *list, const struct mt_terms *given,
                       double size)
{
    const int count = mt_terms_count(given);
    double few[MT_MAX_TERMS], many[MT_MAX_TERMS];
    double values[MT_NVARIABLES] = {[MT_N] = size, [MT_P] = 2, [MT_M] = 1};
    mt_terms_values(given, values, few);
    values[MT_P] = 64;
    mt_terms_values(given, values, many);
    for (int i = 0; i < count; i++) {
        const char *text = mt_terms_text(given, i);
        if (many[i] > few[i] * (1 + 1e-9)) {
            add_network(list, text);
            add_local(list, text);
        } else {
            add(list, many[i] < few[i] * (1 - 1e-9) ? MT_ROLE_OWN : MT_ROLE_SERIAL,
                "%s", text);
        }
    }
}

static int list_terms(struct term_list *list, const struct mt_program *program,
                      const char *given, struct mt_error *err)
{
    if (!given && !program->terms_auto && program->work)
        return list_generic(list, program);
    const struct mt_terms *terms =
        program->terms_auto ? program->terms_auto : program->terms_npt;
    struct mt_terms *parsed = NULL;
    if (given || !terms) {
        const int status =
            mt_terms_parse(&parsed, given ? given : mt_default_terms_npt, err);
        if (status != MT_OK)
            return status;
        terms = parsed;
    }
    int status = MT_OK;
    if (mt_terms_count(terms) > MT_MAX_TERMS)
        status = mt_fail(err, MT_EINVAL, "%d terms are more than a model can have (%d)",
                         mt_terms_count(terms), MT_MAX_TERMS);
    else
        list_given(list, terms, large_size(program));
    mt_terms_free(parsed);
    return status;
}

int mt_auto_terms_make(struct mt_auto_terms *terms, const struct mt_program *program,
                       const char *given, struct mt_error *err)
{
    struct mt_auto_terms made = {0};
    size_t length;
    struct term_list list = {.terms = &made,
                             .stream = open_memstream(&made.text, &length)};
    if (!list.stream)
        return mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
    int status = list_terms(&list, program, given, err);
    if (fclose(list.stream) != 0 || status == MT_ENOMEM)
        status = mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
    if (status == MT_OK && made.count > MT_MAX_TERMS)
        status = mt_fail(err, MT_EINVAL, "%d terms are more than a model can have (%d)",
                         made.count, MT_MAX_TERMS);
    if (status == MT_OK)
        *terms = made;
    else
        mt_auto_terms_clear(&made);
    return status;
}

void mt_auto_terms_clear(struct mt_auto_terms *terms)
{
    free(terms->text);
    *terms = (struct mt_auto_terms){0};
}
