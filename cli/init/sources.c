/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds nodes: in a hostfile, by Slurm's sinfo, on this machine (hwloc). */
#include "init.h"

#include "cli/launch/launcher.h"
#include "cli/process/child.h"
#include "cli/process/memory.h"
#include "lib/base/argv.h"
#include "lib/base/hostlist.h"
#include "lib/base/line.h"
#include "lib/base/number.h"

#include <ctype.h>
#include <errno.h>
#include <hwloc.h>
#include <hwloc/cpukinds.h>
#include <math.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Slots of a node, nodes in all, and lines of the source. */
enum { MAX_SLOTS = 100000, MAX_NODES = 100000, MAX_LINES = 1000000 };

/* An index entry of a host's node, as the list moves when it grows. */
struct place {
    const char *host; /* borrowed */
    int node;
};

static int compare_hosts(const void *left, const void *right)
{
    return strcmp(((const struct place *)left)->host,
                  ((const struct place *)right)->host);
}

static void node_clear(struct mt_found_node *node)
{
    free(node->host);
    free(node->features);
    free(node->gres);
    free(node->partitions);
    *node = (struct mt_found_node){0};
}

/* Anything else could be an option, a list of hosts, or need quotes in YAML. */
static int check_host(const char *host, struct mt_error *err)
{
    return mt_is_host_name(host)
               ? MT_OK
               : mt_fail(err, MT_EPARSE, "'%.200s' is not a host name", host);
}

/* Add a node of a new host; the strings are copied. */
static int add_node(struct mt_found_nodes *found, const struct mt_found_node *node,
                    struct mt_error *err)
{
    if (node->slots > MAX_SLOTS || node->cores > MAX_SLOTS)
        return mt_fail(err, MT_EPARSE, "'%.60s' has more than %d slots", node->host,
                       MAX_SLOTS);
    if (found->count == MAX_NODES)
        return mt_fail(err, MT_EPARSE, "more than %d nodes", MAX_NODES);
    const int status = check_host(node->host, err);
    if (status != MT_OK)
        return status;
    mt_array_extend(&found->nodes, found->count, sizeof *found->nodes);
    struct mt_found_node *copy = &found->nodes[found->count];
    *copy = *node;
    copy->host = mt_strdup(node->host);
    copy->features = mt_strdup(node->features);
    copy->gres = mt_strdup(node->gres);
    copy->partitions = mt_strdup(node->partitions);
    struct place *place = mt_calloc(1, sizeof *place);
    *place = (struct place){copy->host, found->count++};
    mt_need(tsearch(place, &found->by_host, compare_hosts));
    return MT_OK;
}

/* The node of that host, or NULL. */
static struct mt_found_node *find_node(const struct mt_found_nodes *found,
                                       const char *host)
{
    struct place *const *place =
        tfind(&(struct place){.host = host}, &found->by_host, compare_hosts);
    return place ? &found->nodes[(*place)->node] : NULL;
}

void mt_found_clear(struct mt_found_nodes *found)
{
    for (int i = 0; i < found->count; i++)
        node_clear(&found->nodes[i]);
    tdestroy(found->by_host, free);
    free(found->nodes);
    *found = (struct mt_found_nodes){0};
}

/* The installed launcher, Open MPI before MPICH; Open MPI if none is installed. */
static enum mt_launcher installed_launcher(void)
{
    const enum mt_launcher known[] = {MT_LAUNCH_OPENMPI, MT_LAUNCH_MPICH};
    for (int i = 0; i < 2; i++) {
        char *path = NULL;
        if (mt_find_launcher(&path, mt_launcher_find(known[i]), NULL) == MT_OK) {
            free(path);
            return known[i];
        }
    }
    return MT_LAUNCH_OPENMPI;
}

/* The next word of `*rest`, or NULL. `*is_key`: a '=' followed it, which is skipped,
   too. */
