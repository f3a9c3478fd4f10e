/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of a fit: runs, and the median of repetitions. */
#include "internal.h"
#include "lib/input/internal.h"
#include "lib/stats/stats.h"

#include <stdlib.h>
#include <string.h>

void mt_link_figures_clear(struct mt_link_figures *links)
{
    for (int i = 0; i < links->count; i++) {
        free(links->all[i].cluster);
        free(links->all[i].from);
        free(links->all[i].to);
        free(links->all[i].points);
    }
    free(links->all);
    *links = (struct mt_link_figures){0};
}

const struct mt_link_figure *mt_link_figures_find(const struct mt_link_figures *links,
                                                  const char *a, const char *b)
{
    for (int i = 0; i < links->count; i++) {
        const struct mt_link_figure *link = &links->all[i];
        if ((strcmp(link->from, a) == 0 && strcmp(link->to, b) == 0) ||
            (strcmp(link->from, b) == 0 && strcmp(link->to, a) == 0))
            return link;
    }
    return NULL;
}

void mt_samples_clear(struct mt_samples *samples)
{
    mt_link_figures_clear(&samples->links);
    free(samples->samples);
    free(samples->failed);
    free(samples->store);
    *samples = (struct mt_samples){0};
}

static bool is_among(const struct mt_sample *list, int count,
                     const struct mt_configuration *configuration, double size)
{
    for (int i = 0; i < count; i++)
        if (list[i].size == size &&
            mt_configuration_equal(&list[i].configuration, configuration))
            return true;
    return false;
}

bool mt_samples_failed(const struct mt_samples *samples,
                       const struct mt_configuration *configuration, double size)
{
    return is_among(samples->failed, samples->nfailed, configuration, size) &&
           !is_among(samples->samples, samples->count, configuration, size);
}

static int compare_places(const struct mt_configuration *a, double a_size,
                          const struct mt_configuration *b, double b_size)
{
    if (a_size != b_size)
        return a_size < b_size ? -1 : 1;
    return memcmp(a, b, sizeof *a);
}

static int compare_samples(const void *left, const void *right)
{
    const struct mt_sample *a = left, *b = right;
    return compare_places(&a->configuration, a->size, &b->configuration, b->size);
}

static int compare_measured(const void *left, const void *right)
{
    const struct mt_measured *a = left, *b = right;
    return compare_places(&a->configuration, a->size, &b->configuration, b->size);
}

bool mt_sizes_contain(const double *sizes, int count, double size)
{
    for (int i = 0; i < count; i++)
        if (sizes[i] == size)
            return true;
    return false;
}

/* Merge the runs of the same place, which are neighbours. `seconds` has room for those
   of all runs. */
static void merge_repetitions(struct mt_measured_list *list,
                              const struct mt_sample *sorted, int count,
                              double *seconds)
{
    for (int first = 0, end; first < count; first = end) {
        for (end = first;
             end < count && compare_samples(&sorted[first], &sorted[end]) == 0; end++)
            seconds[end - first] = sorted[end].seconds;
        list->all[list->count++] =
            (struct mt_measured){.configuration = sorted[first].configuration,
                                 .size = sorted[first].size,
                                 .seconds = mt_median(seconds, end - first),
                                 .runs = end - first};
    }
}

int mt_measured_find(struct mt_measured_list *list, const struct mt_samples *samples,
                     const double *sizes, int nsizes, struct mt_error *err)
{
    const size_t room = (size_t)samples->count + 1;
    struct mt_measured_list found = {.all = calloc(room, sizeof *found.all)};
    struct mt_sample *sorted = calloc(room, sizeof *sorted);
    double *seconds = calloc(room, sizeof *seconds);
    int status = MT_OK, count = 0;
    if (found.all && sorted && seconds) {
        for (int i = 0; i < samples->count; i++)
            if (!sizes || mt_sizes_contain(sizes, nsizes, samples->samples[i].size))
                sorted[count++] = samples->samples[i];
        qsort(sorted, (size_t)count, sizeof *sorted, compare_samples);
        merge_repetitions(&found, sorted, count, seconds);
        *list = found;
    } else {
        status = mt_fail(err, MT_ENOMEM, "no memory for %d runs", samples->count);
        mt_measured_clear(&found);
    }
    free(seconds);
    free(sorted);
    return status;
}

void mt_measured_clear(struct mt_measured_list *list)
{
    free(list->all);
    *list = (struct mt_measured_list){0};
}

const struct mt_measured *mt_measured_at(const struct mt_measured_list *list,
                                         const struct mt_configuration *configuration,
                                         double size)
{
    const struct mt_measured key = {.configuration = *configuration, .size = size};
    return list->count == 0 ? NULL
                            : bsearch(&key, list->all, (size_t)list->count,
                                      sizeof *list->all, compare_measured);
}

bool mt_measured_any(const struct mt_measured_list *list, double size)
{
    int first = 0, end = list->count;
    while (first < end) { /* the first that is not smaller */
        const int middle = first + (end - first) / 2;
        if (list->all[middle].size < size)
            first = middle + 1;
        else
            end = middle;
    }
    return first < list->count && list->all[first].size == size;
}
