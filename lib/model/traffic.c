/* SPDX-License-Identifier: BSD-3-Clause */
/* How the cost of messages between networks may grow, and what figures of motley check
   say of it before any run. */
#include "traffic.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Links that differ by less are as fast as each other: so far two measurements of one
   may be apart. */
static const double same = 1.25;

/* How much longer messages take between two groups than inside. */
struct slowness {
    double messages, bytes; /* times; NaN: not known */
};

/* The slower network inside one of two groups; inside any of all if neither has two
   nodes. */
static struct slowness slowest_inside(const struct mt_cluster *cluster,
                                      const struct mt_link_figures *links, int a, int b)
{
    struct slowness inside = {NAN, NAN}; /* seconds of a message, and of a byte */
    for (int g = 0; g < cluster->ngroups; g++) {
        const char *name = cluster->groups[g].name;
        const struct mt_link_figure *link = mt_link_figures_find(links, name, name);
        if ((g != a && g != b && a >= 0) || !link)
            continue;
        inside.messages = fmax(inside.messages, link->latency);
        inside.bytes = fmax(inside.bytes, 1 / link->bandwidth);
    }
    return isnan(inside.messages) && a >= 0 ? slowest_inside(cluster, links, -1, -1)
                                            : inside;
}

static struct slowness compare_links(const struct mt_cluster *cluster,
                                     const struct mt_link_figures *links, int a, int b)
{
    const struct mt_link_figure *link =
        mt_link_figures_find(links, cluster->groups[a].name, cluster->groups[b].name);
    const struct slowness inside = slowest_inside(cluster, links, a, b);
    if (!link || isnan(inside.messages))
        return (struct slowness){NAN, NAN};
    return (struct slowness){fmax(1, link->latency / inside.messages),
                             fmax(1, 1 / link->bandwidth / inside.bytes)};
}

/* Put the networks of two groups together. */
static void join_groups(struct mt_networks *networks, int ngroups, int a, int b)
{
    const int kept = networks->of[a], gone = networks->of[b];
    if (kept == gone)
        return;
    for (int g = 0; g < ngroups; g++) {
        int *of = &networks->of[g];
        *of = *of == gone ? kept : *of;
        *of -= *of > gone;
    }
    networks->count--;
}

static void find_networks(struct mt_networks *networks,
                          const struct mt_cluster *cluster,
                          const struct mt_link_figures *links)
{
    mt_mixture_networks(&(struct mt_mixture){0}, cluster, networks);
    for (int g = 0; g < cluster->ngroups; g++)
        if (cluster->groups[g].network)
            return;
    for (int b = 1; b < cluster->ngroups; b++)
        for (int a = 0; a < b; a++) {
            const struct slowness link = compare_links(cluster, links, a, b);
            if (link.messages < same && link.bytes < same)
                join_groups(networks, cluster->ngroups, a, b);
        }
}

void mt_link_prior_find(struct mt_link_prior *prior, const struct mt_cluster *cluster,
                        const struct mt_link_figures *links)
{
    *prior = (struct mt_link_prior){0};
    if (!links || links->count == 0)
        return;
    double pairs = 0;
    find_networks(&prior->networks, cluster, links);
    for (int b = 1; b < cluster->ngroups; b++)
        for (int a = 0; a < b; a++) {
            const struct slowness link = compare_links(cluster, links, a, b);
            const double nodes =
                (double)cluster->groups[a].nodes * cluster->groups[b].nodes;
            if (prior->networks.of[a] == prior->networks.of[b] || isnan(link.messages))
                continue;
            pairs += nodes;
            prior->messages += nodes * link.messages;
            prior->bytes += nodes * link.bytes;
        }
    if (pairs == 0)
        return;
    prior->messages /= pairs;
    prior->bytes /= pairs;
    prior->known = prior->messages > 1 || prior->bytes > 1;
}

/* Take over the text, and make it the next shape. Formulas that are read alone can be
   too long together: then there is no such shape. */
static int add_shape(struct mt_traffic_list *list, char *text, struct mt_error *err)
{
    if (!text)
        return mt_fail(err, MT_ENOMEM, "no memory for the costs between networks");
    struct mt_traffic traffic = {.text = text};
    for (int i = 0; i < MT_MAX_TERMS; i++)
        traffic.weights[i] = 1;
    const int status = mt_terms_parse(&traffic.terms, text, err);
    if (status == MT_OK)
        list->all[list->count++] = traffic;
    else
        free(text);
    return status == MT_EPARSE ? MT_OK : status;
}

__attribute__((format(printf, 1, 2))) static char *written(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    return text;
}

/* The coefficient that a model gives a term of that text; 0: none, or a serial one. */
static double coefficient_of(const struct mt_model *model, const char *text)
{
    for (int i = 0; i < mt_terms_count(model->terms); i++)
        if (strcmp(mt_terms_text(model->terms, i), text) == 0)
            return model->serial && model->serial[i] ? 0 : model->coefficients[i];
    return 0;
}

/* Whether a term is what messages between nodes of one process each cost: it is nothing
   where all ranks are on one node. Work that is the same for several (group, M), as the
   M of one group, is not. */
static bool is_between_nodes(const struct mt_model *model, int term)
{
    const int inside[] = {1, 2, 3, 4}, across[] = {2, 4, 64};
    double row[MT_MAX_TERMS], values[MT_NVARIABLES] = {[MT_N] = model->size_high};
    bool any = false;
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        values[MT_P] = values[MT_M] = inside[i];
        mt_terms_values(model->terms, values, row);
        if (row[term] != 0)
            return false;
    }
    values[MT_M] = 1;
    for (size_t i = 0; i < sizeof across / sizeof *across; i++) {
        /* also beyond the sizes that were run, where longer messages begin to cost */
        for (int times = 1; times <= 16; times *= 16) {
            values[MT_P] = across[i];
            values[MT_N] = times * model->size_high;
            mt_terms_values(model->terms, values, row);
            any = any || row[term] != 0;
        }
    }
    return any;
}

