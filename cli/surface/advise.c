/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/advice.h"

#include "cli/common/format.h"
#include "cli/common/json.h"
#include "surface.h"
#include "text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 80, SHOWN_FALLS = 4 };

/* Do not break lines within "N = 330", "12 %" or "2.9 s". */
static bool stay_together(const char *space)
{
    return isdigit((unsigned char)space[-1]) || space[-1] == '=' || space[1] == '=';
}

/* Print a paragraph, broken into lines. */
static MT_PRINTF(1, 2) void say(const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    int column = 0;
    for (const char *at = text; *at;) {
        const char *end = strchr(at, ' ');
        while (end && stay_together(end))
            end = strchr(end + 1, ' ');
        const int length = end ? (int)(end - at) : (int)strlen(at);
        if (column > 0 && column + 1 + length > LINE) {
            putchar('\n');
            column = 0;
        }
        column += printf("%s%.*s", column == 0 ? "  " : " ", length, at);
        at += end ? length + 1 : length;
    }
    putchar('\n');
}

static void print_title(const char *title)
{
    printf("\n%s\n", title);
}

static void print_best(const struct mt_advice *advice)
{
    const struct mt_operating_point *best = &advice->best;
    char nodes[32], efficiency[MT_QUANTITY_TEXT], speed[MT_QUANTITY_TEXT], time[32];
    print_title("The best size");
    say("On %s the most efficient size is N = %.15g: %s, in all %s. It takes %s.",
        mt_format_nodes(nodes, best->nodes), best->size,
        mt_format_percent(efficiency, best->point.efficiency),
        mt_format_rate(speed, best->nodes * best->point.speed, "f"),
        mt_format_seconds(time, best->point.seconds));
    if (!mt_surface_at(advice->surface, best->size + 1, best->nodes).fits)
        say("It is the largest that the memory holds.");
    else if (best->size == advice->sizes.high)
        say("It is the largest that was looked at.");
    const struct mt_operating_point *close = &advice->close;
    if (close->size < 0.9 * best->size)
        say("N = %.15g is nearly as efficient (%s), and takes %s.", close->size,
            mt_format_percent(efficiency, close->point.efficiency),
            mt_format_seconds(time, close->point.seconds));
}

/* What the given size costs, and for how many nodes it is the best. */
static void print_given(const struct mt_advice *advice)
{
    const struct mt_operating_point *chosen = &advice->chosen;
    char nodes[32], efficiency[MT_QUANTITY_TEXT], best[MT_QUANTITY_TEXT], time[32],
        memory[MT_QUANTITY_TEXT];
    if (advice->size == 0)
        return;
    print_title("Your size");
    say("N = %.15g takes %s on %s, at an efficiency of %s%s.", chosen->size,
        mt_format_seconds(time, chosen->point.seconds),
        mt_format_nodes(nodes, chosen->nodes),
        mt_format_percent(efficiency, chosen->point.efficiency),
        chosen->point.efficiency >= MT_CLOSE * advice->best.point.efficiency
            ? ", close to the best"
            : "");
    if (chosen->point.efficiency < MT_CLOSE * advice->best.point.efficiency)
        say("At the best size it would be %.2g times as efficient (%s).",
            advice->best.point.efficiency / chosen->point.efficiency,
            mt_format_percent(best, advice->best.point.efficiency));
    if (!chosen->point.fits)
        say("It does not fit: a node needs %s.",
            mt_format_bytes(memory, chosen->point.memory));
    if (advice->best_nodes > 0)
        say("It is the best size of about %s.",
            mt_format_nodes(nodes, advice->best_nodes));
}

