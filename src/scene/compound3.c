/* Spatial shapes made of convex parts. What is turned about an axis is cut into wedges between half-planes through it: a wedge of a convex profile is convex,
 * its faces are plane, and wedges side by side share theirs. Corners lie on circles widened by tl_rim, so that volumes are exact. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/solids.h"

static talus_status wrong(tl_builder *b, const tl_node *node, const char *text)
{
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "%s", text);
    return TALUS_INPUT;
}

static talus_status add_hull(tl_builder *b, const tl_owner *owner, const tl_node *node, double (*corner)[3], int count)
{
    talus_shape_def d = talus_shape_def_default();
    d.kind = TALUS_SHAPE_POLYHEDRON;
    d.continues = b->parts++ > 0;
    return tl_add_part(b, owner, node, &d, corner, count);
}

/* An axis, two directions across it, and how many facets there are around it. */
typedef struct lathe {
    tl_vec3 origin, along, t, s;
    int sides;
} lathe;

static lathe lathe_along(tl_vec3 origin, tl_vec3 along, int sides)
{
    lathe l = {.origin = origin, .along = tl_normalize(along), .sides = sides};
    tl_tangents(l.along, &l.t, &l.s);
    return l;
}

static void at(const lathe *l, double angle, double radius, double height, double out[3])
{
    const tl_vec3 arm = tl_add(tl_scale(radius * cos(angle), l->t), tl_scale(radius * sin(angle), l->s));
    tl_store3(out, tl_add(tl_add(l->origin, tl_scale(height, l->along)), arm));
}

static double angle_of(const lathe *l, int facet) { return 2 * TL_PI * (facet % l->sides) / l->sides; }

/* A convex profile of points (radius, height). */
typedef struct outline {
    const double (*profile)[2];
    int count;
    bool whole; /* turned in one, which is convex and has few enough corners */
} outline;

/* Turned: wedges, or the whole in one. */
static talus_status revolve(tl_builder *b, const tl_owner *owner, const tl_node *node, const lathe *l, const outline *o)
{
    const double(*profile)[2] = o->profile;
    const int count = o->count;
    const bool whole = o->whole;
    const int sides = l->sides, parts = whole ? 1 : sides, facets = whole ? sides : 2;
    const double rim = tl_rim(sides);
    double(*corner)[3] = calloc((size_t)facets * (size_t)count, sizeof *corner);
    talus_status status = corner ? TALUS_OK : TALUS_MEMORY;
    for (int i = 0; status == TALUS_OK && i < parts; i++) {
        int n = 0;
        for (int f = 0; f < facets; f++)
            for (int k = 0; k < count; k++)
                if (profile[k][0] > 0 || f == 0) at(l, angle_of(l, i + f), rim * profile[k][0], profile[k][1], corner[n++]);
        status = add_hull(b, owner, node, corner, n);
    }
    free(corner);
    return status;
}

static bool read_axis(tl_builder *b, const tl_node *node, tl_vec3 *from, double *length, tl_vec3 *along)
{
    double a[3] = {0}, c[3] = {0};
    tl_vector(b, tl_node_get(node, "from"), "m", a);
    tl_vector(b, tl_node_get(node, "to"), "m", c);
    *from = tl_load3(a);
    *along = tl_sub(tl_load3(c), *from);
    *length = tl_norm(*along);
    if (!(*length > 0)) (void)wrong(b, node, "'from' and 'to' are the same point; they are the ends of its axis");
    return *length > 0;
}

static talus_status cone(tl_builder *b, const tl_node *node, const tl_owner *owner)
{
    const double radius = tl_quantity_in(b, node, "radius", "m", 0), other = tl_quantity_in(b, node, "radius_to", "m", 0);
    const int sides = tl_facets(b, node, fmax(radius, other), 1.0 / 200);
    tl_vec3 from, along;
    double length;
    if (sides == 0 || !read_axis(b, node, &from, &length, &along)) return TALUS_INPUT;
    if (!(fmax(radius, other) > 0)) return wrong(b, node, "a cone has a radius at one end at least");
    const double profile[4][2] = {{0, 0}, {radius, 0}, {other, length}, {0, length}};
    const lathe l = lathe_along(from, along, sides);
    return revolve(b, owner, node, &l, &(outline){profile, 4, 2 * sides + 2 <= TALUS_HULL_POINTS});
}

