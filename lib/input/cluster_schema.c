/* SPDX-License-Identifier: BSD-3-Clause */
#include "cluster_file.h"

/* A string that may not be empty. */
#define STRING(key, flags, type, member) \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), type, member, 1, \
                           CYAML_UNLIMITED)
#define REQUIRED CYAML_FLAG_DEFAULT
#define OPTIONAL CYAML_FLAG_OPTIONAL

static const cyaml_schema_value_t word = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 0, CYAML_UNLIMITED)};

static const cyaml_schema_value_t whole_number = {
    CYAML_VALUE_INT(CYAML_FLAG_DEFAULT, int)};

static const cyaml_schema_field_t cache_fields[] = {
    STRING("size", REQUIRED, struct file_cache, size),
    CYAML_FIELD_FLOAT("slowdown", REQUIRED, struct file_cache, slowdown),
    STRING("gradual", OPTIONAL, struct file_cache, gradual), CYAML_FIELD_END};

static const cyaml_schema_value_t cache = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct file_cache, cache_fields)};

static const cyaml_schema_field_t link_fields[] = {
    STRING("latency", REQUIRED, struct file_link, latency),
    STRING("bandwidth", REQUIRED, struct file_link, bandwidth), CYAML_FIELD_END};

static const cyaml_schema_field_t odd_fields[] = {
    CYAML_FIELD_INT("node", REQUIRED, struct file_odd, node),
    CYAML_FIELD_FLOAT("slowdown", OPTIONAL, struct file_odd, slowdown),
    CYAML_FIELD_FLOAT("link_slowdown", OPTIONAL, struct file_odd, link_slowdown),
    CYAML_FIELD_END};

static const cyaml_schema_field_t simulate_fields[] = {
    STRING("flops", REQUIRED, struct file_simulate, flops),
    CYAML_FIELD_INT("cores", OPTIONAL, struct file_simulate, cores),
    CYAML_FIELD_SEQUENCE_COUNT("caches", OPTIONAL | CYAML_FLAG_POINTER,
                               struct file_simulate, caches, ncaches, &cache, 0, 8),
    STRING("memory_bandwidth", OPTIONAL, struct file_simulate, memory_bandwidth),
    CYAML_FIELD_FLOAT("oversubscription", OPTIONAL, struct file_simulate,
                      oversubscription),
    CYAML_FIELD_FLOAT("noise", OPTIONAL, struct file_simulate, noise),
    CYAML_FIELD_MAPPING("loopback", OPTIONAL, struct file_simulate, loopback,
                        link_fields),
    CYAML_FIELD_MAPPING("odd", OPTIONAL, struct file_simulate, odd, odd_fields),
    CYAML_FIELD_END};

static const cyaml_schema_field_t testbed_fields[] = {
    STRING("bandwidth", REQUIRED, struct file_testbed, bandwidth), CYAML_FIELD_END};

static const cyaml_schema_field_t group_fields[] = {
    STRING("name", REQUIRED, struct file_group, name),
    STRING("hosts", OPTIONAL, struct file_group, hosts),
    CYAML_FIELD_INT("nodes", OPTIONAL, struct file_group, nodes),
    CYAML_FIELD_SEQUENCE_COUNT("processes", CYAML_FLAG_POINTER, struct file_group,
                               processes, nprocesses, &whole_number, 1, 1000),
    STRING("memory", OPTIONAL, struct file_group, memory),
    CYAML_FIELD_FLOAT("price", OPTIONAL, struct file_group, price),
    CYAML_FIELD_FLOAT("watts", OPTIONAL, struct file_group, watts),
    CYAML_FIELD_FLOAT("cores", OPTIONAL, struct file_group, cores),
    CYAML_FIELD_MAPPING("testbed", OPTIONAL, struct file_group, testbed,
                        testbed_fields),
    STRING("switch", OPTIONAL, struct file_group, network_switch),
    CYAML_FIELD_MAPPING("simulate", OPTIONAL, struct file_group, simulate,
                        simulate_fields),
    CYAML_FIELD_END};

static const cyaml_schema_value_t group = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct file_group, group_fields)};

static const cyaml_schema_field_t dip_fields[] = {
    STRING("from", REQUIRED, struct file_dip, from),
    STRING("to", REQUIRED, struct file_dip, to),
    CYAML_FIELD_FLOAT("slowdown", REQUIRED, struct file_dip, slowdown),
    CYAML_FIELD_END};

static const cyaml_schema_field_t network_fields[] = {
    STRING("topology", OPTIONAL, struct file_network, topology),
    STRING("protocol", OPTIONAL, struct file_network, protocol),
    STRING("duplex", OPTIONAL, struct file_network, duplex),
    STRING("latency", REQUIRED, struct file_network, latency),
    STRING("bandwidth", REQUIRED, struct file_network, bandwidth),
    STRING("switch_bandwidth", OPTIONAL, struct file_network, switch_bandwidth),
    CYAML_FIELD_INT("switch_ports", OPTIONAL, struct file_network, switch_ports),
    CYAML_FIELD_MAPPING("trunk", OPTIONAL, struct file_network, trunk, link_fields),
    CYAML_FIELD_MAPPING("hop", OPTIONAL, struct file_network, hop, link_fields),
    CYAML_FIELD_MAPPING("dip", OPTIONAL, struct file_network, dip, dip_fields),
    CYAML_FIELD_END};

static const cyaml_schema_field_t glitches_fields[] = {
    CYAML_FIELD_INT("count", REQUIRED, struct file_glitches, count),
    CYAML_FIELD_FLOAT("slowdown", REQUIRED, struct file_glitches, slowdown),
    CYAML_FIELD_END};

/* The launcher is required too: cluster_load.c says which ones there are. */
static const cyaml_schema_field_t cluster_fields[] = {
    STRING("name", REQUIRED, struct file_cluster, name),
    STRING("launcher", OPTIONAL, struct file_cluster, launcher),
    CYAML_FIELD_SEQUENCE_COUNT("launch", OPTIONAL | CYAML_FLAG_POINTER,
                               struct file_cluster, launch, nlaunch, &word, 1,
                               CYAML_UNLIMITED),
    STRING("remote_shell", OPTIONAL, struct file_cluster, remote_shell),
    CYAML_FIELD_SEQUENCE_COUNT("groups", CYAML_FLAG_POINTER, struct file_cluster,
                               groups, ngroups, &group, 1, MT_MAX_GROUPS),
    CYAML_FIELD_MAPPING("network", OPTIONAL, struct file_cluster, network,
                        network_fields),
    CYAML_FIELD_MAPPING("glitches", OPTIONAL, struct file_cluster, glitches,
                        glitches_fields),
    CYAML_FIELD_END};

const cyaml_schema_value_t mt_cluster_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct file_cluster, cluster_fields)};
