/* Finite-element solids in pictures: what of them is drawn, where, and by which numbers it is coloured. */
#include <math.h>
#include <stdlib.h>

#include "record/picture.h"

static bool valued(const tl_picture *p) { return p->def->colour >= TALUS_PICTURE_VON_MISES || p->def->colour == TALUS_PICTURE_VELOCITY; }

static tl_replay_field field_of(const tl_picture *p)
{
    switch (p->def->colour) {
    case TALUS_PICTURE_VON_MISES: return REPLAY_VON_MISES;
    case TALUS_PICTURE_PRESSURE: return REPLAY_PRESSURE;
    case TALUS_PICTURE_DISPLACEMENT: return REPLAY_DISPLACEMENT;
    case TALUS_PICTURE_PLASTIC_STRAIN: return REPLAY_PLASTIC_STRAIN;
    case TALUS_PICTURE_CAP: return REPLAY_CAP;
    case TALUS_PICTURE_VELOCITY:
    case TALUS_PICTURE_ROLE:
    case TALUS_PICTURE_FORCE:
    case TALUS_PICTURE_MATERIAL: break;
    }
    return REPLAY_SPEED;
}

talus_status tl_picture_read_meshes(tl_picture *p, int frame, tl_error *error)
{
    for (int i = 0; i < p->run->solids; i++) {
        const tl_replay_solid *s = &p->run->solid[i];
        tl_picture_mesh *m = &p->mesh[i];
        TL_TRY(tl_replay_deformed_read(p->run, i, frame, &m->deformed, error));
        if (!m->value) m->value = calloc((size_t)s->nodes + 1, sizeof *m->value);
        if (!m->value) return tl_fail(error, TALUS_MEMORY, "memory ran out");
        if (valued(p)) tl_replay_nodal(s, &m->deformed, field_of(p), m->value);
    }
    return TALUS_OK;
}

void tl_picture_free_meshes(tl_picture *p)
{
    for (int i = 0; p->mesh && i < p->run->solids; i++) {
        tl_replay_deformed_free(&p->mesh[i].deformed);
        free(p->mesh[i].value);
    }
    free(p->mesh);
    p->mesh = NULL;
}

void tl_picture_include_meshes(tl_picture *p)
{
    double x[3];
    for (int i = 0; i < p->run->solids; i++)
        for (int k = 0; k < p->run->solid[i].nodes && tl_picture_shows(p, p->run->solid[i].body); k++) {
            tl_replay_node(&p->run->solid[i], &p->mesh[i].deformed, k, p->def->deform, x);
            tl_picture_include(p, x, 0);
        }
}

/* Of many nodes a hundredth may lie beyond either end: below the edge of a stone and where a mesh is held the stress has peaks. */
bool tl_picture_measure_meshes(const tl_picture *p, tl_picture_range *range)
{
    size_t all = 0, n = 0;
    for (int i = 0; valued(p) && i < p->run->solids; i++) all += (size_t)p->run->solid[i].nodes;
    if (all == 0) return true;
    double *sorted = calloc(all, sizeof *sorted);
    if (!sorted) return false;
    for (int i = 0; i < p->run->solids; i++)
        for (int k = 0; k < p->run->solid[i].nodes && tl_picture_shows(p, p->run->solid[i].body); k++) sorted[n++] = p->mesh[i].value[k];
    qsort(sorted, n, sizeof *sorted, tl_rising);
    if (n > 0) {
        const size_t beyond = n >= 100 ? n / 100 : 0;
        range->least = fmin(range->least, sorted[0]), range->largest = fmax(range->largest, sorted[n - 1]);
        range->begin = fmin(range->begin, sorted[beyond]), range->end = fmax(range->end, sorted[n - 1 - beyond]);
    }
    free(sorted);
    return true;
}

void tl_picture_colour_meshes(tl_picture *p)
{
    for (int i = 0; i < p->run->solids; i++) {
        const tl_replay_solid *s = &p->run->solid[i];
        const bool material = p->def->colour == TALUS_PICTURE_MATERIAL && s->material >= 0;
        p->mesh[i].valued = valued(p);
        p->mesh[i].colour = material ? tl_material_colour(s->material) : p->colour[s->body];
    }
}

double tl_picture_share(const tl_picture *p, double value)
{
    const double range = p->meaning.high - p->meaning.low;
    return range > 0 ? (value - p->meaning.low) / range : 0;
}

int tl_picture_mesh_loop(const tl_picture *p, int solid, int loop, double (*x)[3], double *share)
{
    const tl_replay_solid *s = &p->run->solid[solid];
    const tl_picture_mesh *m = &p->mesh[solid];
    int32_t node[TL_LOOP_NODES];
    const int n = tl_replay_loop(p->run, s, loop, node);
    double *middle = x[n];
    for (int c = 0; c < 3; c++) middle[c] = 0;
    share[n] = 0;
    for (int k = 0; k < n; k++) {
        tl_replay_node(s, &m->deformed, node[k], p->def->deform, x[k]);
        share[k] = tl_picture_share(p, m->value[node[k]]);
        for (int c = 0; c < 3; c++) middle[c] += x[k][c] / n;
        share[n] += share[k] / n;
    }
    return n;
}

double tl_picture_mesh_ink(const tl_picture *p, int solid)
{
    const tl_replay_solid *s = &p->run->solid[solid];
    const int loops = tl_replay_loops(p->run, s), stride = loops / 500 + 1;
    double sum = 0, x[TL_LOOP_NODES + 1][3], share[TL_LOOP_NODES + 1];
    int count = 0;
    if (p->showing[s->body] == TL_FADED) return 0;
    for (int f = 0; f < loops; f += stride, count++) {
        const int n = tl_picture_mesh_loop(p, solid, f, x, share);
        sum += tl_norm(tl_sub(tl_load3(x[1 % n]), tl_load3(x[0])));
    }
    const double pixels = count ? sum / count * p->scale / p->unit : 0;
    return 0.32 * fmin(fmax((pixels - 2) / 8, 0), 1);
}
