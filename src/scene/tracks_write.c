/* A track written out (tracks.c says under which names): bodies, joints and the force of the tension, as text of the scene language. */
#include "scene/tracks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/math.h"
#include "scene/build.h"

/* A point of the track's plane, in the carrier's axes or the scene's. */
static void put(FILE *f, const tl_track *t, const double origin[3], double x, double z)
{
    if (t->planar) fprintf(f, "[%.17g, %.17g]", origin[0] + x, origin[1] + z);
    else fprintf(f, "[%.17g, %.17g, %.17g]", origin[0] + x, origin[1], origin[2] + z);
}

void tl_write_material(FILE *f, const tl_node *of)
{
    const tl_node *material = tl_node_get(of, "material");
    if (!material || !material->text) return;
    fputs(", material: ", f);
    tl_yaml_quote(f, material->text);
}

/* One tooth, as a convex polygon, and as many as there are around the axis. A pin leaves its place on a circle about its neighbour, by the pitch away: flanks
 * stay a pin's radius and the play within that circle. */
static void write_teeth(FILE *f, const tl_track *t, const tl_track_wheel *w, const double (*pin)[2])
{
    enum { CORNERS = 4 };
    const double middle = 0.5 * t->pitch / tan(TL_PI / w->teeth.count), reach = t->pitch - t->pin - w->teeth.play;
    const double height[CORNERS] = {-0.5 * t->thickness, 0, 0.5 * w->teeth.height, w->teeth.height};
    int seat = 0;
    for (int i = 1; i < t->shoes; i++)
        if (hypot(pin[i][0] - w->x, pin[i][1] - w->z) < hypot(pin[seat][0] - w->x, pin[seat][1] - w->z) - 1e-9) seat = i;
    const double angle = atan2(pin[seat][1] - w->z, pin[seat][0] - w->x) + TL_PI / w->teeth.count, out[2] = {cos(angle), sin(angle)};
    fprintf(f, ", {repeat: {count: %d, about: %s, shapes: [{%s: {points: [", w->teeth.count, t->planar ? "[0, 0]" : "[0, 0, 0], axis: [0, 1, 0]",
            t->planar ? "polygon" : "polyhedron");
    for (int k = 0; k < 2 * CORNERS; k++) {
        const double y = height[k % CORNERS], up = fmax(y, 0), across = (k < CORNERS ? 1 : -1) * (sqrt(reach * reach - up * up) - 0.5 * t->pitch);
        const double x = (middle + y) * out[0] - across * out[1], z = (middle + y) * out[1] + across * out[0], half = 0.5 * w->teeth.width;
        if (t->planar) fprintf(f, "%s[%.17g, %.17g]", k ? ", " : "", x, z);
        else fprintf(f, "%s[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]", k ? ", " : "", x, -half, z, x, half, z);
    }
    fprintf(f, "]");
    tl_write_material(f, tl_node_get(w->teeth.node, "material") ? w->teeth.node : w->node);
    fprintf(f, "}}]}}");
}

static void write_wheel_bodies(FILE *f, const tl_track *t, const double (*pin)[2])
{
    const char *name = t->name;
    for (int i = 0; i < t->wheels; i++) {
        const tl_track_wheel *w = &t->wheel[i];
        const double across = 0.5 * w->inertia + w->mass * w->width * w->width / 12;
        fprintf(f, "      %s_%s: {mass: %.17g, ", name, w->node->key, w->mass);
        if (t->planar) fprintf(f, "inertia: %.17g, shapes: [{disk: {radius: %.17g}}", w->inertia, w->radius);
        else
            fprintf(f, "inertia: [%.17g, %.17g, %.17g], shapes: [{cylinder: {from: [0, %.17g, 0], to: [0, %.17g, 0], radius: %.17g}}", across, w->inertia,
                    across, -0.5 * w->width, 0.5 * w->width, w->radius);
        if (w->teeth.count > 0) write_teeth(f, t, w, pin);
        fprintf(f, "]");
        tl_write_material(f, w->node);
        fprintf(f, "}\n");
        if (!w->tension) continue;
        const double share = 0.1 * w->mass, turn = 0.1 * w->inertia; /* of what carries the axle: it does not turn against anything */
        fprintf(f, "      %s_%s_slide: {mass: %.17g, inertia: ", name, w->node->key, share);
        if (t->planar) fprintf(f, "%.17g}\n", turn);
        else fprintf(f, "[%.17g, %.17g, %.17g]}\n", turn, turn, turn);
    }
}

/* The wheel's own joint, on the carrier or on what slides along it. */
static void write_wheel_joints(FILE *f, const tl_track *t)
{
    const char *name = t->name, *axis = t->planar ? "" : ", axis: [0, 1, 0]", *along = t->planar ? "[1, 0]" : "[1, 0, 0]";
    static const double NOWHERE[3] = {0, 0, 0};
    for (int i = 0; i < t->wheels; i++) {
        const tl_track_wheel *w = &t->wheel[i];
        const char *key = w->node->key;
        fprintf(f, "      %s_%s%s: {type: %s, parent: ", name, key, w->tension ? "_slide" : "", w->tension ? "prismatic" : "revolute");
        tl_yaml_quote(f, t->on->text);
        if (w->tension) fprintf(f, ", child: %s_%s_slide, axis: %s, at: ", name, key, along);
        else fprintf(f, ", child: %s_%s%s, at: ", name, key, axis);
        put(f, t, t->at, w->x, w->z);
        fprintf(f, "}\n");
        if (!w->tension) continue;
        fprintf(f, "      %s_%s: {type: revolute, parent: %s_%s_slide, child: %s_%s%s, at: ", name, key, name, key, name, key, axis);
        put(f, t, NOWHERE, 0, 0);
        fprintf(f, "}\n");
    }
}

