/* World settings, materials, interactions, bodies, shapes, loads. */
#include "scene/solids.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *tl_word(const tl_node *map, const char *key, const char *fallback)
{
    const tl_node *node = tl_node_get(map, key);
    return node && node->kind == NODE_SCALAR ? node->text : fallback;
}

static bool flag(const tl_node *map, const char *key, bool fallback) { return strcmp(tl_word(map, key, fallback ? "true" : "false"), "true") == 0; }

void tl_vector(tl_builder *b, const tl_node *node, const char *unit, double out[3])
{
    for (int i = 0; node && node->kind == NODE_LIST && i < node->count && i < 3; i++) out[i] = tl_quantity(b->r, node->item[i], unit, out[i], false);
}

talus_status tl_build_check(tl_builder *b, talus_status status, const tl_node *node)
{
    if (status != TALUS_OK) tl_mistake_key(&b->scene->mistakes, status, node, "%s", talus_world_error(b->world));
    return status;
}

talus_status tl_build_each(tl_builder *b, const tl_node *map, talus_status (*entry)(tl_builder *, const tl_node *))
{
    talus_status first = TALUS_OK;
    for (int i = 0; map && map->kind == NODE_MAP && i < map->count && first != TALUS_MEMORY; i++) {
        const talus_status status = entry(b, map->item[i]);
        if (first == TALUS_OK || status == TALUS_MEMORY) first = status;
    }
    return first;
}

/* ---- functions of time -------------------------------------------------------------------------------------------- */

static void expression_value(void *user, double t, double out[3]) { tl_expression_value(user, t, out); }

talus_motion tl_build_motion(tl_builder *b, const tl_node *node, const char *unit)
{
    if (!node) return (talus_motion){NULL, NULL};
    if (node->kind == NODE_SCALAR) {
        tl_expression *e = tl_function(b->r, node, unit);
        return (talus_motion){e ? expression_value : NULL, e};
    }
    return tl_build_tabulated(b, node, unit);
}

/* ---- world -------------------------------------------------------------------------------------------------------- */

/* What is said of the integrator and its scheme does not look at is not passed over in silence. */
static void warn_of_settings(const tl_builder *b, const tl_node *integrator, talus_scheme scheme)
{
    static const char *const SETTINGS[] = {
#define SETTINGS_OF(id, name, dimension, settings, meaning) " " settings " ",
        TALUS_SCHEME_LIST(SETTINGS_OF)
#undef SETTINGS_OF
    };
    for (int i = 0; integrator && integrator->kind == NODE_MAP && i < integrator->count; i++) {
        char word[128], text[512];
        const char *key = integrator->item[i]->key;
        snprintf(word, sizeof word, " %.100s ", key);
        if (strcmp(key, "scheme") == 0 || strstr(SETTINGS[scheme], word)) continue;
        snprintf(text, sizeof text, "integrator.%.100s does nothing: scheme '%s' has no such setting", key, talus_scheme_name((int)scheme));
        talus_world_warn(b->world, text);
    }
}

static talus_status read_periodic(tl_builder *b, double periodic[3][2])
{
    static const char *const AXIS[] = {"x", "y", "z"};
    for (int i = 0; i < 3; i++) {
        const tl_node *node = tl_node_get(tl_node_get(b->scene->root, "periodic"), AXIS[i]);
        double ends[3] = {0, 0, 0};
        if (!node) continue;
        tl_vector(b, node, "m", ends);
        if (node->kind != NODE_LIST || node->count != 2 || !(ends[1] > ends[0])) {
            tl_mistake(&b->scene->mistakes, TALUS_INPUT, node, "'%s' says where the periodic cell begins and ends: [0, 1 m]", AXIS[i]);
            return TALUS_INPUT;
        }
        periodic[i][0] = ends[0], periodic[i][1] = ends[1];
    }
    return TALUS_OK;
}

