/* SPDX-License-Identifier: BSD-3-Clause */
/* The candidate terms of `auto`. */
#include "library.h"

#include "lib/base/array.h"
#include "lib/expr/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the terms are written from: texts of expressions, or NULL. */
struct source {
    const char *work;       /* operations of the run */
    const char *steps;      /* operations of the busiest rank */
    const char *far_steps;  /* those of them that caches make a difference to */
    const char *memory[2];  /* bytes of a rank; what they may be where nobody says */
    const char *touched[2]; /* of them those that it goes through again and again */
    const char *imbalance;  /* steps of the busiest rank over the mean */
    const char *messages, *bytes; /* of a rank; of a message */
};

/* Sizes of caches, of a core or a node, and of messages, at which times may turn. */
enum { LEAST_CACHE_BITS = 14, LEAST_SHARED_BITS = 19, MOST_CACHE_BITS = 29 };
enum { LEAST_MESSAGE_BITS = 8, MOST_MESSAGE_BITS = 20, MESSAGE_STEP_BITS = 2 };

static int add(struct mt_library *library, enum mt_role role, struct mt_error *err,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Add a term to the family that is being written. Formulas that are read alone can be
   too long together: then the term is not offered, unless it is the main work. */
static int add(struct mt_library *library, enum mt_role role, struct mt_error *err,
               const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
    struct mt_library_term term = {.role = role};
    int status = mt_expr_parse(&term.expr, text, err);
    if (status == MT_OK)
        status = mt_array_grow(&library->terms, library->count, sizeof term,
                               "terms of a model", err);
    free(text);
    if (status == MT_OK)
        library->terms[library->count++] = term;
    else
        mt_expr_free(term.expr);
    return status == MT_EPARSE && role != MT_ROLE_OWN ? MT_OK : status;
}

/* The terms since the last family are one, if there are any. */
static int end_family(struct mt_library *library, struct mt_error *err)
{
    const int before = library->nfamilies;
    const struct mt_family family = {
        .first = before > 0 ? library->families[before - 1].end : 0,
        .end = library->count};
    if (family.first == family.end)
        return MT_OK;
    const int status = mt_array_grow(&library->families, before, sizeof family,
                                     "terms of a model", err);
    if (status == MT_OK)
        library->families[library->nfamilies++] = family;
    return status;
}

/* A family of one term. */
static int add_alone(struct mt_library *library, enum mt_role role, const char *term,
                     struct mt_error *err)
{
    const int status = add(library, role, err, "%s", term);
    return status == MT_OK ? end_family(library, err) : status;
}

/* What terms of the network begin with: between nodes, and inside of one. */
#define ACROSS "(P>M)"
#define INSIDE "(P<=M && P>1)"

bool mt_library_is_network(const char *term)
{
    return strncmp(term, ACROSS "*", strlen(ACROSS "*")) == 0 ||
           strncmp(term, INSIDE "*", strlen(INSIDE "*")) == 0;
}

/* Messages: what they cost between nodes, what each further process on a node adds, as
   they share its link, and what they cost inside of one. */
static int add_network(struct mt_library *library, const char *term,
                       struct mt_error *err)
{
    int status = add(library, MT_ROLE_NETWORK, err, ACROSS "*(%s)", term);
    if (status == MT_OK)
        status = add(library, MT_ROLE_NETWORK, err, ACROSS "*(M-1)*(%s)", term);
    if (status == MT_OK)
        status = add(library, MT_ROLE_NETWORK, err, INSIDE "*(%s)", term);
    return status == MT_OK ? end_family(library, err) : status;
}

/* What of the work takes longer when a rank's data, or those of all on its node, have
   outgrown a cache; the more so the more ranks share the memory behind it. */
static int add_cache(struct mt_library *library, const char *steps, const char *touched,
                     int bits, struct mt_error *err)
{
    int status = MT_OK;
    const char *const sharing[] = {"", "*(M-1)"};
    const int first = library->count;
    for (int i = 0; i < 2 && status == MT_OK; i++)
        status =
            add(library, MT_ROLE_CACHE, err, "(%s)*min(1,max(0,log2((%s)/2^%d)))%s",
                steps, touched, bits, sharing[i]);
    if (library->count == first + 2)
        library->terms[first + 1].single = first + 1;
    return status == MT_OK ? end_family(library, err) : status;
}

static int add_caches(struct mt_library *library, const char *steps,
                      const char *touched, struct mt_error *err)
{
    char *of_node = NULL;
    if (asprintf(&of_node, "(%s)*M", touched) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
    int status = MT_OK;
    for (int bits = LEAST_CACHE_BITS; bits <= MOST_CACHE_BITS && status == MT_OK;
         bits++) {
        status = add_cache(library, steps, touched, bits, err);
        if (status == MT_OK && bits >= LEAST_SHARED_BITS)
            status = add_cache(library, steps, of_node, bits, err);
    }
    free(of_node);
    return status;
}

/* A line of a table of terms, with the work in the place of each %1$s. */
static int add_of_work(struct mt_library *library, enum mt_role role,
                       const char *format, const char *work, struct mt_error *err)
{
    char *text = NULL;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int length = asprintf(&text, format, work);
#pragma GCC diagnostic pop
    if (length < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
    const int status = role == MT_ROLE_NETWORK ? add_network(library, text, err)
                                               : add_alone(library, role, text, err);
    free(text);
    return status;
}

/* Beside the work itself: its surface, what grows with P (as searching and sorting do),
   parts of which some ranks have one more than others, and what is done in turn. */
static int add_work(struct mt_library *library, const struct source *of,
                    struct mt_error *err)
{
    static const struct {
        enum mt_role role;
        bool even; /* not where the program says how uneven the parts are */
        const char *format;
    } table[] = {
        {MT_ROLE_COMPUTE, false, "(%1$s)^(2/3)/P"},
        {MT_ROLE_COMPUTE, false, "(%1$s)/P*log2(P)"},
        {MT_ROLE_COMPUTE, false, "(%1$s)/P*log2(P)^2"},
        {MT_ROLE_COMPUTE, true, "(%1$s)*(ceil(N/P)/N-1/P)"},
        {MT_ROLE_COMPUTE, true,
         "(%1$s)*(ceil(N/dims(P,2,1))*ceil(N/dims(P,2,2))/N^2-1/P)"},
        {MT_ROLE_COMPUTE, true,
         "(%1$s)*(ceil(N/dims(P,3,1))*ceil(N/dims(P,3,2))*ceil(N/dims(P,3,3))/N^3-1/"
         "P)"},
        {MT_ROLE_SERIAL, false, "%1$s"},
        {MT_ROLE_SERIAL, false, "(%1$s)^(2/3)"},
        {MT_ROLE_SERIAL, false, "(%1$s)^(1/3)"},
        {MT_ROLE_NETWORK, false, "ceil(log2(P))*(%1$s)^(2/3)"},
        {MT_ROLE_NETWORK, false, "ceil(log2(P))*(%1$s)^(1/3)"},
        {MT_ROLE_NETWORK, false, "(%1$s)^(2/3)/sqrt(P)"},
    };
    int status = MT_OK;
    for (size_t i = 0; i < sizeof table / sizeof *table && status == MT_OK; i++)
        if (!(table[i].even && of->imbalance))
            status =
                add_of_work(library, table[i].role, table[i].format, of->work, err);
    return status;
}

/* What a rank of a grid of `dimensions` passes on through its faces, as a share of the
   faces of the whole: its part across each axis that is cut. The caller frees it. */
static char *faces(const char *memory, int dimensions)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    fprintf(stream, "((%s)*P)^(%d/%d)*(", memory, dimensions - 1, dimensions);
    for (int axis = 1; axis <= dimensions; axis++) {
        fprintf(stream, "%s(dims(P,%d,%d)>1)", axis > 1 ? "+" : "", dimensions, axis);
        for (int other = 1; other <= dimensions; other++)
            if (other != axis)
                fprintf(stream, "/dims(P,%d,%d)", dimensions, other);
    }
    fputs(")", stream);
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Messages of all of a rank's data, of all data, of their surface, or of a rank's faces
   where the ranks form a grid; and among all pairs, of which short ones take longer.
   Where the program says its messages (no `pairs`), nobody sends more than these: what
   would grow with P is not offered. */
static int add_data(struct mt_library *library, const char *memory, bool pairs,
                    struct mt_error *err)
{
    static const struct {
        bool grows; /* with P, though a rank's data shrink */
        const char *format;
    } table[] = {
        {false, "%1$s"},
        {false, "(%1$s)*log2(P)"},
        {true, "(%1$s)*P"},
        {true, "(%1$s)*P*log2(P)"},
        {true, "(%1$s)*P*P"},
        {false, "((%1$s)*P)^(2/3)"},
        {false, "((%1$s)*P)^(1/2)"},
    };
    int status = MT_OK;
    for (size_t i = 0; i < sizeof table / sizeof *table && status == MT_OK; i++)
        if (pairs || !table[i].grows)
            status =
                add_of_work(library, MT_ROLE_NETWORK, table[i].format, memory, err);
    for (int dimensions = 2; dimensions <= 3 && status == MT_OK; dimensions++) {
        char *text = faces(memory, dimensions);
        status = text ? add_network(library, text, err)
                      : mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
        free(text);
    }
    for (int bits = LEAST_MESSAGE_BITS;
         pairs && bits <= MOST_MESSAGE_BITS && status == MT_OK;
         bits += MESSAGE_STEP_BITS) {
        char *text = NULL;
        if (asprintf(&text, "P*min(1,max(0,log2((%s)/P/2^%d)/%d))", memory, bits,
                     MESSAGE_STEP_BITS) < 0)
            return mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
        status = add_network(library, text, err);
        free(text);
    }
    return status;
}

/* Messages as the program says them: their number, their bytes, and what longer ones,
   which are sent in another way, cost more. */
static int add_messages(struct mt_library *library, const struct source *of,
                        struct mt_error *err)
{
    char *text = NULL;
    int status = add_network(library, of->messages, err);
    for (int bits = LEAST_MESSAGE_BITS;
         of->bytes && bits <= MOST_MESSAGE_BITS && status == MT_OK;
         bits += MESSAGE_STEP_BITS) {
        if (asprintf(&text, "(%s)*min(1,max(0,log2((%s)/2^%d)/%d))", of->messages,
                     of->bytes, bits, MESSAGE_STEP_BITS) < 0)
            return mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
        status = add_network(library, text, err);
        free(text);
    }
    if (status != MT_OK || !of->bytes)
        return status;
    if (asprintf(&text, "(%s)*(%s)", of->messages, of->bytes) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
    status = add_network(library, text, err);
    free(text);
    return status;
}

static int list_generic(struct mt_library *library, const struct source *of,
                        struct mt_error *err)
{
    int status = add_alone(library, MT_ROLE_OWN, of->steps, err);
    if (status == MT_OK)
        status = add_work(library, of, err);
    if (status == MT_OK)
        status = add_alone(library, MT_ROLE_SERIAL, "1", err);
    static const char *const latencies[] = {"1", "ceil(log2(P))", "sqrt(P)", "P"};
    for (int i = 0; i < 4 && status == MT_OK; i++)
        status = add_network(library, latencies[i], err);
    for (int i = 0; i < 2 && status == MT_OK; i++) {
        if (of->touched[i])
            status = add_caches(library, of->far_steps, of->touched[i], err);
        if (status == MT_OK && of->memory[i])
            status = add_data(library, of->memory[i], !of->messages, err);
    }
    if (status == MT_OK && of->messages)
        status = add_messages(library, of, err);
    return status;
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

/* Expected of every program are messages that each rank waits for, and their bytes: as
   it says, or a tree of empty ones, and all of a rank's data. */
static void mark_expected(struct mt_library *library, const struct source *of)
{
    for (int i = 0; i < library->count; i++) {
        struct mt_library_term *term = &library->terms[i];
        const char *text = mt_expr_text(term->expr);
        char wanted[3][2048];
        snprintf(wanted[0], sizeof *wanted, ACROSS "*(%s)",
                 of->messages ? of->messages : "ceil(log2(P))");
        if (of->messages)
            snprintf(wanted[1], sizeof *wanted, ACROSS "*((%s)*(%s))", of->messages,
                     of->bytes ? of->bytes : "1");
        else
            snprintf(wanted[1], sizeof *wanted, ACROSS "*(%s)", of->memory[0]);
        term->expected = strcmp(text, wanted[0]) == 0 || strcmp(text, wanted[1]) == 0;
    }
}

static int list_given(struct mt_library *library, const struct mt_terms *given,
                      double size, struct mt_error *err)
{
    const int count = mt_terms_count(given);
    double *few = calloc(2 * (size_t)count, sizeof *few);
    double values[MT_NVARIABLES] = {[MT_N] = size, [MT_P] = 2, [MT_M] = 1};
    if (!few)
        return mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
    double *many = few + count;
    mt_terms_values(given, values, few);
    values[MT_P] = 64;
    mt_terms_values(given, values, many);
    int status = MT_OK;
    for (int i = 0; i < count && status == MT_OK; i++) {
        const char *text = mt_terms_text(given, i);
        if (many[i] > few[i] * (1 + 1e-9))
            status = add_network(library, text, err);
        else
            status = add_alone(
                library, many[i] < few[i] * (1 - 1e-9) ? MT_ROLE_OWN : MT_ROLE_SERIAL,
                text, err);
    }
    free(few);
    return status;
}

static const char *text_of(const struct mt_expr *expr)
{
    return expr ? mt_expr_text(expr) : NULL;
}

/* The texts that are made up here; all owned. */
struct made_up {
    char *mean, *steps, *far_steps, *grid, *matrix;
};

/* Where nobody says how much memory it needs: as much as there is work, as a grid's
   points, or its power 2/3, as a matrix's elements in a product. */
static int make_up(struct source *of, struct made_up *made,
                   const struct mt_shape *shape, struct mt_error *err)
{
    const bool known = shape->steps != NULL;
    int length = asprintf(&made->mean, known ? "%s" : "(%s)/P",
                          known ? text_of(shape->steps) : of->work);
    if (length >= 0)
        length = of->imbalance
                     ? asprintf(&made->steps, "(%s)*(%s)", made->mean, of->imbalance)
                     : asprintf(&made->steps, "%s", made->mean);
    if (length >= 0)
        length = shape->near_steps
                     ? asprintf(&made->far_steps, "max(0,1-(%s)/(%s))*(%s)",
                                text_of(shape->near_steps), made->mean, made->steps)
                     : asprintf(&made->far_steps, "%s", made->steps);
    if (length >= 0)
        length = asprintf(&made->grid, "8*(%s)/P", of->work);
    if (length >= 0)
        length = asprintf(&made->matrix, "8*(%s)^(2/3)/P", of->work);
    if (length < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
    of->steps = made->steps;
    of->far_steps = made->far_steps;
    if (of->memory[0])
        return MT_OK;
    of->memory[0] = made->matrix;
    of->memory[1] = made->grid;
    if (!of->touched[0]) {
        of->touched[0] = made->matrix;
        of->touched[1] = made->grid;
    }
    return MT_OK;
}

static int list_of_program(struct mt_library *library, const struct mt_program *program,
                           const char *work, struct mt_error *err)
{
    const struct mt_shape *shape = &program->shape;
    struct source of = {.work = work,
                        .memory = {text_of(program->memory)},
                        .imbalance = text_of(shape->imbalance),
                        .messages = text_of(shape->messages),
                        .bytes = text_of(shape->bytes)};
    of.touched[0] = shape->working_set ? text_of(shape->working_set) : of.memory[0];
    struct made_up made = {0};
    int status = make_up(&of, &made, shape, err);
    if (status == MT_OK)
        status = list_generic(library, &of, err);
    if (status == MT_OK)
        mark_expected(library, &of);
    free(made.mean);
    free(made.steps);
    free(made.far_steps);
    free(made.grid);
    free(made.matrix);
    return status;
}

static int list_terms(struct mt_library *library, const struct mt_program *program,
                      const char *given, const char *work, struct mt_error *err)
{
    const struct mt_terms *terms = program->terms_auto;
    if (!given && !terms)
        return list_of_program(library, program, work ? work : text_of(program->work),
                               err);
    struct mt_terms *parsed = NULL;
    int status = MT_OK;
    if (given)
        status = mt_terms_parse(&parsed, given, err);
    if (status == MT_OK)
        status = list_given(library, given ? parsed : terms, large_size(program), err);
    mt_terms_free(parsed);
    library->given = true;
    return status;
}

int mt_library_make(struct mt_library *library, const struct mt_program *program,
                    const char *given, const char *work, struct mt_error *err)
{
    struct mt_library made = {0};
    const int status = list_terms(&made, program, given, work, err);
    if (status == MT_OK)
        *library = made;
    else
        mt_library_clear(&made);
    return status;
}

void mt_library_clear(struct mt_library *library)
{
    for (int i = 0; i < library->count; i++)
        mt_expr_free(library->terms[i].expr);
    free(library->terms);
    free(library->families);
    *library = (struct mt_library){0};
}
