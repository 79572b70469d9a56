/* Mechanisms in maximal coordinates. `coordinates: maximal` has the machine of a mechanism written out as free bodies and joints between them, in the words of
 * the scene language, under the names that its links, joints and loops have: so what acts in its joints, cylinders on them and probes are those of joints
 * between bodies. The start is that of the same mechanism in relative coordinates, whose loops are closed and whose rates are known: bodies stand and move as
 * its links do, and coordinates of joints count on from there (`start`). What relative coordinates alone have is refused by its name. */
#include "scene/maximal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"

/* ---- writing -------------------------------------------------------------------------------------------------------------------- */

static void put_vector(FILE *f, const tl_machine *m, const char *key, tl_vec3 v)
{
    if (m->b->r->dimension == 2) fprintf(f, ", %s: [%.17g, %.17g]", key, v.x, v.y);
    else fprintf(f, ", %s: [%.17g, %.17g, %.17g]", key, v.x, v.y, v.z);
}

/* A name of the scene's, which may have any letters, behind text. */
static void put_name(FILE *f, const char *text, const char *name)
{
    fputs(text, f);
    tl_yaml_quote(f, name);
}

static void begin_joint(FILE *f, const tl_node *named, const char *type, const tl_node *a, const tl_node *b)
{
    put_name(f, "joints:\n  ", named->key);
    fprintf(f, ": {type: %s", type);
    put_name(f, ", bodies: [", a->text);
    put_name(f, ", ", b->text);
    fputc(']', f);
}

/* Another child of a map, under this key. */
static bool graft(const tl_machine *m, tl_node *map, const tl_node *child, const char *key)
{
    tl_arena *arena = m->b->scene->arena;
    tl_node **item = tl_arena_alloc(arena, (size_t)map->count + 1, sizeof *item), *copy = tl_arena_alloc(arena, 1, sizeof *copy);
    if (!child) return true;
    if (!item || !copy) return false;
    if (map->count > 0) memcpy(item, map->item, (size_t)map->count * sizeof *item);
    *copy = *child;
    copy->key = key;
    item[map->count++] = copy;
    map->item = item, map->capacity = map->count;
    return true;
}

/* A node of the tree that may be added to. */
static tl_node *node_at(const tl_machine *m, const char *map, const char *key)
{
    const tl_node *list = tl_node_get(m->b->scene->root, map);
    for (int i = 0; list && i < list->count; i++)
        if (strcmp(list->item[i]->key, key) == 0) return list->item[i];
    return NULL;
}

static talus_status add(const tl_machine *m, FILE *f, char **text, const tl_node *place)
{
    const bool written = fclose(f) == 0;
    const bool added = written && tl_yaml_add(m->b->scene->root, *text, place, m->b->scene->arena, &m->b->scene->mistakes);
    free(*text);
    if (!written) return TALUS_MEMORY;
    return added ? TALUS_OK : m->b->scene->mistakes.status != TALUS_OK ? m->b->scene->mistakes.status : TALUS_MEMORY;
}

static talus_status write_body(const tl_machine *m, const tl_node *link)
{
    const talus_body_id id = talus_body_find(m->start, link->key);
    const bool planar = m->b->r->dimension == 2;
    double p[3], q[4], c[3], I[6], v[3], w[3];
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f) return TALUS_MEMORY;
    talus_body_pose(m->start, id, p, q);
    (void)talus_link_inertia(m->start, id, c, I);
    talus_body_velocity(m->start, id, c, v, w);
    put_name(f, "bodies:\n  ", link->key);
    put_name(f, ": {kind: free, machine: ", m->node->key);
    fprintf(f, ", mass: %.17g", tl_machine_quantity(m, link, "mass", "kg"));
    put_vector(f, m, "centre_of_mass", tl_load3(c));
    put_vector(f, m, "position", tl_load3(p));
    put_vector(f, m, "velocity", tl_load3(v));
    if (planar) fprintf(f, ", inertia: %.17g, angle: %.17g, angular_velocity: %.17g", I[2], talus_body_angle(m->start, id), w[2]);
    else
        fprintf(f, ", inertia_tensor: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g], orientation: {quat_wxyz: [%.17g, %.17g, %.17g, %.17g]}", I[0], I[1], I[2],
                I[3], I[4], I[5], q[0], q[1], q[2], q[3]);
    if (!planar) put_vector(f, m, "spin", tl_load3(w));
    fprintf(f, "}\n");
    TL_TRY(add(m, f, &text, link));
    tl_node *body = node_at(m, "bodies", link->key);
    return body && graft(m, body, tl_node_get(link, "material"), "material") && graft(m, body, tl_node_get(link, "shapes"), "shapes") ? TALUS_OK : TALUS_MEMORY;
}

