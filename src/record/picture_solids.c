/* Shapes of a run in space as convex solids in the axes of the camera. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/picture_space.h"

enum { AROUND = 64 }; /* facets of a cylinder */

static bool add_point(tl_solids *s, tl_vec3 x)
{
    if (tl_grow(tl_memory_default(), &s->point, &s->point_room, s->points + 1, sizeof *s->point) != TALUS_OK) return false;
    s->point[s->points++] = x;
    s->solid[s->count].points++;
    return true;
}

static bool add_corner(tl_solids *s, int point)
{
    if (tl_grow(tl_memory_default(), &s->corner, &s->corner_room, s->corners + 1, sizeof *s->corner) != TALUS_OK) return false;
    s->corner[s->corners++] = point;
    return true;
}

/* Ends the face of the corners that were added. */
static bool end_face(tl_solids *s)
{
    const tl_memory memory = tl_memory_default();
    if (tl_grow(memory, &s->face_end, &s->face_room, s->faces + 1, sizeof *s->face_end) != TALUS_OK ||
        tl_grow(memory, &s->normal, &s->normal_room, s->faces + 1, sizeof *s->normal) != TALUS_OK)
        return false;
    s->face_end[s->faces++] = s->corners;
    s->solid[s->count].faces++;
    return true;
}

static bool begin(tl_solids *s, tl_solid_kind kind, int body, double radius, tl_colour colour)
{
    if (tl_grow(tl_memory_default(), &s->solid, &s->solid_room, s->count + 1, sizeof *s->solid) != TALUS_OK) return false;
    s->solid[s->count] = (tl_solid){.kind = kind, .body = body, .radius = radius, .colour = colour, .first_point = s->points, .first_face = s->faces};
    return true;
}

/* Newell's normal, which does not mind collinear corners; outwards is away from the centre, whichever way the corners go round. */
static void turn_faces_outwards(tl_solids *s, const tl_solid *d)
{
    for (int f = d->first_face; f < d->first_face + d->faces; f++) {
        tl_vec3 n = {0}, middle = {0};
        const int from = tl_face_begin(s, f), to = s->face_end[f];
        for (int k = from; k < to; k++) {
            const tl_vec3 a = tl_sub(s->point[s->corner[k]], d->centre), b = tl_sub(s->point[s->corner[k + 1 < to ? k + 1 : from]], d->centre);
            n = tl_add(n, tl_cross(a, b));
            middle = tl_add(middle, a);
        }
        s->normal[f] = tl_scale(tl_dot(n, middle) < 0 ? -1 : 1, tl_normalize(n));
    }
}

/* Closes the solid that was begun; one with a coordinate that is no number is left out. */
static void finish(tl_solids *s)
{
    tl_solid *d = &s->solid[s->count];
    bool whole = d->points > 0 && isfinite(d->radius);
    for (int k = 0; k < 3; k++) d->low[k] = (double)INFINITY, d->high[k] = -(double)INFINITY;
    for (int i = d->first_point; i < d->first_point + d->points; i++) {
        double x[3];
        tl_store3(x, s->point[i]);
        for (int k = 0; k < 3; k++) {
            whole = whole && isfinite(x[k]);
            d->low[k] = fmin(d->low[k], x[k] - d->radius);
            d->high[k] = fmax(d->high[k], x[k] + d->radius);
        }
        d->centre = tl_add(d->centre, tl_scale(1.0 / d->points, s->point[i]));
    }
    if (!whole) return;
    turn_faces_outwards(s, d);
    s->count++;
}

/* A rounded one is a smaller one with a rim. */
static bool add_cylinder(tl_solids *s, tl_vec3 a, tl_vec3 b, double outer, double rounding)
{
    tl_vec3 t, u;
    const tl_vec3 axis = tl_normalize(tl_sub(b, a));
    const double radius = fmax(outer - rounding, 0);
    const int first = s->points;
    a = tl_add(a, tl_scale(rounding, axis)), b = tl_sub(b, tl_scale(rounding, axis));
    tl_tangents(tl_norm(axis) > 0 ? axis : tl_v3(1, 0, 0), &t, &u);
    s->solid[s->count].kind = SOLID_FACES, s->solid[s->count].radius = rounding, s->solid[s->count].round = AROUND;
    s->solid[s->count].axis = axis, s->solid[s->count].origin = a;
    for (int end = 0; end < 2; end++)
        for (int k = 0; k < AROUND; k++) {
            const double angle = 2 * TL_PI * k / AROUND;
            if (!add_point(s, tl_add(end ? b : a, tl_add(tl_scale(radius * cos(angle), t), tl_scale(radius * sin(angle), u))))) return false;
        }
    for (int k = 0; k < AROUND; k++) {
        const int next = (k + 1) % AROUND, corner[4] = {k, next, AROUND + next, AROUND + k};
        for (int i = 0; i < 4; i++)
            if (!add_corner(s, first + corner[i])) return false;
        if (!end_face(s)) return false;
    }
    for (int end = 0; end < 2; end++) {
        for (int k = 0; k < AROUND; k++)
            if (!add_corner(s, first + (end ? AROUND + k : AROUND - 1 - k))) return false; /* every edge is passed both ways */
        if (!end_face(s)) return false;
    }
    return true;
}

