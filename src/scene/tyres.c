/* Tyres: segments of tread around a wheel, each on springs of its own. A tyre is written out as what it is made of, in the words of the scene language: every
 * segment is a link that hangs on the wheel by slides, along its radius, around the wheel and, in space, along the axle, with an implicit spring and damper in
 * each. So a tyre meets whatever there is by ordinary contact, what contacts feel of it has the stiffness of its springs in the step, and all that is said of
 * links and joints is true of it. Names: TYRE_1 … of segments, TYRE_1_radial, TYRE_1_along, TYRE_1_across of the slides, and of the springs in them.
 *
 * Stiffnesses follow from what is known of a tyre as a whole (theory §9.10). With R the radius of the middles of the segments, which roll on a plane that is
 * raised by their rounding ρ, h = R − deflection, cos α = h/R, and N segments, one every Δ = 2π/N: in free rolling without sliding the segment at the angle θ
 * to the vertical stands at x = r θ, r = R sin α / α, and the wheel goes r + ρ for each unit of angle. The segment is pressed in by u = R − x sin θ − h cos θ
 * and turned forward by t = x cos θ − h sin θ. Hence
 *
 *     load            F   = 1/Δ ∫ (k_r u cos θ + k_t t sin θ) dθ,              θ from −α to α,
 *     slip stiffness  C_κ = ℓ/Δ ∫ (k_t cos² θ + k_r sin² θ) dθ,                ℓ = (r + ρ) α, half of the way on which a segment stands,
 *     cornering       C_α = ℓ/Δ 2 α k_y,
 *
 * for small angles 2 c_p ℓ² of the brush model with c_p = k/((r + ρ) Δ). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/build.h"

enum { LEAST_SEGMENTS = 6, MOST_SEGMENTS = 400, FEWEST_IN_PATCH = 3 };

typedef struct tyre {
    const tl_node *node, *mechanism;
    const char *on, *name;
    bool planar;
    double at[3]; /* in the wheel's axes */
    int segments;
    double radius, width, mass, rounding, deflection, load, slip, cornering, damping;
    bool rounded;                 /* `rounding` was said: it does not follow from the number of segments */
    double radial, along, across; /* stiffness of a segment [N/m] */
} tyre;

static double rounding_of(const tyre *t, int segments) { return t->rounded ? t->rounding : 1.2 * TL_PI * t->radius / segments; }

/* A number that must be positive and is not, or is out of its range, is said by the check of keys. */
static bool read_numbers(tl_builder *b, tyre *t)
{
    const tl_node *n = t->node;
    tl_vector(b, tl_node_get(n, "at"), "m", t->at);
    t->radius = tl_quantity_in(b, n, "radius", "m", 0), t->width = tl_quantity_in(b, n, "width", "m", 0), t->mass = tl_quantity_in(b, n, "mass", "kg", 0);
    t->load = tl_quantity_in(b, n, "load", "N", 0), t->deflection = tl_quantity_in(b, n, "deflection", "m", 0);
    t->slip = tl_quantity_in(b, n, "slip_stiffness", "N", 0), t->cornering = tl_quantity_in(b, n, "cornering_stiffness", "N/rad", t->slip);
    t->damping = tl_quantity_in(b, n, "damping", "s", 1e-3);
    const double segments = tl_quantity_in(b, n, "segments", "", 60);
    if (!(segments >= LEAST_SEGMENTS && segments <= MOST_SEGMENTS)) return false;
    t->segments = (int)segments, t->rounded = tl_node_get(n, "rounding") != NULL;
    t->rounding = tl_quantity_in(b, n, "rounding", "m", rounding_of(t, t->segments));
    if (!t->planar && !tl_node_get(n, "width")) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, n, "'width' is missing here: in space a tyre has one");
        return false;
    }
    return t->radius > 0 && t->mass > 0 && t->load > 0 && t->deflection > 0 && t->slip > 0 && t->cornering > 0 && t->rounding > 0 && t->damping >= 0 &&
           (t->planar || t->width > 0);
}

/* On one of its wheels. False: as of read_tyre. */
static bool put_on(tl_builder *b, const tl_node *on, tyre *t)
{
    if (!on->text) return false;
    t->on = on->text, t->name = tl_carried_name(b, t->node, on, "wheel in a list");
    if (!t->name) return false;
    t->mechanism = tl_mechanism_with(b->scene->root, t->on);
    if (!t->mechanism) tl_mistake(&b->scene->mistakes, TALUS_INPUT, on, "a tyre is on a body of a mechanism; '%.60s' is none", t->on);
    return t->mechanism != NULL;
}