static tl_frame frame_of(const tl_machine *m, const tl_node *name)
{
    tl_frame f = {.R = tl_mat3_identity()};
    double p[3], q[4];
    if (strcmp(name->text, "ground") == 0) return f;
    talus_body_pose(m->start, talus_body_find(m->start, name->text), p, q);
    return (tl_frame){tl_load3(p), tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]})};
}

static tl_vec3 point_of(const tl_machine *m, const tl_frame *f, const tl_node *at)
{
    double p[3] = {0, 0, 0};
    tl_vector(m->b, at, "m", p);
    return tl_add(f->p, tl_mat3_apply(&f->R, tl_load3(p)));
}

static tl_vec3 axis_of(const tl_machine *m, const tl_mat3 *R, const tl_node *axis, tl_vec3 fallback)
{
    double e[3] = {0, 0, 0};
    tl_vector(m->b, axis, "", e);
    return tl_mat3_apply(R, axis ? tl_load3(e) : fallback);
}

/* What acts in coordinate k: the start, a spring, stops, dry friction; what is written by numbers. The constant of a spring moves where it is free. */
static void write_freedom(FILE *f, const tl_machine *m, const tl_node *joint, const char *coordinate, int k)
{
    static const char *const SAME[] = {"stiffness", "damping", "friction", "friction_velocity", "low", "high", "restitution"};
    static const char *const WAY[] = {"N/m", "N s/m", "N", "m/s", "m", "m", ""};
    static const char *const ANGLE[] = {"N m/rad", "N m s/rad", "N m", "rad/s", "rad", "rad", ""};
    const bool angle = tl_joint_is_angle(joint, k);
    const tl_node *force = tl_machine_acting(m, "forces", joint, coordinate);
    fprintf(f, ", %s: {start: %.17g", coordinate, talus_joint_position(m->start, talus_joint_find(m->start, joint->key), k));
    for (size_t i = 0; force && i < sizeof SAME / sizeof *SAME; i++)
        if (tl_node_get(force, SAME[i])) fprintf(f, ", %s: %.17g", SAME[i], tl_machine_quantity(m, force, SAME[i], angle ? ANGLE[i] : WAY[i]));
    if (force && tl_node_get(force, "stiffness")) {
        const double stiffness = tl_machine_quantity(m, force, "stiffness", angle ? ANGLE[0] : WAY[0]);
        const double constant = tl_machine_quantity(m, force, "constant", angle ? "N m" : "N"); /* 0 where the stiffness is: it was checked */
        fprintf(f, ", rest: %.17g", tl_machine_quantity(m, force, "free", angle ? "rad" : "m") + (stiffness > 0 ? constant / stiffness : 0));
    }
    fprintf(f, "}");
}

/* Functions and tables of a drive, as the scene has them. */
static talus_status graft_drive(const tl_machine *m, const tl_node *joint, const char *coordinate)
{
    static const char *const KEYS[] = {"speed", "position", "force"};
    const tl_node *drive = tl_machine_acting(m, "drives", joint, coordinate), *written = node_at(m, "joints", joint->key);
    tl_node *freedom = NULL;
    for (int i = 0; written && i < written->count; i++)
        if (strcmp(written->item[i]->key, coordinate) == 0) freedom = written->item[i];
    for (size_t i = 0; drive && i < sizeof KEYS / sizeof *KEYS; i++)
        if (!freedom || !graft(m, freedom, tl_node_get(drive, KEYS[i]), KEYS[i])) return TALUS_MEMORY;
    return TALUS_OK;
}