static talus_status tube(tl_builder *b, const tl_node *node, const tl_owner *owner)
{
    const double radius = tl_quantity_in(b, node, "radius", "m", 0), other = tl_quantity_in(b, node, "radius_to", "m", radius),
                 t = tl_quantity_in(b, node, "thickness", "m", 0);
    const char *closed = tl_word(node, "closed", "none");
    const int sides = tl_facets(b, node, fmax(radius, other) + t, 1.0 / 200);
    tl_vec3 from, along;
    double length;
    if (sides == 0 || !read_axis(b, node, &from, &length, &along)) return TALUS_INPUT;
    const lathe l = lathe_along(from, along, sides);
    const double wall[4][2] = {{radius, 0}, {radius + t, 0}, {other + t, length}, {other, length}};
    TL_TRY(revolve(b, owner, node, &l, &(outline){wall, 4, false}));
    for (int end = 0; end < 2; end++) {
        if (strcmp(closed, "both") != 0 && strcmp(closed, end ? "to" : "from") != 0) continue;
        const double r = (end ? other : radius) + t, low = end ? length : -t;
        const double plate[4][2] = {{0, low}, {r, low}, {r, low + t}, {0, low + t}};
        TL_TRY(revolve(b, owner, node, &l, &(outline){plate, 4, 2 * sides + 2 <= TALUS_HULL_POINTS}));
    }
    return TALUS_OK;
}

/* ---- hoppers --------------------------------------------------------------------------------------------------------- */

