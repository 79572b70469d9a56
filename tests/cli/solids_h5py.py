"""Finite-element solids in trajectory.h5 and for ParaView, against closed forms: blocks that are led along u = t G x by all of their nodes, a block of soil
under a stamp (tests/solids/make_solids.c).   solids_h5py.py TALUS SOURCE_DIR, TALUS_SOLIDS=make_solids      exit code 77: h5py is not installed"""
import os
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
import zlib

try:
    import h5py
    import numpy as np
except ImportError as why:
    print("skipped:", why)
    sys.exit(77)

talus, source = sys.argv[1:]
END, YOUNG, POISSON, STAMP = 0.04, 20e6, 0.3, -0.006
G = np.array([[0.02, 0.01, 0], [0.03, -0.01, 0.02], [-0.01, 0.005, 0.015]])
BLOCKS = {3: {"soil": ((0, 0, 0), (0.3, 0.24, 0.15), 12, 10 * 8 * 6), "wedges": ((0.4, 0, 0), (0.08,) * 3, 13, 16),
              "tetrahedra": ((0.4, 0.16, 0), (0.08,) * 3, 24, 48), "simplices": ((0.4, 0.08, 0.1), (0.08,) * 3, 10, 6)},
          2: {"soil": ((0, 0, 0), (0.3, 0.15, 0), 9, 72), "triangles": ((0.4, 0, 0), (0.1, 0.1, 0), 22, 18)}}
NODES = {12: 8, 13: 6, 24: 10, 10: 4, 9: 4, 22: 6}
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2))


def near(got, wanted, what, tolerance=3e-7):
    got, wanted = np.asarray(got, float), np.asarray(wanted, float)
    scale = np.abs(wanted).max()
    off = np.abs(got - np.broadcast_to(wanted, got.shape)).max()
    assert off <= tolerance * scale, f"{what}: off by {off} of {scale}"


def split(values, ends):
    return np.split(values, ends[:-1])


def stretched(g):
    """Strain and stress of the gradient: angles for shear, Hooke's law in Lame's constants."""
    e = (g + g.T) / 2
    lame, shear = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)), YOUNG / (2 * (1 + POISSON))
    s = lame * np.trace(e) * np.eye(3) + 2 * shear * e
    d = s - np.trace(s) / 3 * np.eye(3)
    return [e[p] * (1 if p[0] == p[1] else 2) for p in PAIRS], [s[p] for p in PAIRS], np.sqrt(1.5 * (d * d).sum())


def check_surface(g, low, size, dimension, what):
    """Closed, around what it encloses, of nodes of its elements."""
    x, loops = g["position"][:], split(g["face_node"][:], g["face_end"][:])
    elements = split(g["element_node"][:], g["element_end"][:])
    for loop, e in zip(loops, g["face_element"][:]):
        assert set(loop) <= set(elements[e]), f"{what}: a face of element {e} has nodes that it has not"
    if dimension == 2:
        ends = sorted(n for loop in loops for n in (loop[0], loop[-1]))
        assert ends[::2] == ends[1::2], f"{what}: the rim is not closed"
        area = sum(x[a, 0] * x[b, 1] - x[a, 1] * x[b, 0] for loop in loops for a, b in zip(loop, loop[1:])) / 2
        near(area, size[0] * size[1], what + ": area", 1e-12)
        return
    edges = {(a, b) for loop in loops for a, b in zip(loop, np.roll(loop, -1))}
    assert all((b, a) in edges for a, b in edges), f"{what}: the surface is not closed"
    volume = sum(x[l[0]] @ np.cross(x[l[i]], x[l[i + 1]]) for l in loops for i in range(1, len(l) - 1)) / 6
    near(volume, np.prod(size), what + ": volume", 1e-12)


def check_run(path, dimension):
    f = h5py.File(path)
    assert not [n for n in datasets(f) if not (f[n].attrs.get("unit") and f[n].attrs.get("meaning"))]
    names, bodies = [n.decode() for n in f["solids/name"][:]], [n.decode() for n in f["bodies/name"][:]]
    assert names == list(BLOCKS[dimension]) and [bodies[b] for b in f["solids/body"][:]] == names
    time = f["frames/time"][:]
    for i, name in enumerate(names):
        low, size, vtk, count = BLOCKS[dimension][name]
        g, what = f[f"solids/{i}"], f"{dimension}: {name}"
        x = g["position"][:]
        near(x.min(axis=0), low, what + ": low", 1e-12) if any(low) else None
        near(x.max(axis=0), np.add(low, size), what + ": high", 1e-12)
        assert (g["element_kind"][:] == vtk).all() and len(g["element_kind"]) == count and (np.diff(g["element_end"][:], prepend=0) == NODES[vtk]).all()
        assert (g["region"][:] == 0).all() and g["displacement"].dtype == np.float32
        check_surface(g, low, size, dimension, what)
        for k, t in enumerate(time):
            check_frame(g, k, t, name, dimension, f"{what} at {t} s")
    return f


