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
    # every contact within the friction cone, forces are impulses over h
    end = f["frames/contact_end"][:]
    last = slice(end[-2], end[-1])
    body, normal, force = f["contacts/body"][last], f["contacts/normal"][last], f["contacts/force"][last]
    assert np.allclose(np.linalg.norm(normal, axis=1), 1)
    assert (force[:, 0] > 0).all() and (np.abs(force[:, 1]) <= 0.3 * force[:, 0] * (1 + 1e-6) + 1e-6).all(), "outside the friction cone"
    assert np.allclose(f["contacts/impulse"][last], force * 1e-3)
print("all read")
