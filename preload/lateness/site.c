/* SPDX-License-Identifier: BSD-3-Clause */
#include "site.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

/* The copies are called PROGRAM_PID_RANK.so. */
static void cut_copy_number(char *object)
{
    for (int part = 0; part < 2; part++) {
        char *underscore = strrchr(object, '_');
        if (underscore)
            *underscore = 0;
    }
}

/* A call's line is that of its last byte, not of what it returns to. */
struct site_name site_name_of(const void *caller, bool simulated)
{
    struct site_name name = {.object = "unknown"};
    const char *call = (const char *)caller - 1;
    Dl_info info;
    void *found = NULL;
    if (!dladdr1(call, &info, &found, RTLD_DL_LINKMAP))
        return name;
    const struct link_map *map = found;
    const char *slash = strrchr(info.dli_fname, '/');
    snprintf(name.object, sizeof name.object, "%s", slash ? slash + 1 : info.dli_fname);
    if (simulated)
        cut_copy_number(name.object);
    if (info.dli_sname)
        snprintf(name.function, sizeof name.function, "%s", info.dli_sname);
    name.address = (uint64_t)((uintptr_t)call - map->l_addr);
    return name;
}