def check_frame(g, k, t, name, dimension, what):
    x, u = g["position"][:], g["displacement"][k]
    if name == "soil":
        up, size = dimension - 1, np.array(BLOCKS[dimension]["soil"][1])
        foot, top = x[:, up] == 0, x[:, up] > size[up] * (1 - 1e-9)
        under = top & (np.abs(x[:, :up] - size[:up] / 2) < 0.2 * size[:up]).all(axis=1)
        assert under.sum() > 3 and (u[foot] == 0).all()
        near(u[under, up], STAMP * t / END, what + ": under the stamp") if t else None
        s = g["stress"][k].astype(float)
        near(g["von_mises"][k], np.sqrt(0.5 * ((s[:, :3] - np.roll(s[:, :3], 1, axis=1)) ** 2).sum(axis=1) + 3 * (s[:, 3:] ** 2).sum(axis=1)), what, 1e-6) if t else None
        return
    grad = np.zeros((3, 3))
    grad[:dimension, :dimension] = G[:dimension, :dimension]
    strain, stress, equivalent = stretched(grad * t / END)
    if t == 0:
        assert (u == 0).all() and (g["stress"][k] == 0).all()
        return
    near(u, x @ grad.T * t / END, what + ": displacement")
    near(g["velocity"][k], x @ grad.T / END, what + ": velocity", 1e-6)
    near(g["strain"][k], strain, what + ": strain", 1e-6)
    near(g["stress"][k], stress, what + ": stress", 1e-6)
    near(g["von_mises"][k], equivalent, what + ": von Mises", 1e-6)


def datasets(f):
    found = []
    f.visititems(lambda name, d: found.append(name) if isinstance(d, h5py.Dataset) else None)
    return found


def read_vtk(path, form):
    """Arrays of a .vtu or .vtp by their names, of points and cells apart, as VTK describes its files."""
    raw = open(path, "rb").read()
    head, data = raw.split(b"<AppendedData encoding='raw'>\n_", 1)
    tree = xml.fromstring(head + b"</VTKFile>")
    assert tree.get("type") == form and tree.get("header_type") == "UInt64" and tree.get("compressor") == "vtkZLibDataCompressor"
    piece, out = tree.find(".//Piece"), {}
    for section in piece:
        for a in section:
            at = int(a.get("offset"))
            blocks, size, last = struct.unpack_from("<3Q", data, at)
            lengths, at, plain = struct.unpack_from(f"<{blocks}Q", data, at + 24), at + 24 + 8 * blocks, b""
            for n in lengths:
                plain += zlib.decompress(data[at:at + n])
                at += n
            kind = {"Float32": "<f4", "Float64": "<f8", "Int32": "<i4", "UInt8": "u1", "Int8": "i1"}[a.get("type")]
            wide = int(a.get("NumberOfComponents"))
            values = np.frombuffer(plain, kind)
            out[section.tag, a.get("Name")] = values.reshape(-1, wide) if wide > 1 else values
    assert len(out["Points", "Points"]) == int(piece.get("NumberOfPoints"))
    return out


# What VTK says of the order of nodes: "the first triangle of a wedge looks out of it", mid nodes of tetrahedra and triangles between these corners.
MIDDLE = {24: ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)), 22: ((0, 1), (1, 2), (2, 0))}


def check_order(p, vtk):
    normal = np.cross(p[1] - p[0], p[2] - p[0])
    if vtk in (10, 24):
        assert normal @ (p[3] - p[0]) > 0, "a tetrahedron inside out"
    elif vtk == 13:
        assert normal @ (p[3] - p[0]) < 0, "the first triangle of a wedge looks into it"
        near(p[3:] - p[:3], p[3] - p[0], "edges of a wedge", 0.05)
    elif vtk == 12:
        assert normal @ (p[4] - p[0]) > 0, "a hexahedron inside out"
        assert np.linalg.norm(p[4:] - p[:4], axis=1).max() < 1.2 * np.linalg.norm(p[4:] - p[:4], axis=1).min()
    else:
        assert normal[2] > 0, "an element inside out"
    for k, (a, b) in enumerate(MIDDLE.get(vtk, ())):
        near(p[-len(MIDDLE[vtk]) + k], (p[a] + p[b]) / 2, "a node between corners", 1e-6)


