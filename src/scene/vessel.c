/* Where water would stand in a vessel: levels are added from below, free cells that touch are joined (union-find), and a level's cells that are then joined to
 * the outside at or below it are lost. What lies below keeps its water: a bowl is full up to its rim. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/math.h"
#include "scene/filling.h"

enum { MOST_CELLS = 1000000, MARGIN = 2 };
enum { WALL, WATER, AIR };

static void grow(const double x[3], const double rim[3], double low[3], double high[3])
{
    for (int c = 0; c < 3; c++) low[c] = fmin(low[c], x[c] - rim[c]), high[c] = fmax(high[c], x[c] + rim[c]);
}

void tl_rims(const talus_shape_def *d, const double (*corner)[3], double rim[3])
{
    rim[0] = rim[1] = rim[2] = d->radius;
    if (d->kind != TALUS_SHAPE_CYLINDER) return;
    const tl_vec3 n = tl_normalize(tl_sub(tl_load3(corner[1]), tl_load3(corner[0]))), square = tl_v3(1 - n.x * n.x, 1 - n.y * n.y, 1 - n.z * n.z);
    rim[0] *= sqrt(fmax(0, square.x)), rim[1] *= sqrt(fmax(0, square.y)), rim[2] *= sqrt(fmax(0, square.z));
}

bool tl_extents(const talus_world *w, talus_body_id body, double low[3], double high[3])
{
    double p[3], q[4];
    bool any = false;
    talus_body_pose(w, body, p, q);
    const tl_mat3 R = tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]});
    for (int k = 0; k < talus_body_shape_count(w, body); k++) {
        talus_shape_def d;
        talus_body_shape(w, body, k, &d);
        if (d.kind == TALUS_SHAPE_HALF_PLANE || d.kind == TALUS_SHAPE_HALF_SPACE) continue;
        const int count = talus_body_corners(w, body, k, NULL, 0);
        double(*corner)[3] = calloc((size_t)count + 1, sizeof *corner);
        if (!corner) return false;
        (void)talus_body_corners(w, body, k, corner, count);
        for (int i = 0; i < count; i++) tl_store3(corner[i], tl_add(tl_load3(p), tl_mat3_apply(&R, tl_load3(corner[i]))));
        double rim[3];
        tl_rims(&d, (const double(*)[3])corner, rim);
        for (int i = 0; i < count; i++) grow(corner[i], rim, low, high), any = true;
        free(corner);
    }
    return any;
}

/* ---- cells --------------------------------------------------------------------------------------------------------- */

typedef struct pool {
    int *parent;
    uint8_t *leaks; /* of roots */
} pool;

static void join(pool *p, int i, int j)
{
    const bool leaks = p->leaks[tl_root_of(p->parent, i)] || p->leaks[tl_root_of(p->parent, j)];
    p->leaks[tl_join(p->parent, i, j)] = leaks;
}

typedef struct walls {
    const talus_world *world;
    const talus_body_id *body;
    int count;
    double radius; /* of the ball that is to pass */
} walls;

/* Distance from the walls at the middle of a cell (two across, level), where it is below `within`. */
static double distance_at(const tl_vessel *v, const walls *w, const tl_room *room, const int cell[3], double within)
{
    double x[3] = {0};
    x[v->lateral[0]] = v->low[v->lateral[0]] + (cell[0] + 0.5) * v->size;
    if (room->dimension == 3) x[v->lateral[1]] = v->low[v->lateral[1]] + (cell[1] + 0.5) * v->size;
    x[room->up] = v->low[room->up] + room->sense * (cell[2] + 0.5) * v->size;
    for (int k = 0; k < w->count; k++) within = talus_body_distance(w->world, w->body[k], x, within);
    return within;
}

