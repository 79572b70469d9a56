/* What a scene says of a body that fills a closed surface: a file of triangles, in the plane an outline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/closed.h"
#include "scene/solid_reading.h"
#include "scene/solids.h"
#include "scene/triangles.h"

static talus_status take(tl_solid_reading *s, const tl_node *fill, const tl_node *named, const tl_closed *surface)
{
    tl_error error = {0};
    const double spacing = tl_quantity(s->b->r, tl_node_get(fill, "spacing"), "m", 1, false);
    const char *name = named->kind == NODE_SCALAR ? named->text : "the outline";
    if (!(surface->size > 0)) {
        tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, named, "'%.500s' encloses nothing: it has no thickness, or its parts face opposite ways and cancel",
                   name);
        return TALUS_INPUT;
    }
    const talus_status status = tl_grid_closed(surface, spacing, s->b->scene->arena, &s->grid, &error);
    if (status != TALUS_OK) tl_mistake(&s->b->scene->mistakes, status, named, "'%.500s' cannot be filled: %s", name, error.text);
    return status;
}

static talus_status fill_with(tl_solid_reading *s, const tl_node *fill, const tl_node *named, const tl_triangles *from)
{
    tl_closed surface;
    talus_status status =
        tl_closed_create(s->b->r->dimension, (const double(*)[3])from->point, from->points, (const int32_t(*)[3])from->triangle, from->triangles, &surface);
    if (status == TALUS_OK) status = take(s, fill, named, &surface);
    tl_closed_free(&surface);
    return status;
}

/* ---- surfaces ------------------------------------------------------------------------------------------------------- */

static talus_status check(const tl_solid_reading *s, const tl_node *file, tl_triangles *surface)
{
    tl_orientation o;
    char line[2048];
    if (tl_triangles_orient(surface, &o) != TALUS_OK) return TALUS_MEMORY;
    if (o.borders)
        tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, file,
                   "'%.500s' is open: %d edges have one triangle only, the first that of line %d at [%.4g, %.4g, %.4g] m; only what is closed can be filled",
                   file->text, o.borders, o.border_line, o.border[0], o.border[1], o.border[2]);
    else if (o.crowded)
        tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, file,
                   "'%.500s' has %d edges where more than two triangles meet, the first with that of line %d at [%.4g, %.4g, %.4g] m; what is inside is not "
                   "certain there",
                   file->text, o.crowded, o.crowd_line, o.crowd[0], o.crowd[1], o.crowd[2]);
    else if (!o.oriented)
        tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, file,
                   "'%.500s' has no inside and outside: neighbours that face opposite sides cannot be turned so that all agree", file->text);
    if (o.borders || o.crowded || !o.oriented) return TALUS_INPUT;
    if (o.turned == 0) return TALUS_OK;
    snprintf(line, sizeof line, "%.800s:%d:%d: warning: '%.500s' has %d of %d triangles that faced another way than their neighbours; they are turned",
             file->file, file->line, file->column, file->text, o.turned, surface->triangles);
    talus_world_warn(s->b->world, line);
    return TALUS_OK;
}

static talus_status read_surface(tl_solid_reading *s, const tl_node *fill, const tl_node *file)
{
    char path[4096];
    tl_error error = {0};
    tl_triangles surface;
    tl_beside_scene(file, path);
    talus_status status = tl_triangles_read(&surface, path, tl_quantity(s->b->r, tl_node_get(s->node, "scale"), "m", 1, false), &error);
    if (status != TALUS_OK) {
        tl_mistake(&s->b->scene->mistakes, status, file, "%s", error.text);
        return status;
    }
    status = check(s, file, &surface);
    if (status == TALUS_OK) status = fill_with(s, fill, file, &surface);
    tl_triangles_free(&surface);
    return status;
}

/* ---- outlines ------------------------------------------------------------------------------------------------------- */

static talus_status check_outline(const tl_solid_reading *s, const tl_node *points, const tl_triangles *line)
{
    tl_error error = {0};
    tl_outline_parts parts = {0};
    double(*flat)[2] = calloc((size_t)line->points + 1, sizeof *flat);
    for (int i = 0; flat && i < line->points; i++) memcpy(flat[i], line->point[i], sizeof *flat);
    const talus_status status = flat ? tl_outline_split((const double(*)[2])flat, line->points, 3, &parts, &error) : TALUS_MEMORY;
    if (status != TALUS_OK && flat) tl_mistake(&s->b->scene->mistakes, status, points, "%s", error.text);
    tl_outline_free(&parts);
    free(flat);
    return status;
}

static talus_status read_outline(tl_solid_reading *s, const tl_node *fill, const tl_node *points)
{
    const size_t n = (size_t)points->count + 1;
    tl_triangles line = {
        .point = calloc(n, sizeof *line.point), .triangle = calloc(n, sizeof *line.triangle), .points = points->count, .triangles = points->count};
    talus_status status = line.point && line.triangle ? TALUS_OK : TALUS_MEMORY;
    for (int i = 0; status == TALUS_OK && i < points->count; i++) {
        tl_vector(s->b, points->item[i], "m", line.point[i]);
        line.triangle[i][0] = i, line.triangle[i][1] = (i + 1) % points->count;
    }
    if (status == TALUS_OK) status = check_outline(s, points, &line);
    if (status == TALUS_OK) status = fill_with(s, fill, points, &line);
    tl_triangles_free(&line);
    return status;
}

talus_status tl_read_fill(tl_solid_reading *s, const tl_node *fill)
{
    const tl_node *file = tl_node_get(fill, "surface"), *points = tl_node_get(fill, "outline");
    const bool flat = s->b->r->dimension == 2;
    if (!(flat ? points : file)) {
        tl_mistake_key(&s->b->scene->mistakes, TALUS_INPUT, fill, "'%s' is missing here: %s", flat ? "outline" : "surface",
                       flat ? "points around what is filled" : "a file of triangles (.stl, .obj) that are closed");
        return TALUS_INPUT;
    }
    TL_TRY(flat ? read_outline(s, fill, points) : read_surface(s, fill, file));
    return tl_read_parts(s, tl_node_get(fill, "groups"), "fill");
}
