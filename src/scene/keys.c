/* The table of the scene language. A new key is one line here and its use in a builder; one with a SETTING is read by its line alone. */
#include "scene/schema.h"
#include "talus/joint.h"
#include "talus/problem.h"
#include "talus/world.h"

/* one key a line: */
/* clang-format off */
#define END {.name = NULL}

static const tl_key TIME[] = {
    {.name = "end", .type = KEY_QUANTITY, .unit = "s", .positive = true, .required = true, .text = "when the run ends: with the first step that reaches it, within a millionth of a step; 1e12 steps are the most"},
    {.name = "step", .type = KEY_QUANTITY, .unit = "s", .positive = true, .fallback = "1 ms", .at = SETTING(double, step), .text = "time step h"},
    END};

/* Of all schemes: " name:2 …" and "; name: meaning …". */
#define SCHEME_ONLY_0 ""
#define SCHEME_ONLY_2 ":2"
#define SCHEME_ONLY_3 ":3"
#define SCHEME_WORD(id, name, dimension, settings, meaning) " " name SCHEME_ONLY_##dimension
#define SCHEME_TEXT(id, name, dimension, settings, meaning) "; " name ": " meaning

static const tl_key INTEGRATOR[] = {
    {.name = "scheme", .type = KEY_WORD, .choices = &TALUS_SCHEME_LIST(SCHEME_WORD)[1], .fallback = "moreau", .at = SETTING(talus_scheme, scheme),
     .text = &TALUS_SCHEME_LIST(SCHEME_TEXT)[2]},
    {.name = "theta", .type = KEY_QUANTITY, .unit = "", .low = 0.5, .high = 1, .fallback = "0.5", .at = SETTING(double, theta), .text = "θ of moreau"},
    {.name = "spectral_radius", .type = KEY_QUANTITY, .unit = "", .low = 0, .high = 1, .fallback = "0.8", .at = SETTING(double, spectral_radius),
     .text = "generalized_alpha: by which oscillations faster than the step die out each step; 1 keeps them"},
    {.name = "compliance", .type = KEY_QUANTITY, .unit = "m/N", .low = 0, .high = 1e300, .fallback = "0", .at = SETTING(double, compliance),
     .text = "spook: by which joints, also glued ones, stops, ropes over pulleys and drives of unlimited force give under a force; angles by as much at the joint's arm, those of relative coordinates at 1 m"},
    {.name = "relaxation", .type = KEY_QUANTITY, .unit = "s", .low = 0, .high = 1e300, .fallback = "two steps", .at = SETTING(double, relaxation),
     .text = "spook: damping time of these, and of contacts but those with 'stiffness' and 'damping'; about so long it takes to take back what they are off"},
    {.name = "forces", .type = KEY_WORD, .choices = "midpoint explicit", .fallback = "midpoint",
     .at = SETTING(talus_forces, forces), .text = "velocity-dependent forces at the mid-step velocity, or at the start of the step as D20"},
    END};

static const tl_key SOLVER[] = {
    {.name = "method", .type = KEY_WORD, .words = talus_solver_name, .meanings = talus_solver_meaning, .at = SETTING(const char *, solver.method),
     .fallback = TALUS_SOLVER_SWEEPS ", helped",
     .text = "without it, " TALUS_SOLVER_SWEEPS ", and islands of at most 40 contacts that it leaves above the tolerance are solved as wholes; before it, in velocities of bodies, islands where joints hold most of what contacts press. All but " TALUS_SOLVER_SWEEPS " and " TALUS_SOLVER_BODIES " form the Delassus operator: for "
             "hundreds of contacts, and high accuracy"},
    {.name = "momentum", .type = KEY_FLAG, .fallback = "true", .at = SETTING(bool, solver.momentum), .text = "of the sweeps; false: Gauss–Seidel without it, to compare"},
    {.name = "convex", .type = KEY_FLAG, .fallback = "false",
     .at = SETTING(bool, solver.convex), .text = "the law's convex relaxation, whose contacts open as they slide (cone complementarity); not by " TALUS_SOLVER_SWEEPS ", pivot, split, pgs and " TALUS_SOLVER_BODIES},
    {.name = "least_norm", .type = KEY_FLAG, .fallback = "false",
     .at = SETTING(bool, solver.least_norm), .text = "unique impulses: of all that make the step's velocities, those that equal springs at the contacts would carry; forms the Delassus operator"},
    {.name = "tolerance", .type = KEY_QUANTITY, .unit = "m/s", .positive = true, .fallback = "1e-4 × typical velocity",
     .at = SETTING(double, solver.tolerance), .text = "largest error of a contact, as a velocity; typical is the larger of g h and the root mean square speed"},
    {.name = "force_tolerance", .type = KEY_QUANTITY, .unit = "", .positive = true, .fallback = "1e-3; with 'tolerance' 0", .at = SETTING(double, solver.force_tolerance),
     .text = "an error that suffices, too, once 100 sweeps and 100 000 visits of contacts are done or the solve has ended: this share of the mean normal impulse of the contacts that press, as a velocity, but no more than 0.1 × typical velocity (theory §5.1)"},
    {.name = "max_iterations", .type = KEY_COUNT, .low = 1, .high = 1e9, .fallback = "2000", .at = SETTING(int, solver.max_iterations), .text = "sweeps per step, of other methods their steps or passes: split takes turns so often, bodies a tenth as many steps; a quarter more for each time that grains leave them so fast that they meet others"},
    {.name = "acceptable", .type = KEY_QUANTITY, .unit = "m/s", .positive = true, .fallback = "any",
     .at = SETTING(double, solver.acceptable), .text = "a step whose error is larger goes on, up to four times max_iterations"},
    {.name = "unconverged", .type = KEY_WORD, .choices = "report fail", .fallback = "report", .at = SETTING(talus_policy, solver.unconverged), .text = "what a step above the tolerance is"},
    END};

static const tl_key DRIFT[] = {
    {.name = "correct", .type = KEY_FLAG, .fallback = "true", .at = SETTING(bool, correct_drift), .text = "take crept penetration back, by positions only"},
    {.name = "slop", .type = KEY_QUANTITY, .unit = "m", .positive = true, .fallback = "1/1000 of the smallest radius",
     .at = SETTING(double, penetration_slop), .text = "penetration that is left alone; of a rope a thousandth of it"},
    END};

static const tl_key DETECTION[] = {
    {.name = "alert_distance", .type = KEY_QUANTITY, .unit = "m", .positive = true, .fallback = "2 % of the smallest radius, plus motion",
     .at = SETTING(double, alert_distance), .text = "pairs nearer than this are candidates"},
    END};

static const tl_key MATERIAL[] = {
    {.name = "density", .type = KEY_QUANTITY, .unit = "kg/m^3", .low = 0, .high = 1e300, .fallback = "0", .text = "used where a body states no mass"},
    {.name = "thickness", .type = KEY_QUANTITY, .unit = "m", .positive = true, .fallback = "1 m", .dimension = 2, .text = "of shapes, along z"},
    END};

