/* A run for ParaView: one file a frame for the bodies, the contacts, the force network, the mechanisms and their parts, the solids, and a .pvd for each that
 * lists them with their times. Frames are read one by one. Numbers are in single precision: trajectory.h5 has the doubles. */
#include "record/vtk.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/record.h"
#include "record/skeleton.h"

static const char UNITS[] = "SI: m, kg, s, N; velocity and speed m/s, angular_velocity rad/s, impulse N s, stress Pa";

typedef enum part { BODIES, CONTACTS, FORCES, MECHANISM, MACHINE, SOLIDS, PARTS } part;
static const char *const PART[PARTS] = {"bodies", "contacts", "forces", "mechanism", "parts", "solids"};

typedef struct vtk_export {
    const char *output;
    tl_replay run;
    tl_replay_frame frame;
    int *chosen, frames, index; /* frames to write, and the one that is being written */
    tl_surface surface;
    tl_skeleton skeleton;
    double low[3], high[3]; /* what the walls are cut to */
    char *materials;        /* their names in a row */
    void *memory;           /* of one array, used for each in turn */
    size_t memory_size;
    tl_error *error;
} vtk_export;

static bool has(const vtk_export *e, part p)
{
    return p == MECHANISM ? e->run.joints > 0 : p == MACHINE ? e->skeleton.parts > 0 : p == SOLIDS ? e->run.solids > 0 : true;
}

/* Room for an array of a file; what it held is lost. */
static void *room(vtk_export *e, size_t bytes)
{
    if (bytes < e->memory_size) return e->memory;
    free(e->memory);
    e->memory = malloc(bytes + bytes / 4 + 64);
    e->memory_size = e->memory ? bytes + bytes / 4 + 64 : 0;
    return e->memory;
}

static const char *suffix(part p) { return p == SOLIDS ? "vtu" : "vtp"; }

/* ---- what is written ---------------------------------------------------------------------------------------------- */

static talus_status choose(vtk_export *e, const talus_vtk_def *d)
{
    const tl_replay *r = &e->run;
    e->chosen = calloc((size_t)r->frames, sizeof *e->chosen);
    if (!e->chosen) return tl_fail(e->error, TALUS_MEMORY, "memory ran out");
    for (int64_t i = d->first; i <= d->last && i < r->frames; i += d->stride) {
        const double rounding = 1e-9 * fabs(r->time[i]);
        if (r->time[i] >= d->from - rounding && r->time[i] <= d->to + rounding) e->chosen[e->frames++] = (int)i;
    }
    if (e->frames > 0) return TALUS_OK;
    return tl_fail(e->error, TALUS_INPUT, "'%s' has %d frames, from %g s to %g s: none of them was asked for", d->directory, r->frames, r->time[0],
                   r->time[r->frames - 1]);
}

static void include(vtk_export *e, const double x[3], double rim)
{
    for (int k = 0; k < 3; k++) e->low[k] = fmin(e->low[k], x[k] - rim), e->high[k] = fmax(e->high[k], x[k] + rim);
}

static bool is_wall(const tl_replay_shape *s) { return s->kind == REPLAY_HALF_PLANE || s->kind == REPLAY_HALF_SPACE; }

static void include_frame(vtk_export *e)
{
    const tl_replay *r = &e->run;
    double x[3];
    for (int i = 0; i < r->shapes; i++)
        for (int k = 0; k < r->shape[i].points && !is_wall(&r->shape[i]) && tl_replay_is_there(&e->frame, r->shape[i].body); k++) {
            tl_replay_to_world(&e->frame, r->shape[i].body, r->point[r->shape[i].first_point + k], x);
            include(e, x, r->shape[i].radius);
        }
    for (int i = 0; i < r->solids; i++)
        for (int k = 0; k < r->solid[i].nodes; k++) include(e, r->solid[i].position[k], 0);
    for (int i = 0; i < 2 * r->joints; i++) {
        tl_replay_to_world(&e->frame, r->joint[i / 2].body[i % 2], r->joint[i / 2].point[i % 2], x);
        include(e, x, 0);
    }
}

