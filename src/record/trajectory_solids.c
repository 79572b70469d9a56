/* Finite-element solids in trajectory.h5 (docs/results.md): a group for each, with its mesh once and a row a frame of what nodes and elements do. Frames
 * are in single precision, which says more of a stress than a mesh does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "talus/solid.h"

const char *const TL_SOLID_SET[TL_SOLID_SETS] = {[SOLID_DISPLACEMENT] = "displacement",
                                                 [SOLID_VELOCITY] = "velocity",
                                                 [SOLID_STRAIN] = "strain",
                                                 [SOLID_STRESS] = "stress",
                                                 [SOLID_VON_MISES] = "von_mises",
                                                 [SOLID_PLASTIC_STRAIN] = "plastic_strain",
                                                 [SOLID_CAP] = "cap"};

void tl_solid_set_name(int index, const char *set, char out[64]) { snprintf(out, 64, "solids/%d/%s", index, set); }

/* ---- once ----------------------------------------------------------------------------------------------------------- */

/* A dataset of the group of solid `index`: its name there, type, axes, unit and meaning. */
static bool write_set(hid_t file, int index, const tl_h5_set *set, const void *data)
{
    char name[64];
    tl_h5_set named = *set;
    tl_solid_set_name(index, set->name, name);
    named.name = name;
    return tl_h5_write(file, &named, data);
}

static bool write_integers(hid_t file, int index, const char *name, int count, const int32_t *data, const char *meaning)
{
    const hsize_t n = (hsize_t)count;
    return write_set(file, index, &(tl_h5_set){name, H5T_NATIVE_INT32, 1, &n, "1", meaning}, data);
}

static bool write_nodes_of_elements(hid_t file, int index, const talus_solid_mesh *m)
{
    const size_t room = (size_t)m->elements + 1;
    int32_t *kind = calloc(room, sizeof *kind), *end = calloc(room, sizeof *end), *region = calloc(room, sizeof *region);
    const int corners = m->elements > 0 ? m->begin[m->elements] : 0;
    int32_t *node = calloc((size_t)corners + 1, sizeof *node);
    bool done = kind && end && region && node;
    for (int e = 0; done && e < m->elements; e++) {
        talus_element of;
        done = talus_element_get(m->kind[e], &of);
        if (done) kind[e] = of.vtk, end[e] = m->begin[e + 1], region[e] = m->region_of[e];
    }
    for (int k = 0; done && k < corners; k++) node[k] = m->node[k];
    done = done &&
           write_integers(file, index, "element_kind", m->elements, kind,
                          "VTK's number: 5 triangle, 22 of 6 nodes, 9 quadrilateral, 10 tetrahedron, 24 of 10 nodes, 13 wedge, 12 hexahedron") &&
           write_integers(file, index, "element_end", m->elements, end, "one past the last node of each element in element_node") &&
           write_integers(file, index, "element_node", corners, node,
                          "rows of position; in VTK's order, but for the wedge, whose first triangle looks into it as Gmsh's does") &&
           write_integers(file, index, "region", m->elements, region, "of each element, counted from 0");
    free(kind), free(end), free(region), free(node);
    return done;
}

/* Nodes of a face as they follow each other around it: a corner, then the node between it and the next. */
static int loop_of(const talus_solid_mesh *m, const talus_solid_face *face, int32_t out[TALUS_FACE_MOST_NODES])
{
    talus_element kind;
    if (!talus_element_get(m->kind[face->element], &kind)) return 0;
    const int corners = kind.face_corners[face->face], between = kind.face_nodes[face->face] - corners;
    int n = 0;
    for (int k = 0; k < corners; k++) {
        out[n++] = m->node[m->begin[face->element] + kind.face_node[face->face][k]];
        if (k < between) out[n++] = m->node[m->begin[face->element] + kind.face_node[face->face][corners + k]];
    }
    return n;
}

static bool write_surface(hid_t file, int index, const talus_solid_mesh *m)
{
    const size_t room = (size_t)m->faces + 1;
    int32_t *element = calloc(room, sizeof *element), *end = calloc(room, sizeof *end), *node = calloc(room, TALUS_FACE_MOST_NODES * sizeof *node);
    int corners = 0;
    bool done = element && end && node;
    for (int f = 0; done && f < m->faces; f++) {
        corners += loop_of(m, &m->face[f], node + corners);
        element[f] = m->face[f].element, end[f] = corners;
    }
    done =
        done && write_integers(file, index, "face_element", m->faces, element, "of each face of the surface, which element it belongs to") &&
        write_integers(file, index, "face_end", m->faces, end, "one past the last node of each face in face_node") &&
        write_integers(file, index, "face_node", corners, node,
                       "rows of position around the face, counter-clockwise seen from outside, with the nodes between corners; in the plane from end to end");
    free(element), free(end), free(node);
    return done;
}

