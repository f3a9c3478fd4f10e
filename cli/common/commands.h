/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * commands.h - what the command line has around its commands: which one is meant, its
 * options and help, its error and exit status.
 */
#ifndef MT_CLI_COMMANDS_H
#define MT_CLI_COMMANDS_H

#include "command.h"

/* All of motley's main(): run the command, out of a list that ends with NULL, that the
   first argument names. */
int mt_commands_main(const struct mt_command *const *commands, int argc, char **argv);

/* All of the main() of a program that is one of motley's commands. */
int mt_command_main(const struct mt_command *command, int argc, char **argv);

#endif
