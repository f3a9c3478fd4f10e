/* SPDX-License-Identifier: BSD-3-Clause */
/* Which pieces of A and B pass between ranks in each phase. */
#include "pieces.h"

static struct mt_partition_range common(struct mt_partition_range a,
                                        struct mt_partition_range b)
{
    return (struct mt_partition_range){a.first > b.first ? a.first : b.first,
                                       a.end < b.end ? a.end : b.end};
}

struct visit {
    pdgemm_visit function;
    void *context;
};

/* The place of a rank in the group, or where it would be. */
static int place_in(const struct pdgemm_layout *layout, struct mt_partition_range group,
                    int rank)
{
    int place = 0;
    while (place < pdgemm_size(group) &&
           layout->needs.spans[group.first + place].rank < rank)
        place++;
    return place;
}

/* The members of a piece: its owner, and the other ranks of the group. */
struct members {
    const struct mt_partition_span *spans; /* of the group */
    int count;
    int owner, place; /* the owner's place, if it is in the group; or else its end */
};

static struct members members_of(const struct pdgemm_layout *layout, int span,
                                 int owner)
{
    const struct mt_partition_range group = layout->needs.spans[span].group;
    const int size = pdgemm_size(group), place = place_in(layout, group, owner);
    const struct mt_partition_span *spans = &layout->needs.spans[group.first];
    const bool inside = place < size && spans[place].rank == owner;
    return (struct members){spans, inside ? size : size + 1, owner,
                            inside ? place : size};
}

/* The place in the group of a member other than the owner; and the member at a
   place. */
static int place_of(const struct members *members, int member)
{
    return member - 1 < members->place ? member - 1 : member;
}

static int member_at(const struct members *members, int place)
{
    return place < members->place ? place + 1 : place;
}

static int rank_of(const struct members *members, int member)
{
    return member == 0 ? members->owner
                       : members->spans[place_of(members, member)].rank;
}

/* The part of a span in a tile of the partition, which is its owner's `block`-th. */
static struct pdgemm_piece piece_of(const struct pdgemm_layout *layout, int span,
                                    int phase, int tile, int block)
{
    const struct mt_partition_span *its = &layout->needs.spans[span];
    const struct pdgemm_area wanted = pdgemm_span_area(layout, its, phase);
    const struct pdgemm_area *there = &layout->areas[its->operand][tile];
    const int owner = layout->partition->tiles[tile].rank;
    return (struct pdgemm_piece){.span = span,
                                 .owner = owner,
                                 .from = owner,
                                 .to = its->rank,
                                 .block = block,
                                 .holder = -1,
                                 .home = *there,
                                 .area = {common(wanted.rows, there->rows),
                                          common(wanted.columns, there->columns)}};
}

/* The part of a phase's operand that a span holds in the step's turn 0. */
static struct pdgemm_area held_area(const struct pdgemm_layout *layout, int holder,
                                    int phase)
{
    const int first = phase - phase % (1 + layout->partition->subpanels);
    return pdgemm_span_area(layout, &layout->needs.spans[holder], first);
}

/* Set a piece's source to the span's holder. */
static void take_from_holder(const struct pdgemm_layout *layout, int phase,
                             struct pdgemm_piece *piece)
{
    piece->holder = layout->needs.spans[piece->span].holder;
    piece->owner = piece->from = layout->needs.spans[piece->holder].rank;
    piece->home = held_area(layout, piece->holder, phase);
}

/* Visit the whole of an own span, which the rank holds. */
static int visit_held(const struct pdgemm_layout *layout, int span, int phase,
                      const struct visit *visit)
{
    const struct mt_partition_span *its = &layout->needs.spans[span];
    struct pdgemm_piece piece = {.span = span,
                                 .to = its->rank,
                                 .block = -1,
                                 .area = pdgemm_span_area(layout, its, phase)};
    take_from_holder(layout, phase, &piece);
    return pdgemm_is_empty(&piece.area) ? 0 : visit->function(visit->context, &piece);
}

/* Visit a piece of an own span. */
static int visit_receive(const struct pdgemm_layout *layout, int phase,
                         struct pdgemm_piece *piece, const struct visit *visit)
{
    if (pdgemm_is_empty(&piece->area))
        return 0;
    if (piece->owner != layout->rank && layout->needs.spans[piece->span].holder >= 0) {
        take_from_holder(layout, phase, piece);
    } else if (piece->owner != layout->rank) {
        const struct members members = members_of(layout, piece->span, piece->owner);
        const int place = piece->span - layout->needs.spans[piece->span].group.first;
        piece->from =
            rank_of(&members,
                    mt_partition_parent(layout->partition, member_at(&members, place)));
    }
    return visit->function(visit->context, piece);
}