static talus_status build_shear(tl_builder *b)
{
    const tl_node *shear = tl_node_get(tl_node_get(b->scene->root, "periodic"), "shear");
    if (!shear) return TALUS_OK;
    const int along = tl_word(shear, "along", "x")[0] - 'x', across = tl_word(shear, "across", "y")[0] - 'x';
    const talus_motion strain = tl_build_path(b, tl_node_get(shear, "strain"), "1");
    if (!strain.value) return TALUS_INPUT; /* what is wrong with it has been said */
    return tl_build_check(b, talus_world_set_shear(b->world, along, across, &strain), shear);
}

talus_status tl_build_world(tl_builder *b, int threads)
{
    const tl_node *root = b->scene->root;
    talus_world_def d = talus_world_def_default();
    char message[1024];
    tl_read_settings(b->r, root, TL_SCENE_KEYS, &d);
    tl_vector(b, tl_node_get(root, "gravity"), "m/s^2", d.gravity);
    TL_TRY(read_periodic(b, d.periodic));
    d.threads = threads;
    const talus_status status = talus_world_create(&d, &b->world, message, sizeof message);
    if (status != TALUS_OK) {
        tl_mistake(&b->scene->mistakes, status, root, "%s", message);
        return status;
    }
    warn_of_settings(b, tl_node_get(root, "integrator"), d.scheme);
    if (tl_node_get(tl_node_get(root, "drift"), "correct") && d.scheme != TALUS_SCHEME_MOREAU)
        talus_world_warn(b->world, "drift.correct does nothing: of the schemes only moreau takes overlap back by positions");
    return build_shear(b);
}

talus_material_id tl_build_material(const tl_builder *b, const tl_node *name)
{
    const tl_node *materials = tl_node_get(b->scene->root, "materials");
    for (int i = 0; name && materials && materials->kind == NODE_MAP && i < materials->count; i++)
        if (strcmp(materials->item[i]->key, name->text) == 0) return (talus_material_id){(uint32_t)i + 1}; /* created in this order */
    return (talus_material_id){0};
}

static talus_status build_materials(tl_builder *b)
{
    const tl_node *materials = tl_node_get(b->scene->root, "materials");
    for (int i = 0; materials && materials->kind == NODE_MAP && i < materials->count; i++) {
        const tl_node *node = materials->item[i];
        talus_material_def d = talus_material_def_default();
        talus_material_id id;
        d.name = node->key;
        d.density = tl_quantity_in(b, node, "density", "kg/m^3", 0);
        d.thickness = tl_quantity_in(b, node, "thickness", "m", 1);
        TL_TRY(tl_build_check(b, talus_material_create(b->world, &d, &id), node));
    }
    return TALUS_OK;
}

static const double *numbers_of(tl_builder *b, const tl_node *node, const char *unit, int *count)
{
    const bool list = node->kind == NODE_LIST;
    *count = list ? node->count : 1;
    double *out = tl_arena_alloc(b->scene->arena, (size_t)*count + 1, sizeof *out);
    for (int i = 0; out && i < *count; i++) out[i] = tl_quantity(b->r, list ? node->item[i] : node, unit, 0, false);
    return out;
}

/* The keys of a law, over those that are known of it already; another law begins anew. */
static talus_status build_law(tl_builder *b, const tl_node *node, talus_interaction_def *d)
{
    const char *before = d->law ? d->law : "", *name = tl_word(node, "law", before);
    const int known = strcmp(name, before) == 0 ? d->values : 0, room = known + (node->kind == NODE_MAP ? node->count : 0);
    talus_law_value *value = tl_arena_zero(b->scene->arena, (size_t)room + 1, sizeof *value);
    if (!value) return TALUS_MEMORY;
    if (known > 0) memcpy(value, d->value, (size_t)known * sizeof *value);
    d->law = *name ? name : NULL, d->value = value, d->values = known;
    for (int i = 0; node->kind == NODE_MAP && i < node->count; i++) {
        tl_key made;
        const tl_key *key = tl_schema_find(TL_INTERACTION_KEYS, node->item[i]->key, &made);
        int k = 0;
        if (!key || !key->law) continue;
        while (k < d->values && strcmp(value[k].key, key->name) != 0) k++;
        value[k].key = key->name;
        if (key->type == KEY_WORD) value[k].word = node->item[i]->text;
        else value[k].number = numbers_of(b, node->item[i], key->unit, &value[k].numbers);
        if (!value[k].word && !value[k].number) return TALUS_MEMORY;
        if (k == d->values) d->values++;
    }
    return TALUS_OK;
}