static void print_more_nodes(const struct mt_advice *advice)
{
    const struct mt_operating_point *now = &advice->chosen, *enough = &advice->enough,
                                    *all = &advice->all;
    char before[32], after[32], with_all[32], efficiency[MT_QUANTITY_TEXT],
        of_all[MT_QUANTITY_TEXT];
    print_title("More nodes");
    if (all->nodes == now->nodes) {
        say("The machine has no more of them.");
        return;
    }
    if (enough->nodes == now->nodes)
        say("At N = %.15g more nodes hardly pay: the next one adds less than half of "
            "what one does now.",
            now->size);
    else
        say("At N = %.15g more nodes pay up to %s%.15g: until then each one adds at "
            "least "
            "half of what one does now. On %.15g nodes it takes %s instead of %s, at "
            "an "
            "efficiency of %s.",
            now->size, enough->nodes == all->nodes ? "all " : "", enough->nodes,
            enough->nodes, mt_format_seconds(after, enough->point.seconds),
            mt_format_seconds(before, now->point.seconds),
            mt_format_percent(efficiency, enough->point.efficiency));
    if (enough->nodes < all->nodes && all->point.valid)
        say("All %.15g would take %s, at %s.", all->nodes,
            mt_format_seconds(with_all, all->point.seconds),
            mt_format_percent(of_all, all->point.efficiency));
}

static const char *reason_of(enum mt_loss loss)
{
    switch (loss) {
    case MT_LOSS_CACHE:
        return "a node's part leaves its cache";
    case MT_LOSS_IMBALANCE:
        return "the nodes' parts become less even";
    default:
        return "messages take more of the time";
    }
}

/* Only falls from a high efficiency are worth a warning. */
static bool may_tempt(const struct mt_advice *advice, const struct mt_fall *fall)
{
    return fall->before > 2.0 / 3 * advice->best.point.efficiency;
}

static void print_what_to_avoid(const struct mt_advice *advice)
{
    char nodes[32], before[MT_QUANTITY_TEXT], after[MT_QUANTITY_TEXT];
    int shown = 0;
    print_title("Avoid");
    for (int i = 0; i < advice->nfalls && shown < SHOWN_FALLS; i++) {
        const struct mt_fall *fall = &advice->falls[i];
        if (!may_tempt(advice, fall))
            continue;
        say("Sizes just above N = %.15g: up to N = %.15g the efficiency falls from %s "
            "to %s, as %s.",
            fall->from, fall->to, mt_format_percent(before, fall->before),
            mt_format_percent(after, fall->after), reason_of(fall->loss));
        shown++;
    }
    if (advice->memory_limit > 0)
        say("Sizes above N = %.15g: they do not fit into the memory of %s.",
            advice->memory_limit, mt_format_nodes(nodes, advice->nodes));
    else if (shown == 0)
        say("Nothing: where sizes are about as efficient as the best, larger ones are, "
            "too.");
}

/* The number of best sizes that grow evenly, before the best jumps to a far larger one.
 */
static int count_even(const struct mt_advice *advice)
{
    const struct mt_operating_point *before = &advice->best;
    int count = 0;
    while (count < advice->ngrowth) {
        const struct mt_operating_point *next = &advice->growth[count];
        if (next->size / before->size > 2 * next->nodes / before->nodes)
            break;
        before = next;
        count++;
    }
    return count;
}

static void print_growth(const struct mt_advice *advice)
{
    const int even = count_even(advice);
    if (advice->ngrowth == 0)
        return;
    print_title("Growing");
    if (even > 0) {
        const struct mt_operating_point *first = &advice->best,
                                        *last = &advice->growth[even - 1];
        say("To stay at the best size when nodes are added, let N grow about as "
            "P^%.2f:",
            log(last->size / first->size) / log(last->nodes / first->nodes));
    }
    for (int i = 0; i < advice->ngrowth; i++) {
        const struct mt_operating_point *place = &advice->growth[i];
        char efficiency[MT_QUANTITY_TEXT], time[32];
        if (i == even)
            say("With more nodes a far larger size is the best:");
        printf("    P = %-6.15g  N = %-8.15g  %6s  %s\n", place->nodes, place->size,
               mt_format_percent(efficiency, place->point.efficiency),
               mt_format_seconds(time, place->point.seconds));
    }
}

static void print(const struct mt_advice *advice)
{
    char label[MT_SURFACE_LABEL], nodes[32], speed[MT_QUANTITY_TEXT];
    printf("%s on %s; efficiency is of %s a node%s\n",
           mt_surface_label(label, advice->surface),
           mt_format_nodes(nodes, advice->nodes),
           mt_format_rate(speed, mt_surface_machine(advice->surface)->speed, "f"),
           mt_surface_simulated(advice->surface));
    mt_surface_print_origin(advice->surface, advice->all.nodes, stdout);
    print_best(advice);
    print_given(advice);
    print_more_nodes(advice);
    print_what_to_avoid(advice);
    print_growth(advice);
}

