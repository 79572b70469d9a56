// The run: everything that the page shows, in plain arrays. Frames are indexed [frame × bodies + body].
import { readParts } from './mechanism.js'
import { readSolids } from './solids.js'
import { unpack } from './streams.js'

export const ROLES = ['grain', 'fixed', 'imposed', 'link', 'solid']
export const [DISK, SEGMENT, POLYGON, HALF_PLANE, SPHERE, CAPSULE, POLYHEDRON, HALF_SPACE, CYLINDER, MESH] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

function scaled(stream, count) {
  const out = new Float32Array(count)
  if (stream) for (let i = 0; i < count; i++) out[i] = stream.values[i] * stream.step
  return out
}

// Orientation of every body in every frame, x y z w.
function orientations(streams, { dimension, frames, bodies }) {
  const out = new Float32Array(4 * frames * bodies)
  if (dimension === 2) {
    const { values, step } = streams.turn_z
    for (let i = 0; i < frames * bodies; i++) {
      out[4 * i + 2] = Math.sin((values[i] * step) / 2)
      out[4 * i + 3] = Math.cos((values[i] * step) / 2)
    }
    return out
  }
  const { turn_x: tx, turn_y: ty, turn_z: tz } = streams
  const now = new Float64Array(4 * bodies)
  for (let b = 0; b < bodies; b++) now[4 * b + 3] = 1
  for (let i = 0; i < frames * bodies; i++) {
    const b = i % bodies
    const rx = tx.values[i] * tx.step, ry = ty.values[i] * ty.step, rz = tz.values[i] * tz.step
    if (rx || ry || rz) { // the rotation since the last frame, in front of what was
      const angle = Math.hypot(rx, ry, rz), s = Math.sin(angle / 2) / angle, w = Math.cos(angle / 2)
      const x = s * rx, y = s * ry, z = s * rz
      const at = 4 * b, qx = now[at], qy = now[at + 1], qz = now[at + 2], qw = now[at + 3]
      const px = w * qx + x * qw + y * qz - z * qy, py = w * qy - x * qz + y * qw + z * qx
      const pz = w * qz + x * qy - y * qx + z * qw, pw = w * qw - x * qx - y * qy - z * qz
      const length = Math.hypot(px, py, pz, pw)
      now[at] = px / length, now[at + 1] = py / length, now[at + 2] = pz / length, now[at + 3] = pw / length
    }
    for (let c = 0; c < 4; c++) out[4 * i + c] = now[4 * b + c]
  }
  return out
}

// Where the page has no velocities: means between the frames on both sides.
function differences(x, time, { frames, bodies }) {
  const v = new Float32Array(frames * bodies)
  for (let k = 0; k < frames; k++) {
    const before = Math.max(0, k - 1), after = Math.min(frames - 1, k + 1), dt = time[after] - time[before]
    if (dt > 0) for (let b = 0; b < bodies; b++) v[k * bodies + b] = (x[after * bodies + b] - x[before * bodies + b]) / dt
  }
  return v
}

// Shapes may share points and faces: bodies of a periodic run are there twice at its ends.
function readShapes(streams) {
  const COLUMNS = 7, table = streams.shape.values, shapes = [], size = streams.face_size?.values ?? [], begin = new Int32Array(size.length + 1)
  for (let f = 0; f < size.length; f++) begin[f + 1] = begin[f] + size[f]
  for (let i = 0; COLUMNS * i < table.length; i++) {
    const [body, kind, material, points, faces, point, face] = table.subarray(COLUMNS * i, COLUMNS * (i + 1))
    shapes.push({
      body, kind: kind > MESH ? POLYHEDRON : kind, smooth: kind > MESH, material, radius: streams.radius.values[i], rounding: streams.rounding ? streams.rounding.values[i] : 0,
      points: Array.from({ length: points }, (_, k) => [...streams.point.values.subarray(3 * (point + k), 3 * (point + k) + 3)]),
      faces: Array.from({ length: faces }, (_, f) => [...streams.corner.values.subarray(begin[face + f], begin[face + f + 1])]),
    })
  }
  return shapes
}

