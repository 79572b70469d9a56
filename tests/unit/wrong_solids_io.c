/* Scenes with solids that are wrong: every mistake has its line and says what was expected, of a mesh the number of the element. And what is said of those that
 * are right, but probably meant otherwise. */
#include "solid_text.h"

/* What was said of a scene: its mistakes, or the warnings of what was built. Was it built? */
static bool say(const char *text, bool warnings, char out[ROOM])
{
    lab l = {load_lab(text), NULL};
    out[0] = '\0';
    if (talus_scene_mistake_count(l.scene) == 0) (void)!talus_scene_build(l.scene, 1, &l.world);
    for (int i = 0; i < talus_scene_mistake_count(l.scene) && !warnings; i++) put(out, "%s\n", talus_scene_mistake(l.scene, i));
    if (warnings && l.world && talus_scene_warnings(l.scene)) put(out, "%s", talus_scene_warnings(l.scene));
    const bool built = l.world != NULL;
    close_lab(&l);
    return built;
}

#define HEAD "time: {end: 1 s}\nmaterials: {stone: {density: 2700}}\nsolids:\n  s:\n"
#define BOX  HEAD "    box: {size: [20 cm, 10 cm], elements: 2}\n"
#define SOIL BOX "    material: {density: 2000, young: 1 MPa, poisson: 0.3}\n"

typedef struct wrong {
    const char *text;
    int line;
    const char *phrase;
} wrong;

static void expect(const wrong *list, size_t count)
{
    char said[ROOM], place[32];
    for (size_t i = 0; i < count; i++) {
        CHECK(!say(list[i].text, false, said));
        snprintf(place, sizeof place, ":%d:", list[i].line);
        const char *line = strstr(said, list[i].phrase);
        while (line && line > said && line[-1] != '\n') line--; /* where the line with the phrase begins */
        const char *at = line ? strstr(line, place) : NULL;
        if (!at || at > strstr(line, list[i].phrase)) TEST_FAIL("case %d: line %d and '%s' expected; it said: %s", (int)i, list[i].line, list[i].phrase, said);
    }
}
#define EXPECT(list) expect(list, sizeof list / sizeof *list)

TEST(boxes)
{
    static const wrong LIST[] = {
        {HEAD "    material: {density: 2000, young: 1 MPa}\n", 4, "either 'box' or 'mesh'"},
        {BOX "    mesh: a.msh\n", 4, "either 'box' or 'mesh'"},
        {BOX "    scale: 1 mm\n", 6, "'scale' is for a mesh from a file"},
        {HEAD "    box: {size: [20 cm, 0 cm], elements: 2}\n", 5, "sizes of a box must be positive"},
        {HEAD "    box: {size: [20 cm, 10 cm], elements: 1.5}\n", 5, "must be a whole number"},
        {HEAD "    box: {size: [20 cm, 10 cm], elements: 0}\n", 5, "between 1 and"},
        {HEAD "    box: {size: [20 cm, 10 cm], elements: [2, 2, 2]}\n", 5, "wants 2 numbers"},
        {HEAD "    box: {size: [20 cm, 10 cm], elements: 1e6}\n", 5, "nodes"},
        {HEAD "    box: {size: [20 cm, 10 cm], elements: 2, element: hexahedron8}\n", 5, "in space only"},
        {HEAD "    box: {size: [20 cm, 10 cm], elements: [2, 1], grading: {y: 2}}\n", 5, "one element only"},
        {HEAD "    box: {size: [20 cm, 10 s], elements: 2}\n", 5, "expected a length (m)"},
    };
    EXPECT(LIST);
}

