"""Meshes of MacNeal and Harder's patches (1985), with Gmsh's numbers: plane.msh of five irregular quadrilaterals, triangles.msh and triangles6.msh of ten
triangles, space.msh of seven irregular hexahedra. python3 patch.py"""

NAMES = {"left": 1, "right": 2, "bottom": 3, "top": 4, "front": 5, "back": 6, "origin": 7, "along": 8, "across": 9, "inner": 10, "all": 11}


def write(name, dimension, nodes, elements):
    used = sorted({(d, g) for _, d, g, _ in elements}, key=lambda x: x[1])
    word = {v: k for k, v in NAMES.items()}
    with open(name + ".msh", "w") as f:
        f.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n" % len(used))
        for d, g in used:
            f.write('%d %d "%s"\n' % (d, g, word[g]))
        f.write("$EndPhysicalNames\n$Nodes\n%d\n" % len(nodes))
        for k, x in enumerate(nodes):
            f.write("%d %g %g %g\n" % ((k + 1,) + tuple(x)))
        f.write("$EndNodes\n$Elements\n%d\n" % len(elements))
        for k, (kind, d, g, n) in enumerate(elements):
            f.write("%d %d 2 %d %d %s\n" % (k + 1, kind, g, g, " ".join(str(i + 1) for i in n)))
        f.write("$EndElements\n")


def plane(name, triangles, between):
    nodes = [(0, 0, 0), (0.24, 0, 0), (0.24, 0.12, 0), (0, 0.12, 0), (0.04, 0.02, 0), (0.18, 0.03, 0), (0.16, 0.08, 0), (0.08, 0.08, 0)]
    quads = [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (4, 5, 6, 7)]
    middle = {}

    def half(a, b):
        if (min(a, b), max(a, b)) not in middle:
            middle[min(a, b), max(a, b)] = len(nodes)
            nodes.append(tuple((p + q) / 2 for p, q in zip(nodes[a], nodes[b])))
        return middle[min(a, b), max(a, b)]

    def ring(corners):
        return list(corners) + [half(a, b) for a, b in zip(corners, corners[1:] + corners[:1])]

    out = [(15, 0, NAMES["origin"], [0]), (15, 0, NAMES["along"], [1]), (15, 0, NAMES["inner"], [6])]
    for side, a, b in (("bottom", 0, 1), ("right", 1, 2), ("top", 2, 3), ("left", 3, 0)):
        out.append((8, 1, NAMES[side], [a, b, half(a, b)]) if between else (1, 1, NAMES[side], [a, b]))
    for q in quads:
        if not triangles:
            out.append((3, 2, NAMES["all"], q))
        for t in ((q[0], q[1], q[2]), (q[0], q[2], q[3])) if triangles else ():
            out.append((9, 2, NAMES["all"], ring(t)) if between else (2, 2, NAMES["all"], t))
    write(name, 2, nodes, out)


def space():
    outer = [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    inner = [(0.249, 0.342, 0.192), (0.826, 0.288, 0.288), (0.850, 0.649, 0.263), (0.273, 0.750, 0.230),
             (0.320, 0.186, 0.643), (0.677, 0.305, 0.683), (0.788, 0.693, 0.644), (0.165, 0.745, 0.702)]
    faces = {"bottom": (0, 3, 2, 1), "top": (4, 5, 6, 7), "front": (0, 1, 5, 4), "right": (1, 2, 6, 5), "back": (2, 3, 7, 6), "left": (3, 0, 4, 7)}
    out = [(15, 0, NAMES["origin"], [0]), (15, 0, NAMES["along"], [1]), (15, 0, NAMES["across"], [3]), (15, 0, NAMES["inner"], [14])]
    for name, face in faces.items():
        out.append((3, 2, NAMES[name], face))
    for face in faces.values():
        # the inner face first: seen from outside, the outer one goes round counter-clockwise
        out.append((5, 3, NAMES["all"], [8 + i for i in face] + list(face)))
    out.append((5, 3, NAMES["all"], list(range(8, 16))))
    write("space", 3, outer + inner, out)


plane("plane", False, False)
plane("triangles", True, False)
plane("triangles6", True, True)
space()
