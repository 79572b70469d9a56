/* talus import: its options, what it says of a URDF that it does not understand or that is wrong, meshes, and that what it writes runs. */
#include <stdint.h>

#include "command.h"

#define TALUS(...) execute((const char *const[]){__VA_ARGS__, NULL}, RLIM_INFINITY)
/* Of home/robot.urdf, which is written, to home/robot.yaml. */
#define IMPORT(text, ...) (put("robot.urdf", text), TALUS("import", in_home("robot.urdf"), "-o", in_home("robot.yaml"), "--force", ##__VA_ARGS__))

/* On stderr with the place in the URDF, and at the head of the scene with the line. */
static bool notes(int line, const char *what)
{
    char place[600], comment[600];
    snprintf(place, sizeof place, "robot.urdf:%d:", line);
    snprintf(comment, sizeof comment, "#   %d: %s", line, what);
    return says("errors", place) && says("errors", what) && says("robot.yaml", comment);
}

static void put(const char *name, const char *text)
{
    FILE *out = fopen(in_home(name), "w");
    if (!out || fputs(text, out) < 0 || fclose(out) != 0) TEST_STOP("cannot write '%s'", name);
}

static bool is_there(const char *name) { return access(in_home(name), F_OK) == 0; }

#define INERTIAL   "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>"
#define LINK(name) "<link name=\"" name "\">" INERTIAL "</link>\n"
#define JOINT(name, type, parent, child, rest)                                                                                                                 \
    "<joint name=\"" name "\" type=\"" type "\"><parent link=\"" parent "\"/><child link=\"" child "\"/>" rest "</joint>\n"
#define COLLISION(geometry) "<collision><geometry>" geometry "</geometry></collision>"

/* ---- what runs -------------------------------------------------------------------------------------------------------- */

static const char ARM[] =
    "<robot name=\"arm\">\n" LINK("base") "<link name=\"upper\">" INERTIAL COLLISION("<cylinder radius=\"0.1\" length=\"0.4\"/>") "</link>\n" JOINT(
        "hinge", "revolute", "base", "upper",
        "<axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\" effort=\"20\" velocity=\"3\"/><dynamics damping=\"0.5\"/>") "</robot>\n";

TEST(runs)
{
    char out[256];
    snprintf(out, sizeof out, "%s", in_home("out"));
    CHECK(IMPORT(ARM) == 0 && says("errors", "robot.yaml is written: talus run"));
    CHECK(notes(4, "limits of effort and velocity are not used"));
    CHECK(TALUS("check", in_home("robot.yaml")) == 0 && says("output", "1 degrees of freedom, 1 probes"));
    CHECK(TALUS("run", in_home("robot.yaml"), "-u", "0.1", "-q", "-o", out) == 0 && is_there("out/series.csv"));
    CHECK(says("robot.yaml", "# not used: effort 20 N m, velocity 3 rad/s\n") && says("robot.yaml", "low: -1 rad, high: 1 rad, damping: 0.5 N m s/rad"));
    CHECK(!strstr(read_whole("robot.yaml"), "half_space") && says("robot.yaml", "{type: fixed, parent: ground, child: base, at: [0, 0, 0]}"));
}