/* Walls reach at least to the foot of the middle of everything. */
static void include_walls(vtk_export *e)
{
    const tl_replay *r = &e->run;
    for (int i = 0; i < r->shapes; i++) {
        double x[3], n[3], middle[3] = {0, 0, 0}, away = 0;
        if (!is_wall(&r->shape[i])) continue;
        tl_replay_to_world(&e->frame, r->shape[i].body, r->point[r->shape[i].first_point], x);
        tl_replay_turn(&e->frame, r->shape[i].body, r->point[r->shape[i].first_point + 1], n);
        for (int k = 0; k < 3; k++) {
            middle[k] = e->low[k] <= e->high[k] ? 0.5 * (e->low[k] + e->high[k]) : x[k];
            away += n[k] * (middle[k] - x[k]);
        }
        for (int k = 0; k < 3; k++) middle[k] -= away * n[k];
        include(e, middle, 0);
    }
}

/* Of some forty frames: it need not be exact. */
static talus_status measure(vtk_export *e)
{
    const int stride = (e->frames + 39) / 40;
    double widest = 0;
    for (int k = 0; k < 3; k++) e->low[k] = (double)INFINITY, e->high[k] = -(double)INFINITY;
    for (int i = 0; i < e->frames; i = i < e->frames - 1 && i + stride >= e->frames ? e->frames - 1 : i + stride) {
        TL_TRY(tl_replay_read(&e->run, e->chosen[i], &e->frame, e->error));
        include_frame(e);
    }
    include_walls(e);
    for (int k = 0; k < 3; k++) widest = fmax(widest, e->high[k] - e->low[k]);
    for (int k = 0; k < 3; k++) e->low[k] -= 0.05 * widest + 1e-6, e->high[k] += 0.05 * widest + 1e-6;
    return TALUS_OK;
}

static talus_status join_materials(vtk_export *e)
{
    size_t size = 1;
    for (int i = 0; i < e->run.materials; i++) size += strlen(e->run.material[i]) + 2;
    e->materials = calloc(size, 1);
    if (!e->materials) return tl_fail(e->error, TALUS_MEMORY, "memory ran out");
    for (int i = 0; i < e->run.materials; i++) {
        if (i) strcat(e->materials, ", ");
        strcat(e->materials, e->run.material[i]);
    }
    return TALUS_OK;
}

/* ---- arrays ------------------------------------------------------------------------------------------------------- */

static void begin(vtk_export *e, tl_vtp *v, tl_vtp_counts counts)
{
    const char *const notes[] = {"units", UNITS, "materials", e->materials, NULL};
    tl_vtp_begin(v, e->frame.time, notes, counts);
}

/* `n` tuples of doubles, in single precision. */
static void write_reals(vtk_export *e, tl_vtp *v, const char *name, int components, int n, const double *data)
{
    const size_t tuples = (size_t)n, wide = (size_t)components;
    float *out = room(e, tuples * wide * sizeof *out);
    if (!out) v->failed = true;
    for (size_t i = 0; out && i < tuples * wide; i++) out[i] = (float)data[i];
    if (out) tl_vtp_array(v, name, VTP_FLOAT32, components, tuples, out);
}

/* Column `k` of rows of two: candidates or antagonists. */
static void write_partner(vtk_export *e, tl_vtp *v, const char *name, int n, int32_t (*pair)[2], int k)
{
    int32_t *out = room(e, (size_t)n * sizeof *out);
    if (!out) v->failed = true;
    for (int i = 0; out && i < n; i++) out[i] = tl_replay_original(&e->run, pair[i][k]);
    if (out) tl_vtp_array(v, name, VTP_INT32, 1, (size_t)n, out);
}

/* In double precision: a run may be on a map, thousands of kilometres from the origin. */
static void write_points(tl_vtp *v, int n, double (*point)[3])
{
    tl_vtp_open(v, "Points");
    tl_vtp_array(v, "Points", VTP_FLOAT64, 3, (size_t)n, point);
    tl_vtp_close(v, "Points");
}

