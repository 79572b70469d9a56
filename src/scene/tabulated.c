/* Functions of time as tables: linear between the rows, or smooth; constant beyond them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/build.h"

typedef struct table {
    int rows;
    double (*row)[2];
    double *slope; /* [rows] of a smooth one, else NULL */
} table;

/* The last row at or before t, which is not before the first. */
static int row_at(const table *k, double t)
{
    int low = 0, high = k->rows - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (k->row[middle][0] <= t) low = middle;
        else high = middle - 1;
    }
    return low;
}

static void linear_value(void *user, double t, double out[3])
{
    const table *k = user;
    out[0] = k->row[0][1], out[1] = out[2] = 0;
    if (t <= k->row[0][0]) return;
    const int i = row_at(k, t);
    out[0] = k->row[i][1];
    if (i + 1 == k->rows) return;
    out[1] = (k->row[i + 1][1] - k->row[i][1]) / (k->row[i + 1][0] - k->row[i][0]);
    out[0] += out[1] * (t - k->row[i][0]);
}

/* Hermite's cubic between two rows, in s from 0 to 1. */
static void smooth_value(void *user, double t, double out[3])
{
    const table *k = user;
    const int i = row_at(k, t);
    out[0] = k->row[i][1], out[1] = out[2] = 0;
    if (t <= k->row[0][0] || i + 1 == k->rows) return;
    const double h = k->row[i + 1][0] - k->row[i][0], rise = k->row[i + 1][1] - k->row[i][1], s = (t - k->row[i][0]) / h;
    const double a = h * k->slope[i], b = h * k->slope[i + 1], c = 3 * rise - 2 * a - b, d = a + b - 2 * rise;
    out[0] += s * (a + s * (c + s * d));
    out[1] = (a + s * (2 * c + s * 3 * d)) / h;
    out[2] = (2 * c + s * 6 * d) / (h * h);
}

static double rise(const table *k, int i) { return (k->row[i + 1][1] - k->row[i][1]) / (k->row[i + 1][0] - k->row[i][0]); }

/* Slopes that never leave the range between two rows (Fritsch & Butland 1984, SIAM J. Sci. Stat. Comput. 5, 300-304): a weighted harmonic mean of
 * those beside a row, 0 where the direction changes; 0 at the ends, for beyond them nothing moves. */
static void make_slopes(table *k)
{
    k->slope[0] = k->slope[k->rows - 1] = 0;
    for (int i = 1; i + 1 < k->rows; i++) {
        const double before = rise(k, i - 1), after = rise(k, i);
        const double h0 = k->row[i][0] - k->row[i - 1][0], h1 = k->row[i + 1][0] - k->row[i][0], w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
        k->slope[i] = before * after > 0 ? (w0 + w1) / (w0 / before + w1 / after) : 0;
    }
}

talus_motion tl_build_tabulated(tl_builder *b, const tl_node *node, const char *unit)
{
    const tl_node *rows = tl_node_get(node, "table");
    const bool smooth = strcmp(tl_word(node, "smooth", "false"), "true") == 0;
    table *k = tl_arena_zero(b->scene->arena, 1, sizeof *k);
    if (!k || !rows) return (talus_motion){NULL, NULL};
    k->rows = rows->count;
    k->row = tl_arena_alloc(b->scene->arena, (size_t)k->rows, sizeof *k->row);
    if (smooth) k->slope = tl_arena_alloc(b->scene->arena, (size_t)k->rows, sizeof *k->slope);
    if (!k->row || (smooth && !k->slope)) return (talus_motion){NULL, NULL};
    const int before = b->scene->mistakes.count;
    for (int i = 0; i < k->rows; i++) {
        k->row[i][0] = tl_quantity(b->r, rows->item[i]->item[0], "s", 0, false);
        k->row[i][1] = tl_quantity(b->r, rows->item[i]->item[1], unit, 0, true);
    }
    if (b->scene->mistakes.count > before) return (talus_motion){NULL, NULL};
    if (!smooth) return (talus_motion){linear_value, k};
    make_slopes(k);
    return (talus_motion){smooth_value, k};
}

/* A velocity that jumps wants an impulse of the drive, which a smaller step makes a greater force. */
void tl_build_check_corners(tl_builder *b, const tl_node *node, talus_motion motion, const char *unit)
{
    const table *k = motion.user;
    double worst = 0, fastest = 0;
    int corners = 0, at = 0;
    char line[2048];
    if (motion.value != linear_value) return;
    for (int i = 0; i + 1 < k->rows; i++) fastest = fmax(fastest, fabs(rise(k, i)));
    for (int i = 0; i < k->rows && k->row[i][0] < talus_scene_end(b->scene); i++) {
        const double jump = (i + 1 < k->rows ? rise(k, i) : 0) - (i > 0 ? rise(k, i - 1) : 0);
        if (k->row[i][0] < 0 || !(fabs(jump) > 1e-9 * fastest)) continue;
        corners++;
        if (fabs(jump) > fabs(worst)) worst = jump, at = i;
    }
    if (corners == 0) return;
    snprintf(line, sizeof line,
             "%.800s:%d:%d: warning: this position has %d corner%s, the sharpest at t = %.6g s, where its velocity jumps by %.4g %s/s: the drive then pushes "
             "with as "
             "much force as the step is short; 'smooth: true' beside the table rounds it",
             node->file, node->line, node->column, corners, corners > 1 ? "s" : "", k->row[at][0], worst, unit);
    talus_world_warn(b->world, line);
}