TEST(options)
{
    char scene[256], bag[256];
    snprintf(scene, sizeof scene, "%s", in_home("new.yaml"));
    snprintf(bag, sizeof bag, "%s", in_home("nowhere"));
    CHECK(IMPORT(ARM, "--free", "--at", "1,2 m,-0.5", "--floor", "-2 m") == 0);
    CHECK(says("robot.yaml", "{type: free, parent: ground, child: base, position: {x: 1 m, y: 2 m, z: -0.5 m}}") && says("robot.yaml", "point: [0, 0, -2 m]"));
    CHECK(IMPORT(ARM, "-F") == 0 && says("robot.yaml", "type: free"));
    CHECK(IMPORT(ARM, "--at", "0,0,0.3") == 0 && says("robot.yaml", "child: base, at: [0, 0, 0.3 m]}"));
    CHECK(TALUS("import", in_home("robot.urdf"), "--output", scene) == 0);
    CHECK(TALUS("import", in_home("robot.urdf"), "-o", scene) == 2 && says("errors", "is there already; --force overwrites it"));
    CHECK(TALUS("import", in_home("robot.urdf"), "-f", "-o", scene) == 0);
    CHECK(TALUS("import", in_home("robot.urdf")) == 2 && says("errors", "where to? -o SCENE.yaml"));
    CHECK(TALUS("import", "-o", scene) == 2 && says("errors", "which robot? a URDF"));
    CHECK(TALUS("import", "a.urdf", "b.urdf", "-o", scene) == 2 && says("errors", "one robot at a time"));
    CHECK(TALUS("import", in_home("robot.urdf"), "-f", "-o", in_home("robot.urdf")) == 2 && says("errors", "-o is the URDF itself"));
    CHECK(IMPORT(ARM, "--package", bag) == 2 && says("errors", "there is no directory '") && says("errors", "nowhere"));
    CHECK(IMPORT(ARM, "--meshes", "soft") == 2 && says("errors", "--meshes is hull, surface or none, not 'soft'"));
    CHECK(IMPORT(ARM, "--floor", "low") == 2 && says("errors", "--floor wants a height in metres, not 'low'"));
    CHECK(IMPORT(ARM, "--at", "1,2") == 2 && says("errors", "--at wants three lengths in metres, X,Y,Z, not '1,2'"));
    CHECK(IMPORT(ARM, "--at", "1,2,3,4") == 2 && IMPORT(ARM, "--floor", "nan") == 2 && IMPORT(ARM, "--floor", "1 mm") == 2);
    CHECK(IMPORT(ARM, "--speed") == 2 && says("errors", "not known"));
    CHECK(TALUS("import", in_home("missing.urdf"), "-f", "-o", scene) == 2 && says("errors", "cannot read '") && says("errors", "missing.urdf"));
    CHECK(TALUS("import", in_home("robot.urdf"), "-o", in_home("no/where.yaml")) == 2 && says("errors", "cannot write '"));
    CHECK(execute((const char *const[]){"import", in_home("robot.urdf"), "-f", "-o", scene, NULL}, 700) == 2 && says("errors", "cannot write '"));
}

/* ---- what is not used ------------------------------------------------------------------------------------------------- */

TEST(things_not_used)
{
    CHECK(IMPORT("<robot name=\"a.b\" xmlns:xacro=\"http://ros.org/wiki/xacro\">\n"
                 "<material name=\"red\"><color rgba=\"1 0 0 1\"/></material>\n"
                 "<link name=\"base\"/>\n"
                 "<link name=\"left/wheel\">" INERTIAL "<contact/>\n"
                 "<visual><geometry><mesh filename=\"x.dae\"/></geometry></visual></link>\n"
                 "<link name=\"left.wheel\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"3\"/></inertial></link>\n" JOINT(
                     "j", "continuous", "base", "left/wheel", "<limit lower=\"1\" effort=\"2\"/><calibration rising=\"0\"/>")
                     JOINT("k", "prismatic", "base", "left.wheel", "") "<link name=\"ground\"/>\n" JOINT(
                         "m", "revolute", "base", "ground", "<limit lower=\"1\" upper=\"-1\"/>") "<transmission name=\"t1\"><type>x</type></transmission>\n"
                                                                                                 "<gazebo reference=\"base\"><kp>1</kp></gazebo>\n"
                                                                                                 "<sensor name=\"eye&#10;ball\"/>\n"
                                                                                                 "<wonder/>\n"
                                                                                                 "</robot>\n") == 0);
    CHECK(notes(2, "colours and textures (<material>) are not used") && notes(4, "link 'left/wheel' is 'left_wheel' in the scene"));
    CHECK(notes(4, "<contact> of <link> is not used") && notes(4, "link 'left/wheel' has a <visual> and no <collision>"));
    CHECK(notes(6, "link 'left.wheel' is 'left_wheel_2' in the scene"));
    CHECK(notes(6, "no body has the principal moments of inertia of link 'left.wheel', 1, 1 and 3 kg m²") &&
          says("robot.yaml", "[1.5 kg m^2, 1.5 kg m^2, 3 kg m^2]"));
    CHECK(notes(7, "joint 'j' is continuous: its limits lower and upper are not used") && notes(7, "<calibration> of <joint> is not used"));
    CHECK(notes(7, "limits of effort and velocity are not used") && notes(8, "joint 'k' has no limits lower and upper"));
    CHECK(notes(9, "link 'ground' is 'ground_link' in the scene") && notes(10, "joint 'm' has a lower limit, 1, above its upper one, -1"));
    CHECK(notes(10, "nothing with inertia moves with joint 'm', which is written as a fixed one; give link 'ground' an <inertial>"));
    CHECK(notes(11, "<transmission t1> of <robot> is not used") && notes(12, "<gazebo base> of <robot> is not used"));
    CHECK(notes(13, "<sensor eye ball> of <robot> is not used") && notes(14, "<wonder> of <robot> is not used"));
    CHECK(TALUS("check", in_home("robot.yaml")) == 0);
}