static bool write_mesh(hid_t file, int index, const talus_solid_mesh *m)
{
    const hsize_t shape[2] = {(hsize_t)m->nodes, 3};
    return write_set(file, index, &(tl_h5_set){"position", H5T_NATIVE_DOUBLE, 2, shape, "m", "of the nodes without strain, world axes"}, m->position) &&
           write_nodes_of_elements(file, index, m) && write_surface(file, index, m);
}

static bool grow(tl_trajectory *t, int index, tl_solid_set set, const tl_h5_set *plan)
{
    char name[64];
    tl_h5_set named = *plan;
    tl_solid_set_name(index, TL_SOLID_SET[set], name);
    named.name = name, named.type = H5T_NATIVE_FLOAT;
    return (t->solid[index].set[set] = tl_h5_growing(t->file, &named)) >= 0;
}

static bool grow_sets(tl_trajectory *t, int index)
{
    const hsize_t nodes = (hsize_t)t->solid[index].nodes, elements = (hsize_t)t->solid[index].elements, vectors[2] = {nodes, 3}, tensors[2] = {elements, 6};
    return grow(t, index, SOLID_DISPLACEMENT, &(tl_h5_set){.rank = 3, .shape = vectors, .unit = "m", .meaning = "of the nodes, world axes"}) &&
           grow(t, index, SOLID_VELOCITY, &(tl_h5_set){.rank = 3, .shape = vectors, .unit = "m/s", .meaning = "of the nodes, world axes"}) &&
           grow(t, index, SOLID_STRAIN,
                &(tl_h5_set){.rank = 3,
                             .shape = tensors,
                             .unit = "1",
                             .meaning = "mean of each element: xx, yy, zz, xy, yz, xz, of which the last three are angles, twice the tensor's"}) &&
           grow(t, index, SOLID_STRESS,
                &(tl_h5_set){
                    .rank = 3, .shape = tensors, .unit = "Pa", .meaning = "mean of each element: xx, yy, zz, xy, yz, xz, world axes; tension is positive"}) &&
           grow(t, index, SOLID_VON_MISES, &(tl_h5_set){.rank = 2, .shape = &elements, .unit = "Pa", .meaning = "von Mises' equivalent of this stress"});
}

static bool grow_yielded(tl_trajectory *t, int index)
{
    const hsize_t elements = (hsize_t)t->solid[index].elements;
    return grow(t, index, SOLID_PLASTIC_STRAIN,
                &(tl_h5_set){
                    .rank = 2, .shape = &elements, .unit = "1", .meaning = "mean of each element: root of the sum of squares of the plastic strain tensor"}) &&
           grow(t, index, SOLID_CAP,
                &(tl_h5_set){.rank = 2,
                             .shape = &elements,
                             .unit = "Pa",
                             .meaning = "mean of each element: trace of stress, taken positive, at which it begins to compact now; 0: it has no cap"});
}

static bool yields(const talus_world *w, talus_solid_id solid, int elements)
{
    double strain, cap;
    for (int e = 0; e < elements; e++)
        if (talus_solid_yielded(w, solid, e, &strain, &cap)) return true;
    return false;
}

static bool write_list(hid_t file, const talus_world *w, int n)
{
    const hsize_t count = (hsize_t)n;
    const char **name = calloc((size_t)n + 1, sizeof *name);
    int32_t *body = calloc((size_t)n + 1, sizeof *body);
    const bool room = name && body;
    for (int i = 0; room && i < n; i++) {
        const talus_solid_id solid = talus_solid_at(w, i);
        name[i] = talus_solid_name(w, solid), body[i] = (int32_t)talus_solid_body(w, solid).index1 - 1;
    }
    const bool done = room && tl_h5_write_texts(file, "solids/name", name, count, "as in the scene; solids/0, solids/1 … are their groups") &&
                      tl_h5_write(file, &(tl_h5_set){"solids/body", H5T_NATIVE_INT32, 1, &count, "1", "index into bodies"}, body);
    free((void *)name), free(body);
    return done;
}

bool tl_trajectory_solids(tl_trajectory *t, const talus_world *w)
{
    const int n = talus_solid_count(w);
    if (n == 0) return true;
    t->solid = calloc((size_t)n, sizeof *t->solid);
    if (!t->solid || !write_list(t->file, w, n)) return false;
    for (int i = 0; i < n; i++) {
        talus_solid_mesh mesh = {0};
        tl_trajectory_solid *s = &t->solid[t->solids++];
        for (int k = 0; k < TL_SOLID_SETS; k++) s->set[k] = -1;
        if (!talus_solid_get_mesh(w, talus_solid_at(w, i), &mesh)) return false;
        s->nodes = mesh.nodes, s->elements = mesh.elements;
        if (!write_mesh(t->file, i, &mesh) || !grow_sets(t, i)) return false;
        if (yields(w, talus_solid_at(w, i), s->elements) && !grow_yielded(t, i)) return false;
    }
    return true;
}

/* ---- frames --------------------------------------------------------------------------------------------------------- */

