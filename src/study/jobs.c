/* Jobs side by side, one process each. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "study/study.h"

typedef struct job_list {
    pid_t *process; /* [count] 0: not begun, −1: ended */
    int *code;
    int count, begun, running;
} job_list;

static int exit_code(int status)
{
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : 255;
}

/* Begins the next job; false: no process could be made. */
static bool begin(job_list *l, int (*job)(void *, int), void *context)
{
    const int i = l->begun;
    fflush(NULL); /* what is buffered must not be written twice */
    const pid_t process = fork();
    if (process < 0) return false;
    if (process == 0) {
        const int code = job(context, i);
        fflush(NULL);
        _exit(code);
    }
    l->process[i] = process;
    l->begun++;
    l->running++;
    return true;
}

/* Waits for one job to end: its index; −1 when a signal came first. */
static int wait_for_one(job_list *l)
{
    int status;
    const pid_t process = waitpid(-1, &status, 0);
    for (int i = 0; process > 0 && i < l->begun; i++)
        if (l->process[i] == process) {
            l->process[i] = -1;
            l->code[i] = exit_code(status);
            l->running--;
            return i;
        }
    return -1;
}

talus_status tl_jobs_run(int count, int parallel, int (*job)(void *context, int index), void (*done)(void *context, int index, int code), void *context,
                         int *code, tl_error *error)
{
    job_list l = {.process = calloc((size_t)count + 1, sizeof *l.process), .code = code, .count = count};
    if (!l.process) return tl_fail(error, TALUS_MEMORY, "memory ran out");
    talus_status status = TALUS_OK;
    bool stopped = false;
    for (int i = 0; i < count; i++) code[i] = 130;
    while (l.running > 0 || (!stopped && l.begun < count)) {
        if (!stopped && l.begun < count && l.running < parallel) {
            if (begin(&l, job, context)) continue;
            stopped = true;
            status = tl_fail(error, TALUS_IO, "cannot begin another process: %s", strerror(errno));
            continue;
        }
        const int i = wait_for_one(&l);
        if (i >= 0 && done) done(context, i, code[i]);
        /* the terminal tells every process of an interrupt: a job that saved its state and stopped means that all are to */
        if (i >= 0 && code[i] == 130) stopped = true;
    }
    free(l.process);
    return status;
}