talus_status tl_build_interaction(tl_builder *b, const tl_node *node, tl_law_change *law)
{
    static const char *const ACTIVATIONS[] = {"auto", "gap", "anticipated"}; /* in the order of talus_activation */
    const tl_node *between = tl_node_get(node, "between");
    talus_interaction_def *d = &law->def;
    if (between && (between->kind != NODE_LIST || between->count != 2)) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, between, "'between' names two materials: [steel, stone]");
        return TALUS_INPUT;
    }
    for (int k = 0; between && k < 2; k++) law->pair[k] = tl_build_material(b, between->item[k]);
    d->enabled = flag(node, "enabled", d->enabled);
    d->friction = tl_quantity_in(b, node, "friction", "", d->friction);
    d->restitution = tl_quantity_in(b, node, "restitution", "", d->restitution);
    d->stiffness = tl_quantity_in(b, node, "stiffness", "N/m", d->stiffness);
    d->damping = tl_quantity_in(b, node, "damping", "N s/m", d->damping);
    d->friction_velocity = tl_quantity_in(b, node, "friction_velocity", "m/s", d->friction_velocity);
    const char *activation = tl_word(node, "activation", ACTIVATIONS[d->activation]);
    for (int k = 0; k < 3; k++)
        if (strcmp(activation, ACTIVATIONS[k]) == 0) d->activation = (talus_activation)k;
    return build_law(b, node, d);
}

static bool is_of_pair(const tl_law_change *law, const tl_law_change *other)
{
    const uint32_t a = law->pair[0].index1, b = law->pair[1].index1;
    return (a == other->pair[0].index1 && b == other->pair[1].index1) || (a == other->pair[1].index1 && b == other->pair[0].index1);
}

/* The last one holds, which whoever has forgotten the first does not know. */
static void warn_of_twice(const tl_builder *b, const tl_node *list, int at)
{
    const tl_law_change *law = b->scene->base.laws;
    const tl_node *node = list->item[at];
    char line[2048];
    for (int i = 0; i < at; i++) {
        if (!is_of_pair(&law[i], &law[at])) continue;
        snprintf(line, sizeof line, "%.800s:%d:%d: warning: this interaction is of the same materials as that of line %d, and holds instead of it", node->file,
                 node->line, node->column, list->item[i]->line);
        talus_world_warn(b->world, line);
        return;
    }
}

