/* SPDX-License-Identifier: BSD-3-Clause */
#include "forms.h"

#include "lib/base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 128, MOST_UNKNOWNS = 3, FEWEST_SIZES = 3 };

static const double exponents[] = {
    0,      1. / 4, 1. / 3, 1. / 2, 2. / 3, 3. / 4, 4. / 5, 1,      5. / 4,  4. / 3,
    3. / 2, 5. / 3, 7. / 4, 2,      9. / 4, 7. / 3, 5. / 2, 8. / 3, 11. / 4, 3};
enum { LOGARITHMS = 3, FORMS = sizeof exponents / sizeof *exponents * LOGARITHMS };

/* x^exponent log2(x)^logarithm. */
struct form {
    double exponent;
    int logarithm;
};

/* Form 0 is the constant; `sign` is that of the exponents. */
static struct form form_at(int i, int sign)
{
    return (struct form){sign * exponents[i / LOGARITHMS], i % LOGARITHMS};
}

static double form_value(const struct form *form, double x)
{
    return pow(x, form->exponent) * pow(log2(x), form->logarithm);
}

/* How the terms a of N and b of P are combined, beside the constant. */
enum combination { ONLY_A, ONLY_B, SUM, PRODUCT, PRODUCT_AND_A, PRODUCT_AND_B };
enum { COMBINATIONS = PRODUCT_AND_B + 1 };

/* The runs of a group with so many processes on each node. */
struct class
{
    double sizes[MOST_POINTS], ranks[MOST_POINTS], seconds[MOST_POINTS];
    int count;
};

struct hypothesis {
    struct form a, b;
    enum combination combination;
    double coefficients[MOST_UNKNOWNS];
    int unknowns;
    double error; /* SMAPE of leaving one out */
};

static int count_unknowns(enum combination combination)
{
    return combination == ONLY_A || combination == ONLY_B || combination == PRODUCT ? 2
                                                                                    : 3;
}

static void fill_row(double row[MOST_UNKNOWNS], const struct hypothesis *hypothesis,
                     double size, double ranks)
{
    const double a = form_value(&hypothesis->a, size),
                 b = form_value(&hypothesis->b, ranks);
    const double first[] = {[ONLY_A] = a,
                            [ONLY_B] = b,
                            [SUM] = a,
                            [PRODUCT] = a * b,
                            [PRODUCT_AND_A] = a * b,
                            [PRODUCT_AND_B] = a * b};
    row[0] = 1;
    row[1] = first[hypothesis->combination];
    row[2] = hypothesis->combination == PRODUCT_AND_A ? a : b;
}

/* Solve the normal equations, whose unknowns are scaled to a diagonal of ones; false:
   they do not determine them. */