const tl_key TL_INTERACTION_KEYS[] = {
    {.name = "between", .type = KEY_REFERENCES, .choices = "material", .text = "two materials; without it, every pair that has no law of its own. Pairs that no interaction names touch without friction, and do not bounce"},
    {.name = "enabled", .type = KEY_FLAG, .fallback = "true", .text = "false: they pass through each other"},
    {.name = "law", .type = KEY_LAW, .fallback = "coulomb", .text = "what holds where they touch; its own keys are the last of this table"},
    {.name = "friction", .type = KEY_QUANTITY, .unit = "", .low = 0, .high = 1e6, .fallback = "0", .text = "Coulomb's μ"},
    {.name = "restitution", .type = KEY_QUANTITY, .unit = "", .low = 0, .high = 1, .fallback = "0", .text = "Newton's e; with friction, and e near 1, a blow that turns sliding round may give energy (theory §5.7)"},
    {.name = "activation", .type = KEY_WORD, .choices = "auto gap anticipated", .fallback = "auto",
     .text = "gap: active when g ≤ 0; anticipated: no gap is crossed; auto: anticipated where e = 0, else bounces before the gap is crossed; "
             "generalized_alpha and penalty_rk4 take all that is near"},
    {.name = "stiffness", .type = KEY_QUANTITY, .unit = "N/m", .positive = true, .text = "penalty_rk4 and spook: of the spring in each contact; without it contacts are rigid, and penalty_rk4 needs it"},
    {.name = "damping", .type = KEY_QUANTITY, .unit = "N s/m", .low = 0, .high = 1e300, .fallback = "spook: stiffness × integrator.relaxation; penalty_rk4: 0", .text = "penalty_rk4 and spook: of the damper beside it; the two push only; spook: where there is too little for such a step, a run says how much it takes"},
    {.name = "friction_velocity", .type = KEY_QUANTITY, .unit = "m/s", .positive = true, .fallback = "1e-3", .dimension = 2, .text = "penalty_rk4: below it friction is viscous"},
    {.name = NULL, .type = KEY_LAW}};

static const tl_key DISK[] = {
    {.name = "centre", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "in the body's axes"},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = ""},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the body's", .text = ""},
    END};

static const tl_key SEGMENT[] = {
    {.name = "from", .type = KEY_VECTOR, .unit = "m", .required = true, .text = ""},
    {.name = "to", .type = KEY_VECTOR, .unit = "m", .required = true, .text = ""},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .low = 0, .high = 1e300, .fallback = "0", .text = "rounded: a capsule; of two segments that meet one has a radius"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the body's", .text = ""},
    END};

static const tl_key POLYGON[] = {
    {.name = "points", .type = KEY_POINTS, .unit = "m", .required = true, .text = "3 to 16; their convex hull is taken"},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .low = 0, .high = 1e300, .fallback = "0", .text = "rounding"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the body's", .text = ""},
    END};

const tl_key TL_ORIENTATION_KEYS[] = {
    {.name = "quat_wxyz", .type = KEY_QUANTITIES, .unit = "", .text = "quaternion, scalar first"},
    {.name = "rpy_deg", .type = KEY_QUANTITIES, .unit = "", .text = "roll, pitch, yaw in degrees: about x, then y, then z of the world"},
    {.name = "axis_angle_deg", .type = KEY_QUANTITIES, .unit = "", .text = "axis x, y, z and angle in degrees"},
    END};

static const tl_key BOX[] = {
    {.name = "size", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "width and height; in space three lengths"},
    {.name = "centre", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = ""},
    {.name = "angle", .type = KEY_QUANTITY, .unit = "rad", .fallback = "0", .dimension = 2, .other = "orientation", .text = ""},
    {.name = "orientation", .type = KEY_OBJECT, .sub = TL_ORIENTATION_KEYS, .dimension = 3, .other = "angle", .text = ""},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .low = 0, .high = 1e300, .fallback = "0", .dimension = 2, .text = "rounding"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the body's", .text = ""},
    END};

static const tl_key HALF_PLANE[] = {
    {.name = "point", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "on its line"},
    {.name = "normal", .type = KEY_VECTOR, .unit = "", .required = true, .text = "outward"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the body's", .text = ""},
    END};

static const tl_key SPHERE[] = {
    {.name = "centre", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0, 0]", .text = "in the body's axes"},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = ""},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the body's", .text = ""},
    END};

static const tl_key CAPSULE[] = {
    {.name = "from", .type = KEY_VECTOR, .unit = "m", .required = true, .text = ""},
    {.name = "to", .type = KEY_VECTOR, .unit = "m", .required = true, .text = ""},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = ""},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the body's", .text = ""},
    END};

static const tl_key CYLINDER[] = {
    {.name = "from", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "centre of one end"},
    {.name = "to", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "of the other"},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = ""},
    {.name = "sides", .type = KEY_COUNT, .low = 3, .high = 120, .fallback = "none: round", .text = "instead of a cylinder a prism of so many sides, of the cylinder's volume"},
    {.name = "rounding", .type = KEY_QUANTITY, .unit = "m", .positive = true, .fallback = "0", .text = "of its edges, at most the radius and half the length: with half the length it is a coin, whose rim is a torus"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the body's", .text = ""},
    END};

