/* Finite-element solids of a run that is read back: meshes, which are checked before anything is drawn of them, and what they do in a frame. */
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "record/replay.h"
#include "talus/solid.h"

/* ---- meshes --------------------------------------------------------------------------------------------------------- */

/* A set of the group of solid `index`: n integers, or NULL. */
static int32_t *integers(const tl_replay *r, int index, const char *set, int n)
{
    char name[64];
    tl_solid_set_name(index, set, name);
    return n < 0 ? NULL : tl_replay_column(r, name, H5T_NATIVE_INT32, (hsize_t)n);
}

static int length(const tl_replay *r, int index, const char *set)
{
    char name[64];
    tl_solid_set_name(index, set, name);
    return tl_replay_length(r, name);
}

static bool list_kinds(tl_replay *r)
{
    talus_element e;
    while (talus_element_get(r->element_kinds, &e)) r->element_kinds++;
    r->element = calloc((size_t)r->element_kinds + 1, sizeof *r->element);
    for (int k = 0; r->element && k < r->element_kinds; k++) (void)talus_element_get(k, &r->element[k]);
    return r->element != NULL;
}

static int kind_of_vtk(const tl_replay *r, int vtk)
{
    for (int k = 0; k < r->element_kinds; k++)
        if (r->element[k].vtk == vtk) return k;
    return -1;
}

/* Ends rise to the length of what they part, whose entries are numbers of nodes. */
static bool parts_hold(const int32_t *end, int parts, const int32_t *node, int length, int nodes)
{
    for (int i = 0; i < parts; i++)
        if (end[i] <= (i ? end[i - 1] : 0) || end[i] > length) return false;
    for (int k = 0; k < length; k++)
        if (node[k] < 0 || node[k] >= nodes) return false;
    return (parts ? end[parts - 1] : 0) == length;
}

static bool read_elements(const tl_replay *r, int index, tl_replay_solid *s)
{
    const int listed = length(r, index, "element_node");
    s->elements = length(r, index, "element_kind");
    s->kind = integers(r, index, "element_kind", s->elements);
    s->element_end = integers(r, index, "element_end", s->elements);
    s->element_node = integers(r, index, "element_node", listed);
    s->region = integers(r, index, "region", s->elements);
    if (!s->kind || !s->element_end || !s->element_node || !s->region) return false;
    if (!parts_hold(s->element_end, s->elements, s->element_node, listed, s->nodes)) return false;
    for (int e = 0; e < s->elements; e++) {
        s->kind[e] = kind_of_vtk(r, s->kind[e]);
        if (s->kind[e] < 0) return false;
        const talus_element *kind = tl_replay_element_kind(s, e);
        if (kind->dimension != r->dimension || s->element_end[e] - tl_replay_element_begin(s, e) != kind->nodes) return false;
    }
    return true;
}

static bool read_surface(const tl_replay *r, int index, tl_replay_solid *s)
{
    const int listed = length(r, index, "face_node"), least = r->dimension == 2 ? 2 : 3;
    s->faces = length(r, index, "face_element");
    s->face_element = integers(r, index, "face_element", s->faces);
    s->face_end = integers(r, index, "face_end", s->faces);
    s->face_node = integers(r, index, "face_node", listed);
    if (!s->face_element || !s->face_end || !s->face_node || !parts_hold(s->face_end, s->faces, s->face_node, listed, s->nodes)) return false;
    for (int f = 0; f < s->faces; f++) {
        const int n = s->face_end[f] - tl_replay_face_begin(s, f);
        if (n < least || n > TALUS_FACE_MOST_NODES || s->face_element[f] < 0 || s->face_element[f] >= s->elements) return false;
    }
    return true;
}

static tl_vec3 corner_of(const tl_replay_solid *s, int node) { return tl_load3(s->position[node]); }

/* Six times the volume of an element by the tetrahedra from its first node to its faces; twice the area of a planar one. */
static double size_of(const tl_replay_solid *s, int e)
{
    const talus_element *kind = tl_replay_element_kind(s, e);
    const int32_t *node = s->element_node + tl_replay_element_begin(s, e);
    const tl_vec3 o = corner_of(s, node[0]);
    double size = 0;
    for (int f = 0; f < kind->faces; f++) {
        const int *at = kind->face_node[f];
        const tl_vec3 a = tl_sub(corner_of(s, node[at[0]]), o);
        if (kind->dimension == 2) size += tl_cross(a, tl_sub(corner_of(s, node[at[1]]), o)).z;
        for (int k = 2; kind->dimension == 3 && k < kind->face_corners[f]; k++)
            size += tl_dot(a, tl_cross(tl_sub(corner_of(s, node[at[k - 1]]), o), tl_sub(corner_of(s, node[at[k]]), o)));
    }
    return fabs(size);
}