static tl_vec3 seen_point(const tl_picture *p, int body, const double local[3])
{
    double x[3];
    tl_replay_to_world(p->frame, body, local, x);
    return tl_to_camera(p, tl_load3(x));
}

static bool add_faces(const tl_picture *p, tl_solids *s, const tl_replay_shape *shape)
{
    const tl_replay *r = p->run;
    const int first = s->points - shape->points;
    for (int f = shape->first_face; f < shape->first_face + shape->faces; f++) {
        for (int k = f ? r->face_end[f - 1] : 0; k < r->face_end[f]; k++)
            if (!add_corner(s, first + r->corner[k])) return false;
        if (!end_face(s)) return false;
    }
    for (int k = 0; shape->kind == REPLAY_POLYGON && k < shape->points; k++)
        if (!add_corner(s, first + k)) return false;
    return shape->kind != REPLAY_POLYGON || end_face(s);
}

/* Each triangle of a mesh is a solid: what lies in a hollow is in front of some and behind others. */
static bool add_mesh(const tl_picture *p, tl_solids *s, const tl_replay_shape *shape)
{
    const tl_replay *r = p->run;
    const tl_replay_body *b = &r->body[shape->body];
    for (int f = shape->first_face; f < shape->first_face + shape->faces; f++) {
        if (!begin(s, SOLID_FACES, shape->body, 0, tl_picture_colour(p, shape))) return false;
        s->solid[s->count].boundary = b->kind != 0 && !b->link;
        const int first = s->points;
        for (int k = f ? r->face_end[f - 1] : 0; k < r->face_end[f]; k++)
            if (!add_point(s, seen_point(p, shape->body, tl_picture_corner(p, shape, r->corner[k])))) return false;
        for (int k = first; k < s->points; k++)
            if (!add_corner(s, k)) return false;
        if (!end_face(s)) return false;
        finish(s);
    }
    return true;
}

/* The number that is linear over a polygon, from three of its corners; where it has no area, the mean of them. */
static void set_slope(tl_solid *d, const tl_vec3 *corner, int corners, const double *share)
{
    double best = 0, mean = 0;
    d->least = (double)INFINITY, d->most = -(double)INFINITY;
    for (int k = 0; k < corners; k++) d->least = fmin(d->least, share[k]), d->most = fmax(d->most, share[k]), mean += share[k] / corners;
    d->valued = true, d->slope = tl_v3(0, 0, mean);
    for (int k = 2; k < corners; k++) {
        const tl_vec3 a = tl_sub(corner[k - 1], corner[0]), b = tl_sub(corner[k], corner[0]);
        const double area = a.x * b.y - a.y * b.x, da = share[k - 1] - share[0], db = share[k] - share[0];
        if (!(fabs(area) > best) || !(fabs(area) > 1e-9 * (a.x * a.x + a.y * a.y + b.x * b.x + b.y * b.y))) continue;
        best = fabs(area);
        d->slope.x = (da * b.y - db * a.y) / area, d->slope.y = (db * a.x - da * b.x) / area;
        d->slope.z = share[0] - d->slope.x * corner[0].x - d->slope.y * corner[0].y;
    }
}

bool tl_solids_add_polygon(tl_solids *s, int body, const tl_vec3 *corner, int corners, const double *share, tl_colour colour)
{
    if (!begin(s, SOLID_FACES, body, 0, colour)) return false;
    if (share) set_slope(&s->solid[s->count], corner, corners, share);
    for (int k = 0; k < corners; k++)
        if (!add_point(s, corner[k]) || !add_corner(s, s->points - 1)) return false;
    if (!end_face(s)) return false;
    finish(s);
    return true;
}