static char *next_word(char **rest, bool *is_key)
{
    static const char blanks[] = " \t\r\n", ends[] = " \t\r\n=";
    char *word = *rest + strspn(*rest, blanks);
    const size_t length = *word == '=' ? 1 : strcspn(word, ends);
    char *end = word + length, *next = end + strspn(end, blanks);
    if (length == 0)
        return NULL;
    *is_key = *next == '=' && *word != '=';
    *rest = *is_key ? next + 1 : *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static int parse_slots(int *slots, const char *text, struct mt_error *err)
{
    double number;
    const char *end = text ? mt_number_read(text, &number) : NULL;
    if (!end || *end || !(number >= 1 && number <= MAX_SLOTS) ||
        number != floor(number))
        return mt_fail(err, MT_EPARSE, "slots must be a number from 1 to %d, not '%s'",
                       MAX_SLOTS, text ? text : "");
    *slots = (int)number;
    return MT_OK;
}

/* A repeated host has more slots. */
static int add_slots(struct mt_found_nodes *found, char *host, int slots,
                     struct mt_error *err)
{
    struct mt_found_node *known = find_node(found, host);
    const int more = slots > 0 ? slots : 1;
    if (!known)
        return add_node(
            found,
            &(struct mt_found_node){.host = host, .slots = more, .guessed = slots == 0},
            err);
    if (more > MAX_SLOTS - known->slots)
        return mt_fail(err, MT_EPARSE, "'%.60s' has more than %d slots", host,
                       MAX_SLOTS);
    known->slots += more;
    known->guessed = false;
    return MT_OK;
}

static bool is_number(const char *word)
{
    return word[strspn(word, "0123456789")] == '\0';
}

/* A line's data about a host, or about equal hosts. */
struct host_entry {
    char *host; /* a name, or "n[01-04]" */
    int slots;  /* 0: not given */
    int most;   /* that may be used; 0: not given */
};

static int add_entry(struct mt_found_nodes *found, const struct host_entry *entry,
                     struct mt_error *err)
{
    struct mt_hostlist list = {0};
    if (entry->most > 0 && entry->slots > entry->most)
        return mt_fail(err, MT_EPARSE, "'%.60s' has %d slots, more than its limit, %d",
                       entry->host, entry->slots, entry->most);
    const int slots = entry->slots > 0 ? entry->slots : entry->most;
    if (!strchr(entry->host, '[') || !strchr(entry->host, ']'))
        return add_slots(found, entry->host, slots, err);
    int status = mt_hostlist_parse(&list, entry->host, err);
    for (int i = 0; i < list.count && status == MT_OK; i++)
        status = add_slots(found, list.hosts[i], slots, err);
    mt_hostlist_clear(&list);
    return status;
}

/* The keys of Open MPI and MPICH. Unknown keys are errors, as they may mean slots. */
static int take_key(struct mt_found_nodes *found, struct host_entry *entry,
                    const char *key, const char *value, bool *told,
                    struct mt_error *err)
{
    static const struct {
        const char *name;
        enum { SLOTS, MOST, NOTHING } tells;
    } keys[] = {{"slots", SLOTS},
                {"cpu", SLOTS},
                {"cpus", SLOTS},
                {"count", SLOTS},
                {"max_slots", MOST},
                {"max-slots", MOST},
                {"slots_max", MOST},
                {"slots-max", MOST},
                {"cpu_max", MOST},
                {"cpu-max", MOST},
                {"cpus_max", MOST},
                {"cpus-max", MOST},
                {"count_max", MOST},
                {"count-max", MOST},
                {"binding", NOTHING},
                {"ifhn", NOTHING},
                {"port", NOTHING},
                {"boards", NOTHING},
                {"sockets_per_board", NOTHING},
                {"cores_per_socket", NOTHING}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(keys[i].name, key) != 0)
            continue;
        if (keys[i].tells == NOTHING)
            return MT_OK;
        found->launcher = MT_LAUNCH_OPENMPI;
        *told = true;
        return parse_slots(keys[i].tells == MOST ? &entry->most : &entry->slots, value,
                           err);
    }
    return mt_fail(err, MT_EPARSE,
                   "'%.60s=' of '%.60s' is not known: write '%.60s slots=4'", key,
                   entry->host, entry->host);
}

