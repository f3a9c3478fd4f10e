/* SPDX-License-Identifier: BSD-3-Clause */
/* The study of the plans on random clusters: prints a line of JSON for each plan. */
#include "draw.h"
#include "trial.h"

#include "cli/common/command.h"
#include "cli/common/json.h"
#include "lib/base/number.h"
#include "lib/base/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *programs = "lu,jacobi,fft,fem,spmm,matmul-a,random-1,random-2,"
                              "random-3,random-4";
static const char *cache = "build/experiments/blind/truth";
static struct mt_number_option runs = {.least = 1, .most = MT_MOST_COUNT, .value = 40},
                               verify = {.most = MT_MOST_COUNT, .value = 8},
                               noise = {
                                   .kind = MT_NUMBER_FROM, .most = 0.9, .value = 0.02};
static int known, rivals;

static const struct poptOption options[] = {
    {"cache", 0, POPT_ARG_STRING | POPT_ARGFLAG_SHOW_DEFAULT, &cache, 0,
     "the folder of the clusters, programs and true times", "FOLDER"},
    {"programs", 0, POPT_ARG_STRING, &programs, 0, "which of them (default: all)",
     "NAME,NAME"},
    {"runs", 0, POPT_ARG_STRING, &runs, MT_OPTION_NUMBER,
     "of the training at most (default: 40)", "K"},
    {"verify", 0, POPT_ARG_STRING, &verify, MT_OPTION_NUMBER,
     "also plan by K runs at the size (default: 8)", "K"},
    {"verify-auto", 0, POPT_ARG_NONE, &known, 0,
     "also plan by as many as it takes to know the best", NULL},
    {"rivals", 0, POPT_ARG_NONE, &rivals, 0, "also judge what others would choose",
     NULL},
    {"noise", 0, POPT_ARG_STRING, &noise, MT_OPTION_NUMBER,
     "relative deviation of a run's seconds (default: 0.02)", "X"},
    POPT_AUTOHELP POPT_TABLEEND,
};

/* "a 4x4 310Mf, b 1x2 1300Mf": the groups' nodes, most processes and speeds. */
static char *groups_text(const struct mt_cluster *cluster)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        fprintf(stream, "%s%s %dx%d %.3gGf", g ? ", " : "", group->name, group->nodes,
                group->layouts[group->nlayouts - 1].processes,
                group->simulate.flops / 1e9);
    }
    if (cluster->network.switches > 1)
        fprintf(stream, "; %d switches", cluster->network.switches);
    fclose(stream);
    return text;
}

/* What a random program is, or the name of the shipped one. */
static const char *kind_of(const struct mt_program *program)
{
    for (char **word = program->command; *word; word++)
        if (strcmp(*word, "--pattern") == 0 && word[1])
            return word[1];
    return program->name;
}

/* Takes over the line; NULL: it could not be made. */
static int print_line(json_t *line, struct mt_error *err)
{
    const bool good = line && json_dumpf(line, stdout, JSON_REAL_PRECISION(6)) == 0 &&
                      putchar('\n') != EOF;
    json_decref(line);
    return good ? MT_OK : mt_fail(err, MT_EIO, "a line could not be written");
}

/* What cannot be judged is a result, too. */
static int print_failure(const struct truth *truth, const char *model,
                         const char *reason, struct mt_error *err)
{
    return print_line(json_pack("{s:s, s:I, s:s, s:s, s:s, s:o}", "experiment", "blind",
                                "seed", (json_int_t)truth->seed, "program",
                                truth->program.name, "kind", kind_of(&truth->program),
                                "model", model, "failed", mt_json_text(reason)),
                      err);
}

static int print_verdict(const struct truth *truth, const struct trial *trial,
                         const struct verdict *verdict, struct mt_error *err)
{
    if (!isfinite(verdict->seconds))
        return print_failure(truth, verdict->model, "what it chose cannot run", err);
    char *chosen = mt_configuration_format(&verdict->chosen, &truth->cluster),
         *best = mt_configuration_format(&verdict->best.configuration, &truth->cluster),
         *groups = groups_text(&truth->cluster);
    json_t *line = json_pack(
        "{s:s, s:I, s:s, s:s, s:s, s:s, s:b, s:s, s:I, s:b, s:s, s:f, s:s, s:f, s:f}",
        "experiment", "blind", "seed", (json_int_t)truth->seed, "program",
        truth->program.name, "kind", kind_of(&truth->program), "model", verdict->model,
        "verification", verification_names[verdict->verification], "planned",
        verdict->planned, "groups", groups ? groups : "", "size",
        (json_int_t)verdict->size, "upper", verdict->upper, "chosen",
        chosen ? chosen : "", "seconds", verdict->seconds, "best", best ? best : "",
        "best_seconds", verdict->best.seconds, "regret",
        verdict->seconds / verdict->best.seconds - 1);
    json_t *more =
        json_pack("{s:o, s:o, s:o, s:o, s:b, s:i, s:i, s:f, s:i, s:f}", "predicted",
                  mt_json_number(verdict->prediction.seconds), "error",
                  mt_json_number(verdict->prediction.seconds / verdict->seconds - 1),
                  "low", mt_json_number(verdict->prediction.low), "high",
                  mt_json_number(verdict->prediction.high), "covered", verdict->covered,
                  "verification_runs", verdict->runs, "training_runs", trial->runs,
                  "training_seconds", trial->seconds, "papers_runs", trial->papers_runs,
                  "papers_seconds", trial->papers_seconds);
    const bool whole = more && line && json_object_update(line, more) == 0;
    json_decref(more);
    free(chosen);
    free(best);
    free(groups);
    if (!whole) {
        json_decref(line);
        return mt_fail(err, MT_ENOMEM, "no memory for a line");
    }
    return print_line(line, err);
}