static int receive_span(const struct pdgemm_layout *layout, int span, int phase,
                        const struct visit *visit)
{
    const int holder = layout->needs.spans[span].holder;
    if (holder >= 0 && layout->needs.spans[holder].rank == layout->rank)
        return visit_held(layout, span, phase, visit);
    int status = 0;
    for (int i = 0, blocks = 0; i < layout->partition->ntiles && status == 0; i++) {
        const bool own = layout->partition->tiles[i].rank == layout->rank;
        struct pdgemm_piece piece =
            piece_of(layout, span, phase, i, own ? blocks++ : -1);
        status = visit_receive(layout, phase, &piece, visit);
    }
    return status;
}

int pdgemm_visit_receives(const struct pdgemm_layout *layout, int phase,
                          pdgemm_visit function, void *context)
{
    const int turn = mt_partition_turn_of_phase(layout->partition, phase);
    const struct visit visit = {function, context};
    int status = 0;
    for (int i = 0; i < layout->needs.count && status == 0; i++)
        if (layout->needs.spans[i].rank == layout->rank &&
            layout->needs.spans[i].turn == turn)
            status = receive_span(layout, i, phase, &visit);
    return status;
}

/* Visit the piece for each child of a member, the last one first. */
static int visit_children(const struct pdgemm_layout *layout,
                          const struct pdgemm_piece *piece,
                          const struct members *members, int member,
                          const struct visit *visit)
{
    const int first = layout->needs.spans[piece->span].group.first;
    int status = 0;
    for (int i = members->count - 1; i > member && status == 0; i--) {
        struct pdgemm_piece sent = *piece;
        sent.span = first + place_of(members, i);
        sent.from = layout->rank;
        sent.to = layout->needs.spans[sent.span].rank;
        if (mt_partition_parent(layout->partition, i) == member)
            status = visit->function(visit->context, &sent);
    }
    return status;
}

int pdgemm_visit_forwards(const struct pdgemm_layout *layout,
                          const struct pdgemm_piece *piece, pdgemm_visit function,
                          void *context)
{
    if (piece->holder >= 0)
        return 0;
    const struct members members = members_of(layout, piece->span, piece->owner);
    const int place = piece->span - layout->needs.spans[piece->span].group.first;
    return visit_children(layout, piece, &members, member_at(&members, place),
                          &(struct visit){function, context});
}

/* Visit the pieces of own blocks for the group that begins with the span. */
static int send_group(const struct pdgemm_layout *layout, int span, int phase,
                      const struct visit *visit)
{
    const struct members members = members_of(layout, span, layout->rank);
    int status = 0;
    for (int i = 0; i < layout->ntiles && status == 0; i++) {
        const struct pdgemm_piece piece =
            piece_of(layout, span, phase, layout->tiles[i].place, i);
        if (!pdgemm_is_empty(&piece.area))
            status = visit_children(layout, &piece, &members, 0, visit);
    }
    return status;
}

/* Visit the pieces that the calling rank sends to the span, except those in blocks of
   the span's own rank. */
static int send_held(const struct pdgemm_layout *layout, int span, int phase,
                     const struct visit *visit)
{
    const struct mt_partition_span *its = &layout->needs.spans[span];
    int status = 0;
    for (int i = 0; i < layout->partition->ntiles && status == 0; i++) {
        struct pdgemm_piece piece = piece_of(layout, span, phase, i, -1);
        if (piece.owner == its->rank || pdgemm_is_empty(&piece.area))
            continue;
        take_from_holder(layout, phase, &piece);
        status = visit->function(visit->context, &piece);
    }
    return status;
}

static int send_group_held(const struct pdgemm_layout *layout,
                           struct mt_partition_range group, int phase,
                           const struct visit *visit)
{
    int status = 0;
    for (int i = group.first; i < group.end && status == 0; i++) {
        const struct mt_partition_span *span = &layout->needs.spans[i];
        if (layout->needs.spans[span->holder].rank == layout->rank &&
            span->rank != layout->rank)
            status = send_held(layout, i, phase, visit);
    }
    return status;
}

int pdgemm_visit_sends(const struct pdgemm_layout *layout, int phase,
                       pdgemm_visit function, void *context)
{
    const int turn = mt_partition_turn_of_phase(layout->partition, phase);
    const struct visit visit = {function, context};
    int status = 0;
    for (int i = 0; i < layout->needs.count && status == 0;
         i = layout->needs.spans[i].group.end)
        if (layout->needs.spans[i].turn == turn)
            status = layout->needs.spans[i].holder >= 0
                         ? send_group_held(layout, layout->needs.spans[i].group, phase,
                                           &visit)
                         : send_group(layout, i, phase, &visit);
    return status;
}
