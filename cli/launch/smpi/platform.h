/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform.h - SimGrid's picture of the nodes that a run uses: the nodes and
 * what their links lead to.
 */
#ifndef MT_CLI_SMPI_PLATFORM_H
#define MT_CLI_SMPI_PLATFORM_H

#include "cli/launch/launcher.h"

#include <stdio.h>

/* Write the platform (XML) of the launch's configuration. */
MT_MUST_CHECK int mt_platform_write(const struct mt_launch *launch, FILE *stream,
                                    struct mt_error *err);

#endif
