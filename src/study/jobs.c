/* Jobs side by side, one process each. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "study/study.h"

typedef struct job_list {
    pid_t *process; /* [count] 0: not begun, −1: ended */
    int *code;
    int count, begun, running;
    sigset_t awaited, before; /* signals: those that are waited for; the mask as it was */
} job_list;

static int exit_code(int status)
{
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : 255;
}

/* Begins the next job; false: no process could be made. It is a process group of its own, so that an interrupt from the terminal reaches it through
 * this process, and once: a second one would end a run before it saved its state. */
static bool begin(job_list *l, int (*job)(void *, int), void *context)
{
    const int i = l->begun;
    fflush(NULL); /* what is buffered must not be written twice */
    const pid_t process = fork();
    if (process < 0) return false;
    if (process == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* nobody would wait for it */
        signal(SIGINT, SIG_DFL);
        sigprocmask(SIG_SETMASK, &l->before, NULL);
        const int code = job(context, i);
        fflush(NULL);
        _exit(code);
    }
    l->process[i] = process;
    l->begun++;
    l->running++;
    return true;
}

/* A job that has ended: its index; −1: none has. */
static int take_ended(job_list *l)
{
    int status;
    const pid_t process = waitpid(-1, &status, WNOHANG);
    for (int i = 0; process > 0 && i < l->begun; i++)
        if (l->process[i] == process) {
            l->process[i] = -1;
            l->code[i] = exit_code(status);
            l->running--;
            return i;
        }
    return -1;
}

/* Waits for one job to end: its index; −1 when this process was interrupted instead: then all jobs are, too. */
static int wait_for_one(job_list *l)
{
    for (;;) {
        const int i = take_ended(l);
        if (i >= 0) return i;
        const int got = sigwaitinfo(&l->awaited, NULL);
        if (got != SIGINT && got != SIGTERM && got != SIGHUP) continue;
        for (int k = 0; k < l->begun; k++)
            if (l->process[k] > 0) kill(l->process[k], SIGINT);
        return -1;
    }
}

talus_status tl_jobs_run(const tl_jobs *jobs, int *code, tl_error *error)
{
    const int count = jobs->count;
    job_list l = {.process = calloc((size_t)count + 1, sizeof *l.process), .code = code, .count = count};
    if (!l.process) return tl_fail(error, TALUS_MEMORY, "memory ran out");
    talus_status status = TALUS_OK;
    bool stopped = false;
    sigemptyset(&l.awaited);
    sigaddset(&l.awaited, SIGINT);
    sigaddset(&l.awaited, SIGTERM);
    struct sigaction hang_up;
    if (sigaction(SIGHUP, NULL, &hang_up) == 0 && hang_up.sa_handler != SIG_IGN) sigaddset(&l.awaited, SIGHUP); /* unless under nohup */
    sigaddset(&l.awaited, SIGCHLD);
    sigprocmask(SIG_BLOCK, &l.awaited, &l.before); /* they wait until they are asked for: none is lost between two looks */
    for (int i = 0; i < count; i++) code[i] = 130;
    while (l.running > 0 || (!stopped && l.begun < count)) {
        if (!stopped && l.begun < count && l.running < jobs->parallel) {
            if (begin(&l, jobs->job, jobs->context)) continue;
            stopped = true;
            status = tl_fail(error, TALUS_IO, "cannot begin another process: %s", strerror(errno));
            continue;
        }
        const int i = wait_for_one(&l);
        if (i >= 0 && jobs->done) jobs->done(jobs->context, i, code[i]);
        if (i < 0 || code[i] == 130) stopped = true; /* a job that saved its state and stopped means that all are to */
    }
    sigprocmask(SIG_SETMASK, &l.before, NULL);
    free(l.process);
    return status;
}