static bool share_out(tl_replay_solid *s)
{
    s->share = calloc((size_t)s->elements + 1, sizeof *s->share);
    s->around = calloc((size_t)s->nodes + 1, sizeof *s->around);
    for (int e = 0; s->share && s->around && e < s->elements; e++) {
        s->share[e] = size_of(s, e) / tl_replay_element_kind(s, e)->nodes;
        for (int k = tl_replay_element_begin(s, e); k < s->element_end[e]; k++) s->around[s->element_node[k]] += s->share[e];
    }
    return s->share && s->around;
}

static bool read_mesh(tl_replay *r, int index, tl_replay_solid *s)
{
    char name[64];
    s->nodes = length(r, index, "position");
    tl_solid_set_name(index, "position", name);
    double *flat = s->nodes > 0 && s->nodes <= INT32_MAX / 3 ? tl_replay_reals(r, name, 3 * s->nodes) : NULL;
    s->position = (double(*)[3])flat;
    return flat && read_elements(r, index, s) && read_surface(r, index, s) && share_out(s);
}

/* Does the file say how it has yielded? Where one of the two sets is, both have to be. */
static bool says_yielded(const tl_replay *r, int index)
{
    bool said = false;
    for (int k = SOLID_PLASTIC_STRAIN; k < TL_SOLID_SETS; k++) {
        char name[64];
        tl_solid_set_name(index, TL_SOLID_SET[k], name);
        said = said || H5Lexists(r->file, name, H5P_DEFAULT) > 0;
    }
    return said;
}

/* Frames of which every part is there. */
static bool count_frames(const tl_replay *r, int index, const tl_replay_solid *s, int *frames)
{
    static const hsize_t WIDE[TL_SOLID_SETS] = {3, 3, 6, 6, 1, 1, 1};
    for (int k = 0; k < (s->yields ? TL_SOLID_SETS : SOLID_PLASTIC_STRAIN); k++) {
        const hsize_t rows = (hsize_t)(k <= SOLID_VELOCITY ? s->nodes : s->elements);
        char name[64];
        hsize_t shape[3];
        tl_solid_set_name(index, TL_SOLID_SET[k], name);
        void *nothing = tl_h5_read_rows(r->file, name, H5T_NATIVE_FLOAT, 0, 0, shape);
        free(nothing);
        if (!nothing || shape[1] != rows || shape[2] != WIDE[k]) return false;
        if (shape[0] < (hsize_t)*frames) *frames = (int)shape[0];
    }
    return true;
}

/* A solid is drawn as it is deformed: the surface that its contacts see at the start would be drawn over it. */
static void leave_out_shapes(tl_replay *r)
{
    int kept = 0;
    for (int i = 0; i < r->shapes; i++) {
        const tl_replay_shape *s = &r->shape[i];
        for (int k = 0; k < r->solids && r->body[s->body].solid; k++)
            if (r->solid[k].body == s->body && r->solid[k].material < 0) r->solid[k].material = s->material;
        if (!r->body[s->body].solid) r->shape[kept++] = *s;
    }
    r->shapes = kept;
}

bool tl_replay_read_solids(tl_replay *r, int *frames)
{
    if (H5Lexists(r->file, "solids", H5P_DEFAULT) <= 0) return true; /* a run without, or an older file */
    const int n = tl_replay_length(r, "solids/body");
    if (n <= 0 || n > r->bodies) return false;
    int32_t *body = tl_replay_column(r, "solids/body", H5T_NATIVE_INT32, (hsize_t)n);
    r->solids = n;
    r->solid_name = tl_h5_read_texts(r->file, "solids/name", n);
    r->solid = calloc((size_t)n, sizeof *r->solid);
    bool done = body && r->solid_name && r->solid && list_kinds(r);
    for (int i = 0; done && i < n; i++) {
        tl_replay_solid *s = &r->solid[i];
        done = body[i] >= 0 && body[i] < r->bodies && !r->body[body[i]].solid;
        if (!done) break;
        *s = (tl_replay_solid){.name = r->solid_name[i], .body = body[i], .material = -1, .table = r->element};
        r->body[body[i]].solid = true, r->body[body[i]].link = false;
        done = read_mesh(r, i, s);
        s->yields = done && says_yielded(r, i);
        done = done && count_frames(r, i, s, frames);
    }
    free(body);
    if (done) leave_out_shapes(r);
    return done;
}

void tl_replay_free_solids(tl_replay *r)
{
    for (int i = 0; r->solid && i < r->solids; i++) {
        tl_replay_solid *s = &r->solid[i];
        free(s->position), free(s->kind), free(s->element_end), free(s->element_node), free(s->region);
        free(s->face_element), free(s->face_end), free(s->face_node), free(s->share), free(s->around);
    }
    free(r->solid), free(r->element);
    tl_h5_free_texts(r->solid_name, r->solids);
    r->solid = NULL, r->solid_name = NULL, r->element = NULL, r->solids = r->element_kinds = 0;
}

