/* The frames of a run as streams. Positions and angles are rounded to a step that the eye cannot see; rotations in space are coded as the rotation
 * since the last frame, from what the reader will have then, so that rounding does not add up. */
#include <stdlib.h>
#include <string.h>

#include "record/page.h"

enum { MOST = 1 << 30 };

static int32_t code(double x, double step)
{
    const double c = nearbyint(x / step);
    return c >= MOST ? MOST : c <= -MOST ? -MOST : c == c ? (int32_t)c : 0; /* what is not a number stays where it was born */
}

/* 0: none; else the octaves above 2^-TL_PAGE_OCTAVES of the reference, in parts. */
static int32_t force_code(const tl_page_level *level, double force, double reference)
{
    if (!(force > 0) || !(reference > 0)) return 0;
    const double c = nearbyint(level->force * (log2(force / reference) + TL_PAGE_OCTAVES));
    return c < 0 ? 1 : c < MOST ? 1 + (int32_t)c : MOST;
}

/* ---- what does not move ------------------------------------------------------------------------------------------------- */

static void pack_bodies(tl_pack *p, const tl_replay *r)
{
    uint8_t *role = calloc((size_t)r->bodies + 1, 1);
    double *mass = calloc((size_t)r->bodies + 1, sizeof *mass);
    p->failed = p->failed || !role || !mass;
    for (int i = 0; !p->failed && i < r->bodies; i++) {
        role[i] = r->body[i].link ? 3 : r->body[i].solid ? 4 : (uint8_t)r->body[i].kind;
        mass[i] = r->body[i].mass;
    }
    if (!p->failed) {
        tl_pack_bytes(p, "role", role, r->bodies);
        tl_pack_reals(p, "mass", mass, r->bodies, 23);
    }
    free(role);
    free(mass);
}

static void pack_faces(tl_pack *p, const tl_replay *r)
{
    const int corners = r->faces > 0 ? r->face_end[r->faces - 1] : 0;
    int32_t *sizes = malloc((size_t)r->faces * sizeof *sizes + 1), *corner = malloc((size_t)corners * sizeof *corner + 1);
    p->failed = p->failed || !sizes || !corner;
    for (int i = 0; !p->failed && i < r->faces; i++) sizes[i] = r->face_end[i] - (i ? r->face_end[i - 1] : 0);
    if (!p->failed && corners > 0) {
        memcpy(corner, r->corner, (size_t)corners * sizeof *corner);
        tl_pack_codes(p, "face_size", sizes, 1, r->faces, 1);
        tl_pack_codes(p, "corner", corner, 1, corners, 1);
    }
    free(sizes);
    free(corner);
}

static void pack_parts_of_mechanisms(tl_pack *p, const tl_skeleton *s)
{
    enum { COLUMNS = 4 };
    const size_t n = (size_t)s->parts;
    int32_t(*table)[COLUMNS] = malloc(n * sizeof *table + 1);
    double(*point)[2][3] = malloc(n * sizeof *point + 1), (*size)[2] = malloc(n * sizeof *size + 1);
    p->failed = p->failed || !table || !point || !size;
    for (size_t i = 0; !p->failed && i < n; i++) {
        const tl_part *part = &s->part[i];
        const int32_t row[COLUMNS] = {(int32_t)part->kind, part->owner, part->body[0], part->body[1]};
        memcpy(table[i], row, sizeof row);
        memcpy(point[i], part->point, sizeof part->point);
        size[i][0] = part->radius, size[i][1] = part->length;
    }
    if (!p->failed && s->parts > 0) {
        tl_pack_codes(p, "part", table[0], s->parts, COLUMNS, 1);
        tl_pack_reals(p, "part_point", point[0][0], 6 * s->parts, 23);
        tl_pack_reals(p, "part_size", size[0], 2 * s->parts, 23);
    }
    free(table), free(point), free(size);
}

void tl_page_pack_shapes(tl_pack *p, const tl_replay *r, const tl_skeleton *skeleton, const tl_page_level *level)
{
    enum { COLUMNS = 7 };
    int32_t(*table)[COLUMNS] = malloc((size_t)r->shapes * sizeof *table + 1);
    double *radius = malloc((size_t)r->shapes * sizeof *radius + 1), *rounding = malloc((size_t)r->shapes * sizeof *rounding + 1);
    p->failed = p->failed || !table || !radius || !rounding;
    pack_bodies(p, r);
    for (int i = 0; !p->failed && i < r->shapes; i++) {
        const tl_replay_shape *s = &r->shape[i];
        const int32_t row[COLUMNS] = {s->body, s->kind, s->material, s->points, s->faces, s->first_point, s->first_face};
        memcpy(table[i], row, sizeof row);
        radius[i] = s->radius, rounding[i] = s->rounding;
    }
    if (!p->failed) {
        tl_pack_codes(p, "shape", table[0], r->shapes, COLUMNS, 1);
        tl_pack_reals(p, "radius", radius, r->shapes, 23);
        tl_pack_reals(p, "rounding", rounding, r->shapes, 23);
        tl_pack_reals(p, "point", r->point[0], 3 * r->points, level->reals);
        pack_faces(p, r);
        pack_parts_of_mechanisms(p, skeleton);
    }
    free(table);
    free(radius);
    free(rounding);
}

