"""trajectory.h5 with h5py alone: the example of docs/results.md runs as it stands, every dataset says its unit and meaning, and the numbers are
those of series.csv.   results_h5py.py TALUS SOURCE_DIR      exit code 77: h5py is not installed"""
import contextlib
import csv
import io
import os
import re
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as why:
    print("skipped:", why)
    sys.exit(77)

talus, source = sys.argv[1:]
with tempfile.TemporaryDirectory() as home:
    os.chdir(home)
    scene = os.path.join(source, "examples/four-bar-in-disks/config1.yaml")
    subprocess.run([talus, "run", scene, "-o", "out/demo", "-u", "0.3", "--quiet", "--set", "output.series.every=0.1", "--set", "output.frames.every=0.1"], check=True)

    page = open(os.path.join(source, "docs/results.md"), encoding="utf-8").read()
    examples = re.findall(r"```python\n(.*?)```", page, re.S)
    assert examples, "docs/results.md has no example"
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        for example in examples:
            exec(compile(example, "docs/results.md", "exec"), {})
    print(said.getvalue())
    assert "the lid is at" in said.getvalue() and "contacts; on the lid press" in said.getvalue()

    f = h5py.File("out/demo/trajectory.h5")
    without = []
    f.visititems(lambda name, d: without.append(name) if isinstance(d, h5py.Dataset) and not (d.attrs.get("unit") and d.attrs.get("meaning")) else None)
    assert not without, f"no unit or meaning: {without}"

    rows = list(csv.DictReader(open("out/demo/series.csv")))
    names = [n.decode() for n in f["bodies/name"][:]]
    assert np.allclose(f["frames/time"][:], [float(r["time"]) for r in rows])
    assert np.allclose(f["frames/pose"][:, names.index("box"), 1], [float(r["box_height"]) for r in rows], atol=1e-15)
    # bodies without a name are grains, those of a group lie one behind the other
    grains = [i for g, n in zip(f["groups/first"][:], f["groups/count"][:]) for i in range(g, g + n)] if "groups" in f else []
    assert grains == [i for i, n in enumerate(names) if not n], grains
    # every contact within the friction cone, forces are impulses over h
    end = f["frames/contact_end"][:]
    last = slice(end[-2], end[-1])
    body, normal, force = f["contacts/body"][last], f["contacts/normal"][last], f["contacts/force"][last]
    assert np.allclose(np.linalg.norm(normal, axis=1), 1)
    assert (force[:, 0] > 0).all() and (np.abs(force[:, 1]) <= 0.3 * force[:, 0] * (1 + 1e-6) + 1e-6).all(), "outside the friction cone"
    assert np.allclose(f["contacts/impulse"][last], force * 1e-3)

    # in space: stones; faces close, quaternions are unit, what the box carries in the end is what presses on it
    subprocess.run([talus, "run", os.path.join(source, "examples/stones/heap.yaml"), "-o", "out/stones", "-u", "0.3", "--quiet",
                    "--set", "grains.ballast.count=60", "--set", "output.series.every=0.1", "--set", "output.frames.every=0.1"], check=True)
    f = h5py.File("out/stones/trajectory.h5")
    pose, face_end, corner, points = f["frames/pose"][:], f["shapes/face_end"][:], f["shapes/corner"][:], f["shapes/points"][:]
    assert pose.shape[2] == 7 and np.allclose(np.linalg.norm(pose[:, :, 3:], axis=2), 1)
    stones = np.flatnonzero(f["shapes/kind"][:] == 6)
    assert len(stones) == 60 and (f["shapes/point_count"][:][stones] == 25).all()
    for s in stones:
        first, count, edges, volume = f["shapes/first_face"][s], f["shapes/face_count"][s], set(), 0
        p = points[f["shapes/first_point"][s]:][:25]
        for k in range(first, first + count):
            loop = corner[(face_end[k - 1] if k else 0):face_end[k]]
            edges |= set(zip(loop, np.roll(loop, -1)))
            volume += sum(np.dot(p[loop[0]], np.cross(p[loop[i]], p[loop[i + 1]])) / 6 for i in range(1, len(loop) - 1))
        assert all((b, a) in edges for a, b in edges), "a face without a neighbour"
        assert np.isclose(volume * 2700, f["bodies/mass"][f["shapes/body"][s]], rtol=1e-9)
    end = f["frames/contact_end"][:]
    last, h = slice(end[-2], end[-1]), 1e-3
    n, force, body = f["contacts/normal"][last], f["contacts/force"][last], f["contacts/body"][last]
    assert len(force) > 20 and (np.hypot(force[:, 1], force[:, 2]) <= 0.7 * force[:, 0] * (1 + 1e-9) + 1e-9).all(), "outside the friction cone"
    e = np.eye(3)[np.argmax(np.abs(n) < 0.57, axis=1)]
    t = np.cross(e, n)
    t /= np.linalg.norm(t, axis=1)[:, None]
    total = force[:, :1] * n + force[:, 1:2] * t + force[:, 2:] * np.cross(n, t)
    box = [name.decode() for name in f["bodies/name"][:]].index("box")
    on_box = (total * ((body[:, 0] == box).astype(float) - (body[:, 1] == box))[:, None]).sum(axis=0)
    said = float(list(csv.DictReader(open("out/stones/series.csv")))[-1]["box_force"])
    assert np.isclose(on_box[2], said, rtol=1e-9), (on_box, said)
print("all read")
