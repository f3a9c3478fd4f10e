/* SPDX-License-Identifier: BSD-3-Clause */
#include "holders.h"

/* Whether a span has all that another one needs, in the same step. */
static bool holds(const struct pdgemm_span *holder, const struct pdgemm_span *span)
{
    return holder->turn == 0 && holder->operand == span->operand &&
           holder->panel == span->panel && holder->range.first <= span->range.first &&
           holder->range.end >= span->range.end;
}

/* Who had best send to a group of turn 1 what they hold: its own ranks, or else those
   that have nothing else to do in turn 1. */
enum suit { SUIT_MEMBER, SUIT_IDLE, SUIT_BUSY, SUITS };

static enum suit suit_of(const struct pdgemm_layout *layout,
                         struct mt_partition_range group, int rank)
{
    enum suit suit = SUIT_IDLE;
    for (int i = layout->nspans - 1; i >= 0 && layout->spans[i].turn == 1; i--)
        if (layout->spans[i].rank == rank) {
            if (i >= group.first && i < group.end)
                return SUIT_MEMBER;
            suit = SUIT_BUSY;
        }
    return suit;
}

/* The rank's own span that holds what one of turn 1 needs; -1: none. */
static int find_own_holder(const struct pdgemm_layout *layout,
                           const struct pdgemm_span *span)
{
    for (int i = 0; i < layout->nspans; i++)
        if (layout->spans[i].rank == span->rank && holds(&layout->spans[i], span))
            return i;
    return -1;
}

/* Those of the group that hold it get nothing; the others get it in turn from those
   who suit best. */
static void deal_holders(struct pdgemm_layout *layout, struct mt_partition_range group)
{
    struct pdgemm_span *spans = layout->spans;
    enum suit best = SUITS;
    for (int i = 0; i < group.first; i++)
        if (holds(&spans[i], &spans[group.first]) &&
            suit_of(layout, group, spans[i].rank) < best)
            best = suit_of(layout, group, spans[i].rank);
    int last = -1;
    for (int i = group.first; i < group.end && best != SUITS; i++) {
        spans[i].holder = find_own_holder(layout, &spans[i]);
        if (spans[i].holder >= 0)
            continue;
        do
            last = (last + 1) % group.first;
        while (!holds(&spans[last], &spans[i]) ||
               suit_of(layout, group, spans[last].rank) != best);
        spans[i].holder = last;
    }
}

void pdgemm_set_holders(struct pdgemm_layout *layout)
{
    for (int i = 0; i < layout->nspans; i = layout->spans[i].group.end)
        if (layout->spans[i].turn == 1 && !layout->partition->overlap)
            deal_holders(layout, layout->spans[i].group);
}