TEST(materials)
{
    static const wrong LIST[] = {
        {BOX, 4, "'material' is missing here"},
        {BOX "    material: {density: 2000}\n", 6, "'young' is missing here"},
        {BOX "    material: {density: 2000, young: 1 MPa, poisson: 0.5}\n", 4, "poisson"},
        {BOX "    material: {young: 1 MPa, poisson: 0.3}\n", 6, "'density' is missing"},
        {BOX "    material: {density: 2000, young: 1 m, poisson: 0.3}\n", 6, "expected a pressure"},
        {BOX "    material: {density: 2000, young: 1 MPa, poisson: 0.3, cohesion: 1 kPa}\n", 6, "'elastic' has no 'cohesion'"},
        {BOX "    material: {kind: rubber, density: 2000, young: 1 MPa, poisson: 0.3}\n", 6, "drucker-prager"},
        {SOIL "    regions: {clay: {density: 2000, young: 1 MPa, poisson: 0.3}}\n", 7, "no group 'clay'; it has: left, right, bottom, top"},
        {SOIL "    regions: {top: {density: 2000, young: 1 MPa, poisson: 0.3}}\n", 7, "has no elements"},
        {SOIL "    damping: {ratio: 7 %}\n", 7, "two 'frequencies'"},
        {SOIL "    damping: {ratio: 7 %, frequencies: [20 Hz, 10 Hz]}\n", 7, "second frequency must be above"},
        {SOIL "    damping: {ratio: [1 %, 90 %], frequencies: [20 Hz, 21 Hz]}\n", 7, "ratios differ more than the frequencies"},
        {SOIL "    damping: {ratio: 7 %, frequencies: [10 Hz, 20 Hz], mass: 1}\n", 7, "either by 'mass' and 'stiffness'"},
        {SOIL "    damping: {mass: -1}\n", 7, "'mass' is -1"},
    };
    EXPECT(LIST);
}

/* What is told of the cap is where it begins to be right; of a box that is none of cubes, what it is cut into. */
TEST(numbers_that_are_told)
{
    static const char CAPPED[] =
        BOX "    material: {kind: drucker-prager, density: 2000, young: 1 MPa, poisson: 0.25, friction: 22 deg, cohesion: 50 kPa, tension: "
            "10 kPa, cap: %.9g, cap_ratio: 4, compaction: 0.2, hardening: 1e-6}\n";
    char text[ROOM], said[ROOM];
    snprintf(text, sizeof text, CAPPED, 10.0);
    CHECK(!say(text, false, said));
    const char *told = strstr(said, "here it must be above ");
    const double least = told ? strtod(told + strlen("here it must be above "), NULL) : 0;
    CHECK(least > 1e5 && strstr(said, "cap is 10 Pa") != NULL);
    for (int k = -1; k <= 1; k += 2) {
        snprintf(text, sizeof text, CAPPED, least * (1 + 1e-3 * k));
        CHECK(say(text, false, said) == (k > 0));
    }
    CHECK(!say(HEAD "    box: {size: [20 cm, 10 cm], elements: [4, 3]}\n    meshfree: {}\n    material: {density: 2000, young: 1 MPa, poisson: 0.3}\n", false,
               said));
    CHECK(strstr(said, "equal squares, and its first element is one of 0.05 m by 0.0333333 m") != NULL);
}

TEST(what_acts)
{
    static const wrong LIST[] = {
        {SOIL "    fixed: botom\n", 7, "did you mean 'bottom'?"},
        {SOIL "    fixed: [{group: left, along: z}]\n", 7, "'z' in space only"},
        {SOIL "    fixed: {group: left}\n", 7, "a list where there is more to say"},
        {SOIL "    motion: [{group: top}]\n", 7, "a motion wants x, y or z"},
        {SOIL "    motion: [{group: top, y: 1 mm}]\n", 7, "must begin with 0"},
        {SOIL "    fixed: left\n    motion: [{group: top, y: 1 mm*t/(1 s)}]\n", 8, "one of them moves it"},
        {SOIL "    loads: [{on: top}]\n", 7, "a load wants 'pressure'"},
        {SOIL "    loads: [{on: [], x: 1 kPa}]\n", 7, "'on' wants names; there are none"},
        {SOIL "    fixed: [{group: [], along: x}]\n", 7, "'group' wants names; there are none"},
        {SOIL "    fixed: [{group: left, along: []}]\n", 7, "'along' wants names; there are none"},
        {SOIL "    loads: [{on: roof, pressure: 1 kPa}]\n", 7, "no group 'roof'"},
        {SOIL "    loads: [{on: top, pressure: 1 kN}]\n", 7, "expected a pressure"},
        {SOIL "    force: {x: 1 kN}\n", 7, "N/m^3"},
        {SOIL "    absorb: [bottom, side]\n", 7, "no group 'side'"},
        {SOIL "    start: settled\n    fixed: [{group: bottom, along: y}]\n", 4, "move along x"},
        {SOIL "    contact: {material: sand}\n", 7, "there is no material 'sand'"},
        {SOIL "    contact: {surface: top}\n", 7, "'material' is missing"},
        {SOIL "    contact: {material: stone, as: edges}\n", 7, "edges"},
        {SOIL "    contact: {material: stone, surface: [tp]}\n", 7, "did you mean 'top'?"},
        {SOIL "ropes:\n  r: {bodies: [ground, s], at: [[0, 1], [0, 0]]}\n", 8, "a rope cannot end at a deformable solid yet, here 's'"},
        {SOIL "loads:\n  l: {body: s, x: 1 N}\n", 8, "acts on a node or a face of it"},
    };
    EXPECT(LIST);
}