function readContacts(streams, header) {
  const log = (code) => (code ? header.force * 2 ** ((code - 1) / header.octave - header.octaves) : 0)
  const n = streams.candidate.values.length, { dimension } = header
  const contacts = {
    end: streams.contact_end.values,
    candidate: streams.candidate.values,
    antagonist: new Int32Array(n),
    force: new Float32Array(n),
    friction: scaled(streams.friction, n),
    point: streams.contact_point.values, // [those with pointAt ≥ 0]
    pointAt: new Int32Array(n),
    step: streams.contact_point.step,
    state: streams.contact_state ? (header.states ?? []).map((_, k) => streams.contact_state.values.subarray(k * n, (k + 1) * n)) : [], // what laws remember
    log,
  }
  const role = streams.role.values
  for (let i = 0, at = 0; i < n; i++) {
    contacts.antagonist[i] = streams.antagonist.values[i] + contacts.candidate[i]
    contacts.force[i] = log(streams.normal_force.values[i])
    const grains = role[contacts.candidate[i]] === 0 && role[contacts.antagonist[i]] === 0
    contacts.pointAt[i] = grains ? -1 : at
    if (!grains) at += dimension
  }
  return contacts
}

export async function openRun(document) {
  const header = JSON.parse(document.getElementById('talus-header').textContent)
  const data = document.getElementById('talus-data')
  const streams = await unpack(header, data.textContent.trim())
  data.textContent = '' // it is large
  const { frames, bodies, dimension, rows } = header, count = frames * bodies
  const run = { ...header, time: streams.time.values, role: streams.role.values, moves: streams.moves.values, mass: streams.mass.values, shapes: readShapes(streams) }
  run.position = [scaled(streams.x, count), scaled(streams.y, count), scaled(streams.z, count)]
  run.orientation = orientations(streams, header)
  run.velocity = run.position.map((x, c) => (streams.vx ? scaled(streams['v' + 'xyz'[c]], count) : differences(x, run.time, header)))
  run.spin = streams.wz ? ['wx', 'wy', 'wz'].map((name) => scaled(streams[name], count)) : null
  run.contacts = readContacts(streams, header)
  run.gone = streams.gone ? streams.gone.values : null // 1 where a body is not there
  run.forces = streams.force.values // codes, see forceOn
  run.parts = readParts(streams)
  run.solids = readSolids(streams)
  run.name = new Map(header.names)
  run.material = new Int32Array(bodies).fill(-1)
  for (const s of run.shapes) if (run.material[s.body] < 0) run.material[s.body] = s.material
  run.materials = header.materials.map((name, i) => name || `material ${i + 1}`)
  const columns = (values, each) => header.columns.map((_, k) => Float64Array.from(values.subarray(k * each, (k + 1) * each), (v) => header.bases[k] + v))
  run.series = columns(streams.series.values, rows)
  run.means = streams.series_mean && columns(streams.series_mean.values, rows / 2) // of the stretches of which two rows each are left
  try {
    run.summary = JSON.parse(header.summary)
  } catch {
    run.summary = null
  }
  run.planar = dimension === 2
  return run
}

export const speed = (run, i) => Math.hypot(run.velocity[0][i], run.velocity[1][i], run.velocity[2][i])
export const forceOn = (run, i) => run.contacts.log(run.forces[i])
export const bodyName = (run, b) => run.name.get(b) ?? `${ROLES[run.role[b]]} ${b}`

// The last frame not after t; times are floats, so a little after counts.
export function frameAt(run, t) {
  t += (1e-3 * (run.time[run.frames - 1] - run.time[0])) / run.frames
  let low = 0, high = run.frames - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (run.time[middle] <= t) low = middle
    else high = middle - 1
  }
  return low
}

// A high quantile of a positive quantity, from at most 200 000 values.
export function quantile(count, value, q) {
  const stride = Math.max(1, Math.floor(count / 200000)), sample = []
  for (let i = 0; i < count; i += stride) {
    const x = value(i)
    if (x > 0) sample.push(x)
  }
  if (!sample.length) return 1
  sample.sort((a, b) => a - b)
  return sample[Math.min(sample.length - 1, Math.floor(q * sample.length))]
}
