/* Finite-element solids as streams of a page: what is drawn of their meshes, and of every frame where its nodes are and what they bear. */
#include <stdlib.h>
#include <string.h>

#include "record/page.h"

/* Numbers of the nodes that are drawn, −1 of others; returns how many they are. */
static int number_nodes(const tl_replay *r, const tl_replay_solid *s, int32_t *number)
{
    int count = 0;
    int32_t node[TL_LOOP_NODES];
    for (int i = 0; i < s->nodes; i++) number[i] = -1;
    for (int f = 0; f < tl_replay_loops(r, s); f++) {
        const int n = tl_replay_loop(r, s, f, node);
        for (int k = 0; k < n; k++) number[node[k]] = 0;
    }
    for (int i = 0; i < s->nodes; i++)
        if (number[i] == 0) number[i] = count++;
    return count;
}

/* What is drawn of all solids. */
typedef struct drawn {
    int nodes, loops, corners;
    int32_t **number; /* [solids][nodes] */
    int32_t *count;   /* [solids] */
} drawn;

static bool find_drawn(const tl_replay *r, drawn *d)
{
    d->number = calloc((size_t)r->solids + 1, sizeof *d->number);
    d->count = calloc((size_t)r->solids + 1, sizeof *d->count);
    for (int i = 0; d->number && d->count && i < r->solids; i++) {
        const tl_replay_solid *s = &r->solid[i];
        if (!(d->number[i] = malloc((size_t)s->nodes * sizeof **d->number))) return false;
        d->count[i] = number_nodes(r, s, d->number[i]);
        d->nodes += d->count[i], d->loops += tl_replay_loops(r, s);
    }
    return d->number && d->count;
}

static void forget(const tl_replay *r, drawn *d)
{
    for (int i = 0; d->number && i < r->solids; i++) free(d->number[i]);
    free(d->number), free(d->count);
}

int tl_page_solid_nodes(const tl_replay *r)
{
    drawn d = {0};
    const int nodes = find_drawn(r, &d) ? d.nodes : 0;
    forget(r, &d);
    return nodes;
}

void tl_page_pack_solids(tl_pack *p, const tl_replay *r)
{
    enum { COLUMNS = 3 };
    drawn d = {0};
    if (r->solids == 0) return;
    const bool found = find_drawn(r, &d);
    int32_t(*table)[COLUMNS] = calloc((size_t)r->solids, sizeof *table), *size = calloc((size_t)d.loops + 1, sizeof *size);
    int32_t *corner = calloc((size_t)d.loops + 1, TL_LOOP_NODES * sizeof *corner);
    double(*point)[3] = calloc((size_t)d.nodes + 1, sizeof *point);
    int loops = 0, corners = 0, first = 0;
    p->failed = p->failed || !found || !table || !size || !corner || !point;
    for (int i = 0; !p->failed && i < r->solids; first += d.count[i++]) {
        const tl_replay_solid *s = &r->solid[i];
        table[i][0] = s->body, table[i][1] = d.count[i], table[i][2] = tl_replay_loops(r, s);
        for (int k = 0; k < s->nodes; k++)
            if (d.number[i][k] >= 0) memcpy(point[first + d.number[i][k]], s->position[k], sizeof *point);
        for (int f = 0; f < tl_replay_loops(r, s); f++) {
            int32_t node[TL_LOOP_NODES];
            size[loops] = tl_replay_loop(r, s, f, node);
            for (int k = 0; k < size[loops]; k++) corner[corners++] = first + d.number[i][node[k]];
            loops++;
        }
    }
    if (!p->failed) {
        tl_pack_codes(p, "solid", table[0], r->solids, COLUMNS, 1);
        tl_pack_reals(p, "solid_point", point[0], 3 * d.nodes, 23);
        tl_pack_codes(p, "solid_loop", size, 1, loops, 1);
        tl_pack_codes(p, "solid_node", corner, 1, corners, 1);
    }
    free(table), free(size), free(corner), free(point);
    forget(r, &d);
}

