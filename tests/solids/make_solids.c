/* A run with finite-element solids, for the tests of what reads results: make_solids DIR DIMENSION FRAMES writes the trajectory of a block of soil that a
 * stamp presses on, of blocks of other elements that are stretched and sheared alike, u = t G x, so that what they bear is known in closed form, and of balls
 * before and behind the soil. Nothing is left beside trajectory.h5. The same arguments give the same numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "record/record.h"
#include "talus/solid.h"

static const double END = 0.04, STEP = 2e-4, YOUNG = 20e6, POISSON = 0.3, DENSITY = 2000, STAMP = -0.006;
/* of the blocks that are stretched, at the end */
static const double G[3][3] = {{0.02, 0.01, 0}, {0.03, -0.01, 0.02}, {-0.01, 0.005, 0.015}};

static void must(bool done, const char *what)
{
    if (done) return;
    fprintf(stderr, "make_solids: %s\n", what);
    exit(1);
}

static void *room(size_t n, size_t size)
{
    void *memory = calloc(n + 1, size);
    must(memory != NULL, "memory ran out");
    return memory;
}

/* Cells of a box, each an element or more; nodes at half the distance of cells, of which those are kept that an element has. */
typedef struct block {
    const char *name, *kind;
    int cells[3];
    double low[3], size[3];
} block;

typedef struct mesh {
    int nodes, elements, listed;
    double (*x)[3];
    int *node;
    uint8_t *kind;
} mesh;

static int half_point(const block *b, const int cell[3], const int at[3])
{
    int p[3];
    for (int c = 0; c < 3; c++) p[c] = 2 * cell[c] + at[c];
    return (p[2] * (2 * b->cells[1] + 1) + p[1]) * (2 * b->cells[0] + 1) + p[0];
}