/* ---- motion ---------------------------------------------------------------------------------------------------------------- */

enum { PARTS = 14, GONE = 13 }; /* position 3, rotation 3, velocity 6, force, 1 where a body is not there */
static const char *const PART[PARTS] = {"x", "y", "z", "turn_x", "turn_y", "turn_z", "vx", "vy", "vz", "wx", "wy", "wz", "force", "gone"};

typedef struct motion {
    const tl_replay *replay;
    const tl_page_level *level;
    int32_t *codes[PARTS]; /* [frames][bodies]; NULL: not in this run */
    double step[PARTS];
    tl_quat *turned; /* [bodies] what the reader has          */
    double *force;   /* [bodies]                               */
    uint8_t *moves;  /* [bodies] it is not fixed in some frame */
} motion;

static bool part_is_there(const motion *m, int part)
{
    static const bool PLANAR[PARTS] = {true, true, false, false, false, true, true, true, false, false, false, true, true};
    if (part >= 6 && part < 12 && !m->level->velocity) return false;
    if (part == GONE) return m->replay->kinds;
    return m->replay->dimension == 3 || PLANAR[part];
}

talus_status tl_page_measure(const tl_replay *r, tl_page_frames *f, tl_error *error)
{
    enum { SAMPLES = 40 };
    double low[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY}, high[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    tl_replay_frame frame = {0};
    talus_status status = tl_replay_read(r, 0, &frame, error);
    for (int i = 0; status == TALUS_OK && i < r->shapes; i++) {
        const tl_replay_shape *s = &r->shape[i];
        const bool unbounded = s->kind == REPLAY_HALF_PLANE || s->kind == REPLAY_HALF_SPACE;
        for (int j = 0; j < (unbounded ? 1 : s->points); j++) {
            double x[3];
            tl_replay_to_world(&frame, s->body, r->point[s->first_point + j], x);
            for (int c = 0; c < 3; c++) low[c] = fmin(low[c], x[c] - s->radius), high[c] = fmax(high[c], x[c] + s->radius);
        }
    }
    for (int i = 0; status == TALUS_OK && i < r->solids; i++)
        for (int k = 0; k < r->solid[i].nodes; k++)
            for (int c = 0; c < 3; c++) low[c] = fmin(low[c], r->solid[i].position[k][c]), high[c] = fmax(high[c], r->solid[i].position[k][c]);
    f->extent = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
    if (!(f->extent > 0) || !isfinite(f->extent)) f->extent = 1;
    f->force = 0;
    for (int k = 0; status == TALUS_OK && k < SAMPLES; k++) {
        status = tl_replay_read(r, (int)((int64_t)k * (r->frames - 1) / (SAMPLES - 1)), &frame, error);
        for (int i = 0; status == TALUS_OK && i < frame.contacts; i++) f->force = fmax(f->force, frame.force[i][0]);
    }
    tl_replay_frame_free(&frame);
    return status == TALUS_OK ? tl_page_measure_solids(r, f, error) : status;
}

static void code_rotation(motion *m, int i, size_t at, const double pose[7])
{
    const double step = m->step[5];
    tl_quat *turned = &m->turned[i], now = {pose[3], pose[4], pose[5], pose[6]};
    if (m->replay->dimension == 2) { /* the angle, counted on through full turns; turned.w holds it */
        turned->w += remainder(2 * atan2(now.z, now.w) - turned->w, 2 * TL_PI);
        m->codes[5][at] = code(turned->w, step);
        return;
    }
    const tl_quat back = {turned->w, -turned->x, -turned->y, -turned->z}, change = tl_quat_mul(now, back);
    const double sign = change.w < 0 ? -1 : 1, length = sqrt(change.x * change.x + change.y * change.y + change.z * change.z);
    const double angle = 2 * atan2(length, sign * change.w), scale = length > 0 ? sign * angle / length : 0;
    const double vector[3] = {scale * change.x, scale * change.y, scale * change.z};
    double rounded[3];
    for (int c = 0; c < 3; c++) {
        m->codes[3 + c][at] = code(vector[c], step);
        rounded[c] = step * m->codes[3 + c][at];
    }
    *turned = tl_quat_normalize(tl_quat_mul(tl_quat_exp(tl_load3(rounded)), *turned));
}

static void code_frame(motion *m, int row, const tl_replay_frame *frame, double reference)
{
    const tl_replay *r = m->replay;
    memset(m->force, 0, (size_t)r->bodies * sizeof *m->force);
    for (int i = 0; i < frame->contacts; i++)
        for (int k = 0; k < 2; k++) {
            double *f = &m->force[frame->body[i][k]];
            *f = fmax(*f, frame->force[i][0]);
        }
    tl_replay_share(r, m->force);
    for (int i = 0; i < r->bodies; i++) {
        const size_t at = (size_t)row * (size_t)r->bodies + (size_t)i;
        for (int c = 0; c < 3; c++)
            if (m->codes[c]) m->codes[c][at] = code(frame->pose[i][c], m->step[c]);
        for (int c = 6; c < 12; c++)
            if (m->codes[c]) m->codes[c][at] = code(frame->velocity[i][c - 6], m->step[c]);
        code_rotation(m, i, at, frame->pose[i]);
        m->codes[12][at] = force_code(m->level, m->force[i], reference);
        if (m->codes[GONE]) m->codes[GONE][at] = !tl_replay_is_there(frame, i);
        if (tl_replay_is_there(frame, i) && tl_replay_kind_in(r, frame, i) != 1) m->moves[i] = 1;
    }
}

static bool make_room(motion *m, int frames)
{
    const size_t bodies = (size_t)m->replay->bodies, count = (size_t)frames * bodies;
    m->turned = calloc(bodies + 1, sizeof *m->turned);
    m->force = calloc(bodies + 1, sizeof *m->force);
    m->moves = calloc(bodies + 1, 1);
    if (!m->turned || !m->force || !m->moves) return false;
    for (size_t i = 0; m->replay->dimension == 3 && i < bodies; i++) m->turned[i].w = 1;
    for (int c = 0; c < PARTS; c++)
        if (part_is_there(m, c) && !(m->codes[c] = malloc(count * sizeof *m->codes[c] + 1))) return false;
    return true;
}

static void pack_parts(tl_pack *p, motion *m, int frames)
{
    const int bodies = m->replay->bodies;
    const bool turns = m->replay->dimension == 3; /* changes already: nothing to subtract, so all in one row */
    for (int c = 0; c < PARTS; c++) {
        if (!m->codes[c]) continue;
        const bool changes = turns && c >= 3 && c < 6;
        tl_pack_codes(p, PART[c], m->codes[c], changes ? 1 : frames, changes ? frames * bodies : bodies, m->step[c]);
    }
    tl_pack_bytes(p, "moves", m->moves, bodies);
}

talus_status tl_page_pack_motion(tl_pack *p, const tl_replay *r, const tl_page_level *level, tl_page_frames *f, tl_error *error)
{
    motion m = {.replay = r, .level = level};
    tl_replay_frame frame = {0};
    const double gap = r->frames > 1 ? f->stride * (r->time[r->frames - 1] - r->time[0]) / (r->frames - 1) : 1;
    talus_status status = make_room(&m, f->count) ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "memory ran out");
    for (int c = 0; c < PARTS; c++) {
        if (c < 3) m.step[c] = ldexp(f->extent, -level->length);
        else if (c < 6) m.step[c] = ldexp(1, -level->angle);
        else if (c < 12) m.step[c] = m.step[c >= 9 ? 5 : 0] / (gap > 0 ? gap : 1); /* what moves one step of length between frames */
        else m.step[c] = c == GONE ? 1 : 1.0 / level->force;
    }
    f->contacts = 0;
    for (int k = 0; status == TALUS_OK && k < f->count; k++) {
        status = tl_replay_read(r, f->first + k * f->stride, &frame, error);
        f->contacts += frame.contacts;
        if (status == TALUS_OK) code_frame(&m, k, &frame, f->force);
    }
    if (status == TALUS_OK) pack_parts(p, &m, f->count);
    if (status == TALUS_OK) status = tl_page_pack_solid_motion(p, r, level, f, error);
    for (int c = 0; c < PARTS; c++) free(m.codes[c]);
    free(m.turned);
    free(m.force);
    free(m.moves);
    tl_replay_frame_free(&frame);
    return status;
}

