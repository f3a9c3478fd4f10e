/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut_panels.h - numbers of panels that are worth a try.
 */
#ifndef MT_CUT_PANELS_H
#define MT_CUT_PANELS_H

enum { MT_CUT_MOST_PANELS = 64, MT_CUT_PANEL_COUNTS = 20 };

/*
 * Numbers from `least`, 1 or 2, to MT_CUT_MOST_PANELS, but at most k, each at most
 * twice the one before; among their neighbours those which part k into panels that can
 * be halved often. How many there are.
 */
int mt_cut_list_panels(int counts[MT_CUT_PANEL_COUNTS], int least, int k);

#endif
