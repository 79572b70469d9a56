/* Nodes of solids and what lies in front of their faces, in the plane and in space, against closed forms: what slides over a flat face is not caught by the
 * nodes ahead of it, bars that meet end to end exchange their velocities and never pull, and flush blocks let go of each other. */
#include "lab.h"

static const char *axes(int dimension, const char *flat, const char *solid) { return dimension == 2 ? flat : solid; }

/* Its velocity falls by µ g t, from 1 to 0.2 m/s in 0.4 s, on a way of 0.24 m; friction is µ m g, but for the waves that the start makes in the slab. */
static void check_slide(const char *scene, double weight)
{
    lab l = open_lab(scene, 1);
    double along = 0, up = 0, steps = 0;
    while (talus_world_time(l.world) < 0.4 - 1e-9) {
        (void)lab_step(&l);
        along = fmax(along, fabs(lab_probe(&l, "along")));
        if (talus_world_time(l.world) > 0.1) up += lab_probe(&l, "up"), steps++;
    }
    CHECK_NEAR(lab_probe(&l, "x"), 0.24, 1e-3);
    CHECK_NEAR(lab_probe(&l, "v"), 0.2, 2e-3);
    CHECK(along <= 1.2 * 0.2 * weight);
    CHECK_NEAR(up / steps, weight, 1e-3 * weight);
    close_lab(&l);
}

static const char *const AS[3] = {"both", "nodes", "antagonist"};
static const char *const SCHEME[2] = {"moreau", "spook"};

static void write_head(char *text, size_t size, int dimension, const char *scheme, const char *more)
{
    (void)snprintf(
        text, size,
        "dimension: %d\ngravity: %s\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: %s}\nmaterials: {a: {}}\ninteractions: [{friction: 0.2}]\n%s",
        dimension, axes(dimension, "[0, -10]", "[0, 0, -10]"), scheme, more);
}

/* A rigid box of 5 kg on an elastic slab, whatever of this takes its contacts. */
TEST(a_box_on_a_slab)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int as = 0; as < 3; as++)
            for (int scheme = 0; scheme < (as == 0 ? 2 : 1); scheme++) {
                char more[1500], text[2500];
                (void)snprintf(
                    more, sizeof more,
                    "solids:\n  L: {box: {size: %s, elements: %s}, fixed: [bottom], material: {density: 1000, young: 1 GPa, poisson: 0.2},\n"
                    "      damping: {stiffness: 0.1 ms}, contact: {surface: top, as: %s, material: a}}\n"
                    "bodies: {U: {mass: 5, %s, position: %s, velocity: %s, material: a, shapes: [{box: {size: %s}}]}}\n"
                    "probes: {x: {body: U}, v: {body: U, quantity: vx}, along: {contact_force: U, quantity: x}, up: {contact_force: U, quantity: %s}}\n",
                    axes(dimension, "[2, 0.1]", "[2, 0.4, 0.1]"), axes(dimension, "[20, 1]", "[20, 4, 1]"), AS[as],
                    axes(dimension, "inertia: 0.02", "inertia_tensor: [0.02, 0.03, 0.04, 0, 0, 0]"), axes(dimension, "[0, 0.05]", "[0, 0, 0.05]"),
                    axes(dimension, "[1, 0]", "[1, 0, 0]"), axes(dimension, "[0.25, 0.1]", "[0.25, 0.18, 0.1]"), axes(dimension, "y", "z"));
                write_head(text, sizeof text, dimension, SCHEME[scheme], more);
                check_slide(text, 50);
            }
}