/* Axes: those of revolute, screw, cylindrical and prismatic joints are the same in parent and child; the normal of `planar` too, whose ways are along axes of
 * the parent. Of the bars of `universal` the first is the parent's, the second the child's. */
static talus_status write_axes(FILE *f, const tl_machine *m, const tl_node *joint, const tl_frame *parent, const tl_frame *child)
{
    const char *type = tl_word(joint, "type", "revolute");
    const double turn = 0.5 * tl_machine_quantity(m, joint, "orientation", "rad");
    double q[4] = {cos(turn), 0, 0, sin(turn)};
    TL_TRY(tl_build_orientation(m->b, tl_node_get(joint, "rotation"), q));
    const tl_mat3 turned = tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]}), R = tl_mat3_mul(&parent->R, &turned);
    const tl_vec3 axis = axis_of(m, &R, tl_node_get(joint, "axis"), strcmp(type, "prismatic") == 0 ? tl_v3(1, 0, 0) : tl_v3(0, 0, 1));
    if (m->b->r->dimension == 3 || strcmp(type, "prismatic") == 0) put_vector(f, m, "axis", axis);
    if (strcmp(type, "universal") == 0 || strcmp(type, "planar") == 0)
        put_vector(f, m, "axis2", axis_of(m, type[0] == 'u' ? &child->R : &R, tl_node_get(joint, "axis2"), tl_v3(1, 0, 0)));
    if (strcmp(type, "screw") == 0) fprintf(f, ", length: %.17g", 2 * TL_PI * tl_machine_quantity(m, joint, "pitch", "m/rad"));
    return TALUS_OK;
}

static talus_status write_joint(const tl_machine *m, const tl_node *joint)
{
    const tl_counterpart *c = tl_machine_counterpart(m, joint);
    const tl_node *parent = tl_node_get(joint, "parent"), *child = tl_node_get(joint, "child");
    const tl_frame a = frame_of(m, parent), b = frame_of(m, child);
    char *text = NULL;
    size_t length = 0;
    if (!c || !c->between) return TALUS_OK; /* one without a counterpart was refused */
    FILE *f = open_memstream(&text, &length);
    if (!f) return TALUS_MEMORY;
    begin_joint(f, joint, c->between, parent, child);
    put_vector(f, m, "at", point_of(m, &b, tl_node_get(joint, "child_at")));
    const talus_status status = write_axes(f, m, joint, &a, &b);
    for (int k = 0; k < 3 && c->coordinate[k]; k++) write_freedom(f, m, joint, c->coordinate[k], k);
    fprintf(f, "}\n");
    const talus_status added = add(m, f, &text, joint);
    TL_TRY(status);
    TL_TRY(added);
    for (int k = 0; k < 3 && c->coordinate[k]; k++) TL_TRY(graft_drive(m, joint, c->coordinate[k]));
    return TALUS_OK;
}

/* The first body comes second: what a loop exerts on it is what its joint says. */
static talus_status write_loop(const tl_machine *m, const tl_node *loop)
{
    static const char *const KINDS[][2] = {{"hinge", "revolute"}, {"body", "fixed"}, {"rod", "distance"}};
    const tl_node *bodies = tl_node_get(loop, "bodies"), *at = tl_node_get(loop, "at"), *axes = tl_node_get(loop, "axes");
    const char *type = tl_word(loop, "type", "point"), *between = m->b->r->dimension == 2 ? "revolute" : "spherical";
    const tl_frame a = frame_of(m, bodies->item[0]), b = frame_of(m, bodies->item[1]);
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f) return TALUS_MEMORY;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (strcmp(KINDS[i][0], type) == 0) between = KINDS[i][1];
    begin_joint(f, loop, between, bodies->item[1], bodies->item[0]);
    put_vector(f, m, "at", point_of(m, &b, at ? at->item[1] : NULL));
    if (strcmp(type, "rod") == 0)
        put_vector(f, m, "to", point_of(m, &a, at ? at->item[0] : NULL)), fprintf(f, ", length: %.17g", tl_machine_quantity(m, loop, "length", "m"));
    if (strcmp(type, "hinge") == 0 && m->b->r->dimension == 3) put_vector(f, m, "axis", axis_of(m, &a.R, axes ? axes->item[0] : NULL, tl_v3(0, 0, 1)));
    fprintf(f, "}\n");
    return add(m, f, &text, loop);
}