static int run_case(uint64_t seed, const char *program, struct mt_error *err)
{
    const struct trial_options trial_options = {(int)runs.value, (int)verify.value,
                                                known, rivals};
    struct truth truth = {0};
    struct trial trial = {0};
    struct mt_error reason;
    int status = truth_open(&truth, cache, seed, program, err);
    if (status != MT_OK)
        return status;
    truth.noise = noise.value;
    if (trial_run(&trial, &truth, &trial_options, &reason) != MT_OK)
        status = print_failure(&truth, "auto", reason.text, err);
    for (int i = 0; i < trial.count && status == MT_OK; i++)
        status = print_verdict(&truth, &trial, &trial.verdicts[i], err);
    fflush(stdout);
    fprintf(stderr, "%llu-%s: %d simulated, %.1f s\n", (unsigned long long)seed,
            program, truth.simulated, truth.seconds);
    trial_clear(&trial);
    truth_close(&truth);
    return status;
}

static int run_seed(uint64_t seed, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < PROGRAMS && status == MT_OK; i++) {
        const char *found = strstr(programs, program_names[i]);
        const size_t length = strlen(program_names[i]);
        if (found && (found[length] == ',' || found[length] == 0))
            status = run_case(seed, program_names[i], err);
    }
    return status;
}

/* "7", or "3-9". */
static int run_seeds(const char *text, struct mt_error *err)
{
    static const double most = 1e15; /* exact as a double */
    double first = 0, last = 0;
    int status = MT_OK;
    const char *end = mt_number_read(text, &first);
    last = first;
    if (end && *end == '-')
        end = mt_number_read(end + 1, &last);
    if (!end || *end || first > last || last > most || first != floor(first) ||
        last != floor(last))
        return mt_fail(err, MT_EINVAL,
                       "'%s' is no whole number up to %.0f, nor two such as 3-9", text,
                       most);
    for (double seed = first; seed <= last && status == MT_OK; seed++)
        status = run_seed((uint64_t)seed, err);
    return status;
}

static int check_programs(struct mt_error *err)
{
    for (const char *at = programs; at; at = strchr(at, ',')) {
        at += *at == ',';
        const size_t length = strcspn(at, ",");
        bool found = false;
        for (int i = 0; i < PROGRAMS; i++)
            found = found || (strlen(program_names[i]) == length &&
                              strncmp(program_names[i], at, length) == 0);
        if (!found)
            return mt_fail(err, MT_EINVAL, "--programs: unknown program '%.*s'",
                           (int)length, at);
    }
    return MT_OK;
}

static int run(const char **arguments, struct mt_error *err)
{
    if (!arguments || !arguments[0])
        return mt_fail(err, MT_EINVAL, "seeds are needed");
    int status = check_programs(err);
    for (int i = 0; arguments[i] && status == MT_OK; i++)
        status = run_seeds(arguments[i], err);
    return status;
}

int main(int argc, const char **argv)
{
    struct mt_error err;
    poptContext context = poptGetContext("blind", argc, argv, options, 0);
    poptSetOtherOptionHelp(context, "[OPTION...] SEED[-SEED]...");
    int status, code;
    do
        code = poptGetNextOpt(context);
    while (code == MT_OPTION_NUMBER);
    if (code < -1)
        status = mt_options_refuse(options, "blind", poptBadOption(context, 0),
                                   poptStrerror(code), &err);
    else
        status = mt_options_read_numbers(options, &err);
    if (status == MT_OK)
        status = run(poptGetArgs(context), &err);
    poptFreeContext(context);
    if (status != MT_OK)
        fprintf(stderr, "blind: %s\n", err.text);
    return mt_exit_status(status);
}