#define JOINT(keys) SOIL "joints:\n  j: {" keys "}\nbodies: {b: {mass: 1 kg, inertia: 1 kg m^2}}\n"

TEST(joints)
{
    static const wrong LIST[] = {
        {JOINT("type: fixed, bodies: [s, b]"), 8, "joint 'j' is fixed, but a point of solid 's' has no directions; take one of revolute, distance, slot"},
        {JOINT("type: prismatic, bodies: [ground, s], axis: [1, 0]"), 8, "joint 'j' is prismatic, but a point of solid 's' has no directions"},
        {JOINT("type: slot, bodies: [s, b], axis: [1, 0]"), 8, "name the solid second"},
        {JOINT("bodies: [ground, s], at: [0, 5 cm]"), 8, "its point [0, 0.05, 0] lies outside of solid 's', by 0.05 m"},
        {JOINT("type: distance, bodies: [b, s], at: [1, 1], to: [0, -20 cm]"), 8, "lies outside of solid 's', by 0.1 m"},
        {JOINT("bodies: [b, s], angle: {friction: 1 N m}"), 8, "nothing acts in 'angle', for a point of solid 's' does not turn"},
        {JOINT("bodies: [s, s]"), 8, "joins a body to itself"},
        {JOINT("type: fixed, bodies: [s, s], group: top"), 8, "joins a body to itself"},
        {JOINT("type: fixed, bodies: [b, s], group: roof"), 8, "no group 'roof'"},
        {JOINT("type: fixed, bodies: [b, s], group: []"), 8, "'group' wants names; there are none"},
        {JOINT("bodies: [b, s], group: top"), 8, "nodes of a group are glued: type fixed"},
        {JOINT("type: fixed, bodies: [b, ground], group: top"), 8, "neither of the two bodies is one"},
        {SOIL "  t:\n    box: {size: [20 cm, 10 cm], elements: 2, at: [5 cm, 10 cm]}\n    material: {density: 2000, young: 1 MPa, poisson: 0.3}\n"
              "joints:\n  j: {type: fixed, bodies: [t, s], group: bottom}\n",
         11, "its point [0.15, 0, 0] lies outside of solid 's', by 0.05 m"},
        {JOINT("bodies: [ground, s]") "integrator: {scheme: generalized_alpha}\n", 1, "scheme 'generalized_alpha' knows no joints of deformable solids"},
    };
    EXPECT(LIST);
}

TEST(probes)
{
    static const wrong LIST[] = {
        {SOIL "probes:\n  p: {displacement: t, at: [0, 0]}\n", 8, "there is no solid 't'"},
        {SOIL "probes:\n  p: {displacement: s}\n", 8, "'at', or the mean of the nodes of groups, 'on'"},
        {SOIL "probes:\n  p: {displacement: s, at: [0, 0], on: top}\n", 8, "'at', or the mean of the nodes of groups, 'on'"},
        {SOIL "probes:\n  p: {displacement: s, on: []}\n", 8, "'on' wants names; there are none"},
        {SOIL "probes:\n  p: {displacement: s, at: [0, 5 cm]}\n", 8, "outside of solid 's', by 0.05 m"},
        {SOIL "probes:\n  p: {displacement: s, at: [0, 0], quantity: xx}\n", 8, "one of: x y z vx vy vz"},
        {SOIL "probes:\n  p: {body: s}\n", 8, "'displacement' is that of its points"},
        {SOIL "probes:\n  p: {number: all, frame: s, region: [[0, 0], [1, 1]]}\n", 8, "'s' is a solid: it deforms, and has no axes of its own"},
        {SOIL "sinks:\n  p: {frame: s, region: [[0, 0], [1, 1]]}\n", 8, "'s' is a solid: it deforms, and has no axes of its own"},
        {SOIL "probes:\n  p: {solid_stress: s}\n", 8, "'at' is missing here"},
        {SOIL "probes:\n  p: {solid_yield: s}\n", 8, "'at' is missing here: the point that has yielded"},
        {SOIL "probes:\n  p: {solid_yield: s, quantity: mean, at: [0, 0]}\n", 8, "one of: plastic_strain cap"},
        {SOIL "probes:\n  p: {resultant: s, on: [bottom, low]}\n", 8, "no group 'low'"},
        {SOIL "probes:\n  p: {solid_energy: s, quantity: x}\n", 8, "one of: kinetic elastic"},
    };
    EXPECT(LIST);
}

