"""talus export as ParaView itself reads it:  pvpython export_paraview.py TALUS MAKE_STONES
Opens every .pvd with ParaView's readers; points, cells, times, names and values against trajectory.h5; the Tube filter on the force network.
Exit code 77: what it needs is not installed."""
import os, shutil, subprocess, sys, tempfile

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print("skipped:", missing)
    os._exit(77)
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

SCENE = """
gravity: [0, -9.81]
time: {end: 0.3 s, step: 1 ms}
materials: {stone: {density: 2000, thickness: 10 mm}}
interactions: [{friction: 0.5}]
bodies:
  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}
grains:
  heap: {generator: lattice, rows: 5, columns: 8, spacing: 21 mm, origin: [0, 1 cm], radius: {uniform: [8 mm, 10 mm]}, material: stone}
mechanisms:
  swing:
    bodies: {arm: {mass: 1, inertia: 0.1, shapes: [{segment: {from: [0, 0], to: [0, -0.1], radius: 5 mm, material: stone}}]}, bob: {mass: 1, inertia: 0.1}}
    joints:
      pivot: {type: revolute, parent: ground, at: [-0.1, 0.3], child: arm, angle: 0.4}
      wrist: {type: revolute, parent: arm, at: [0, -0.1], child: bob}
output: {frames: {every: 50 ms}}
"""
BODIES = {"body", "material", "role", "mass", "velocity", "angular_velocity", "speed"}
CONTACTS = {"normal", "gap", "force", "normal_force", "impulse", "candidate", "antagonist"}


def check(true, what):
    if not true:
        raise AssertionError(what)


def near(got, wanted, what, tolerance=1e-6):
    got, wanted = np.asarray(got, float), np.asarray(wanted, float)
    check(got.shape == wanted.shape, f"{what}: {got.shape} instead of {wanted.shape}")
    scale = max(1.0, np.abs(wanted).max(initial=0))
    off = np.abs(got - wanted).max(initial=0)
    check(off <= tolerance * scale, f"{what}: off by {off}")


def fetch(path, time, frames):
    """One frame, through the reader that ParaView picks for the file."""
    reader = simple.OpenDataFile(path)
    check(reader is not None, f"ParaView does not know what to do with {path}")
    near(list(reader.TimestepValues), frames, path + ": times", 1e-12)
    simple.UpdatePipeline(time, reader)
    data = servermanager.Fetch(reader)
    if data.IsA("vtkMultiBlockDataSet"):
        data = data.GetBlock(0)
    return reader, data


def array(of, name):
    check(of.HasArray(name), f"no array '{name}'")
    return vtk_to_numpy(of.GetArray(name))


def names(of):
    return {of.GetArrayName(i) for i in range(of.GetNumberOfArrays())}


def points(data):
    return vtk_to_numpy(data.GetPoints().GetData()) if data.GetNumberOfPoints() else np.zeros((0, 3))


def check_bodies(f, out, k, time, times):
    _, data = fetch(out + "/bodies.pvd", time, times)
    cells = data.GetCellData()
    check(names(cells) == BODIES, f"bodies have {names(cells)}")
    near(data.GetFieldData().GetArray("TimeValue").GetValue(0), time, "time", 1e-12)
    check("velocity" in data.GetFieldData().GetAbstractArray("units").GetValue(0), "units")
    materials = data.GetFieldData().GetAbstractArray("materials").GetValue(0)
    check(materials == ", ".join(n.decode() for n in f["materials/name"][:]), materials)
    body, velocity, pose = array(cells, "body"), f["frames/velocity"][k], f["frames/pose"][k]
    check(set(body) == set(f["shapes/body"][:]), "bodies with shapes")
    planar = pose.shape[1] == 3
    near(array(cells, "mass"), f["bodies/mass"][:][body], "mass")
    linear = np.c_[velocity[:, :2], 0 * velocity[:, 0]] if planar else velocity[:, :3]
    near(array(cells, "velocity"), linear[body], "velocity")
    near(array(cells, "speed"), np.linalg.norm(linear[body], axis=1), "speed")
    near(array(cells, "angular_velocity")[:, 2], velocity[body, 2 if planar else 5], "angular velocity")
    near(array(cells, "role"), np.where(f["bodies/link"][:][body], 3, f["bodies/kind"][:][body]), "role")
    # all points of a grain are within its radius of its origin, and reach it
    x, shape = points(data), f["shapes/body"][:]
    for index in range(data.GetNumberOfLines(), data.GetNumberOfCells(), 7):
        b = body[index]
        if f["bodies/kind"][b] or f["bodies/link"][b] or (shape == b).sum() != 1:
            continue
        s = int(np.flatnonzero(shape == b)[0])
        first, count = f["shapes/first_point"][s], f["shapes/point_count"][s]
        reach = np.linalg.norm(f["shapes/points"][first : first + count], axis=1).max() + f["shapes/radius"][s]
        cell, origin = data.GetCell(index), np.r_[pose[b, :2], 0] if planar else pose[b, :3]
        away = [np.linalg.norm(x[cell.GetPointId(i)] - origin) for i in range(cell.GetNumberOfPoints())]
        check(max(away) < reach * (1 + 1e-4), f"a face of body {b} is {max(away)} away, its points reach {reach}")
    return data.GetNumberOfCells()