/* Several hosts on a line have a number each, as in LSF's LSB_MCPU_HOSTS; in SGE's
   file, a queue follows the number. */
static int read_words(struct mt_found_nodes *found, struct host_entry *entry,
                      char *rest, bool *told, struct mt_error *err)
{
    enum { HOST, NUMBER, KEY } last = entry->slots ? KEY : HOST;
    bool is_key, several = false;
    char *word;
    int status = MT_OK;
    while (status == MT_OK && (word = next_word(&rest, &is_key))) {
        bool unused;
        if (is_key) {
            status = take_key(found, entry, word, next_word(&rest, &unused), told, err);
            last = KEY;
        } else if (last == HOST && is_number(word)) {
            status = parse_slots(&entry->slots, word, err);
            last = NUMBER;
        } else if (last == NUMBER && !several && strchr(word, '@')) {
            break;
        } else if (last == NUMBER) {
            status = add_entry(found, entry, err);
            *entry = (struct host_entry){.host = word};
            several = true;
            last = HOST;
        } else {
            return mt_fail(err, MT_EPARSE,
                           "'%.60s' behind '%.60s' is not understood: write '%.60s "
                           "slots=4'",
                           word, entry->host, entry->host);
        }
    }
    if (status == MT_OK && several && last != NUMBER)
        status = mt_fail(err, MT_EPARSE,
                         "'%.60s' has no number of slots, as the hosts before it on "
                         "the line",
                         entry->host);
    return status == MT_OK ? add_entry(found, entry, err) : status;
}

/* The line's form for slots tells the kind of hostfile. */
static int read_hostfile_line(struct mt_found_nodes *found, char *line, bool *told,
                              struct mt_error *err)
{
    line[strcspn(line, "#")] = '\0';
    bool is_key;
    char *rest = line;
    struct host_entry entry = {.host = next_word(&rest, &is_key)};
    if (!entry.host)
        return MT_OK;
    if (is_key)
        return mt_fail(err, MT_EPARSE, "'%.60s=' stands where a host should",
                       entry.host);
    char *colon = strchr(entry.host, ':');
    if (colon) {
        *colon = '\0';
        const int status = parse_slots(&entry.slots, colon + 1, err);
        if (status != MT_OK)
            return status;
        found->launcher = MT_LAUNCH_MPICH;
        *told = true;
    }
    return read_words(found, &entry, rest, told, err);
}

size_t mt_init_mark_length(const char *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    return strncmp(text, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
}

static int read_hostfile(struct mt_found_nodes *found, FILE *file, const char *path,
                         struct mt_error *err)
{
    struct mt_line line = {0};
    struct mt_error reason;
    bool told = false;
    int number = 0, status;
    do {
        status = mt_line_read(&line, file, &reason);
        if (++number > MAX_LINES && status == MT_OK)
            status = mt_fail(&reason, MT_EPARSE, "more than %d lines", MAX_LINES);
        if (status == MT_OK && !line.ended)
            status = read_hostfile_line(
                found, line.text + (number == 1 ? mt_init_mark_length(line.text) : 0),
                &told, &reason);
    } while (status == MT_OK && !line.ended);
    if (status == MT_EIO)
        mt_fail(err, status, "cannot read '%s': %s", path, strerror(errno));
    else if (status != MT_OK)
        mt_fail(err, status, "%s:%d: %s; a hostfile has one host a line", path, number,
                reason.text);
    else if (found->count == 0)
        status = mt_fail(err, MT_EPARSE, "no hosts in '%s'", path);
    if (!told)
        found->launcher = installed_launcher();
    mt_line_clear(&line);
    return status;
}

int mt_init_from_hostfile(struct mt_found_nodes *found, const char *path,
                          struct mt_error *err)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return mt_fail(err, MT_EIO, "cannot read '%s': %s", path, strerror(errno));
    const int status = read_hostfile(found, file, path, err);
    fclose(file);
    return status;
}