/* Long names, of any letters, and what no terminal should get: every line of the comment can be read. */
TEST(letters)
{
    char text[2500], name[700] = "", wild[800];
    for (int i = 0; i < 250; i++) strcat(name, i % 2 ? "ü" : "漢");
    snprintf(wild, sizeof wild, "%s&#x85;&#xfeff;&#x10ffff;&#9;x", name);
    for (int shift = 0; shift < 3; shift++) {
        snprintf(text, sizeof text, "<robot name=\"%.*s%s\"><link name=\"%.*s%s\">" INERTIAL "<ü/></link></robot>\n", shift, "aaa", wild, shift, "aaa", name);
        CHECK(IMPORT(text) == 0 && says("errors", "<ü> of <link> is not used") && TALUS("check", in_home("robot.yaml")) == 0);
    }
}

TEST(more_not_used)
{
    CHECK(IMPORT("<robot name=\"r\"><link name=\"base\"/>" LINK("a") LINK("b") LINK("c") JOINT("a", "floating", "base", "a", "<dynamics damping=\"1\"/>")
                     JOINT("b", "continuous", "base", "b", "<mimic joint=\"a\"/>") JOINT(
                         "c", "continuous", "base", "c",
                         "<origin/><origin xyz=\"1 1 1\"/><dynamics damping=\"1\" spring=\"2\"/>") "<link name=\"d\"><inertial><mass "
                                                                                                   "value=\"2\"/></inertial><collision><geometry><torus/></"
                                                                                                   "geometry></collision></link>\n" JOINT(
                                                                                                       "d", "fixed", "c", "d", "") "</robot>\n") == 0);
    CHECK(notes(4, "<dynamics> of joint 'a' is not used: it has several coordinates"));
    CHECK(notes(5, "joint 'b' mimics 'a', which does not move in one coordinate: it is free of it"));
    CHECK(notes(6, "<joint> has a second <origin>; the first one in line 6 counts") && notes(6, "attribute 'spring' of <dynamics> is not used"));
    CHECK(notes(7, "<torus> of <geometry> is not used") && notes(7, "this <geometry> has no shape that is known") &&
          notes(7, "<inertial> of link 'd' has no <inertia>: its mass is in one point"));
}

/* ---- what is wrong ---------------------------------------------------------------------------------------------------- */

