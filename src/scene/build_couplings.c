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

talus_status tl_build_coupling(tl_builder *b, const tl_node *node)
{
    const tl_node *joints = tl_node_get(node, "joints"), *factors = tl_node_get(node, "factors"), *friction = tl_node_get(node, "friction");
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
    const bool angle = tl_is_angle(b, joints->item[0], d.term[0].coordinate);
    const char *unit = angle ? "rad" : "m";
    talus_freedom_def *f = &d.freedom;
    f->stiffness = tl_quantity(b->r, tl_node_get(node, "stiffness"), angle ? "N m/rad" : "N/m", 0, false);
    f->damping = tl_quantity(b->r, tl_node_get(node, "damping"), angle ? "N m s/rad" : "N s/m", 0, false);
    f->rest = tl_quantity(b->r, tl_node_get(node, "free"), unit, 0, true);
    f->low = tl_quantity(b->r, tl_node_get(node, "low"), unit, f->low, true);
    f->high = tl_quantity(b->r, tl_node_get(node, "high"), unit, f->high, true);
    f->restitution = tl_quantity(b->r, tl_node_get(node, "restitution"), "", 0, false);
    if (friction) f->grip = tl_build_motion(b, friction, angle ? "N m" : "N");
    if (b->scene->mistakes.count > before) return TALUS_INPUT;
    return tl_build_check(b, talus_coupling_create(b->world, &d, &id), node);
}