/* The same of a deformable block: its nodes, and those of the slab. */
TEST(a_block_on_a_slab)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int as = 0; as < 2; as++) {
            char more[1500], text[2500];
            (void)snprintf(
                more, sizeof more,
                "solids:\n  U: {box: {size: %s, elements: %s}, position: %s, velocity: %s, material: {density: 1000, young: 100 MPa, poisson: 0.2},\n"
                "      damping: {stiffness: 0.5 ms}, contact: {as: %s, material: a}}\n"
                "  L: {box: {size: %s, elements: %s}, fixed: [bottom], material: {density: 1000, young: 1 GPa, poisson: 0.2},\n"
                "      damping: {stiffness: 0.1 ms}, contact: {surface: top, as: %s, material: a}}\n"
                "probes: {x: {displacement: U, on: top}, v: {displacement: U, on: top, quantity: vx}, along: {contact_force: U, quantity: x}, "
                "up: {contact_force: U, quantity: %s}}\n",
                axes(dimension, "[0.25, 0.1]", "[0.25, 0.2, 0.1]"), axes(dimension, "[3, 1]", "[3, 2, 1]"), axes(dimension, "[0, 0.1]", "[0, 0, 0.1]"),
                axes(dimension, "[1, 0]", "[1, 0, 0]"), as == 0 ? "both" : "antagonist", axes(dimension, "[3, 0.1]", "[3, 0.5, 0.1]"),
                axes(dimension, "[30, 1]", "[30, 5, 1]"), as == 0 ? "both" : "nodes", axes(dimension, "y", "z"));
            write_head(text, sizeof text, dimension, "moreau", more);
            check_slide(text, dimension == 2 ? 250 : 50);
        }
}

/* Over a rim: the same box comes from a table that is flush with the slab, or by a tenth of the slop above or below it; and is stopped by a ledge of two slops,
 * or of 5 mm, in front of which it stands. */
TEST(a_box_comes_onto_a_slab)
{
    static const double ABOVE[5] = {0, 4e-6, -4e-6, -9e-5, -5e-3};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int as = 0; as < 3; as++)
            for (int k = 0; k < 5; k++) {
                char more[1700], text[2700], table[64], box[64];
                (void)snprintf(table, sizeof table, axes(dimension, "[-0.5, %.9g]", "[-0.5, 0, %.9g]"), -0.05 + ABOVE[k]);
                (void)snprintf(box, sizeof box, axes(dimension, "[-0.2, %.9g]", "[-0.2, 0, %.9g]"), 0.05 + ABOVE[k]);
                (void)snprintf(
                    more, sizeof more,
                    "solids:\n  L: {box: {size: %s, elements: %s}, position: %s, fixed: [bottom], material: {density: 1000, young: 1 GPa, poisson: 0.2},\n"
                    "      damping: {stiffness: 0.1 ms}, contact: {as: %s, material: a}}\n"
                    "bodies:\n  G: {kind: fixed, material: a, shapes: [{box: {size: %s, centre: %s}}]}\n"
                    "  U: {mass: 5, %s, position: %s, velocity: %s, material: a, shapes: [{box: {size: %s}}]}\n"
                    "probes: {x: {body: U}, v: {body: U, quantity: vx}, along: {contact_force: U, quantity: x}, up: {contact_force: U, quantity: %s}}\n",
                    axes(dimension, "[1, 0.1]", "[1, 0.4, 0.1]"), axes(dimension, "[10, 1]", "[10, 4, 1]"), axes(dimension, "[0.5, 0]", "[0.5, 0, 0]"), AS[as],
                    axes(dimension, "[1, 0.1]", "[1, 0.4, 0.1]"), table, axes(dimension, "inertia: 0.02", "inertia_tensor: [0.02, 0.03, 0.04, 0, 0, 0]"), box,
                    axes(dimension, "[1, 0]", "[1, 0, 0]"), axes(dimension, "[0.25, 0.1]", "[0.25, 0.18, 0.1]"), axes(dimension, "y", "z"));
                write_head(text, sizeof text, dimension, "moreau", more);
                lab l = open_lab(text, 1);
                lab_run(&l, 0.4);
                if (k < 3) {
                    CHECK_NEAR(lab_probe(&l, "x"), 0.04, 1e-3);
                    CHECK_NEAR(lab_probe(&l, "v"), 0.2, 2e-3);
                } else CHECK(lab_probe(&l, "x") <= -0.124 && lab_probe(&l, "v") <= 0.01);
                close_lab(&l);
            }
}

