/* Couplings of a scene: elastic shafts, clutches, brakes, backlash; and the sums of coordinates that they and trains of gears are of. */
#include <math.h>
#include <string.h>

#include "scene/build.h"

const char *tl_factor_unit(bool from_angle, bool to_angle) { return from_angle == to_angle ? "" : to_angle ? "rad/m" : "m/rad"; }

bool tl_is_angle(const tl_builder *b, const tl_node *reference, int coordinate) { return strcmp(tl_coordinate_unit(b, reference, coordinate), "rad") == 0; }

bool tl_build_terms(tl_builder *b, const tl_node *joints, const tl_node *factors, talus_term *term)
{
    const int before = b->scene->mistakes.count;
    bool first = true;
    for (int k = 0; k < joints->count; k++) {
        if (!tl_build_coordinate(b, joints->item[k], &term[k].joint, &term[k].coordinate)) return false;
        const bool angle = tl_is_angle(b, joints->item[k], term[k].coordinate);
        if (k == 0) first = angle;
        if (factors) term[k].factor = tl_quantity(b->r, factors->item[k], tl_factor_unit(angle, first), 0, true);
    }
    return b->scene->mistakes.count == before;
}

/* x = r1 φ1 ∓ r2 φ2 of a belt or chain. One that does not give is a gear. */
static bool read_belt(tl_builder *b, const tl_node *node, const tl_node *radii, talus_coupling_def *d)
{
    const tl_node *joints = tl_node_get(node, "joints"), *crossed = tl_node_get(node, "crossed");
    static const char *const GIVES[] = {"stiffness", "damping", "friction", "low", "high"};
    bool gives = false;
    if (!radii && !crossed) return true;
    if (!radii || radii->kind != NODE_LIST || radii->count != 2 || d->terms != 2 || tl_node_get(node, "factors")) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, radii ? radii : crossed,
                       "a belt joins two shafts, has the radii of two pulleys, and no factors: radii: [0.1 m, 0.3 m]");
        return false;
    }
    for (size_t k = 0; k < sizeof GIVES / sizeof *GIVES; k++) gives = gives || tl_node_get(node, GIVES[k]);
    if (!gives) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node,
                       "a belt has a stiffness, or friction by which it slips; one that does neither is a loop: type gear, ratio r2/r1%s",
                       crossed && strcmp(crossed->text, "true") == 0 ? ", negative" : "");
        return false;
    }
    const bool turned = strcmp(tl_word(node, "crossed", "false"), "true") == 0;
    for (int k = 0; k < 2; k++) {
        const double r = tl_quantity(b->r, radii->item[k], "m", 0, true);
        d->term[k].factor = k == 1 && !turned ? -r : r;
        if (!tl_is_angle(b, joints->item[k], d->term[k].coordinate))
            tl_mistake(&b->scene->mistakes, TALUS_INPUT, joints->item[k], "a belt joins shafts that turn, and this coordinate is a length");
        else if (!(r > 0)) tl_mistake(&b->scene->mistakes, TALUS_INPUT, radii->item[k], "the radius of a pulley is %g m; it must be positive", r);
        else continue;
        return false;
    }
    return true;
}

talus_status tl_build_coupling(tl_builder *b, const tl_node *node)
{
    const tl_node *joints = tl_node_get(node, "joints"), *factors = tl_node_get(node, "factors"), *friction = tl_node_get(node, "friction");
    const tl_node *radii = tl_node_get(node, "radii"), *slide = tl_node_get(node, "slide");
    const int before = b->scene->mistakes.count;
    talus_coupling_def d = talus_coupling_def_default();
    talus_coupling_id id;
    if (joints->kind != NODE_LIST || joints->count < 1 || joints->count > TALUS_TERMS) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, joints, "a coupling names up to four coordinates: joints: [engine, gearbox]");
        return TALUS_INPUT;
    }
    if (factors ? factors->kind != NODE_LIST || factors->count != joints->count : joints->count > 2) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, factors ? factors : node, "a coupling has one factor for each of its joints: factors: [1, -2.5]");
        return TALUS_INPUT;
    }
    d.name = node->key, d.terms = joints->count;
    for (int k = 0; k < d.terms; k++) d.term[k].factor = k == 0 ? 1 : -1;
    if (!tl_build_terms(b, joints, factors, d.term)) return TALUS_INPUT;
    if (!read_belt(b, node, radii, &d)) return TALUS_INPUT;
    const bool angle = !radii && tl_is_angle(b, joints->item[0], d.term[0].coordinate);
    const char *unit = angle ? "rad" : "m";
    talus_freedom_def *f = &d.freedom;
    f->stiffness = tl_quantity(b->r, tl_node_get(node, "stiffness"), angle ? "N m/rad" : "N/m", 0, true);
    f->damping = tl_quantity(b->r, tl_node_get(node, "damping"), angle ? "N m s/rad" : "N s/m", 0, true);
    f->rest = tl_quantity(b->r, tl_node_get(node, "free"), unit, 0, true);
    f->low = tl_quantity(b->r, tl_node_get(node, "low"), unit, f->low, true);
    f->high = tl_quantity(b->r, tl_node_get(node, "high"), unit, f->high, true);
    f->restitution = tl_quantity(b->r, tl_node_get(node, "restitution"), "", 0, false);
    if (friction) f->grip = tl_build_motion(b, friction, angle ? "N m" : "N");
    const tl_column speed = {"speed", angle ? "rad/s" : "m/s"}, factor = {"factor", ""};
    (void)tl_build_characteristic(b, slide, &speed, &factor, false, &f->slide);
    if (b->scene->mistakes.count > before) return TALUS_INPUT;
    return tl_build_check(b, talus_coupling_create(b->world, &d, &id), node);
}