/* A wall between two rectangles, the lower first, given by their inner half sides and heights; mitred at the corners. */
static talus_status rectangular(tl_builder *b, const tl_node *node, const tl_owner *owner, const double centre[3], const double *const half_sides[2], double t)
{
    static const double SIGN[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (int i = 0; i < 4; i++) {
        double corner[8][3];
        for (int k = 0; k < 8; k++) {
            const double *sign = SIGN[(i + (k & 1)) % 4], *half = half_sides[(k & 2) > 0], more = k & 4 ? t : 0;
            for (int c = 0; c < 2; c++) corner[k][c] = centre[c] + sign[c] * (half[c] + more);
            corner[k][2] = centre[2] + half[2];
        }
        TL_TRY(add_hull(b, owner, node, corner, 8));
    }
    return TALUS_OK;
}

/* Half sides of an opening; true when it is round. */
static bool read_opening(tl_builder *b, const tl_node *node, double half[3])
{
    const bool round = node->kind == NODE_SCALAR;
    if (!round && node->count != 2) (void)wrong(b, node, "the opening of a hopper is a diameter, or two lengths: [along x, along y]");
    for (int c = 0; c < 2; c++) half[c] = 0.5 * tl_quantity(b->r, round ? node : c < node->count ? node->item[c] : NULL, "m", 0, false);
    return round;
}

static talus_status hopper(tl_builder *b, const tl_node *node, const tl_owner *owner)
{
    const double height = tl_quantity_in(b, node, "height", "m", 0), bin = tl_quantity_in(b, node, "bin", "m", 0),
                 t = tl_quantity_in(b, node, "thickness", "m", 0);
    double low[3] = {0}, high[3] = {0, 0, height}, top[3] = {0, 0, height + bin}, centre[3] = {0};
    const int before = b->scene->mistakes.count;
    const bool round = read_opening(b, tl_node_get(node, "outlet"), low);
    if (read_opening(b, tl_node_get(node, "inlet"), high) != round) return wrong(b, node, "the outlet and the inlet of a hopper are both round or both not");
    if (b->scene->mistakes.count > before) return TALUS_INPUT;
    tl_vector(b, tl_node_get(node, "at"), "m", centre);
    memcpy(top, high, 2 * sizeof *top);
    if (!round) {
        TL_TRY(rectangular(b, node, owner, centre, (const double *[2]){low, high}, t));
        return bin > 0 ? rectangular(b, node, owner, centre, (const double *[2]){high, top}, t) : TALUS_OK;
    }
    const int sides = tl_facets(b, node, fmax(low[0], high[0]) + t, 1.0 / 200);
    if (sides == 0) return TALUS_INPUT;
    const lathe l = lathe_along(tl_load3(centre), tl_v3(0, 0, 1), sides);
    const double funnel[4][2] = {{low[0], 0}, {low[0] + t, 0}, {high[0] + t, height}, {high[0], height}};
    const double wall[4][2] = {{high[0], height}, {high[0] + t, height}, {high[0] + t, height + bin}, {high[0], height + bin}};
    TL_TRY(revolve(b, owner, node, &l, &(outline){funnel, 4, false}));
    return bin > 0 ? revolve(b, owner, node, &l, &(outline){wall, 4, false}) : TALUS_OK;
}

/* ---- spirals --------------------------------------------------------------------------------------------------------- */

/* Facets of a turn for which the middle of a patch's diagonal is as near to the helicoid as the rim to its circle. */
static int spiral_facets(tl_builder *b, const tl_node *node, double outer, double inner, double pitch)
{
    const double tolerance = tl_quantity_in(b, node, "tolerance", "m", outer / 100);
    int n = tl_facets(b, node, outer, 1.0 / 100);
    while (n > 0 && n < TL_FACETS && pitch / n * 0.5 * (outer - inner) / (outer + inner) > tolerance) n++;
    return n;
}

/* Two triangles between one spoke and the next, each as thick as the sheet along the axis: prisms, hence convex, and sharing their sides. */
static talus_status spiral(tl_builder *b, const tl_node *node, const tl_owner *owner)
{
    const double radius[2] = {tl_quantity_in(b, node, "inner_radius", "m", 0), tl_quantity_in(b, node, "radius", "m", 0)},
                 pitch = tl_quantity_in(b, node, "pitch", "m", 0);
    const double t = tl_quantity_in(b, node, "thickness", "m", 0), begin = tl_quantity_in(b, node, "begin", "rad", 0);
    const double hand = strcmp(tl_word(node, "hand", "right"), "left") == 0 ? -1 : 1;
    static const int PATCH[2][3][2] = {{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}}; /* next spoke?, outer? */
    tl_vec3 from, along;
    double length;
    if (!(radius[0] < radius[1])) return wrong(b, node, "the inner radius of a spiral is less than its radius");
    const int all = spiral_facets(b, node, radius[1], radius[0], pitch);
    if (all == 0 || !read_axis(b, node, &from, &length, &along)) return TALUS_INPUT;
    const double turns = length / pitch;
    if (turns * all > 20000) return wrong(b, node, "a spiral of more than 20000 facets; shorten it, or allow a larger tolerance");
    const int spokes = (int)ceil(turns * all - 1e-9);
    const double step = 2 * TL_PI * turns / spokes, rim = sqrt(step / sin(step));
    const lathe l = lathe_along(from, along, all);
    for (int i = 0; i < spokes; i++)
        for (int half = 0; half < 2; half++) {
            double corner[6][3];
            for (int k = 0; k < 6; k++) {
                const int *p = PATCH[half][k % 3], spoke = i + p[0];
                at(&l, begin + hand * step * spoke, rim * radius[p[1]], length * spoke / spokes + (k < 3 ? -0.5 : 0.5) * t, corner[k]);
            }
            TL_TRY(add_hull(b, owner, node, corner, 6));
        }
    return TALUS_OK;
}

/* ---- revolutions ------------------------------------------------------------------------------------------------------ */

typedef struct profile {
    double (*point)[2];
    int count;
    double largest;
} profile;

static bool read_profile(tl_builder *b, const tl_node *node, profile *p)
{
    const tl_node *points = tl_node_get(node, "profile");
    *p = (profile){.point = calloc((size_t)points->count + 2, sizeof *p->point), .count = points->count};
    bool fine = p->point && points->count >= 2 && points->count <= TL_OUTLINE_POINTS;
    if (p->point && !fine) (void)wrong(b, points, "a profile has 2 to 1000 points: [[radius, height], …]");
    for (int i = 0; fine && i < points->count; i++) {
        double x[3] = {0};
        tl_vector(b, points->item[i], "m", x);
        memcpy(p->point[i], x, sizeof p->point[i]);
        p->largest = fmax(p->largest, x[0]);
        if (x[0] >= 0) continue;
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, points->item[i], "the radius of a point is %g m; it must not be negative", x[0]);
        fine = false;
    }
    if (fine && !(p->largest > 0)) fine = wrong(b, points, "all points of the profile lie on the axis") == TALUS_OK;
    return fine;
}