/* ---- frames --------------------------------------------------------------------------------------------------------- */

static float *read_floats(const tl_replay *r, int solid, tl_solid_set set, int frame)
{
    char name[64];
    hsize_t shape[3];
    tl_solid_set_name(solid, TL_SOLID_SET[set], name);
    float *value = tl_h5_read_rows(r->file, name, H5T_NATIVE_FLOAT, (hsize_t)frame, 1, shape);
    for (hsize_t i = 0; value && i < shape[1] * shape[2]; i++)
        if (!isfinite(value[i])) {
            free(value);
            return NULL;
        }
    return value;
}

static float *read_yielded(const tl_replay *r, int solid, tl_solid_set set, int frame)
{
    const tl_replay_solid *s = &r->solid[solid];
    return s->yields ? read_floats(r, solid, set, frame) : calloc((size_t)s->elements + 1, sizeof(float));
}

talus_status tl_replay_deformed_read(const tl_replay *r, int solid, int frame, tl_replay_deformed *d, tl_error *error)
{
    tl_replay_deformed_free(d);
    d->displacement = (float(*)[3])read_floats(r, solid, SOLID_DISPLACEMENT, frame);
    d->velocity = (float(*)[3])read_floats(r, solid, SOLID_VELOCITY, frame);
    d->strain = (float(*)[6])read_floats(r, solid, SOLID_STRAIN, frame);
    d->stress = (float(*)[6])read_floats(r, solid, SOLID_STRESS, frame);
    d->von_mises = read_floats(r, solid, SOLID_VON_MISES, frame);
    d->plastic_strain = read_yielded(r, solid, SOLID_PLASTIC_STRAIN, frame);
    d->cap = read_yielded(r, solid, SOLID_CAP, frame);
    if (d->displacement && d->velocity && d->strain && d->stress && d->von_mises && d->plastic_strain && d->cap) return TALUS_OK;
    return tl_fail(error, TALUS_INPUT, "trajectory.h5 is damaged: the solid '%s' in frame %d, at %g s, cannot be read", r->solid[solid].name, frame,
                   r->time[frame]);
}

void tl_replay_deformed_free(tl_replay_deformed *d)
{
    free(d->displacement), free(d->velocity), free(d->strain), free(d->stress), free(d->von_mises), free(d->plastic_strain), free(d->cap);
    *d = (tl_replay_deformed){0};
}

static double of_element(const tl_replay_deformed *d, tl_replay_field field, int e)
{
    const float *t = d->stress[e];
    switch (field) {
    case REPLAY_VON_MISES: return (double)d->von_mises[e];
    case REPLAY_PLASTIC_STRAIN: return (double)d->plastic_strain[e];
    case REPLAY_CAP: return (double)d->cap[e];
    case REPLAY_PRESSURE:
    case REPLAY_DISPLACEMENT:
    case REPLAY_SPEED: break;
    }
    return -((double)t[0] + (double)t[1] + (double)t[2]) / 3;
}

void tl_replay_nodal(const tl_replay_solid *s, const tl_replay_deformed *d, tl_replay_field field, double *value)
{
    const bool moved = field == REPLAY_DISPLACEMENT || field == REPLAY_SPEED;
    for (int i = 0; i < s->nodes; i++) {
        const float *x = field == REPLAY_SPEED ? d->velocity[i] : d->displacement[i];
        value[i] = moved ? sqrt((double)x[0] * (double)x[0] + (double)x[1] * (double)x[1] + (double)x[2] * (double)x[2]) : 0;
    }
    if (moved) return;
    for (int e = 0; e < s->elements; e++) {
        const double x = of_element(d, field, e);
        for (int k = tl_replay_element_begin(s, e); k < s->element_end[e]; k++) value[s->element_node[k]] += s->share[e] * x;
    }
    for (int i = 0; i < s->nodes; i++)
        if (s->around[i] > 0) value[i] /= s->around[i];
}

int tl_replay_loop(const tl_replay *r, const tl_replay_solid *s, int loop, int32_t out[TL_LOOP_NODES])
{
    int n = 0;
    if (r->dimension == 3) {
        for (int k = tl_replay_face_begin(s, loop); k < s->face_end[loop]; k++) out[n++] = s->face_node[k];
        return n;
    }
    const talus_element *kind = tl_replay_element_kind(s, loop);
    const int32_t *node = s->element_node + tl_replay_element_begin(s, loop);
    for (int f = 0; f < kind->faces; f++) {
        out[n++] = node[kind->face_node[f][0]];
        if (kind->face_nodes[f] > 2) out[n++] = node[kind->face_node[f][2]];
    }
    return n;
}