/* A deformable block over rims: from one slab to the next, and over rigid tiles. */
TEST(a_block_over_rims)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int as = 0; as < 3; as++)
            for (int tiles = 0; tiles < 2; tiles++) {
                if (tiles == 0 ? as > 0 : as == 2 && dimension == 3) continue; /* two solids need nodes and a surface; a surface alone is no plane there */
                char more[2700], text[3700];
                int n = snprintf(
                    more, sizeof more,
                    "solids:\n  U: {box: {size: %s, elements: %s}, position: %s, velocity: %s, material: {density: 1000, young: 100 MPa, poisson: 0.2},\n"
                    "      damping: {stiffness: 0.5 ms}, contact: {as: %s, material: a}}\n",
                    axes(dimension, "[0.25, 0.1]", "[0.25, 0.2, 0.1]"), axes(dimension, "[3, 2]", "[3, 2, 2]"), axes(dimension, "[0.1, 0.1]", "[0.1, 0, 0.1]"),
                    axes(dimension, "[1, 0]", "[1, 0, 0]"), AS[as]);
                for (int k = 0; tiles == 0 && k < 2; k++)
                    n += snprintf(more + n, sizeof more - (size_t)n,
                                  "  L%d: {box: {size: %s, elements: %s}, position: %s, fixed: [bottom], material: {density: 1000, young: 1 GPa, "
                                  "poisson: 0.2}, damping: {stiffness: 0.1 ms}, contact: {material: a}}\n",
                                  k, axes(dimension, "[1, 0.1]", "[1, 0.4, 0.1]"), axes(dimension, "[10, 1]", "[10, 4, 1]"),
                                  k == 0 ? axes(dimension, "[-0.22, 0]", "[-0.22, 0, 0]") : axes(dimension, "[0.78, 0]", "[0.78, 0, 0]"));
                if (tiles) n += snprintf(more + n, sizeof more - (size_t)n, "bodies: {G: {kind: fixed, material: a, shapes: [");
                for (int k = 0; tiles && k < 12; k++)
                    n += snprintf(more + n, sizeof more - (size_t)n,
                                  dimension == 2 ? "%s{box: {size: [0.1, 0.1], centre: [%g, -0.05]}}"
                                                 : "%s{box: {size: [0.1, 0.4, 0.1], centre: [%g, 0, -0.05]}}",
                                  k > 0 ? ", " : "", 0.1 * (k - 2));
                if (tiles) n += snprintf(more + n, sizeof more - (size_t)n, "]}}\n");
                (void)snprintf(more + n, sizeof more - (size_t)n, "probes: {x: {displacement: U, on: top}, v: {displacement: U, on: top, quantity: vx}}\n");
                write_head(text, sizeof text, dimension, "moreau", more);
                lab l = open_lab(text, 1);
                lab_run(&l, 0.4);
                if (!(fabs(lab_probe(&l, "x") - 0.24) <= 1e-3 && fabs(lab_probe(&l, "v") - 0.2) <= 2e-3))
                    TEST_FAIL("dimension %d, %s on %s: goes %g m, then at %g m/s", dimension, AS[as], tiles ? "tiles" : "slabs", lab_probe(&l, "x"),
                              lab_probe(&l, "v"));
                close_lab(&l);
            }
}

/* What does bear, and what does stop: a beam of 2000 N/m³ lies on a solid by less than two slops of its end; and a block that falls beside a solid's side meets
 * that, though as the step begins it is above the rim. */
TEST(slivers_bear_and_sides_stop)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int k = 0; k < 2; k++) {
            char more[1500], text[2500];
            (void)snprintf(
                more, sizeof more,
                "solids:\n  L: {box: {size: %s, elements: %s}, position: %s, fixed: [bottom], material: {density: 1000, young: 1 GPa, poisson: 0.2}, "
                "damping: {stiffness: 0.1 ms}, contact: {material: a}}\nbodies:\n  R: {kind: fixed, material: a, shapes: [{box: {size: %s, centre: %s}}]}\n"
                "  U: {mass: 40, %s, position: %s, velocity: %s, material: a, shapes: [{box: {size: %s}}]}\n"
                "probes: {up: {body: U, quantity: %s}, v: {body: U, quantity: vx}, x: {body: U}}\n",
                axes(dimension, "[0.2, 0.2]", "[0.2, 0.4, 0.2]"), axes(dimension, "[2, 2]", "[2, 4, 2]"), axes(dimension, "[-0.1, 0]", "[-0.1, 0, 0]"),
                axes(dimension, "[0.2, 1]", "[0.2, 1, 1]"), axes(dimension, "[1, -0.5]", "[1, 0, -0.5]"),
                axes(dimension, "inertia: 3", "inertia_tensor: [3, 3, 3, 0, 0, 0]"),
                k == 0 ? axes(dimension, "[0.499955, 0.05]", "[0.499955, 0, 0.05]") : axes(dimension, "[-0.3095, 0.1025]", "[-0.3095, 0, 0.1025]"),
                k == 0 ? axes(dimension, "[0, 0]", "[0, 0, 0]") : axes(dimension, "[2, -1]", "[2, 0, -1]"),
                k == 0 ? axes(dimension, "[1.00009, 0.1]", "[1.00009, 0.2, 0.1]") : axes(dimension, "[0.2, 0.2]", "[0.2, 0.2, 0.2]"),
                axes(dimension, "y", "z"));
            write_head(text, sizeof text, dimension, "moreau", more);
            char *step = strstr(text, "step: 1 ms");
            if (k == 1) memcpy(step, "step: 5 ms", 10);
            lab l = open_lab(text, 1);
            lab_run(&l, k == 0 ? 0.3 : 0.06);
            if (k == 0) CHECK_NEAR(lab_probe(&l, "up"), 0.05, 1e-4);
            else CHECK(lab_probe(&l, "v") <= 0.1 && lab_probe(&l, "x") <= -0.29);
            close_lab(&l);
        }
}

