/* A robot as the text of a scene, as one would write it by hand: names and axes are those of the URDF, and every number has its unit. */
#include "import/import.h"

#include <stdlib.h>
#include <string.h>

typedef struct writing {
    FILE *out;
    const tl_import *o;
    const tl_urdf *r;
    const tl_mesh_files *files;
    char floor[TL_URDF_WORD], root_joint[TL_URDF_WORD];
} writing;

/* ---- numbers and texts ------------------------------------------------------------------------------------------------ */

/* The shortest text that reads back as this number. */
static void put_number(FILE *out, double x)
{
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x == 0 ? 0 : x);
        if (strtod(text, NULL) == x) break;
    }
    fputs(text, out);
}

static void put_quantity(FILE *out, double x, const char *unit)
{
    put_number(out, x);
    fprintf(out, " %s", unit);
}

/* Zeros need no unit. */
static void put_list(FILE *out, const double *x, int count, const char *unit)
{
    for (int k = 0; k < count; k++) {
        fputs(k == 0 ? "[" : ", ", out);
        put_number(out, x[k]);
        if (x[k] != 0 && *unit) fprintf(out, " %s", unit);
    }
    fputs("]", out);
}

static void put_vector(FILE *out, tl_vec3 v, const char *unit)
{
    double x[3];
    tl_store3(x, v);
    put_list(out, x, 3, unit);
}

static void put_rotation(FILE *out, const char *key, tl_vec3 rpy)
{
    if (rpy.x == 0 && rpy.y == 0 && rpy.z == 0) return;
    fprintf(out, ", %s: {rpy_deg: ", key);
    put_vector(out, tl_scale(180 / TL_PI, rpy), "");
    fputs("}", out);
}

/* As YAML has it between quotes. */
static void put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    fputc('"', out);
}

/* ---- links ------------------------------------------------------------------------------------------------------------ */

bool tl_shape_is_used(const tl_import *o, const tl_urdf *r, int shape)
{
    const tl_urdf_shape *s = &r->shape[shape];
    bool collides = !s->visual;
    if (s->form == URDF_MESH && o->meshes == TL_MESH_NONE) return false;
    for (int i = 0; i < r->shapes && s->visual && !collides; i++) collides = r->shape[i].link == s->link && !r->shape[i].visual;
    return s->visual ? o->visuals && !collides : true;
}

static void put_mesh(const writing *w, int shape)
{
    const tl_mesh_files *m = &w->files[shape];
    for (int k = 0; k < m->files; k++) {
        const bool hull = w->o->meshes == TL_MESH_HULL;
        fprintf(w->out, "          - %s: {file: ", hull ? "polyhedron" : "mesh");
        put_text(w->out, m->file[k]);
        if (!hull && m->closed) fputs(", facing: outward", w->out);
        fputs("}\n", w->out);
    }
}

static void put_shape(const writing *w, int shape)
{
    const tl_urdf_shape *s = &w->r->shape[shape];
    const tl_vec3 along = tl_mat3_apply(&s->place.R, tl_v3(0, 0, 0.5 * s->length));
    if (s->form == URDF_MESH) {
        put_mesh(w, shape);
        return;
    }
    static const char *const NAMES[] = {"box", "cylinder", "sphere", "capsule"};
    fprintf(w->out, "          - %s: {", NAMES[s->form]);
    if (s->form == URDF_BOX) {
        fputs("size: ", w->out);
        put_vector(w->out, s->size, "m");
    }
    if (s->form == URDF_CYLINDER || s->form == URDF_CAPSULE) {
        fputs("from: ", w->out);
        put_vector(w->out, tl_sub(s->place.p, along), "m");
        fputs(", to: ", w->out);
        put_vector(w->out, tl_add(s->place.p, along), "m");
    } else {
        fputs(s->form == URDF_BOX ? ", centre: " : "centre: ", w->out);
        put_vector(w->out, s->place.p, "m");
    }
    if (s->form == URDF_BOX) put_rotation(w->out, "orientation", s->rpy);
    else {
        fputs(", radius: ", w->out);
        put_quantity(w->out, s->radius, "m");
    }
    fputs("}\n", w->out);
}

static void put_link(const writing *w, int link)
{
    const tl_urdf_link *l = &w->r->link[link];
    const tl_mat3 *I = &l->inertia;
    const double inertia[6] = {I->m[0][0], I->m[1][1], I->m[2][2], I->m[0][1], I->m[0][2], I->m[1][2]};
    bool shapes = false;
    fprintf(w->out, "      %s:\n        mass: ", l->word);
    put_quantity(w->out, l->mass, "kg");
    if (l->inertial) {
        fputs("\n        inertia: ", w->out);
        put_list(w->out, inertia, inertia[3] == 0 && inertia[4] == 0 && inertia[5] == 0 ? 3 : 6, "kg m^2");
        fputs("\n        centre_of_mass: ", w->out);
        put_vector(w->out, l->centre, "m");
    }
    fputc('\n', w->out);
    for (int i = 0; i < w->r->shapes; i++) {
        if (w->r->shape[i].link != link || !tl_shape_is_used(w->o, w->r, i) || (w->r->shape[i].form == URDF_MESH && w->files[i].files == 0)) continue;
        if (!shapes) fprintf(w->out, "        material: %s\n        shapes:\n", w->r->word);
        shapes = true;
        put_shape(w, i);
    }
}

