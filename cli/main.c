/* SPDX-License-Identifier: BSD-3-Clause */
/* motley: the table of its commands. */
#include "cli/common/command.h"
#include "cli/process/folders.h"

/* A program of its own. */
static const struct mt_command testbed = {
    .name = "testbed",
    .summary = "Make a cluster's nodes on this machine",
    .program = mt_own_testbed,
};

/* In the order in which they are used. */
static const struct mt_command *const commands[] = {
    &mt_command_scaling,
    &mt_command_init,
    &mt_command_check,
    &mt_command_measure,
    &mt_command_fit,
    &mt_command_predict,
    &mt_command_plan,
    &mt_command_weights,
    &mt_command_run,
    &mt_command_evaluate,
    &mt_command_report,
    &mt_command_surface,
    &mt_command_strassen,
    &mt_command_show,
    &mt_command_export,
    &mt_command_import,
    &testbed,
    &mt_command_tune,
    &mt_command_patient,
    NULL,
};

/* OpenBLAS's, if it is the BLAS. */
__attribute__((weak)) void openblas_set_num_threads(int threads);

int main(int argc, char **argv)
{
    /* A fit solves thousands of small systems, for which threads do not pay. */
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
    return mt_commands_main(commands, argc, argv);
}