static talus_status build_interactions(tl_builder *b)
{
    const tl_node *list = tl_node_get(b->scene->root, "interactions");
    const int count = list && list->kind == NODE_LIST ? list->count : 0;
    tl_stage_def *base = &b->scene->base;
    base->law_count = 0;
    base->laws = tl_arena_zero(b->scene->arena, (size_t)count + 1, sizeof *base->laws);
    if (!base->laws) return TALUS_MEMORY;
    for (int i = 0; i < count; i++) {
        tl_law_change *law = &base->laws[base->law_count++];
        law->def = talus_interaction_def_default();
        TL_TRY(tl_build_interaction(b, list->item[i], law));
        TL_TRY(tl_build_check(b, talus_interaction_set(b->world, law->pair[0], law->pair[1], &law->def), list->item[i]));
        warn_of_twice(b, list, i);
    }
    return TALUS_OK;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------- */

static void box_points(tl_builder *b, const tl_node *node, talus_shape_def *d)
{
    double size[3] = {0}, centre[3] = {0};
    tl_vector(b, tl_node_get(node, "size"), "m", size);
    tl_vector(b, tl_node_get(node, "centre"), "m", centre);
    const double angle = tl_quantity_in(b, node, "angle", "rad", 0), c = cos(angle), s = sin(angle);
    static const double CORNER[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    d->kind = TALUS_SHAPE_POLYGON;
    d->count = 4;
    for (int i = 0; i < 4; i++) {
        const double x = CORNER[i][0] * size[0], y = CORNER[i][1] * size[1];
        d->points[i][0] = centre[0] + c * x - s * y;
        d->points[i][1] = centre[1] + s * x + c * y;
    }
}

/* Its centre and the tips of its half axes. */
static void ellipse_points(tl_builder *b, const tl_node *node, talus_shape_def *d)
{
    double radii[3] = {0}, centre[3] = {0};
    tl_vector(b, tl_node_get(node, "radii"), "m", radii);
    tl_vector(b, tl_node_get(node, "centre"), "m", centre);
    const double angle = tl_quantity_in(b, node, "angle", "rad", 0), c = cos(angle), s = sin(angle);
    const double tip[3][2] = {{0, 0}, {c * radii[0], s * radii[0]}, {-s * radii[1], c * radii[1]}};
    d->kind = TALUS_SHAPE_ELLIPSE;
    d->count = 3;
    for (int i = 0; i < 3; i++) d->points[i][0] = centre[0] + tip[i][0], d->points[i][1] = centre[1] + tip[i][1];
}

static void point(tl_builder *b, const tl_node *node, const char *unit, double out[2])
{
    double v[3] = {0};
    tl_vector(b, node, unit, v);
    out[0] = v[0], out[1] = v[1];
}

static void read_shape(tl_builder *b, const tl_node *node, talus_shape_def *d)
{
    *d = talus_shape_def_default();
    d->radius = tl_quantity_in(b, node, "radius", "m", 0);
    if (strcmp(node->key, "disk") == 0) point(b, tl_node_get(node, "centre"), "m", d->points[0]);
    else if (strcmp(node->key, "box") == 0) box_points(b, node, d);
    else if (strcmp(node->key, "ellipse") == 0) ellipse_points(b, node, d);
    else if (strcmp(node->key, "segment") == 0) {
        d->kind = TALUS_SHAPE_SEGMENT;
        d->count = 2;
        point(b, tl_node_get(node, "from"), "m", d->points[0]);
        point(b, tl_node_get(node, "to"), "m", d->points[1]);
    } else if (strcmp(node->key, "half_plane") == 0) {
        d->kind = TALUS_SHAPE_HALF_PLANE;
        point(b, tl_node_get(node, "point"), "m", d->points[0]);
        point(b, tl_node_get(node, "normal"), "", d->points[1]);
    } else {
        const tl_node *points = tl_node_get(node, "points");
        d->kind = TALUS_SHAPE_POLYGON;
        d->count = points->count;
        for (int i = 0; i < points->count && i < TALUS_POLYGON_POINTS; i++) point(b, points->item[i], "m", d->points[i]);
    }
}

talus_status tl_build_shape_plane(tl_builder *b, const tl_node *node, const tl_owner *owner)
{
    talus_shape_def d;
    bool known;
    const talus_status status = tl_build_compound_plane(b, node, owner, &known);
    if (known || status != TALUS_OK) return status;
    read_shape(b, node, &d);
    return tl_add_part(b, owner, node, &d, NULL, 0);
}

/* ---- bodies and loads --------------------------------------------------------------------------------------------- */

talus_body_id tl_build_body_named(const tl_builder *b, const tl_node *name) { return name ? talus_body_find(b->world, name->text) : (talus_body_id){0}; }

talus_status tl_build_frame(tl_builder *b, const tl_node *name, talus_body_id *out)
{
    *out = tl_build_body_named(b, name);
    if (talus_solid_of_body(b->world, *out).index1 == 0) return TALUS_OK;
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, name, "'%s' is a solid: it deforms, and has no axes of its own", name->text);
    return TALUS_INPUT;
}

/* Number of the machine that a body names: that of the first body which names it. */
static int machine_of(const tl_builder *b, const tl_node *node)
{
    const tl_node *bodies = tl_node_get(b->scene->root, "bodies");
    const char *name = tl_word(node, "machine", NULL);
    for (int i = 0; name && bodies && i < bodies->count; i++)
        if (strcmp(tl_word(bodies->item[i], "machine", ""), name) == 0) return i + 1;
    return 0;
}

/* As the node says, but for its name and where it stands. */
static talus_status read_body(tl_builder *b, const tl_node *node, talus_body_def *d)
{
    const tl_node *motion = tl_node_get(node, "motion");
    const char *kind = tl_word(node, "kind", "free");
    *d = talus_body_def_default();
    d->kind = strcmp(kind, "fixed") == 0 ? TALUS_BODY_FIXED : strcmp(kind, "imposed") == 0 ? TALUS_BODY_IMPOSED : TALUS_BODY_FREE;
    bool imposed = d->kind == TALUS_BODY_IMPOSED;
    d->changes_kind = tl_stages_change_kind(b, node->key, &imposed) || (d->kind == TALUS_BODY_FREE && tl_exchange_changes(b, NULL));
    if (motion && !imposed) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, motion, "only a body of kind 'imposed' has a motion");
        return TALUS_INPUT;
    }
    tl_vector(b, tl_node_get(node, "position"), "m", d->position);
    tl_vector(b, tl_node_get(node, "velocity"), "m/s", d->velocity);
    d->machine = machine_of(b, node);
    d->angle = tl_quantity_in(b, node, "angle", "rad", 0);
    d->angular_velocity = tl_quantity_in(b, node, "angular_velocity", "rad/s", 0);
    d->mass = tl_quantity_in(b, node, "mass", "kg", 0);
    d->has_centre_of_mass = tl_node_get(node, "centre_of_mass") != NULL;
    tl_vector(b, tl_node_get(node, "centre_of_mass"), "m", d->centre_of_mass);
    d->inertia = tl_quantity_in(b, node, "inertia", "kg m^2", 0);
    d->motion[0] = tl_build_staged(b, &(tl_stageable){tl_node_get(motion, "x"), "bodies", node->key, "x", "m", true});
    d->motion[1] = tl_build_staged(b, &(tl_stageable){tl_node_get(motion, "y"), "bodies", node->key, "y", "m", true});
    d->motion[2] = tl_build_staged(b, &(tl_stageable){tl_node_get(motion, "angle"), "bodies", node->key, "angle", "rad", true});
    return talus_world_dimension(b->world) == 3 ? tl_build_body_space(b, node, d) : TALUS_OK;
}

