/* SPDX-License-Identifier: BSD-3-Clause */
#include "spilled.h"

#include "command.h"

#include "lib/base/text.h"
#include "motley/store.h"

#include <stdio.h>

void mt_take_spilled(void)
{
    struct mt_error reason;
    int taken = 0;
    const int status = mt_store_take_spilled(mt_common.db, &taken, &reason);
    if (taken > 0)
        fprintf(stderr,
                "motley: %d run%s that store '%s' did not take before %s in it now\n",
                taken, taken == 1 ? "" : "s", mt_common.db, taken == 1 ? "is" : "are");
    if (status == MT_OK)
        return;
    mt_text_clean_line(reason.text);
    fprintf(stderr, "motley: %s\n", reason.text);
}
