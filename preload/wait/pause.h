/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pause.h - the pauses between the looks of a wait that yields the processor.
 */
#ifndef MT_BALANCE_PAUSE_H
#define MT_BALANCE_PAUSE_H

#include <stdint.h>

/* One wait; zeroed at its beginning. */
struct pause {
    int64_t since; /* ns, on a clock of this rank's */
};

/* How long to sleep before the next look when the wait has lasted `waited`; 0: look
   again at once. In ns. */
int64_t pause_length(int64_t waited);
/* Sleep for so long, by the clock. */
void pause_once(struct pause *pause);

#endif