/* Whether several (group, M) have the coefficient that a model gives a term. */
static bool is_common(const struct mt_models *models, int model, const char *text)
{
    const double value = coefficient_of(&models->models[model], text);
    int sharing = 0;
    for (int i = 0; i < models->count; i++)
        sharing += coefficient_of(&models->models[i], text) == value;
    return value != 0 && sharing > 1;
}

/* A list of terms while it is written. */
struct common_terms {
    FILE *stream;
    double weights[MT_MAX_TERMS];
    int count;
};

static void list_common(struct common_terms *list, const struct mt_models *models,
                        int model)
{
    const struct mt_model *of = &models->models[model];
    for (int i = 0; i < mt_terms_count(of->terms); i++) {
        const char *text = mt_terms_text(of->terms, i);
        bool known = false;
        for (int earlier = 0; earlier < model && !known; earlier++)
            known = is_common(models, earlier, text);
        if (known || list->count == MT_MAX_TERMS || !is_common(models, model, text) ||
            !is_between_nodes(of, i))
            continue;
        fprintf(list->stream, "%s%s", list->count > 0 ? ", " : "", text);
        list->weights[list->count++] = coefficient_of(of, text);
    }
}

/* What the models say of the network of a group. */
static int add_network_of_groups(struct mt_traffic_list *list,
                                 const struct mt_models *models, struct mt_error *err)
{
    char *text = NULL;
    size_t length = 0;
    struct common_terms common = {.stream = open_memstream(&text, &length)};
    if (!common.stream)
        return mt_fail(err, MT_ENOMEM, "no memory for the costs between networks");
    for (int i = 0; i < models->count; i++)
        list_common(&common, models, i);
    if (fclose(common.stream) != 0 || !text || common.count == 0) {
        free(text);
        return MT_OK;
    }
    const int before = list->count, status = add_shape(list, text, err);
    if (list->count == before)
        return status;
    struct mt_traffic *traffic = &list->all[before];
    memcpy(traffic->weights, common.weights, sizeof common.weights);
    traffic->of_models = true;
    return status;
}

static int add_of_program(struct mt_traffic_list *list,
                          const struct mt_program *program, struct mt_error *err)
{
    const struct mt_shape *shape = &program->shape;
    int status = MT_OK;
    if (shape->messages && shape->bytes)
        status = add_shape(list,
                           written("(%s)*(%s)", mt_expr_text(shape->messages),
                                   mt_expr_text(shape->bytes)),
                           err);
    if (status == MT_OK && shape->messages)
        status = add_shape(list, written("%s", mt_expr_text(shape->messages)), err);
    if (status == MT_OK && program->memory)
        status = add_shape(list, written("(%s)*P", mt_expr_text(program->memory)), err);
    if (status == MT_OK && program->memory)
        status = add_shape(list, written("%s", mt_expr_text(program->memory)), err);
    if (status == MT_OK && program->work)
        status =
            add_shape(list, written("(%s)^(2/3)", mt_expr_text(program->work)), err);
    return status;
}

static const char *const plain_shapes[] = {"log2(P)", "P", "1"};

int mt_traffic_list_make(struct mt_traffic_list *list, const struct mt_models *models,
                         const struct mt_program *program, struct mt_error *err)
{
    const int plain = (int)(sizeof plain_shapes / sizeof *plain_shapes);
    int status = add_network_of_groups(list, models, err);
    if (status == MT_OK)
        status = add_of_program(list, program, err);
    for (int i = 0; i < plain && status == MT_OK; i++)
        status = add_shape(list, strdup(plain_shapes[i]), err);
    return status;
}

int mt_traffic_list_add_links(struct mt_traffic_list *list, double messages,
                              double bytes, struct mt_error *err)
{
    const struct mt_traffic *inside = &list->all[0];
    if (list->count == 0 || !inside->of_models)
        return MT_OK;
    const size_t count = (size_t)mt_terms_count(inside->terms);
    double weights[MT_MAX_TERMS], all = 0;
    for (size_t i = 0; i < count; i++) {
        const double times =
            mt_terms_use(inside->terms, (int)i, MT_N) ? bytes : messages;
        weights[i] = (times - 1) * inside->weights[i];
        all += weights[i];
    }
    if (all == 0)
        return MT_OK;
    const int before = list->count;
    const int status = add_shape(list, strdup(inside->text), err);
    if (list->count == before)
        return status;
    struct mt_traffic *added = &list->all[before];
    memcpy(added->weights, weights, count * sizeof *weights);
    added->of_links = true;
    return MT_OK;
}

void mt_traffic_list_drop(struct mt_traffic_list *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->all[i].text);
        mt_terms_free(list->all[i].terms);
    }
    *list = (struct mt_traffic_list){0};
}

double mt_traffic_seconds(const struct mt_traffic *traffic, double size, int ranks)
{
    const double values[MT_NVARIABLES] = {[MT_N] = size, [MT_P] = ranks, [MT_M] = 1};
    double row[MT_MAX_TERMS], sum = 0;
    const int count = mt_terms_count(traffic->terms);
    if (count > MT_MAX_TERMS)
        return NAN;
    mt_terms_values(traffic->terms, values, row);
    for (int i = 0; i < count; i++)
        sum += traffic->weights[i] * row[i];
    return sum;
}
