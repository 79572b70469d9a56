/* <joint>: its kind, its frame, and what acts in it. */
#include "import/urdf.h"

#include <string.h>

int tl_urdf_find_link(const tl_urdf *r, const char *name)
{
    for (int i = 0; i < r->links; i++)
        if (strcmp(r->link[i].name, name) == 0) return i;
    return -1;
}

static int read_end(tl_urdf *r, const tl_xml *joint, const char *name)
{
    const tl_xml *e = tl_xml_child(joint, name);
    const char *link = e ? tl_xml_get(e, "link") : NULL;
    if (e) tl_urdf_check(r->notes, e, "", "link");
    if (!link) {
        tl_note_add(r->notes, e ? e : joint, true, e ? "<%s> names no link" : "this joint has no <%s>", name);
        return 0;
    }
    const int found = tl_urdf_find_link(r, link);
    if (found < 0) tl_note_add(r->notes, e, true, "there is no link '%.100s'", link);
    return found < 0 ? 0 : found;
}

static void read_kind(tl_notes *n, const tl_xml *e, tl_urdf_joint *j)
{
    static const char *const KINDS[] = {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};
    const char *type = tl_xml_get(e, "type");
    for (int i = 0; type && i < 6; i++)
        if (strcmp(type, KINDS[i]) == 0) {
            j->kind = (tl_urdf_kind)i;
            return;
        }
    tl_note_add(n, e, true, "joint '%.100s' has the type '%.80s'; a URDF knows revolute, continuous, prismatic, fixed, floating and planar", j->name,
                type ? type : "");
}

static void read_axis(tl_notes *n, const tl_xml *e, tl_urdf_joint *j)
{
    const tl_xml *axis = tl_xml_child(e, "axis");
    double x[3] = {1, 0, 0};
    if (axis) {
        tl_urdf_check(n, axis, "", "xyz");
        tl_urdf_numbers(n, axis, "xyz", 3, x);
    }
    j->axis = tl_normalize(tl_load3(x));
    const bool matters = j->kind != URDF_FIXED && j->kind != URDF_FLOATING;
    if (matters && !(tl_norm(j->axis) > 0.5)) tl_note_add(n, axis ? axis : e, true, "the axis of joint '%.100s' is zero", j->name);
}

static void read_stops(tl_notes *n, const tl_xml *e, const tl_xml *limit, tl_urdf_joint *j)
{
    const bool lower = limit && tl_xml_get(limit, "lower"), upper = limit && tl_xml_get(limit, "upper");
    if (j->kind == URDF_CONTINUOUS) {
        if (lower || upper) tl_note_add(n, limit, false, "joint '%.100s' is continuous: its limits lower and upper are not used", j->name);
        return;
    }
    if (!lower && !upper) {
        tl_note_add(n, limit ? limit : e, false, "joint '%.100s' has no limits lower and upper; the format wants them, here it moves without stops", j->name);
        return;
    }
    const double low = tl_urdf_number(n, limit, "lower", 0), high = tl_urdf_number(n, limit, "upper", 0);
    if (low > high) tl_note_add(n, limit, false, "joint '%.100s' has a lower limit, %g, above its upper one, %g: it moves without stops", j->name, low, high);
    else j->low = low, j->high = high;
}

static void read_limit(tl_urdf *r, const tl_xml *e, tl_urdf_joint *j)
{
    const tl_xml *limit = tl_xml_child(e, "limit");
    if (limit) {
        tl_urdf_check(r->notes, limit, "", "lower upper effort velocity");
        j->effort = tl_urdf_number(r->notes, limit, "effort", (double)NAN);
        j->speed = tl_urdf_number(r->notes, limit, "velocity", (double)NAN);
        if (!isnan(j->effort) || !isnan(j->speed)) {
            r->speeds++;
            if (!r->first_speed) r->first_speed = limit;
        }
    }
    read_stops(r->notes, e, limit, j);
}

static void read_dynamics(tl_notes *n, const tl_xml *e, tl_urdf_joint *j)
{
    tl_urdf_check(n, e, "", "damping friction");
    j->damping = tl_urdf_number(n, e, "damping", 0);
    j->friction = tl_urdf_number(n, e, "friction", 0);
    if (j->damping < 0 || j->friction < 0)
        tl_note_add(n, e, true, "joint '%.100s' has damping %g and friction %g; neither may be negative", j->name, j->damping, j->friction);
}

void tl_urdf_read_joint(tl_urdf *r, const tl_xml *e, tl_urdf_joint *j)
{
    static const char *const ACTS[] = {"limit", "dynamics", "mimic"};
    tl_notes *n = r->notes;
    j->low = -(double)INFINITY, j->high = (double)INFINITY, j->effort = j->speed = (double)NAN;
    tl_urdf_check(n, e, "origin parent child axis limit dynamics mimic", "name type");
    read_kind(n, e, j);
    j->parent = read_end(r, e, "parent"), j->child = read_end(r, e, "child");
    j->place = tl_urdf_origin(n, e, &j->rpy);
    read_axis(n, e, j);
    for (int i = 0; i < 3 && !tl_urdf_has_one(j); i++)
        if (tl_xml_child(e, ACTS[i]) && j->kind != URDF_FIXED)
            tl_note_add(n, tl_xml_child(e, ACTS[i]), false, "<%s> of joint '%.100s' is not used: it has several coordinates", ACTS[i], j->name);
    if (!tl_urdf_has_one(j)) return;
    read_limit(r, e, j);
    if (tl_xml_child(e, "dynamics")) read_dynamics(n, tl_xml_child(e, "dynamics"), j);
    j->mimic = tl_xml_child(e, "mimic");
    if (!j->mimic) return;
    tl_urdf_check(n, j->mimic, "", "joint multiplier offset");
    j->multiplier = tl_urdf_number(n, j->mimic, "multiplier", 1);
    j->offset = tl_urdf_number(n, j->mimic, "offset", 0);
}
