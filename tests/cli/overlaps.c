/* Bodies in one another at the start are named with place and depth; those whose middle lies in another are refused. */

#include "scenes.h"

#define PLANE "time: {end: 1 s}\nmaterials: {s: {density: 2700 kg/m^3}}\n"
#define SPACE "dimension: 3\n" PLANE
#define DISK  "shapes: [{disk: {radius: 10 mm, material: s}}]"
#define BALL  "shapes: [{sphere: {radius: 10 mm, material: s}}]"

/* Depth of two disks: the sum of their radii less the distance of their centres. */
TEST(two_disks)
{
    warned(PLANE "bodies:\n  a: {" DISK "}\n  b: {position: [16 mm, 0], " DISK "}\n", "scene.yaml:5:3: warning",
           "body 'a' and body 'b' overlap by 0.004 m at [0.008, 0]");
    refused(PLANE "bodies:\n  a: {" DISK "}\n  b: {position: [9 mm, 0], " DISK "}\n", "scene.yaml:5:3", "body 'a' and body 'b' overlap by 0.011 m");
    refused(PLANE "bodies:\n  a: {" DISK "}\n  b: {" DISK "}\n", "scene.yaml:5:3", "body 'a' and body 'b' overlap by 0.02 m");
    accepted_without(PLANE "bodies:\n  a: {" DISK "}\n  b: {position: [20 mm, 0], " DISK "}\n", "overlap");
    accepted_without(PLANE "bodies:\n  a: {" DISK "}\n  b: {position: [19.97 mm, 0], " DISK "}\n", "overlap");
    accepted_without(PLANE "interactions: [{enabled: false}]\nbodies:\n  a: {" DISK "}\n  b: {" DISK "}\n", "overlap");
}

TEST(floors_and_walls)
{
    const char *floor = PLANE "bodies:\n  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: s}}]}\n"
                              "grains:\n  g: {generator: list, positions: [[0, 1], [1, %s]], radius: 10 mm, material: s}\n";
    char text[1024];
    snprintf(text, sizeof text, floor, "7 mm");
    warned(text, "scene.yaml:6:3: warning", "body 'floor' and grain 2 of 'g' overlap by 0.003 m at [1, ");
    snprintf(text, sizeof text, floor, "-3 mm");
    refused(text, "scene.yaml:6:3", "body 'floor' and grain 2 of 'g' overlap by 0.013 m");
    snprintf(text, sizeof text, floor, "-5");
    refused(text, "scene.yaml:6:3", "body 'floor' and grain 2 of 'g' overlap by 5.01 m");
    refused(PLANE "bodies:\n  wall: {kind: fixed, shapes: [{box: {size: [1, 2], material: s}}]}\n  a: {position: [0.2, 0], " DISK "}\n", "scene.yaml:5:3",
            "body 'wall' and body 'a' overlap by 0.31 m");
}

TEST(in_space)
{
    warned(SPACE "bodies:\n  a: {" BALL "}\n  b: {position: [0, 0, 16 mm], " BALL "}\n", "scene.yaml:6:3: warning", "overlap by 0.004 m at [0, 0, 0.008]");
    refused(SPACE "bodies:\n  a: {" BALL "}\n  b: {position: [0, 0, 2 mm], " BALL "}\n", "scene.yaml:6:3", "overlap by 0.018 m");
    refused(SPACE
            "bodies:\n  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: s}}]}\n  a: {position: [0, 0, -1], " BALL
            "}\n",
            "scene.yaml:6:3", "overlap by 1.01 m");
}

/* Contacts are looked for at mid-step: what passes a thin thing before the first of these would be lost in silence. v h / 2 = 5 mm, and the disk has 4 mm to
 * go. */
