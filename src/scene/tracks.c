/* Tracks: chains of shoes around wheels. A track is written out as what it is made of, in the words of the scene language: wheels become links of the carrier's
 * mechanism with joints of their own, one of them slides and is pulled outwards; shoes become bodies, pins joints between them. So all that is said of bodies
 * and joints (probes, drives, couplings, pictures) is true of them. Names: TRACK_WHEEL, TRACK_WHEEL_slide, TRACK_1 … of shoes, TRACK_pin_1 … of the pin before
 * a shoe.
 *
 * The chain lies taut around the wheels: pins on circles about their axes, and on the tangents between these; the wheel that slides stands where the last pin
 * meets the first. In space the last pin holds the chain across itself only: all others keep it straight, and twice said would leave forces undetermined. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/build.h"

enum { MOST_WHEELS = 32, MOST_SHOES = 1000 };

typedef struct wheel {
    const tl_node *node;
    double x, z, radius, mass, inertia, width; /* x, z: of the axis, in the carrier's axes from the middle of the track */
    const tl_node *tension;
} wheel;

typedef struct track {
    const tl_node *node, *on, *mechanism;
    bool planar;
    double at[3], carrier[3]; /* in the carrier's axes; of the carrier's origin in the scene's */
    wheel wheel[MOST_WHEELS];
    int wheels, sliding;
    int shoes;
    double pitch, width, thickness, mass, grouser, horns;
    double radius[MOST_WHEELS]; /* of pins about a wheel */
} track;

/* ---- where the carrier stands --------------------------------------------------------------------------------------------------- */

static const tl_node *maps(const tl_node *root, const char *key, int *count)
{
    const tl_node *map = tl_node_get(root, key);
    *count = map && map->kind == NODE_MAP ? map->count : 0;
    return map;
}

static bool turns_at_start(tl_builder *b, const tl_node *joint)
{
    const tl_node *position = tl_node_get(joint, "position");
    double angle = fabs(tl_quantity(b->r, tl_node_get(joint, "angle"), "rad", 0, false));
    angle += fabs(tl_quantity(b->r, tl_node_get(position, "angle"), "rad", 0, false));
    return angle > 0 || tl_node_get(joint, "orientation");
}

/* Up the tree, by the joints' points and positions. False: the carrier is turned, which has been said. */
static bool find_carrier(tl_builder *b, track *t)
{
    static const char *const AXES[] = {"x", "y", "z"};
    int joints;
    const tl_node *all = maps(t->mechanism, "joints", &joints);
    const char *body = t->on->text;
    for (int depth = 0; depth <= joints && strcmp(body, "ground") != 0; depth++) {
        const tl_node *joint = NULL;
        for (int i = 0; i < joints && !joint; i++)
            if (strcmp(tl_word(all->item[i], "child", ""), body) == 0) joint = all->item[i];
        if (!joint) return false; /* the tree says so */
        if (turns_at_start(b, joint)) {
            tl_mistake_key(&b->scene->mistakes, TALUS_UNSUPPORTED, t->on, "the carrier of a track stands in the scene's axes at the start; joint '%s' turns it",
                           joint->key);
            return false;
        }
        double at[3] = {0}, child_at[3] = {0}, axis[3] = {1, 0, 0};
        const tl_node *position = tl_node_get(joint, "position");
        tl_vector(b, tl_node_get(joint, "at"), "m", at);
        tl_vector(b, tl_node_get(joint, "child_at"), "m", child_at);
        if (tl_node_get(joint, "axis")) tl_vector(b, tl_node_get(joint, "axis"), "", axis);
        const double size = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
        const double slide = position && position->kind == NODE_SCALAR ? tl_quantity(b->r, position, "m", 0, false) : 0;
        for (int k = 0; k < 3; k++)
            t->carrier[k] += at[k] - child_at[k] + tl_quantity(b->r, tl_node_get(position, AXES[k]), "m", 0, false) + slide * axis[k] / size;
        body = tl_word(joint, "parent", "ground");
    }
    return true;
}

/* ---- the chain ------------------------------------------------------------------------------------------------------------------ */

