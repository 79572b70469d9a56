/* From the elements of a URDF to links, joints and shapes. */
#include "import/urdf.h"

#include <ctype.h>
#include <string.h>

/* ---- names ---------------------------------------------------------------------------------------------------------- */

/* A name as scenes have it: joint.coordinate and grains.17 have a dot, and texts of a scene other signs, of their own meaning. */
static void make_word(const tl_xml *e, const char *name, char word[TL_URDF_WORD])
{
    int n = 0;
    for (; name[n] && n < TL_URDF_WORD - 8; n++) word[n] = isalnum((unsigned char)name[n]) || (name[n] == '-' && n > 0) ? name[n] : '_';
    word[n] = '\0';
    if (n == 0) snprintf(word, TL_URDF_WORD, "%.20s", e->name);
    if (strcmp(word, "ground") == 0) strcpy(word, "ground_link"); /* what never moves has that name */
}

static char *link_word(tl_urdf *r, int i) { return r->link[i].word; }
static char *joint_word(tl_urdf *r, int i) { return r->joint[i].word; }

/* Names that come to be one in the scene get numbers. */
static void part_words(tl_urdf *r, int i, char *(*word)(tl_urdf *, int))
{
    char *mine = word(r, i);
    const size_t length = strlen(mine);
    for (int k = 0, number = 2; k < i; k++) {
        if (strcmp(word(r, k), mine) != 0) continue;
        snprintf(mine + length, TL_URDF_WORD - length, "_%d", number++);
        k = -1;
    }
}

static void say_word(tl_urdf *r, const tl_xml *e, const char *name, const char *word)
{
    if (strcmp(name, word) != 0) tl_note_add(r->notes, e, false, "%s '%.100s' is '%s' in the scene", e->name, name, word);
}

static const char *read_name(tl_urdf *r, const tl_xml *e)
{
    const char *name = tl_xml_get(e, "name");
    if (!name || !*name) tl_note_add(r->notes, e, true, "<%s> has no name", e->name);
    for (const tl_xml *other = e->parent->child; name && other != e; other = other->next)
        if (strcmp(other->name, e->name) == 0 && tl_xml_get(other, "name") && strcmp(tl_xml_get(other, "name"), name) == 0) {
            tl_note_add(r->notes, e, true, "there are two %ss named '%.100s': the other in line %d", e->name, name, other->line);
            break;
        }
    return name ? name : "";
}

/* ---- links ---------------------------------------------------------------------------------------------------------- */

/* No body has a principal moment above the sum of the others. Such tensors are common in robots; the nearest one that keeps the largest moment is taken. */
static void mend_inertia(tl_notes *n, const tl_xml *e, tl_urdf_link *l)
{
    tl_vec3 J;
    tl_mat3 A;
    tl_mat3_eigen(&l->inertia, &J, &A);
    double *moment[3] = {&J.x, &J.y, &J.z};
    const double trace = J.x + J.y + J.z, largest = fmax(J.x, fmax(J.y, J.z)), least = fmin(J.x, fmin(J.y, J.z)), lacks = 2 * largest - trace;
    if (least < -1e-9 * fabs(trace)) {
        tl_note_add(n, e, true, "link '%.100s' has a negative principal moment of inertia: %g kg m²", l->name, least);
        return;
    }
    if (lacks <= 1e-9 * trace) return;
    tl_note_add(
        n, e, false,
        "no body has the principal moments of inertia of link '%.100s', %g, %g and %g kg m²: the largest is above the sum of the others, which are raised "
        "by %g kg m² each",
        l->name, J.x, J.y, J.z, 0.5 * lacks);
    for (int k = 0; k < 3; k++)
        if (*moment[k] != largest) *moment[k] += 0.5 * lacks;
    const tl_mat3 D = {{{J.x, 0, 0}, {0, J.y, 0}, {0, 0, J.z}}}, At = tl_mat3_transpose(&A), AD = tl_mat3_mul(&A, &D);
    l->inertia = tl_mat3_mul(&AD, &At);
}