TEST(not_a_robot)
{
    static const char *const WRONG[][2] = {
        {"<robot name=\"x\">\n  <link name=\"a\">\n  </link\n</robot>\n", "robot.urdf:4:1: this is no XML: not well-formed"},
        {"<robot>\n<link name=\"a\"></joint></robot>\n", "robot.urdf:2:18: this is no XML: mismatched tag"},
        {"<robot><link name=\"a\"/>\n", "robot.urdf:2:1: this is no XML: no element found"},
        {"", "this is no XML: no element found"},
        {"<sdf version=\"1\"/>\n", "robot.urdf:1:1: a URDF is one <robot>, and this is a <sdf>"},
        {"<robot name=\"x\"/>\n", "robot.urdf:1:1: this robot has no link"},
        {"<robot>\n <xacro:include filename=\"a\"/></robot>\n", "robot.urdf:2:2: 'xacro:include' is of xacro"},
        {"<robot>\n <link name=\"${side}_wheel\"/></robot>\n", "robot.urdf:2:2: '${side}_wheel' is of xacro, whose macros ROS expands: xacro IN > OUT.urdf"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) CHECK(IMPORT(WRONG[i][0]) == 2 && says("errors", WRONG[i][1]));
    CHECK(!is_there("robot.yaml")); /* nothing is written */
}

/* Every mistake is named, with its line. */
TEST(mistakes)
{
    CHECK(IMPORT("<robot name=\"r\">\n"
                 "<link name=\"a\"><inertial><mass value=\"-1\"/><inertia ixx=\"1\" iyy=\"1\"/></inertial></link>\n"
                 "<link name=\"a\"><inertial><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\n"
                 "<link><collision/></link>\n"
                 "<link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"4\"/></inertial></link>\n"
                 "<link name=\"c\"><collision><origin xyz=\"0 zero 0\"/><geometry><box size=\"1 1\"/></geometry></collision></link>\n"
                 "<link name=\"d\">" COLLISION("<box size=\"1 0 1\"/>") COLLISION("<box/>")
                     COLLISION("<sphere radius=\"-1\"/>") "</link>\n"
                                                          "<link name=\"e\">" COLLISION("<cylinder radius=\"inf\"/>") COLLISION("<mesh/>")
                                                              COLLISION("<mesh filename=\"x.stl\" scale=\"1 0 1\"/>") "</link>\n" JOINT(
                                                                  "j", "hinge", "a", "nothing",
                                                                  "") "<joint name=\"k\"><parent/></joint>\n" JOINT("l", "revolute", "a", "b",
                                                                                                                    "<axis xyz=\"0 0 0\"/><dynamics "
                                                                                                                    "damping=\"-1\"/>") "</robot>\n") == 2);
    static const char *const SAID[] = {":2:26: link 'a' has a negative mass: -1 kg",
                                       ":2:44: <inertia> has no attribute 'izz'",
                                       ":3:1: there are two links named 'a': the other in line 2",
                                       ":3:16: <inertial> of link 'a' has no <mass>",
                                       ":4:1: <link> has no name",
                                       ":4:7: <collision> of link '' has no <geometry>",
                                       ":5:43: link 'b' has a negative principal moment of inertia: -3",
                                       ":6:27: xyz of <origin> wants three finite numbers, not '0 zero 0'",
                                       ":6:61: size of <box> wants three finite numbers, not '1 1'",
                                       ":7:37: size of <box> is 1 0 1; all three must be positive",
                                       "<box> has no attribute 'size'",
                                       "radius of <sphere> is -1; it must be positive",
                                       ":8:37: radius of <cylinder> wants a finite number, not 'inf'",
                                       "<cylinder> has no attribute 'length'",
                                       "<mesh> has no attribute 'filename'",
                                       "scale of <mesh> is 1 0 1; none may be zero",
                                       ":9:1: joint 'j' has the type 'hinge'; a URDF knows revolute",
                                       ":9:48: there is no link 'nothing'",
                                       ":10:17: <parent> names no link",
                                       ":10:1: this joint has no <child>",

                                       ":11:68: the axis of joint 'l' is zero",
                                       "joint 'l' has damping -1 and friction 0; neither may be negative",
                                       "mistakes; nothing is written"};
    for (size_t i = 0; i < sizeof SAID / sizeof *SAID; i++) CHECK(says("errors", SAID[i]));
    CHECK(!is_there("robot.yaml"));
}

TEST(trees)
{
    static const char *const WRONG[][2] = {
        {"<robot>" LINK("a") LINK("b") "</robot>", ":2:1: neither link 'a' nor link 'b' is the child of a joint"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "a", "b", "") "</robot>",
         ":4:1: link 'b' hangs on joint 'j' already; a URDF is a tree"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "b", "a", "") "</robot>",
         "they hang in a circle, and nothing is the root"},
        {"<robot>" LINK("a") LINK("b") LINK("c") JOINT("j", "fixed", "c", "b", "") JOINT("k", "fixed", "b", "c", "") "</robot>",
         ":2:1: link 'b' hangs in a circle of joints, not on the root 'a'"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "continuous", "a", "b", "<mimic joint=\"k\"/>") "</robot>", "there is no joint 'k' to mimic"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "continuous", "a", "b", "<mimic/>") "</robot>", "<mimic> names no joint"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "continuous", "a", "b", "<mimic joint=\"j\"/>") "</robot>", "joint 'j' mimics itself, or joints"},
        {"<robot>" LINK("a") LINK("b") LINK("c") JOINT("j", "continuous", "a", "b", "<mimic joint=\"k\"/>")
             JOINT("k", "continuous", "a", "c", "<mimic joint=\"j\"/>") "</robot>",
         "joint 'k' mimics itself, or joints that mimic one another in a circle"},
        /* what only the world sees: two slides along one line, nothing between them */
        {"<robot>" LINK("a") "<link name=\"b\"/>" LINK("c") JOINT("j", "prismatic", "a", "b", "<limit lower=\"0\" upper=\"1\"/>")
             JOINT("k", "prismatic", "b", "c", "<limit lower=\"0\" upper=\"1\"/>") "</robot>",
         "the scene is written, and does not run yet"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) CHECK(IMPORT(WRONG[i][0]) == 2 && says("errors", WRONG[i][1]));
}