/* A piece of the way of pins: a straight line, or an arc about a centre. */
typedef struct piece {
    double x, z, dx, dz, radius, angle, length; /* of a line: where it begins, its direction; of an arc its centre and first angle */
} piece;

typedef struct way {
    piece piece[2 * MOST_WHEELS];
    int pieces;
    double length;
} way;

/* The outer normal of the tangent from wheel i to the next, which the chain passes with its inside to the left. */
static bool normal(const track *t, int i, double n[2])
{
    const wheel *a = &t->wheel[i], *b = &t->wheel[(i + 1) % t->wheels];
    const double dx = b->x - a->x, dz = b->z - a->z, d = hypot(dx, dz), lean = (t->radius[i] - t->radius[(i + 1) % t->wheels]) / d, rest = 1 - lean * lean;
    if (!(d > 0) || !(rest > 0)) return false;
    n[0] = (lean * dx + sqrt(rest) * dz) / d, n[1] = (lean * dz - sqrt(rest) * dx) / d;
    return true;
}

/* −1, or the wheel that the way does not come round. */
static int find_way(const track *t, way *w)
{
    *w = (way){.pieces = 0};
    for (int i = 0; i < t->wheels; i++) {
        const int next = (i + 1) % t->wheels;
        const wheel *a = &t->wheel[i], *b = &t->wheel[next];
        double here[2], after[2];
        if (!normal(t, i, here) || !normal(t, next, after)) return next;
        piece *line = &w->piece[w->pieces++], *arc = &w->piece[w->pieces++];
        *line = (piece){.x = a->x + t->radius[i] * here[0], .z = a->z + t->radius[i] * here[1]};
        const double ex = b->x + t->radius[next] * here[0] - line->x, ez = b->z + t->radius[next] * here[1] - line->z;
        line->length = hypot(ex, ez);
        line->dx = ex / line->length, line->dz = ez / line->length;
        const double first = atan2(here[1], here[0]);
        double turn = atan2(after[1], after[0]) - first;
        turn = fmod(turn + 4 * TL_PI, 2 * TL_PI);
        if (turn > 2 * TL_PI - 1e-6) turn = 0;
        if (turn > 1.5 * TL_PI) return next;
        *arc = (piece){.x = b->x, .z = b->z, .radius = t->radius[next], .angle = first, .length = turn * t->radius[next]};
        w->length += line->length + arc->length;
    }
    return -1;
}

static void way_at(const way *w, double s, double p[2])
{
    s = fmod(s, w->length);
    int i = 0;
    while (i + 1 < w->pieces && s > w->piece[i].length) s -= w->piece[i++].length;
    const piece *k = &w->piece[i];
    const double angle = k->radius > 0 ? k->angle + s / k->radius : 0;
    p[0] = k->radius > 0 ? k->x + k->radius * cos(angle) : k->x + s * k->dx;
    p[1] = k->radius > 0 ? k->z + k->radius * sin(angle) : k->z + s * k->dz;
}

/* Pins from the way's beginning on, a pitch apart; returns by how much the one after the last goes beyond the first. */
static double lay(const track *t, const way *w, double (*pin)[2])
{
    enum { HALVINGS = 60 };
    double s = 0;
    way_at(w, 0, pin[0]);
    for (int i = 0; i < t->shoes; i++) {
        double low = s, high = s + 1.6 * t->pitch, p[2];
        for (int k = 0; k < HALVINGS; k++) {
            const double middle = 0.5 * (low + high);
            way_at(w, middle, p);
            if (hypot(p[0] - pin[i][0], p[1] - pin[i][1]) < t->pitch) low = middle;
            else high = middle;
        }
        s = high;
        if (i + 1 < t->shoes) way_at(w, s, pin[i + 1]);
    }
    return s - w->length;
}