/* The spring pulls its wheel outwards with `force` where the chain closes. */
static void write_tension(FILE *f, const tl_track *t)
{
    const tl_track_wheel *w = &t->wheel[t->sliding];
    fprintf(f, "    forces:\n      %s_%s_slide: {joint: %s_%s_slide, stiffness: %.17g, free: 0, constant: %.17g, damping: %.17g}\n", t->name, w->node->key,
            t->name, w->node->key, w->stiffness, t->outwards * w->force, w->damping);
}

/* At the end of a shoe that its own pin is at. */
static void write_pin(FILE *f, const tl_track *t, const tl_node *pins)
{
    const double x = -0.5 * t->pitch, half = 0.5 * t->width;
    if (t->planar) fprintf(f, ", {disk: {centre: [%.17g, 0], radius: %.17g", x, t->pin);
    else fprintf(f, ", {cylinder: {from: [%.17g, %.17g, 0], to: [%.17g, %.17g, 0], radius: %.17g", x, -half, x, half, t->pin);
    tl_write_material(f, pins);
    fprintf(f, "}}");
}

static void write_shoes(FILE *f, const tl_track *t, const double (*pin)[2])
{
    const tl_node *shoes = tl_node_get(t->node, "shoes");
    const double origin[3] = {t->carrier[0] + t->at[0], t->carrier[1] + t->at[1], t->carrier[2] + t->at[2]};
    const double up = 0.5 * t->thickness;
    fprintf(f, "bodies:\n");
    for (int i = 0; i < t->shoes; i++) {
        const double *a = pin[i], *c = pin[(i + 1) % t->shoes], angle = atan2(c[1] - a[1], c[0] - a[0]);
        fprintf(f, "  %s_%d: {kind: free, mass: %.17g, position: ", t->name, i + 1, t->mass);
        put(f, t, origin, 0.5 * (a[0] + c[0]), 0.5 * (a[1] + c[1]));
        fprintf(f, ", velocity: ");
        put(f, t, t->velocity, 0, 0);
        if (t->planar) fprintf(f, ", angle: %.17g, shapes: [{box: {size: [%.17g, %.17g]}}", angle, 0.9 * t->pitch, t->thickness);
        else
            fprintf(f, ", orientation: {quat_wxyz: [%.17g, 0, %.17g, 0]}, shapes: [{box: {size: [%.17g, %.17g, %.17g]}}", cos(0.5 * angle), -sin(0.5 * angle),
                    0.9 * t->pitch, t->width, t->thickness);
        if (t->grouser > 0 && t->planar) fprintf(f, ", {box: {size: [%.17g, %.17g], centre: [0, %.17g]}}", 0.2 * t->pitch, t->grouser, -up - 0.5 * t->grouser);
        else if (t->grouser > 0)
            fprintf(f, ", {box: {size: [%.17g, %.17g, %.17g], centre: [0, 0, %.17g]}}", 0.2 * t->pitch, t->width, t->grouser, -up - 0.5 * t->grouser);
        for (int k = -1; k < 2 && t->horns > 0 && !t->planar; k += 2)
            fprintf(f, ", {box: {size: [%.17g, %.17g, %.17g], centre: [0, %.17g, %.17g]}}", 0.4 * t->pitch, t->thin, t->horns, k * (t->beside + 0.5 * t->thin),
                    up + 0.5 * t->horns);
        if (t->pin > 0) write_pin(f, t, tl_node_get(shoes, "pins"));
        fprintf(f, "]");
        tl_write_material(f, shoes);
        fprintf(f, "}\n");
    }
    fprintf(f, "joints:\n");
    for (int i = 0; i < t->shoes; i++) {
        fprintf(f, "  %s_pin_%d: {type: %s, bodies: [%s_%d, %s_%d]%s, at: ", t->name, i + 1, i == 0 && !t->planar ? "slot" : "revolute", t->name,
                (i + t->shoes - 1) % t->shoes + 1, t->name, i + 1, t->planar ? "" : ", axis: [0, 1, 0]");
        put(f, t, origin, pin[i][0], pin[i][1]);
        fprintf(f, "}\n");
    }
}

char *tl_track_text(const tl_track *t, const double (*pin)[2])
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f) return NULL;
    fprintf(f, "mechanisms:\n  ");
    tl_yaml_quote(f, t->mechanism->key);
    fprintf(f, ":\n    bodies:\n");
    write_wheel_bodies(f, t, pin);
    fprintf(f, "    joints:\n");
    write_wheel_joints(f, t);
    write_tension(f, t);
    write_shoes(f, t, pin);
    const bool whole = !ferror(f);
    if (fclose(f) == 0 && whole) return text;
    free(text);
    return NULL;
}
