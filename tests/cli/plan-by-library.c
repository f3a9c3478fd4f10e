/* SPDX-License-Identifier: BSD-3-Clause */
/* plan-by-library CLUSTER PROGRAM STORE N: the best configuration for that size, and
   its seconds: the answer of `motley plan`, by the installed library alone. */
#include <motley/plan.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct mt_cluster cluster = {0};
    struct mt_program program = {0};
    struct mt_store *store = NULL;
    struct mt_predictor predictor = {0};
    struct mt_plan plan = {0};
    struct mt_error err = {0};
    const struct mt_question question = {.size = argc > 4 ? atof(argv[4]) : 0};
    if (argc != 5 || mt_cluster_load(&cluster, argv[1], &err) ||
        mt_program_load(&program, argv[2], &err) ||
        mt_store_open(&store, argv[3], MT_STORE_READ, &err) ||
        mt_predictor_load(&predictor, store, &cluster, &program, MT_MODEL_AUTO, &err) ||
        mt_plan_make(&plan, &predictor, &question, false, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return EXIT_FAILURE;
    }
    char *best = mt_configuration_format(&plan.choices[0].configuration, &cluster);
    printf("%s %.17g\n", best, plan.choices[0].prediction.seconds);
    free(best);
    mt_plan_clear(&plan);
    mt_predictor_clear(&predictor);
    mt_store_close(store);
    mt_program_clear(&program);
    mt_cluster_clear(&cluster);
    return EXIT_SUCCESS;
}
