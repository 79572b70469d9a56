/* Tracks: chains of shoes around wheels. A track is written out as what it is made of, in the words of the scene language: wheels become links of the carrier's
 * mechanism with joints of their own, one of them slides and is pulled outwards; shoes become bodies, pins joints between them. So all that is said of bodies
 * and joints (probes, drives, couplings, pictures) is true of them. Names: TRACK_WHEEL, TRACK_WHEEL_slide, TRACK_1 … of shoes, TRACK_pin_1 … of the pin before
 * a shoe.
 *
 * A wheel with teeth is a sprocket: its teeth stand between the pins, which are shapes of their own. Several carriers get a track each, TRACK_BODY.
 *
 * The chain lies taut around the wheels: pins on circles about their axes, and on the tangents between these; the wheel that slides stands where the last pin
 * meets the first. In space the first pin holds the chain across itself only: all others keep it straight, and twice said would leave forces undetermined. */
#include "scene/tracks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/build.h"

/* ---- where the carrier stands --------------------------------------------------------------------------------------------------- */

static const tl_node *maps(const tl_node *root, const char *key, int *count)
{
    const tl_node *map = tl_node_get(root, key);
    *count = map && map->kind == NODE_MAP ? map->count : 0;
    return map;
}

const tl_node *tl_mechanism_with(const tl_node *root, const char *link)
{
    const tl_node *all = tl_node_get(root, "mechanisms");
    for (int i = 0; all && all->kind == NODE_MAP && i < all->count; i++)
        if (tl_node_get(tl_node_get(all->item[i], "bodies"), link)) return all->item[i];
    return NULL;
}

static bool is_shaft(const tl_node *root, const char *name)
{
    int n;
    const tl_node *all = maps(root, "mechanisms", &n);
    for (int i = 0; i < n; i++)
        if (tl_node_get(tl_node_get(all->item[i], "shafts"), name)) return true;
    return false;
}

/* Does what a joint says of its axes, or of its coordinates at the start, turn its child? */
static bool turns_at_start(tl_builder *b, const tl_node *joint)
{
    const tl_node *position = tl_node_get(joint, "position"), *rotation = tl_node_get(joint, "rotation");
    double turn = fabs(tl_quantity(b->r, tl_node_get(joint, "angle"), "rad", 0, false)), q[4] = {1, 0, 0, 0};
    turn += fabs(tl_quantity(b->r, tl_node_get(joint, "orientation"), "rad", 0, false));
    if (rotation && tl_build_orientation(b, rotation, q) == TALUS_OK) turn += fabs(q[1]) + fabs(q[2]) + fabs(q[3]);
    const int only = tl_joint_coordinate(joint, NULL);
    if (position && position->kind == NODE_SCALAR && only >= 0 && tl_joint_is_angle(joint, only)) turn += fabs(tl_quantity(b->r, position, "rad", 0, false));
    for (int i = 0; position && position->kind == NODE_MAP && i < position->count; i++) {
        const int k = tl_joint_coordinate(joint, position->item[i]->key);
        if (k >= 0 && tl_joint_is_angle(joint, k)) turn += fabs(tl_quantity(b->r, position->item[i], "rad", 0, false));
    }
    return turn > 0;
}

static tl_vec3 vector_of(tl_builder *b, const tl_node *node, const char *unit, tl_vec3 fallback)
{
    double v[3] = {0, 0, 0};
    tl_vector(b, node, unit, v);
    return node ? tl_load3(v) : fallback;
}

/* By how much the start moves a child that is not turned, or how fast, by the joint's `position` or `velocity`: coordinates that are ways go along the axis,
 * of planar joints across it (src/matter/joint.c). */
