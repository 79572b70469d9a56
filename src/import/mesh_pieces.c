/* Meshes in pieces that do not hang together, and the volumes of convex hulls. */
#include "import/import.h"

#include <stdlib.h>

#include "talus/talus.h"

static int by_coordinates(const void *a, const void *b, void *context)
{
    const double(*point)[3] = context;
    const int32_t i = *(const int32_t *)a, j = *(const int32_t *)b;
    for (int k = 0; k < 3; k++)
        if (point[i][k] != point[j][k]) return point[i][k] < point[j][k] ? -1 : 1;
    return (i > j) - (i < j);
}

static int32_t head_of(int32_t *head, int32_t i)
{
    while (head[i] != i) i = head[i] = head[head[i]];
    return i;
}

int tl_mesh_pieces(const double (*point)[3], int points, const int32_t (*triangle)[3], int triangles, int32_t *piece, int32_t *same)
{
    int32_t *head = malloc((size_t)points * sizeof *head), *number = malloc((size_t)points * sizeof *number);
    int pieces = 0;
    for (int i = 0; head && number && i < points; i++) number[i] = i;
    if (head && number) qsort_r(number, (size_t)points, sizeof *number, by_coordinates, (void *)(size_t)point);
    for (int i = 0; head && number && i < points; i++) {
        const double *x = point[number[i]], *before = point[number[i > 0 ? i - 1 : 0]];
        const bool twin = i > 0 && x[0] == before[0] && x[1] == before[1] && x[2] == before[2];
        same[number[i]] = twin ? same[number[i - 1]] : number[i];
        head[number[i]] = same[number[i]];
    }
    for (int t = 0; head && number && t < triangles; t++)
        for (int k = 1; k < 3; k++) head[head_of(head, triangle[t][k])] = head_of(head, triangle[t][0]);
    for (int i = 0; head && number && i < points; i++) number[i] = -1;
    for (int t = 0; head && number && t < triangles; t++) {
        const int32_t h = head_of(head, triangle[t][0]);
        if (number[h] < 0) number[h] = pieces++;
        piece[t] = number[h];
    }
    free(head);
    free(number);
    return pieces;
}

static void write_hull(FILE *out, const talus_world *w, talus_body_id body)
{
    double corner[TALUS_HULL_POINTS][3];
    int32_t size[2 * TALUS_HULL_POINTS], around[6 * TALUS_HULL_POINTS]; /* Euler: V − E + F = 2, and no face has less than three edges */
    int all;
    const int corners = talus_body_corners(w, body, 0, corner, TALUS_HULL_POINTS), faces = talus_body_faces(w, body, 0, size, around, &all);
    for (int i = 0; i < corners; i++) fprintf(out, "v %.9g %.9g %.9g\n", corner[i][0], corner[i][1], corner[i][2]);
    for (int f = 0, at = 0; f < faces; at += size[f++]) {
        fputs("f", out);
        for (int k = 0; k < size[f]; k++) fprintf(out, " %d", around[at + k] + 1);
        fputc('\n', out);
    }
}

/* A body of this shape and of the density 1 weighs its volume. */
static talus_status make_hull(talus_world *w, const double (*point)[3], int points, talus_body_id *body)
{
    talus_material_def m = talus_material_def_default();
    talus_body_def b = talus_body_def_default();
    talus_shape_def s = talus_shape_def_default();
    m.name = "unit", m.density = 1;
    s.kind = TALUS_SHAPE_POLYHEDRON, s.count = points, s.corners = point, s.most_corners = TALUS_HULL_POINTS;
    TL_TRY(talus_material_create(w, &m, &s.material));
    TL_TRY(talus_body_create(w, &b, body));
    return talus_body_add_shape(w, *body, &s);
}

talus_status tl_hull_write(FILE *out, const double (*point)[3], int points, double *volume, tl_error *error)
{
    talus_world_def d = talus_world_def_default();
    talus_world *w = NULL;
    talus_body_id body;
    char message[512] = "";
    d.dimension = 3;
    talus_status status = talus_world_create(&d, &w, message, sizeof message);
    if (status != TALUS_OK) return tl_fail(error, status, "%s", message);
    status = make_hull(w, point, points, &body);
    if (status != TALUS_OK) (void)tl_fail(error, status, "%s", talus_world_error(w));
    else {
        *volume = talus_body_mass(w, body);
        write_hull(out, w, body);
    }
    talus_world_destroy(w);
    return status;
}