/* False: something is wrong, which has been said or the check of keys says. */
static bool read_tyre(tl_builder *b, const tl_node *node, tyre *t)
{
    *t = (tyre){.node = node, .planar = tl_quantity(b->r, tl_node_get(b->scene->root, "dimension"), "", 2, false) < 3};
    if (!tl_names_parts(b, node, node->key, "tyre") || !tl_node_get(node, "on") || !read_numbers(b, t)) return false;
    if (t->rounding >= 0.5 * t->radius) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "segments rounded with %g m fill this tyre of %g m: more segments or a smaller rounding",
                       t->rounding, t->radius);
        return false;
    }
    if (t->deflection >= 0.5 * (t->radius - t->rounding)) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "deflection"), "a deflection of %g m is too much for a tyre of %g m: less than %.3g m",
                   t->deflection, t->radius, 0.5 * (t->radius - t->rounding));
        return false;
    }
    if (!t->planar && t->width <= 2 * t->rounding) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "width"), "a tyre %g m wide has no room for segments rounded with %g m at both sides",
                   t->width, t->rounding);
        return false;
    }
    return true;
}

/* On how many of so many segments the tyre stands at its load; how far the axle sinks when it stands on the fewest. */
static double standing_on(const tyre *t, int segments) { return acos(1 - t->deflection / (t->radius - rounding_of(t, segments))) * segments / TL_PI; }

static double least_deflection(const tyre *t, int segments) { return (t->radius - rounding_of(t, segments)) * (1 - cos(FEWEST_IN_PATCH * TL_PI / segments)); }

/* Does the tyre stand on enough segments? Advice is what helps: more segments, or, where the most of them are too few, a deflection, which is rounded up. */
static bool has_patch(tl_builder *b, const tyre *t)
{
    const double now = standing_on(t, t->segments);
    int enough = t->segments;
    while (enough <= MOST_SEGMENTS && standing_on(t, enough) < FEWEST_IN_PATCH) enough++;
    if (enough == t->segments) return true;
    if (enough <= MOST_SEGMENTS)
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, t->node,
                       "%d segments are too few: at its load this tyre stands on %.1f of them, which must be %d; take %d", t->segments, now,
                       (int)FEWEST_IN_PATCH, enough);
    else
        tl_mistake(
            &b->scene->mistakes, TALUS_INPUT, tl_node_get(t->node, "deflection"),
            "a deflection of %g m is too small for this tyre: at its load it must stand on %d segments, and with %d, the most there can be, it does from "
            "%.3g m on",
            t->deflection, (int)FEWEST_IN_PATCH, (int)MOST_SEGMENTS, 1.005 * least_deflection(t, MOST_SEGMENTS));
    return false;
}

/* The equations above, two of them in two unknowns. False: no springs do that, which has been said. */
static bool find_stiffness(tl_builder *b, tyre *t)
{
    const double R = t->radius - t->rounding, h = R - t->deflection, angle = acos(h / R), r = R * sin(angle) / angle, step = 2 * TL_PI / t->segments;
    const double way = (r + t->rounding) * angle;
    const double cos2 = angle + 0.5 * sin(2 * angle), sin2 = angle - 0.5 * sin(2 * angle);           /* integrals of cos² θ, sin² θ */
    const double mixed = 0.25 * sin(2 * angle) - 0.5 * angle * cos(2 * angle);                       /* of θ sin θ cos θ          */
    const double pressed = 2 * R * sin(angle) - r * mixed - h * cos2, turned = r * mixed - h * sin2; /* of u cos θ, t sin θ       */
    const double F = t->load * step, C = t->slip * step / way, determinant = pressed * cos2 - turned * sin2;
    t->radial = (F * cos2 - C * turned) / determinant;
    t->along = (C * pressed - F * sin2) / determinant;
    t->across = t->cornering * step / (2 * way * angle);
    if (t->radial > 0 && t->along > 0) return true;
    tl_mistake(&b->scene->mistakes, TALUS_INPUT, tl_node_get(t->node, "slip_stiffness"),
               "no tyre of %g m that gives %g m under %g N has a slip stiffness of %g N: it lies between %.3g and %.3g N", t->radius, t->deflection, t->load,
               t->slip, t->load * way * sin2 / pressed, t->load * way * cos2 / turned);
    return false;
}

