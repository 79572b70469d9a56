/* A periodic run as it is seen: bodies in the cell, those that reach through one of its ends again at the other, and the cell's outline. They are bodies
 * like others to what draws: one that is no more than a copy is not there while it is not needed. */
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "record/replay.h"

static bool is_periodic(const tl_replay *r, int direction) { return r->cell[direction][1] > r->cell[direction][0]; }
static double length_of(const tl_replay *r, int direction) { return r->cell[direction][1] - r->cell[direction][0]; }

/* Of each frame the offset of the next copy across, and its velocity. */
static bool read_shear(tl_replay *r)
{
    hsize_t shape[3];
    if (H5Lexists(r->file, "shear", H5P_DEFAULT) <= 0) return true;
    int32_t *direction = tl_h5_read(r->file, "shear", H5T_NATIVE_INT32, shape);
    bool done = direction && shape[0] == 2 && shape[1] == 1;
    for (int i = 0; done && i < 2; i++) done = direction[i] >= 0 && direction[i] < 3 && is_periodic(r, direction[i]);
    if (done) r->along = direction[0], r->across = direction[1];
    free(direction);
    done = done && r->along != r->across;
    if (done) r->slide = tl_h5_read(r->file, "frames/slide", H5T_NATIVE_DOUBLE, shape);
    done = done && r->slide && shape[0] >= (hsize_t)r->frames && shape[1] == 2;
    for (int i = 0; done && i < 2 * r->frames; i++) done = isfinite(r->slide[i]);
    return done;
}

bool tl_replay_read_cell(tl_replay *r)
{
    hsize_t shape[3];
    if (H5Lexists(r->file, "cell", H5P_DEFAULT) <= 0) return true; /* nothing is periodic, or an older file */
    double *ends = tl_h5_read(r->file, "cell", H5T_NATIVE_DOUBLE, shape);
    bool done = ends && shape[0] == 3 && shape[1] == 2;
    for (int i = 0; done && i < 6; i++) done = isfinite(ends[i]);
    for (int i = 0; done && i < 3; i++) {
        r->cell[i][0] = ends[2 * i], r->cell[i][1] = ends[2 * i + 1];
        done = ends[2 * i + 1] >= ends[2 * i];
    }
    free(ends);
    return done && read_shear(r);
}

/* Farthest point of each body from its origin; −1: it has no end, and stands where it is. */
static void measure_reach(const tl_replay *r, double *reach)
{
    for (int i = 0; i < r->shapes; i++) {
        const tl_replay_shape *s = &r->shape[i];
        double *own = &reach[s->body];
        if (s->kind == REPLAY_HALF_PLANE || s->kind == REPLAY_HALF_SPACE) *own = -1;
        for (int k = 0; k < s->points && *own >= 0; k++) *own = fmax(*own, tl_norm(tl_load3(r->point[s->first_point + k])) + s->radius);
    }
}

/* Grains whose shapes are about their origin have a box by their reach, others that of their points. */
static bool is_about_origin(const tl_replay *r, int body) { return tl_replay_is_grain(r, body) && !r->beside[body]; }

static void find_beside(const tl_replay *r, bool *beside)
{
    static const double FAR = 0.25; /* of the reach: of the middle of a shape from the origin */
    for (int i = 0; i < r->shapes; i++) {
        const tl_replay_shape *s = &r->shape[i];
        tl_vec3 sum = {0, 0, 0};
        for (int k = 0; k < s->points; k++) sum = tl_add(sum, tl_load3(r->point[s->first_point + k]));
        if (tl_norm(sum) > FAR * s->points * r->reach[s->body]) beside[s->body] = true;
    }
}

/* Links that hang together are wrapped as one: the first of them stands for all. */
static void find_groups(const tl_replay *r, int32_t *group)
{
    for (int i = 0; i < r->own; i++) group[i] = i;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < r->joints; i++) {
            const int a = r->joint[i].body[0], b = r->joint[i].body[1];
            if (a < 0 || b < 0 || !r->body[a].link || !r->body[b].link || group[a] == group[b]) continue;
            group[a] = group[b] = group[a] < group[b] ? group[a] : group[b];
            more = true;
        }
    }
}

