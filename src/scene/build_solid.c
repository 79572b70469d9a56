/* Solids of finite elements: what they are made of, what holds and moves them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/math.h"
#include "scene/solid_reading.h"

static const char *const AXIS[3] = {"x", "y", "z"};

/* ---- materials ------------------------------------------------------------------------------------------------------- */

/* Keys that another kind of material has are none of this one. */
static talus_status refuse_others(tl_solid_reading *s, const tl_node *node, const talus_solid_material *m)
{
    talus_status status = TALUS_OK;
    for (int i = 0; node->kind == NODE_MAP && i < node->count; i++) {
        const char *key = node->item[i]->key;
        bool has = strcmp(key, "kind") == 0 || strcmp(key, "density") == 0;
        for (int p = 0; p < m->parameters; p++) has = has || strcmp(m->parameter[p].name, key) == 0;
        if (has) continue;
        tl_mistake_key(&s->b->scene->mistakes, TALUS_INPUT, node->item[i], "a material of kind '%s' has no '%.80s'", m->name, key);
        status = TALUS_INPUT;
    }
    return status;
}

static talus_status read_material(tl_solid_reading *s, const tl_node *node, talus_solid_region *out)
{
    static const char *const STRAIN[] = {"plain", "mean_volume", "enhanced", "auto"}; /* in the order of talus_strain */
    talus_solid_material m;
    out->material = talus_solid_material_find(tl_word(node, "kind", "elastic"));
    out->density = tl_quantity(s->b->r, tl_node_get(node, "density"), "kg/m^3", 0, false);
    for (int k = 0; k < 4; k++)
        if (strcmp(tl_word(s->node, "strain", "auto"), STRAIN[k]) == 0) out->strain = (talus_strain)k;
    if (!talus_solid_material_get(out->material, &m)) return TALUS_INPUT;
    TL_TRY(refuse_others(s, node, &m));
    for (int p = 0; p < m.parameters; p++) {
        const tl_node *given = tl_node_get(node, m.parameter[p].name);
        if (!given && !m.parameter[p].optional) {
            tl_mistake_key(&s->b->scene->mistakes, TALUS_INPUT, node, "'%s' is missing here: %s", m.parameter[p].name, m.parameter[p].meaning);
            return TALUS_INPUT;
        }
        out->parameter[p] = tl_quantity(s->b->r, given, m.parameter[p].unit, 0, false);
    }
    return TALUS_OK;
}

/* Elements of a group are of its region, whose number is `region`. */
static talus_status take_region(tl_solid_reading *s, const tl_node *node, int region, int *region_of)
{
    const tl_node name = {.kind = NODE_SCALAR, .file = node->file, .line = node->key_line, .column = node->key_column, .text = node->key};
    const tl_grid_group *g = tl_grid_group_named(&s->grid, node->key);
    if (g && g->elements == 0) {
        tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, &name, "group '%.80s' has no elements that a solid is made of: it is one of %s", node->key,
                   g->dimension == 0   ? "points"
                   : g->dimension == 1 ? "edges"
                                       : "faces");
        return TALUS_INPUT;
    }
    if (!g) return tl_each_group(s, &name, NULL, NULL); /* says so */
    for (int i = 0; i < g->elements; i++) {
        if (region_of[g->element[i]] >= 0) {
            tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, &name, "element %lld is in two regions; '%.80s' is the second",
                       tl_grid_tag(&s->grid, g->element[i]), node->key);
            return TALUS_INPUT;
        }
        region_of[g->element[i]] = region;
    }
    return TALUS_OK;
}

talus_status tl_read_regions(tl_solid_reading *s, talus_solid_def *d)
{
    const tl_node *all = tl_node_get(s->node, "material"), *regions = tl_node_get(s->node, "regions");
    const int named = regions && regions->kind == NODE_MAP ? regions->count : 0;
    talus_solid_region *region = tl_arena_zero(s->b->scene->arena, (size_t)named + 1, sizeof *region);
    int *region_of = tl_arena_alloc(s->b->scene->arena, (size_t)s->grid.elements, sizeof *region_of), missing = -1;
    if (!region || !region_of) return TALUS_MEMORY;
    for (int e = 0; e < s->grid.elements; e++) region_of[e] = -1;
    for (int i = 0; i < named; i++) {
        TL_TRY(read_material(s, regions->item[i], &region[i]));
        TL_TRY(take_region(s, regions->item[i], i, region_of));
    }
    if (all) TL_TRY(read_material(s, all, &region[named]));
    for (int e = s->grid.elements; e-- > 0;)
        if (region_of[e] < 0) region_of[e] = named, missing = e;
    d->region = region, d->region_of = region_of, d->regions = named + (all ? 1 : 0);
    if (all || missing < 0) return TALUS_OK;
    if (named)
        tl_mistake_key(&s->b->scene->mistakes, TALUS_INPUT, s->node, "element %lld is in none of the regions; 'material' is that of such elements",
                       tl_grid_tag(&s->grid, missing));
    else tl_mistake_key(&s->b->scene->mistakes, TALUS_INPUT, s->node, "'material' is missing here: what the solid is made of");
    return TALUS_INPUT;
}