/* St. Venant: a bar that meets an equal one at rest, end to end and aligned, stops when its wave has gone to its end and back, 2 L/c = 20 ms, and then the
 * other goes on by itself. */
TEST(bars_end_to_end)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char more[1500], text[2500];
        const double mass = dimension == 2 ? 100 : 10;
        (void)snprintf(
            more, sizeof more,
            "solids:\n  A: {box: {size: %s, elements: %s}, velocity: %s, material: {density: 1000, young: 10 MPa, poisson: 0}, contact: {material: a}}\n"
            "  B: {box: {size: %s, elements: %s}, position: %s, material: {density: 1000, young: 10 MPa, poisson: 0}, contact: {material: a}}\n"
            "probes: {A: {resultant: A, quantity: x}}\n",
            axes(dimension, "[1, 0.1]", "[1, 0.1, 0.1]"), axes(dimension, "[20, 2]", "[20, 2, 2]"), axes(dimension, "[1, 0]", "[1, 0, 0]"),
            axes(dimension, "[1, 0.1]", "[1, 0.1, 0.1]"), axes(dimension, "[20, 2]", "[20, 2, 2]"), axes(dimension, "[1.001, 0]", "[1.001, 0, 0]"));
        write_head(text, sizeof text, dimension, "moreau", more);
        char *gravity = strstr(text, "-10"), *step = strstr(text, "step: 1 ms");
        memcpy(gravity, "0.0", 3), memcpy(step, "step: .1ms", 10);
        lab l = open_lab(text, 1);
        double velocity = 1, pull = 0;
        while (talus_world_time(l.world) < 0.06) {
            const double t = talus_world_time(l.world);
            (void)lab_step(&l);
            const double force = lab_probe(&l, "A");
            velocity += force * (talus_world_time(l.world) - t) / mass;
            pull = fmax(pull, force);
        }
        CHECK(pull <= 1e-6 * mass);    /* there is no cohesion */
        CHECK(fabs(velocity) <= 0.05); /* 20 elements disperse the front of a wave */
        close_lab(&l);
    }
}

/* A block on an equal one, flush on all sides. Where gravity is turned round it flies off, its centre by ½ g t², and only a moment is lost to what it takes the
 * rubber to spring back. */
TEST(flush_blocks)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char more[1500], text[2500];
        const char *size = axes(dimension, "[0.2, 0.2]", "[0.2, 0.2, 0.2]"), *up = axes(dimension, "y", "z");
        (void)snprintf(
            more, sizeof more,
            "solids:\n  L: {box: {size: %s, elements: 3}, fixed: [bottom], material: {density: 1000, young: 10 MPa, poisson: 0.3}, damping: {stiffness: 1 ms}, "
            "contact: {material: a}}\n"
            "  U: {box: {size: %s, elements: 3}, position: %s, material: {density: 1000, young: 10 MPa, poisson: 0.3}, damping: {stiffness: 1 ms}, "
            "contact: {material: a}}\n"
            "stages:\n  press: {until: {time: 0.2 s}}\n  lift: {gravity: %s}\n"
            "probes: {F: {resultant: U, quantity: %s}, rise: {displacement: U, on: top, quantity: %s}}\n",
            size, size, axes(dimension, "[0, 0.2]", "[0, 0, 0.2]"), axes(dimension, "[0, 10]", "[0, 0, 10]"), up, up);
        write_head(text, sizeof text, dimension, "moreau", more);
        lab l = open_lab(text, 1);
        lab_run(&l, 0.2);
        const double weight = dimension == 2 ? 400 : 80;
        CHECK_NEAR(lab_probe(&l, "F"), weight, 0.02 * weight);
        while (talus_world_time(l.world) < 0.3) {
            (void)lab_step(&l);
            CHECK(lab_probe(&l, "F") >= -1e-6 * weight);
        }
        CHECK_NEAR(lab_probe(&l, "rise"), 0.05, 0.002);
        close_lab(&l);
    }
}