/* ---- joints ----------------------------------------------------------------------------------------------------------- */

static const char *type_of(const tl_urdf_joint *j)
{
    static const char *const TYPES[] = {"revolute", "revolute", "prismatic", "fixed", "free", "planar"};
    return j->still ? "fixed" : TYPES[j->kind];
}

/* Does it have one coordinate? */
static bool moves(const tl_urdf_joint *j) { return !j->still && tl_urdf_has_one(j); }

static const char *unit_of(const tl_urdf_joint *j) { return j->kind == URDF_PRISMATIC ? "m" : "rad"; }

static void put_root(const writing *w)
{
    const double *at = w->o->at;
    const char *root = w->r->link[w->r->root].word;
    if (w->o->free_root) {
        fprintf(w->out, "      %s: {type: free, parent: ground, child: %s, position: {x: ", w->root_joint, root);
        for (int k = 0; k < 3; k++) {
            put_quantity(w->out, at[k], "m");
            fputs(k == 0 ? ", y: " : k == 1 ? ", z: " : "}}\n", w->out);
        }
        return;
    }
    fprintf(w->out, "      %s: {type: fixed, parent: ground, child: %s", w->root_joint, root);
    fputs(", at: ", w->out);
    put_list(w->out, at, 3, "m");
    fputs("}\n", w->out);
}

static void put_joint(const writing *w, const tl_urdf_joint *j)
{
    const tl_urdf *r = w->r;
    fprintf(w->out, "      %s: {type: %s, parent: %s, child: %s, at: ", j->word, type_of(j), r->link[j->parent].word, r->link[j->child].word);
    put_vector(w->out, j->place.p, "m");
    put_rotation(w->out, "rotation", j->rpy);
    if (moves(j) || (j->kind == URDF_PLANAR && !j->still)) {
        fputs(", axis: ", w->out);
        put_vector(w->out, j->axis, "");
    }
    if (j->kind == URDF_PLANAR && !j->still) {
        tl_vec3 t, s;
        tl_tangents(j->axis, &t, &s);
        fputs(", axis2: ", w->out);
        put_vector(w->out, t, "");
    }
    if (moves(j) && j->start != 0) {
        fputs(", position: ", w->out);
        put_quantity(w->out, j->start, unit_of(j));
    }
    fputs("}", w->out);
    if (!isnan(j->effort) || !isnan(j->speed)) fputs(" # not used:", w->out);
    if (!isnan(j->effort)) fprintf(w->out, " effort %g %s", j->effort, j->kind == URDF_PRISMATIC ? "N" : "N m");
    if (!isnan(j->speed)) fprintf(w->out, "%s velocity %g %s/s", isnan(j->effort) ? "" : ",", j->speed, unit_of(j));
    fputc('\n', w->out);
}

static void put_loops(const writing *w)
{
    const tl_urdf *r = w->r;
    bool any = false;
    for (int i = 0; i < r->joints; i++) {
        const tl_urdf_joint *j = &r->joint[i];
        if (j->leader < 0 || !moves(j)) continue;
        const tl_urdf_joint *leader = &r->joint[j->leader];
        const bool slides = j->kind == URDF_PRISMATIC, leader_slides = leader->kind == URDF_PRISMATIC;
        if (!any) fputs("    loops:\n", w->out);
        any = true;
        fprintf(w->out, "      %s: {type: gear, joints: [%s, %s], ratio: ", j->word, j->word, leader->word);
        put_number(w->out, j->multiplier);
        if (slides != leader_slides) fputs(slides ? " m/rad" : " rad/m", w->out);
        if (j->offset != 0) {
            fputs(", offset: ", w->out);
            put_quantity(w->out, j->offset, unit_of(j));
        }
        fputs("}\n", w->out);
    }
}

static void put_drives(const writing *w)
{
    bool any = false;
    for (int i = 0; i < w->r->joints; i++) {
        const tl_urdf_joint *j = &w->r->joint[i];
        if (!j->held) continue;
        if (!any) fputs("    drives:\n", w->out);
        any = true;
        fprintf(w->out, "      %s: {joint: %s, position: ", j->word, j->word);
        put_quantity(w->out, j->offset, unit_of(j));
        fputs("}\n", w->out);
    }
}