/* ---- meshes of files ----------------------------------------------------------------------------------------------------- */

#define MESH_HEAD  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define MESH_NODES "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0.5 1 0\n$EndNodes\n"

/* The file is named, of an element its number in it. */
static void mesh_says(const char *mesh, const char *phrase)
{
    char said[ROOM];
    FILE *file = fopen("wrong.msh", "w");
    if (!file || fputs(mesh, file) < 0 || fclose(file) != 0) abort();
    CHECK(!say(HEAD "    mesh: wrong.msh\n    material: {density: 2000, young: 1 MPa, poisson: 0.3}\n", false, said));
    unlink("wrong.msh");
    const char *line = strstr(said, phrase);
    while (line && line > said && line[-1] != '\n') line--;
    if (!line || !strstr(line, "wrong.msh") || !(strstr(line, ":5:") || strstr(line, ":4:")))
        TEST_FAIL("'%s' of wrong.msh expected; it said: %s", phrase, said);
}

TEST(meshes)
{
    mesh_says("", "");
    mesh_says(MESH_HEAD MESH_NODES "$Elements\n2\n11 2 2 0 1 1 2 3\n12 2 2 0 1 1 4 3\n$EndElements\n", "element 12 is inside out"); /* inside out */
    mesh_says(MESH_HEAD MESH_NODES "$Elements\n2\n11 2 2 0 1 1 2 3\n17 2 2 0 1 3 5 4\n$EndElements\n", "element 17 is flat");       /* without area */
    mesh_says(MESH_HEAD MESH_NODES "$Elements\n1\n11 2 2 0 1 1 2 9\n$EndElements\n", "node 9");                                     /* there is no such node */
    mesh_says(MESH_HEAD MESH_NODES "$Elements\n1\n13 16 2 0 1 1 2 3 4 5 5 5 5\n$EndElements\n", "element 13"); /* eight nodes in the plane */
    mesh_says(MESH_HEAD MESH_NODES "$Elements\n1\n14 2 2 0 1 1 2 1\n$EndElements\n", "element 14 has one node twice");
    mesh_says(MESH_HEAD MESH_NODES "$Elements\n1\n11 15 2 0 1 1\n$EndElements\n", "no elements of dimension 2");
    mesh_says(MESH_HEAD MESH_NODES "$Elements\n3\n11 2 2 0 1 1 2 3\n12 2 2 0 1 1 2 4\n13 2 2 0 1 1 2 5\n$EndElements\n", "elements 11, 12 and 13 share a face");
}

/* ---- warnings ------------------------------------------------------------------------------------------------------------- */

static void warns(const char *text, const char *phrase, bool expected)
{
    char said[ROOM];
    CHECK(say(text, true, said)); /* of a scene that is refused nothing would be said, whatever is wrong */
    if ((strstr(said, phrase) != NULL) != expected) TEST_FAIL("'%s' is %s; it said: %s", phrase, expected ? "missing" : "not expected", said);
}

static void warns_of(int dimension, const char *size, const char *contact, const char *body, const char *phrase, bool expected)
{
    char text[ROOM] = "";
    put(text,
        "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nmaterials: {stone: {density: 2700}}\nbodies: {b: {position: [0, 10 m%s], shapes: [%s]}}\nsolids:\n  s:\n",
        dimension, dimension == 3 ? ", 10 m" : "", body);
    put(text, "    box: {size: %s, elements: 10}\n    material: {density: 2000, young: 1 MPa, poisson: 0.3}\n    fixed: bottom\n    contact: %s\n", size,
        contact);
    warns(text, phrase, expected);
}