/* ---- contacts ------------------------------------------------------------------------------------------------------------- */

enum { ENTRIES = 4 };
static const char *const ENTRY[ENTRIES] = {"candidate", "antagonist", "normal_force", "friction"};

typedef struct contact_codes {
    int32_t *entry[ENTRIES], *end, *point; /* point: of contacts with a boundary or a link, whose centre says nothing */
    double *state;                         /* [states × most] column after column; NULL: there are none */
    int64_t most;
    int count, points, point_capacity;
} contact_codes;

/* Force that a contact of this frame must reach to be among the strongest `kept`. */
static double threshold(const tl_replay_frame *frame, int kept, double *scratch)
{
    int low = 0, high = frame->contacts - 1;
    if (!scratch || frame->contacts <= kept) return 0;
    for (int i = 0; i < frame->contacts; i++) scratch[i] = frame->force[i][0];
    while (low < high) { /* quickselect of the kept-th largest */
        const double pivot = scratch[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (scratch[i] > pivot) i++;
            while (scratch[j] < pivot) j--;
            if (i > j) break;
            const double swap = scratch[i];
            scratch[i++] = scratch[j];
            scratch[j--] = swap;
        }
        if (kept - 1 <= j) high = j;
        else if (kept - 1 >= i) low = i;
        else break;
    }
    return scratch[kept - 1];
}