/* Where two walls of thickness t meet: on the bisector, so far out that both keep their thickness. */
static void mitre(const double *before, const double *here, const double *after, double t, double out[2])
{
    tl_vec2 n[2] = {{0, 0}, {0, 0}};
    const double *way[2][2] = {{before, here}, {here, after}};
    for (int k = 0; k < 2; k++) {
        if (!way[k][0] || !way[k][1]) continue;
        const tl_vec2 d = tl_v2(way[k][1][0] - way[k][0][0], way[k][1][1] - way[k][0][1]);
        n[k] = tl_scale2(1 / tl_norm2(d), tl_v2(d.y, -d.x));
    }
    if (!before) n[0] = n[1];
    if (!after) n[1] = n[0];
    const double lean = 1 + tl_dot2(n[0], n[1]);
    const tl_vec2 way_out = tl_scale2(t / lean, tl_add2(n[0], n[1]));
    out[0] = here[0] + way_out.x, out[1] = here[1] + way_out.y;
}

/* Quadrilaterals behind the sides of an open profile. An end on the axis meets its own mirror image there. */
static talus_status shell(tl_builder *b, const tl_node *node, const tl_owner *owner, const lathe *l, const profile *p, double t)
{
    double(*out)[2] = calloc((size_t)p->count, sizeof *out);
    talus_status status = out ? TALUS_OK : TALUS_MEMORY;
    for (int i = 0; out && i < p->count; i++) {
        const double *before = i > 0 ? p->point[i - 1] : NULL, *after = i + 1 < p->count ? p->point[i + 1] : NULL, *neighbour = before ? before : after;
        if (!neighbour) break; /* a profile has two points and more */
        const double image[2] = {-neighbour[0], neighbour[1]};
        if (p->point[i][0] == 0 && !before) before = image;
        else if (p->point[i][0] == 0 && !after) after = image;
        mitre(before, p->point[i], after, t, out[i]);
        if (p->point[i][0] == 0) out[i][0] = 0;
    }
    for (int i = 0; status == TALUS_OK && i + 1 < p->count; i++) {
        const double *a = p->point[i], *c = p->point[i + 1];
        const double quad[4][2] = {{a[0], a[1]}, {out[i][0], out[i][1]}, {out[i + 1][0], out[i + 1][1]}, {c[0], c[1]}};
        const double along = (c[0] - a[0]) * (out[i + 1][0] - out[i][0]) + (c[1] - a[1]) * (out[i + 1][1] - out[i][1]);
        if (!(along > 0) || quad[1][0] < 0 || quad[2][0] < 0) {
            tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "the wall is too thick for the bend of the profile at point %d or %d", i + 1, i + 2);
            status = TALUS_INPUT;
        } else status = revolve(b, owner, node, l, &(outline){quad, 4, false});
    }
    free(out);
    return status;
}