/* ---- damping --------------------------------------------------------------------------------------------------------- */

/* α and β of which ζ = α/(2ω) + β ω/2 has the given values at two frequencies. */
static talus_status damping_of_ratios(tl_solid_reading *s, const tl_node *node, talus_solid_def *d)
{
    const tl_node *ratio = tl_node_get(node, "ratio"), *frequencies = tl_node_get(node, "frequencies");
    double z[2] = {0, 0}, w[2] = {0, 0};
    if (!ratio || !frequencies || frequencies->kind != NODE_LIST || frequencies->count != 2 || (ratio->kind == NODE_LIST && ratio->count != 2)) {
        tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, node,
                   "damping by ratios wants 'ratio', one number or two, and two 'frequencies': {ratio: 7 %%, frequencies: [20 Hz, 100 Hz]}");
        return TALUS_INPUT;
    }
    for (int i = 0; i < 2; i++) {
        z[i] = tl_quantity(s->b->r, ratio->kind == NODE_LIST ? ratio->item[i] : ratio, "", 0, false);
        w[i] = 2 * TL_PI * tl_quantity(s->b->r, frequencies->item[i], "Hz", 0, false);
    }
    if (!(w[0] < w[1])) {
        tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, frequencies, "the second frequency must be above the first");
        return TALUS_INPUT;
    }
    d->damping_stiffness = 2 * (z[1] * w[1] - z[0] * w[0]) / (w[1] * w[1] - w[0] * w[0]);
    d->damping_mass = 2 * w[0] * w[1] * (z[0] * w[1] - z[1] * w[0]) / (w[1] * w[1] - w[0] * w[0]);
    if (d->damping_mass >= 0 && d->damping_stiffness >= 0) return TALUS_OK;
    tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, ratio,
               "no damping of mass and stiffness, neither below 0, has these ratios at both frequencies: the ratios differ more than the frequencies do");
    return TALUS_INPUT;
}

static talus_status read_damping(tl_solid_reading *s, talus_solid_def *d)
{
    const tl_node *node = tl_node_get(s->node, "damping");
    if (tl_node_get(node, "ratio") || tl_node_get(node, "frequencies")) {
        if (!tl_node_get(node, "mass") && !tl_node_get(node, "stiffness")) return damping_of_ratios(s, node, d);
        tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, node, "damping is given either by 'mass' and 'stiffness', or by 'ratio' and 'frequencies'");
        return TALUS_INPUT;
    }
    d->damping_mass = tl_quantity(s->b->r, tl_node_get(node, "mass"), "1/s", 0, false);
    d->damping_stiffness = tl_quantity(s->b->r, tl_node_get(node, "stiffness"), "s", 0, false);
    return TALUS_OK;
}

/* ---- what is held ------------------------------------------------------------------------------------------------------ */

typedef struct hold {
    const talus_motion *motion; /* [3] NULL functions: free; NULL: all of `along` are fixed */
    bool along[3];
} hold;

static talus_status hold_node(tl_solid_reading *s, int node, int axis, const tl_node *name, const hold *h)
{
    const int at = 3 * node + axis;
    const tl_node *before = s->holder[at];
    if (before && !h->motion && !s->moves[at]) return TALUS_OK; /* fixed by both */
    if (before) {
        const double *x = s->grid.x[node];
        tl_mistake(
            &s->b->scene->mistakes, TALUS_INPUT, name,
            "node %d of solid '%.80s' at [%.4g, %.4g, %.4g] is in '%.80s' and in '%.80s' of line %d; both say where it is along %s, and one of them moves it",
            node + 1, s->node->key, x[0], x[1], x[2], name->text, before->text, before->line, AXIS[axis]);
        return TALUS_INPUT;
    }
    s->holder[at] = name, s->moves[at] = h->motion != NULL;
    return tl_build_check(s->b, talus_solid_hold(s->b->world, s->id, node, axis, h->motion ? &h->motion[axis] : NULL), s->node);
}

static talus_status hold_group(tl_solid_reading *s, const tl_grid_group *g, const tl_node *name, void *user)
{
    const hold *h = user;
    for (int i = 0; i < g->nodes; i++)
        for (int k = 0; k < 3 && k < s->grid.dimension; k++)
            if (h->along[k]) TL_TRY(hold_node(s, g->node[i], k, name, h));
    return TALUS_OK;
}