/* From where to where every body reaches, world axes: of grains by their reach, of others by their points. Without shapes: its origin. */
static void measure_boxes(const tl_replay *r, const tl_replay_frame *f, double (*box)[2][3])
{
    for (int i = 0; i < r->own; i++) {
        const double rim = is_about_origin(r, i) && r->reach[i] > 0 ? r->reach[i] : 0;
        for (int c = 0; c < 3; c++) box[i][0][c] = f->pose[i][c] - rim, box[i][1][c] = f->pose[i][c] + rim;
    }
    for (int i = 0, last = -1; i < r->own_shapes; i++) {
        const tl_replay_shape *s = &r->shape[i];
        if (is_about_origin(r, s->body) || r->reach[s->body] < 0) continue;
        double(*own)[3] = box[s->body], x[3];
        for (int c = 0; c < 3 && last != s->body; c++) own[0][c] = (double)INFINITY, own[1][c] = -(double)INFINITY;
        for (int k = 0; k < s->points; k++) {
            tl_replay_to_world(f, s->body, r->point[s->first_point + k], x);
            for (int c = 0; c < 3; c++) own[0][c] = fmin(own[0][c], x[c] - s->radius), own[1][c] = fmax(own[1][c], x[c] + s->radius);
        }
        last = s->body;
    }
}

/* ---- copies ---------------------------------------------------------------------------------------------------------- */

static int directions(const tl_replay *r) { return is_periodic(r, 0) + is_periodic(r, 1) + is_periodic(r, 2); }

/* Every body that may be wrapped has a copy for every set of ends through which it may reach. */
static bool add_copies(tl_replay *r)
{
    const int each = (1 << directions(r)) - 1;
    int wrapped = 0, shapes = r->shapes, bodies = r->own;
    for (int i = 0; i < r->own; i++) wrapped += r->reach[i] >= 0;
    r->copy = calloc((size_t)(wrapped * each) + 1, sizeof *r->copy);
    r->first_copy = calloc((size_t)r->own + 1, sizeof *r->first_copy);
    tl_replay_body *body = realloc(r->body, ((size_t)r->own + (size_t)(wrapped * each) + 2) * sizeof *body);
    if (body) r->body = body;
    tl_replay_shape *shape = realloc(r->shape, ((size_t)r->shapes * (size_t)(each + 1) + 16) * sizeof *shape);
    if (shape) r->shape = shape;
    if (!r->copy || !r->first_copy || !body || !shape) return false;
    for (int i = 0; i < r->own; i++) {
        r->first_copy[i] = bodies;
        for (int k = 0; r->reach[i] >= 0 && k < each; k++) {
            r->copy[bodies - r->own] = i;
            r->body[bodies] = r->body[i];
            r->body[bodies].name = "";
            if (r->body[i].link) r->body[bodies].kind = TALUS_BODY_IMPOSED, r->body[bodies].link = false; /* joints know the link alone */
            bodies++;
        }
    }
    for (int i = 0; i < r->shapes; i++)
        for (int k = 0; r->reach[r->shape[i].body] >= 0 && k < each; k++) {
            r->shape[shapes] = r->shape[i];
            r->shape[shapes++].body = r->first_copy[r->shape[i].body] + k;
        }
    r->bodies = bodies, r->shapes = shapes;
    return true;
}

/* Which of three directions comes at which turn: that across which copies slide comes first, for they then lie elsewhere along. */
static int in_turn(const tl_replay *r, int turn) { return r->slide ? (r->across + turn) % 3 : turn; }

/* By so many cells in a direction; across, a copy of a sheared cell lies elsewhere along, too, and moves. */
static void go_on(const tl_replay *r, const tl_replay_frame *f, int direction, double cells, double shift[3], double *faster)
{
    shift[direction] += cells * length_of(r, direction);
    if (!r->slide || direction != r->across) return;
    shift[r->along] += cells * f->offset;
    *faster += cells * f->slide;
}

/* Where the copies of a wrapped body stand: the set of ends is the copy's number in bits, of the directions. */
static void place_copies(const tl_replay *r, tl_replay_frame *f, int body, double box[2][3])
{
    const int each = (1 << directions(r)) - 1;
    for (int k = 1; k <= each; k++) {
        const int copy = r->first_copy[body] + k - 1;
        bool there = tl_replay_is_there(f, body);
        double shift[3] = {0}, faster = 0;
        for (int turn = 0, i; turn < 3; turn++) {
            i = in_turn(r, turn);
            int bit = 0;
            for (int c = 0; c < i; c++) bit += is_periodic(r, c);
            if (!is_periodic(r, i)) continue;
            const double middle = 0.5 * (box[0][i] + box[1][i]) + shift[i];
            if (shift[i] != 0) go_on(r, f, i, -floor((middle - r->cell[i][0]) / length_of(r, i)), shift, &faster); /* slid out of the cell */
            if (!(k >> bit & 1)) continue;
            const double below = r->cell[i][0] - box[0][i] - shift[i], above = box[1][i] + shift[i] - r->cell[i][1];
            go_on(r, f, i, below > above ? 1 : -1, shift, &faster);
            there = there && fmax(below, above) > 1e-9 * length_of(r, i);
        }
        memcpy(f->pose[copy], f->pose[body], sizeof f->pose[copy]);
        memcpy(f->velocity[copy], f->velocity[body], sizeof f->velocity[copy]);
        for (int c = 0; c < 3; c++) f->pose[copy][c] += shift[c];
        f->velocity[copy][r->along] += faster;
        f->kind[copy] = !there ? 3 : r->body[body].link ? r->body[copy].kind : f->kind[body];
    }
}

