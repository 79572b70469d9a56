/* Planar shapes made of convex parts: outlines, rings, hoppers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/solids.h"

double tl_rim(int n) { return sqrt(2 * TL_PI / n / sin(2 * TL_PI / n)); }

int tl_facets(tl_builder *b, const tl_node *node, double radius, double share)
{
    const double tolerance = tl_quantity_in(b, node, "tolerance", "m", share * radius);
    int n = 6;
    while (n < TL_FACETS && radius * (tl_rim(n) - 1) > tolerance) n++;
    if (n < TL_FACETS) return n;
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "to be within %g m of the round surface takes more than %d facets; allow %g m or more", tolerance,
                   TL_FACETS, radius * (tl_rim(TL_FACETS - 1) - 1) * 1.01);
    return 0;
}

static talus_status wrong(tl_builder *b, const tl_node *node, const char *text)
{
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "%s", text);
    return TALUS_INPUT;
}

static talus_status add_polygon(tl_builder *b, const tl_owner *owner, const tl_node *node, const double (*point)[2], int count)
{
    talus_shape_def d = talus_shape_def_default();
    d.kind = TALUS_SHAPE_POLYGON;
    d.count = count;
    memcpy(d.points, point, (size_t)count * sizeof *point);
    d.continues = b->parts++ > 0;
    return tl_add_part(b, owner, node, &d, NULL, 0);
}

static talus_status add_outline(tl_builder *b, const tl_owner *owner, const tl_node *node, const double (*point)[2], int count)
{
    tl_outline_parts parts;
    tl_error error = {0};
    talus_status status = tl_outline_split(point, count, TALUS_POLYGON_POINTS, &parts, &error);
    if (status != TALUS_OK) tl_mistake_key(&b->scene->mistakes, status, node, "%s", error.text);
    for (int i = 0; status == TALUS_OK && i < parts.parts; i++) {
        double corner[TALUS_POLYGON_POINTS][2];
        const int n = parts.begin[i + 1] - parts.begin[i];
        for (int k = 0; k < n; k++) memcpy(corner[k], point[parts.corner[parts.begin[i] + k]], sizeof corner[k]);
        status = add_polygon(b, owner, node, (const double(*)[2])corner, n);
    }
    tl_outline_free(&parts);
    return status;
}

static talus_status outline(tl_builder *b, const tl_node *node, const tl_owner *owner)
{
    const tl_node *points = tl_node_get(node, "points");
    double(*point)[2] = calloc((size_t)points->count + 1, sizeof *point);
    if (!point) return TALUS_MEMORY;
    for (int i = 0; i < points->count; i++) {
        double x[3] = {0};
        tl_vector(b, points->item[i], "m", x);
        memcpy(point[i], x, sizeof point[i]);
    }
    const talus_status status = add_outline(b, owner, node, (const double(*)[2])point, points->count);
    free(point);
    return status;
}

/* Quadrilaterals between the inner and the outer polygon. Of an arc both have the area of what they stand for, too. */
static talus_status ring(tl_builder *b, const tl_node *node, const tl_owner *owner)
{
    double centre[3] = {0};
    const double radius = tl_quantity_in(b, node, "radius", "m", 0), inner = radius - tl_quantity_in(b, node, "thickness", "m", 0);
    const double from = tl_quantity_in(b, node, "from", "rad", 0), to = tl_quantity_in(b, node, "to", "rad", from + 2 * TL_PI), span = to - from;
    const int all = tl_facets(b, node, radius, 1.0 / 200);
    tl_vector(b, tl_node_get(node, "centre"), "m", centre);
    if (!(inner > 0)) return wrong(b, node, "the thickness of a ring is less than its radius; for the whole take a disk");
    if (!(span > 0) || span > 2 * TL_PI * (1 + 1e-12)) return wrong(b, node, "a ring goes from one angle to a larger one, by a full turn at most");
    if (all == 0) return TALUS_INPUT;
    const int sides = (int)ceil(all * span / (2 * TL_PI) - 1e-9);
    const double step = span / sides, rim = sqrt(step / sin(step));
    for (int i = 0; i < sides; i++) {
        double corner[4][2];
        for (int k = 0; k < 4; k++) {
            const int at = i + (k == 1 || k == 2);
            const double angle = at == sides && span > 2 * TL_PI * (1 - 1e-12) ? from : from + at * step, r = rim * (k < 2 ? radius : inner);
            corner[k][0] = centre[0] + r * cos(angle), corner[k][1] = centre[1] + r * sin(angle);
        }
        TL_TRY(add_polygon(b, owner, node, (const double(*)[2])corner, 4));
    }
    return TALUS_OK;
}

/* Two walls, each with an upright part above it. */
static talus_status hopper(tl_builder *b, const tl_node *node, const tl_owner *owner)
{
    const tl_node *widths[2] = {tl_node_get(node, "outlet"), tl_node_get(node, "inlet")};
    double at[3] = {0}, half[2];
    tl_vector(b, tl_node_get(node, "at"), "m", at);
    for (int k = 0; k < 2; k++) {
        if (widths[k]->kind != NODE_SCALAR) return wrong(b, widths[k], "in the plane the outlet and the inlet of a hopper have one width");
        half[k] = 0.5 * tl_quantity(b->r, widths[k], "m", 0, false);
    }
    const double height = tl_quantity_in(b, node, "height", "m", 0), bin = tl_quantity_in(b, node, "bin", "m", 0),
                 t = tl_quantity_in(b, node, "thickness", "m", 0);
    for (int side = -1; side <= 1; side += 2)
        for (int part = 0; part < (bin > 0 ? 2 : 1); part++) {
            const double low = part ? half[1] : half[0], y = part ? height : 0, up = part ? bin : height;
            const double wall[4][2] = {{low, y}, {low + t, y}, {half[1] + t, y + up}, {half[1], y + up}};
            double corner[4][2];
            for (int k = 0; k < 4; k++) corner[k][0] = at[0] + side * wall[k][0], corner[k][1] = at[1] + wall[k][1];
            TL_TRY(add_polygon(b, owner, node, (const double(*)[2])corner, 4));
        }
    return TALUS_OK;
}

talus_status tl_build_compound_plane(tl_builder *b, const tl_node *node, const tl_owner *owner, bool *known)
{
    *known = true;
    b->parts = 0;
    if (strcmp(node->key, "outline") == 0) return outline(b, node, owner);
    if (strcmp(node->key, "ring") == 0) return ring(b, node, owner);
    if (strcmp(node->key, "hopper") == 0) return hopper(b, node, owner);
    *known = false;
    return TALUS_OK;
}