TEST(units)
{
    static const char *const SPHERE = "{sphere: {radius: 15 mm, material: stone}}", *const DISK = "{disk: {radius: 15 mm, material: stone}}";
    warns_of(3, "[30 m, 30 m, 40 m]", "{material: stone}", SPHERE, "is 40 m long, what moves beside it 0.03 m: is its unit right?", true);
    warns_of(3, "[4.5 m, 1 m, 0.5 m]", "{material: stone}", SPHERE, "is its unit right?", false);
    warns_of(2, "[30 m, 10 m]", "{material: stone}", DISK, "is its unit right?", true);
    warns_of(2, "[3 m, 1 m]", "{material: stone}", DISK, "is its unit right?", false);
}

TEST(grains_that_fall_through)
{
    static const char *const THROUGH = "it falls through", *const STONE = "{box: {size: [20 cm, 30 cm, 10 cm], material: stone}}",
                             *const COIN = "{cylinder: {from: [0, 0, 0], to: [0, 0, 2 cm], radius: 20 cm, material: stone}}";
    warns_of(3, "[60 cm, 60 cm, 60 cm]", "{material: stone, as: nodes}", STONE, "are up to 0.06 m apart, and what lies on them has a radius of 0.05 m", true);
    warns_of(3, "[40 cm, 40 cm, 60 cm]", "{material: stone, as: nodes}", STONE, THROUGH, true); /* its sides are as coarse */
    warns_of(3, "[40 cm, 40 cm, 60 cm]", "{material: stone, as: nodes, surface: top}", STONE, THROUGH, false);
    warns_of(3, "[60 cm, 60 cm, 60 cm]", "{material: stone, as: nodes}", COIN, "are up to 0.06 m apart, and what lies on them has a radius of 0.01 m", true);
    warns_of(3, "[60 cm, 60 cm, 60 cm]", "{material: stone, as: both}", STONE, THROUGH, false);
    warns_of(3, "[60 cm, 60 cm, 60 cm]", "{material: stone}", STONE, THROUGH, false);
    warns_of(2, "[60 cm, 60 cm]", "{material: stone, as: nodes}", "{disk: {radius: 5 cm, material: stone}}", THROUGH, true);
    warns_of(2, "[40 cm, 40 cm]", "{material: stone, as: nodes}", "{disk: {radius: 5 cm, material: stone}}", THROUGH, false);
    warns_of(2, "[60 cm, 60 cm]", "{material: stone}", "{disk: {radius: 5 cm, material: stone}}", THROUGH, false);
}

/* Of ten elements across a length, a body that is longer than three. */
TEST(bodies_that_sink)
{
    static const char *const SINKS = "faces alone let it sink", *const BLOCK = "{box: {size: [20 cm, 10 cm, 10 cm], material: stone}}";
    warns_of(3, "[60 cm, 60 cm, 60 cm]", "{material: stone, as: antagonist}", BLOCK, "are up to 0.06 m long, and what lies on them 0.2 m", true);
    warns_of(3, "[70 cm, 70 cm, 70 cm]", "{material: stone, as: antagonist}", BLOCK, SINKS, false);
    warns_of(3, "[60 cm, 60 cm, 60 cm]", "{material: stone}", BLOCK, SINKS, false);
    warns_of(3, "[60 cm, 60 cm, 60 cm]", "{material: stone, as: nodes}", BLOCK, SINKS, false);
}