/* Bodies are moved, so that the middle of each, or that of the links that hang together, is in the cell. */
static void wrap(const tl_replay *r, tl_replay_frame *f, double (*box)[2][3], double (*shift)[3])
{
    for (int turn = 0; turn < 3; turn++) {
        const int c = in_turn(r, turn);
        if (!is_periodic(r, c)) continue;
        for (int i = r->own - 1; i >= 0; i--) { /* the boxes of all to the first of their group */
            double(*first)[3] = box[r->group[i]];
            if (r->group[i] == i) continue;
            first[0][c] = fmin(first[0][c], box[i][0][c]), first[1][c] = fmax(first[1][c], box[i][1][c]);
        }
        for (int i = 0; i < r->own; i++) {
            const double(*first)[3] = (const double(*)[3])box[r->group[i]];
            if (r->reach[i] < 0) continue;
            double faster = 0;
            go_on(r, f, c, -floor((0.5 * (first[0][c] + first[1][c]) + shift[i][c] - r->cell[c][0]) / length_of(r, c)), shift[i], &faster);
            f->velocity[i][r->along] += faster;
        }
    }
    for (int i = 0; i < r->own; i++)
        for (int c = 0; c < 3; c++) f->pose[i][c] += shift[i][c];
}

/* Of a body and its copies the one that is nearest to x. */
static int nearest(const tl_replay *r, const tl_replay_frame *f, int body, const double x[3])
{
    int best = body;
    double least = tl_norm(tl_sub(tl_load3(f->pose[body]), tl_load3(x)));
    for (int k = 0; r->reach[body] >= 0 && k < (1 << directions(r)) - 1; k++) {
        const int copy = r->first_copy[body] + k;
        const double away = tl_norm(tl_sub(tl_load3(f->pose[copy]), tl_load3(x)));
        if (away < least * (1 - 1e-9)) best = copy, least = away;
    }
    return best;
}

/* A point lies beside the antagonist as it has gone, or a copy of the candidate: here beside a grain as it is seen, for these are small. */
static void see_contacts(const tl_replay *r, tl_replay_frame *f)
{
    for (int i = 0; i < f->contacts; i++) {
        const int a = f->body[i][1], b = f->body[i][0], of = tl_replay_is_grain(r, a) || r->reach[b] < 0 ? a : b;
        for (int turn = 0; turn < 3 && r->reach[of] >= 0; turn++) {
            const int c = in_turn(r, turn);
            double ignored = 0;
            if (is_periodic(r, c)) go_on(r, f, c, nearbyint((f->pose[of][c] - f->point[i][c]) / length_of(r, c)), f->point[i], &ignored);
        }
        for (int k = 0; k < 2; k++) f->body[i][k] = nearest(r, f, f->body[i][k], f->point[i]);
    }
}

bool tl_replay_see(const tl_replay *r, tl_replay_frame *f)
{
    if (!r->reach) return true;
    int32_t *kind = realloc(f->kind, ((size_t)r->bodies + 1) * sizeof *kind);
    double(*box)[2][3] = calloc((size_t)r->own + 1, sizeof *box), (*shift)[3] = calloc((size_t)r->own + 1, sizeof *shift);
    const bool done = kind && box && shift;
    if (kind) f->kind = kind;
    if (done) measure_boxes(r, f, box), wrap(r, f, box, shift);
    for (int i = 0; done && i < r->own && !r->stored_kinds; i++) kind[i] = r->body[i].kind;
    if (done) measure_boxes(r, f, box);
    for (int i = 0; done && i < r->own; i++)
        if (r->reach[i] >= 0) place_copies(r, f, i, box[i]);
    if (done && r->outline >= 0) {
        kind[r->outline] = TALUS_BODY_FIXED;
        memcpy(f->pose[r->outline], (const double[7]){0, 0, 0, 1, 0, 0, 0}, sizeof f->pose[0]);
        memset(f->velocity[r->outline], 0, sizeof f->velocity[0]);
    }
    if (done) see_contacts(r, f);
    free(box), free(shift);
    return done;
}