static tl_vec3 shifted(tl_builder *b, const tl_node *joint, const char *key, const char *unit)
{
    const tl_node *position = tl_node_get(joint, key), *single = position && position->kind == NODE_SCALAR ? position : NULL;
    const char *type = tl_word(joint, "type", "revolute");
    const bool planar = strcmp(type, "planar") == 0;
    const tl_vec3 along = strcmp(type, "prismatic") == 0 ? tl_v3(1, 0, 0) : tl_v3(0, 0, 1);
    const tl_vec3 n = tl_normalize(vector_of(b, tl_node_get(joint, "axis"), "", along)), second = vector_of(b, tl_node_get(joint, "axis2"), "", tl_v3(1, 0, 0));
    const tl_vec3 x = planar ? tl_normalize(tl_sub(second, tl_scale(tl_dot(second, n), n))) : tl_v3(1, 0, 0), y = planar ? tl_cross(n, x) : tl_v3(0, 1, 0);
    const bool turns = strcmp(type, "revolute") == 0 || strcmp(type, "screw") == 0;
    const double slide = turns ? 0 : tl_quantity(b->r, single ? single : tl_node_get(position, "position"), unit, 0, false);
    tl_vec3 sum = tl_scale(slide, n);
    sum = tl_add(sum, tl_scale(tl_quantity_in(b, position, "x", unit, 0), x));
    sum = tl_add(sum, tl_scale(tl_quantity_in(b, position, "y", unit, 0), y));
    return tl_add(sum, tl_v3(0, 0, tl_quantity_in(b, position, "z", unit, 0)));
}

/* The joint or shaft that a body hangs on; NULL: there is none, which the tree says. */
static const tl_node *hangs_on(const tl_node *mechanism, const char *body, bool *shaft)
{
    int joints;
    const tl_node *all = maps(mechanism, "joints", &joints), *own = tl_node_get(tl_node_get(mechanism, "shafts"), body);
    *shaft = own != NULL;
    for (int i = 0; i < joints && !own; i++)
        if (strcmp(tl_word(all->item[i], "child", ""), body) == 0) own = all->item[i];
    return own;
}

/* Up the tree, by the points and positions of joints and shafts. False: the carrier is turned, which has been said, or hangs on nothing. */
static bool find_carrier(tl_builder *b, tl_track *t)
{
    int joints, shafts;
    (void)maps(t->mechanism, "joints", &joints), (void)maps(t->mechanism, "shafts", &shafts);
    const char *body = t->on->text;
    for (int depth = 0; depth <= joints + shafts && strcmp(body, "ground") != 0; depth++) {
        bool shaft;
        const tl_node *joint = hangs_on(t->mechanism, body, &shaft);
        if (!joint) return false;
        if (turns_at_start(b, joint)) {
            tl_mistake_key(&b->scene->mistakes, TALUS_UNSUPPORTED, t->on, "the carrier of a track stands in the scene's axes at the start; %s '%.60s' turns it",
                           shaft ? "shaft" : "joint", joint->key);
            return false;
        }
        const tl_vec3 nowhere = {0, 0, 0}, at = vector_of(b, tl_node_get(joint, "at"), "m", nowhere);
        const tl_vec3 step = shaft ? at : tl_add(tl_sub(at, vector_of(b, tl_node_get(joint, "child_at"), "m", nowhere)), shifted(b, joint, "position", "m"));
        const tl_vec3 rate = shaft ? nowhere : shifted(b, joint, "velocity", "m/s");
        t->carrier[0] += step.x, t->carrier[1] += step.y, t->carrier[2] += step.z;
        t->velocity[0] += rate.x, t->velocity[1] += rate.y, t->velocity[2] += rate.z;
        body = tl_word(joint, shaft ? "on" : "parent", "ground");
    }
    return true;
}

/* ---- the chain ------------------------------------------------------------------------------------------------------------------ */

/* A piece of the way of pins: a straight line, or an arc about a centre. */
typedef struct piece {
    double x, z, dx, dz, radius, angle, length; /* of a line: where it begins, its direction; of an arc its centre and first angle */
} piece;

typedef struct way {
    piece piece[2 * TL_TRACK_WHEELS];
    int pieces;
    double length;
} way;