static const tl_key ELLIPSOID[] = {
    {.name = "radii", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "half axes along x, y, z of its own axes"},
    {.name = "centre", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0, 0]", .text = "in the body's axes"},
    {.name = "orientation", .type = KEY_OBJECT, .sub = TL_ORIENTATION_KEYS, .text = "of its own axes"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the body's", .text = ""},
    END};

static const tl_key POLYHEDRON[] = {
    {.name = "points", .type = KEY_POINTS, .unit = "m", .text = "4 and more; their convex hull is taken"},
    {.name = "file", .type = KEY_TEXT, .text = "instead of points: .stl or .obj, beside the scene"},
    {.name = "scale", .type = KEY_QUANTITY, .unit = "m", .positive = true, .fallback = "1 m", .text = "length of 1 in the file"},
    {.name = "vertices", .type = KEY_COUNT, .low = 4, .high = 255, .fallback = "all, at most 255", .text = "how many corners of the hull to keep: those that keep most of it"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the body's", .text = ""},
    END};

static const tl_key MESH[] = {
    {.name = "file", .type = KEY_TEXT, .required = true, .text = ".stl or .obj, beside the scene; triangles are counter-clockwise seen from where the grains are"},
    {.name = "scale", .type = KEY_QUANTITY, .unit = "m", .positive = true, .fallback = "1 m", .text = "length of 1 in the file"},
    {.name = "facing", .type = KEY_WORD, .choices = "file outward inward", .fallback = "file",
     .text = "of a closed surface: outward is a tool, inward a vessel for what is in it; file: as its triangles are. Terrain may be open: what is beside it falls"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the body's", .text = ""},
    END};

static const tl_key HALF_SPACE[] = {
    {.name = "point", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "on its plane"},
    {.name = "normal", .type = KEY_VECTOR, .unit = "", .required = true, .text = "outward"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the body's", .text = ""},
    END};

const tl_key TL_SHAPE_KEYS[] = {
    {.name = "disk", .type = KEY_OBJECT, .sub = DISK, .dimension = 2, .other = "sphere", .text = "a disk"},
    {.name = "segment", .type = KEY_OBJECT, .sub = SEGMENT, .dimension = 2, .other = "capsule", .text = "a segment or capsule"},
    {.name = "polygon", .type = KEY_OBJECT, .sub = POLYGON, .dimension = 2, .other = "polyhedron", .text = "a convex polygon"},
    {.name = "ellipse", .type = KEY_OBJECT, .sub = TL_ELLIPSE_KEYS, .dimension = 2, .other = "ellipsoid", .text = "an ellipse"},
    {.name = "box", .type = KEY_OBJECT, .sub = BOX, .text = "a rectangle; in space a cuboid"},
    {.name = "half_plane", .type = KEY_OBJECT, .sub = HALF_PLANE, .dimension = 2, .other = "half_space", .text = "everything behind a line; for fixed and imposed bodies"},
    {.name = "sphere", .type = KEY_OBJECT, .sub = SPHERE, .dimension = 3, .other = "disk", .text = "a ball"},
    {.name = "capsule", .type = KEY_OBJECT, .sub = CAPSULE, .dimension = 3, .other = "segment", .text = "a rod with round ends"},
    {.name = "cylinder", .type = KEY_OBJECT, .sub = CYLINDER, .dimension = 3, .text = "a cylinder, with sharp or rounded edges: a wheel, a coin, a roller"},
    {.name = "ellipsoid", .type = KEY_OBJECT, .sub = ELLIPSOID, .dimension = 3, .other = "ellipse", .text = "an ellipsoid"},
    {.name = "frustum", .type = KEY_OBJECT, .sub = TL_FRUSTUM_KEYS, .dimension = 3, .text = "a cone or a frustum of one, round: it rolls smoothly"},
    {.name = "polyhedron", .type = KEY_OBJECT, .sub = POLYHEDRON, .dimension = 3, .other = "polygon", .text = "a convex polyhedron"},
    {.name = "mesh", .type = KEY_OBJECT, .sub = MESH, .dimension = 3, .text = "everything behind a surface of triangles; for fixed and imposed bodies and for links: a tool that need not be convex, best as a closed surface. It touches grains and other convex shapes, not half-spaces or other meshes"},
    {.name = "half_space", .type = KEY_OBJECT, .sub = HALF_SPACE, .dimension = 3, .other = "half_plane", .text = "everything behind a plane; for fixed and imposed bodies"},
    {.name = "outline", .type = KEY_OBJECT, .sub = TL_OUTLINE_KEYS, .dimension = 2, .text = "a polygon that need not be convex, of convex parts"},
    {.name = "ring", .type = KEY_OBJECT, .sub = TL_RING_KEYS, .dimension = 2, .other = "tube", .text = "a ring, or an arc of it, of convex parts"},
    {.name = "tube", .type = KEY_OBJECT, .sub = TL_TUBE_KEYS, .dimension = 3, .other = "ring", .text = "a hollow cylinder or cone, of convex parts: a drum, a pipe"},
    {.name = "cone", .type = KEY_OBJECT, .sub = TL_CONE_KEYS, .dimension = 3, .text = "a solid cone or frustum of planes; `frustum` is a round one"},
    {.name = "hopper", .type = KEY_OBJECT, .sub = TL_HOPPER_KEYS, .text = "a funnel, in space round or rectangular, with or without a bin above it"},
    {.name = "spiral", .type = KEY_OBJECT, .sub = TL_SPIRAL_KEYS, .dimension = 3, .text = "the flight of an auger, of convex parts"},
    {.name = "revolution", .type = KEY_OBJECT, .sub = TL_REVOLUTION_KEYS, .dimension = 3, .text = "a profile turned about an axis, solid or a wall, of convex parts"},
    {.name = "repeat", .type = KEY_OBJECT, .sub = TL_REPEAT_SHAPES_KEYS, .text = "shapes again and again, along a line or around an axis: the lifters of a drum"},
    END};

static const tl_key MOTION[] = {
    {.name = "x", .type = KEY_FUNCTION, .unit = "m", .text = "displacement as a function of t"},
    {.name = "y", .type = KEY_FUNCTION, .unit = "m", .text = ""},
    {.name = "angle", .type = KEY_FUNCTION, .unit = "rad", .dimension = 2, .other = "turn", .text = ""},
    {.name = "z", .type = KEY_FUNCTION, .unit = "m", .dimension = 3, .text = ""},
    {.name = "turn", .type = KEY_FUNCTION, .unit = "rad", .dimension = 3, .other = "angle", .text = "about `axis` through the body's origin"},
    {.name = "axis", .type = KEY_VECTOR, .unit = "", .fallback = "[0, 0, 1]", .dimension = 3, .text = "of the turn"},
    END};

static const tl_key BODY[] = {
    {.name = "kind", .type = KEY_WORD, .choices = "free fixed imposed", .fallback = "free", .text = "how it moves"},
    {.name = "position", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "of its origin"},
    {.name = "angle", .type = KEY_QUANTITY, .unit = "rad", .fallback = "0", .dimension = 2, .other = "orientation", .text = ""},
    {.name = "orientation", .type = KEY_OBJECT, .sub = TL_ORIENTATION_KEYS, .dimension = 3, .other = "angle", .text = ""},
    {.name = "velocity", .when = "kind: free", .type = KEY_VECTOR, .unit = "m/s", .fallback = "[0, 0]", .text = "of its centre of mass, at the start"},
    {.name = "angular_velocity", .when = "kind: free", .type = KEY_QUANTITY, .unit = "rad/s", .fallback = "0", .dimension = 2, .other = "spin", .text = "at the start"},
    {.name = "spin", .when = "kind: free", .type = KEY_VECTOR, .unit = "rad/s", .fallback = "[0, 0, 0]", .dimension = 3, .other = "angular_velocity", .text = "angular velocity at the start, world axes"},
    {.name = "mass", .type = KEY_QUANTITY, .unit = "kg", .positive = true, .fallback = "from shapes and densities", .text = ""},
    {.name = "centre_of_mass", .type = KEY_VECTOR, .unit = "m", .fallback = "the shapes' centroid, by their densities", .text = "in the body's axes, from its origin; with it mass and inertia are to be given, too"},
    {.name = "inertia", .type = KEY_QUANTITY, .unit = "kg m^2", .positive = true, .fallback = "from the shapes", .dimension = 2, .other = "inertia_tensor", .text = "about the centre of mass"},
    {.name = "inertia_tensor", .type = KEY_TENSOR, .unit = "kg m^2", .fallback = "from the shapes",
     .dimension = 3, .other = "inertia", .text = "about the centre of mass, in the body's axes: [xx, yy, zz], or [xx, yy, zz, xy, xz, yz], or its rows, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]; xy is −∫ x y dm"},
    {.name = "motion", .type = KEY_OBJECT, .sub = MOTION, .text = "imposed bodies: added to position and angle, whatever force that takes; where a tool may jam, take a joint with a drive of limited force"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "none", .text = "of its shapes that name none"},
    {.name = "shapes", .type = KEY_OBJECTS, .sub = TL_SHAPE_KEYS, .text = "several make a cluster; what they share counts for each of them, in mass and compactness"},
    {.name = "machine", .type = KEY_TEXT, .fallback = "none", .text = "any name: free bodies of one machine do not meet each other, as links of one mechanism do not. Only of bodies that are free, or that a stage may free; not that of a mechanism in maximal coordinates"},
    {.name = "repeat", .type = KEY_OBJECT, .sub = TL_REPEAT_KEYS, .text = "the body again and again, along a line or around an axis: name.1, name.2, …; velocities, spins and motions of all are as given, in the axes of the world"},
    END};

static const tl_key LINK[] = {
    {.name = "mass", .type = KEY_QUANTITY, .unit = "kg", .low = 0, .high = 1e300, .required = true, .text = ""},
    {.name = "inertia", .type = KEY_TENSOR, .unit = "kg m^2", .fallback = "0",
     .text = "about the centre of mass: zz; in space xx, yy, zz in one number, or [xx, yy, zz], or [xx, yy, zz, xy, xz, yz], or its rows, in the body's axes"},
    {.name = "centre_of_mass", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "in the body's axes"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "none", .text = "of its shapes that name none"},
    {.name = "shapes", .type = KEY_OBJECTS, .sub = TL_SHAPE_KEYS, .text = "contactors"},
    END};

static const tl_key JOINT[] = {
    {.name = "type", .type = KEY_WORD, .choices = "revolute prismatic screw:3 cylindrical:3 universal:3 planar spherical:3 free:3 fixed", .required = true,
     .text = "coordinates: revolute angle; prismatic position; screw angle; cylindrical angle, position; universal angle1, angle2; planar x, y, angle; free x, y, z, along axes of the parent that `rotation` has turned"},
    {.name = "parent", .type = KEY_REFERENCE, .choices = "body", .required = true, .text = "a body of the mechanism, or ground"},
    {.name = "child", .type = KEY_REFERENCE, .choices = "body", .required = true, .text = "each body is the child of one joint"},
    {.name = "at", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "the joint's point in the parent's axes"},
    {.name = "child_at", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "the joint's point in the child's axes"},
    {.name = "orientation", .type = KEY_QUANTITY, .unit = "rad", .fallback = "0", .text = "of the child in the parent at zero coordinates, about z"},
    {.name = "rotation", .type = KEY_OBJECT, .sub = TL_ORIENTATION_KEYS, .dimension = 3, .other = "orientation", .text = "instead of orientation, about any axis: the child's axes in the parent's at zero coordinates"},
    {.name = "axis", .type = KEY_VECTOR, .unit = "", .numbers = 3, .fallback = "z; prismatic: x", .text = ""},
    {.name = "axis2", .type = KEY_VECTOR, .unit = "", .numbers = 3, .fallback = "x", .text = "universal: second axis; planar: direction of x"},
    {.name = "pitch", .type = KEY_QUANTITY, .unit = "m/rad", .fallback = "0", .dimension = 3, .text = "screw"},
    {.name = "angle", .type = KEY_QUANTITY, .unit = "rad", .fallback = "0", .text = "revolute: coordinate at the start"},
    {.name = "position", .type = KEY_COORDINATES, .unit = "?", .fallback = "0", .text = "at the start: a value, or {x: …, y: …}"},
    {.name = "velocity", .type = KEY_COORDINATES, .unit = "?", .fallback = "least", .text = "at the start; of spherical and free joints also wx, wy, wz, in the child's axes; rates that are not given are the least that close the loops"},
    END};

static const tl_key LOOP[] = {
    {.name = "type", .type = KEY_WORD, .choices = "point hinge body rod screw gear train planetary differential", .required = true,
     .text = "point: two points coincide; hinge: and two axes; body: two frames; rod: distance; screw, gear: coordinate a = ratio × coordinate b + offset; "
             "train: the sum of factor × coordinate = offset; planetary: of [sun, ring, carrier], sun + ratio × ring = (1 + ratio) × carrier + offset; "
             "differential: of [case, a, b], a + ratio × b = (1 + ratio) × case + offset"},
    {.name = "bodies", .type = KEY_REFERENCES, .choices = "body", .text = "two"},
    {.name = "at", .type = KEY_POINTS, .unit = "m", .text = "a point in each body's axes"},
    {.name = "axes", .type = KEY_POINTS, .unit = "", .fallback = "z, z", .dimension = 3, .text = "hinge"},
    {.name = "length", .type = KEY_QUANTITY, .unit = "m", .positive = true, .text = "rod"},
    {.name = "joints", .type = KEY_REFERENCES, .choices = "coordinate", .text = "screw, gear: two, as joint or joint.coordinate; planetary, differential: three; train: 2 to 4"},
    {.name = "factors", .type = KEY_QUANTITIES, .unit = "?", .text = "train: of each coordinate, other than 0; that of the first is a number"},
    {.name = "ratio", .type = KEY_QUANTITY, .unit = "?", .fallback = "1", .text = "planetary: teeth of the ring over those of the sun; differential: moment of b over that of a, 1 of bevel gears"},
    {.name = "offset", .type = KEY_QUANTITY, .unit = "?", .fallback = "0", .text = ""},
    END};

static const tl_key MOST[] = {
    {.name = "speed", .type = KEY_QUANTITIES, .unit = "?", .required = true, .text = "magnitude of the rate, ascending"},
    {.name = "force", .type = KEY_QUANTITIES, .unit = "?", .required = true, .text = "one for each; straight between them, as there beyond them"},
    END};

static const tl_key SLIDE[] = {
    {.name = "speed", .type = KEY_QUANTITIES, .unit = "?", .required = true, .text = "magnitude of ẋ, ascending"},
    {.name = "factor", .type = KEY_QUANTITIES, .unit = "", .required = true, .text = "one for each; straight between them, as there beyond them"},
    END};

static const tl_key DRIVE[] = {
    {.name = "joint", .type = KEY_REFERENCE, .choices = "coordinate", .required = true, .text = "joint, or joint.coordinate"},
    {.name = "speed", .type = KEY_FUNCTION, .unit = "?", .text = "imposed rate"},
    {.name = "position", .type = KEY_FUNCTION, .unit = "?", .text = "or imposed coordinate"},
    {.name = "force", .type = KEY_OBJECT, .sub = MOST, .unit = "?", .low = 0, .high = 1e300, .fallback = "whatever it takes", .text = "most that the drive exerts, force or moment, a number or a table over the speed as the step begins: it gives way beyond"},
    END};

static const tl_key FORCE[] = {
    {.name = "joint", .type = KEY_REFERENCE, .choices = "coordinate", .required = true, .text = "joint, or joint.coordinate"},
    {.name = "stiffness", .type = KEY_QUANTITY, .unit = "?", .low = 0, .high = 1e300, .fallback = "0", .text = "spring"},
    {.name = "implicit", .type = KEY_FLAG, .fallback = "false", .text = "the spring pulls with the mean of the coordinates at both ends of the step, not with that at mid-step (spook: as its joints do, theory §4.4): stable at any stiffness; not with a limit"},
    {.name = "free", .type = KEY_QUANTITY, .unit = "?", .fallback = "0", .text = "coordinate at which the spring is free"},
    {.name = "damping", .type = KEY_QUANTITY, .unit = "?", .low = 0, .high = 1e300, .fallback = "0", .text = "damper"},
    {.name = "constant", .type = KEY_QUANTITY, .unit = "?", .fallback = "0", .text = ""},
    {.name = "target", .type = KEY_FUNCTION, .unit = "?", .text = "path L(t): with stiffness and damping, a PD drive (D20 eq. 36)"},
    {.name = "law", .type = KEY_FUNCTION, .unit = "?", .text = "any force, of t, q and v (at mid-step, contacts seen); what slows down is implicit in v. Other coordinates of the mechanism are q.arm and v.arm (of several, q.base.x), its states state.error, probes of the step before probe.pressure: docs/servo.md"},
    {.name = "limit", .type = KEY_QUANTITY, .unit = "?", .positive = true, .fallback = "none", .text = "bound on the sum"},
    {.name = "friction", .type = KEY_QUANTITY, .unit = "?", .low = 0, .high = 1e300, .fallback = "0", .text = "dry friction, which sticks"},
    {.name = "friction_velocity", .type = KEY_QUANTITY, .unit = "?", .positive = true, .fallback = "none", .text = "below it friction is viscous, and creeps"},
    {.name = "low", .type = KEY_QUANTITY, .unit = "?", .fallback = "none", .text = "a stop: the coordinate does not fall below"},
    {.name = "high", .type = KEY_QUANTITY, .unit = "?", .fallback = "none", .text = "a stop: it does not exceed"},
    {.name = "restitution", .type = KEY_QUANTITY, .unit = "", .low = 0, .high = 1, .fallback = "0", .text = "of the stops"},
    END};

static const tl_key SPRING[] = {
    {.name = "bodies", .type = KEY_REFERENCES, .choices = "body", .required = true, .text = "two"},
    {.name = "at", .type = KEY_POINTS, .unit = "m", .required = true, .text = "a point in each body's axes"},
    {.name = "stiffness", .type = KEY_QUANTITY, .unit = "N/m", .low = 0, .high = 1e300, .fallback = "0", .text = ""},
    {.name = "damping", .type = KEY_QUANTITY, .unit = "N s/m", .low = 0, .high = 1e300, .fallback = "0", .text = ""},
    {.name = "length", .type = KEY_QUANTITY, .unit = "m", .low = 0, .high = 1e300, .fallback = "0", .text = "free length"},
    END};

static const tl_key COUPLING[] = {
    {.name = "joints", .type = KEY_REFERENCES, .choices = "coordinate", .required = true, .text = "up to four, as joint or joint.coordinate, of any mechanism that is defined before; x is the sum of factor × coordinate"},
    {.name = "factors", .type = KEY_QUANTITIES, .unit = "?", .fallback = "1, -1", .text = "of each coordinate, other than 0; that of the first is a number"},
    {.name = "friction", .type = KEY_FUNCTION, .unit = "?", .fallback = "0", .text = "most that it resists ẋ with, sticking or slipping: a clutch of two joints, a brake of one; negative is 0"},
    {.name = "slide", .type = KEY_OBJECT, .sub = SLIDE, .fallback = "1", .text = "a factor of the friction over the speed of sliding as the step begins"},
    {.name = "radii", .type = KEY_QUANTITIES, .unit = "m", .text = "a belt or chain over two pulleys, instead of factors: x is how much longer the one strand is, r1 × angle 1 - r2 × angle 2, in m"},
    {.name = "crossed", .type = KEY_FLAG, .fallback = "false", .text = "of a belt: the second pulley turns the other way"},
    {.name = "stiffness", .type = KEY_QUANTITY, .unit = "?", .low = 0, .high = 1e300, .fallback = "0", .text = "an elastic shaft: in x, implicit"},
    {.name = "damping", .type = KEY_QUANTITY, .unit = "?", .low = 0, .high = 1e300, .fallback = "0", .text = "in ẋ, implicit"},
    {.name = "free", .type = KEY_QUANTITY, .unit = "?", .fallback = "0", .text = "x at which the shaft is free"},
    {.name = "low", .type = KEY_QUANTITY, .unit = "?", .fallback = "none", .text = "a stop: x does not fall below; two stops are backlash"},
    {.name = "high", .type = KEY_QUANTITY, .unit = "?", .fallback = "none", .text = "a stop: x does not exceed"},
    {.name = "restitution", .type = KEY_QUANTITY, .unit = "", .low = 0, .high = 1, .fallback = "0", .text = "of the stops"},
    END};

static const tl_key STATE[] = {
    {.name = "unit", .type = KEY_TEXT, .required = true, .text = "of the state: Pa, N s; 1: of a number"},
    {.name = "start", .type = KEY_QUANTITY, .unit = "?", .fallback = "0", .text = "its value at t = 0"},
    {.name = "rate", .type = KEY_FUNCTION, .unit = "?", .required = true, .text = "its change per second, of all that a law may name, but for q and v without a joint: integrated by the midpoint rule"},
    END};

static const tl_key MECHANISM[] = {
    {.name = "coordinates", .type = KEY_WORD, .choices = "relative maximal", .fallback = "relative", .text = "maximal: the same machine as free bodies and joints between them, to compare: docs/maximal.md"},
    {.name = "bodies", .type = KEY_NAMED, .sub = LINK, .text = "its links; a mechanism has these and joints, or shafts"},
    {.name = "shafts", .type = KEY_NAMED, .sub = TL_SHAFT_KEYS, .text = "bodies without mass that turn about an axis, each a link and a revolute joint of its name: docs/driveline.md"},
    {.name = "joints", .type = KEY_NAMED, .sub = JOINT, .text = "the tree"},
    {.name = "loops", .type = KEY_NAMED, .sub = LOOP, .text = "what closes it"},
    {.name = "dependent", .type = KEY_REFERENCES, .choices = "coordinate", .fallback = "chosen by pivoting", .text = "coordinates that follow from the loops"},
    {.name = "drives", .type = KEY_NAMED, .sub = DRIVE, .text = "imposed coordinates"},
    {.name = "forces", .type = KEY_NAMED, .sub = FORCE, .text = "springs, dampers, drives and laws in joints"},
    {.name = "couplings", .type = KEY_NAMED, .sub = COUPLING, .text = "clutches, brakes, elastic shafts, backlash: what acts between coordinates"},
    {.name = "engines", .type = KEY_NAMED, .sub = TL_ENGINE_KEYS, .text = "combustion engines"},
    {.name = "converters", .type = KEY_NAMED, .sub = TL_CONVERTER_KEYS, .text = "hydrodynamic torque converters"},
    {.name = "springs", .type = KEY_NAMED, .sub = SPRING, .text = "springs and dampers between points"},
    {.name = "states", .type = KEY_NAMED, .sub = STATE, .text = "what laws remember: integrals of errors, filters, pressures of cylinders"},
    END};

static const tl_key ROPE[] = {
    {.name = "type", .type = KEY_WORD, .choices = "rope strut rod", .fallback = "rope", .text = "rope: pulls only, its ends come no farther apart; strut: pushes only, no nearer; rod: both. Turning with ω, a step h costs the share (ω h)² of the turn's energy: where that matters, take the loop `rod` of a mechanism"},
    {.name = "bodies", .type = KEY_REFERENCES, .choices = "grain", .text = "two, or of grains ballast.17; a rope also more: it runs from the first to the last over eyes in those between, without friction; with `along` one, on which the first grain hangs, or none"},
    {.name = "at", .type = KEY_POINTS, .unit = "m", .fallback = "[0, 0] of each", .text = "a point in each body's axes"},
    {.name = "along", .type = KEY_REFERENCE, .choices = "grains", .text = "a chain: a rope from each of these grains to the next, between their centres"},
    {.name = "length", .type = KEY_QUANTITY, .unit = "m", .positive = true, .fallback = "the distance at the start", .text = "of each rope"},
    {.name = "stiffness", .type = KEY_QUANTITY, .unit = "N/m", .positive = true, .dimension = 2, .text = "penalty_rk4: of the taut rope"},
    {.name = "damping", .type = KEY_QUANTITY, .unit = "N s/m", .low = 0, .high = 1e300, .fallback = "0", .dimension = 2, .text = "penalty_rk4"},
    END};

static const tl_key FREEDOM[] = {
    {.name = "start", .type = KEY_QUANTITY, .unit = "?", .fallback = "0", .text = "what the coordinate is at the start: stops, springs, paths, cylinders and probes count from there"},
    {.name = "low", .type = KEY_QUANTITY, .unit = "?", .fallback = "none", .text = "a stop: the coordinate does not fall below"},
    {.name = "high", .type = KEY_QUANTITY, .unit = "?", .fallback = "none", .text = "a stop: it does not exceed"},
    {.name = "restitution", .type = KEY_QUANTITY, .unit = "", .low = 0, .high = 1, .fallback = "0", .text = "of the stops"},
    {.name = "stiffness", .type = KEY_QUANTITY, .unit = "?", .low = 0, .high = 1e300, .fallback = "0", .text = "spring"},
    {.name = "rest", .type = KEY_QUANTITY, .unit = "?", .fallback = "0", .text = "where the spring is free"},
    {.name = "damping", .type = KEY_QUANTITY, .unit = "?", .low = 0, .high = 1e300, .fallback = "0", .text = "damper"},
    {.name = "friction", .type = KEY_QUANTITY, .unit = "?", .low = 0, .high = 1e300, .fallback = "0", .text = "dry friction, which sticks"},
    {.name = "friction_velocity", .type = KEY_QUANTITY, .unit = "?", .positive = true, .fallback = "none", .text = "below it friction is viscous, and creeps"},
    {.name = "speed", .type = KEY_FUNCTION, .unit = "?", .text = "a drive: rate"},
    {.name = "position", .type = KEY_FUNCTION, .unit = "?", .text = "or path"},
    {.name = "force", .type = KEY_OBJECT, .sub = MOST, .unit = "?", .low = 0, .high = 1e300, .fallback = "whatever it takes", .text = "most that the drive exerts, force or moment, a number or a table over the speed as the step begins"},
    END};

static const tl_key BODY_JOINT[] = {
    {.name = "type", .type = KEY_WORD, .words = talus_body_joint_kind, .meanings = talus_body_joint_meaning, .in_plane = talus_body_joint_in_plane, .fallback = "revolute",
     .text = "what b may do, seen from a; the coordinates in which it may are keys below"},
    {.name = "bodies", .type = KEY_REFERENCES, .choices = "grain", .required = true, .text = "two, a and b: bodies, links, ground, solids, or of grains ballast.17"},
    {.name = "at", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]; with group the middle of its nodes", .text = "the joint's point, in the scene's axes as all starts; of a solid one of its mesh without strain, where of the types there are those that hold no direction of it: spherical, in the plane revolute, distance, and slot with the solid as b"},
    {.name = "to", .type = KEY_VECTOR, .unit = "m", .text = "distance: the point of b"},
    {.name = "axis", .type = KEY_VECTOR, .unit = "", .fallback = "z", .text = "of the joint, fixed in a, in the scene's axes as all starts; in the plane of what slides, of the others it is z"},
    {.name = "axis2", .type = KEY_VECTOR, .unit = "", .dimension = 3, .fallback = "any across", .text = "across the axis: the second bar of universal, slide_1 of planar"},
    {.name = "length", .type = KEY_QUANTITY, .unit = "m", .fallback = "the distance at the start", .text = "distance: what its points are apart; of a screw what it advances in a turn, negative for a left-handed thread"},
    {.name = "drifts", .type = KEY_FLAG, .fallback = "false", .text = "held by velocities alone, to compare: what is lost of positions adds up"},
    {.name = "collides", .type = KEY_FLAG, .fallback = "false", .text = "shapes of the two bodies meet each other"},
    {.name = "group", .type = KEY_GROUPS, .text = "fixed: glued. All nodes of these groups of a solid, the first of the two that is one, go with the other body; of another solid, with the place of its mesh where they lie"},
    {.name = NULL, .type = KEY_JOINT, .sub = FREEDOM}};

static const tl_key LOAD[] = {
    {.name = "body", .type = KEY_REFERENCE, .choices = "body", .required = true, .text = ""},
    {.name = "at", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "in the body's axes"},
    {.name = "x", .type = KEY_FUNCTION, .unit = "N", .text = "force"},
    {.name = "y", .type = KEY_FUNCTION, .unit = "N", .text = ""},
    {.name = "z", .type = KEY_FUNCTION, .unit = "N", .dimension = 3, .text = ""},
    {.name = "torque", .type = KEY_FUNCTION, .unit = "N m", .text = "about z"},
    {.name = "follows_body", .type = KEY_FLAG, .fallback = "false", .text = "force and torque turn with the body"},
    END};

static const tl_key UNTIL[] = {
    {.name = "probe", .type = KEY_REFERENCE, .choices = "probe", .text = "what is looked at after every step"},
    {.name = "above", .type = KEY_QUANTITY, .unit = "?", .text = "it is larger than this"},
    {.name = "below", .type = KEY_QUANTITY, .unit = "?", .text = "it is smaller than this"},
    {.name = "for", .type = KEY_QUANTITY, .unit = "s", .low = 0, .high = 1e300, .fallback = "0 s", .text = "at every step for so long"},
    {.name = "at_most", .type = KEY_QUANTITY, .unit = "s", .positive = true, .fallback = "no bound", .text = "with a probe: the stage ends after so long anyway, with a warning"},
    {.name = "after", .type = KEY_QUANTITY, .unit = "s", .positive = true, .text = "instead of a probe: time since the stage began"},
    {.name = "time", .type = KEY_QUANTITY, .unit = "s", .positive = true, .text = "instead of a probe: time of the run"},
    END};

static const tl_key STAGE_DRIVE[] = {
    {.name = "speed", .type = KEY_FUNCTION, .unit = "?", .stage = true, .text = "of a drive that has a speed: from now on this one"},
    {.name = "move", .type = KEY_FUNCTION, .unit = "?", .stage = true,
     .text = "of a drive that has a position: way from where it stands as the stage begins; only the change of this function since then counts"},
    END};

static const tl_key STAGE_MOTION[] = {
    {.name = "x", .type = KEY_FUNCTION, .unit = "m", .stage = true,
     .text = "way from where the body stands as the stage begins; only the change of this function since then counts"},
    {.name = "y", .type = KEY_FUNCTION, .unit = "m", .stage = true, .text = ""},
    {.name = "angle", .type = KEY_FUNCTION, .unit = "rad", .stage = true, .dimension = 2, .other = "turn", .text = ""},
    {.name = "z", .type = KEY_FUNCTION, .unit = "m", .stage = true, .dimension = 3, .text = ""},
    {.name = "turn", .type = KEY_FUNCTION, .unit = "rad", .stage = true, .dimension = 3, .other = "angle", .text = "about the axis of the body's own `motion`"},
    END};

static const tl_key STAGE_BODY[] = {
    {.name = "kind", .type = KEY_WORD, .choices = "free fixed imposed removed", .fallback = "as before",
     .text = "what is fixed stays where it is, what is freed goes on with its velocity, what is imposed begins where it is; what is removed is there no more, and neither are joints and ropes that tie something to it"},
    {.name = "motion", .type = KEY_OBJECT, .sub = STAGE_MOTION, .text = "of an imposed body; what is not given goes on as before"},
    END};

static const tl_key STAGE_LOAD[] = {
    {.name = "x", .type = KEY_FUNCTION, .unit = "N", .stage = true, .text = "force"},
    {.name = "y", .type = KEY_FUNCTION, .unit = "N", .stage = true, .text = ""},
    {.name = "z", .type = KEY_FUNCTION, .unit = "N", .stage = true, .dimension = 3, .text = ""},
    {.name = "torque", .type = KEY_FUNCTION, .unit = "N m", .stage = true, .text = "about z"},
    END};

static const tl_key STAGE_FORCE[] = {
    {.name = "target", .type = KEY_FUNCTION, .unit = "?", .stage = true, .text = "of a force that has one: from now on this path"},
    {.name = "law", .type = KEY_FUNCTION, .unit = "?", .stage = true, .text = "as that of the force, and of T; where the force has none of its own, it is 0 before"},
    END};

static const tl_key STAGE_ENGINE[] = {
    {.name = "throttle", .type = KEY_FUNCTION, .unit = "", .stage = true, .text = "from now on this one"},
    END};

static const tl_key STAGE_INPUT[] = {
    {.name = "value", .type = KEY_FUNCTION, .unit = "?", .stage = true, .text = "from now on this, unless it is set"},
    END};

static const tl_key STAGE[] = {
    {.name = "until", .type = KEY_OBJECT, .sub = UNTIL, .fallback = "the end of the run", .text = "when the next stage begins; after the last one the run is over"},
    {.name = "gravity", .type = KEY_VECTOR, .unit = "m/s^2", .fallback = "as before", .text = ""},
    {.name = "interactions", .type = KEY_OBJECTS, .sub = TL_INTERACTION_KEYS, .text = "what is not given of a pair is as before"},
    {.name = "drives", .type = KEY_NAMED, .choices = "drive", .sub = STAGE_DRIVE, .text = ""},
    {.name = "bodies", .type = KEY_NAMED, .choices = "body", .sub = STAGE_BODY, .text = ""},
    {.name = "loads", .type = KEY_NAMED, .choices = "load", .sub = STAGE_LOAD, .text = "what is not given of a load goes on as before"},
    {.name = "forces", .type = KEY_NAMED, .choices = "force", .sub = STAGE_FORCE, .text = ""},
    {.name = "engines", .type = KEY_NAMED, .choices = "engine", .sub = STAGE_ENGINE, .text = ""},
    {.name = "inputs", .type = KEY_NAMED, .choices = "input", .sub = STAGE_INPUT, .text = "and so whatever names them: throttles, clutches, valves"},
    END};

static const tl_key STOP[] = {
    {.name = "probe", .type = KEY_REFERENCE, .choices = "probe", .required = true, .text = "what is looked at after every step"},
    {.name = "above", .type = KEY_QUANTITY, .unit = "?", .text = "the run is over when it is larger than this"},
    {.name = "below", .type = KEY_QUANTITY, .unit = "?", .text = "or smaller than this"},
    {.name = "for", .type = KEY_QUANTITY, .unit = "s", .low = 0, .high = 1e300, .fallback = "0 s", .text = "at every step for so long"},
    {.name = "during", .type = KEY_REFERENCES, .choices = "stage", .fallback = "the whole run", .text = "stages in which this is looked at"},
    {.name = "message", .type = KEY_TEXT, .text = "what the run says then"},
    END};

static const tl_key SINK[] = {
    {.name = "grains", .type = KEY_REFERENCE, .choices = "all, or grains", .fallback = "all", .text = "all: free bodies too"},
    {.name = "region", .type = KEY_REGION, .sub = TL_REGION_KEYS, .unit = "m", .required = true, .text = "bodies and grains that have their origin in it after a step are removed, with joints and ropes that tie something to them; the run ends where one is glued to a solid or moved by oil"},
    {.name = "frame", .type = KEY_REFERENCE, .choices = "body", .fallback = "ground", .text = "the body in whose axes the region is"},
    END};

static const tl_key EVERY[] = {
    {.name = "every", .type = KEY_QUANTITY, .unit = "s", .low = 0, .high = 1e300, .text = "0: each step"},
    END};

static const tl_key OUTPUT[] = {
    {.name = "series", .type = KEY_OBJECT, .sub = EVERY, .fallback = "every: 0 s", .text = "rows of series.csv"},
    {.name = "frames", .type = KEY_OBJECT, .sub = EVERY, .fallback = "every: 1/500 of the run", .text = "frames of trajectory.h5"},
    {.name = "checkpoint", .type = KEY_OBJECT, .sub = EVERY, .fallback = "after 1 s, then each time the run has taken twice as long, at least every minute", .text = "checkpoint.h5, by wall time"},
    END};

static const tl_key SHEAR[] = {
    {.name = "along", .type = KEY_WORD, .choices = "x y z:3", .required = true, .text = "the direction in which neighbouring cells slide; periodic"},
    {.name = "across", .type = KEY_WORD, .choices = "x y z:3", .required = true, .text = "the direction in which they are neighbours; periodic"},
    {.name = "strain", .type = KEY_FUNCTION, .unit = "1", .required = true, .text = "γ as a function of t: `2*t/(1 s)` for a steady rate"}, END};
static const tl_key PERIODIC[] = {
    {.name = "x", .type = KEY_QUANTITIES, .unit = "m", .fallback = "not periodic", .text = "where the cell begins and ends: [0, 1 m]"},
    {.name = "y", .type = KEY_QUANTITIES, .unit = "m", .fallback = "not periodic", .text = ""}, {.name = "z", .type = KEY_QUANTITIES, .unit = "m", .fallback = "not periodic", .dimension = 3, .text = ""},
    {.name = "shear", .type = KEY_OBJECT, .sub = SHEAR, .fallback = "none", .text = "shear without walls (Lees and Edwards): what lies one cell of length L further across lies γ L further along, and moves so with γ' L. A body keeps its own position and velocity where it goes; grains begin with the flow of the cell besides their own velocity"},
    END};

static const tl_key INPUT[] = {
    {.name = "value", .type = KEY_FUNCTION, .unit = "?", .fallback = "0", .text = "what it is unless it is set; it may name probes, as they are after the last step: probe.NAME"},
    {.name = "unit", .type = KEY_TEXT, .fallback = "1", .text = "of its value: rad/s, N m; 1: a number. Beside one with a factor, as kN, numbers have their unit; programs and columns of series.csv have values in SI"},
    END};

static const tl_key START[] = {
    {.name = "equilibrium", .type = KEY_FLAG, .fallback = "false",
     .text = "everything stands at t = 0: springs, oil in shut chambers, joints and contacts carry the weight, found by a solve that may move bodies a little (theory §4.7). "
             "Nothing may have a velocity then but shafts, as of an engine that idles; where nothing holds a body, the message names it. summary.json says how well it is met"},
    {.name = "tolerance", .type = KEY_QUANTITY, .unit = "m/s^2", .positive = true, .low = 0, .high = 1e300, .fallback = "1e-4 of gravity, without gravity 1e-3 m/s^2",
     .text = "acceleration that may be left anywhere in the first step"},
    {.name = "passes", .type = KEY_COUNT, .low = 1, .high = 1e6, .fallback = "500", .text = "at most"},
    END};

const tl_key TL_SCENE_KEYS[] = {
    {.name = "include", .type = KEY_TEXT, .text = "other scenes, relative to this one; this one overrides them"},
    {.name = "dimension", .type = KEY_COUNT, .low = 2, .high = 3, .fallback = "2", .at = SETTING(int, dimension), .text = "2: the x–y plane, y up; 3: space, z up by custom"},
    {.name = "gravity", .type = KEY_VECTOR, .unit = "m/s^2", .fallback = "[0, 0]", .text = ""},
    {.name = "periodic", .type = KEY_OBJECT, .sub = PERIODIC, .fallback = "no direction is",
     .text = "directions in which everything is again in the next cell: what leaves at one end meets what is at the other; positions, as probes say them, go on counting. Half-planes and half-spaces "
             "lie along such a direction; free bodies are at most half as long as the cell, boundaries and links as the cell; joints and ropes do not reach across"},
    {.name = "time", .type = KEY_OBJECT, .sub = TIME, .required = true, .text = ""},
    {.name = "start", .type = KEY_OBJECT, .sub = START, .text = "of the whole scene"},
    {.name = "integrator", .type = KEY_OBJECT, .sub = INTEGRATOR, .text = ""},
    {.name = "solver", .type = KEY_OBJECT, .sub = SOLVER, .text = ""},
    {.name = "drift", .type = KEY_OBJECT, .sub = DRIFT, .text = ""},
    {.name = "detection", .type = KEY_OBJECT, .sub = DETECTION, .text = ""},
    {.name = "parameters", .type = KEY_FREE, .text = "names for quantities, used in expressions with their dots: `vibration.frequency`. Not t, T, q, v, pi where these mean something: in functions of time, in `stages`, in laws; pi nowhere"},
    {.name = "inputs", .type = KEY_NAMED, .sub = INPUT, .text = "what a driver or a controller does, and a program may set between steps (talus/scene.h): `input.NAME` in functions of time that are no positions, and in laws: docs/driveline.md"},
    {.name = "materials", .type = KEY_NAMED, .sub = MATERIAL, .text = ""},
    {.name = "interactions", .type = KEY_OBJECTS, .sub = TL_INTERACTION_KEYS, .text = "laws by pairs of materials: Signorini–Coulomb with restitution, and others"},
    {.name = "bodies", .type = KEY_NAMED, .sub = BODY, .text = "free bodies and boundaries"},
    {.name = "solids", .type = KEY_NAMED, .sub = TL_SOLID_KEYS, .text = "deformable solids of finite elements, of small strains; by their names they are bodies, too"},
    {.name = "grains", .type = KEY_NAMED, .sub = TL_GRAIN_KEYS, .text = "groups of grains"},
    {.name = "mechanisms", .type = KEY_NAMED, .sub = MECHANISM, .text = "articulated systems"},
    {.name = "ropes", .type = KEY_NAMED, .sub = ROPE, .text = "links without mass between points of bodies: ropes, struts, rods"},
    {.name = "joints", .type = KEY_NAMED, .sub = BODY_JOINT, .text = "joints between any two bodies, as constraints solved with the contacts. Where a machine is a tree, the coordinates of a mechanism are cheaper and exact"},
    {.name = "hydraulics", .type = KEY_NAMED, .sub = TL_HYDRAULICS_KEYS, .text = "circuits, each with its oil; names are unique over all of them, and `tank` is what has the pressure of the atmosphere"},
    {.name = "tracks", .type = KEY_NAMED, .sub = TL_TRACK_KEYS, .text = "chains of shoes around wheels, built from a dozen numbers: docs/tracks.md"},
    {.name = "tyres", .type = KEY_NAMED, .sub = TL_TYRE_KEYS, .text = "segments of tread on springs around wheels, built from what is known of a tyre: docs/tyres.md"},
    {.name = "loads", .type = KEY_NAMED, .sub = LOAD, .text = "external forces"},
    {.name = "probes", .type = KEY_NAMED, .sub = TL_PROBE_KEYS, .text = "columns of series.csv"},
    {.name = "sinks", .type = KEY_NAMED, .sub = SINK, .text = "where grains go out of the run; with a `source` among the grains, a flow that lasts"},
    {.name = "stages", .type = KEY_NAMED, .sub = STAGE,
     .text = "one after the other, in this order; what a stage sets holds until another one sets it. series.csv gets a column `stage`, from 1"},
    {.name = "stop", .type = KEY_NAMED, .sub = STOP, .text = "conditions that end the run early"},
    {.name = "output", .type = KEY_OBJECT, .sub = OUTPUT, .text = ""},
    END};
/* clang-format on */