static talus_status build_body(tl_builder *b, const tl_node *node)
{
    const tl_node *repeat = tl_node_get(node, "repeat");
    tl_repeat array = {.count = 1};
    if (repeat) TL_TRY(tl_read_repeat(b, repeat, &array));
    for (int i = 0; i < array.count; i++) {
        talus_body_def d;
        talus_body_id id;
        char name[512];
        snprintf(name, sizeof name, "%.480s.%d", node->key, i + 1);
        TL_TRY(read_body(b, node, &d));
        d.name = repeat ? name : node->key;
        if (i > 0) tl_repeat_place(&array, i, &d);
        TL_TRY(tl_build_check(b, talus_body_create(b->world, &d, &id), node));
        TL_TRY(tl_build_shapes(b, node, id));
    }
    return TALUS_OK;
}

talus_status tl_build_bodies(tl_builder *b)
{
    TL_TRY(build_materials(b));
    TL_TRY(build_interactions(b));
    return tl_build_each(b, tl_node_get(b->scene->root, "bodies"), build_body);
}

static talus_status build_load(tl_builder *b, const tl_node *node)
{
    static const char *const AXES[3] = {"x", "y", "z"};
    talus_load_def d = talus_load_def_default();
    tl_vector(b, tl_node_get(node, "at"), "m", d.point);
    d.follows_body = flag(node, "follows_body", false);
    for (int k = 0; k < 3; k++) d.force[k] = tl_build_staged(b, &(tl_stageable){tl_node_get(node, AXES[k]), "loads", node->key, AXES[k], "N", false});
    d.torque = tl_build_staged(b, &(tl_stageable){tl_node_get(node, "torque"), "loads", node->key, "torque", "N m", false});
    return tl_build_check(b, talus_body_add_load(b->world, tl_build_body_named(b, tl_node_get(node, "body")), &d), node);
}

talus_status tl_build_loads(tl_builder *b) { return tl_build_each(b, tl_node_get(b->scene->root, "loads"), build_load); }