/* The wheel that slides goes to where the chain closes, from where it was said to be. */
static bool close_chain(tl_builder *b, track *t, double (*pin)[2])
{
    enum { HALVINGS = 60 };
    wheel *slides = &t->wheel[t->sliding];
    const double said = slides->x, side = said > 0 ? 1 : -1, reach = fmin(fabs(said), t->shoes * t->pitch);
    double low = -reach, high = reach;
    way w;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = 0.5 * (low + high);
        slides->x = said + side * middle;
        const int lost = find_way(t, &w);
        if (lost >= 0) {
            tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, t->wheel[lost].node,
                           "the chain does not come round this wheel: wheels are listed as the chain passes them, counter-clockwise, each outside of the line "
                           "between its neighbours");
            return false;
        }
        if (lay(t, &w, pin) > 0) low = middle;
        else high = middle;
    }
    if (high < reach && low > -reach) return true;
    tl_mistake(&b->scene->mistakes, TALUS_INPUT, t->node, "%d shoes of %g m do not close around the wheels: their way is %.4g m with '%s' where it is",
               t->shoes, t->pitch, (slides->x = said, (void)find_way(t, &w), w.length), slides->node->key);
    return false;
}

/* ---- reading -------------------------------------------------------------------------------------------------------------------- */

static double quantity(tl_builder *b, const tl_node *map, const char *key, const char *unit, double fallback)
{
    return tl_quantity(b->r, tl_node_get(map, key), unit, fallback, false);
}

static bool has_width(tl_builder *b, const track *t, const tl_node *node, double width)
{
    if (t->planar || width > 0) return true;
    if (!tl_node_get(node, "width")) tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "'width' is missing here: in space wheels and shoes have one");
    return false;
}

/* False: something is missing, which the check of keys says. */
static bool read_track(tl_builder *b, const tl_node *node, track *t)
{
    const tl_node *root = b->scene->root, *shoes = tl_node_get(node, "shoes"), *wheels = tl_node_get(node, "wheels");
    *t = (track){.node = node, .on = tl_node_get(node, "on"), .sliding = -1};
    t->planar = tl_quantity(b->r, tl_node_get(root, "dimension"), "", 2, false) < 3;
    if (!t->on || !t->on->text || !shoes || !wheels || wheels->kind != NODE_MAP) return false;
    t->mechanism = tl_mechanism_with(root, t->on->text);
    if (!t->mechanism) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, t->on, "a track is carried by a body of a mechanism; '%.60s' is none", t->on->text);
        return false;
    }
    if (wheels->count < 2 || wheels->count > MOST_WHEELS) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, wheels, "a track goes around 2 to %d wheels", (int)MOST_WHEELS);
        return false;
    }
    tl_vector(b, tl_node_get(node, "at"), "m", t->at);
    t->shoes = (int)quantity(b, shoes, "count", "", 0);
    t->pitch = quantity(b, shoes, "pitch", "m", 0), t->thickness = quantity(b, shoes, "thickness", "m", 0), t->mass = quantity(b, shoes, "mass", "kg", 0);
    t->width = quantity(b, shoes, "width", "m", 0), t->grouser = quantity(b, shoes, "grouser", "m", 0), t->horns = quantity(b, shoes, "horns", "m", 0);
    if (t->shoes < 3 || t->shoes > MOST_SHOES || !(t->pitch > 0) || !(t->thickness > 0) || !(t->mass > 0) || !has_width(b, t, shoes, t->width)) return false;
    for (int i = 0; i < wheels->count; i++) {
        const tl_node *k = wheels->item[i];
        wheel *w = &t->wheel[t->wheels++];
        double at[3] = {0};
        tl_vector(b, tl_node_get(k, "at"), "m", at);
        *w = (wheel){.node = k, .x = at[0], .z = at[t->planar ? 1 : 2], .tension = tl_node_get(k, "tension")};
        w->radius = quantity(b, k, "radius", "m", 0), w->mass = quantity(b, k, "mass", "kg", 0), w->width = quantity(b, k, "width", "m", 0);
        w->inertia = quantity(b, k, "inertia", "kg m^2", 0.5 * w->mass * w->radius * w->radius);
        if (!(w->radius > 0) || !(w->mass > 0) || !has_width(b, t, k, w->width)) return false;
        t->radius[i] = hypot(w->radius + 0.5 * t->thickness, 0.5 * t->pitch);
        if (w->tension && t->sliding >= 0)
            tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, k, "one wheel of a track slides; '%s' does", t->wheel[t->sliding].node->key);
        if (w->tension) t->sliding = i;
    }
    if (t->sliding < 0)
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, wheels,
                       "one of the wheels needs a tension, so that the chain can be closed: tension: {force: 5 kN, stiffness: 200 kN/m}");
    return t->sliding >= 0;
}