static void read_inertial(tl_urdf *r, const tl_xml *e, tl_urdf_link *l)
{
    tl_notes *n = r->notes;
    const tl_xml *mass = tl_xml_child(e, "mass"), *inertia = tl_xml_child(e, "inertia");
    tl_vec3 rpy;
    tl_urdf_check(n, e, "origin mass inertia", "");
    l->inertial = true;
    const tl_frame at = tl_urdf_origin(n, e, &rpy);
    l->centre = at.p;
    if (mass) {
        tl_urdf_check(n, mass, "", "value");
        l->mass = tl_urdf_required(n, mass, "value");
        if (l->mass < 0) tl_note_add(n, mass, true, "link '%.100s' has a negative mass: %g kg", l->name, l->mass);
    } else tl_note_add(n, e, true, "<inertial> of link '%.100s' has no <mass>", l->name);
    if (!inertia) {
        tl_note_add(n, e, false, "<inertial> of link '%.100s' has no <inertia>: its mass is in one point", l->name);
        return;
    }
    tl_urdf_check(n, inertia, "", "ixx iyy izz ixy ixz iyz");
    const double xx = tl_urdf_required(n, inertia, "ixx"), yy = tl_urdf_required(n, inertia, "iyy"), zz = tl_urdf_required(n, inertia, "izz");
    const double xy = tl_urdf_number(n, inertia, "ixy", 0), xz = tl_urdf_number(n, inertia, "ixz", 0), yz = tl_urdf_number(n, inertia, "iyz", 0);
    l->inertia = (tl_mat3){{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
    mend_inertia(n, inertia, l);
    if (rpy.x == 0 && rpy.y == 0 && rpy.z == 0) return;
    const tl_mat3 Rt = tl_mat3_transpose(&at.R), RI = tl_mat3_mul(&at.R, &l->inertia);
    l->inertia = tl_mat3_mul(&RI, &Rt);
}

static void read_link(tl_urdf *r, const tl_xml *e, int i)
{
    tl_urdf_link *l = &r->link[i];
    *l = (tl_urdf_link){.at = e, .joint = -1, .name = read_name(r, e)};
    make_word(e, l->name, l->word);
    part_words(r, i, link_word);
    say_word(r, e, l->name, l->word);
    tl_urdf_check(r->notes, e, "inertial visual* collision*", "name");
    if (tl_xml_child(e, "inertial")) read_inertial(r, tl_xml_child(e, "inertial"), l);
    for (const tl_xml *c = e->child; c; c = c->next)
        if (strcmp(c->name, "visual") == 0 || strcmp(c->name, "collision") == 0) r->shapes += tl_urdf_read_shape(r, c, i);
}

/* ---- the file ------------------------------------------------------------------------------------------------------- */

/* The next element in the order of the file. */
static const tl_xml *following(const tl_xml *e)
{
    if (e->child) return e->child;
    while (e && !e->next) e = e->parent;
    return e ? e->next : NULL;
}

/* What only xacro understands: an element of its own, or an expression; NULL: nothing. */
static const char *macro_of(const tl_xml *e)
{
    if (strncmp(e->name, "xacro:", 6) == 0) return e->name;
    for (int i = 0; i < e->attributes; i++)
        if (strstr(e->attribute[2 * i + 1], "${") || strstr(e->attribute[2 * i + 1], "$(")) return e->attribute[2 * i + 1];
    return NULL;
}

/* INPUT: another format. */
static talus_status check_format(const tl_xml *root, const char *path, tl_error *error)
{
    if (strcmp(root->name, "robot") != 0)
        return tl_fail(error, TALUS_INPUT, "%s:%d:%d: a URDF is one <robot>, and this is a <%.80s>", path, root->line, root->column, root->name);
    for (const tl_xml *e = root; e; e = following(e))
        if (macro_of(e))
            return tl_fail(error, TALUS_INPUT,
                           "%s:%d:%d: '%.100s' is of xacro, whose macros ROS expands: xacro IN > OUT.urdf makes a URDF of them, or a value in their place",
                           path, e->line, e->column, macro_of(e));
    return TALUS_OK;
}

static int count_of(const tl_xml *root, const char *name)
{
    int count = 0;
    for (const tl_xml *e = root; e; e = following(e)) count += strcmp(e->name, name) == 0;
    return count;
}

static void read_all(tl_urdf *r, const tl_xml *root)
{
    tl_urdf_check(r->notes, root, "link* joint* material*", "name version");
    r->name = tl_xml_get(root, "name") ? tl_xml_get(root, "name") : "";
    make_word(root, r->name, r->word);
    for (const tl_xml *e = root->child; e; e = e->next)
        if (strcmp(e->name, "link") == 0) read_link(r, e, r->links++);
    for (const tl_xml *e = root->child; e; e = e->next) {
        if (strcmp(e->name, "joint") != 0) continue;
        tl_urdf_joint *j = &r->joint[r->joints];
        *j = (tl_urdf_joint){.at = e, .name = read_name(r, e), .leader = -1};
        make_word(e, j->name, j->word);
        part_words(r, r->joints++, joint_word);
        say_word(r, e, j->name, j->word);
        tl_urdf_read_joint(r, e, j);
    }
    const tl_xml *colour = tl_xml_child(root, "material");
    if (colour && (!r->first_colour || colour->line < r->first_colour->line)) r->first_colour = colour;
    if (r->first_colour) tl_note_add(r->notes, r->first_colour, false, "colours and textures (<material>) are not used");
    if (r->first_speed)
        tl_note_add(r->notes, r->first_speed, false, "limits of effort and velocity are not used; those of %d joint%s stand as comments", r->speeds,
                    r->speeds == 1 ? "" : "s");
}

talus_status tl_urdf_load(tl_urdf *r, tl_notes *notes, const char *path, tl_error *error)
{
    tl_xml *root;
    *r = (tl_urdf){.notes = notes, .root = -1};
    notes->path = path;
    TL_TRY(tl_xml_load(path, notes->arena, &root, error));
    TL_TRY(check_format(root, path, error));
    const int links = count_of(root, "link"), joints = count_of(root, "joint"), shapes = count_of(root, "collision") + count_of(root, "visual");
    r->link = tl_arena_zero(notes->arena, (size_t)links + 1, sizeof *r->link);
    r->joint = tl_arena_zero(notes->arena, (size_t)joints + 1, sizeof *r->joint);
    r->shape = tl_arena_zero(notes->arena, (size_t)shapes + 1, sizeof *r->shape);
    r->order = tl_arena_zero(notes->arena, (size_t)links + 1, sizeof *r->order);
    if (!r->link || !r->joint || !r->shape || !r->order) return tl_fail(error, TALUS_MEMORY, "no memory for the robot of '%s'", path);
    read_all(r, root);
    if (r->links == 0) return tl_fail(error, TALUS_INPUT, "%s:%d:%d: this robot has no link", path, root->line, root->column);
    if (notes->mistakes == 0) tl_urdf_tree(r);
    return TALUS_OK;
}
