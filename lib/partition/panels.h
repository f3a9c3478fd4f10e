/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * panels.h - numbers of panels that are worth a try.
 */
#ifndef MT_PARTITION_PANELS_H
#define MT_PARTITION_PANELS_H

enum { MT_PARTITION_MOST_PANELS = 64, MT_PARTITION_PANEL_COUNTS = 20 };

/*
 * Numbers from `least`, 1 or 2, to MT_PARTITION_MOST_PANELS, but at most k, each at
 * most twice the one before; among their neighbours those which part k into panels that
 * can be halved often. How many there are.
 */
int mt_partition_list_panels(int counts[MT_PARTITION_PANEL_COUNTS], int least, int k);

#endif