/* ---- writing -------------------------------------------------------------------------------------------------------------------- */

/* A point of the track's plane, in the carrier's axes or the scene's. */
static void put(FILE *f, const track *t, const double origin[3], double x, double z)
{
    if (t->planar) fprintf(f, "[%.17g, %.17g]", origin[0] + x, origin[1] + z);
    else fprintf(f, "[%.17g, %.17g, %.17g]", origin[0] + x, origin[1], origin[2] + z);
}

static void put_material(FILE *f, const tl_node *of)
{
    const tl_node *material = tl_node_get(of, "material");
    if (material && material->text) fprintf(f, ", material: \"%s\"", material->text);
}

static void write_wheel_bodies(FILE *f, const track *t)
{
    const char *name = t->node->key;
    for (int i = 0; i < t->wheels; i++) {
        const wheel *w = &t->wheel[i];
        const double across = 0.5 * w->inertia + w->mass * w->width * w->width / 12;
        fprintf(f, "      %s_%s: {mass: %.17g, ", name, w->node->key, w->mass);
        if (t->planar) fprintf(f, "inertia: %.17g, shapes: [{disk: {radius: %.17g}}]", w->inertia, w->radius);
        else
            fprintf(f, "inertia: [%.17g, %.17g, %.17g], shapes: [{cylinder: {from: [0, %.17g, 0], to: [0, %.17g, 0], radius: %.17g}}]", across, w->inertia,
                    across, -0.5 * w->width, 0.5 * w->width, w->radius);
        put_material(f, w->node);
        fprintf(f, "}\n");
        if (!w->tension) continue;
        const double share = 0.1 * w->mass, turn = 0.1 * w->inertia; /* of what carries the axle: it does not turn against anything */
        fprintf(f, "      %s_%s_slide: {mass: %.17g, inertia: ", name, w->node->key, share);
        if (t->planar) fprintf(f, "%.17g}\n", turn);
        else fprintf(f, "[%.17g, %.17g, %.17g]}\n", turn, turn, turn);
    }
}

static void write_wheel_joints(FILE *f, const track *t)
{
    const char *name = t->node->key, *axis = t->planar ? "" : ", axis: [0, 1, 0]", *along = t->planar ? "[1, 0]" : "[1, 0, 0]";
    static const double NOWHERE[3] = {0, 0, 0};
    for (int i = 0; i < t->wheels; i++) {
        const wheel *w = &t->wheel[i];
        const char *key = w->node->key;
        if (w->tension) {
            fprintf(f, "      %s_%s_slide: {type: prismatic, parent: \"%s\", child: %s_%s_slide, axis: %s, at: ", name, key, t->on->text, name, key, along);
            put(f, t, t->at, w->x, w->z);
            fprintf(f, "}\n");
            fprintf(f, "      %s_%s: {type: revolute, parent: %s_%s_slide, child: %s_%s%s, at: ", name, key, name, key, name, key, axis);
            put(f, t, NOWHERE, 0, 0);
        } else {
            fprintf(f, "      %s_%s: {type: revolute, parent: \"%s\", child: %s_%s%s, at: ", name, key, t->on->text, name, key, axis);
            put(f, t, t->at, w->x, w->z);
        }
        fprintf(f, "}\n");
    }
}

/* The spring pulls its wheel outwards with `force` where the chain closes. */
static void write_tension(tl_builder *b, FILE *f, const track *t)
{
    const wheel *w = &t->wheel[t->sliding];
    const double stiffness = quantity(b, w->tension, "stiffness", "N/m", 0), force = quantity(b, w->tension, "force", "N", 0);
    const double damping = quantity(b, w->tension, "damping", "N s/m", 0), side = w->x > 0 ? 1 : -1;
    fprintf(f, "    forces:\n      %s_%s_slide: {joint: %s_%s_slide, stiffness: %.17g, free: 0, constant: %.17g, damping: %.17g}\n", t->node->key, w->node->key,
            t->node->key, w->node->key, stiffness, side * force, damping);
}