static void put_force(FILE *out, const char *key, double x, const char *unit)
{
    if (x == 0) return;
    fprintf(out, ", %s: ", key);
    put_quantity(out, x, unit);
}

static void put_forces(const writing *w)
{
    bool any = false;
    for (int i = 0; i < w->r->joints; i++) {
        const tl_urdf_joint *j = &w->r->joint[i];
        const bool slides = j->kind == URDF_PRISMATIC, stops = isfinite(j->low);
        if (!moves(j) || j->held || (!stops && j->damping == 0 && j->friction == 0)) continue;
        if (!any) fputs("    forces:\n", w->out);
        any = true;
        fprintf(w->out, "      %s: {joint: %s", j->word, j->word);
        for (int k = 0; k < 2 && stops; k++) {
            fputs(k == 0 ? ", low: " : ", high: ", w->out);
            put_quantity(w->out, k == 0 ? j->low : j->high, unit_of(j));
        }
        put_force(w->out, "damping", j->damping, slides ? "N s/m" : "N m s/rad");
        put_force(w->out, "friction", j->friction, slides ? "N" : "N m");
        fputs("}\n", w->out);
    }
}

static void put_probes(const writing *w)
{
    bool any = false;
    for (int i = 0; i < w->r->joints; i++) {
        const tl_urdf_joint *j = &w->r->joint[i];
        if (!moves(j)) continue;
        if (!any) fputs("probes:\n", w->out);
        any = true;
        fprintf(w->out, "  %s: {joint: %s}\n", j->word, j->word);
    }
    if (!w->o->free_root) return;
    if (!any) fputs("probes:\n", w->out);
    fprintf(w->out, "  %s: {body: %s, quantity: z}\n", w->root_joint, w->r->link[w->r->root].word);
}

/* ---- the scene -------------------------------------------------------------------------------------------------------- */

static void put_head(const writing *w)
{
    const tl_notes *n = w->r->notes;
    char name[200];
    snprintf(name, sizeof name, "%s", w->r->name);
    tl_clean_line(name);
    fprintf(w->out, "# The robot '%s', from a URDF by talus import. Links and joints keep its axes; at zero coordinates all is as it says.\n", name);
    if (n->count > 0) fputs("# Of its lines:\n", w->out);
    for (int i = 0; i < n->count; i++) fprintf(w->out, "#   %d: %s\n", n->item[i].line, n->item[i].text);
    fprintf(w->out, "dimension: 3\ntime: {end: 5 s, step: 1 ms}\ngravity: [0, 0, -9.81 m/s^2]\nmaterials:\n  %s: {}\n", w->r->word);
    if (w->o->has_floor) fprintf(w->out, "  %s: {}\n", w->floor);
    fprintf(w->out, "interactions:\n  - {between: [%s, %s], enabled: false} # its links pass through each other: neighbours overlap at their joints\n",
            w->r->word, w->r->word);
    fputs("  - {friction: 0.5} # a URDF says nothing of friction\n", w->out);
    if (!w->o->has_floor) return;
    fprintf(w->out, "bodies:\n  %s: {kind: fixed, material: %s, shapes: [{half_space: {point: ", w->floor, w->floor);
    put_list(w->out, (const double[]){0, 0, w->o->floor}, 3, "m");
    fputs(", normal: [0, 0, 1]}}]}\n", w->out);
}

/* A name that nothing has. */
static void find_names(writing *w)
{
    const tl_urdf *r = w->r;
    bool taken = true;
    for (int number = 1; taken; number++) {
        snprintf(w->floor, sizeof w->floor, number > 1 ? "floor_%d" : "floor", number);
        taken = strcmp(r->word, w->floor) == 0;
        for (int i = 0; i < r->links; i++) taken = taken || strcmp(r->link[i].word, w->floor) == 0;
    }
    taken = true;
    for (int number = 1; taken; number++) {
        snprintf(w->root_joint, sizeof w->root_joint, number > 1 ? "root_%d" : "root", number);
        taken = false;
        for (int i = 0; i < r->joints; i++) taken = taken || strcmp(r->joint[i].word, w->root_joint) == 0;
    }
}

void tl_scene_text(FILE *out, const tl_import *o, const tl_urdf *r, const tl_mesh_files *files)
{
    writing w = {.out = out, .o = o, .r = r, .files = files};
    find_names(&w);
    put_head(&w);
    fprintf(out, "mechanisms:\n  %s:\n    bodies:\n", r->word);
    for (int i = 0; i < r->links; i++) put_link(&w, r->order[i]);
    fputs("    joints:\n", out);
    put_root(&w);
    for (int i = 0; i < r->links; i++)
        if (r->link[r->order[i]].joint >= 0) put_joint(&w, &r->joint[r->link[r->order[i]].joint]);
    put_loops(&w);
    put_drives(&w);
    put_forces(&w);
    put_probes(&w);
}
