/* SPDX-License-Identifier: BSD-3-Clause */
#include "caller.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* An address in the program, so that people and addr2line find it, and the ranks, which
   may have loaded the program at different addresses, agree on it. */
struct site_name {
    char object[64];   /* file name of the program or library, without folders */
    char function[64]; /* "": not known */
    uint64_t address;  /* of the call, in the object */
    char path[256];    /* of the object; "": it is a copy that is gone when asked for */
};

/* The copies are called PROGRAM_PID_RANK.so. */
static void cut_copy_number(char *object)
{
    for (int part = 0; part < 2; part++) {
        char *underscore = strrchr(object, '_');
        if (underscore)
            *underscore = 0;
    }
}

/* The program has no name in the map, and may have been found by a relative one. */
static void find_path(struct site_name *name, const char *in_map)
{
    if (*in_map)
        snprintf(name->path, sizeof name->path, "%s", in_map);
    else if (readlink("/proc/self/exe", name->path, sizeof name->path - 1) < 0)
        *name->path = 0;
}

/* `caller` is the address that the call returns to; its line is that of the call's last
   byte. In the simulator each rank has a copy of the program with a name of its own,
   which is taken back to the program's. */
static struct site_name site_name_of(const void *caller, bool simulated)
{
    struct site_name name = {.object = "unknown"};
    const char *call = (const char *)caller - 1;
    Dl_info info;
    void *found = NULL;
    if (!dladdr1(call, &info, &found, RTLD_DL_LINKMAP))
        return name;
    const struct link_map *map = found;
    if (!simulated)
        find_path(&name, map->l_name);
    const char *slash = strrchr(info.dli_fname, '/');
    snprintf(name.object, sizeof name.object, "%s", slash ? slash + 1 : info.dli_fname);
    if (simulated)
        cut_copy_number(name.object);
    if (info.dli_sname)
        snprintf(name.function, sizeof name.function, "%s", info.dli_sname);
    name.address = (uint64_t)((uintptr_t)call - map->l_addr);
    return name;
}

struct site *caller_site(struct counts *counts, const void *caller, bool simulated)
{
    for (int i = 0; i < counts->sites; i++)
        if (counts->site[i].caller == caller)
            return &counts->site[i];
    struct site_name name = site_name_of(caller, simulated);
    struct site *site = counts_site(counts, name.object, name.function, name.address);
    if (site && site->object[0]) {
        site->caller = caller;
        memcpy(site->path, name.path, sizeof site->path);
    }
    return site;
}