/* A plate of 1 kg that coheres with a slab by 100 N over 0.1 mm is pulled at its middle by 50 N + 100 N/s: it comes off when the pull has exceeded that for as
 * long as it takes to go 0.1 mm, (6 m d/r)^⅓ = 18 ms, wherever its corners are on the mesh, and never before by peeling. */
TEST(a_plate_that_is_pulled_off)
{
    static const double WIDE[3] = {0.07, 0.1, 0.11};
    static const char *const BY[3] = {"moreau", "spook", "generalized_alpha"};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int k = 0; k < 5; k++) {
            char more[1600], text[2600], size[64];
            const double wide = k < 3 ? WIDE[k] : 0.1;
            (void)snprintf(size, sizeof size, dimension == 2 ? "[%g, 0.1]" : "[%g, %g, 0.1]", wide, wide);
            (void)snprintf(
                more, sizeof more,
                "solids:\n  L: {box: {size: %s, elements: %s}, fixed: [bottom], material: {density: 1000, young: 1 GPa, poisson: 0.2},\n"
                "      damping: {stiffness: 1 ms}, contact: {surface: top, material: a}}\n"
                "bodies: {U: {mass: 1, %s, position: %s, material: a, shapes: [{box: {size: %s}}]}}\n"
                "loads: {p: {body: U, %s: \"50 N + 100 N*t/(1 s)\"}}\nprobes: {rise: {body: U, quantity: %s}, f: {contact_force: U, quantity: %s}}\n",
                axes(dimension, "[0.2, 0.1]", "[0.2, 0.2, 0.1]"), axes(dimension, "[5, 2]", "[5, 5, 2]"),
                axes(dimension, "inertia: 0.02", "inertia_tensor: [0.02, 0.02, 0.02, 0, 0, 0]"), axes(dimension, "[0, 0.05]", "[0, 0, 0.05]"), size,
                axes(dimension, "y", "z"), axes(dimension, "y", "z"), axes(dimension, "y", "z"));
            write_head(text, sizeof text, dimension, BY[k < 3 ? 0 : k - 2], more);
            char *gravity = strstr(text, "-10"), *law = strstr(text, "{friction: 0.2}");
            memcpy(gravity, "0.0", 3);
            char whole[3000];
            (void)snprintf(whole, sizeof whole, "%.*s{friction: 0.3, law: cohesion, force: 100 N, distance: 0.1 mm}%s", (int)(law - text), text,
                           law + strlen("{friction: 0.2}"));
            lab l = open_lab(whole, 1);
            const double start = lab_probe(&l, "rise");
            double most = 0;
            while (talus_world_time(l.world) < 0.6 && lab_probe(&l, "rise") - start < 1.2e-4) {
                (void)lab_step(&l);
                most = fmax(most, -lab_probe(&l, "f"));
            }
            CHECK_NEAR(talus_world_time(l.world), 0.5 + cbrt(6 * 1e-4 / 100), 4e-3);
            CHECK_NEAR(most, 100, 0.5);
            close_lab(&l);
        }
}

int main(int argc, char **argv)
{
    RUN(a_box_on_a_slab);
    RUN(a_block_on_a_slab);
    RUN(a_box_comes_onto_a_slab);
    RUN(a_block_over_rims);
    RUN(slivers_bear_and_sides_stop);
    RUN(bars_end_to_end);
    RUN(flush_blocks);
    RUN(a_plate_that_is_pulled_off);
    return TEST_RESULT;
}