static void write_shoes(FILE *f, const track *t, double (*pin)[2])
{
    const tl_node *shoes = tl_node_get(t->node, "shoes");
    const double origin[3] = {t->carrier[0] + t->at[0], t->carrier[1] + t->at[1], t->carrier[2] + t->at[2]};
    const double up = 0.5 * t->thickness, side = 0.55 * t->wheel[0].width, thin = 0.05 * t->wheel[0].width;
    fprintf(f, "bodies:\n");
    for (int i = 0; i < t->shoes; i++) {
        const double *a = pin[i], *c = pin[(i + 1) % t->shoes], angle = atan2(c[1] - a[1], c[0] - a[0]);
        fprintf(f, "  %s_%d: {kind: free, mass: %.17g, position: ", t->node->key, i + 1, t->mass);
        put(f, t, origin, 0.5 * (a[0] + c[0]), 0.5 * (a[1] + c[1]));
        if (t->planar) fprintf(f, ", angle: %.17g, shapes: [{box: {size: [%.17g, %.17g]}}", angle, 0.9 * t->pitch, t->thickness);
        else
            fprintf(f, ", orientation: {quat_wxyz: [%.17g, 0, %.17g, 0]}, shapes: [{box: {size: [%.17g, %.17g, %.17g]}}", cos(0.5 * angle), -sin(0.5 * angle),
                    0.9 * t->pitch, t->width, t->thickness);
        if (t->grouser > 0 && t->planar) fprintf(f, ", {box: {size: [%.17g, %.17g], centre: [0, %.17g]}}", 0.2 * t->pitch, t->grouser, -up - 0.5 * t->grouser);
        else if (t->grouser > 0)
            fprintf(f, ", {box: {size: [%.17g, %.17g, %.17g], centre: [0, 0, %.17g]}}", 0.2 * t->pitch, t->width, t->grouser, -up - 0.5 * t->grouser);
        for (int k = -1; k < 2 && t->horns > 0 && !t->planar; k += 2)
            fprintf(f, ", {box: {size: [%.17g, %.17g, %.17g], centre: [0, %.17g, %.17g]}}", 0.4 * t->pitch, thin, t->horns, k * (side + 0.5 * thin),
                    up + 0.5 * t->horns);
        fprintf(f, "]");
        put_material(f, shoes);
        fprintf(f, "}\n");
    }
    fprintf(f, "joints:\n");
    for (int i = 0; i < t->shoes; i++) {
        fprintf(f, "  %s_pin_%d: {type: %s, bodies: [%s_%d, %s_%d]%s, at: ", t->node->key, i + 1, i == 0 && !t->planar ? "slot" : "revolute", t->node->key,
                (i + t->shoes - 1) % t->shoes + 1, t->node->key, i + 1, t->planar ? "" : ", axis: [0, 1, 0]");
        put(f, t, origin, pin[i][0], pin[i][1]);
        fprintf(f, "}\n");
    }
}

static talus_status write_track(tl_builder *b, const track *t, double (*pin)[2])
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f) return TALUS_MEMORY;
    fprintf(f, "mechanisms:\n  \"%s\":\n    bodies:\n", t->mechanism->key);
    write_wheel_bodies(f, t);
    fprintf(f, "    joints:\n");
    write_wheel_joints(f, t);
    write_tension(b, f, t);
    write_shoes(f, t, pin);
    if (fclose(f) != 0) return TALUS_MEMORY;
    const bool added = tl_yaml_add(b->scene->root, text, t->node, b->scene->arena, &b->scene->mistakes);
    free(text);
    return added ? TALUS_OK : b->scene->mistakes.status;
}

void tl_expand_tracks(tl_builder *b)
{
    int tracks;
    const tl_node *all = maps(b->scene->root, "tracks", &tracks);
    for (int i = 0; i < tracks; i++) {
        track t;
        double(*pin)[2] = tl_arena_alloc(b->scene->arena, MOST_SHOES, sizeof *pin);
        if (!pin || !read_track(b, all->item[i], &t) || !find_carrier(b, &t) || !close_chain(b, &t, pin)) continue;
        (void)write_track(b, &t, pin);
    }
}