/* ---- what names joints ---------------------------------------------------------------------------------------------------------- */

/* A child of a map becomes another key with a name, which stays. */
static void rename_child(tl_node *map, const char *from, const char *to, const char *name)
{
    for (int i = 0; i < map->count; i++)
        if (strcmp(map->item[i]->key, from) == 0) map->item[i]->key = to, map->item[i]->text = name;
}

/* What names a coordinate of the mechanism by `joint` names that of the joint between bodies: "elbow" becomes "elbow.angle". */
static talus_status turn_coordinate(const tl_machine *m, tl_node *node, const char *joint, const char *coordinate)
{
    const size_t length = strlen(joint) + strlen(coordinate) + 2;
    char *name = tl_arena_alloc(m->b->scene->arena, length, 1);
    if (!name) return TALUS_MEMORY;
    snprintf(name, length, "%s.%s", joint, coordinate);
    rename_child(node, "joint", "body_joint", name);
    return TALUS_OK;
}

/* What a probe of a mechanism calls `of` has another word between bodies. */
static void rename_quantity(tl_node *node, const char *of, const char *word)
{
    for (int i = 0; i < node->count; i++)
        if (strcmp(node->item[i]->key, "quantity") == 0 && strcmp(node->item[i]->text, of) == 0) node->item[i]->text = word;
}

/* The force that a joint of a mechanism tells is that of its drives and forces, between bodies that of the drive: they are the same where no force acts.
 * Cylinders and motors have theirs for themselves in both. */
static talus_status turn_joint(const tl_machine *m, tl_node *node)
{
    const tl_node *reference = tl_node_get(node, "joint"), *joint;
    const char *name, *quantity_word = tl_word(node, "quantity", "position");
    if (!tl_machine_coordinate(m, reference, &joint, &name)) return TALUS_UNSUPPORTED;
    if (!joint) return TALUS_OK;
    const tl_node *others = tl_machine_acting(m, "forces", joint, name), *drive = tl_machine_acting(m, "drives", joint, name);
    if (strcmp(quantity_word, "force") == 0 && (others || !drive)) {
        char what[160];
        snprintf(what, sizeof what, "forces of joints but that of a drive alone, and in '%.60s' %s", joint->key, others ? "others act" : "nothing acts");
        (void)tl_machine_refuse(m, tl_node_get(node, "quantity"), what);
        return TALUS_UNSUPPORTED;
    }
    rename_quantity(node, "drive", "force");
    return turn_coordinate(m, node, joint->key, name);
}

static talus_status turn_loop(const tl_machine *m, tl_node *node)
{
    const tl_node *name = tl_node_get(node, "loop"), *loop = tl_node_get(tl_node_get(m->node, "loops"), name->text);
    const char *word = tl_word(node, "quantity", "force");
    if (!loop) return TALUS_OK;
    if (strcmp(tl_word(loop, "type", "point"), "rod") == 0 && strcmp(word, "force") != 0) {
        (void)tl_machine_refuse(m, tl_node_get(node, "quantity"), "signed forces of a rod: its 'force' is the magnitude");
        return TALUS_UNSUPPORTED;
    }
    rename_quantity(node, "force", "magnitude");
    rename_child(node, "loop", "body_joint", loop->key);
    return TALUS_OK;
}

static talus_status turn_probes(const tl_machine *m)
{
    const tl_node *probes = tl_machine_map(m->b->scene->root, "probes");
    talus_status first = TALUS_OK;
    for (int i = 0; i < probes->count; i++) {
        talus_status status = TALUS_OK;
        if (tl_node_get(probes->item[i], "joint")) status = turn_joint(m, probes->item[i]);
        else if (tl_node_get(probes->item[i], "loop")) status = turn_loop(m, probes->item[i]);
        if (first == TALUS_OK) first = status;
    }
    return first;
}

