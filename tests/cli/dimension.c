/* What belongs to the other dimension is refused at its place: it was read and ignored once, and a planar scene with gravity along z floated. */
#include "scenes.h"

#define PLANE "time: {end: 1 s}\n"
#define SPACE "dimension: 3\ntime: {end: 1 s}\n"
#define STEEL "materials: {s: {density: 7800 kg/m^3}}\n"

TEST(numbers_of_a_vector)
{
    refused(PLANE "gravity: [0, 0, -9.81 m/s^2]\n", "scene.yaml:2:10", "two numbers in the plane");
    refused(SPACE "gravity: [0, -9.81 m/s^2]\n", "scene.yaml:3:10", "three numbers in space");
    refused(PLANE "bodies:\n  a: {kind: fixed, position: [0, 1, 7]}\n", "scene.yaml:3:30", "two numbers in the plane");
    refused(SPACE "bodies:\n  a: {kind: fixed, position: [0, 1]}\n", "scene.yaml:4:30", "three numbers in space");
    refused(PLANE STEEL "bodies:\n  a: {shapes: [{box: {size: [1, 2, 3], material: s}}]}\n", "scene.yaml:4:29", "two numbers");
    refused(SPACE STEEL "bodies:\n  a: {shapes: [{polyhedron: {points: [[0, 0, 0], [1, 0, 0], [0, 1], [0, 0, 1]], material: s}}]}\n", "scene.yaml:5:61",
            "three numbers");
}

TEST(keys)
{
    refused(PLANE "bodies:\n  a: {kind: fixed, spin: [0, 0, 5]}\n", "scene.yaml:3:20", "'spin' is for space; this scene is in the plane");
    refused(PLANE "bodies:\n  a: {kind: fixed, spin: [0, 0, 5]}\n", "scene.yaml:3:20", "'angular_velocity'");
    refused(SPACE "bodies:\n  a: {kind: fixed, angular_velocity: 3 rad/s}\n", "scene.yaml:4:20", "'angular_velocity' is for the plane");
    refused(SPACE "bodies:\n  a: {kind: fixed, angle: 1 rad}\n", "scene.yaml:4:20", "where it is 'orientation'");
    refused(SPACE "bodies:\n  a: {mass: 1, inertia: 5}\n", "scene.yaml:4:16", "where it is 'inertia_tensor'");
    refused(SPACE "bodies:\n  m: {kind: imposed, motion: {angle: 3 rad/s * t}}\n", "scene.yaml:4:31", "where it is 'turn'");
    refused(PLANE "bodies:\n  m: {kind: imposed, motion: {z: 3 m/s * t}}\n", "scene.yaml:3:31", "'z' is for space");
    refused(SPACE "materials: {s: {density: 1, thickness: 3 mm}}\n", "scene.yaml:3:29", "'thickness' is for the plane");
    refused(PLANE STEEL "bodies:\n  a: {shapes: [{sphere: {radius: 1 cm, material: s}}]}\n", "scene.yaml:4:17", "where it is 'disk'");
    refused(SPACE STEEL "bodies:\n  a: {shapes: [{disk: {radius: 1 cm, material: s}}]}\n", "scene.yaml:5:17", "where it is 'sphere'");
    refused(PLANE "bodies:\n  a: {mass: 1, inertia: 1}\nloads: {l: {body: a, z: 1 N}}\n", "scene.yaml:4:22", "'z' is for space");
    refused(PLANE STEEL "grains: {g: {generator: lattice, rows: 1, columns: 1, layers: 2, spacing: 1, radius: 1 mm, material: s}}\n", "scene.yaml:3:55",
            "'layers' is for space");
    refused(PLANE STEEL "grains: {g: {generator: lattice, rows: 1, columns: 1, spacing: 1, radius: 1 mm, shape: sphere, material: s}}\n", "scene.yaml:3:88",
            "'sphere' in space only");
}

