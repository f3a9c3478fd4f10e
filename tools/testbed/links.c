/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds a testbed's network with ip and tc: a bridge, veth pairs and rate limits. */
#include "links.h"

#include "cli/process/child.h"
#include "holder.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { COMMANDS_SIZE = 512, ETHERNET_SIZE = sizeof "02:00:0a:4d:ff:ff" };

/* The host part of an address: from 1 on. */
static unsigned host_part(int number)
{
    return (unsigned)number + 1;
}

void mt_testbed_address(char address[MT_ADDRESS_SIZE], int number)
{
    const unsigned host = host_part(number);
    snprintf(address, MT_ADDRESS_SIZE, "10.77.%u.%u", host / 256 % 256, host % 256);
}

/* Fixed, because other nodes cache it when a node comes back. */
static void make_ethernet_address(char address[ETHERNET_SIZE], int number)
{
    const unsigned host = host_part(number);
    snprintf(address, ETHERNET_SIZE, "02:00:0a:4d:%02x:%02x", host / 256 % 256,
             host % 256);
}

int mt_links_batch(const char *tool, const char *commands, struct mt_error *err)
{
    char name[8], option[] = "-batch", from_input[] = "-";
    snprintf(name, sizeof name, "%s", tool);
    char *const argv[] = {name, option, from_input, NULL};
    FILE *input = tmpfile(), *output = tmpfile(), *messages = tmpfile();
    int status = MT_OK;
    if (!input || !output || !messages || fputs(commands, input) < 0)
        status = mt_fail(err, MT_EIO, "no temporary file: %s", strerror(errno));
    if (status == MT_OK)
        status = mt_child_run(argv, NULL, input, output, messages, err);
    if (input)
        fclose(input);
    if (output)
        fclose(output);
    if (messages)
        fclose(messages);
    return status;
}

static int run_at(pid_t holder, const char *tool, const char *commands,
                  struct mt_error *err)
{
    int status = mt_namespace_enter(holder, "net", err);
    return status == MT_OK ? mt_links_batch(tool, commands, err) : status;
}

/* A token bucket filter. It lets a millisecond's worth of bytes pass at once, so that
   the large packets of virtual links need not be split; and it drops little, because
   TCP takes 0.2 s to resend packets lost at the end of a message. */
static int slow_link(pid_t holder, const char *device, double bandwidth,
                     struct mt_error *err)
{
    char commands[COMMANDS_SIZE];
    snprintf(commands, sizeof commands,
             "qdisc add dev %s root tbf rate %.0fbps burst %.0f latency 400ms\n",
             device, bandwidth, fmax(bandwidth / 1000, 10000));
    return run_at(holder, "tc", commands, err);
}

int mt_links_make_head(pid_t holder, struct mt_error *err)
{
    char commands[COMMANDS_SIZE], address[MT_ADDRESS_SIZE], ethernet[ETHERNET_SIZE];
    mt_testbed_address(address, 0);
    make_ethernet_address(ethernet, 0);
    snprintf(commands, sizeof commands,
             "link set lo up\n"
             "link add eth0 address %s type bridge\n"
             "address add %s/16 dev eth0\n"
             "link set eth0 up\n",
             ethernet, address);
    return run_at(holder, "ip", commands, err);
}

static int connect_to_head(const struct mt_testbed_node *node, pid_t head_holder,
                           pid_t holder, struct mt_error *err)
{
    char commands[COMMANDS_SIZE], device[16], ethernet[ETHERNET_SIZE];
    make_ethernet_address(ethernet, node->number);
    snprintf(device, sizeof device, "port%d", node->number);
    snprintf(commands, sizeof commands,
             "link add %s type veth peer name eth0 address %s netns %d\n"
             "link set %s master eth0 up\n",
             device, ethernet, holder, device);
    int status = run_at(head_holder, "ip", commands, err);
    return status == MT_OK ? slow_link(head_holder, device, node->bandwidth, err)
                           : status;
}

static int configure_node(const struct mt_testbed_node *node, pid_t holder,
                          struct mt_error *err)
{
    char commands[COMMANDS_SIZE], address[MT_ADDRESS_SIZE];
    mt_testbed_address(address, node->number);
    snprintf(commands, sizeof commands,
             "link set lo up\n"
             "address add %s/16 dev eth0\n"
             "link set eth0 up\n",
             address);
    int status = run_at(holder, "ip", commands, err);
    return status == MT_OK ? slow_link(holder, "eth0", node->bandwidth, err) : status;
}

int mt_links_make_node(const struct mt_testbed_node *node, pid_t head_holder,
                       pid_t holder, struct mt_error *err)
{
    int status = connect_to_head(node, head_holder, holder, err);
    return status == MT_OK ? configure_node(node, holder, err) : status;
}

int mt_links_cut(const struct mt_testbed_node *node, pid_t head_holder,
                 struct mt_error *err)
{
    char commands[COMMANDS_SIZE];
    snprintf(commands, sizeof commands, "link delete port%d\n", node->number);
    return run_at(head_holder, "ip", commands, err);
}