static bool add_shape(const tl_picture *p, tl_solids *s, const tl_replay_shape *shape)
{
    const tl_solid_kind kind = shape->points == 1 ? SOLID_BALL : shape->points == 2 ? SOLID_ROD : SOLID_FACES;
    if (shape->kind == REPLAY_HALF_PLANE || shape->kind == REPLAY_HALF_SPACE) return true;
    if (shape->kind == REPLAY_MESH) return add_mesh(p, s, shape);
    if (!begin(s, kind, shape->body, shape->radius, tl_picture_colour(p, shape))) return false;
    const tl_replay_body *b = &p->run->body[shape->body];
    s->solid[s->count].boundary = b->kind != 0 && !b->link;
    s->solid[s->count].smooth = shape->kind >= REPLAY_KINDS;
    if (shape->kind == REPLAY_CYLINDER) {
        if (!add_cylinder(s, seen_point(p, shape->body, tl_picture_corner(p, shape, 0)), seen_point(p, shape->body, tl_picture_corner(p, shape, 1)),
                          shape->radius, shape->rounding))
            return false;
    } else {
        for (int k = 0; k < shape->points; k++)
            if (!add_point(s, seen_point(p, shape->body, tl_picture_corner(p, shape, k)))) return false;
        if (kind == SOLID_FACES && !add_faces(p, s, shape)) return false;
    }
    finish(s);
    return true;
}

static bool add_rod(tl_solids *s, int body, tl_vec3 a, tl_vec3 b, double radius, tl_colour colour)
{
    if (!begin(s, SOLID_ROD, body, radius, colour) || !add_point(s, a) || !add_point(s, b)) return false;
    finish(s);
    return true;
}

static bool add_barrel(tl_solids *s, int body, tl_vec3 a, tl_vec3 b, double radius, tl_colour colour)
{
    if (!begin(s, SOLID_FACES, body, 0, colour) || !add_cylinder(s, a, b, radius, 0)) return false;
    finish(s);
    return true;
}

/* A rope that hangs loose is dashed. */
static bool add_slack(tl_solids *s, int body, tl_vec3 a, tl_vec3 b, double radius, tl_colour colour)
{
    enum { DASHES = 9 };
    const tl_vec3 d = tl_scale(1.0 / (2 * DASHES - 1), tl_sub(b, a));
    for (int i = 0; i < DASHES; i++)
        if (!add_rod(s, body, tl_add(a, tl_scale(2 * i, d)), tl_add(a, tl_scale(2 * i + 1, d)), radius, tl_mix(colour, TL_PAPER, 0.4))) return false;
    return true;
}

/* A spring or a thread between the points of a part. */
static bool add_coil(const tl_picture *p, tl_solids *s, const tl_part *part, double radius, double wire)
{
    tl_vec3 line[TL_COIL_POINTS];
    tl_part_coil(seen_point(p, part->body[0], part->point[0]), seen_point(p, part->body[1], part->point[1]), radius, false, line);
    for (int i = 1; i < TL_COIL_POINTS; i++)
        if (!add_rod(s, part->owner, line[i - 1], line[i], wire, tl_picture_part_colour(p, part))) return false;
    return true;
}

static bool add_spiral(const tl_picture *p, tl_solids *s, const tl_part *part, double wire, tl_colour colour)
{
    double line[TL_SPIRAL_POINTS][3];
    tl_part_spiral(part, p->frame, line);
    for (int i = 1; i < TL_SPIRAL_POINTS; i++)
        if (!add_rod(s, part->owner, tl_to_camera(p, tl_load3(line[i - 1])), tl_to_camera(p, tl_load3(line[i])), wire, colour)) return false;
    return true;
}

static bool add_ram(const tl_picture *p, tl_solids *s, const tl_part *part, tl_vec3 a, tl_vec3 b, double radius)
{
    const tl_vec3 end = tl_add(a, tl_scale(tl_part_barrel(part, p->frame), tl_sub(b, a)));
    const tl_part barrel = {.kind = PART_SLEEVE, .owner = part->owner}, rod = {.kind = PART_PISTON, .owner = part->owner};
    return add_rod(s, part->owner, a, b, 0.5 * radius, tl_picture_part_colour(p, &rod)) &&
           add_barrel(s, part->owner, a, end, radius, tl_picture_part_colour(p, &barrel));
}