/* The penalty scheme and what it needs are of the plane, and so are rounded boxes and the hexagonal lattice; a planar hopper has no round walls, and planar
 * axes are all along z. */
TEST(keys_that_would_do_nothing)
{
    refused(SPACE "integrator: {scheme: penalty_rk4}\n", "scene.yaml:3:22", "'penalty_rk4' in the plane only");
    refused(SPACE "interactions: [{friction_velocity: 1 mm/s}]\n", "scene.yaml:3:17", "'friction_velocity' is for the plane");
    refused(SPACE "bodies: {a: {mass: 1, inertia_tensor: [1, 1, 1]}}\nropes: {r: {bodies: [ground, a], stiffness: 1 N/m}}\n", "scene.yaml:4:34",
            "'stiffness' is for the plane");
    refused(SPACE "bodies: {a: {mass: 1, inertia_tensor: [1, 1, 1]}}\nropes: {r: {bodies: [ground, a], damping: 1}}\n", "scene.yaml:4:34",
            "'damping' is for the plane");
    refused(SPACE STEEL "bodies: {a: {kind: fixed, shapes: [{box: {size: [1, 1, 1], radius: 1 mm, material: s}}]}}\n", "scene.yaml:4:60",
            "'radius' is for the plane");
    refused(SPACE STEEL "grains: {g: {generator: lattice, rows: 1, columns: 1, spacing: 1, pattern: hexagonal, radius: 1 mm, material: s}}\n",
            "scene.yaml:4:76", "'hexagonal' in the plane only");
    refused(PLANE STEEL "bodies: {a: {kind: fixed, shapes: [{hopper: {outlet: 1, inlet: 2, height: 1, thickness: 0.1, tolerance: 1 mm, material: s}}]}}\n",
            "scene.yaml:3:94", "'tolerance' is for space");
    refused(PLANE "mechanisms:\n  m:\n    bodies: {a: {mass: 1}, b: {mass: 1}}\n    joints: {A: {type: revolute, parent: ground, child: a}, B: {type: planar, "
                  "parent: ground, child: b}}\n    loops: {l: {type: hinge, bodies: [a, b], axes: [[0, 0, 1], [0, 0, 1]]}}\n",
            "scene.yaml:6:46", "'axes' is for space");
}

TEST(quantities_of_probes)
{
    refused(PLANE "bodies: {a: {mass: 1, inertia: 1}}\nprobes: {p: {body: a, quantity: vz}}\n", "scene.yaml:3:33", "'vz' in space only");
    refused(PLANE "bodies: {a: {mass: 1, inertia: 1}}\nprobes: {p: {contact_force: a, quantity: z}}\n", "scene.yaml:3:42", "'z' in space only");
    refused(SPACE "bodies: {a: {mass: 1, inertia_tensor: [1, 1, 1]}}\nprobes: {p: {body: a, quantity: angle}}\n", "scene.yaml:4:33",
            "'angle' in the plane only");
}

/* An axis across the plane has three numbers there too; what a number says that is not of the scene's dimension is in the reference. */
TEST(what_stays)
{
    accepted_without(PLANE "mechanisms:\n  m:\n    bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n    joints:\n"
                           "      R: {type: revolute, parent: ground, child: a, axis: [0, 0, 1]}\n"
                           "      P: {type: prismatic, parent: a, child: b, axis: [0, 1]}\n",
                     "plane");
    CHECK(talus("schema") == 0);
    CHECK(strstr(said, "| `spin` | rad/s (list) | [0, 0, 0] | space: ") && strstr(said, "angle (plane)"));
    CHECK(talus("schema --json") == 0);
    CHECK(strstr(said, "\"spin\": {\"description\": \"space only") && strstr(said, "\"maxItems\": 3"));
}

int main(int argc, char **argv)
{
    make_folder();
    RUN(numbers_of_a_vector);
    RUN(keys);
    RUN(keys_that_would_do_nothing);
    RUN(quantities_of_probes);
    RUN(what_stays);
    remove_folder();
    return TEST_RESULT;
}