static double von_mises(const double s[6])
{
    const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

static bool append_nodes(const tl_trajectory_solid *s, const talus_world *w, talus_solid_id solid)
{
    const hid_t real = H5T_NATIVE_DOUBLE;
    double(*displacement)[3] = calloc((size_t)s->nodes + 1, sizeof *displacement), (*velocity)[3] = calloc((size_t)s->nodes + 1, sizeof *velocity);
    const bool room = displacement && velocity;
    if (room) talus_solid_motion(w, solid, displacement, velocity);
    const bool done = room && tl_h5_append(s->set[SOLID_DISPLACEMENT], real, 3, 1, displacement) && tl_h5_append(s->set[SOLID_VELOCITY], real, 3, 1, velocity);
    free(displacement), free(velocity);
    return done;
}

static bool append_elements(const tl_trajectory_solid *s, const talus_world *w, talus_solid_id solid)
{
    const size_t n = (size_t)s->elements;
    const hid_t real = H5T_NATIVE_DOUBLE;
    double(*strain)[6] = calloc(n + 1, sizeof *strain), (*stress)[6] = calloc(n + 1, sizeof *stress), *equivalent = calloc(n + 1, sizeof *equivalent);
    bool done = strain && stress && equivalent;
    for (size_t e = 0; done && e < n; e++) {
        done = talus_solid_stress(w, solid, (int)e, strain[e], stress[e]);
        equivalent[e] = von_mises(stress[e]);
    }
    done = done && tl_h5_append(s->set[SOLID_STRAIN], real, 3, 1, strain) && tl_h5_append(s->set[SOLID_STRESS], real, 3, 1, stress) &&
           tl_h5_append(s->set[SOLID_VON_MISES], real, 2, 1, equivalent);
    free(strain), free(stress), free(equivalent);
    return done;
}

/* Of elements that do not yield, zeros. */
static bool append_yielded(const tl_trajectory_solid *s, const talus_world *w, talus_solid_id solid)
{
    const size_t n = (size_t)s->elements;
    const hid_t real = H5T_NATIVE_DOUBLE;
    if (s->set[SOLID_CAP] < 0) return true;
    double *strain = calloc(n + 1, sizeof *strain), *cap = calloc(n + 1, sizeof *cap);
    const bool room = strain && cap;
    for (size_t e = 0; room && e < n; e++) (void)talus_solid_yielded(w, solid, (int)e, &strain[e], &cap[e]);
    const bool done = room && tl_h5_append(s->set[SOLID_PLASTIC_STRAIN], real, 2, 1, strain) && tl_h5_append(s->set[SOLID_CAP], real, 2, 1, cap);
    free(strain), free(cap);
    return done;
}

bool tl_trajectory_solids_frame(tl_trajectory *t, const talus_world *w)
{
    for (int i = 0; i < t->solids; i++) {
        const talus_solid_id solid = talus_solid_at(w, i);
        if (!append_nodes(&t->solid[i], w, solid) || !append_elements(&t->solid[i], w, solid) || !append_yielded(&t->solid[i], w, solid)) return false;
    }
    return true;
}

/* What readers take for rows that a file does not have. */
static bool append_zeros(const tl_trajectory_solid *s, tl_solid_set set, int64_t rows)
{
    double *zero = calloc((size_t)s->elements + 1, sizeof *zero);
    bool done = zero != NULL;
    for (int64_t k = 0; done && k < rows; k++) done = tl_h5_append(s->set[set], H5T_NATIVE_DOUBLE, 2, 1, zero);
    free(zero);
    return done;
}

bool tl_trajectory_solids_copy(tl_trajectory *t, hid_t old, int64_t frames)
{
    static const int RANK[TL_SOLID_SETS] = {3, 3, 3, 3, 2, 2, 2};
    for (int i = 0; i < t->solids; i++)
        for (int k = 0; k < TL_SOLID_SETS; k++) {
            const tl_trajectory_solid *s = &t->solid[i];
            if (s->set[k] < 0) continue;
            char name[64];
            tl_solid_set_name(i, TL_SOLID_SET[k], name);
            const bool older = k >= SOLID_PLASTIC_STRAIN && H5Lexists(old, name, H5P_DEFAULT) <= 0; /* than what is said of yielding */
            if (older ? !append_zeros(s, (tl_solid_set)k, frames) : !tl_h5_copy_rows(old, name, s->set[k], H5T_NATIVE_FLOAT, RANK[k], frames)) return false;
        }
    return true;
}

bool tl_trajectory_solids_close(tl_trajectory *t)
{
    bool done = true;
    for (int i = 0; i < t->solids && !t->abandoned; i++)
        for (int k = 0; k < TL_SOLID_SETS; k++)
            if (t->solid[i].set[k] >= 0) done = H5Dclose(t->solid[i].set[k]) >= 0 && done;
    free(t->solid);
    t->solid = NULL, t->solids = 0;
    return done;
}