/* A part of a mechanism; it belongs to its owner, which a section or a veil asks for. */
static bool add_part(const tl_picture *p, tl_solids *s, const tl_part *part)
{
    const double least = 0.8 * p->unit / p->scale, radius = fmax(part->radius, least);
    const tl_colour colour = tl_picture_part_colour(p, part);
    const tl_vec3 a = seen_point(p, part->body[0], part->point[0]), b = seen_point(p, part->body[1], part->point[1]);
    const tl_vec3 third = tl_scale(1.0 / 3, tl_sub(b, a));
    switch (part->kind) {
    case PART_WHEEL:
    case PART_SLEEVE:
    case PART_PIN:
    case PART_FOOT:
    case PART_WELD:
    case PART_PLATE:
    case PART_MOTOR: return add_barrel(s, part->owner, a, b, radius, colour);
    case PART_SPRING: return add_coil(p, s, part, radius, fmax(0.2 * radius, least));
    case PART_THREAD: return add_coil(p, s, part, radius, fmax(0.25 * radius, least));
    case PART_SPIRAL: return add_spiral(p, s, part, fmax(0.08 * radius, least), colour);
    case PART_DAMPER:
        return add_rod(s, part->owner, a, b, 0.35 * radius, colour) && add_barrel(s, part->owner, tl_add(a, third), tl_sub(b, third), radius, colour);
    case PART_RAM: return add_ram(p, s, part, a, b, radius);
    case PART_ROPE: return tl_part_is_slack(part, p->frame) ? add_slack(s, part->owner, a, b, radius, colour) : add_rod(s, part->owner, a, b, radius, colour);
    case PART_BALL:
        if (!begin(s, SOLID_BALL, part->owner, radius, colour) || !add_point(s, a)) return false;
        finish(s);
        return true;
    case PART_BAR:
    case PART_PISTON:
    case PART_RAIL:
    case PART_STRUT:
    case PART_KINDS: break;
    }
    return add_rod(s, part->owner, a, b, radius, colour);
}

/* Whether a part of a wall hides a point: it lies in the box around the part on the page, and behind the face that has most of the way to it. */
static bool hides(const tl_solids *s, const tl_solid *d, tl_vec3 point)
{
    double most = 0, towards = 0;
    if (point.x < d->low[0] || point.x > d->high[0] || point.y < d->low[1] || point.y > d->high[1]) return false;
    for (int f = d->first_face; f < d->first_face + d->faces; f++) {
        const tl_vec3 n = s->normal[f];
        const double way = tl_dot(n, tl_sub(point, s->point[s->corner[tl_face_begin(s, f)]]));
        if (way > most) most = way, towards = n.z;
        if (d->faces == 1 && -way > most) most = -way, towards = -n.z; /* either side of a triangle may be the inner one */
    }
    return most > d->radius && towards < -1e-9;
}

enum { WITNESSES = 256 };

/* Middles of what is no boundary, of many only some. */
static int choose_witnesses(const tl_solids *s, tl_vec3 *out)
{
    int all = 0, n = 0;
    for (int i = 0; i < s->count; i++) all += !s->solid[i].boundary;
    for (int i = 0, k = 0; i < s->count && n < WITNESSES; i++)
        if (!s->solid[i].boundary && k++ % (all / WITNESSES + 1) == 0) out[n++] = s->solid[i].centre;
    return n;
}

/* Parts of a boundary as large as the scene are glass where they stand between the camera and what moves. */
static bool find_glass(const tl_picture *p, tl_solids *s)
{
    double(*box)[4] = calloc((size_t)p->run->bodies + 1, sizeof *box); /* least and −largest right and up */
    tl_vec3 witness[WITNESSES];
    const int n = choose_witnesses(s, witness);
    const double large = 0.35 * hypot(p->high[0] - p->low[0], p->high[1] - p->low[1]);
    if (!box) return false;
    for (int i = 0; i < 4 * (p->run->bodies + 1); i++) box[i / 4][i % 4] = (double)INFINITY;
    for (int i = 0; i < s->count; i++) {
        const tl_solid *d = &s->solid[i];
        for (int k = 0; k < 2; k++) box[d->body][k] = fmin(box[d->body][k], d->low[k]), box[d->body][2 + k] = fmin(box[d->body][2 + k], -d->high[k]);
    }
    for (int i = 0; i < s->count; i++) {
        tl_solid *d = &s->solid[i];
        const double *b = box[d->body];
        const bool wall = d->boundary && d->kind == SOLID_FACES && hypot(b[0] + b[2], b[1] + b[3]) > large;
        d->glass = p->showing[d->body] == TL_FADED;
        for (int k = 0; wall && k < n && !d->glass; k++) d->glass = hides(s, d, witness[k]);
    }
    free(box);
    return true;
}

bool tl_solids_collect(const tl_picture *p, tl_solids *s)
{
    for (int i = 0; i < p->run->shapes; i++)
        if (tl_picture_shows(p, p->run->shape[i].body) && !add_shape(p, s, &p->run->shape[i])) return false;
    for (int i = 0; i < p->skeleton.parts; i++)
        if (tl_picture_shows_part(p, &p->skeleton.part[i]) && !add_part(p, s, &p->skeleton.part[i])) return false;
    return tl_mesh_surfaces(p, s) && tl_solids_cut(p, s) && tl_mesh_sections(p, s) && find_glass(p, s);
}

void tl_solids_free(tl_solids *s)
{
    const tl_memory memory = tl_memory_default();
    tl_free(memory, s->solid), tl_free(memory, s->point), tl_free(memory, s->normal), tl_free(memory, s->face_end), tl_free(memory, s->corner);
    *s = (tl_solids){0};
}
