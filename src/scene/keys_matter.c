/* The part of the scene language's table that describes solids of finite elements. */
#include "scene/schema.h"
#include "talus/solid.h"

static const char *material_name(int i)
{
    talus_solid_material m;
    return talus_solid_material_get(i, &m) ? m.name : NULL;
}

static const char *material_text(int i)
{
    talus_solid_material m;
    return talus_solid_material_get(i, &m) ? m.text : NULL;
}

/* one key a line: */
/* clang-format off */
#define END {.name = NULL}

static const tl_key GRADING[] = {
    {.name = "x", .type = KEY_QUANTITY, .unit = "", .low = 1e-3, .high = 1e3, .fallback = "1", .text = "length of the first element along x (at the left) over that of the last; from each to the next lengths grow by one factor"},
    {.name = "y", .type = KEY_QUANTITY, .unit = "", .low = 1e-3, .high = 1e3, .fallback = "1", .text = "the same along y; in the plane 4 makes the layer at the bottom four times as thick as that at the top"},
    {.name = "z", .type = KEY_QUANTITY, .unit = "", .low = 1e-3, .high = 1e3, .fallback = "1", .dimension = 3, .text = "the same along z: 4 makes the layer at the bottom four times as thick as that at the top"},
    END};

static const tl_key PART[] = {
    {.name = "region", .type = KEY_REGION, .sub = TL_REGION_KEYS, .unit = "m", .required = true, .text = "two corners, or a shape, along the solid's own axes, before it is placed"},
    END};

static const tl_key FILL[] = {
    {.name = "surface", .type = KEY_TEXT, .dimension = 3, .other = "outline", .text = "file of triangles (.stl, .obj), beside the scene: a surface that is closed. Triangles that face another way than their neighbours are turned; which way all of them face does not matter. It may have several parts, and cavities, that do not run through one another: what lies in two parts counts as outside"},
    {.name = "outline", .type = KEY_POINTS, .unit = "m", .dimension = 2, .other = "surface", .text = "points around it, either way; sides must not cross"},
    {.name = "spacing", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "of the nodes, about: along each axis as near to it as lets cells end with the surface; a part that is thinner than a half of it is a mistake"},
    {.name = "groups", .type = KEY_NAMED, .sub = PART, .text = "groups, by names that are chosen here, which it has none of otherwise: the nodes that lie in a region, elements with all of their nodes there, and faces of the surface"},
    END};

static const tl_key BOX[] = {
    {.name = "size", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "width and height; in space three lengths"},
    {.name = "elements", .type = KEY_QUANTITIES, .unit = "", .low = 1, .high = 1e6, .required = true, .text = "along each axis, or one number: of cells, which kinds other than quadrilaterals and hexahedra cut further"},
    {.name = "element", .type = KEY_WORD, .choices = "quadrilateral4:2 triangle3:2 triangle6:2 hexahedron8:3 wedge6:3 tetrahedron4:3 tetrahedron10:3", .fallback = "quadrilateral4; hexahedron8",
     .text = "a cell becomes one quadrilateral or hexahedron, two triangles or wedges (triangles in x–y), or six tetrahedra. Triangles, wedges and tetrahedra without nodes between their corners are too stiff in bending"},
    {.name = "grading", .type = KEY_OBJECT, .sub = GRADING, .fallback = "none: all alike", .text = "elements that grow"},
    {.name = "groups", .type = KEY_NAMED, .sub = PART, .text = "more groups, by names that are chosen here: the nodes that lie in a region, within the box too, elements with all of their nodes there, and faces of the surface"},
    {.name = "at", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "centre of its face `top`: without it the box lies under y = 0, in space z = 0"},
    END};

static const tl_key MATTER[] = {
    {.name = "kind", .type = KEY_WORD, .words = material_name, .meanings = material_text, .fallback = "elastic", .text = "its own keys are the last of this table"},
    {.name = "density", .type = KEY_QUANTITY, .unit = "kg/m^3", .positive = true, .required = true, .text = ""},
    {.name = NULL, .type = KEY_MATTER}};

static const tl_key DAMPING[] = {
    {.name = "mass", .type = KEY_QUANTITY, .unit = "1/s", .low = 0, .high = 1e300, .fallback = "0", .text = "α of C = α M + β K: a motion of frequency f is damped by the share α/(4π f) + π f β of what is critical"},
    {.name = "stiffness", .type = KEY_QUANTITY, .unit = "s", .low = 0, .high = 1e300, .fallback = "0",
     .text = "β. \"Rayleigh 7 %\" of the ballast literature is, by scripts that are public, α = 0.07 1/s and β = 0.07 s, under which soil creeps with a time of 70 ms; where 7 % of the critical damping is meant, give `ratio`"},
    {.name = "ratio", .type = KEY_QUANTITIES, .unit = "", .low = 0, .high = 10, .text = "instead of α and β: the share of the critical damping, one number or one for each frequency"},
    {.name = "frequencies", .type = KEY_QUANTITIES, .unit = "Hz", .positive = true, .text = "with `ratio`: the two frequencies at which it holds; between them damping is less, beyond more"},
    END};