static void code_contact(contact_codes *c, const tl_replay *r, const tl_page_level *level, const tl_page_frames *f, const tl_replay_frame *frame, int i)
{
    const int n = c->count++;
    const double *force = frame->force[i], slip = sqrt(force[1] * force[1] + force[2] * force[2]);
    c->entry[0][n] = frame->body[i][0];
    c->entry[1][n] = frame->body[i][1];
    c->entry[2][n] = force_code(level, force[0], f->force);
    c->entry[3][n] = code(fmin(slip / force[0], 100), 0.01);
    for (int k = 0; k < r->states; k++) c->state[k * c->most + n] = frame->state[(size_t)k * (size_t)frame->contacts + (size_t)i];
    if (tl_replay_is_grain(r, frame->body[i][0]) && tl_replay_is_grain(r, frame->body[i][1])) return;
    for (int k = 0; k < r->dimension; k++) c->point[c->points++] = code(frame->point[i][k], ldexp(f->extent, -12));
}

static talus_status code_contacts(contact_codes *c, const tl_replay *r, const tl_page_level *level, tl_page_frames *f, tl_error *error)
{
    tl_replay_frame frame = {0};
    double *scratch = NULL;
    int room = 0;
    talus_status status = TALUS_OK;
    for (int k = 0; status == TALUS_OK && k < f->count; k++) {
        status = tl_replay_read(r, f->first + k * f->stride, &frame, error);
        if (status == TALUS_OK && frame.contacts > room) status = tl_grow(tl_memory_default(), &scratch, &room, frame.contacts, sizeof *scratch);
        if (status != TALUS_OK) break;
        const double least = threshold(&frame, f->contacts_kept, scratch);
        const int most = c->count + f->contacts_kept;
        for (int i = 0; i < frame.contacts && c->count < most; i++)
            if (frame.force[i][0] > 0 && frame.force[i][0] >= least) code_contact(c, r, level, f, &frame, i);
        c->end[k] = c->count;
    }
    free(scratch);
    tl_replay_frame_free(&frame);
    return status;
}

talus_status tl_page_pack_contacts(tl_pack *p, const tl_replay *r, const tl_page_level *level, tl_page_frames *f, tl_error *error)
{
    enum { MANTISSA = 10 }; /* of states: three digits */
    contact_codes c = {0};
    const int64_t by_frame = (int64_t)f->count * f->contacts_kept, most = f->contacts < by_frame ? f->contacts : by_frame;
    bool room = (c.end = malloc((size_t)f->count * sizeof *c.end + 1)) && (c.point = malloc((size_t)most * (size_t)r->dimension * sizeof *c.point + 1));
    c.most = most;
    room = room && (c.state = malloc((size_t)r->states * (size_t)most * sizeof *c.state + 1));
    for (int i = 0; room && i < ENTRIES; i++) room = (c.entry[i] = malloc((size_t)most * sizeof *c.entry[i] + 1)) != NULL;
    const talus_status status = room ? code_contacts(&c, r, level, f, error) : tl_fail(error, TALUS_MEMORY, "memory ran out");
    if (status == TALUS_OK) {
        f->contacts_shown = c.count;
        for (int i = c.count; i-- > 0;) c.entry[1][i] -= c.entry[0][i]; /* neighbours are near in number */
        tl_pack_codes(p, "contact_end", c.end, f->count, 1, 1);
        for (int i = 0; i < ENTRIES; i++) tl_pack_codes(p, ENTRY[i], c.entry[i], i == 0 ? c.count : 1, i == 0 ? 1 : c.count, i == 3 ? 0.01 : 1);
        for (int k = 0; k < r->states; k++) memmove(c.state + k * c.count, c.state + k * most, (size_t)c.count * sizeof *c.state);
        if (r->states > 0) tl_pack_reals(p, "contact_state", c.state, r->states * c.count, MANTISSA);
        tl_pack_codes(p, "contact_point", c.point, 1, c.points, ldexp(f->extent, -12));
    }
    free(c.end);
    free(c.point);
    free(c.state);
    for (int i = 0; i < ENTRIES; i++) free(c.entry[i]);
    return status;
}