static json_t *point_json(const struct mt_operating_point *at)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:b}", "size",
                     mt_json_number(at->size), "nodes", mt_json_number(at->nodes),
                     "seconds", mt_json_number(at->point.seconds), "speed",
                     mt_json_number(at->point.speed), "efficiency",
                     mt_json_number(at->point.efficiency), "fits", (int)at->point.fits,
                     "valid", (int)at->point.valid);
}

static json_t *falls_json(const struct mt_advice *advice)
{
    static const char *const reasons[] = {
        [MT_LOSS_CACHE] = "cache",
        [MT_LOSS_IMBALANCE] = "imbalance",
        [MT_LOSS_MESSAGES] = "messages",
    };
    json_t *array = json_array();
    for (int i = 0; i < advice->nfalls; i++) {
        const struct mt_fall *fall = &advice->falls[i];
        json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:o, s:s}", "from",
                                               mt_json_number(fall->from), "to",
                                               mt_json_number(fall->to), "before",
                                               mt_json_number(fall->before), "after",
                                               mt_json_number(fall->after), "reason",
                                               reasons[fall->loss]));
    }
    return array;
}

static json_t *growth_json(const struct mt_advice *advice)
{
    json_t *array = json_array();
    for (int i = 0; i < advice->ngrowth; i++)
        json_array_append_new(array, point_json(&advice->growth[i]));
    return array;
}

/* 0 stands for none. */
static json_t *number_or_null(double number)
{
    return mt_json_number(number > 0 ? number : NAN);
}

static int print_json(const struct mt_advice *advice, struct mt_error *err)
{
    return mt_surface_print_json(
        advice->surface, "motley/surface-advise", 1,
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "nodes",
                  mt_json_number(advice->nodes), "best", point_json(&advice->best),
                  "close", point_json(&advice->close), "chosen",
                  point_json(&advice->chosen), "worthwhile",
                  point_json(&advice->enough), "all", point_json(&advice->all),
                  "best_nodes", number_or_null(advice->best_nodes), "memory_limit",
                  number_or_null(advice->memory_limit), "falls", falls_json(advice),
                  "growth", growth_json(advice)),
        err);
}

static int read_options(double *nodes, double *size, struct mt_error *err)
{
    const struct mt_surface_options *wanted = &mt_surface_options;
    struct mt_surface_axes axes = {0};
    if (!wanted->nodes)
        return mt_fail(err, MT_EINVAL, "--nodes is needed: how many nodes are there?");
    int status = mt_surface_axes_read(&axes, err);
    if (status == MT_OK && axes.nodes.count > 1)
        status = mt_fail(err, MT_EINVAL, "--nodes '%s': one number is needed",
                         wanted->nodes);
    if (status == MT_OK && axes.sizes.count > 1)
        status =
            mt_fail(err, MT_EINVAL, "--size '%s': one number is needed", wanted->sizes);
    if (status == MT_OK) {
        *nodes = axes.nodes.values[0];
        *size = axes.sizes.count > 0 ? axes.sizes.values[0] : 0;
    }
    mt_surface_axes_clear(&axes);
    return status;
}

static int advise(const struct mt_surface *surface, struct mt_error *err)
{
    struct mt_advice advice = {0};
    double nodes = 0, size = 0;
    int status = read_options(&nodes, &size, err);
    if (status != MT_OK)
        return status;
    status =
        mt_surface_need_sizes(mt_advice_make(&advice, surface, nodes, size, err), err);
    if (status == MT_OK && mt_common.json)
        status = print_json(&advice, err);
    else if (status == MT_OK)
        print(&advice);
    mt_advice_clear(&advice);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_surface_input input = {0};
    int status = mt_surface_input(&input, arguments[0], err);
    if (status == MT_OK)
        status = advise(input.surface, err);
    mt_surface_input_clear(&input);
    return mt_exit_status(status);
}

static const char *const options[] = {"algorithm", "nodes", "size", "json", NULL};

const struct mt_action mt_surface_advise = {
    .name = "advise",
    .arguments = "MACHINE[:ALGORITHM]",
    .summary = "which size for these nodes, how many more pay, what to avoid",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
