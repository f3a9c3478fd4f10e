/* SPDX-License-Identifier: BSD-3-Clause */
#include "program.h"

#include "experiments/common/random.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The sizes of a program: measured from `low` to `high`, planned for up to `last`. */
struct sizes {
    double low, high, last;
    bool powers; /* of two */
};

static double rounded_size(const struct sizes *sizes, double size)
{
    if (sizes->powers)
        return exp2(round(log2(size)));
    const double unit = pow(10, fmax(0, floor(log10(size)) - 1));
    return round(size / unit) * unit;
}

/* `count` sizes from `low` to `high`, each a factor above the one before. */
static void write_sizes(FILE *stream, const struct sizes *sizes, double low,
                        double high, int count)
{
    double last = 0;
    fputc('[', stream);
    for (int i = 0; i < count; i++) {
        const double size =
            rounded_size(sizes, low * pow(high / low, (double)i / (count - 1)));
        if (size > last)
            fprintf(stream, "%s%.15g", last > 0 ? ", " : "", size);
        last = fmax(last, size);
    }
    fputs("]\n", stream);
}

/* Plans are for sizes from the middle of the measured ones on. */
static void write_all_sizes(FILE *stream, struct random *random,
                            const struct sizes *sizes)
{
    const double first =
        sizes->high * pow(sizes->low / sizes->high, random_between(random, 0.2, 0.7));
    fputs("sizes:\n  measure: ", stream);
    write_sizes(stream, sizes, sizes->low, sizes->high, random_integer(random, 5, 7));
    fputs("  plan: ", stream);
    write_sizes(stream, sizes, first, sizes->last, random_integer(random, 4, 6));
}

static struct sizes draw_shipped_sizes(struct random *random, const char *name)
{
    static const struct {
        const char *name;
        double low[2], high[2], last;
    } ranges[] = {
        {"lu", {300, 800}, {1600, 4800}, 9600},
        {"jacobi", {24, 48}, {96, 224}, 500},
        {"fft", {2048, 8192}, {131072, 1048576}, 4194304},
        {"fem", {50, 120}, {250, 700}, 1500},
        {"spmm", {300, 800}, {2000, 6000}, 14000},
        {"matmul-a", {48, 96}, {384, 1024}, 2400},
    };
    size_t i = 0;
    while (strcmp(ranges[i].name, name) != 0)
        i++;
    struct sizes sizes = {
        .low = random_log_between(random, ranges[i].low[0], ranges[i].low[1]),
        .high = random_log_between(random, ranges[i].high[0], ranges[i].high[1]),
        .powers = strcmp(name, "fft") == 0};
    sizes.last = fmin(ranges[i].last, sizes.high * random_log_between(random, 1.5, 4));
    return sizes;
}

/* Lines of the file but for its sizes. An all-to-all of many ranks takes too long to
   simulate, for the messages grow with P * P. */
void draw_shipped_program(FILE *stream, const char *name, const char *text,
                          uint64_t seed)
{
    struct random random = random_make(seed, name);
    const struct sizes sizes = draw_shipped_sizes(&random, name);
    bool old_sizes = false;
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
        const bool of_sizes = strncmp(line, "sizes:", 6) == 0;
        if (of_sizes)
            write_all_sizes(stream, &random, &sizes);
        old_sizes = of_sizes || (old_sizes && *line == ' ');
        if (strncmp(line, "valid: P^2 <= N", 15) == 0)
            fputs("valid: P^2 <= N && P <= 64\n", stream);
        else if (!old_sizes)
            fwrite(line, 1, length, stream);
        line += length;
    }
}

/* What `apps/skeleton` is to do. */
struct skeleton {
    const char *pattern;
    int dimensions, steps;
    double flops, exponent, logarithm, efficiency;
    double units, uneven, heavy, serial;
    double set, set_growth, traffic;
    double message, growth;
    struct sizes sizes;
};

/* To a quarter, as exponents of algorithms are. */
static double draw_exponent(struct random *random, double low, double high)
{
    return low + random_integer(random, 0, (int)((high - low) * 4)) / 4.0;
}

