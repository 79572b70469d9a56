"""Meshes of Cook's membrane for Gmsh, n x n cells: q4_4.msh has quadrilaterals, t6_4.msh two triangles of six nodes in each cell. python3 membrane.py"""


def write(kind, n):
    step = 2 if kind == "t6" else 1  # triangles have nodes between
    m = n * step

    def number(i, j):
        return j * (m + 1) + i + 1

    nodes = []
    for j in range(m + 1):
        for i in range(m + 1):
            s, t = i / m, j / m
            nodes.append((48 * s, 44 * s + t * (44 - 28 * s)))
    elements = []
    for j in range(n):
        for edge, i in ((1, 0), (2, m)):
            line = [number(i, step * j), number(i, step * (j + 1))]
            if step == 2:
                line.append(number(i, 2 * j + 1))
            elements.append((8 if step == 2 else 1, edge, line))
    elements.append((15, 4, [number(m, m // 2)]))
    for j in range(n):
        for i in range(n):
            if step == 1:
                elements.append((3, 3, [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)]))
                continue
            a, b = 2 * i, 2 * j
            for corners in (((a, b), (a + 2, b), (a + 2, b + 2)), ((a, b), (a + 2, b + 2), (a, b + 2))):
                between = [((p[0] + q[0]) // 2, (p[1] + q[1]) // 2) for p, q in zip(corners, corners[1:] + corners[:1])]
                elements.append((9, 3, [number(*p) for p in list(corners) + between]))
    with open(f"{kind}_{n}.msh", "w") as f:
        f.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n")
        f.write('1 1 "clamp"\n1 2 "end"\n2 3 "panel"\n0 4 "middle"\n$EndPhysicalNames\n')
        f.write(f"$Nodes\n{len(nodes)}\n")
        for k, (x, y) in enumerate(nodes):
            f.write(f"{k + 1} {x:.12g} {y:.12g} 0\n")
        f.write(f"$EndNodes\n$Elements\n{len(elements)}\n")
        for k, (kind_number, group, node) in enumerate(elements):
            f.write(f"{k + 1} {kind_number} 2 {group} {group} {' '.join(map(str, node))}\n")
        f.write("$EndElements\n")


for cells in (4, 8, 16, 32):
    write("q4", cells)
for cells in (4, 8, 16):
    write("t6", cells)
