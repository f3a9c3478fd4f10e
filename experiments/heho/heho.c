/* SPDX-License-Identifier: BSD-3-Clause */
/* The study of how good the choices of the models are, on recorded clusters: what it
   computes is in study.h, what it prints in line.h. */
#include "cli/common/command.h"
#include "lib/base/options.h"
#include "study.h"

#include <stdlib.h>
#include <string.h>

static const char *clusters = "toyohashi-2,toyohashi-3,attic,generations,two-switches,"
                              "noisy";
static const char *apps = "lu,jacobi,fem,fft";
static const char *noises = "0.02";
static const char *models = "auto";
static const char *training;
static struct mt_number_option seeds = {.least = 1, .most = MT_MOST_COUNT, .value = 5},
                               runs = {.least = 1, .most = MT_MOST_COUNT},
                               verify = {.most = MT_MOST_COUNT};
static int detail;

static const struct poptOption options[] = {
    {"clusters", 0, POPT_ARG_STRING, &clusters, 0, "recorded clusters (default: all)",
     "NAME,NAME"},
    {"apps", 0, POPT_ARG_STRING, &apps, 0, "recorded programs (default: all)",
     "NAME,NAME"},
    {"noise", 0, POPT_ARG_STRING | POPT_ARGFLAG_SHOW_DEFAULT, &noises, 0,
     "relative deviations of a run's seconds", "X,X"},
    {"models", 0, POPT_ARG_STRING | POPT_ARGFLAG_SHOW_DEFAULT, &models, 0,
     "auto, n-t, p-t, np-t", "KIND,KIND"},
    {"training", 0, POPT_ARG_STRING, &training, 0,
     "all, base or designed (default: designed for auto, all for the others)", "RUNS"},
    {"seeds", 0, POPT_ARG_STRING, &seeds, MT_OPTION_NUMBER,
     "how often, each time with other noise; without noise once (default: 5)", "N"},
    {"runs", 0, POPT_ARG_STRING, &runs, MT_OPTION_NUMBER,
     "most runs of auto's training (default: no such limit)", "K"},
    {"verify", 0, POPT_ARG_STRING, &verify, MT_OPTION_NUMBER,
     "also verify auto's choice by up to K runs at the plan size", "K"},
    {"detail", 0, POPT_ARG_NONE, &detail, 0,
     "every choice, as a table, instead of lines of JSON", NULL},
    POPT_AUTOHELP POPT_TABLEEND,
};

static int choose_training(enum training_design *design, struct mt_error *err)
{
    *design = TRAINING_OF_KIND;
    if (training && !strcmp(training, "all"))
        *design = TRAINING_ALL;
    else if (training && !strcmp(training, "base"))
        *design = TRAINING_BASE;
    else if (training && !strcmp(training, "designed"))
        *design = TRAINING_DESIGNED;
    else if (training)
        return mt_fail(err, MT_EINVAL, "training is all, base or designed, not '%s'",
                       training);
    return MT_OK;
}

static int run(const char **arguments, struct mt_error *err)
{
    if (!arguments || !arguments[0] || arguments[1])
        return mt_fail(err, MT_EINVAL, "the folder of the recorded truth is needed");
    struct study study = {.folder = arguments[0],
                          .seeds = (int)seeds.value,
                          .runs = (int)runs.value,
                          .verify = (int)verify.value,
                          .detail = detail};
    int status = choose_training(&study.design, err);
    if (status == MT_OK)
        status = list_parse(&study.clusters, clusters, err);
    if (status == MT_OK)
        status = list_parse(&study.apps, apps, err);
    if (status == MT_OK)
        status = list_parse(&study.noises, noises, err);
    if (status == MT_OK)
        status = list_parse(&study.models, models, err);
    if (status == MT_OK)
        status = study_run(&study, stdout, err);
    list_clear(&study.clusters);
    list_clear(&study.apps);
    list_clear(&study.noises);
    list_clear(&study.models);
    return status;
}

int main(int argc, const char **argv)
{
    struct mt_error err;
    poptContext context = poptGetContext("heho", argc, argv, options, 0);
    poptSetOtherOptionHelp(context, "[OPTION...] FOLDER");
    int status, code;
    do
        code = poptGetNextOpt(context);
    while (code == MT_OPTION_NUMBER);
    if (code < -1)
        status = mt_options_refuse(options, "heho", poptBadOption(context, 0),
                                   poptStrerror(code), &err);
    else
        status = mt_options_read_numbers(options, &err);
    if (status == MT_OK)
        status = run(poptGetArgs(context), &err);
    poptFreeContext(context);
    if (status != MT_OK)
        fprintf(stderr, "heho: %s\n", err.text);
    return mt_exit_status(status);
}