static void write_bodies(FILE *f, const tyre *t)
{
    const char *name = t->name;
    for (int i = 1; i <= t->segments; i++) {
        fprintf(f, "      %s_%d_radial: {mass: 0}\n", name, i);
        if (!t->planar) fprintf(f, "      %s_%d_along: {mass: 0}\n", name, i);
        fprintf(f, "      %s_%d: {mass: %.17g", name, i, t->mass / t->segments);
        const double side = 0.5 * t->width - t->rounding;
        if (t->planar) fprintf(f, ", shapes: [{disk: {radius: %.17g}}]", t->rounding);
        else fprintf(f, ", shapes: [{capsule: {from: [0, %.17g, 0], to: [0, %.17g, 0], radius: %.17g}}]", -side, side, t->rounding);
        tl_write_material(f, t->node);
        fprintf(f, "}\n");
    }
}

/* A direction in the plane of the wheel. */
static void put_axis(FILE *f, const tyre *t, double x, double z) { fprintf(f, t->planar ? "[%.17g, %.17g]" : "[%.17g, 0, %.17g]", x, z); }

static void write_joints(FILE *f, const tyre *t)
{
    const char *name = t->name;
    const double reach = t->radius - t->rounding;
    for (int i = 1; i <= t->segments; i++) {
        const double angle = 2 * TL_PI * (i - 1) / t->segments, x = cos(angle), z = sin(angle);
        fprintf(f, "      %s_%d_radial: {type: prismatic, parent: ", name, i);
        tl_yaml_quote(f, t->on);
        fprintf(f, ", child: %s_%d_radial, axis: ", name, i);
        put_axis(f, t, x, z);
        fprintf(f, t->planar ? ", at: [%.17g, %.17g]}\n" : ", at: [%.17g, %.17g, %.17g]}\n", t->at[0] + reach * x, t->at[1] + (t->planar ? reach * z : 0),
                t->at[2] + reach * z);
        fprintf(f, "      %s_%d_along: {type: prismatic, parent: %s_%d_radial, child: %s_%d%s, axis: ", name, i, name, i, name, i, t->planar ? "" : "_along");
        put_axis(f, t, -z, x);
        fprintf(f, "}\n");
        if (!t->planar) fprintf(f, "      %s_%d_across: {type: prismatic, parent: %s_%d_along, child: %s_%d, axis: [0, 1, 0]}\n", name, i, name, i, name, i);
    }
}

static void write_springs(FILE *f, const tyre *t)
{
    const struct {
        const char *slide;
        double stiffness;
    } springs[] = {{"radial", t->radial}, {"along", t->along}, {"across", t->across}};
    for (int i = 1; i <= t->segments; i++)
        for (int k = 0; k < (t->planar ? 2 : 3); k++)
            fprintf(f, "      %s_%d_%s: {joint: %s_%d_%s, stiffness: %.17g, damping: %.17g, implicit: true}\n", t->name, i, springs[k].slide, t->name, i,
                    springs[k].slide, springs[k].stiffness, t->damping * springs[k].stiffness);
}

static void write_tyre(tl_builder *b, const tyre *t)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f) {
        tl_mistake(&b->scene->mistakes, TALUS_MEMORY, t->node, "no memory for this tyre");
        return;
    }
    fprintf(f, "mechanisms:\n  ");
    tl_yaml_quote(f, t->mechanism->key);
    fprintf(f, ":\n    bodies:\n");
    write_bodies(f, t);
    fprintf(f, "    joints:\n");
    write_joints(f, t);
    fprintf(f, "    forces:\n");
    write_springs(f, t);
    const bool whole = !ferror(f);
    if (fclose(f) != 0 || !whole) tl_mistake(&b->scene->mistakes, TALUS_MEMORY, t->node, "no memory for this tyre");
    else (void)tl_yaml_add(b->scene->root, text, t->node, b->scene->arena, &b->scene->mistakes);
    free(text);
}

void tl_expand_tyres(tl_builder *b)
{
    const tl_node *all = tl_node_get(b->scene->root, "tyres");
    for (int i = 0; all && all->kind == NODE_MAP && i < all->count; i++) {
        const tl_node *on = tl_node_get(all->item[i], "on");
        tyre t;
        if (on && on->kind == NODE_LIST && on->count == 0) tl_mistake(&b->scene->mistakes, TALUS_INPUT, on, "a tyre is on a wheel, and here is none");
        if (!read_tyre(b, all->item[i], &t) || !has_patch(b, &t) || !find_stiffness(b, &t)) continue;
        for (int k = 0; (on = tl_carrier(all->item[i], k)) != NULL; k++)
            if (put_on(b, on, &t)) write_tyre(b, &t);
    }
}