def check_contacts(f, out, k, time, times):
    _, data = fetch(out + "/contacts.pvd", time, times)
    first, end = int(f["frames/contact_end"][k - 1]) if k else 0, int(f["frames/contact_end"][k])
    check(names(data.GetPointData()) == CONTACTS, f"contacts have {names(data.GetPointData())}")
    check(data.GetNumberOfPoints() == data.GetNumberOfCells() == end - first, "number of contacts")
    of = data.GetPointData()
    near(points(data), f["contacts/point"][first:end], "points")
    near(array(of, "gap"), f["contacts/gap"][first:end], "gap", 1e-9)
    near(array(of, "normal_force"), f["contacts/force"][first:end, 0], "normal force")
    near(np.linalg.norm(array(of, "force"), axis=1), np.linalg.norm(f["contacts/force"][first:end], axis=1), "force")
    near((array(of, "force") * array(of, "normal")).sum(axis=1), f["contacts/force"][first:end, 0], "force along the normal")
    near(array(of, "impulse"), f["contacts/impulse"][first:end], "impulse")
    near(np.c_[array(of, "candidate"), array(of, "antagonist")], f["contacts/body"][first:end], "bodies")
    return end - first


def check_forces(f, out, k, time, times):
    reader, data = fetch(out + "/forces.pvd", time, times)
    n = data.GetNumberOfCells()
    check(n > 0 and data.GetNumberOfLines() == n and data.GetNumberOfPoints() == 2 * n, "segments")
    tube = simple.Tube(Input=reader, Scalars=["POINTS", "normal_force"], VaryRadius="By Scalar", Radius=1e-3, NumberofSides=6)
    simple.UpdatePipeline(time, tube)
    made = tube.GetDataInformation()
    check(made.GetNumberOfCells() >= n and made.GetNumberOfPoints() >= 12 * n, f"{made.GetNumberOfCells()} tubes of {n} segments")
    force = array(data.GetPointData(), "normal_force")
    near(force[::2], force[1::2], "both ends have the force")


def check_mechanism(f, out, k, time, times):
    _, data = fetch(out + "/mechanism.pvd", time, times)
    joints = f["joints/body"].shape[0]
    check(data.GetNumberOfPoints() == data.GetNumberOfVerts() == 2 * joints, "joints")
    check(data.GetNumberOfLines() == 1, "links")
    x = points(data)
    near(x[0::2], x[1::2], "the two sides of a joint")  # they are not closed by coordinates but follow the tree


def run(*arguments):
    subprocess.run(arguments, check=True, stderr=subprocess.DEVNULL)


def main(talus, make_stones):
    home = tempfile.mkdtemp(prefix="talus-paraview-")
    try:
        with open(home + "/planar.yaml", "w") as scene:
            scene.write(SCENE)
        run(talus, "run", home + "/planar.yaml", "-o", home + "/planar", "--quiet")
        run(make_stones, home + "/space", "60", "9")
        for name in ("planar", "space"):
            out = f"{home}/{name}-vtk"
            run(talus, "export", f"{home}/{name}", "--vtk", out)
            f = h5py.File(f"{home}/{name}/trajectory.h5", "r")
            times = f["frames/time"][:]
            touched = 0
            for k in (0, len(times) // 2, len(times) - 1):
                arguments = f, out, k, times[k], times
                cells = check_bodies(*arguments)
                touched += check_contacts(*arguments)
                if k:
                    check_forces(*arguments)
                check_mechanism(*arguments)
            print(f"{name}: {len(times)} frames, {cells} cells, {touched} contacts")
            check(touched > 20, "there should be contacts")
    finally:
        shutil.rmtree(home)


try:
    main(*sys.argv[1:])
except Exception as wrong:  # ParaView's Python would end with 0
    print("FAILED:", type(wrong).__name__, wrong)
    sys.stdout.flush()
    os._exit(1)
sys.stdout.flush()
os._exit(0)