def check_yielded(scene):
    """Soil whose cap is at 400 kPa at the end, as the scene says, and what is elastic, of which nothing is said in the run and zeros in the export."""
    subprocess.run([talus, "run", scene, "-o", "pressed", "--quiet"], check=True, stderr=subprocess.DEVNULL)
    f = h5py.File("pressed/trajectory.h5")
    soil, pad = f["solids/0"], f["solids/1"]
    assert [n.decode() for n in f["solids/name"][:]] == ["soil", "pad"] and not {"plastic_strain", "cap"} & set(pad)
    for name, unit, first, last in (("cap", "Pa", 200e3, 400e3), ("plastic_strain", "1", 0, 0.2 * (1 - np.exp(-0.2)) / np.sqrt(3))):
        value = soil[name]
        assert value.shape == (len(f["frames/time"]), 1) and value.dtype == np.float32 and value.attrs["unit"] in (unit, unit.encode())
        assert value[0, 0] == first and (np.diff(value[:, 0]) >= 0).all()
        near(value[-1], last, name)
    subprocess.run([talus, "export", "pressed", "--vtk", "pressed-vtk"], check=True, stderr=subprocess.DEVNULL)
    for k, (_, name) in enumerate(re.findall(r"timestep='(.*?)' part='0' file='(.*?)'", open("pressed-vtk/solids.pvd").read())):
        v = read_vtk(os.path.join("pressed-vtk", name), "UnstructuredGrid")
        for data in ("plastic_strain", "cap"):
            assert (v["CellData", data] == np.append(soil[data][k], 0)).all(), data


def check_export(f, run):
    subprocess.run([talus, "export", run, "--vtk", run + "-vtk"], check=True, stderr=subprocess.DEVNULL)
    listed = re.findall(r"timestep='(.*?)' part='0' file='(.*?)'", open(run + "-vtk/solids.pvd").read())
    near([float(t) for t, _ in listed], f["frames/time"][:], "times", 1e-15)
    solids = range(len(f["solids/name"]))
    for k, (_, name) in enumerate(listed):
        v = read_vtk(os.path.join(run + "-vtk", name), "UnstructuredGrid")
        join = lambda data: np.concatenate([f[f"solids/{i}/{data}"][k] for i in solids])
        rest = np.concatenate([f[f"solids/{i}/position"][:] for i in solids])
        near(v["Points", "Points"], rest + join("displacement"), "points", 1e-7)
        for section, data in (("PointData", "displacement"), ("PointData", "velocity"), ("CellData", "stress"), ("CellData", "strain"), ("CellData", "von_mises")):
            assert (v[section, data] == join(data)).all(), data
        near(v["CellData", "pressure"], -join("stress")[:, :3].mean(axis=1), "pressure", 1e-6) if k else None
        assert (v["CellData", "solid"] == np.repeat(solids, [len(f[f"solids/{i}/region"]) for i in solids])).all()
        assert (v["CellData", "body"] == f["solids/body"][:][v["CellData", "solid"]]).all()
        assert (v["Cells", "types"] == np.concatenate([f[f"solids/{i}/element_kind"][:] for i in solids])).all()
        for e, nodes in enumerate(split(v["Cells", "connectivity"], v["Cells", "offsets"])):
            check_order(v["Points", "Points"][nodes].astype(float), v["Cells", "types"][e])
    # what contacts see of the soil is a shape of its body, which is not drawn once more
    shown = set(read_vtk(run + "-vtk/bodies/00000.vtp", "PolyData")["CellData", "body"])
    assert shown == set(range(len(f["bodies/name"]))) - set(f["solids/body"][:]), shown
    assert len(f["frames/pose"][0, 0]) == 3 or set(f["shapes/body"][:]) & set(f["solids/body"][:])


with tempfile.TemporaryDirectory() as home:
    os.chdir(home)
    for dimension in (2, 3):
        subprocess.run([os.environ["TALUS_SOLIDS"], f"run{dimension}", str(dimension), "5"], check=True)
        check_export(check_run(f"run{dimension}/trajectory.h5", dimension), f"run{dimension}")
    check_yielded(os.path.join(source, "tests/solids/pressed.yaml"))
print("all read")