static void fill_level(tl_vessel *v, pool *p, const walls *w, const tl_room *room, int level)
{
    const int n = v->across[0], m = v->across[1], layer = n * m, first = level * layer;
    const double far = w->radius + 8 * v->size;
    for (int j = 0; j < m; j++) {
        double distance = w->radius; /* no more than it can be here: distances change no faster than the place */
        bool is_free = false;
        for (int i = 0; i < n; i++) {
            const int at = first + j * n + i;
            p->parent[at] = -1;
            distance += is_free ? -v->size : v->size;
            if (is_free != (distance >= w->radius) || i == 0) {
                distance = distance_at(v, w, room, (int[3]){i, j, level}, far);
                is_free = distance >= w->radius;
            }
            if (!is_free) continue;
            p->parent[at] = at;
            p->leaks[at] = level == 0 || i == 0 || i == n - 1 || (room->dimension == 3 && (j == 0 || j == m - 1));
            if (i > 0 && p->parent[at - 1] >= 0) join(p, at, at - 1);
            if (j > 0 && p->parent[at - n] >= 0) join(p, at, at - n);
            if (level > 0 && p->parent[at - layer] >= 0) join(p, at, at - layer);
        }
    }
    for (int at = first; at < first + layer; at++) v->state[at] = p->parent[at] < 0 ? WALL : p->leaks[tl_root_of(p->parent, at)] ? AIR : WATER;
}

talus_status tl_vessel_make(tl_vessel *v, const talus_world *w, const talus_body_id *bodies, int count, double radius, const tl_room *room)
{
    double extent[3] = {0}, volume = 1, low[3], high[3];
    *v = (tl_vessel){.lateral = {room->up == 0, room->up == 2 ? 1 : 2}};
    for (int c = 0; c < 3; c++) low[c] = room->low[c], high[c] = room->high[c];
    for (int c = 0; c < room->dimension && c < 3; c++) extent[c] = high[c] - low[c], volume *= extent[c];
    v->size = fmax(0.5 * radius, 1.05 * (room->dimension == 2 ? sqrt(volume / MOST_CELLS) : cbrt(volume / MOST_CELLS)));
    for (int k = 0; k < 2; k++) {
        const int c = v->lateral[k], n = c < room->dimension ? (int)ceil(extent[c] / v->size) : 1;
        v->across[k] = c < room->dimension ? n + 2 * MARGIN : 1;
        v->low[c] = c < room->dimension ? 0.5 * (low[c] + high[c] - v->across[k] * v->size) : 0;
    }
    v->levels = (int)ceil(extent[room->up] / v->size) + MARGIN;
    v->low[room->up] = room->sense > 0 ? low[room->up] - MARGIN * v->size : high[room->up] + MARGIN * v->size;
    const size_t cells = (size_t)v->across[0] * (size_t)v->across[1] * (size_t)v->levels;
    pool p = {malloc(cells * sizeof *p.parent), calloc(cells, 1)};
    v->state = calloc(cells, 1);
    const walls between = {w, bodies, count, radius};
    const bool room_for_it = p.parent && p.leaks && v->state;
    for (int level = 0; room_for_it && level < v->levels; level++) fill_level(v, &p, &between, room, level);
    free(p.parent), free(p.leaks);
    return room_for_it ? TALUS_OK : TALUS_MEMORY;
}

/* Is any cell about x, up to so many levels and cells away, of this state? */
static bool is_near(const tl_vessel *v, const tl_room *room, const double x[3], int state, int levels)
{
    const int level = (int)floor(room->sense * (x[room->up] - v->low[room->up]) / v->size);
    int at[2] = {0, 0};
    for (int k = 0; k < room->dimension - 1; k++) at[k] = (int)floor((x[v->lateral[k]] - v->low[v->lateral[k]]) / v->size);
    for (int l = level - levels; l <= level + levels; l++)
        for (int j = at[1] - 1; j <= at[1] + 1; j++)
            for (int i = at[0] - 1; i <= at[0] + 1; i++)
                if (l >= 0 && l < v->levels && j >= 0 && j < v->across[1] && i >= 0 && i < v->across[0] &&
                    v->state[(l * v->across[1] + j) * v->across[0] + i] == state)
                    return true;
    return false;
}

/* A ball at a wall has its centre in a cell whose own centre may be too near to the wall, so that the next ones count, too: its radius keeps them on its
 * side. At its highest point there must be water, or a wall above it, and no air. */
bool tl_vessel_holds(const tl_vessel *v, const tl_room *room, const double x[3], const double top[3])
{
    if (!v->state) return true;
    if (room->sense * (top[room->up] - v->low[room->up]) > (v->levels - 1) * v->size + 0.999 * v->size) return false;
    return is_near(v, room, x, WATER, 1) && (is_near(v, room, top, WATER, 0) || !is_near(v, room, top, AIR, 0));
}

void tl_vessel_free(tl_vessel *v)
{
    free(v->state);
    *v = (tl_vessel){0};
}
