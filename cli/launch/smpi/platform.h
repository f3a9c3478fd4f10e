/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform.h - SimGrid's description of the nodes that a run uses (XML): each one's
 * host, with the properties that apps/common/work.h reads, its link, called "link
 * NODE", and the network behind it; with speeds changed by the noise of a run and the
 * glitches of a program.
 */
#ifndef MT_CLI_SMPI_PLATFORM_H
#define MT_CLI_SMPI_PLATFORM_H

#include "cli/launch/launcher.h"

#include <stdio.h>

/* Write the platform of the launch's configuration. */
void mt_platform_write(const struct mt_launch *launch, FILE *stream);

enum { MT_PLATFORM_NAME = 32 };

/* SimGrid's name of a group's node, both from 0: names in a cluster file may have
   letters that XML forbids. */
void mt_platform_name(char name[MT_PLATFORM_NAME], int group, int node);

/*
 * The speed of the group's nodes in this run, relative to the cluster file's. The noise
 * depends on the launch's seed, size and configuration only, and all nodes share its
 * cause, so that a run of many nodes is as noisy as one of few. Glitches depend on the
 * size, the ranks and the names of cluster and program only.
 */
double mt_noise_speed(const struct mt_launch *launch, int group);

#endif