talus_status tl_page_measure_solids(const tl_replay *r, tl_page_frames *f, tl_error *error)
{
    enum { SAMPLES = 40 };
    tl_replay_deformed d = {0};
    talus_status status = TALUS_OK;
    f->displacement = f->stress = f->plastic_strain = f->cap = 0;
    for (int k = 0; k < SAMPLES * r->solids && status == TALUS_OK; k++) {
        const tl_replay_solid *s = &r->solid[k / SAMPLES];
        status = tl_replay_deformed_read(r, k / SAMPLES, (int)((int64_t)(k % SAMPLES) * (r->frames - 1) / (SAMPLES - 1)), &d, error);
        for (int i = 0; status == TALUS_OK && i < s->nodes; i++)
            for (int c = 0; c < 3; c++) f->displacement = fmax(f->displacement, fabs((double)d.displacement[i][c]));
        for (int e = 0; status == TALUS_OK && e < s->elements; e++) {
            f->stress = fmax(f->stress, (double)d.von_mises[e]);
            f->stress = fmax(f->stress, fabs((double)(d.stress[e][0] + d.stress[e][1] + d.stress[e][2])) / 3);
            f->plastic_strain = fmax(f->plastic_strain, (double)d.plastic_strain[e]), f->cap = fmax(f->cap, (double)d.cap[e]);
        }
    }
    tl_replay_deformed_free(&d);
    return status;
}

/* Three of displacement, then what elements have: two of stress, and two of yielding where a solid does. */
enum { PARTS = 7, ELASTIC_PARTS = 5, MOST = 1 << 30 };
static const char *const PART[PARTS] = {"solid_x", "solid_y", "solid_z", "solid_von_mises", "solid_pressure", "solid_plastic_strain", "solid_cap"};
static const tl_replay_field FIELD[PARTS] = {[3] = REPLAY_VON_MISES, REPLAY_PRESSURE, REPLAY_PLASTIC_STRAIN, REPLAY_CAP};

static int parts_of(const tl_replay *r)
{
    for (int i = 0; i < r->solids; i++)
        if (r->solid[i].yields) return PARTS;
    return ELASTIC_PARTS;
}

static int32_t code(double x, double step)
{
    const double c = nearbyint(x / step);
    return c >= MOST ? MOST : c <= -MOST ? -MOST : (int32_t)c;
}

/* A row of a frame, of each part that is asked for; NULL: of no more. */
static talus_status code_frame(const tl_replay *r, const drawn *d, int frame, int32_t *const row[PARTS], const double step[PARTS], tl_error *error)
{
    tl_replay_deformed now = {0};
    talus_status status = TALUS_OK;
    for (int i = 0, first = 0; i < r->solids && status == TALUS_OK; first += d->count[i++]) {
        const tl_replay_solid *s = &r->solid[i];
        double *value = malloc((size_t)s->nodes * sizeof *value);
        if (!value) status = tl_fail(error, TALUS_MEMORY, "memory ran out");
        else status = tl_replay_deformed_read(r, i, frame, &now, error);
        for (int c = 0; c < PARTS && row[c] && value && now.displacement && status == TALUS_OK; c++) {
            if (c >= 3) tl_replay_nodal(s, &now, FIELD[c], value);
            for (int k = 0; k < s->nodes; k++)
                if (d->number[i][k] >= 0) row[c][first + d->number[i][k]] = code(c < 3 ? (double)now.displacement[k][c] : value[k], step[c]);
        }
        free(value);
    }
    tl_replay_deformed_free(&now);
    return status;
}

talus_status tl_page_pack_solid_motion(tl_pack *p, const tl_replay *r, const tl_page_level *level, const tl_page_frames *f, tl_error *error)
{
    drawn d = {0};
    int32_t *codes[PARTS] = {0};
    double step[PARTS];
    if (r->solids == 0) return TALUS_OK;
    const double most[PARTS] = {f->displacement, f->displacement, f->displacement, f->stress, f->stress, f->plastic_strain, f->cap};
    const int parts = parts_of(r);
    bool room = find_drawn(r, &d);
    for (int c = 0; c < parts; c++) {
        step[c] = most[c] > 0 ? ldexp(most[c], -level->length + (c < 3 ? 5 : 3)) : 1;
        room = room && (codes[c] = calloc((size_t)f->count * (size_t)d.nodes + 1, sizeof *codes[c]));
    }
    talus_status status = room ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "memory ran out");
    for (int k = 0; k < f->count && status == TALUS_OK; k++) {
        int32_t *row[PARTS] = {0};
        for (int c = 0; c < parts; c++) row[c] = codes[c] + (size_t)k * (size_t)d.nodes;
        status = code_frame(r, &d, f->first + k * f->stride, row, step, error);
    }
    for (int c = 0; c < parts && status == TALUS_OK; c++) tl_pack_codes(p, PART[c], codes[c], f->count, d.nodes, step[c]);
    for (int c = 0; c < PARTS; c++) free(codes[c]);
    forget(r, &d);
    return status;
}