/* Corners of a cell in VTK's order of a hexahedron; of the wedges and tetrahedra that it is cut into, and edges of a tetrahedron. */
static const int CORNER[8][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}};
static const int WEDGE[2][6] = {{0, 1, 2, 4, 5, 6}, {0, 2, 3, 4, 6, 7}};
static const int TETRAHEDRON[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
static const int EDGE[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
static const int TRIANGLE[2][3] = {{0, 1, 2}, {0, 2, 3}};

static void add(mesh *m, const block *b, const int cell[3], const int *corner, int corners)
{
    const int edges = strcmp(b->kind, "tetrahedron10") == 0 ? 6 : strcmp(b->kind, "triangle6") == 0 ? 3 : 0;
    for (int k = 0; k < corners; k++) m->node[m->listed++] = half_point(b, cell, CORNER[corner[k]]);
    for (int k = 0; k < edges; k++) {
        int at[3];
        for (int c = 0; c < 3; c++) at[c] = (CORNER[corner[EDGE[k][0]]][c] + CORNER[corner[EDGE[k][1]]][c]) / 2;
        m->node[m->listed++] = half_point(b, cell, at);
    }
    m->kind[m->elements++] = (uint8_t)talus_element_find(b->kind);
}

static void add_cell(mesh *m, const block *b, const int cell[3])
{
    static const int ALL[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    if (strcmp(b->kind, "hexahedron8") == 0) add(m, b, cell, ALL, 8);
    else if (strcmp(b->kind, "quadrilateral4") == 0) add(m, b, cell, ALL, 4);
    else if (strcmp(b->kind, "wedge6") == 0)
        for (int k = 0; k < 2; k++) add(m, b, cell, WEDGE[k], 6);
    else if (strncmp(b->kind, "tetrahedron", 11) == 0)
        for (int k = 0; k < 6; k++) add(m, b, cell, TETRAHEDRON[k], 4);
    else
        for (int k = 0; k < 2; k++) add(m, b, cell, TRIANGLE[k], 3);
}

static mesh make_mesh(const block *b, int dimension)
{
    const int n[3] = {b->cells[0], b->cells[1], dimension == 3 ? b->cells[2] : 1};
    const size_t cells = (size_t)(n[0] * n[1] * n[2]), points = (size_t)((2 * n[0] + 1) * (2 * n[1] + 1) * (2 * n[2] + 1));
    mesh m = {.x = room(points, sizeof *m.x), .node = room(60 * cells, sizeof *m.node), .kind = room(6 * cells, 1)};
    int *number = room(points, sizeof *number);
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) add_cell(&m, b, (int[3]){i, j, k});
    for (int k = 0; k < m.listed; k++) {
        const int p = m.node[k], wide = 2 * n[0] + 1, deep = 2 * n[1] + 1, at[3] = {p % wide, p / wide % deep, p / wide / deep};
        if (!number[p]) {
            number[p] = ++m.nodes;
            for (int c = 0; c < dimension; c++) m.x[m.nodes - 1][c] = b->low[c] + b->size[c] * at[c] / (2 * n[c]);
        }
        m.node[k] = number[p] - 1;
    }
    free(number);
    return m;
}

static void led(void *user, double t, double out[3])
{
    const double rate = *(const double *)user / END;
    out[0] = rate * t, out[1] = rate, out[2] = 0;
}

static talus_solid_id create(talus_world *w, const block *b, const mesh *m)
{
    talus_solid_region elastic = {
        .material = talus_solid_material_find("elastic"), .parameter = {YOUNG, POISSON}, .density = DENSITY, .strain = TALUS_STRAIN_AUTO};
    talus_solid_def d = talus_solid_def_default();
    talus_solid_id solid = {0};
    d.name = b->name, d.nodes = m->nodes, d.position = (const double(*)[3])m->x, d.elements = m->elements, d.kind = m->kind, d.node = m->node;
    d.regions = 1, d.region = &elastic, d.damping_stiffness = 2e-4;
    if (talus_solid_create(w, &d, &solid) != TALUS_OK) must(false, talus_world_error(w));
    return solid;
}

/* The foot is held; under the stamp nodes go down. `amount`: room for one number. */
static void press(talus_world *w, const block *b, const mesh *m, talus_solid_id soil, double *amount)
{
    const int dimension = talus_world_dimension(w), up = dimension - 1;
    const talus_motion down = {led, amount};
    *amount = STAMP;
    for (int i = 0; i < m->nodes; i++) {
        const double *x = m->x[i], height = (x[up] - b->low[up]) / b->size[up];
        bool under = height > 1 - 1e-9;
        for (int c = 0; c < up; c++) under = under && fabs(x[c] - b->low[c] - 0.5 * b->size[c]) < 0.2 * b->size[c];
        for (int a = 0; a < dimension && height < 1e-9; a++) must(talus_solid_hold(w, soil, i, a, NULL) == TALUS_OK, talus_world_error(w));
        if (under) must(talus_solid_hold(w, soil, i, up, &down) == TALUS_OK, talus_world_error(w));
    }
}

/* All nodes are led. `amount` [nodes][3]. */
static void stretch(talus_world *w, const mesh *m, talus_solid_id solid, double (*amount)[3])
{
    for (int i = 0; i < m->nodes; i++)
        for (int a = 0; a < talus_world_dimension(w); a++) {
            for (int c = 0; c < talus_world_dimension(w); c++) amount[i][a] += G[a][c] * m->x[i][c];
            must(talus_solid_hold(w, solid, i, a, &(talus_motion){led, &amount[i][a]}) == TALUS_OK, talus_world_error(w));
        }
}

static void add_ball(talus_world *w, const char *name, const double at[3])
{
    talus_material_def stone = talus_material_def_default();
    talus_body_def d = talus_body_def_default();
    talus_shape_def ball = talus_shape_def_default();
    talus_body_id body;
    char material[64];
    snprintf(material, sizeof material, "stone of the ball that is %s", name);
    stone.name = material, stone.density = 2700;
    must(talus_material_create(w, &stone, &ball.material) == TALUS_OK, talus_world_error(w));
    d.name = strcmp(name, "far") == 0 ? NULL : name, d.kind = TALUS_BODY_FREE; /* a grain has no name */
    memcpy(d.position, at, sizeof d.position);
    must(talus_body_create(w, &d, &body) == TALUS_OK, talus_world_error(w));
    static const double ORIGIN[1][3] = {{0, 0, 0}};
    ball.kind = talus_world_dimension(w) == 3 ? TALUS_SHAPE_SPHERE : TALUS_SHAPE_DISK, ball.count = 1, ball.corners = ORIGIN, ball.radius = 0.03;
    must(talus_body_add_shape(w, body, &ball) == TALUS_OK, talus_world_error(w));
}

static const block SPACE[] = {{"soil", "hexahedron8", {10, 8, 6}, {0, 0, 0}, {0.3, 0.24, 0.15}},
                              {"wedges", "wedge6", {2, 2, 2}, {0.4, 0, 0}, {0.08, 0.08, 0.08}},
                              {"tetrahedra", "tetrahedron10", {2, 2, 2}, {0.4, 0.16, 0}, {0.08, 0.08, 0.08}},
                              {"simplices", "tetrahedron4", {1, 1, 1}, {0.4, 0.08, 0.1}, {0.08, 0.08, 0.08}}},
                   PLANE[] = {{"soil", "quadrilateral4", {12, 6, 1}, {0, 0, 0}, {0.3, 0.15, 0}},
                              {"triangles", "triangle6", {3, 3, 1}, {0.4, 0, 0}, {0.1, 0.1, 0}}};

int main(int argc, char **argv)
{
    const int dimension = argc == 4 ? atoi(argv[2]) : 0, frames = argc == 4 ? atoi(argv[3]) : 0;
    must((dimension == 2 || dimension == 3) && frames > 1, "make_solids DIR DIMENSION FRAMES");
    const block *blocks = dimension == 3 ? SPACE : PLANE;
    const int count = dimension == 3 ? (int)(sizeof SPACE / sizeof *SPACE) : (int)(sizeof PLANE / sizeof *PLANE);
    talus_world_def def = talus_world_def_default();
    talus_world *w;
    char text[512] = "", path[4096];
    def.dimension = dimension, def.step = STEP;
    memset(def.gravity, 0, sizeof def.gravity);
    must(talus_world_create(&def, &w, text, sizeof text) == TALUS_OK, text);
    double(*amount[4])[3] = {0};
    mesh m[4] = {0};
    add_ball(w, "near", (const double[3]){0.30, dimension == 3 ? -0.02 : 0.18, dimension == 3 ? 0.10 : 0});
    add_ball(w, "far", (const double[3]){0.0, dimension == 3 ? 0.27 : 0.20, dimension == 3 ? 0.12 : 0});
    for (int i = 0; i < count; i++) {
        m[i] = make_mesh(&blocks[i], dimension);
        amount[i] = room((size_t)m[i].nodes, sizeof *amount[i]);
        const talus_solid_id solid = create(w, &blocks[i], &m[i]);
        if (i == 0) {
            talus_solid_contact touched = talus_solid_contact_default(); /* its body then has shapes, which are not to be drawn */
            touched.material = (talus_material_id){1};
            if (dimension == 3) must(talus_solid_add_contact(w, solid, &touched) == TALUS_OK, talus_world_error(w));
            press(w, &blocks[i], &m[i], solid, amount[i][0]);
        } else stretch(w, &m[i], solid, amount[i]);
    }
    if (talus_world_assemble(w) != TALUS_OK) must(false, talus_world_error(w));
    mkdir(argv[1], 0777);
    snprintf(path, sizeof path, "%s/trajectory.h5", argv[1]);
    tl_trajectory t;
    tl_error error;
    const int steps = (int)rint(END / STEP);
    must(tl_trajectory_create(&t, path, w, &error) == TALUS_OK && tl_trajectory_frame(&t, w, &error) == TALUS_OK, path);
    for (int k = 1, written = 1; k <= steps; k++) {
        if (talus_world_step(w, NULL) != TALUS_OK) must(false, talus_world_error(w));
        if (k < written * steps / (frames - 1)) continue;
        must(tl_trajectory_frame(&t, w, &error) == TALUS_OK, path);
        written++;
    }
    must(tl_trajectory_close(&t), path);
    talus_world_destroy(w);
    for (int i = 0; i < count; i++) free(m[i].x), free(m[i].node), free(m[i].kind), free(amount[i]);
    return 0;
}