int mt_init_from_job(struct mt_found_nodes *found, const char *variable,
                     struct mt_error *err)
{
    char *value = getenv(variable);
    if (!value || !*value)
        return mt_fail(err, MT_EINVAL, "%s is not set: start motley inside of the job",
                       variable);
    if (strchr(value, '/'))
        return mt_init_from_hostfile(found, value, err);
    FILE *stream = mt_need(fmemopen(value, strlen(value), "r"));
    const int status = read_hostfile(found, stream, variable, err);
    fclose(stream);
    return status;
}

/* A node in several partitions has a line for each, in their order. */
static void add_partition(struct mt_found_node *node, const char *name)
{
    char *names = mt_asprintf("%s,%s", node->partitions, name);
    free(node->partitions);
    node->partitions = names;
}

/* The GPUs of "gpu:a100:4"; one without a number, as "gpu" or "gpu:a100". */
static long count_entry(const char *entry, size_t length)
{
    static const char name[] = "gpu";
    const char *end = entry + length, *digits = end;
    if (strncmp(entry, name, strlen(name)) != 0 || strcspn(entry, ":,") != strlen(name))
        return 0;
    while (isdigit((unsigned char)digits[-1]))
        digits--;
    return digits < end && digits[-1] == ':' ? strtol(digits, NULL, 10) : 1;
}

/* The GPUs of "gpu:a100:4(S:0-1),nvme:1"; also removes the parentheses with their
   sockets. */
static int count_gpus(char *gres)
{
    int gpus = 0;
    char *to = gres;
    if (!gres)
        return 0;
    for (const char *from = gres; *from;) {
        from += *from == '(' ? strcspn(from, ")") : 0;
        from += *from == ')';
        if (*from)
            *to++ = *from++;
    }
    *to = '\0';
    for (const char *entry = gres; *entry;) {
        const size_t length = strcspn(entry, ",");
        const long more = count_entry(entry, length), most = MAX_SLOTS - gpus;
        gpus += (int)(more < most ? more : most);
        entry += length + (entry[length] == ',');
    }
    return gpus;
}

enum sinfo_column {
    HOST,
    PROCESSORS,
    SOCKETS,
    SOCKET_CORES,
    MEGABYTES,
    PARTITION,
    FEATURES,
    GRES,
    SINFO_COLUMNS
};
static const char sinfo_format[] = "%N %c %X %Y %m %P %f %G";

static int split_sinfo_line(char *words[SINFO_COLUMNS], char *line)
{
    int count = 0;
    for (char *rest = line, *word; (word = strsep(&rest, " \t\r\n"));)
        if (*word && count++ < SINFO_COLUMNS)
            words[count - 1] = word;
    return count;
}

static char *unless_null(char *word)
{
    return strcmp(word, "(null)") == 0 ? NULL : word;
}

/* Read a node from "x01 32 2 8 64000 batch xeon,ib gpu:2"; its strings point into the
   line. A rank gets a core, or a processor if Slurm counts fewer of these. */
static bool parse_sinfo_line(struct mt_found_node *node, char *line)
{
    char *words[SINFO_COLUMNS], *end;
    if (split_sinfo_line(words, line) != SINFO_COLUMNS)
        return false;
    int processors, sockets, cores;
    const double megabytes = strtod(words[MEGABYTES], &end);
    if (parse_slots(&processors, words[PROCESSORS], NULL) != MT_OK ||
        parse_slots(&sockets, words[SOCKETS], NULL) != MT_OK ||
        parse_slots(&cores, words[SOCKET_CORES], NULL) != MT_OK || *end ||
        !(megabytes >= 0) || !isfinite(megabytes) || cores > MAX_SLOTS / sockets)
        return false;
    const int all = sockets * cores;
    char *gres = unless_null(words[GRES]);
    *node =
        (struct mt_found_node){.host = words[HOST],
                               .slots = processors < all ? processors : all,
                               .cores = all,
                               .threads = processors > all ? processors : 0,
                               .gpus = count_gpus(gres),
                               /* 1 is Slurm's default for a node of unknown memory. */
                               .memory = megabytes > 1 ? megabytes * 1024 * 1024 : 0,
                               .features = unless_null(words[FEATURES]),
                               .gres = gres,
                               .partitions = words[PARTITION]};
    return true;
}