/* ---- meshes ----------------------------------------------------------------------------------------------------------- */

/* Cuboids by their lower and upper corners, as OBJ; `open`: without the last two triangles. */
static void put_cuboids(const char *name, const double (*corner)[2][3], int count, bool open)
{
    static const int FACE[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    FILE *out = fopen(in_home(name), "w");
    if (!out) TEST_STOP("cannot write '%s'", name);
    for (int c = 0; c < count; c++)
        for (int i = 0; i < 8; i++) fprintf(out, "v %g %g %g\n", corner[c][i & 1][0], corner[c][i >> 1 & 1][1], corner[c][i >> 2][2]);
    for (int c = 0; c < count; c++)
        for (int f = 0; f < (open ? 10 : 12); f++) fprintf(out, "f %d %d %d\n", 8 * c + FACE[f][0] + 1, 8 * c + FACE[f][1] + 1, 8 * c + FACE[f][2] + 1);
    fclose(out);
}

/* An L of three unit cubes, extruded from its outline: volume 3, that of its hull 3.5. */
static void put_angle(const char *name)
{
    static const char OUTLINE[] = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n"
                                  "f 6 5 4\nf 6 4 1\nf 1 4 3\nf 1 3 2\nf 12 10 11\nf 12 7 10\nf 7 9 10\nf 7 8 9\n"
                                  "f 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";
    put(name, OUTLINE);
}

static void put_binary(const char *name)
{
    static const int FACE[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    const float corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, normal[3] = {0};
    const char head[80] = "a binary file";
    const uint32_t count = 4;
    FILE *out = fopen(in_home(name), "wb");
    if (!out) TEST_STOP("cannot write '%s'", name);
    fwrite(head, 1, sizeof head, out), fwrite(&count, sizeof count, 1, out);
    for (int f = 0; f < 4; f++) {
        fwrite(normal, sizeof normal, 1, out);
        for (int k = 0; k < 3; k++) fwrite(corner[FACE[f][k]], sizeof corner[0], 1, out);
        fwrite("\0", 1, 2, out);
    }
    fclose(out);
}

#define MESHED(file) "<robot name=\"r\">\n<link name=\"a\">" INERTIAL "\n" COLLISION("<mesh filename=\"" file "\"/>") "</link></robot>\n"

TEST(hulls)
{
    put_angle("angle.obj");
    CHECK(IMPORT(MESHED("angle.obj")) == 0);
    CHECK(notes(3, "mesh 'angle.obj' of link 'a' becomes its convex hull: 3.5 m³ instead of 3 m³, 16.7 % more"));
    CHECK(says("robot.yaml", "- polyhedron: {file: \"robot-meshes/a-1.obj\"}") && is_there("robot-meshes/a-1.obj"));
    CHECK(IMPORT(MESHED("angle.obj"), "--meshes", "surface") == 0 && says("robot.yaml", "- mesh: {file: \"robot-meshes/a-1.obj\", facing: outward}"));
    CHECK(!strstr(read_whole("errors"), "convex hull"));
    CHECK(IMPORT(MESHED("angle.obj"), "--meshes", "none") == 0 && notes(3, "mesh 'angle.obj' of link 'a' is left out: --meshes none"));
    CHECK(!strstr(read_whole("robot.yaml"), "file:"));
    /* two cuboids apart are two hulls, and nothing is lost; with a hole one hull, of which nothing can be said */
    const double two[2][2][3] = {{{0, 0, 0}, {1, 1, 1}}, {{3, 0, 0}, {4, 2, 1}}};
    put_cuboids("two.obj", two, 2, false);
    CHECK(IMPORT(MESHED("two.obj")) == 0 && says("robot.yaml", "robot-meshes/a-1.1.obj") && says("robot.yaml", "robot-meshes/a-1.2.obj"));
    CHECK(!strstr(read_whole("errors"), "hull") && TALUS("check", in_home("robot.yaml")) == 0);
    put_cuboids("open.obj", two, 2, true);
    CHECK(IMPORT(MESHED("open.obj")) == 0);
    CHECK(notes(
        3, "mesh 'open.obj' of link 'a' becomes its convex hull, 6.5 m³; its surface is open, and has no volume to compare")); /* by its outline (0, 0), (4, 0),
                                                                                                                                  (4, 2), (3, 2), (0, 1) */
    put_binary("tip.STL");
    CHECK(IMPORT(MESHED("tip.STL")) == 0 && says("robot.yaml", "polyhedron") && !strstr(read_whole("errors"), "note"));
}

/* Packages lie around the URDF, or where --package says; other files beside it. */
TEST(where_meshes_are)
{
    char folder[256];
    static const char *const FOLDERS[] = {"bag", "bag/meshes", "bag/urdf", "far", "far/box", "far/box/meshes"};
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++)
        if (mkdir(in_home(FOLDERS[i]), 0777) != 0) TEST_STOP("no directory");
    put_binary("bag/meshes/tip.stl");
    put_binary("far/box/meshes/tip.stl");
    put("bag/urdf/robot.urdf", MESHED("package://bag/meshes/tip.stl"));
    CHECK(TALUS("import", in_home("bag/urdf/robot.urdf"), "-o", in_home("bag.yaml")) == 0 && says("bag.yaml", "polyhedron") && is_there("bag-meshes/a-1.obj"));
    snprintf(folder, sizeof folder, "%s", in_home("far/"));
    CHECK(IMPORT(MESHED("package://box/meshes/tip.stl")) == 0 &&
          notes(3, "mesh 'package://box/meshes/tip.stl' of link 'a' is left out: there is no such file; --package DIR says where packages are"));
    CHECK(IMPORT(MESHED("package://box/meshes/tip.stl"), "--package", home, "-p", folder) == 0 && says("robot.yaml", "polyhedron"));
    snprintf(folder, sizeof folder, "%s", in_home("far/box"));
    CHECK(IMPORT(MESHED("model://box/meshes/tip.stl"), "-p", folder) == 0 && says("robot.yaml", "polyhedron"));
    CHECK(IMPORT(MESHED("meshes/tip.stl"), "-p", folder) == 0 && says("robot.yaml", "polyhedron"));
    CHECK(IMPORT(MESHED("bag/meshes/tip.stl")) == 0 && says("robot.yaml", "polyhedron"));
    char text[800];
    snprintf(text, sizeof text, "<robot>\n<link name=\"a\">" INERTIAL "\n" COLLISION("<mesh filename=\"file://%s\"/>") "</link></robot>\n",
             in_home("bag/meshes/tip.stl"));
    CHECK(IMPORT(text) == 0 && says("robot.yaml", "polyhedron"));
}

TEST(meshes_that_are_wrong)
{
    put("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n");
    put("torn.stl", "solid x\nfacet\nvertex 0 0\n");
    put("model.dae", "<COLLADA/>\n");
    CHECK(IMPORT(MESHED("model.dae")) == 0 && notes(3, "mesh 'model.dae' of link 'a' is left out: talus reads STL and OBJ; export it as one of these"));
    CHECK(IMPORT(MESHED("gone.stl")) == 0 && notes(3, "mesh 'gone.stl' of link 'a' is left out: there is no such file beside the URDF"));
    CHECK(IMPORT(MESHED("torn.stl")) == 0 && notes(3, "mesh 'torn.stl' of link 'a' is left out: ") && says("errors", "three finite numbers are wanted here"));
    CHECK(IMPORT(MESHED("flat.obj")) == 0 && notes(3, "all of mesh 'flat.obj' of link 'a' is left out, for it has no hull: ") &&
          says("errors", "lie in one plane"));
    put("line.obj", "v 0 0 0\nv 1 0 0\nv 3 0 0\nv 4 0 0\nf 1 2 3\nf 2 3 4\n");
    CHECK(IMPORT(MESHED("line.obj")) == 0 && notes(3, "all of mesh 'line.obj' of link 'a' is left out, for it has no hull: ") &&
          says("errors", "lie on one line"));
    CHECK(!is_there("robot-meshes/a-1.obj"));
    CHECK(TALUS("check", in_home("robot.yaml")) == 0);
    put_angle("angle.obj");
    put("other-meshes", "in the way");
    put("robot.urdf", MESHED("angle.obj"));
    CHECK(TALUS("import", in_home("robot.urdf"), "-f", "-o", in_home("other.yaml")) == 2 && says("errors", "cannot write '") &&
          says("errors", "other-meshes/a-1.obj"));
}

/* Names of links that differ in signs only, files of one name in two directories, and pieces beside shapes: no mesh is written over another. */
TEST(meshes_of_like_names)
{
    static const char *const FILES[] = {"a-1-1.obj", "a-1.1.obj", "a-1.2.obj", "a-2.obj", "a_1-1.obj", "a_1_2-1.obj"};
    static const double WIDTH[] = {5, 1, 1, 2, 6, 7}; /* along x */
    const double two[2][2][3] = {{{0, 0, 0}, {1, 1, 1}}, {{3, 0, 0}, {4, 2, 1}}},
                 box[4][1][2][3] = {{{{0, 0, 0}, {2, 1, 1}}}, {{{0, 0, 0}, {5, 1, 1}}}, {{{0, 0, 0}, {6, 1, 1}}}, {{{0, 0, 0}, {7, 1, 1}}}};
    CHECK(mkdir(in_home("left"), 0777) == 0 && mkdir(in_home("right"), 0777) == 0);
    put_cuboids("two.obj", two, 2, false);
    put_cuboids("left/box.obj", box[0], 1, false);
    put_cuboids("right/box.obj", box[1], 1, false);
    put_cuboids("left/box.v2.obj", box[2], 1, false);
    put_cuboids("right/box.v2.obj", box[3], 1, false);
    CHECK(IMPORT("<robot>\n<link name=\"a\">" INERTIAL COLLISION("<mesh filename=\"two.obj\"/>") COLLISION(
              "<mesh filename=\"left/box.obj\"/>") "</link>\n"
                                                   "<link name=\"a-1\">" INERTIAL COLLISION(
                                                       "<mesh filename=\"right/box.obj\"/>") "</link>\n"
                                                                                             "<link name=\"a.1\">" INERTIAL COLLISION(
                                                                                                 "<mesh "
                                                                                                 "filename=\"left/box.v2.obj\"/"
                                                                                                 ">") "</link>\n"
                                                                                                      "<link "
                                                                                                      "name=\"a/1\">" INERTIAL COLLISION(
                                                                                                          "<mesh "
                                                                                                          "filename="
                                                                                                          "\"right/"
                                                                                                          "box.v2."
                                                                                                          "obj\"/>") "</link>\n" JOINT("j", "fixed", "a", "a-1",
                                                                                                                                       "")
                                                                                                          JOINT("k", "fixed", "a", "a.1", "")
                                                                                                              JOINT("l", "fixed", "a", "a/1", "") "</"
                                                                                                                                                  "robot>"
                                                                                                                                                  "\n") == 0);
    for (int i = 0; i < 6; i++) {
        char name[100], reference[120];
        double low = 1e9, high = -1e9;
        snprintf(name, sizeof name, "robot-meshes/%s", FILES[i]);
        snprintf(reference, sizeof reference, "{file: \"%s\"}", name);
        CHECK(says("robot.yaml", reference));
        const char *text = read_whole(name);
        for (const char *v = text; (v = strstr(v, "\nv ")); v += 3) low = fmin(low, atof(v + 3)), high = fmax(high, atof(v + 3));
        CHECK_NEAR(high - low, WIDTH[i], 1e-9);
    }
    CHECK(TALUS("check", in_home("robot.yaml")) == 0);
}

/* A multiplier of 0 is a joint that stands at the offset, whatever the other does, even where that is held itself, or moves nothing. */
TEST(mimics_by_zero)
{
    CHECK(IMPORT("<robot name=\"r\">\n" LINK("a") "<link name=\"b\"/>\n" LINK("c") LINK("d") JOINT("j", "continuous", "a", "b", "<axis xyz=\"0 1 0\"/>") JOINT(
              "k", "revolute", "a", "c", "<axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\"/><mimic joint=\"j\" multiplier=\"0\" offset=\"0.25\"/>")
                     JOINT("l", "prismatic", "a", "d",
                           "<axis xyz=\"1 0 0\"/><limit lower=\"-1\" upper=\"1\"/><mimic joint=\"k\" multiplier=\"2\"/>") "</robot>\n") == 0);
    CHECK(notes(7, "joint 'k' mimics 'j' with a multiplier of 0: it is held at 0.25") && says("robot.yaml", "k: {joint: k, position: 0.25 rad}"));
    CHECK(says("robot.yaml", "position: 0.25 rad}\n") && says("robot.yaml", "position: 0.5 m}\n") && !strstr(read_whole("robot.yaml"), "ratio: 0"));
    CHECK(TALUS("run", in_home("robot.yaml"), "-u", "0.01", "-q", "-f", "-o", in_home("zero")) == 0);
    const char *text = read_whole("zero/series.csv"), *last = strrchr(text, '\n');
    CHECK(last != NULL);
    for (last = last ? last - 1 : text; last > text && *last != '\n'; last--) {
    }
    CHECK(strstr(last, ",0.25") && strstr(last, ",0.5"));
}

/* Visuals stand in only where there is no collision. */
TEST(visuals)
{
    static const char TEXT[] = "<robot>\n<link name=\"a\">" INERTIAL "<visual><geometry><sphere radius=\"0.5\"/></geometry></visual></link>\n"
                               "<link name=\"b\">" INERTIAL "<visual><geometry><sphere radius=\"0.25\"/></geometry></visual>" COLLISION(
                                   "<box size=\"1 1 1\"/>") "</link>\n" JOINT("j", "fixed", "a", "b", "") "</robot>\n";
    CHECK(IMPORT(TEXT) == 0 && notes(2, "link 'a' has a <visual> and no <collision>: nothing touches it; --visuals takes that"));
    CHECK(!strstr(read_whole("robot.yaml"), "sphere"));
    CHECK(IMPORT(TEXT, "--visuals") == 0 && says("robot.yaml", "radius: 0.5 m") && !strstr(read_whole("robot.yaml"), "0.25 m") && says("robot.yaml", "box"));
}

int main(int argc, char **argv)
{
    make_home();
    RUN(not_a_robot);
    RUN(mistakes);
    RUN(trees);
    RUN(runs);
    RUN(options);
    RUN(things_not_used);
    RUN(letters);
    RUN(more_not_used);
    RUN(hulls);
    RUN(where_meshes_are);
    RUN(meshes_of_like_names);
    RUN(mimics_by_zero);
    RUN(visuals);
    RUN(meshes_that_are_wrong);
    remove_home();
    return TEST_RESULT;
}
