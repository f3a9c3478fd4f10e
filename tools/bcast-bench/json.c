/* SPDX-License-Identifier: BSD-3-Clause */
#include "results.h"

#include "machine.h"

/* The beginning of each object: what was measured. No text in it needs escapes. */
static void write_case(FILE *file, const char *bench, const struct results *results,
                       enum way way)
{
    const struct settings *settings = results->settings;
    fprintf(file,
            "{\"bench\": \"%s\", \"simulated\": %s, \"ranks\": %d, \"bytes\": %d, "
            "\"late\": %.9g, ",
            bench, machine_simulated ? "true" : "false", results->ranks,
            results->load.bytes, results->load.late);
    if (settings->rotates)
        fprintf(file, "\"root\": \"rotating\", ");
    else
        fprintf(file, "\"root\": %d, ", settings->root);
    fprintf(file,
            "\"barrier\": %s, \"delay_by\": \"%s\", \"calls\": %d, "
            "\"repetitions\": %d, \"warm_up\": %d, \"checked\": %s, \"way\": \"%s\", ",
            settings->barrier ? "true" : "false", settings->spin ? "spin" : "sleep",
            settings->calls, settings->repetitions, settings->warm_up,
            results->checked ? "true" : "false", way_name(way));
}

static void write_metric(FILE *file, const struct results *results, enum way way,
                         enum metric metric, enum way rival)
{
    const struct spread *spread = &results->outcomes[way].metric[metric];
    char pattern[PATTERN_TEXT];
    pattern_text(results->load.pattern, pattern);
    write_case(file, "bcast", results, way);
    fprintf(file,
            "\"arrival\": \"%s\", \"metric\": \"%s\", \"value\": %.9g, "
            "\"unit\": \"%s\", \"p10\": %.9g, \"p90\": %.9g, ",
            pattern, metric_name(metric), spread->median, metric_unit(metric),
            spread->p10, spread->p90);
    if (spread->median > 0)
        fprintf(file, "\"spread\": %.6g, ",
                (spread->p90 - spread->p10) / spread->median);
    else
        fprintf(file, "\"spread\": null, ");
    const double other =
        rival == WAYS ? 0 : results->outcomes[rival].metric[metric].median;
    if (other > 0)
        fprintf(file, "\"rival\": \"%s\", \"rival_value\": %.9g, \"ratio\": %.6g}\n",
                way_name(rival), other, spread->median / other);
    else
        fprintf(file, "\"rival\": null, \"rival_value\": null, \"ratio\": null}\n");
}

void json_pattern(FILE *file, const struct results *results)
{
    const bool have_stock = results_have(results, WAY_STOCK);
    for (int i = 0; i < results->settings->nways; i++) {
        const enum way way = results->settings->ways[i];
        const enum way rival = have_stock && way != WAY_STOCK ? WAY_STOCK : WAYS;
        for (int metric = 0; metric < METRICS; metric++) {
            const enum way best = results_best_rival(results, way, (enum metric)metric);
            write_metric(file, results, way, (enum metric)metric, rival);
            if (way == WAY_BALANCE && best != WAYS && best != rival)
                write_metric(file, results, way, (enum metric)metric, best);
        }
    }
    fflush(file);
}

static void write_share(FILE *file, const struct results *results, enum way way,
                        const char *metric, double value)
{
    write_case(file, "bcast-patterns", results, way);
    fprintf(file,
            "\"patterns\": %d, \"metric\": \"%s\", \"value\": %.9g, \"unit\": \"1\", "
            "\"rival\": \"stock\"}\n",
            results->all[way].patterns, metric, value);
}

void json_tally(FILE *file, const struct results *results)
{
    for (int i = 0; i < results->settings->nways; i++) {
        const enum way way = results->settings->ways[i];
        const struct tally *all = &results->all[way], *learned = &results->learned[way];
        const double patterns = all->patterns;
        if (way == WAY_STOCK)
            continue;
        write_share(file, results, way, "better", all->better / patterns);
        write_share(file, results, way, "worse", all->worse / patterns);
        write_share(file, results, way, "highest", all->highest);
        write_share(file, results, way, "better, learned", learned->better / patterns);
        write_share(file, results, way, "worse, learned", learned->worse / patterns);
        write_share(file, results, way, "highest, learned", learned->highest);
    }
    fflush(file);
}
