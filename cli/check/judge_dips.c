/* SPDX-License-Identifier: BSD-3-Clause */
#include "judge.h"

#include "cli/common/check_text.h"

/* A dip with the place of its link: links of the same two groups often have the same.
 */
struct place {
    int low_group, high_group;
    double smallest, largest; /* bytes */
};

static struct place place_of(const struct mt_check *check,
                             const struct mt_checked_link *link,
                             const struct mt_curve_dip *dip)
{
    const int a = check->nodes[link->from].group, b = check->nodes[link->to].group;
    return (struct place){.low_group = a < b ? a : b,
                          .high_group = a < b ? b : a,
                          .smallest = link->curve.bytes[dip->first],
                          .largest = link->curve.bytes[dip->last]};
}

static bool same_place(const struct place *a, const struct place *b)
{
    return a->low_group == b->low_group && a->high_group == b->high_group &&
           a->smallest == b->smallest && a->largest == b->largest;
}

/* The link's dip at that place; false: it has none. */
static bool find_dip(struct mt_curve_dip *dip, const struct mt_check *check,
                     const struct mt_checked_link *link, const struct place *place)
{
    for (int start = 0; mt_curve_next_dip(dip, &link->curve, start);
         start = dip->last + 1) {
        const struct place here = place_of(check, link, dip);
        if (same_place(&here, place))
            return true;
    }
    return false;
}

static void add_link(struct mt_suspects *suspects, const struct mt_checked_link *link,
                     const struct mt_curve_dip *dip)
{
    char lowest[MT_QUANTITY_TEXT], around[MT_QUANTITY_TEXT];
    mt_suspects_add(suspects, link->from, " to %s (%s, around it %s)",
                    suspects->check->nodes[link->to].name,
                    mt_format_rate(lowest, dip->lowest, "B/s"),
                    mt_format_rate(around, dip->around, "B/s"));
    mt_suspects_add_silently(suspects, link->to);
}

static int end(struct mt_suspects *suspects, struct mt_check *check,
               const struct place *place, struct mt_error *err)
{
    char smallest[MT_QUANTITY_TEXT], largest[MT_QUANTITY_TEXT];
    const struct mt_group *groups = check->cluster->groups;
    mt_format_bytes(smallest, place->smallest);
    mt_format_bytes(largest, place->largest);
    int status;
    if (place->low_group == place->high_group)
        status = mt_suspects_end(
            suspects, check, MT_FOUND_DIP, err,
            "messages of %s to %s are slower than smaller and larger ones in group "
            "'%s'",
            smallest, largest, groups[place->low_group].name);
    else
        status = mt_suspects_end(
            suspects, check, MT_FOUND_DIP, err,
            "messages of %s to %s are slower than smaller and larger ones between "
            "groups '%s' and '%s'",
            smallest, largest, groups[place->low_group].name,
            groups[place->high_group].name);
    if (status == MT_OK) {
        struct mt_finding *finding = &check->findings.list[check->findings.count - 1];
        finding->smallest = place->smallest;
        finding->largest = place->largest;
    }
    return status;
}

/* Report the place at the first of its links. */
static int judge_place(struct mt_check *check, const struct place *place, int first,
                       struct mt_error *err)
{
    struct mt_suspects suspects;
    struct mt_curve_dip dip;
    for (int i = 0; i < first; i++)
        if (find_dip(&dip, check, &check->links[i], place))
            return MT_OK;
    int status = mt_suspects_begin(&suspects, check, err);
    if (status != MT_OK)
        return status;
    for (int i = first; i < check->nlinks; i++)
        if (find_dip(&dip, check, &check->links[i], place))
            add_link(&suspects, &check->links[i], &dip);
    return end(&suspects, check, place, err);
}

int mt_check_judge_dips(struct mt_check *check, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < check->nlinks; i++) {
        const struct mt_checked_link *link = &check->links[i];
        struct mt_curve_dip dip;
        for (int start = 0;
             status == MT_OK && mt_curve_next_dip(&dip, &link->curve, start);
             start = dip.last + 1) {
            const struct place place = place_of(check, link, &dip);
            status = judge_place(check, &place, i, err);
        }
    }
    return status;
}