/* The outer normal of the tangent from wheel i to the next, which the chain passes with its inside to the left. */
static bool normal(const tl_track *t, int i, double n[2])
{
    const tl_track_wheel *a = &t->wheel[i], *b = &t->wheel[(i + 1) % t->wheels];
    const double dx = b->x - a->x, dz = b->z - a->z, d = hypot(dx, dz), lean = (t->radius[i] - t->radius[(i + 1) % t->wheels]) / d, rest = 1 - lean * lean;
    if (!(d > 0) || !(rest > 0)) return false;
    n[0] = (lean * dx + sqrt(rest) * dz) / d, n[1] = (lean * dz - sqrt(rest) * dx) / d;
    return true;
}

/* −1, or the wheel that the way does not come round. */
static int find_way(const tl_track *t, way *w)
{
    *w = (way){.pieces = 0};
    for (int i = 0; i < t->wheels; i++) {
        const int next = (i + 1) % t->wheels;
        const tl_track_wheel *a = &t->wheel[i], *b = &t->wheel[next];
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
static double lay(const tl_track *t, const way *w, double (*pin)[2])
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

/* Away from the middle of the other wheels, wherever the track's own middle is. */
static double find_outwards(const tl_track *t)
{
    double others = 0;
    for (int i = 0; i < t->wheels; i++)
        if (i != t->sliding) others += t->wheel[i].x / (t->wheels - 1);
    return t->wheel[t->sliding].x > others ? 1 : -1;
}

/* How far it may slide: half of what it is from the wheel that is farthest along x. */
static double reach_of(const tl_track *t)
{
    double farthest = 0;
    for (int i = 0; i < t->wheels; i++) farthest = fmax(farthest, fabs(t->wheel[t->sliding].x - t->wheel[i].x));
    return fmin(0.5 * farthest, t->shoes * t->pitch);
}

/* The wheel that slides goes to where the chain closes, from where it was said to be. */
static bool close_chain(tl_builder *b, tl_track *t, double (*pin)[2])
{
    enum { HALVINGS = 60 };
    tl_track_wheel *slides = &t->wheel[t->sliding];
    const double said = slides->x, reach = reach_of(t);
    t->outwards = find_outwards(t);
    double low = -reach, high = reach;
    way w;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = 0.5 * (low + high);
        slides->x = said + t->outwards * middle;
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

bool tl_names_parts(tl_builder *b, const tl_node *node, const char *name, const char *what)
{
    for (const char *c = name; *c; c++) {
        const bool fits = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_' || *c == '-' || (*c & 0x80);
        if (fits) continue;
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node,
                       "the name of a %s is of letters, digits, _ and -, for parts are named after it; '%.60s' has '%c'", what, name, *c);
        return false;
    }
    return name[0] != '\0';
}

static bool has_width(tl_builder *b, const tl_track *t, const tl_node *node, double width)
{
    if (t->planar || width > 0) return true;
    if (!tl_node_get(node, "width")) tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "'width' is missing here: in space wheels and shoes have one");
    return false;
}

/* The horns stand beside the widest wheel, on the shoe. */
static bool read_horns(tl_builder *b, tl_track *t)
{
    double widest = 0;
    for (int i = 0; i < t->wheels; i++) widest = fmax(widest, t->wheel[i].width);
    t->beside = 0.55 * widest, t->thin = 0.05 * widest;
    if (t->planar || !(t->horns > 0) || 2 * (t->beside + t->thin) <= t->width) return true;
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, tl_node_get(tl_node_get(t->node, "shoes"), "horns"),
                   "horns stand beside the widest wheel, which is %g m wide: shoes of %g m have no room for them and need %g m", widest, t->width,
                   2 * (t->beside + t->thin));
    return false;
}

