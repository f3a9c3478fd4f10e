/* SPDX-License-Identifier: BSD-3-Clause */
#include "lines.h"

#include <math.h>
#include <stdio.h>

static void print_text(const char *key, const char *text)
{
    printf(",\"%s\":\"", key);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

/* Not a number is null. */
static void print_number(const char *key, double number)
{
    if (isfinite(number))
        printf(",\"%s\":%.9g", key, number);
    else
        printf(",\"%s\":null", key);
}

void line_rank(int rank, const struct facts *facts, const struct clock *clock)
{
    printf("{\"test\":\"rank\",\"rank\":%d", rank);
    print_text("host", facts->host);
    print_text("mpi", facts->mpi);
    print_number("cores", facts->cores > 0 ? facts->cores : NAN);
    print_number("load", facts->load);
    print_number("clock", clock->ahead);
    print_number("clock_error", clock->error);
    puts("}");
}

void line_compute(int rank, const struct speed *speed)
{
    printf("{\"test\":\"compute\",\"rank\":%d", rank);
    print_number("flops", speed->flops);
    print_number("bandwidth", speed->bandwidth);
    print_number("watts", speed->watts);
    puts("}");
}

static void print_timing(const struct timing *timing)
{
    print_number("bytes", timing->bytes);
    print_number("seconds", timing->least);
    print_number("median", timing->median);
    puts("}");
}

void lines_pair(const struct pair *pair, const struct timing *timings, int count)
{
    for (int i = 0; i < count; i++) {
        printf("{\"test\":\"%s\",\"from\":%d,\"to\":%d",
               timings[i].between ? "between" : "pair", pair->from, pair->to);
        print_timing(&timings[i]);
    }
}

void lines_alltoall(int ranks, const struct timing *timings, int count)
{
    for (int i = 0; i < count; i++) {
        printf("{\"test\":\"alltoall\",\"ranks\":%d", ranks);
        print_timing(&timings[i]);
    }
}