static talus_status turn_hydraulics(const tl_machine *m)
{
    static const char *const PARTS[] = {"cylinders", "motors"};
    const tl_node *all = tl_machine_map(m->b->scene->root, "hydraulics"), *joint;
    const char *name;
    for (int i = 0; i < all->count; i++)
        for (int p = 0; p < 2; p++) {
            const tl_node *parts = tl_machine_map(all->item[i], PARTS[p]);
            for (int k = 0; k < parts->count; k++) {
                const tl_node *reference = tl_node_get(parts->item[k], "joint");
                if (!reference) continue;
                if (!tl_machine_coordinate(m, reference, &joint, &name)) return TALUS_UNSUPPORTED;
                if (!joint) continue;
                TL_TRY(turn_coordinate(m, parts->item[k], joint->key, name));
            }
        }
    return TALUS_OK;
}

/* ---- */

static talus_status write_machine(const tl_machine *m)
{
    static const struct {
        const char *key;
        talus_status (*write)(const tl_machine *, const tl_node *);
    } PARTS[] = {{"bodies", write_body}, {"joints", write_joint}, {"loops", write_loop}};
    const tl_node *twins[] = {tl_machine_map(m->b->scene->root, "bodies"), tl_machine_map(m->b->scene->root, "joints"),
                              tl_machine_map(m->b->scene->root, "joints")};
    for (int p = 0; p < 3; p++) {
        const tl_node *part = tl_machine_map(m->node, PARTS[p].key);
        for (int i = 0; i < part->count; i++) {
            const tl_node *twin = tl_node_get(twins[p], part->item[i]->key);
            if (twin) {
                tl_mistake_key(&m->b->scene->mistakes, TALUS_INPUT, part->item[i],
                               "mechanism '%.60s' has 'coordinates: maximal', in which this becomes one of `%s`, and there is one named '%.60s' in line %d",
                               m->node->key, p == 0 ? "bodies" : "joints", twin->key, twin->key_line);
                return TALUS_INPUT;
            }
        }
    }
    for (int p = 0; p < 3; p++) {
        const tl_node *part = tl_machine_map(m->node, PARTS[p].key);
        for (int i = 0; i < part->count; i++) TL_TRY(PARTS[p].write(m, part->item[i]));
    }
    TL_TRY(turn_probes(m));
    return turn_hydraulics(m);
}

bool tl_is_maximal(const tl_node *mechanism) { return strcmp(tl_word(mechanism, "coordinates", "relative"), "maximal") == 0; }

bool tl_has_maximal(const talus_scene *s)
{
    const tl_node *all = tl_machine_map(s->root, "mechanisms");
    for (int i = 0; i < all->count; i++)
        if (tl_is_maximal(all->item[i])) return true;
    return false;
}

/* The tree's own map of mechanisms, without one. */
static void take_out(talus_scene *s, const tl_node *mechanism)
{
    for (int i = 0; i < s->root->count; i++) {
        tl_node *all = s->root->item[i];
        int left = 0;
        if (strcmp(all->key, "mechanisms") != 0) continue;
        for (int k = 0; k < all->count; k++)
            if (all->item[k] != mechanism) all->item[left++] = all->item[k];
        all->count = left;
    }
}

talus_status tl_expand_maximal(tl_builder *b, const talus_world *start)
{
    const tl_node *all = tl_machine_map(b->scene->root, "mechanisms");
    for (int i = 0; i < all->count; i++) {
        const tl_machine m = {b, start, all->item[i]};
        if (!tl_is_maximal(m.node)) continue;
        if (!tl_machine_check(&m)) return TALUS_UNSUPPORTED;
    }
    tl_scene_note_keys(b->scene); /* of the mechanisms, which are gone when the scene is built */
    for (int i = 0; i < all->count;) {
        const tl_machine m = {b, start, all->item[i]};
        if (!tl_is_maximal(m.node)) {
            i++;
            continue;
        }
        TL_TRY(write_machine(&m));
        take_out(b->scene, m.node);
    }
    return TALUS_OK;
}