static double three_digits(double value)
{
    const double unit = pow(10, floor(log10(value)) - 2);
    return round(value / unit) * unit;
}

static void draw_dense(struct random *random, struct skeleton *s)
{
    s->pattern = "dense";
    s->sizes.high = random_log_between(random, 1000, 5000);
    s->exponent = random_chance(random, 0.7) ? 3 : draw_exponent(random, 2, 3);
    s->steps = random_integer(random, 10, 40);
    s->set = random_chance(random, 0.5) ? 8 : 0;
    s->set_growth = 2;
    s->message = 8;
    s->growth = 2;
}

static void draw_stencil(struct random *random, struct skeleton *s)
{
    s->pattern = "stencil";
    s->dimensions = random_integer(random, 1, 3);
    s->sizes.high = pow(random_log_between(random, 1e5, 2e7), 1.0 / s->dimensions);
    s->exponent = s->dimensions;
    s->steps = random_integer(random, 2, 6);
    s->set = random_log_between(random, 8, 200);
    s->set_growth = s->dimensions;
    s->message = random_log_between(random, 8, 100);
}

static void draw_sparse(struct random *random, struct skeleton *s)
{
    s->pattern = "sparse";
    s->sizes.high = random_log_between(random, 1e4, 2e6);
    s->exponent = draw_exponent(random, 1, 1.5);
    s->steps = random_integer(random, 2, 6);
    s->uneven = random_chance(random, 0.6) ? random_between(random, 0.02, 0.3) : 0;
    s->set = random_log_between(random, 50, 500);
    s->set_growth = 1;
    s->message = random_log_between(random, 4, 40);
    s->growth = draw_exponent(random, 0.5, 1);
}

static void draw_transpose(struct random *random, struct skeleton *s)
{
    s->pattern = "transpose";
    s->sizes.high = random_log_between(random, 1e4, 4e6);
    s->exponent = draw_exponent(random, 1, 1.5);
    s->logarithm = s->exponent == 1 ? 1 : 0;
    s->steps = random_integer(random, 1, 2);
    s->set = 32;
    s->set_growth = 1;
    s->message = random_log_between(random, 4, 32);
    s->growth = 1;
}

static void draw_farm(struct random *random, struct skeleton *s)
{
    s->pattern = "farm";
    s->sizes.high = random_log_between(random, 300, 20000);
    s->exponent = draw_exponent(random, 1, 3);
    /* At most some hundred units, as each is two messages to simulate. */
    s->units = log(random_log_between(random, 60, 400)) / log(2 * s->sizes.high);
    s->message = random_log_between(random, 8, 1000);
    s->growth = 1;
}

static void draw_pipeline(struct random *random, struct skeleton *s)
{
    s->pattern = "pipeline";
    s->sizes.high = random_log_between(random, 500, 50000);
    s->exponent = draw_exponent(random, 1.5, 2.5);
    s->steps = random_integer(random, 20, 80);
    s->set = random_log_between(random, 4, 40);
    s->set_growth = fmin(2, s->exponent);
    s->message = random_log_between(random, 8, 200);
    s->growth = 1;
}

static void draw_reduce(struct random *random, struct skeleton *s)
{
    s->pattern = "reduce";
    s->sizes.high = random_log_between(random, 1e3, 1e6);
    s->exponent = draw_exponent(random, 1, 2);
    s->logarithm = random_chance(random, 0.3) ? 1 : 0;
    s->steps = random_integer(random, 3, 15);
    s->set = random_log_between(random, 8, 200);
    s->set_growth = 1;
    s->message = random_log_between(random, 8, 100);
    s->growth = draw_exponent(random, 0, 0.75);
}

/* The work at the largest measured size takes all nodes from a twentieth of a second
   to twenty; at the smallest it is some thirty to a thousand times less. */
