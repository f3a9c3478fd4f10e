/* SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

struct mt_common_options mt_common;

struct poptOption mt_db_option[] = {
    {"db", 0, POPT_ARG_STRING, &mt_common.db, 0,
     "where runs and models are kept (default: motley.db)", "FILE"},
    POPT_TABLEEND,
};

struct poptOption mt_json_option[] = {
    {"json", 0, POPT_ARG_NONE, &mt_common.json, 0, "print the result as JSON", NULL},
    POPT_TABLEEND,
};

int mt_exit_status(int status)
{
    switch (status) {
    case MT_OK:
        return EXIT_FINE;
    case MT_EINVAL:
    case MT_EPARSE:
        return EXIT_USAGE;
    default:
        return EXIT_FAILED;
    }
}