static bool solve(double matrix[MOST_UNKNOWNS][MOST_UNKNOWNS + 1], int n, double *x)
{
    double scale[MOST_UNKNOWNS];
    for (int i = 0; i < n; i++) {
        scale[i] = sqrt(matrix[i][i]);
        if (!(scale[i] > 0) || !isfinite(scale[i]))
            return false;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            matrix[i][k] /= scale[i] * scale[k];
        matrix[i][n] /= scale[i];
    }
    for (int i = 0; i < n; i++) {
        if (!(matrix[i][i] > 1e-10))
            return false;
        for (int below = i + 1; below < n; below++) {
            const double factor = matrix[below][i] / matrix[i][i];
            for (int k = i; k <= n; k++)
                matrix[below][k] -= factor * matrix[i][k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = matrix[i][n];
        for (int k = i + 1; k < n; k++)
            x[i] -= matrix[i][k] * x[k];
        x[i] /= matrix[i][i];
    }
    for (int i = 0; i < n; i++)
        x[i] /= scale[i];
    return true;
}

/* Least squares over all runs but `left_out` (-1: all). */
static bool fit_coefficients(const struct hypothesis *hypothesis,
                             const struct class *class, int left_out, double *x)
{
    double matrix[MOST_UNKNOWNS][MOST_UNKNOWNS + 1] = {{0}};
    const int n = hypothesis->unknowns;
    for (int i = 0; i < class->count; i++) {
        double row[MOST_UNKNOWNS];
        if (i == left_out)
            continue;
        fill_row(row, hypothesis, class->sizes[i], class->ranks[i]);
        for (int k = 0; k < n; k++) {
            for (int l = 0; l < n; l++)
                matrix[k][l] += row[k] * row[l];
            matrix[k][n] += row[k] * class->seconds[i];
        }
    }
    return solve(matrix, n, x);
}

static double predict(const struct hypothesis *hypothesis, const struct class *class,
                      int i, const double *x)
{
    double row[MOST_UNKNOWNS], sum = 0;
    fill_row(row, hypothesis, class->sizes[i], class->ranks[i]);
    for (int k = 0; k < hypothesis->unknowns; k++)
        sum += row[k] * x[k];
    return sum;
}

/* Keep it in `best` if it is better. */
static void try_hypothesis(struct hypothesis *best, struct hypothesis tried,
                           const struct class *class)
{
    double sum = 0;
    tried.unknowns = count_unknowns(tried.combination);
    if (class->count <= tried.unknowns ||
        !fit_coefficients(&tried, class, -1, tried.coefficients))
        return;
    for (int i = 0; i < class->count; i++) {
        double x[MOST_UNKNOWNS];
        if (!fit_coefficients(&tried, class, i, x))
            return;
        const double predicted = predict(&tried, class, i, x);
        sum += 2 * fabs(predicted - class->seconds[i]) /
               (fabs(predicted) + class->seconds[i]);
    }
    tried.error = sum / class->count;
    if (tried.error < best->error)
        *best = tried;
}

static int count_distinct(const double *values, int count)
{
    int distinct = 0;
    for (int i = 0; i < count; i++) {
        int first = 0;
        while (values[first] != values[i])
            first++;
        distinct += first == i;
    }
    return distinct;
}

static void add_point(struct class *class, const struct class *from, int i)
{
    class->sizes[class->count] = from->sizes[i];
    class->ranks[class->count] = from->ranks[i];
    class->seconds[class->count++] = from->seconds[i];
}

/* The runs of one P, that with the most sizes. */
static struct class find_line(const struct class *class)
{
    struct class line = {.count = 0};
    int most = 0;
    for (int i = 0; i < class->count; i++) {
        struct class same = {.count = 0};
        for (int k = 0; k < class->count; k++)
            if (class->ranks[k] == class->ranks[i])
                add_point(&same, class, k);
        const int distinct = count_distinct(same.sizes, same.count);
        if (distinct > most) {
            most = distinct;
            line = same;
        }
    }
    return line;
}

/* With the form of N that is the best along the line. */
static void try_ranks(struct hypothesis *best, const struct form *of_size,
                      const struct class *class)
{
    for (int i = 1; i < FORMS; i++)
        for (int sign = -1; sign <= 1; sign += 2)
            for (int c = ONLY_B; c < COMBINATIONS; c++)
                try_hypothesis(best,
                               (struct hypothesis){.a = *of_size,
                                                   .b = form_at(i, sign),
                                                   .combination = (enum combination)c},
                               class);
}

static bool find_hypothesis(struct hypothesis *best, const struct class *class)
{
    const struct class line = find_line(class);
    struct hypothesis of_size = {.error = INFINITY};
    *best = of_size;
    if (count_distinct(line.sizes, line.count) < FEWEST_SIZES)
        return false;
    for (int i = 1; i < FORMS; i++)
        try_hypothesis(&of_size,
                       (struct hypothesis){.a = form_at(i, 1), .combination = ONLY_A},
                       &line);
    if (isinf(of_size.error))
        return false;
    try_hypothesis(best, (struct hypothesis){.a = of_size.a, .combination = ONLY_A},
                   class);
    if (count_distinct(class->ranks, class->count) > 1)
        try_ranks(best, &of_size.a, class);
    return !isinf(best->error);
}

static void print_form(FILE *stream, const struct form *form, char variable)
{
    fprintf(stream, "log2(%c)^%d%s%c^%.17g", variable, form->logarithm,
            form->exponent < 0 ? "/" : "*", variable, fabs(form->exponent));
}

/* As the terms of a model. */
static char *terms_text(const struct hypothesis *hypothesis)
{
    const enum combination c = hypothesis->combination;
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    fputs("1, ", stream);
    if (c != ONLY_B)
        print_form(stream, &hypothesis->a, 'N');
    if (c != ONLY_A && c != ONLY_B)
        fputs(c == SUM ? ", " : "*", stream);
    if (c != ONLY_A)
        print_form(stream, &hypothesis->b, 'P');
    if (c == PRODUCT_AND_A || c == PRODUCT_AND_B)
        fputs(", ", stream);
    if (c == PRODUCT_AND_A)
        print_form(stream, &hypothesis->a, 'N');
    if (c == PRODUCT_AND_B)
        print_form(stream, &hypothesis->b, 'P');
    fclose(stream);
    return text;
}

static void fill_range(struct mt_model *model, const struct class *class)
{
    model->runs = class->count;
    for (int i = 0; i < class->count; i++) {
        const double size = class->sizes[i], ranks = class->ranks[i];
        model->size_low = i ? fmin(model->size_low, size) : size;
        model->size_high = fmax(model->size_high, size);
        model->ranks_low = (int)(i ? fmin(model->ranks_low, ranks) : ranks);
        model->ranks_high = (int)fmax(model->ranks_high, ranks);
    }
}

/* Whose model it is, and on which side of the program's split. */
struct place {
    const char *group;
    int processes, split;
};

static int add_model(struct mt_models *models, const struct place *place,
                     const struct hypothesis *hypothesis, const struct class *class,
                     struct mt_error *err)
{
    const int status = mt_array_grow(&models->models, models->count,
                                     sizeof *models->models, "models", err);
    if (status != MT_OK)
        return status;
    struct mt_model *model = &models->models[models->count++];
    *model = (struct mt_model){.group = strdup(place->group),
                               .layout.processes = place->processes,
                               .split = place->split,
                               .terms_text = terms_text(hypothesis),
                               .coefficients =
                                   calloc(MOST_UNKNOWNS, sizeof *model->coefficients),
                               .residual = hypothesis->error,
                               .cross_validated = hypothesis->error};
    fill_range(model, class);
    if (!model->group || !model->terms_text || !model->coefficients)
        return mt_fail(err, MT_ENOMEM, "no memory for a model");
    memcpy(model->coefficients, hypothesis->coefficients,
           sizeof hypothesis->coefficients);
    return mt_terms_parse(&model->terms, model->terms_text, err);
}

static struct class class_of(const struct mt_samples *samples, int group, int processes)
{
    struct class class = {.count = 0};
    for (int i = 0; i < samples->count && class.count < MOST_POINTS; i++) {
        const struct mt_sample *run = &samples->samples[i];
        if (mt_configuration_only_group(&run->configuration) != group ||
            run->configuration.use[group].layout.processes != processes)
            continue;
        class.sizes[class.count] = run->size;
        class.ranks[class.count] = mt_configuration_ranks(&run->configuration);
        class.seconds[class.count++] = run->seconds;
    }
    return class;
}

/* Where a program has a split, the same model is on both sides of it. */
static int fit_class(struct mt_models *models, const struct class *class,
                     struct place place, bool splits, struct mt_error *err)
{
    struct hypothesis best;
    if (!find_hypothesis(&best, class))
        return MT_OK;
    place.split = splits ? 0 : -1;
    int status = add_model(models, &place, &best, class, err);
    place.split = 1;
    if (status == MT_OK && splits)
        status = add_model(models, &place, &best, class, err);
    return status;
}

int forms_fit(struct mt_models *models, const struct mt_cluster *cluster,
              const struct mt_program *program, const struct mt_samples *samples,
              struct mt_error *err)
{
    struct mt_models made = {.kind = MT_MODEL_NPT, .options = {.kind = MT_MODEL_NPT}};
    int status = MT_OK;
    for (int g = 0; g < cluster->ngroups; g++)
        for (int m = 0; m < cluster->groups[g].nlayouts && status == MT_OK; m++) {
            const struct place place = {.group = cluster->groups[g].name,
                                        .processes =
                                            cluster->groups[g].layouts[m].processes};
            const struct class class = class_of(samples, g, place.processes);
            status = fit_class(&made, &class, place, program->split != NULL, err);
        }
    if (status == MT_OK)
        *models = made;
    else
        mt_models_clear(&made);
    return status;
}