static talus_status build_fixed(tl_solid_reading *s, const tl_node *entry)
{
    hold h = {NULL, {true, true, true}};
    const tl_node *along = tl_node_get(entry, "along");
    if (entry->kind == NODE_SCALAR) return tl_each_group(s, entry, hold_group, &h);
    for (int k = 0; along && k < 3; k++) {
        h.along[k] = along->kind == NODE_SCALAR && strcmp(along->text, AXIS[k]) == 0;
        for (int i = 0; along->kind == NODE_LIST && i < along->count; i++) h.along[k] = h.along[k] || strcmp(along->item[i]->text, AXIS[k]) == 0;
    }
    return tl_each_group(s, tl_node_get(entry, "group"), hold_group, &h);
}

static talus_status build_moved(tl_solid_reading *s, const tl_node *entry)
{
    talus_motion motion[3] = {{NULL, NULL}};
    hold h = {motion, {false, false, false}};
    for (int k = 0; k < 3; k++) {
        const tl_node *function = tl_node_get(entry, AXIS[k]);
        double start[3] = {0, 0, 0};
        if (!function) continue;
        motion[k] = tl_build_path(s->b, function, "m"); /* without inputs: nodes would jump with them */
        if (!motion[k].value) return TALUS_INPUT;       /* what is wrong with it has been said */
        h.along[k] = true;
        motion[k].value(motion[k].user, 0, start);
        if (start[0] == 0) {
            tl_build_check_corners(s->b, function, motion[k], "m");
            continue;
        }
        tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, function, "this displacement is %.4g m at t = 0, where the solid has no strain; it must begin with 0",
                   start[0]);
        return TALUS_INPUT;
    }
    if (!h.along[0] && !h.along[1] && !h.along[2]) {
        tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, entry, "a motion wants x, y or z: displacements as functions of t");
        return TALUS_INPUT;
    }
    return tl_each_group(s, tl_node_get(entry, "group"), hold_group, &h);
}

static bool is_joined(const tl_solid_reading *s)
{
    const tl_node *joints = tl_node_get(s->b->scene->root, "joints");
    for (int i = 0; joints && joints->kind == NODE_MAP && i < joints->count; i++) {
        const tl_node *bodies = tl_node_get(joints->item[i], "bodies");
        for (int k = 0; bodies && bodies->kind == NODE_LIST && k < bodies->count; k++)
            if (bodies->item[k]->kind == NODE_SCALAR && strcmp(bodies->item[k]->text, s->node->key) == 0) return true;
    }
    return false;
}

/* Where nothing holds a part and nothing can touch it, gravity takes it away. */
static void warn_of_free(const tl_solid_reading *s)
{
    const tl_grid *g = &s->grid;
    double gravity[3] = {0, 0, 0};
    char line[2048];
    tl_vector(s->b, tl_node_get(s->b->scene->root, "gravity"), "m/s^2", gravity);
    if ((gravity[0] == 0 && gravity[1] == 0 && gravity[2] == 0) || tl_node_get(s->node, "contact") || is_joined(s)) return;
    bool *held = tl_arena_zero(s->b->scene->arena, (size_t)g->parts, sizeof *held);
    for (int i = 0; held && i < 3 * g->nodes; i++)
        if (s->holder[i]) held[g->part_of[i / 3]] = true;
    for (int part = 0; held && part < g->parts; part++) {
        if (held[part]) continue;
        snprintf(line, sizeof line, "%.800s:%d:%d: warning: nothing holds %s solid '%.100s': it falls, through everything; 'fixed: [bottom]' would hold it",
                 s->node->file, s->node->key_line, s->node->key_column, g->parts > 1 ? "a part of" : "the", s->node->key);
        talus_world_warn(s->b->world, line);
        return;
    }
}

talus_status tl_build_solid_holds(tl_solid_reading *s)
{
    const tl_node *fixed = tl_node_get(s->node, "fixed"), *moved = tl_node_get(s->node, "motion");
    s->holder = tl_arena_zero(s->b->scene->arena, 3 * (size_t)s->grid.nodes, sizeof(const tl_node *));
    s->moves = tl_arena_zero(s->b->scene->arena, 3 * (size_t)s->grid.nodes, sizeof *s->moves);
    if (!s->holder || !s->moves) return TALUS_MEMORY;
    const bool list = fixed && fixed->kind == NODE_LIST;
    for (int i = 0; fixed && i < (list ? fixed->count : 1); i++) TL_TRY(build_fixed(s, list ? fixed->item[i] : fixed));
    for (int i = 0; moved && moved->kind == NODE_LIST && i < moved->count; i++) TL_TRY(build_moved(s, moved->item[i]));
    warn_of_free(s);
    return TALUS_OK;
}