static void scale(struct random *random, struct skeleton *s,
                  const struct drawn_cluster *cluster)
{
    const double seconds = random_log_between(random, 0.05, 20);
    const double high = s->sizes.high;
    s->efficiency = random_between(random, 0.1, 1);
    s->flops = three_digits(seconds * cluster->flops * s->efficiency /
                            (pow(high, s->exponent) * pow(log2(high), s->logarithm)));
    s->sizes.low = high * pow(random_log_between(random, 30, 1000), -1 / s->exponent);
    s->sizes.low = fmax(s->sizes.low, 8);
    s->sizes.last = high * random_log_between(random, 1.5, 4);
}

static struct skeleton draw_skeleton(struct random *random,
                                     const struct drawn_cluster *cluster)
{
    static void (*const draws[])(struct random *, struct skeleton *) = {
        draw_dense, draw_stencil,  draw_sparse, draw_transpose,
        draw_farm,  draw_pipeline, draw_reduce};
    struct skeleton s = {.steps = 1, .units = 1, .heavy = 1};
    draws[random_integer(random, 0, sizeof draws / sizeof *draws - 1)](random, &s);
    scale(random, &s, cluster);
    if (s.units == 1 && !s.dimensions && random_chance(random, 0.3))
        s.units = draw_exponent(random, 0.5, 1);
    if (random_chance(random, 0.25))
        s.heavy = random_between(random, 1.02, 1.3);
    if (random_chance(random, 0.4))
        s.serial = random_log_between(random, 0.0002, 0.03);
    if (s.set > 0)
        s.traffic = random_log_between(random, 0.02, 4);
    return s;
}

static void write_option(FILE *stream, const char *name, double value, double silent)
{
    if (value != silent)
        fprintf(stream, ", --%s, \"%.3g\"", name, value);
}

static void write_command(FILE *stream, const char *key, const struct skeleton *s)
{
    fprintf(stream,
            "%s: [skeleton, --model-only, --pattern, %s, --size, \"{N}\", --steps, "
            "\"%d\",\n  --flops, \"%.15g\", --exponent, \"%.15g\", --efficiency, "
            "\"%.3g\"",
            key, s->pattern, s->steps, s->flops, s->exponent, s->efficiency);
    if (s->dimensions > 0)
        fprintf(stream, ", --dimensions, \"%d\"", s->dimensions);
    write_option(stream, "logarithm", s->logarithm, 0);
    write_option(stream, "units", s->units, 1);
    write_option(stream, "uneven", s->uneven, 0);
    write_option(stream, "heavy", s->heavy, 1);
    write_option(stream, "serial", s->serial, 0);
    fputs(",\n  --message, ", stream);
    fprintf(stream, "\"%.3g\"", s->message);
    write_option(stream, "growth", s->growth, 0);
    write_option(stream, "set", s->set, 0);
    write_option(stream, "set-growth", s->set_growth, 0);
    write_option(stream, "traffic", s->traffic, 0);
    fputs("]\n", stream);
}

static void write_work(FILE *stream, const struct skeleton *s)
{
    fprintf(stream, "work: %.15g*N^%.15g%s\n", s->flops, s->exponent,
            s->logarithm > 0 ? "*log2(N)" : "");
    if (s->set > 0)
        fprintf(stream, "memory: %.3g*N^%.15g/P\n", s->set, s->set_growth);
}

void draw_random_program(FILE *stream, int number, const struct drawn_cluster *cluster,
                         uint64_t seed)
{
    char purpose[32];
    snprintf(purpose, sizeof purpose, "random %d", number);
    struct random random = random_make(seed, purpose);
    const struct skeleton skeleton = draw_skeleton(&random, cluster);
    fprintf(stream,
            "# A random program of the kind '%s': experiments/blind, seed %llu.\n"
            "name: random-%d\n",
            skeleton.pattern, (unsigned long long)seed, number);
    write_command(stream, "command", &skeleton);
    fputs("time: {match: '^time ([0-9.eE+-]+) s'}\n", stream);
    write_all_sizes(stream, &random, &skeleton.sizes);
    if (number % 2 == 1)
        write_work(stream, &skeleton);
    /* An all-to-all of more takes too long to simulate. */
    if (strcmp(skeleton.pattern, "transpose") == 0)
        fputs("valid: P <= 64\n", stream);
    fputs("timeout: 120 s\n", stream);
}