TEST(passed_in_the_first_half_step)
{
    const char *bullet = "%stime: {end: 5 ms, step: 1 ms}\nmaterials: {s: {density: 1000}}\ninteractions: [{restitution: %d}]\nbodies:\n"
                         "  bullet: {position: [%s, 0%s], velocity: [10, 0%s], shapes: [{%s: {radius: 0.5 mm, material: s}}]}\n"
                         "  thin: {shapes: [{%s: {radius: 0.5 mm, material: s}}]}\n";
    char text[1024];
    for (int space = 0; space < 2; space++)
        for (int e = 0; e < 2; e++) {
            const char *head = space ? "dimension: 3\n" : "", *more = space ? ", 0" : "", *shape = space ? "sphere" : "disk";
            snprintf(text, sizeof text, bullet, head, e, "-5 mm", more, more, shape, shape);
            warned(text, "warning: body 'bullet' and body 'thin' pass through each other in the first half step", "start them farther apart");
            snprintf(text, sizeof text, bullet, head, e, "-7 mm", more, more, shape, shape);
            accepted_without(text, "pass through");
            snprintf(text, sizeof text, bullet, head, e, "5 mm", more, more, shape, shape);
            accepted_without(text, "pass through");
        }
}

/* The run says it too, and keeps it; it does not change what the run does. */
TEST(said_by_the_run)
{
    write_file("scene.yaml", "time: {end: 2 ms}\nmaterials: {s: {density: 2700 kg/m^3}}\nbodies:\n  a: {" DISK "}\n  b: {position: [16 mm, 0], " DISK "}\n");
    CHECK(talus("run scene.yaml -o run") == 0 && strstr(said, "overlap by 0.004 m"));
    CHECK(system("grep -q 'overlap by 0.004 m' run/summary.json") == 0);
}

/* A lattice of one group may be pressed together on purpose; what is put one by one may not. */
TEST(dense_lattice)
{
    const char *lattice = PLANE "grains:\n  g: {generator: lattice, rows: 3, columns: 3, spacing: 8 mm, radius: 10 mm, material: s}\n";
    warned(lattice, "scene.yaml:4:3: warning", "overlap by 0.012 m");
    refused(PLANE "grains:\n  g: {generator: list, positions: [[0, 0], [8 mm, 0]], radius: 10 mm, material: s}\n", "scene.yaml:4:3", "overlap by 0.012 m");
}

/* Of a hundred thousand grains each pair is counted, once: 316 · 315 beside each other and as many above. */
TEST(many_pairs)
{
    warned(PLANE "grains:\n  g: {generator: lattice, rows: 316, columns: 316, spacing: 9 mm, radius: 5 mm, material: s}\n", "warning",
           "199080 pairs of bodies overlap at the start");
}

/* The arm is 1 m: the sleeve cannot be at 0.9 m, and 1 m is what it gets where it may. */
TEST(coordinates_that_assembly_moves)
{
    const char *ram = "time: {end: 1 s}\nmechanisms:\n  m:\n    bodies: {slide: {mass: 1 kg, inertia: 1}, arm: {mass: 1 kg, inertia: 1}}\n    joints:\n"
                      "      P: {type: prismatic, parent: ground, child: slide, axis: [1, 0], position: %s}\n"
                      "      A: {type: revolute, parent: ground, child: arm, angle: %s}\n"
                      "    loops: {l: {type: point, bodies: [slide, arm], at: [[0, 0], [1, 0]]}}\n";
    char text[1024];
    snprintf(text, sizeof text, ram, "0.5 m", "60 deg");
    write_file("scene.yaml", text);
    const int code = talus("check scene.yaml");
    if (code != 2 && !line_with("warning: joint", "instead of")) TEST_FAIL("exit %d, it said: %s", code, said);
    snprintf(text, sizeof text, ram, "1 m", "0 deg");
    accepted_without(text, "instead of");
}

int main(int argc, char **argv)
{
    make_folder();
    RUN(two_disks);
    RUN(floors_and_walls);
    RUN(in_space);
    RUN(passed_in_the_first_half_step);
    RUN(said_by_the_run);
    RUN(dense_lattice);
    RUN(many_pairs);
    RUN(coordinates_that_assembly_moves);
    remove_folder();
    return TEST_RESULT;
}