/* What is wrong with the mesh of a file has the number there; those of nodes, which the file numbers otherwise, are left out. */
static talus_status create(tl_solid_reading *s, const talus_solid_def *d)
{
    const talus_status status = talus_solid_create(s->b->world, d, &s->id);
    const char *text = status == TALUS_OK ? "" : talus_world_error(s->b->world), *rest = strstr(text, ") ");
    int element = 0;
    if (!s->grid.tag || sscanf(text, "element %d (", &element) != 1 || !rest || element < 1 || element > s->grid.elements)
        return tl_build_check(s->b, status, s->node);
    tl_mistake(&s->b->scene->mistakes, status, tl_node_get(s->node, "mesh"), "'%.500s': element %lld %s", tl_node_get(s->node, "mesh")->text,
               tl_grid_tag(&s->grid, element - 1), rest + 2);
    return status;
}

/* ---- particles ------------------------------------------------------------------------------------------------------- */

static talus_status read_meshfree(const tl_solid_reading *s, const tl_node *meshfree, talus_solid_def *d)
{
    static const char *const OF_ELEMENTS[2][2] = {{"strain", "auto"}, {"mass", "lumped"}}; /* and what is true of particles, too */
    const tl_builder *b = s->b;
    if (!meshfree) return TALUS_OK;
    if (s->grid.site && tl_node_get(meshfree, "influence")) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, tl_node_get(meshfree, "influence"),
                   "'influence' is for boxes: of what fills a surface, gradients are means of those of its cells");
        return TALUS_INPUT;
    }
    for (int i = 0; i < 2; i++) {
        const tl_node *node = tl_node_get(s->node, OF_ELEMENTS[i][0]);
        if (!node || strcmp(node->text, OF_ELEMENTS[i][1]) == 0) continue;
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node,
                       "'%s: %s' is of finite elements; particles have lumped masses, and strains of any size (theory 7.9)", node->key, node->text);
        return TALUS_INPUT;
    }
    d->site = (const int(*)[3])s->grid.site, d->spacing = s->grid.spacing;
    d->influence = tl_quantity(b->r, tl_node_get(meshfree, "influence"), "", talus_world_dimension(b->world) == 3 ? 1.95 : 1.8, false);
    d->stabilisation = tl_quantity(b->r, tl_node_get(meshfree, "stabilisation"), "", d->stabilisation, false);
    d->renewal = tl_quantity(b->r, tl_node_get(meshfree, "renewal"), "", 0, false);
    d->stretch = tl_quantity(b->r, tl_node_get(meshfree, "stretch"), "", d->stretch, false);
    d->lets_go = strcmp(tl_word(meshfree, "torn", "stop"), "let_go") == 0;
    return TALUS_OK;
}

/* ---- the solid ------------------------------------------------------------------------------------------------------- */

static talus_status build_solid(tl_builder *b, const tl_node *node)
{
    talus_solid_def d = talus_solid_def_default();
    tl_solid_reading *s = tl_arena_zero(b->scene->arena, 1, sizeof *s);
    if (!s) return TALUS_MEMORY;
    s->b = b, s->node = node;
    TL_TRY(tl_read_grid(s));
    TL_TRY(tl_read_regions(s, &d));
    TL_TRY(read_damping(s, &d));
    d.name = node->key;
    d.nodes = s->grid.nodes, d.position = (const double(*)[3])s->grid.x;
    d.elements = s->grid.elements, d.kind = s->grid.kind, d.node = s->grid.node;
    d.consistent_mass = strcmp(tl_word(node, "mass", "lumped"), "consistent") == 0;
    d.rotations = strcmp(tl_word(node, "rotations", "small"), "large") == 0 ? TALUS_ROTATIONS_LARGE : TALUS_ROTATIONS_SMALL;
    TL_TRY(read_meshfree(s, tl_node_get(node, "meshfree"), &d));
    d.plane_stress = strcmp(tl_word(node, "plane", "strain"), "stress") == 0;
    d.thickness = tl_quantity(b->r, tl_node_get(node, "thickness"), "m", 1, false);
    tl_vector(b, tl_node_get(node, "velocity"), "m/s", d.velocity);
    TL_TRY(create(s, &d));
    s->next = b->solids, b->solids = s;
    TL_TRY(tl_build_solid_holds(s));
    return tl_build_solid_loads(s);
}

talus_status tl_build_solids(tl_builder *b) { return tl_build_each(b, tl_node_get(b->scene->root, "solids"), build_solid); }