/* Cells that all have the same number of corners, which follow each other: `corner` may be NULL for 0, 1, 2 … */
static void write_cells(vtk_export *e, tl_vtp *v, const char *section, int cells, int each, const int32_t *corner)
{
    const int n = cells * each;
    int32_t *out = room(e, (size_t)n * sizeof *out);
    if (!out) v->failed = true;
    tl_vtp_open(v, section);
    if (!corner)
        for (int i = 0; out && i < n; i++) out[i] = i;
    if (out) tl_vtp_array(v, "connectivity", VTP_INT32, 1, (size_t)n, corner ? corner : out);
    for (int i = 0; out && i < cells; i++) out[i] = each * (i + 1);
    if (out) tl_vtp_array(v, "offsets", VTP_INT32, 1, (size_t)cells, out);
    tl_vtp_close(v, section);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------- */

static int shape_of_cell(const tl_surface *s, int cell) { return cell < s->lines ? s->line_shape[cell] : s->polygon_shape[cell - s->lines]; }

typedef enum body_field { MASS, VELOCITY, ANGULAR_VELOCITY, SPEED, BODY_FIELDS } body_field;

/* What a body has, at each of its cells. */
static void write_of_bodies(vtk_export *e, tl_vtp *v, int cells, const int32_t *body, body_field field)
{
    static const char *const NAME[BODY_FIELDS] = {[MASS] = "mass", [VELOCITY] = "velocity", [ANGULAR_VELOCITY] = "angular_velocity", [SPEED] = "speed"};
    const int components = field == VELOCITY || field == ANGULAR_VELOCITY ? 3 : 1;
    float *out = room(e, (size_t)cells * (size_t)components * sizeof *out);
    if (!out) v->failed = true;
    for (int i = 0; out && i < cells; i++) {
        const double *rate = e->frame.velocity[body[i]];
        float *at = out + (size_t)components * (size_t)i;
        switch (field) {
        case MASS: at[0] = (float)e->run.body[body[i]].mass; break;
        case SPEED: at[0] = (float)tl_norm(tl_load3(rate)); break;
        default: /* the two vectors */
            for (int k = 0; k < 3; k++) at[k] = (float)rate[k + (field == VELOCITY ? 0 : 3)];
        }
    }
    if (out) tl_vtp_array(v, NAME[field], VTP_FLOAT32, components, (size_t)cells, out);
}

static bool write_cell_data(vtk_export *e, tl_vtp *v)
{
    const tl_surface *s = &e->surface;
    const int cells = s->lines + s->polygons;
    int32_t *body = calloc((size_t)cells + 1, sizeof *body);
    int32_t *material = room(e, (size_t)cells * sizeof *material);
    int8_t *role = (int8_t *)material;
    if (!body || !material) {
        free(body);
        return false;
    }
    tl_vtp_open(v, "CellData");
    for (int i = 0; i < cells; i++) {
        const tl_replay_shape *shape = &e->run.shape[shape_of_cell(s, i)];
        body[i] = shape->body, material[i] = shape->material;
    }
    tl_vtp_array(v, "material", VTP_INT32, 1, (size_t)cells, material);
    int32_t *row = material; /* what is drawn of the run alone is no row of its bodies */
    for (int i = 0; i < cells; i++) row[i] = body[i] == e->run.outline ? -1 : tl_replay_original(&e->run, body[i]);
    tl_vtp_array(v, "body", VTP_INT32, 1, (size_t)cells, row);
    for (int i = 0; i < cells; i++) role[i] = (int8_t)(!tl_replay_is_there(&e->frame, body[i]) ? 4 : e->run.body[body[i]].link ? 3 : e->run.body[body[i]].kind);
    tl_vtp_array(v, "role", VTP_INT8, 1, (size_t)cells, role);
    for (body_field field = 0; field < BODY_FIELDS; field++) write_of_bodies(e, v, cells, body, field);
    tl_vtp_close(v, "CellData");
    free(body);
    return true;
}

static void write_surface_points(vtk_export *e, tl_vtp *v)
{
    const tl_surface *s = &e->surface;
    double(*out)[3] = room(e, (size_t)s->points * sizeof *out);
    if (!out) v->failed = true;
    for (int i = 0; out && i < s->points; i++) tl_replay_to_world(&e->frame, s->point_body[i], s->point[i], out[i]);
    if (out) write_points(v, s->points, out);
}

static talus_status write_bodies(vtk_export *e, tl_vtp *v)
{
    tl_surface *s = &e->surface;
    const int points = s->points, corners = s->corners, polygons = s->polygons;
    tl_surface_add_walls(s, &e->run, &e->frame, e->low, e->high);
    if (s->failed) return tl_fail(e->error, TALUS_MEMORY, "memory ran out");
    begin(e, v, (tl_vtp_counts){s->points, 0, s->lines, s->polygons});
    if (!write_cell_data(e, v)) v->failed = true;
    write_surface_points(e, v);
    write_cells(e, v, "Lines", s->lines, 2, s->lines > 0 ? s->line[0] : NULL);
    tl_vtp_open(v, "Polys");
    tl_vtp_array(v, "connectivity", VTP_INT32, 1, (size_t)s->corners, s->corner);
    tl_vtp_array(v, "offsets", VTP_INT32, 1, (size_t)s->polygons, s->polygon_end);
    tl_vtp_close(v, "Polys");
    s->points = points, s->corners = corners, s->polygons = polygons;
    return TALUS_OK;
}

/* ---- contacts and forces ------------------------------------------------------------------------------------------ */

static talus_status write_contacts(vtk_export *e, tl_vtp *v)
{
    const tl_replay_frame *f = &e->frame;
    const int n = f->contacts;
    double *normal_force = calloc((size_t)n + 1, sizeof *normal_force);
    if (!normal_force) return tl_fail(e->error, TALUS_MEMORY, "memory ran out");
    for (int i = 0; i < n; i++) normal_force[i] = f->force[i][0];
    begin(e, v, (tl_vtp_counts){n, n, 0, 0});
    tl_vtp_open(v, "PointData");
    write_reals(e, v, "normal", 3, n, n ? f->normal[0] : NULL);
    write_reals(e, v, "gap", 1, n, f->gap);
    write_reals(e, v, "force", 3, n, n ? f->force_world[0] : NULL);
    write_reals(e, v, "normal_force", 1, n, normal_force);
    write_reals(e, v, "impulse", 3, n, n ? f->impulse[0] : NULL);
    for (int k = 0; k < e->run.states; k++) write_reals(e, v, e->run.state_name[k], 1, n, f->state + (size_t)k * (size_t)n);
    write_partner(e, v, "candidate", n, f->body, 0);
    write_partner(e, v, "antagonist", n, f->body, 1);
    tl_vtp_close(v, "PointData");
    write_points(v, n, f->point);
    write_cells(e, v, "Verts", n, 1, NULL);
    free(normal_force);
    return TALUS_OK;
}

typedef struct network {
    double (*point)[3], *normal_force; /* two rows a segment, as the Tube filter wants them */
    int32_t (*pair)[2];
    int segments;
} network;

/* From centre to centre; where a boundary or a link is touched, to the point itself. Between two of these there is nothing to draw. */
static bool collect_network(const vtk_export *e, network *w)
{
    const tl_replay_frame *f = &e->frame;
    const size_t most = (size_t)f->contacts + 1;
    *w = (network){calloc(2 * most, sizeof *w->point), calloc(2 * most, sizeof *w->normal_force), calloc(most, sizeof *w->pair), 0};
    if (!w->point || !w->normal_force || !w->pair) return false;
    for (int i = 0; i < f->contacts; i++) {
        const int n = w->segments;
        if (!tl_replay_is_grain(&e->run, f->body[i][0]) && !tl_replay_is_grain(&e->run, f->body[i][1])) continue;
        for (int k = 0; k < 2; k++) {
            const int body = f->body[i][k];
            memcpy(w->point[2 * n + k], tl_replay_is_grain(&e->run, body) ? f->pose[body] : f->point[i], sizeof *w->point);
            w->normal_force[2 * n + k] = f->force[i][0];
            w->pair[n][k] = body;
        }
        w->segments++;
    }
    return true;
}

static talus_status write_forces(vtk_export *e, tl_vtp *v)
{
    network w;
    const bool done = collect_network(e, &w);
    if (done) {
        const int n = w.segments;
        begin(e, v, (tl_vtp_counts){2 * n, 0, n, 0});
        tl_vtp_open(v, "PointData Scalars='normal_force'");
        write_reals(e, v, "normal_force", 1, 2 * n, w.normal_force);
        tl_vtp_close(v, "PointData");
        tl_vtp_open(v, "CellData");
        write_partner(e, v, "candidate", n, w.pair, 0);
        write_partner(e, v, "antagonist", n, w.pair, 1);
        tl_vtp_close(v, "CellData");
        write_points(v, 2 * n, w.point);
        write_cells(e, v, "Lines", n, 2, NULL);
    }
    free(w.point), free(w.normal_force), free(w.pair);
    return done ? TALUS_OK : tl_fail(e->error, TALUS_MEMORY, "memory ran out");
}

/* ---- mechanisms --------------------------------------------------------------------------------------------------- */

/* Joints are points, links are lines between the joints that they carry, in their order: one point a joint and side, so that loops that are not
 * closed show. Points 2 i and 2 i + 1 are those of joint i. */
static talus_status write_mechanism(vtk_export *e, tl_vtp *v)
{
    const tl_replay *r = &e->run;
    const int points = 2 * r->joints;
    double(*point)[3] = calloc((size_t)points + 1, sizeof *point);
    int32_t(*line)[2] = calloc((size_t)points + 1, sizeof *line), *body = calloc(2 * (size_t)points + 1, sizeof *body);
    int32_t *last = malloc(((size_t)r->bodies + 1) * sizeof *last); /* the joint before, of each body */
    int lines = 0;
    const bool done = point && line && body && last;
    for (int i = 0; done && i < r->bodies; i++) last[i] = -1;
    for (int i = 0; done && i < points; i++) {
        const int owner = r->joint[i / 2].body[i % 2];
        body[i] = owner;
        tl_replay_to_world(&e->frame, owner, r->joint[i / 2].point[i % 2], point[i]);
        if (owner < 0 || !r->body[owner].link) continue;
        if (last[owner] >= 0) {
            line[lines][0] = last[owner], line[lines][1] = i;
            body[points + lines++] = owner;
        }
        last[owner] = i;
    }
    if (done) {
        begin(e, v, (tl_vtp_counts){points, points, lines, 0});
        tl_vtp_open(v, "CellData");
        tl_vtp_array(v, "body", VTP_INT32, 1, (size_t)(points + lines), body);
        tl_vtp_close(v, "CellData");
        write_points(v, points, point);
        write_cells(e, v, "Verts", points, 1, NULL);
        write_cells(e, v, "Lines", lines, 2, line[0]);
    }
    free(point), free(line), free(body), free(last);
    return done ? TALUS_OK : tl_fail(e->error, TALUS_MEMORY, "memory ran out");
}

/* What pictures draw of mechanisms and joints (skeleton.h), as lines with the radius of a tube around them; balls are points. */
typedef struct machine {
    double (*point)[3], *radius;
    int32_t *end, *kind, *body; /* [cells] one past the last point; part of which kind, whose */
    int points, vertices, lines;
} machine;

static int points_of(const tl_part *p)
{
    return p->kind == PART_BALL ? 1 : p->kind == PART_SPRING || p->kind == PART_THREAD ? TL_COIL_POINTS : p->kind == PART_SPIRAL ? TL_SPIRAL_POINTS : 2;
}

static void add_part(const vtk_export *e, machine *m, const tl_part *p)
{
    tl_vec3 coil[TL_COIL_POINTS];
    double end[2][3], (*out)[3] = m->point + m->points;
    const int n = points_of(p), cell = m->vertices + m->lines;
    for (int k = 0; k < 2; k++)
        if (!tl_replay_is_there(&e->frame, p->body[k])) return;
    tl_part_ends(p, &e->frame, end);
    if (n == TL_COIL_POINTS) tl_part_coil(tl_load3(end[0]), tl_load3(end[1]), p->radius, e->run.dimension == 2, coil);
    for (int i = 0; n == TL_COIL_POINTS && i < n; i++) tl_store3(out[i], coil[i]);
    if (n == TL_SPIRAL_POINTS) tl_part_spiral(p, &e->frame, out);
    if (n <= 2) memcpy(out, end, (size_t)n * sizeof *out);
    for (int i = 0; i < n; i++) m->radius[m->points + i] = (n == TL_COIL_POINTS ? 0.2 : n == TL_SPIRAL_POINTS ? 0.08 : 1) * p->radius;
    m->points += n;
    *(n == 1 ? &m->vertices : &m->lines) += 1;
    m->end[cell] = m->points, m->kind[cell] = (int32_t)p->kind, m->body[cell] = p->owner;
}

static bool collect_machine(const vtk_export *e, machine *m)
{
    const tl_skeleton *s = &e->skeleton;
    size_t points = 1, cells = (size_t)s->parts + 1;
    for (int i = 0; i < s->parts; i++) points += (size_t)points_of(&s->part[i]);
    *m = (machine){.point = calloc(points, sizeof *m->point),
                   .radius = calloc(points, sizeof *m->radius),
                   .end = calloc(cells, sizeof *m->end),
                   .kind = calloc(cells, sizeof *m->kind),
                   .body = calloc(cells, sizeof *m->body)};
    if (!m->point || !m->radius || !m->end || !m->kind || !m->body) return false;
    for (int lines = 0; lines < 2; lines++) /* points come first, as cells do */
        for (int i = 0; i < s->parts; i++)
            if ((points_of(&s->part[i]) > 1) == (lines == 1)) add_part(e, m, &s->part[i]);
    return true;
}

/* Of all points but the first, which are cells by themselves. */
static void write_polylines(vtk_export *e, tl_vtp *v, const machine *m)
{
    const int points = m->points - m->vertices;
    int32_t *out = room(e, (size_t)points * sizeof *out);
    if (!out) v->failed = true;
    tl_vtp_open(v, "Lines");
    for (int i = 0; out && i < points; i++) out[i] = m->vertices + i;
    if (out) tl_vtp_array(v, "connectivity", VTP_INT32, 1, (size_t)points, out);
    for (int i = 0; out && i < m->lines; i++) out[i] = m->end[m->vertices + i] - m->vertices;
    if (out) tl_vtp_array(v, "offsets", VTP_INT32, 1, (size_t)m->lines, out);
    tl_vtp_close(v, "Lines");
}

static talus_status write_machine(vtk_export *e, tl_vtp *v)
{
    machine m;
    const bool done = collect_machine(e, &m);
    if (done) {
        const size_t cells = (size_t)(m.vertices + m.lines);
        begin(e, v, (tl_vtp_counts){m.points, m.vertices, m.lines, 0});
        tl_vtp_open(v, "PointData Scalars='radius'");
        write_reals(e, v, "radius", 1, m.points, m.radius);
        tl_vtp_close(v, "PointData");
        tl_vtp_open(v, "CellData");
        tl_vtp_array(v, "kind", VTP_INT32, 1, cells, m.kind);
        tl_vtp_array(v, "body", VTP_INT32, 1, cells, m.body);
        tl_vtp_close(v, "CellData");
        write_points(v, m.points, m.point);
        write_cells(e, v, "Verts", m.vertices, 1, NULL);
        write_polylines(e, v, &m);
    }
    free(m.point), free(m.radius), free(m.end), free(m.kind), free(m.body);
    return done ? TALUS_OK : tl_fail(e->error, TALUS_MEMORY, "memory ran out");
}

static talus_status write_solids(vtk_export *e, tl_vtp *v)
{
    const char *const notes[] = {"units", UNITS, NULL};
    return tl_vtk_solids(v, &e->run, e->index, notes, e->error);
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

static talus_status write_collection(vtk_export *e, part p)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.pvd", e->output, PART[p]);
    FILE *out = fopen(path, "w");
    bool done = out != NULL;
    if (done) {
        fprintf(out, "<?xml version='1.0'?>\n<VTKFile type='Collection' version='0.1'>\n<Collection>\n");
        for (int i = 0; i < e->frames; i++)
            fprintf(out, "<DataSet timestep='%.17g' part='0' file='%s/%05d.%s'/>\n", e->run.time[e->chosen[i]], PART[p], e->chosen[i], suffix(p));
        fputs("</Collection>\n</VTKFile>\n", out);
        done = !ferror(out);
        done = fclose(out) == 0 && done;
    }
    return done ? TALUS_OK : tl_fail(e->error, TALUS_IO, "cannot write '%s': %s", path, strerror(errno));
}

static talus_status write_frame(vtk_export *e, int index)
{
    e->index = index;
    static talus_status (*const WRITE[PARTS])(vtk_export *, tl_vtp *) = {write_bodies,    write_contacts, write_forces,
                                                                         write_mechanism, write_machine,  write_solids};
    char path[4096];
    TL_TRY(tl_replay_read(&e->run, index, &e->frame, e->error));
    for (part p = BODIES; p < PARTS; p++) {
        tl_vtp file = {0};
        if (!has(e, p)) continue;
        TL_TRY(WRITE[p](e, &file));
        snprintf(path, sizeof path, "%s/%s/%05d.%s", e->output, PART[p], index, suffix(p));
        TL_TRY(tl_vtp_write(&file, path, e->error));
    }
    return TALUS_OK;
}

/* The lists come last: a list is there only when all that it names is. */
static talus_status write_all(vtk_export *e)
{
    char path[4096];
    for (part p = BODIES; p < PARTS; p++) {
        snprintf(path, sizeof path, "%s/%s.pvd", e->output, PART[p]);
        unlink(path); /* of an earlier export */
        snprintf(path, sizeof path, "%s/%s", e->output, PART[p]);
        if (has(e, p)) TL_TRY(tl_directory_make(path, e->error));
    }
    for (int i = 0; i < e->frames; i++) TL_TRY(write_frame(e, e->chosen[i]));
    for (part p = BODIES; p < PARTS; p++)
        if (has(e, p)) TL_TRY(write_collection(e, p));
    return TALUS_OK;
}

static talus_status export_run(vtk_export *e, const talus_vtk_def *d)
{
    TL_TRY(choose(e, d));
    TL_TRY(join_materials(e));
    TL_TRY(measure(e));
    TL_TRY(tl_skeleton_make(&e->skeleton, &e->run, e->error));
    tl_surface_make(&e->surface, &e->run);
    if (e->surface.failed) return tl_fail(e->error, TALUS_MEMORY, "memory ran out");
    return write_all(e);
}

talus_vtk_def talus_vtk_def_default(void)
{
    return (talus_vtk_def){.struct_size = sizeof(talus_vtk_def), .last = INT_MAX, .stride = 1, .from = -(double)INFINITY, .to = (double)INFINITY};
}

talus_status talus_vtk_write(const talus_vtk_def *def, int *frames, char *message, size_t message_size)
{
    tl_error error = {0};
    talus_vtk_def own = talus_vtk_def_default();
    const bool given = tl_take_def(&own, sizeof own, def) && own.directory && own.output && frames;
    const talus_vtk_def *d = &own;
    vtk_export e = {.output = d->output, .error = &error};
    talus_status status = !given
                              ? tl_fail(&error, TALUS_INPUT, "export: begin with talus_vtk_def_default(); it wants two directories, and a place for the count")
                          : d->first < 0 || d->stride < 1 ? tl_fail(&error, TALUS_INPUT, "frames count from 0, in steps of at least 1")
                                                          : TALUS_OK;
    if (status == TALUS_OK) status = tl_replay_open(&e.run, d->directory, &error);
    if (status == TALUS_OK) {
        status = tl_replay_wrap(&e.run, &error);
        if (status == TALUS_OK) status = export_run(&e, d);
        tl_replay_close(&e.run);
    }
    tl_replay_frame_free(&e.frame);
    tl_surface_free(&e.surface);
    tl_skeleton_free(&e.skeleton);
    free(e.chosen), free(e.materials), free(e.memory);
    if (frames) *frames = status == TALUS_OK ? e.frames : 0;
    if (message) snprintf(message, message_size, "%s", error.text);
    return status;
}