static int read_sinfo_line(struct mt_found_nodes *found, char *line,
                           struct mt_error *err)
{
    struct mt_found_node node;
    char *copy = mt_strdup(line);
    int status = MT_OK;
    if (!parse_sinfo_line(&node, line)) {
        status = mt_fail(err, MT_EIO, "unknown output of 'sinfo': '%.*s'",
                         (int)strcspn(copy, "\n"), copy);
    } else {
        struct mt_found_node *known = find_node(found, node.host);
        if (known)
            add_partition(known, node.partitions);
        else
            status = add_node(found, &node, err);
    }
    free(copy);
    return status;
}

static int read_sinfo(struct mt_found_nodes *found, FILE *stream, struct mt_error *err)
{
    struct mt_line line = {0};
    rewind(stream);
    int status = mt_line_read(&line, stream, err);
    while (status == MT_OK && !line.ended) {
        status = read_sinfo_line(found, line.text, err);
        if (status == MT_OK)
            status = mt_line_read(&line, stream, err);
    }
    mt_line_clear(&line);
    return status;
}

int mt_init_from_slurm(struct mt_found_nodes *found, const char *partitions,
                       struct mt_error *err)
{
    char **argv = NULL, **env = mt_environment_without("SINFO_");
    FILE *output;
    mt_words_add_all(&argv, "sinfo", "-h", "-N", "-S", "N,P", "-o", sinfo_format, NULL);
    if (partitions)
        mt_words_add(&argv, "--partition=%s", partitions);
    int status = mt_child_ask(&output, argv, env, err);
    mt_argv_free(argv);
    mt_argv_free(env);
    found->launcher = MT_LAUNCH_SLURM;
    if (status != MT_OK)
        return status;
    status = read_sinfo(found, output, err);
    fclose(output);
    if (found->count == 0 && status == MT_OK)
        status = partitions
                     ? mt_fail(err, MT_EIO, "'sinfo' lists no nodes of partition '%s'",
                               partitions)
                     : mt_fail(err, MT_EIO, "'sinfo' lists no nodes");
    return status;
}

/* hwloc sorts the kinds of cores by their efficiency: the last one is the fastest. */
static int count_fast_cores(hwloc_topology_t topology)
{
    int kinds = hwloc_cpukinds_get_nr(topology, 0), cores = 0;
    hwloc_bitmap_t fast = hwloc_bitmap_alloc();
    if (fast && kinds > 1 &&
        hwloc_cpukinds_get_info(topology, (unsigned)kinds - 1, fast, NULL, NULL, NULL,
                                0) == 0)
        cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, fast, HWLOC_OBJ_CORE);
    hwloc_bitmap_free(fast);
    return cores;
}

static int read_topology(struct mt_found_nodes *found, hwloc_topology_t topology,
                         struct mt_error *err)
{
    char host[] = "localhost";
    struct mt_found_node node = {.host = host};
    if (hwloc_topology_load(topology) < 0)
        return mt_fail(err, MT_EIO, "hwloc cannot tell what this machine is");
    node.cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    if (node.cores < 1) /* virtual machines may hide them */
        node.cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    if (node.cores > MAX_SLOTS)
        return mt_fail(err, MT_EIO, "hwloc counts %d cores, more than %d", node.cores,
                       MAX_SLOTS);
    node.slots = node.cores;
    node.fast_cores = count_fast_cores(topology);
    node.memory = (double)hwloc_get_root_obj(topology)->total_memory;
    return add_node(found, &node, err);
}

int mt_init_from_machine(struct mt_found_nodes *found, struct mt_error *err)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) < 0)
        return mt_fail(err, MT_EIO, "hwloc cannot begin");
    int status = read_topology(found, topology, err);
    hwloc_topology_destroy(topology);
    found->launcher = installed_launcher();
    return status;
}
