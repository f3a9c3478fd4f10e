/* SPDX-License-Identifier: BSD-3-Clause */
#include "reading.h"

#include "cli/common/format.h"
#include "lib/base/number.h"
#include "lib/input/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Clocks of two machines differ by less, and so does where a program begins to count.
 */
static const double most_share = 1.01, most_more = 1e-3, least_share = 1e-6;
/* Of a run, that a time has whose unit is guessed. */
static const double guessed_share = 1e-3;

/* What the last digit of a decimal number counts; 0 for what is not one. */
static double last_digit(const char *text)
{
    const char *exponent = text + strcspn(text, "eE"), *point = strchr(text, '.');
    const double power = *exponent ? strtod(exponent + 1, NULL) : 0;
    const double decimals =
        point && point < exponent ? (double)(exponent - point - 1) : 0;
    return strpbrk(text, "xX") ? 0 : pow(10, power - decimals);
}

/* Whether a run can take so long whose program printed it with that precision. */
static bool is_plausible(const struct mt_process *process, double seconds,
                         double precision)
{
    const double rounded = fmin(precision, seconds / 2);
    return isfinite(seconds) &&
           seconds - rounded <= process->elapsed * most_share + most_more &&
           (process->overslept || seconds >= process->elapsed * least_share);
}

/* The unit of time that a word stands for; MT_TIME_UNITS: none. */
static enum mt_time_unit unit_of_word(const char *word, size_t length)
{
    static const struct {
        const char *word;
        enum mt_time_unit unit;
    } known[] = {
        {"ms", MT_UNIT_MS},
        {"msec", MT_UNIT_MS},
        {"msecs", MT_UNIT_MS},
        {"millisecond", MT_UNIT_MS},
        {"milliseconds", MT_UNIT_MS},
        {"us", MT_UNIT_US},
        {"\u00b5s", MT_UNIT_US},
        {"\u03bcs", MT_UNIT_US},
        {"usec", MT_UNIT_US},
        {"usecs", MT_UNIT_US},
        {"microsecond", MT_UNIT_US},
        {"microseconds", MT_UNIT_US},
        {"ns", MT_UNIT_NS},
        {"nsec", MT_UNIT_NS},
        {"nanoseconds", MT_UNIT_NS},
        {"min", MT_UNIT_MIN},
        {"mins", MT_UNIT_MIN},
        {"minutes", MT_UNIT_MIN},
        {"h", MT_UNIT_H},
        {"hours", MT_UNIT_H},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].word) == length && !strncmp(known[i].word, word, length))
            return known[i].unit;
    return MT_TIME_UNITS;
}

enum { GUESS_LENGTH = 64 };

/* A unit that stands in the line with the number, if any does. */
static bool guess_by_words(char guess[GUESS_LENGTH], const struct mt_reading *reading)
{
    static const char between[] = " \t,:;=()[]<>\"'";
    const struct mt_program *program = reading->program;
    const char *word = reading->process->output.matched;
    double factor;
    for (word += strspn(word, between); *word; word += strspn(word, between)) {
        const size_t length = strcspn(word, between);
        const enum mt_time_unit unit = unit_of_word(word, length);
        const bool is_rate = length < 16 && mt_rate_unit(&factor, word, length);
        if (is_rate || (unit != MT_TIME_UNITS && unit != program->time_unit)) {
            snprintf(guess, GUESS_LENGTH, "%.*s",
                     is_rate ? (int)length : GUESS_LENGTH - 1,
                     is_rate ? word : mt_time_unit_name(unit));
            return true;
        }
        word += length;
    }
    return false;
}

/* The unit by which the number is the longest time that this run can have taken; none
   where that is hardly any of it. */
static enum mt_time_unit guess_unit(const struct mt_reading *reading, double number)
{
    enum mt_time_unit best = MT_TIME_UNITS;
    for (enum mt_time_unit unit = 0; unit < MT_TIME_UNITS; unit++)
        if (is_plausible(reading->process, number * mt_time_unit_seconds(unit), 0) &&
            (best == MT_TIME_UNITS ||
             mt_time_unit_seconds(unit) > mt_time_unit_seconds(best)))
            best = unit;
    return best != MT_TIME_UNITS && number * mt_time_unit_seconds(best) >=
                                        guessed_share * reading->process->elapsed
               ? best
               : MT_TIME_UNITS;
}

/* The rate by which the program's work takes the longest such time; NULL: none. */
static const char *guess_rate(const struct mt_reading *reading, double number)
{
    static const struct {
        const char *name;
        double factor;
    } rates[] = {{"MFLOPS", 1e6}, {"GFLOPS", 1e9}, {"TFLOPS", 1e12}};
    const double work =
        mt_program_work(reading->program, reading->size, reading->ranks);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (work > 0 &&
            is_plausible(reading->process, work / (number * rates[i].factor), 0))
            return rates[i].name;
    return NULL;
}

/* "; it looks like us, or MFLOPS"; nothing where it looks like nothing. */
static const char *guess_text(char text[GUESS_LENGTH], const struct mt_reading *reading,
                              double number)
{
    char word[GUESS_LENGTH];
    const enum mt_time_unit unit = guess_unit(reading, number);
    const char *rate = guess_rate(reading, number);
    text[0] = 0;
    if (guess_by_words(word, reading))
        snprintf(text, GUESS_LENGTH, "; it looks like %.20s", word);
    else if (unit != MT_TIME_UNITS || rate)
        snprintf(text, GUESS_LENGTH, "; it looks like %s%s%s",
                 unit != MT_TIME_UNITS ? mt_time_unit_name(unit) : "",
                 unit != MT_TIME_UNITS && rate ? ", or " : "", rate ? rate : "");
    return text;
}

static int refuse(const struct mt_reading *reading, double number, double seconds,
                  struct mt_error *err)
{
    const struct mt_program *program = reading->program;
    char took[MT_QUANTITY_TEXT], guess[GUESS_LENGTH];
    mt_format_seconds(took, reading->process->elapsed);
    if (program->rate_match)
        return mt_fail(err, MT_EINVAL,
                       "the rate cannot be right: '%s' %s would be %.4g s, and the run "
                       "took %s from start to end: check 'unit' and 'work' of 'rate'",
                       reading->process->output.number, program->rate_unit, seconds,
                       took);
    return mt_fail(
        err, MT_EINVAL,
        "the time cannot be right: '%s' %s, and the run took %s from start to "
        "end%s: see 'time' and 'rate' in motley-program(5)",
        reading->process->output.number, mt_time_unit_name(program->time_unit), took,
        guess_text(guess, reading, number));
}

int mt_reading_seconds(const struct mt_reading *reading, double *seconds,
                       struct mt_error *err)
{
    const struct mt_program *program = reading->program;
    const char *text = reading->process->output.number;
    double number;
    const int status = mt_output_number(&reading->process->output, &number, err);
    if (status != MT_OK)
        return status;
    const double read =
        mt_program_seconds(program, number, reading->size, reading->ranks);
    if (!isfinite(read) || read <= 0)
        return mt_fail(err, MT_EINVAL, "'%s' %s are no time above 0", text,
                       program->rate_match ? program->rate_unit
                                           : mt_time_unit_name(program->time_unit));
    /* Motley's own programs, which have no file, may time a single message. */
    if (!reading->simulated && program->path &&
        !is_plausible(reading->process, read, read * last_digit(text) / number))
        return refuse(reading, number, read, err);
    *seconds = read;
    return MT_OK;
}