static bool read_teeth(tl_builder *b, const tl_track *t, tl_track_wheel *w)
{
    const tl_node *node = w->node, *map = tl_node_get(node, "teeth");
    tl_mistakes *mistakes = &b->scene->mistakes;
    const double count = tl_quantity_in(b, map, "count", "", 0);
    if (!(count >= 5 && count <= TL_TRACK_TEETH)) return false; /* the check of keys says so */
    w->teeth = (tl_track_teeth){.node = map, .count = (int)count};
    if (tl_node_get(node, "radius")) {
        tl_mistake_key(mistakes, TALUS_INPUT, node, "a wheel with teeth has its radius from their number and the pitch: leave 'radius' out");
        return false;
    }
    if (!(t->pin > 0)) {
        tl_mistake_key(mistakes, TALUS_INPUT, map, "teeth need pins to hold on to: shoes: {pins: {radius: %g mm}}", 400 * t->thickness);
        return false;
    }
    w->radius = 0.5 * t->pitch / tan(TL_PI / w->teeth.count) - 0.5 * t->thickness;
    w->teeth.height = tl_quantity_in(b, map, "height", "m", 0.5 * t->thickness), w->teeth.play = tl_quantity_in(b, map, "play", "m", 0.02 * t->pitch);
    w->teeth.width = tl_quantity_in(b, map, "width", "m", 0.5 * w->width);
    const double reach = t->pitch - t->pin - w->teeth.play, tip = reach * reach - w->teeth.height * w->teeth.height;
    if (!(w->radius > 0) || !(tip > 0.25 * t->pitch * t->pitch)) {
        tl_mistake_key(mistakes, TALUS_INPUT, map, "%s",
                       !(w->radius > 0) ? "so few teeth leave no wheel under shoes as thick as these"
                                        : "teeth as high as this have no room between the pins: less 'height', 'play' or radius of the pins");
        return false;
    }
    return true;
}

static bool read_wheel(tl_builder *b, const tl_node *node, tl_track *t)
{
    const int i = t->wheels++;
    tl_track_wheel *w = &t->wheel[i];
    const bool toothed = tl_node_get(node, "teeth") != NULL;
    double at[3] = {0};
    tl_vector(b, tl_node_get(node, "at"), "m", at);
    *w = (tl_track_wheel){.node = node, .x = at[0], .z = at[t->planar ? 1 : 2], .tension = tl_node_get(node, "tension")};
    w->radius = tl_quantity_in(b, node, "radius", "m", 0), w->width = tl_quantity_in(b, node, "width", "m", 0);
    w->mass = tl_quantity_in(b, node, "mass", "kg", 0);
    if (!tl_names_parts(b, node, node->key, "wheel") || (toothed && !read_teeth(b, t, w))) return false;
    if (!toothed && !tl_node_get(node, "radius"))
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "'radius' is missing here: only a wheel with teeth has it from them");
    w->inertia = tl_quantity_in(b, node, "inertia", "kg m^2", 0.5 * w->mass * w->radius * w->radius);
    if (!(w->radius > 0) || !(w->mass > 0) || !has_width(b, t, node, w->width)) return false;
    if (!t->planar && at[1] != 0) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "at"),
                   "wheels stand in the plane of their track, y = 0, and this one at y = %g m; 'at' of the track moves them all", at[1]);
        return false;
    }
    t->radius[i] = hypot(w->radius + 0.5 * t->thickness, 0.5 * t->pitch);
    if (!w->tension) return true;
    if (t->sliding >= 0) tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "one wheel of a track slides; '%s' does", t->wheel[t->sliding].node->key);
    t->sliding = i;
    w->force = tl_quantity_in(b, w->tension, "force", "N", 0), w->stiffness = tl_quantity_in(b, w->tension, "stiffness", "N/m", 0);
    w->damping = tl_quantity_in(b, w->tension, "damping", "N s/m", 0);
    return true;
}

static bool read_shoes(tl_builder *b, const tl_node *shoes, tl_track *t)
{
    const tl_node *pins = tl_node_get(shoes, "pins");
    const double count = tl_quantity_in(b, shoes, "count", "", 0);
    t->shoes = count >= 3 && count <= TL_TRACK_SHOES ? (int)count : 0;
    t->pitch = tl_quantity_in(b, shoes, "pitch", "m", 0), t->thickness = tl_quantity_in(b, shoes, "thickness", "m", 0);
    t->width = tl_quantity_in(b, shoes, "width", "m", 0), t->mass = tl_quantity_in(b, shoes, "mass", "kg", 0);
    t->grouser = tl_quantity_in(b, shoes, "grouser", "m", 0), t->horns = tl_quantity_in(b, shoes, "horns", "m", 0);
    t->pin = tl_quantity_in(b, pins, "radius", "m", 0);
    if (t->pin > 0.5 * t->thickness) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, pins, "pins lie in the plates: their radius is at most half the thickness, %g m", 0.5 * t->thickness);
        return false;
    }
    return t->shoes > 0 && t->pitch > 0 && t->thickness > 0 && t->mass > 0 && has_width(b, t, shoes, t->width);
}

