/* SPDX-License-Identifier: BSD-3-Clause */
/* The network interface of a node's messages, and the MPI's settings for messages over
   TCP. */
#include "probe.h"

#include "apps/common/app.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Further interfaces are ignored. */
enum { MOST_INTERFACES = 256 };

/* Bytes that each interface has sent since it came up, as the kernel counts them. */
struct sent {
    int count;
    char names[MOST_INTERFACES][IF_NAMESIZE];
    double bytes[MOST_INTERFACES];
};

struct sent *sent_read(void)
{
    struct sent *sent = calloc(1, sizeof *sent);
    if (!sent)
        app_give_up(PROBE_NAME, "no memory for the network interfaces");
    FILE *stream = work_simulated ? NULL : fopen("/proc/net/dev", "r");
    char line[512];
    while (stream && sent->count < MOST_INTERFACES && fgets(line, sizeof line, stream))
        if (sscanf(line, " %15[^: ]: %*s %*s %*s %*s %*s %*s %*s %*s %lf",
                   sent->names[sent->count], &sent->bytes[sent->count]) == 2 &&
            strcmp(sent->names[sent->count], "lo") != 0)
            sent->count++;
    if (stream)
        fclose(stream);
    return sent;
}

static double sent_by(const struct sent *sent, const char *name)
{
    for (int i = 0; i < sent->count; i++)
        if (strcmp(sent->names[i], name) == 0)
            return sent->bytes[i];
    return 0;
}

/* NAN: unknown. */
static double mtu_of(const char *name)
{
    struct ifreq request = {.ifr_mtu = 0};
    const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    const bool known = descriptor >= 0 && ioctl(descriptor, SIOCGIFMTU, &request) == 0;
    if (descriptor >= 0)
        close(descriptor);
    return known ? request.ifr_mtu : NAN;
}

#ifdef SMPI_H /* SimGrid has no MPI_T. */
static double variable_of(const char *name)
{
    (void)name;
    return NAN;
}
#else
/* NAN: the variable is not a number, or cannot be read. */
static double read_variable(int index)
{
    MPI_T_cvar_handle handle;
    MPI_T_enum words;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int name_length = 0, text_length = 0, verbosity, bind, scope, count, bytes;
    union {
        int number;
        unsigned long long large;
    } value = {.large = 0};
    if (MPI_T_cvar_get_info(index, NULL, &name_length, &verbosity, &type, &words, NULL,
                            &text_length, &bind, &scope) != MPI_SUCCESS ||
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS)
        return NAN;
    MPI_Type_size(type, &bytes);
    const bool known = count == 1 && bytes <= (int)sizeof value &&
                       MPI_T_cvar_read(handle, &value) == MPI_SUCCESS;
    MPI_T_cvar_handle_free(&handle);
    if (!known)
        return NAN;
    return bytes == (int)sizeof value.number ? value.number : (double)value.large;
}

/* A control variable of the MPI; NAN: it has none of that name. */
static double variable_of(const char *name)
{
    int level, index;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &level) != MPI_SUCCESS)
        return NAN;
    const double value =
        MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS ? read_variable(index) : NAN;
    MPI_T_finalize();
    return value;
}
#endif

/* Variables of an unused transport are missing (Open MPI) or meaningless (MPICH, every
   build of which has those of ch3). */
static void ask_mpi(struct network *network)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    network->eager = variable_of("btl_tcp_eager_limit");
    network->buffer = variable_of("btl_tcp_sndbuf");
    if (strstr(version, "ch3:"))
        network->eager = variable_of("MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE");
    if (!(network->buffer > 0)) /* the system's default */
        network->buffer = NAN;
}

struct network network_find(const struct sent *before, double least)
{
    struct network network = {.mtu = NAN};
    struct sent *now = sent_read();
    double most = least;
    for (int i = 0; i < now->count; i++) {
        const double bytes = now->bytes[i] - sent_by(before, now->names[i]);
        if (bytes < most)
            continue;
        most = bytes;
        memcpy(network.interface, now->names[i], sizeof network.interface);
    }
    if (network.interface[0])
        network.mtu = mtu_of(network.interface);
    ask_mpi(&network);
    free(now);
    return network;
}