/* Is a convex profile, turned about the axis, convex as a whole, with few enough corners? It is when its lowest and its highest point are on the axis. */
static bool is_round_hull(const double (*point)[2], int n, int sides)
{
    double low = (double)INFINITY, high = -low, axis_low = low, axis_high = -low;
    int on_axis = 0;
    for (int k = 0; k < n; k++) {
        low = fmin(low, point[k][1]), high = fmax(high, point[k][1]);
        if (point[k][0] > 0) continue;
        axis_low = fmin(axis_low, point[k][1]), axis_high = fmax(axis_high, point[k][1]);
        on_axis++;
    }
    return on_axis >= 2 && axis_low <= low && axis_high >= high && sides * (n - on_axis) + on_axis <= TALUS_HULL_POINTS;
}

static talus_status solid(tl_builder *b, const tl_node *node, const tl_owner *owner, const lathe *l, const profile *p)
{
    tl_outline_parts parts;
    tl_error error = {0};
    talus_status status = tl_outline_split((const double(*)[2])p->point, p->count, 100, &parts, &error);
    if (status != TALUS_OK) tl_mistake_key(&b->scene->mistakes, status, node, "%s", error.text);
    for (int i = 0; status == TALUS_OK && i < parts.parts; i++) {
        const int n = parts.begin[i + 1] - parts.begin[i];
        double part[100][2];
        for (int k = 0; k < n; k++) memcpy(part[k], p->point[parts.corner[parts.begin[i] + k]], sizeof part[k]);
        status = revolve(b, owner, node, l, &(outline){(const double(*)[2])part, n, is_round_hull((const double(*)[2])part, n, l->sides)});
    }
    tl_outline_free(&parts);
    return status;
}

static talus_status revolution(tl_builder *b, const tl_node *node, const tl_owner *owner)
{
    const double t = tl_quantity_in(b, node, "thickness", "m", 0);
    double centre[3] = {0}, axis[3] = {0, 0, 1};
    profile p;
    tl_vector(b, tl_node_get(node, "at"), "m", centre);
    tl_vector(b, tl_node_get(node, "axis"), "", axis);
    talus_status status = read_profile(b, node, &p) ? TALUS_OK : p.point ? TALUS_INPUT : TALUS_MEMORY;
    const int sides = status == TALUS_OK ? tl_facets(b, node, p.largest, 1.0 / 200) : 0;
    if (status == TALUS_OK && sides == 0) status = TALUS_INPUT;
    if (status == TALUS_OK && !(tl_norm(tl_load3(axis)) > 0)) status = wrong(b, node, "the axis of a revolution is not zero");
    for (int i = 0; status == TALUS_OK && i + 1 < p.count; i++)
        if (p.point[i][0] == p.point[i + 1][0] && p.point[i][1] == p.point[i + 1][1])
            status = wrong(b, node, "two points of the profile in a row are the same");
    if (status == TALUS_OK) {
        const lathe l = lathe_along(tl_load3(centre), tl_load3(axis), sides);
        status = t > 0 ? shell(b, node, owner, &l, &p, t) : solid(b, node, owner, &l, &p);
    }
    free(p.point);
    return status;
}

talus_status tl_build_compound_space(tl_builder *b, const tl_node *node, const tl_owner *owner, bool *known)
{
    *known = true;
    b->parts = 0;
    if (strcmp(node->key, "cone") == 0) return cone(b, node, owner);
    if (strcmp(node->key, "tube") == 0) return tube(b, node, owner);
    if (strcmp(node->key, "hopper") == 0) return hopper(b, node, owner);
    if (strcmp(node->key, "spiral") == 0) return spiral(b, node, owner);
    if (strcmp(node->key, "revolution") == 0) return revolution(b, node, owner);
    *known = false;
    return TALUS_OK;
}
