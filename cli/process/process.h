/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * process.h - start programs and watch them: their output, their time-outs, and the
 * signals that ask motley itself to stop.
 *
 * A program gets a process group of its own, /dev/null as its input, and one pipe for
 * all its output. When it ends or is stopped, its whole group is killed, so that
 * nothing is left behind; if it was killed, so are processes that left the group. If
 * motley is killed, its guard does all that (scratch.h). A launcher that waits for its
 * nodes (its job is pending) starts its program when it has them; one that says that it
 * cannot get them is stopped.
 */
#ifndef MT_CLI_PROCESS_H
#define MT_CLI_PROCESS_H

#include "clock.h"
#include "lib/base/text.h"
#include "motley/error.h"
#include "output.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

enum { MT_WATCHED_SIGNALS = 7 };

/* Signals while programs run: SIGCHLD; SIGINT, SIGQUIT, SIGTERM and SIGHUP, which ask
   motley to stop; SIGPIPE, which must not end it; and SIGCONT, which shows that it was
   stopped. An inner watch gets all signals. */
struct mt_watch {
    int pipe[2];     /* to which the handler writes signals */
    int pipe_before; /* that of the watch around it; -1: none */
    struct sigaction before[MT_WATCHED_SIGNALS];
    int interrupted; /* the signal that asked motley to stop; 0: none */
    int times;       /* how often one did */
    bool resumed;    /* motley was stopped and continues */
};

/* A program that runs or has ended. Zero it, set the members of the first part, and
   start it. */
struct mt_process {
    char *const *argv;         /* borrowed; the first is looked for on PATH */
    char *const *env;          /* borrowed; "NAME=value" added to motley's; or NULL */
    const char *folder;        /* borrowed; where it runs; NULL: where motley does */
    double timeout;            /* seconds; 0: none */
    struct mt_pending pending; /* set its phrases: waiting time does not count */
    int echo;     /* a descriptor for a copy of the output, cleaned for a terminal; 0:
                     none */
    int messages; /* a descriptor for its stderr, which is then not part of
                     its output; 0: none */
    struct mt_output output; /* set its pattern */

    struct mt_text_cleaner cleaner;
    pid_t pid;               /* 0: does not run */
    int number;              /* of its record; 0: no session, so none */
    int pipe;                /* from the program; -1: closed */
    bool waits;              /* it waits for its nodes */
    double spawned, started; /* on mt_clock(): of the process, and of the job after
                                pending */
    double stop_at; /* when to ask it to end because it waits in vain; 0: never */
    double kill_at; /* when to kill the group after asking it to end; 0: not asked */

    bool refused; /* see mt_process_start() */

    /* Valid once it has ended: */
    bool ended;
    bool timed_out;
    int exit_code;  /* when `signal` is 0 */
    int signal;     /* that killed it; 0: none */
    double wall;    /* seconds from start to end, without what was pending */
    double elapsed; /* with it */
    bool overslept; /* motley was stopped when it ended: both times are too long */
};

/* Programs are started and waited for between these two. */
MT_MUST_CHECK int mt_watch_begin(struct mt_watch *watch, struct mt_error *err);
void mt_watch_end(struct mt_watch *watch);

/* MT_ENOTFOUND, MT_EIO: it could not be started; the reason says why. `refused`: the
   system refused this program; otherwise the program is not to blame. */
MT_MUST_CHECK int mt_process_start(struct mt_process *process, struct mt_error *err);
/* Ask a program to end; after a few seconds it is killed, in mt_watch_wait(). A second
   call kills it at once. */
void mt_process_stop(struct mt_process *process);
/* The same of all that run; NULL entries are skipped. */
void mt_processes_stop(struct mt_process **processes, int count);

/*
 * Wait until at least one of the running `processes` (NULL entries are skipped) has
 * ended, motley is asked to stop, or `seconds` have passed. Reads what they print,
 * stops those that exceed their time-out.
 */
MT_MUST_CHECK int mt_watch_wait(struct mt_watch *watch, struct mt_process **processes,
                                int count, double seconds, struct mt_error *err);

/* Wait until all have ended. Stops them each time that motley is asked to stop. */
MT_MUST_CHECK int mt_watch_all(struct mt_watch *watch, struct mt_process **processes,
                               int count, struct mt_error *err);

/* Run one program to its end. `*interrupted` is the signal that asked motley to stop
   and ended the program, or 0. */
MT_MUST_CHECK int mt_process_run(struct mt_process *process, int *interrupted,
                                 struct mt_error *err);

#endif
