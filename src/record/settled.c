/* The grains of a finished run as another scene's start: shapes and places from trajectory.h5, through the eyes of replay.h. */
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "record/replay.h"

struct talus_settled {
    tl_replay run;
    tl_replay_frame frame;
    int count, *body;  /* [count] which body of the run */
    int *first, *kept; /* [bodies + 1] where its shapes begin in `kept`; [shapes] by body */
};

/* Grains: free, no links, and without a name, which the generators do not give. */
static bool is_generated(const tl_replay *r, int body) { return tl_replay_is_grain(r, body) && r->body[body].name[0] == '\0'; }

static bool sort_shapes(talus_settled *s)
{
    const tl_replay *r = &s->run;
    s->body = calloc((size_t)r->bodies + 1, sizeof *s->body);
    s->first = calloc((size_t)r->bodies + 2, sizeof *s->first);
    s->kept = calloc((size_t)r->shapes + 1, sizeof *s->kept);
    if (!s->body || !s->first || !s->kept) return false;
    for (int i = 0; i < r->bodies; i++)
        if (is_generated(r, i) && tl_replay_is_there(&s->frame, i)) s->body[s->count++] = i;
    for (int k = 0; k < r->shapes; k++) s->first[r->shape[k].body + 2]++;
    for (int i = 0; i < r->bodies; i++) s->first[i + 2] += s->first[i + 1];
    for (int k = 0; k < r->shapes; k++) s->kept[s->first[r->shape[k].body + 1]++] = k;
    return true;
}

talus_status talus_settled_open(const char *directory, double time, talus_settled **out, char *message, size_t message_size)
{
    tl_error error = {0};
    if (!directory || !out) return TALUS_INPUT;
    *out = NULL;
    talus_settled *s = calloc(1, sizeof *s);
    if (!s) return TALUS_MEMORY;
    talus_status status = tl_replay_open(&s->run, directory, &error);
    if (status == TALUS_OK) status = tl_replay_read(&s->run, tl_replay_nearest(&s->run, time), &s->frame, &error);
    if (status == TALUS_OK && !sort_shapes(s)) status = tl_fail(&error, TALUS_MEMORY, "memory ran out");
    if (status == TALUS_OK && s->count == 0) status = tl_fail(&error, TALUS_INPUT, "the run in '%s' has no grains", directory);
    if (status == TALUS_OK) {
        *out = s;
        return status;
    }
    if (message) snprintf(message, message_size, "%s", error.text);
    talus_settled_close(s);
    return status;
}

void talus_settled_close(talus_settled *s)
{
    if (!s) return;
    if (s->run.bodies > 0) tl_replay_close(&s->run);
    tl_replay_frame_free(&s->frame);
    free(s->body);
    free(s->first);
    free(s->kept);
    free(s);
}

int talus_settled_dimension(const talus_settled *s) { return s->run.dimension; }
int talus_settled_count(const talus_settled *s) { return s->count; }

void talus_settled_body(const talus_settled *s, int index, talus_body_def *out)
{
    const double *pose = s->frame.pose[s->body[index]];
    *out = talus_body_def_default();
    memcpy(out->position, pose, sizeof out->position);
    memcpy(out->quaternion, pose + 3, sizeof out->quaternion);
    out->angle = s->run.dimension == 2 ? 2 * atan2(pose[6], pose[3]) : 0;
}

int talus_settled_shape_count(const talus_settled *s, int index)
{
    const int body = s->body[index];
    return s->first[body + 1] - s->first[body];
}

void talus_settled_shape(const talus_settled *s, int index, int k, talus_shape_def *out)
{
    static const talus_shape_kind KIND[REPLAY_KINDS] = {
        [REPLAY_DISK] = TALUS_SHAPE_DISK,        [REPLAY_SEGMENT] = TALUS_SHAPE_SEGMENT, [REPLAY_POLYGON] = TALUS_SHAPE_POLYGON,
        [REPLAY_SPHERE] = TALUS_SHAPE_SPHERE,    [REPLAY_CAPSULE] = TALUS_SHAPE_CAPSULE, [REPLAY_POLYHEDRON] = TALUS_SHAPE_POLYHEDRON,
        [REPLAY_CYLINDER] = TALUS_SHAPE_CYLINDER};
    const tl_replay_shape *from = &s->run.shape[s->kept[s->first[s->body[index]] + k]];
    *out = talus_shape_def_default();
    out->kind = from->kind < REPLAY_KINDS ? KIND[from->kind] : (talus_shape_kind)from->kind;
    out->radius = from->radius;
    out->rounding = from->rounding;
    out->continues = from->continues != 0;
    out->count = from->points;
    out->corners = (const double(*)[3])(s->run.point + from->first_point);
    if (from->defining > 0) {
        out->kind = (talus_shape_kind)from->own_kind;
        out->count = from->defining;
        out->corners = (const double(*)[3])(s->run.defining + from->first_defining);
    }
    for (int i = 0; i < out->count && i < TALUS_POLYGON_POINTS; i++) memcpy(out->points[i], out->corners[i], sizeof out->points[i]);
}
