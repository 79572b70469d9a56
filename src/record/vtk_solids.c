/* Finite-element solids for ParaView: one mesh a frame of all solids of the run, as they are deformed, with what their nodes and elements have. Numbers of
 * nodes are VTK's but for the wedge, whose first triangle looks out of it there. */
#include <stdlib.h>
#include <string.h>

#include "record/vtk.h"
#include "talus/solid.h"

/* Arrays of all solids, one after the other. */
typedef struct mesh {
    int points, cells, corners;
    double (*point)[3];
    float (*displacement)[3], (*velocity)[3];
    float (*strain)[6], (*stress)[6], *von_mises, *pressure, *plastic_strain, *cap;
    int32_t *connectivity, *offset, *solid, *body, *region;
    uint8_t *type;
} mesh;

static bool make_room(mesh *m, const tl_replay *r)
{
    for (int i = 0; i < r->solids; i++) {
        const tl_replay_solid *s = &r->solid[i];
        m->points += s->nodes, m->cells += s->elements, m->corners += s->elements > 0 ? s->element_end[s->elements - 1] : 0;
    }
    const size_t points = (size_t)m->points + 1, cells = (size_t)m->cells + 1;
    m->point = calloc(points, sizeof *m->point), m->displacement = calloc(points, sizeof *m->displacement), m->velocity = calloc(points, sizeof *m->velocity);
    m->strain = calloc(cells, sizeof *m->strain), m->stress = calloc(cells, sizeof *m->stress);
    m->von_mises = calloc(cells, sizeof *m->von_mises), m->pressure = calloc(cells, sizeof *m->pressure);
    m->plastic_strain = calloc(cells, sizeof *m->plastic_strain), m->cap = calloc(cells, sizeof *m->cap);
    m->connectivity = calloc((size_t)m->corners + 1, sizeof *m->connectivity), m->offset = calloc(cells, sizeof *m->offset);
    m->solid = calloc(cells, sizeof *m->solid), m->body = calloc(cells, sizeof *m->body), m->region = calloc(cells, sizeof *m->region);
    m->type = calloc(cells, sizeof *m->type);
    return m->point && m->displacement && m->velocity && m->strain && m->stress && m->von_mises && m->pressure && m->plastic_strain && m->cap &&
           m->connectivity && m->offset && m->solid && m->body && m->region && m->type;
}

static void forget(mesh *m)
{
    free(m->point), free(m->displacement), free(m->velocity), free(m->strain), free(m->stress), free(m->von_mises), free(m->pressure);
    free(m->plastic_strain), free(m->cap);
    free(m->connectivity), free(m->offset), free(m->solid), free(m->body), free(m->region), free(m->type);
}

/* Where node k of an element stands in VTK's order. */
static int vtk_place(int vtk, int k)
{
    enum { WEDGE = 13 };
    static const int TURNED[6] = {0, 2, 1, 3, 5, 4};
    return vtk == WEDGE ? TURNED[k] : k;
}

/* `at`: where its points, cells and corners begin. */
static void put_solid(mesh *m, const tl_replay *r, int index, const tl_replay_deformed *d, int at[3])
{
    const tl_replay_solid *s = &r->solid[index];
    for (int i = 0; i < s->nodes; i++) {
        tl_replay_node(s, d, i, 1, m->point[at[0] + i]);
        memcpy(m->displacement[at[0] + i], d->displacement[i], sizeof *d->displacement);
        memcpy(m->velocity[at[0] + i], d->velocity[i], sizeof *d->velocity);
    }
    for (int e = 0; e < s->elements; e++) {
        const int begin = tl_replay_element_begin(s, e), cell = at[1] + e, vtk = tl_replay_element_kind(s, e)->vtk;
        for (int k = begin; k < s->element_end[e]; k++) m->connectivity[at[2] + begin + vtk_place(vtk, k - begin)] = at[0] + s->element_node[k];
        m->offset[cell] = at[2] + s->element_end[e], m->type[cell] = (uint8_t)vtk;
        m->solid[cell] = index, m->body[cell] = s->body, m->region[cell] = s->region[e];
        memcpy(m->strain[cell], d->strain[e], sizeof *d->strain);
        memcpy(m->stress[cell], d->stress[e], sizeof *d->stress);
        m->von_mises[cell] = d->von_mises[e], m->plastic_strain[cell] = d->plastic_strain[e], m->cap[cell] = d->cap[e];
        m->pressure[cell] = -(d->stress[e][0] + d->stress[e][1] + d->stress[e][2]) / 3;
    }
    at[0] += s->nodes, at[1] += s->elements, at[2] += s->elements > 0 ? s->element_end[s->elements - 1] : 0;
}

static void write_mesh(const mesh *m, tl_vtp *v)
{
    const size_t points = (size_t)m->points, cells = (size_t)m->cells;
    tl_vtp_open(v, "PointData Vectors='displacement'");
    tl_vtp_array(v, "displacement", VTP_FLOAT32, 3, points, m->displacement);
    tl_vtp_array(v, "velocity", VTP_FLOAT32, 3, points, m->velocity);
    tl_vtp_close(v, "PointData");
    tl_vtp_open(v, "CellData Scalars='von_mises'");
    tl_vtp_array(v, "von_mises", VTP_FLOAT32, 1, cells, m->von_mises);
    tl_vtp_array(v, "pressure", VTP_FLOAT32, 1, cells, m->pressure);
    tl_vtp_array(v, "plastic_strain", VTP_FLOAT32, 1, cells, m->plastic_strain);
    tl_vtp_array(v, "cap", VTP_FLOAT32, 1, cells, m->cap);
    tl_vtp_array(v, "stress", VTP_FLOAT32, 6, cells, m->stress);
    tl_vtp_array(v, "strain", VTP_FLOAT32, 6, cells, m->strain);
    tl_vtp_array(v, "solid", VTP_INT32, 1, cells, m->solid);
    tl_vtp_array(v, "body", VTP_INT32, 1, cells, m->body);
    tl_vtp_array(v, "region", VTP_INT32, 1, cells, m->region);
    tl_vtp_close(v, "CellData");
    tl_vtp_open(v, "Points");
    tl_vtp_array(v, "Points", VTP_FLOAT64, 3, points, m->point);
    tl_vtp_close(v, "Points");
    tl_vtp_open(v, "Cells");
    tl_vtp_array(v, "connectivity", VTP_INT32, 1, (size_t)m->corners, m->connectivity);
    tl_vtp_array(v, "offsets", VTP_INT32, 1, cells, m->offset);
    tl_vtp_array(v, "types", VTP_UINT8, 1, cells, m->type);
    tl_vtp_close(v, "Cells");
}

talus_status tl_vtk_solids(tl_vtp *v, const tl_replay *r, int frame, const char *const *notes, tl_error *error)
{
    mesh m = {0};
    tl_replay_deformed d = {0};
    int at[3] = {0, 0, 0};
    talus_status status = make_room(&m, r) ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "memory ran out");
    for (int i = 0; i < r->solids && status == TALUS_OK; i++) {
        status = tl_replay_deformed_read(r, i, frame, &d, error);
        if (status == TALUS_OK) put_solid(&m, r, i, &d, at);
    }
    if (status == TALUS_OK) {
        tl_vtp_begin_mesh(v, r->time[frame], notes, m.points, m.cells);
        write_mesh(&m, v);
    }
    tl_replay_deformed_free(&d);
    forget(&m);
    return status;
}
