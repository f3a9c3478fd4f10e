/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transit.h - messages in transit at the same time, and how long each takes as others
 * come and go.
 *
 * A shared bus or switch gives each message an equal part of its room. If it is known
 * who meets whom, each switch of a multistage network, or each trunk in each direction,
 * does so, and the fullest one on a message's way counts. With half duplex, a message
 * is twice as fast while its sender receives nothing and its receiver sends nothing.
 */
#ifndef MT_TRANSIT_H
#define MT_TRANSIT_H

#include "meeting.h"

#include <stdbool.h>

/* Messages at the same time, and stages of a network of MT_MOST_MEETING_RANKS nodes. */
enum { MT_MOST_IN_TRANSIT = 512, MT_MOST_STAGES = 12 };

struct mt_transit {
    int count;        /* messages that there may be, numbered from 0 on */
    double room;      /* messages that are as fast together as alone */
    bool half_duplex; /* processes of a ring: neighbouring messages share connections */
    const struct mt_wiring *wiring; /* if it is counted who meets whom; else NULL */
    int block;   /* of a multistage network: mt_power_of() its ports and nodes */
    int nstages; /* stages, one switch of each on a message's way; trunks: 2, out and
                    in */
    double now;  /* seconds */
    double progress; /* seconds in transit of a message that always has an equal part of
                        the room */
    int under_way;
    double load;                      /* the sum of their speeds */
    double left[MT_MOST_IN_TRANSIT];  /* seconds of a message alone, at `since` */
    double since[MT_MOST_IN_TRANSIT]; /* of `progress` */
    double speed[MT_MOST_IN_TRANSIT]; /* relative to that of an equal part; 0: not under
                                         way */
    double ends[MT_MOST_IN_TRANSIT];  /* at that progress */
    short queue[MT_MOST_IN_TRANSIT];  /* a heap, the first to end on top */
    short place[MT_MOST_IN_TRANSIT];  /* in the queue */
    short passes[MT_MOST_STAGES][MT_MOST_IN_TRANSIT]; /* which of a stage; -1: none */
    short next[MT_MOST_STAGES][MT_MOST_IN_TRANSIT];   /* 1 + that in the same switch */
    short first[MT_MOST_STAGES][MT_MOST_MEETING_RANKS]; /* 1 + that in a switch, or 0 */
    short inside[MT_MOST_STAGES][MT_MOST_MEETING_RANKS]; /* how many are */
};

/* Count who meets whom, in a multistage network or behind several switches, of at most
   MT_MOST_MEETING_RANKS nodes. The struct has been zeroed, and then count and room were
   set. */
void mt_transit_count(struct mt_transit *transit, const struct mt_wiring *wiring);
/* Let message i, which is not under way, start; alone it needs `seconds`. */
void mt_transit_begin(struct mt_transit *transit, int i, double seconds, int sender,
                      int receiver);
/* The message that arrives next; -1: none is under way. */
int mt_transit_next(const struct mt_transit *transit);
/* When that is. */
double mt_transit_arrival(const struct mt_transit *transit);
/* Let time pass, up to the next arrival. */
void mt_transit_go_on(struct mt_transit *transit, double until);
/* It has arrived. */
void mt_transit_end(struct mt_transit *transit, int i);

#endif