static const tl_key FIXED[] = {
    {.name = "group", .type = KEY_GROUPS, .required = true, .text = "nodes of these"},
    {.name = "along", .type = KEY_GROUPS, .choices = "x y z:3", .fallback = "all directions", .text = "x, y or z, or several: nodes slide across it, as on rollers or in a plane of symmetry"},
    END};

static const tl_key MOVED[] = {
    {.name = "group", .type = KEY_GROUPS, .required = true, .text = "nodes of these"},
    {.name = "x", .type = KEY_FUNCTION, .unit = "m", .text = "displacement as a function of t, 0 at the start; directions without one are free"},
    {.name = "y", .type = KEY_FUNCTION, .unit = "m", .text = ""},
    {.name = "z", .type = KEY_FUNCTION, .unit = "m", .dimension = 3, .text = ""},
    END};

static const tl_key PRESSED[] = {
    {.name = "on", .type = KEY_GROUPS, .required = true, .text = "faces of these"},
    {.name = "pressure", .type = KEY_FUNCTION, .unit = "Pa", .fallback = "0", .text = "against the outward normal, by the area without strain; of a solid with `rotations: large`, and of a meshfree one, where the faces are, by the area that they have"},
    {.name = "x", .type = KEY_FUNCTION, .unit = "Pa", .fallback = "0", .text = "traction along x, by the same area"},
    {.name = "y", .type = KEY_FUNCTION, .unit = "Pa", .fallback = "0", .text = ""},
    {.name = "z", .type = KEY_FUNCTION, .unit = "Pa", .fallback = "0", .dimension = 3, .text = ""},
    END};

static const tl_key BODY_FORCE[] = {
    {.name = "x", .type = KEY_FUNCTION, .unit = "N/m^3", .fallback = "0", .text = ""},
    {.name = "y", .type = KEY_FUNCTION, .unit = "N/m^3", .fallback = "0", .text = ""},
    {.name = "z", .type = KEY_FUNCTION, .unit = "N/m^3", .fallback = "0", .dimension = 3, .text = ""},
    END};

static const tl_key CONTACT[] = {
    {.name = "surface", .type = KEY_GROUPS, .fallback = "all of it", .text = "faces that take part"},
    {.name = "as", .type = KEY_WORD, .choices = "antagonist nodes both", .fallback = "both",
     .text = "antagonist: what touches the faces presses into them, in the plane the sides; nodes: the nodes of these faces press into the shapes of others, which slip through where nodes are farther apart than they are thick, and nodes do not meet nodes; both"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .required = true, .text = "whose laws hold"},
    END};

static const tl_key MESHFREE[] = {
    {.name = "influence", .type = KEY_QUANTITY, .unit = "", .positive = true, .fallback = "1.95; in the plane 1.8", .text = "of a box: radius within which gradients are fitted, in spacings; at most 2, above √3, in the plane √2: 27 particles, in the plane 9"},
    {.name = "stabilisation", .type = KEY_QUANTITY, .unit = "", .fallback = "0.1", .text = "share of Young's modulus by which displacements that alternate from particle to particle are resisted, of which strain sees nothing; fields that are quadratic along each axis do not feel it"},
    {.name = "renewal", .type = KEY_QUANTITY, .unit = "", .fallback = "0: never", .text = "of a material that yields: a particle that has flowed, and whose strain √(E:E) is larger, measures it anew, from where it is, with its stress and its hardening (theory §7.8); 0.002 to 0.01 lets soil flow as far as it likes. Mass and momentum stay; forces, and the elastic energy, change by a share as large as that strain. The probe solid_yield is then how far a particle has flowed, ∫ √(ε̇_p:ε̇_p) dt"},
    {.name = "stretch", .type = KEY_QUANTITY, .unit = "", .positive = true, .fallback = "5", .text = "above 1: a particle whose neighbourhood is drawn to more times its length, or pressed to less than one over that, is torn"},
    {.name = "torn", .type = KEY_WORD, .choices = "stop let_go", .fallback = "stop", .text = "what becomes of a particle that is stretched too far, turned inside out, pressed beyond what its elasticity can bear (to 0.58 of its length) or whose material finds no stress. stop: the run ends there, and names it; let_go: it goes on, and that particle resists nothing from then on, nor are faces pressed that it is of; how many there are is said"},
    END};