/* All but the carrier, which there may be several of. False: what is wrong has been said; or something is missing, which the check of keys says. */
static bool read_track(tl_builder *b, const tl_node *node, tl_track *t)
{
    const tl_node *shoes = tl_node_get(node, "shoes"), *wheels = tl_node_get(node, "wheels");
    *t = (tl_track){.node = node, .name = node->key, .planar = b->r->dimension < 3, .sliding = -1};
    if (!tl_names_parts(b, node, node->key, "track") || !shoes || !wheels || wheels->kind != NODE_MAP) return false;
    if (wheels->count < 2 || wheels->count > TL_TRACK_WHEELS) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, wheels, "a track goes around 2 to %d wheels", (int)TL_TRACK_WHEELS);
        return false;
    }
    tl_vector(b, tl_node_get(node, "at"), "m", t->at);
    if (!read_shoes(b, shoes, t)) return false;
    for (int i = 0; i < wheels->count; i++)
        if (!read_wheel(b, wheels->item[i], t)) return false;
    if (t->sliding < 0)
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, wheels,
                       "one of the wheels needs a tension, so that the chain can be closed: tension: {force: 5 kN, stiffness: 200 kN/m}");
    return t->sliding >= 0 && read_horns(b, t);
}

const tl_node *tl_carrier(const tl_node *node, int k)
{
    const tl_node *on = tl_node_get(node, "on");
    if (!on || on->kind != NODE_LIST) return k == 0 ? on : NULL;
    return k < on->count ? on->item[k] : NULL;
}

const char *tl_carried_name(tl_builder *b, const tl_node *node, const tl_node *on, const char *what)
{
    if (on == tl_node_get(node, "on")) return node->key;
    const size_t length = strlen(node->key) + strlen(on->text) + 2;
    char *name = tl_arena_alloc(b->scene->arena, length, 1);
    if (name) snprintf(name, length, "%s_%s", node->key, on->text);
    else tl_mistake(&b->scene->mistakes, TALUS_MEMORY, on, "no memory for a name");
    return name && tl_names_parts(b, on, on->text, what) ? name : NULL;
}

/* On one of its carriers: whose mechanism it belongs to, where it stands, how it is named. False: as of read_track. */
static bool hang(tl_builder *b, const tl_node *on, tl_track *t)
{
    const tl_node *root = b->scene->root;
    t->on = on;
    if (!on->text) return false;
    t->mechanism = tl_mechanism_with(root, on->text);
    if (!t->mechanism) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, on, "a track is carried by a body of a mechanism; '%.60s' is %s", on->text,
                   is_shaft(root, on->text) ? "a shaft" : "none");
        return false;
    }
    t->name = tl_carried_name(b, t->node, on, "carrier in a list");
    return t->name && find_carrier(b, t);
}

/* ---- writing out ---------------------------------------------------------------------------------------------------------------- */

static void write_track(tl_builder *b, const tl_track *t, double (*pin)[2])
{
    char *text = tl_track_text(t, (const double(*)[2])pin);
    if (text) (void)tl_yaml_add(b->scene->root, text, t->node, b->scene->arena, &b->scene->mistakes); /* which says why not */
    else tl_mistake_key(&b->scene->mistakes, TALUS_MEMORY, t->node, "no memory for a track");
    free(text);
}

