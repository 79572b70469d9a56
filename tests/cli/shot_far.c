/* Where on a map a run lies is nothing to its pictures, pages and exports. */
#include "shot.h"

#include <math.h>

/* Of all that has a place: bodies whose shapes are given on the map and their origin not, links, joints, springs and solids on the ground, endless floors, a
 * periodic cell. Numbers of the scene are added to the place in binary fractions, so that both runs are the same. */
typedef struct place {
    double x, y, z;
} place;

static const place HERE = {0, 0, 0}, MAP = {524288, 4194304, 256};

static void put_space(const char *name, place o)
{
    char text[4000];
    snprintf(text, sizeof text,
             "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 0.1 s, step: 2 ms}\nmaterials: {sand: {density: 2000}, slate: {density: 7800}}\n"
             "bodies:\n"
             "  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, %.17g], normal: [0, 0, 1], material: slate}}]}\n"
             "  table: {kind: fixed, shapes: [{box: {size: [1, 1, 0.25], centre: [%.17g, %.17g, %.17g], material: slate}}]}\n"
             "  ball: {position: [%.17g, %.17g, %.17g], shapes: [{sphere: {radius: 0.125, material: sand}}]}\n"
             "  bar: {position: [%.17g, %.17g, %.17g], shapes: [{box: {size: [1, 0.125, 0.125], material: sand}}]}\n"
             "  wheel: {spin: [0, 2, 0], shapes: [{box: {size: [0.5, 0.25, 0.5], centre: [%.17g, %.17g, %.17g], material: sand}}]}\n"
             "joints: {pin: {type: revolute, bodies: [ground, bar], at: [%.17g, %.17g, %.17g], axis: [0, 1, 0]}}\n"
             "mechanisms: {arm: {bodies: {link: {mass: 1, inertia: [0.1, 0.1, 0.1], centre_of_mass: [0.5, 0, 0]}}, joints: {root: {type: revolute, parent: "
             "ground, child: link, at: [%.17g, %.17g, %.17g], axis: [0, 1, 0]}}}}\n"
             "solids:\n"
             "  block: {box: {size: [1, 0.5, 0.5], elements: [4, 2, 2]}, position: [%.17g, %.17g, %.17g], material: {density: 1000, young: 1 MPa, poisson: "
             "0.3}, fixed: [bottom]}\n",
             o.z, o.x + 1.5, o.y, o.z + 0.125, o.x + 1.5, o.y, o.z + 0.5, o.x, o.y + 1.5, o.z + 0.75, o.x - 1, o.y, o.z + 1, o.x - 0.5, o.y + 1.5, o.z + 0.75,
             o.x + 1, o.y + 1.5, o.z + 1, o.x, o.y, o.z + 0.25);
    write_text(name, text);
}

static void put_plane(const char *name, place o)
{
    char text[4000];
    snprintf(
        text, sizeof text,
        "gravity: [0, -9.81]\ntime: {end: 0.1 s, step: 2 ms}\nmaterials: {sand: {density: 2000}, slate: {density: 7800}}\nperiodic: {x: [%.17g, %.17g]}\n"
        "bodies:\n"
        "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, %.17g], normal: [0, 1], material: slate}}]}\n"
        "  step: {kind: fixed, shapes: [{box: {size: [0.5, 0.25], centre: [%.17g, %.17g], material: slate}}]}\n"
        "  stone: {position: [%.17g, %.17g], velocity: [1, 0], shapes: [{disk: {radius: 0.25, material: sand}}]}\n"
        "  brick: {position: [%.17g, %.17g], shapes: [{box: {size: [0.5, 0.25], material: sand}}]}\n"
        "  wheel: {angular_velocity: 2, shapes: [{disk: {radius: 0.125, centre: [%.17g, %.17g], material: sand}}]}\n"
        "mechanisms: {cart: {bodies: {c: {mass: 1, inertia: 0.1, shapes: [{box: {size: [0.25, 0.25], material: sand}}]}}, joints: {x: {type: planar, parent: "
        "ground, child: c, position: {x: %.17g, y: %.17g}}}}}\n",
        o.x - 1, o.x + 1, o.y, o.x - 0.5, o.y + 0.125, o.x + 0.875, o.y + 0.5, o.x + 0.25, o.y + 0.25, o.x - 0.5, o.y + 1, o.x + 0.5, o.y + 0.75);
    write_text(name, text);
}

static void run_both(void (*put)(const char *, place))
{
    put("near.yaml", HERE), put("far.yaml", MAP);
    talus("run near.yaml -o near --force --quiet", NULL, 0);
    talus("run far.yaml -o far --force --quiet", NULL, 0);
}

