/* Finite-element solids of a planar run: triangles whose colours run from node to node, and light lines between elements. */
#include <math.h>

#include "record/picture.h"

/* Where the scale of colours bends; between these its colours are linear. */
enum { STOPS = 6 };

/* Colours along the direction in which the share rises; `x` on the page. */
static void set_source(const tl_picture *p, double x[3][2], const double share[3])
{
    const double ax = x[1][0] - x[0][0], ay = x[1][1] - x[0][1], bx = x[2][0] - x[0][0], by = x[2][1] - x[0][1];
    const double area = ax * by - ay * bx, da = share[1] - share[0], db = share[2] - share[0];
    const double gx = area != 0 ? (da * by - db * ay) / area : 0, gy = area != 0 ? (db * ax - da * bx) / area : 0, size = gx * gx + gy * gy;
    if (fmax(fabs(da), fabs(db)) < 2e-3 || !(size > 1e-12)) {
        tl_ink(p, tl_ramp((share[0] + share[1] + share[2]) / 3), 1);
        return;
    }
    const double from = -share[0] / size, to = (1 - share[0]) / size;
    cairo_pattern_t *colours = cairo_pattern_create_linear(x[0][0] + from * gx, x[0][1] + from * gy, x[0][0] + to * gx, x[0][1] + to * gy);
    for (int k = 0; k <= STOPS; k++) {
        const tl_colour c = tl_ramp((double)k / STOPS);
        cairo_pattern_add_color_stop_rgb(colours, (double)k / STOPS, c.r, c.g, c.b);
    }
    cairo_set_source(p->cr, colours);
    cairo_pattern_destroy(colours);
}

static void outline(const tl_picture *p, double (*page)[2], int n)
{
    cairo_new_path(p->cr);
    for (int k = 0; k < n; k++) cairo_line_to(p->cr, page[k][0], page[k][1]);
    cairo_close_path(p->cr);
}

static void fill_loop(const tl_picture *p, const tl_picture_mesh *m, double (*page)[2], const double *share, int n)
{
    if (!m->valued) {
        tl_ink(p, m->colour, 1);
        outline(p, page, n);
        cairo_fill(p->cr);
        return;
    }
    for (int k = 0; k < (n == 3 ? 1 : n); k++) {
        const int one = n == 3 ? 1 : k, other = n == 3 ? 2 : (k + 1) % n, apex = n == 3 ? 0 : n;
        double x[3][2] = {{page[apex][0], page[apex][1]}, {page[one][0], page[one][1]}, {page[other][0], page[other][1]}};
        set_source(p, x, (double[3]){share[apex], share[one], share[other]});
        outline(p, x, 3);
        cairo_fill(p->cr);
    }
}

/* First all colours, without a seam between triangles, then all lines. */
static void draw_mesh(const tl_picture *p, int solid)
{
    const tl_replay_solid *s = &p->run->solid[solid];
    const tl_picture_mesh *m = &p->mesh[solid];
    const double ink = tl_picture_mesh_ink(p, solid);
    double x[TL_LOOP_NODES + 1][3], page[TL_LOOP_NODES + 1][2], share[TL_LOOP_NODES + 1];
    for (int pass = 0; pass < 2; pass++) {
        cairo_set_antialias(p->cr, pass == 0 ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_DEFAULT);
        for (int e = 0; e < tl_replay_loops(p->run, s); e++) {
            const int n = tl_picture_mesh_loop(p, solid, e, x, share);
            for (int k = 0; k <= n; k++) tl_picture_to_page(p, x[k], page[k]);
            if (pass == 0) {
                fill_loop(p, m, page, share, n);
                continue;
            }
            outline(p, page, n);
            tl_ink(p, TL_INK, ink);
            cairo_set_line_width(p->cr, 0.8 * p->unit);
            cairo_stroke(p->cr);
        }
    }
}

/* The edges of the surface, which are those of the solid. */
static void draw_rim(const tl_picture *p, int solid)
{
    const tl_replay_solid *s = &p->run->solid[solid];
    cairo_new_path(p->cr);
    for (int f = 0; f < s->faces; f++)
        for (int k = tl_replay_face_begin(s, f); k < s->face_end[f]; k++) {
            double x[3], page[2];
            tl_replay_node(s, &p->mesh[solid].deformed, s->face_node[k], p->def->deform, x);
            tl_picture_to_page(p, x, page);
            if (k == tl_replay_face_begin(s, f)) cairo_move_to(p->cr, page[0], page[1]);
            else cairo_line_to(p->cr, page[0], page[1]);
        }
    tl_ink(p, tl_darker(TL_INK, 0.8), 0.8);
    cairo_set_line_cap(p->cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_width(p->cr, 1.5 * p->unit);
    cairo_stroke(p->cr);
}

void tl_picture_mesh_plane(const tl_picture *p)
{
    for (int i = 0; i < p->run->solids; i++) {
        const int body = p->run->solid[i].body;
        if (!tl_picture_shows(p, body)) continue;
        if (p->showing[body] == TL_FADED) cairo_push_group(p->cr);
        draw_mesh(p, i);
        draw_rim(p, i);
        if (p->showing[body] == TL_FADED) {
            cairo_pop_group_to_source(p->cr);
            cairo_paint_with_alpha(p->cr, 0.2);
        }
    }
}