/* ---- the outline ----------------------------------------------------------------------------------------------------- */

/* Where grains are, at first and in the end. */
static talus_status measure(const tl_replay *r, double low[3], double high[3], tl_error *error)
{
    tl_replay_frame frame = {0};
    double(*box)[2][3] = calloc((size_t)r->own + 1, sizeof *box);
    talus_status status = box ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "memory ran out");
    for (int i = 0; i < 3; i++) low[i] = (double)INFINITY, high[i] = -(double)INFINITY;
    for (int k = 0; k < 2 && status == TALUS_OK; k++) {
        status = tl_replay_read(r, k * (r->frames - 1), &frame, error);
        if (status == TALUS_OK) measure_boxes(r, &frame, box);
        for (int i = 0; status == TALUS_OK && i < r->own; i++)
            for (int c = 0; c < 3 && tl_replay_is_grain(r, i); c++) low[c] = fmin(low[c], box[i][0][c]), high[c] = fmax(high[c], box[i][1][c]);
    }
    tl_replay_frame_free(&frame);
    free(box);
    for (int i = 0; i < 3; i++) {
        if (is_periodic(r, i)) low[i] = r->cell[i][0], high[i] = r->cell[i][1];
        if (!(high[i] >= low[i])) low[i] = high[i] = 0;
    }
    return status;
}

/* An edge for every corner of the cell's section, where that lies in an end of the cell. */
static bool add_outline(tl_replay *r, const double low[3], const double high[3])
{
    const int axes = r->dimension;
    const double thin = 0.0015 * fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
    double(*point)[3] = realloc(r->point, ((size_t)r->points + 24) * sizeof *point);
    if (!point) return false;
    r->point = point;
    for (int along = 0; along < axes; along++) {
        const int u = (along + 1) % axes, v = axes == 3 ? (along + 2) % 3 : u;
        if (!is_periodic(r, u) && !is_periodic(r, v)) continue;
        for (int corner = 0; corner < (axes == 3 ? 4 : 2); corner++) {
            r->shape[r->shapes++] = (tl_replay_shape){.body = r->outline,
                                                      .kind = axes == 3 ? REPLAY_CAPSULE : REPLAY_SEGMENT,
                                                      .material = -1,
                                                      .first_point = r->points,
                                                      .points = 2,
                                                      .radius = axes == 3 ? thin : 0};
            for (int end = 0; end < 2; end++) {
                double *x = r->point[r->points++];
                memset(x, 0, sizeof *r->point);
                x[along] = end ? high[along] : low[along];
                x[u] = corner & 1 ? high[u] : low[u];
                if (v != u) x[v] = corner & 2 ? high[v] : low[v];
            }
        }
    }
    return true;
}

talus_status tl_replay_wrap(tl_replay *r, tl_error *error)
{
    double low[3], high[3];
    if (directions(r) == 0) return TALUS_OK;
    r->reach = calloc((size_t)r->own + 2, sizeof *r->reach);
    if (!r->reach) return tl_fail(error, TALUS_MEMORY, "memory ran out");
    r->group = calloc((size_t)r->own + 1, sizeof *r->group);
    r->beside = calloc((size_t)r->own + 1, sizeof *r->beside);
    r->own_shapes = r->shapes;
    if (!r->group || !r->beside) return tl_fail(error, TALUS_MEMORY, "memory ran out");
    measure_reach(r, r->reach);
    find_beside(r, r->beside);
    find_groups(r, r->group);
    if (!add_copies(r)) return tl_fail(error, TALUS_MEMORY, "memory ran out");
    r->kinds = true;
    TL_TRY(measure(r, low, high, error));
    r->outline = r->bodies;
    r->body[r->bodies++] = (tl_replay_body){.name = "cell", .kind = TALUS_BODY_FIXED};
    return add_outline(r, low, high) ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "memory ran out");
}

void tl_replay_share(const tl_replay *r, double *value)
{
    const int copies = r->outline >= 0 ? r->outline : r->bodies;
    for (int i = r->own; i < copies; i++) value[r->copy[i - r->own]] = fmax(value[r->copy[i - r->own]], value[i]);
    for (int i = r->own; i < copies; i++) value[i] = value[r->copy[i - r->own]];
}