/* Beside the solid, what does not move by itself: a plate that is pressed on it, bars and a plate under it. What is far away, and a plate on nodes, are not. */
TEST(tools)
{
    static const struct {
        const char *kind, *shape, *as, *phrase;
        bool expected;
    } CASE[] = {{"imposed", "{box: {size: [1 m, 1 m, 10 cm], centre: [0, 0, 5 cm], material: stone}}", "antagonist", "faces alone let it sink", true},
                {"fixed", "{box: {size: [1 m, 1 m, 10 cm], centre: [0, 0, 5 cm], material: stone}}", "antagonist", "faces alone let it sink", true},
                {"fixed", "{box: {size: [1 m, 1 m, 10 cm], centre: [0, 0, 95 cm], material: stone}}", "antagonist", "faces alone let it sink", false},
                {"fixed", "{box: {size: [1 m, 1 m, 10 cm], centre: [0, 0, 5 cm], material: stone}}", "both", "faces alone let it sink", false},
                {"fixed", "{capsule: {from: [-1 m, 0, 0], to: [1 m, 0, 0], radius: 2 cm, material: stone}}", "nodes", "it falls through", true},
                {"fixed", "{capsule: {from: [-1 m, 0, 0], to: [1 m, 0, 0], radius: 2 cm, material: stone}}", "both", "it falls through", false},
                {"fixed", "{box: {size: [1 m, 1 m, 1 cm], centre: [0, 0, 1 cm], material: stone}}", "nodes", "it falls through", false}};
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
        char text[ROOM] = "";
        put(text,
            "dimension: 3\ntime: {end: 1 s, step: 1 ms}\nmaterials: {stone: {density: 2700}}\nbodies: {b: {kind: %s, position: [0, 0, 1 cm]%s, shapes: "
            "[%s]}}\n",
            CASE[i].kind, strcmp(CASE[i].kind, "imposed") == 0 ? ", motion: {z: 1 cm - 1 mm/s*t}" : "", CASE[i].shape);
        put(text, "solids:\n  s:\n    box: {size: [60 cm, 60 cm, 60 cm], elements: 10}\n    material: {density: 2000, young: 1 MPa, poisson: 0.3}\n");
        put(text, "    fixed: bottom\n    contact: {material: stone, as: %s}\n", CASE[i].as);
        warns(text, CASE[i].phrase, CASE[i].expected);
    }
}

TEST(parts)
{
    warns("time: {end: 1 s}\ngravity: [0, -9.81]\nsolids:\n  s:\n    box: {size: [1, 1], elements: 2}\n    material: {density: 2000, young: 1 MPa, poisson: "
          "0.3}\n",
          "nothing holds the solid 's'", true);
    FILE *file = fopen("parts.msh", "w");
    static const char PARTS[] = MESH_HEAD "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 5 0 0\n5 6 0 0\n6 6 1 0\n$EndNodes\n"
                                          "$Elements\n2\n11 2 2 0 1 1 2 3\n12 2 2 0 1 4 5 6\n$EndElements\n";
    if (!file || fputs(PARTS, file) < 0 || fclose(file) != 0) abort();
    warns(HEAD "    mesh: parts.msh\n    material: {density: 2000, young: 1 MPa, poisson: 0.3}\n",
          "2 parts that share no node: element 12 is not connected with element 11", true);
    unlink("parts.msh");
}

/* Faces alone pass half-spaces and half-planes, unless their materials have no contacts with each other; with nodes, too, they do not. */
TEST(half_spaces)
{
    static const char *const WALL[2] = {"half_plane: {point: [-1, 0], normal: [1, 0], material: stone}",
                                        "half_space: {point: [-1, 0, 0], normal: [1, 0, 0], material: stone}"};
    static const char *const TEXT = "dimension: %d\ntime: {end: 1 s}\nmaterials: {stone: {density: 2700}, soil: {density: 2000}}\n"
                                    "interactions: [{between: [stone, soil], enabled: %s}]\nbodies: {wall: {kind: fixed, shapes: [{%s}]}}\nsolids:\n  s:\n"
                                    "    box: {size: %s, elements: 2}\n    material: {density: 2000, young: 1 MPa, poisson: 0.3}\n    fixed: bottom\n"
                                    "    contact: {material: soil, as: %s}\n";
    static const char *const WAY[3] = {"antagonist", "nodes", "both"};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int enabled = 0; enabled < 2; enabled++)
            for (int way = 0; way < 3; way++) {
                char text[ROOM] = "";
                put(text, TEXT, dimension, enabled ? "true" : "false", WALL[dimension - 2], dimension == 2 ? "[1, 1]" : "[1, 1, 1]", WAY[way]);
                warns(text, "by its faces alone", enabled && way == 0);
            }
}

int main(int argc, char **argv)
{
    RUN(boxes);
    RUN(materials);
    RUN(numbers_that_are_told);
    RUN(what_acts);
    RUN(joints);
    RUN(probes);
    RUN(meshes);
    RUN(units);
    RUN(grains_that_fall_through);
    RUN(bodies_that_sink);
    RUN(tools);
    RUN(parts);
    RUN(half_spaces);
    return TEST_RESULT;
}