const tl_key TL_SOLID_KEYS[] = {
    {.name = "box", .type = KEY_OBJECT, .sub = BOX, .text = "a box cut into elements; its groups are left and right (along x), in space front and back (y), bottom and top (z; in the plane y)"},
    {.name = "mesh", .type = KEY_TEXT, .text = "instead: a mesh of Gmsh (.msh, 2.2 or 4.1), beside the scene; its groups are those that the file names, faces of the surface count for contacts and loads"},
    {.name = "fill", .type = KEY_OBJECT, .sub = FILL, .text = "instead: what a closed surface encloses, in the plane an outline, filled by cubes (squares) whose nodes are moved to the surface: particles of a meshfree solid, or finite elements"},
    {.name = "scale", .type = KEY_QUANTITY, .unit = "m", .positive = true, .fallback = "1 m", .text = "length of 1 in the file"},
    {.name = "position", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "where the origin of the box or the file stands"},
    {.name = "angle", .type = KEY_QUANTITY, .unit = "rad", .fallback = "0", .dimension = 2, .other = "orientation", .text = "by which it is turned about that"},
    {.name = "orientation", .type = KEY_OBJECT, .sub = TL_ORIENTATION_KEYS, .dimension = 3, .other = "angle", .text = ""},
    {.name = "material", .type = KEY_OBJECT, .sub = MATTER, .text = "of all that `regions` does not name"},
    {.name = "regions", .type = KEY_NAMED, .sub = MATTER, .text = "materials of groups of elements, by their names in the mesh"},
    {.name = "strain", .type = KEY_WORD, .choices = "plain mean_volume enhanced auto", .fallback = "auto", .text = "how elements take it from displacements. enhanced: they lock neither in bending nor near ν = 1/2; mean_volume: not near ν = 1/2 (B-bar); plain: as the shape functions have it; auto: the first of these that a kind of element allows"},
    {.name = "rotations", .type = KEY_WORD, .choices = "small large", .fallback = "small", .text = "how far elements turn. small: strain is measured along axes that stay, and a turn by φ strains by φ²/2, of which the run warns beyond 0.1 rad; large: along axes that turn with each element, and a pressure goes with its faces. Strains are small in either"},
    {.name = "meshfree", .type = KEY_OBJECT, .sub = MESHFREE, .text = "particles at the nodes of a box of equal cubes, in the plane squares, or of what fills a closed surface, instead of its elements (Nordberg & Servin 2018): Green's strain from moving least squares, of what fills a surface from means of its cells (theory §7.9), St. Venant–Kirchhoff's elasticity or a plastic material behind it; rotations and strains may be large"},
    {.name = "mass", .type = KEY_WORD, .choices = "lumped consistent", .fallback = "lumped", .text = ""},
    {.name = "plane", .type = KEY_WORD, .choices = "strain:2 stress:2", .fallback = "strain", .dimension = 2, .text = "strain: no strain along z; stress: no stress"},
    {.name = "thickness", .type = KEY_QUANTITY, .unit = "m", .positive = true, .fallback = "1 m", .dimension = 2, .text = "along z"},
    {.name = "damping", .type = KEY_OBJECT, .sub = DAMPING, .fallback = "none", .text = "Rayleigh's"},
    {.name = "fixed", .type = KEY_GROUPS, .sub = FIXED, .text = "groups whose nodes stay where they are, and maps that say in which directions: [bottom, {group: left, along: x}]"},
    {.name = "motion", .type = KEY_OBJECTS, .sub = MOVED, .text = "groups whose nodes are moved"},
    {.name = "loads", .type = KEY_OBJECTS, .sub = PRESSED, .text = "tractions on faces"},
    {.name = "force", .type = KEY_OBJECT, .sub = BODY_FORCE, .text = "by volume, on all of it"},
    {.name = "absorb", .type = KEY_GROUPS, .text = "faces through which waves leave, by dampers ρ c of both wave speeds (Lysmer & Kuhlemeyer 1969); they carry nothing that rests"},
    {.name = "start", .type = KEY_WORD, .choices = "unstrained settled", .fallback = "unstrained", .text = "settled: in equilibrium with gravity and its loads at t = 0, as if nothing touched it"},
    {.name = "velocity", .when = "start: unstrained", .type = KEY_VECTOR, .unit = "m/s", .fallback = "[0, 0]", .text = "at the start, of all that is neither fixed nor moved"},
    {.name = "contact", .type = KEY_OBJECT, .sub = CONTACT, .fallback = "none: all passes through it", .text = ""},
    END};
/* clang-format on */