void tl_expand_tracks(tl_builder *b)
{
    int tracks;
    const tl_node *all = maps(b->scene->root, "tracks", &tracks), *on;
    double(*pin)[2] = tracks > 0 ? tl_arena_alloc(b->scene->arena, TL_TRACK_SHOES, sizeof *pin) : NULL;
    for (int i = 0; i < tracks; i++) {
        tl_track t;
        on = tl_node_get(all->item[i], "on");
        if (on && on->kind == NODE_LIST && on->count == 0)
            tl_mistake(&b->scene->mistakes, TALUS_INPUT, on, "a track is carried by a body of a mechanism, and here is none");
        if (!pin) tl_mistake_key(&b->scene->mistakes, TALUS_MEMORY, all->item[i], "no memory for a track");
        if (!pin || !read_track(b, all->item[i], &t)) continue;
        for (int k = 0; (on = tl_carrier(all->item[i], k)) != NULL; k++) {
            tl_track one = t; /* the chain of each is closed from where its wheels were said to be */
            if (hang(b, on, &one) && close_chain(b, &one, pin)) write_track(b, &one, pin);
        }
    }
}

/* ---- the assembled world -------------------------------------------------------------------------------------------------------- */

/* Loops that do not close with the positions that joints are given at the start move the bodies, and the shoes do not go with them. */
static bool stands(tl_builder *b, const tl_track *t)
{
    const double within = 1e-3 * t->pitch, length = t->shoes * t->pitch; /* what is moved by less is no gap between wheel and shoe */
    double p[3], q[4];
    talus_body_pose(b->world, talus_body_find(b->world, t->on->text), p, q);
    const tl_vec3 away = tl_sub(tl_load3(p), tl_load3(t->carrier));
    const double turn = 2 * asin(fmin(1, sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])));
    if (tl_norm(away) + turn * length < within) return true;
    tl_mistake_key(
        &b->scene->mistakes, TALUS_UNSUPPORTED, t->on,
        "the carrier of a track starts %.3g m away from where its joints say, turned by %.3g rad: the loops or drives of its mechanism move it; give its "
        "joints the positions with which they close, and at which they are driven",
        tl_norm(away), turn);
    return false;
}

/* Shoes start with the velocity that joints give to their carrier. Drives, loops and spins may give it another. */
static void warn_of_speed(tl_builder *b, const tl_track *t)
{
    static const double SLOW = 1e-3; /* [m/s] */
    static const double ORIGIN[3] = {0, 0, 0};
    const double length = t->shoes * t->pitch;
    char line[1024];
    double v[3], spin[3];
    talus_body_velocity(b->world, talus_body_find(b->world, t->on->text), ORIGIN, v, spin);
    const double off = tl_norm(tl_sub(tl_load3(v), tl_load3(t->velocity))) + length * tl_norm(tl_load3(spin));
    if (!(off > SLOW)) return;
    snprintf(
        line, sizeof line,
        "%.700s:%d:%d: warning: at the start the shoes of track '%.60s' have another velocity than their carrier, by %.3g m/s: theirs is what 'velocity' of "
        "its joints says, without turning",
        t->node->file, t->node->key_line, t->node->key_column, t->name, off);
    talus_world_warn(b->world, line);
}

talus_status tl_check_tracks(tl_builder *b)
{
    int tracks;
    bool all_stand = true;
    const tl_node *all = maps(b->scene->root, "tracks", &tracks), *on;
    for (int i = 0; i < tracks; i++) {
        const tl_node *node = all->item[i];
        char line[1024];
        tl_track t;
        if (!read_track(b, node, &t)) return TALUS_INPUT; /* cannot be: it was written out */
        for (int k = 0; (on = tl_carrier(node, k)) != NULL; k++) {
            tl_track one = t;
            if (!hang(b, on, &one)) return TALUS_INPUT; /* nor this */
            all_stand = stands(b, &one) && all_stand;
            warn_of_speed(b, &one);
        }
        if (t.wheel[t.sliding].force > 0) continue;
        snprintf(line, sizeof line, "%.700s:%d:%d: warning: track '%.60s' hangs slack at the start: the force of its tension is 0", node->file, node->key_line,
                 node->key_column, node->key);
        talus_world_warn(b->world, line);
    }
    return all_stand ? TALUS_OK : TALUS_UNSUPPORTED;
}