/* Of the pixels of two pictures the share that differs by more than the rounding of an edge. */
static double share_apart(const char *a, const char *b)
{
    image one = open_image(a), other = open_image(b);
    int apart = 0, drawn = 0;
    CHECK(one.width == other.width && one.height == other.height);
    for (int y = 0; y < one.height && one.height == other.height; y++)
        for (int x = 0; x < one.width && one.width == other.width; x++) {
            const pixel p = pixel_at(&one, x, y), q = pixel_at(&other, x, y), corner = pixel_at(&one, 0, 0);
            apart += fabs(p.r - q.r) + fabs(p.g - q.g) + fabs(p.b - q.b) > 0.1;
            drawn += fabs(p.r - corner.r) + fabs(p.g - corner.g) + fabs(p.b - corner.b) > 0.1;
        }
    CHECK(drawn > 0.05 * one.width * one.height);
    const double share = (double)apart / ((double)one.width * (double)one.height);
    close_image(&one), close_image(&other);
    return share;
}

TEST(pictures)
{
    run_both(put_space);
    talus("shot near -o near.png", NULL, 0), talus("shot far -o far.png", NULL, 0);
    CHECK(share_apart("near.png", "far.png") < 1e-4);
    talus("shot near --cut x=0.25 -o near.png", NULL, 0), talus("shot far --cut x=524288.25 -o far.png", NULL, 0);
    CHECK(share_apart("near.png", "far.png") < 1e-4);
    run_both(put_plane);
    talus("shot near -o near.png", NULL, 0), talus("shot far -o far.png", NULL, 0);
    CHECK(share_apart("near.png", "far.png") < 1e-4);
}

/* What a page, pictures and films are made from: places about a point near by, velocities of the points that bodies are drawn about. */
static void compare(int frames)
{
    char path[128];
    tl_replay near, far;
    tl_replay_frame n = {0}, f = {0};
    tl_error error;
    snprintf(path, sizeof path, "%s/near", home);
    if (tl_replay_open(&near, path, &error) != TALUS_OK || tl_replay_come_near(&near, &error) != TALUS_OK) exit(1);
    snprintf(path, sizeof path, "%s/far", home);
    if (tl_replay_open(&far, path, &error) != TALUS_OK || tl_replay_come_near(&far, &error) != TALUS_OK) exit(1);
    CHECK(!near.aside && far.aside);
    const tl_vec3 map = tl_sub(tl_v3(MAP.x, MAP.y, near.dimension == 3 ? MAP.z : 0), tl_load3(far.origin));
    CHECK(tl_norm(map) < 10);
    for (int k = 0; k < frames; k++) {
        if (tl_replay_read(&near, k * (near.frames - 1), &n, &error) != TALUS_OK || tl_replay_read(&far, k * (far.frames - 1), &f, &error) != TALUS_OK) exit(1);
        CHECK(n.contacts == f.contacts);
        for (int i = 0; i < near.shapes; i++)
            for (int c = 0; c < near.shape[i].points && near.shape[i].kind != REPLAY_HALF_PLANE && near.shape[i].kind != REPLAY_HALF_SPACE; c++) {
                const int body = near.shape[i].body, at = near.shape[i].first_point + c;
                double x[3], y[3];
                tl_replay_to_world(&n, body, near.point[at], x);
                tl_replay_to_world(&f, body, far.point[far.shape[i].first_point + c], y);
                CHECK(tl_norm(tl_load3(far.point[far.shape[i].first_point + c])) < 10);
                const tl_vec3 v = tl_add(tl_load3(n.velocity[body]), tl_cross(tl_load3(n.velocity[body] + 3), tl_sub(tl_load3(x), tl_load3(n.pose[body])))),
                              w = tl_add(tl_load3(f.velocity[body]), tl_cross(tl_load3(f.velocity[body] + 3), tl_sub(tl_load3(y), tl_load3(f.pose[body]))));
                for (int a = 0; a < 3; a++) {
                    CHECK_NEAR(y[a], x[a] + (&map.x)[a], 1e-8);
                    CHECK_NEAR((&w.x)[a], (&v.x)[a], 1e-7);
                }
                CHECK(tl_norm(tl_load3(f.velocity[body])) < 10);
            }
    }
    tl_replay_frame_free(&n), tl_replay_frame_free(&f);
    tl_replay_close(&near), tl_replay_close(&far);
}

TEST(places)
{
    run_both(put_space);
    compare(2);
    run_both(put_plane);
    compare(2);
}

int main(int argc, char **argv)
{
    snprintf(home, sizeof home, "/tmp/talus-far-XXXXXX");
    if (!mkdtemp(home)) return 1;
    RUN(pictures);
    RUN(places);
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
