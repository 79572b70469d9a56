// Shapes as triangles (and, in the plane, outlines) in the axes of their bodies; all bodies in one mesh, each vertex knows its body.
import { DISK, SEGMENT, POLYGON, HALF_PLANE, SPHERE, CAPSULE, POLYHEDRON, HALF_SPACE, CYLINDER, MESH } from './run.js'
import { addSolidParts, isSolid } from './mechanism.js'

const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]] // a + s b
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
const unit = (a) => {
  const n = Math.hypot(...a)
  return n > 0 ? a.map((x) => x / n) : [0, 0, 1]
}

const FLAT = [0, 0, 0] // no normal: the fragment takes that of its face

class Mesh {
  constructor() {
    this.position = []
    this.normal = []
    this.body = []
    this.ink = [] // bytes of a colour of its own, or four zeros
    this.own = [0, 0, 0, 0] // of the vertices to come
    this.index = []
    this.draft = null // with polyhedra as octahedra, for slow machines while things move
    this.line = []
    this.lineBody = []
  }
  // Returns its number.
  vertex(body, x, n = FLAT) {
    this.position.push(x[0], x[1], x[2])
    this.normal.push(n[0], n[1], n[2])
    this.ink.push(...this.own)
    return this.body.push(body) - 1
  }
  fan(corners, index = this.index) {
    for (let i = 2; i < corners.length; i++) index.push(corners[0], corners[i - 1], corners[i])
  }
  flat(body, corners) {
    this.fan(corners.map((x) => this.vertex(body, x)))
  }
  stroke(body, a, b) {
    this.line.push(a[0], a[1], a[2], b[0], b[1], b[2])
    this.lineBody.push(body, body)
  }
  loop(body, corners) {
    this.flat(body, corners)
    corners.forEach((c, i) => this.stroke(body, c, corners[(i + 1) % corners.length]))
  }
}

/* ---- plane ---- */

const arc = (centre, radius, from, to, parts) =>
  Array.from({ length: parts + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / parts
    return [centre[0] + radius * Math.cos(angle), centre[1] + radius * Math.sin(angle), 0]
  })

// A convex polygon with a rim: an arc at each corner. Corners run counter-clockwise.
function rounded(points, radius) {
  if (!(radius > 0)) return points
  const n = points.length
  return points.flatMap((p, i) => {
    const before = points[(i + n - 1) % n], after = points[(i + 1) % n]
    const from = Math.atan2(-(p[0] - before[0]), p[1] - before[1])
    let to = Math.atan2(-(after[0] - p[0]), after[1] - p[1])
    while (to < from) to += 2 * Math.PI
    return arc(p, radius, from, to, Math.max(2, Math.ceil((to - from) / 0.3)))
  })
}

function counterClockwise(points) {
  let area = 0
  points.forEach((p, i) => {
    const q = points[(i + 1) % points.length]
    area += p[0] * q[1] - p[1] * q[0]
  })
  return area < 0 ? [...points].reverse() : points
}

function planar(mesh, s, extent, parts) {
  const [a, b] = s.points
  if (s.kind === DISK) {
    mesh.loop(s.body, arc(a, s.radius, 0, 2 * Math.PI, parts).slice(0, -1))
    mesh.stroke(s.body, a, [a[0] + 0.8 * s.radius, a[1], 0])
  } else if (s.kind === SEGMENT) mesh.loop(s.body, rounded([a, b], Math.max(s.radius, 0.0015 * extent)))
  else if (s.kind === POLYGON) mesh.loop(s.body, rounded(counterClockwise(s.points), s.radius))
  else if (s.kind === HALF_PLANE) {
    const n = unit(b), t = [-n[1], n[0], 0], far = 3 * extent, deep = -0.02 * extent
    const corners = [add(a, t, far), add(a, t, -far), add(add(a, t, -far), n, deep), add(add(a, t, far), n, deep)]
    mesh.flat(s.body, counterClockwise(corners))
  }
}

/* ---- space ---- */

// A sphere swept along its axis: parts of longitude, half as many of latitude, split at the equator when it is a capsule.
function capsule(mesh, body, a, b, radius, parts) {
  const axis = unit(add(b, a, -1)), u = unit(cross(axis, Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0])), v = cross(axis, u)
  const rows = []
  const half = Math.max(2, parts >> 2)
  for (let i = -half; i <= half; i++) {
    const latitude = (i / half) * (Math.PI / 2)
    for (const centre of i === 0 ? [a, b] : [i < 0 ? a : b])
      rows.push(Array.from({ length: parts + 1 }, (_, j) => {
        const longitude = (2 * Math.PI * j) / parts, c = Math.cos(latitude)
        const n = add(add(u.map((x) => x * c * Math.cos(longitude)), v, c * Math.sin(longitude)), axis, Math.sin(latitude))
        return { x: add(centre, n, radius), n }
      }))
  }
  stitch(mesh, body, rows)
}

function stitch(mesh, body, rows) {
  const number = rows.map((row) => row.map(({ x, n }) => mesh.vertex(body, x, n)))
  for (let i = 1; i < rows.length; i++)
    for (let j = 1; j < rows[i].length; j++) mesh.fan([number[i - 1][j - 1], number[i - 1][j], number[i][j], number[i][j - 1]])
}

// Its edges are rounded: rings from each flat end to the full radius.
function cylinder(mesh, body, a, b, radius, rounding, parts) {
  const axis = unit(add(b, a, -1)), u = unit(cross(axis, Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0])), v = cross(axis, u)
  const ring = (centre) =>
    Array.from({ length: parts + 1 }, (_, j) => {
      const angle = (2 * Math.PI * j) / parts, n = add(u.map((x) => x * Math.cos(angle)), v, Math.sin(angle))
      return { x: add(centre, n, radius), n }
    })
  if (!(rounding > 0)) {
    const low = ring(a), high = ring(b)
    stitch(mesh, body, [low, high])
    mesh.flat(body, high.slice(0, -1).map((p) => p.x))
    mesh.flat(body, low.slice(0, -1).map((p) => p.x).reverse())
    return
  }
  const steps = 6, rows = []
  for (let i = 0; i < 2 * (steps + 1); i++) {
    const upper = i > steps, sign = upper ? 1 : -1, angle = ((upper ? 2 * steps + 1 - i : i) / steps) * (Math.PI / 2)
    const centre = add(upper ? b : a, axis, -sign * rounding), out = Math.sin(angle), along = sign * Math.cos(angle)
    rows.push(ring(centre).map((p) => {
      const n = add(p.n.map((x) => x * out), axis, along)
      return { x: add(add(centre, p.n, radius - rounding), n, rounding), n }
    }))
  }
  stitch(mesh, body, rows)
  mesh.flat(body, rows[rows.length - 1].slice(0, -1).map((p) => p.x))
  mesh.flat(body, rows[0].slice(0, -1).map((p) => p.x).reverse())
}

// The farthest points along the axes of the body, joined.
function octahedron(points, number, index) {
  const [left, right, back, front, low, high] = [0, 1, 2].flatMap((c) =>
    [-1, 1].map((sign) => number[points.reduce((best, x, i) => (sign * x[c] > sign * points[best][c] ? i : best), 0)]))
  for (const [a, b] of [[right, front], [front, left], [left, back], [back, right]]) index.push(high, a, b, low, b, a)
}

// Facets that stand for a round surface: those around a corner that go on in each other, turning by less than 50° from one to the next, share a normal there.
function smooth(mesh, s) {
  const CREASE = Math.cos((50 * Math.PI) / 180), around = s.points.map(() => [])
  const normal = s.faces.map((face) => {
    const [a, b, c] = face.map((k) => s.points[k])
    return unit(cross(add(b, a, -1), add(c, a, -1)))
  })
  const meet = (f, g) => normal[f].reduce((sum, x, c) => sum + x * normal[g][c], 0) > CREASE
  s.faces.forEach((face, f) => face.forEach((k) => around[k].push(f)))
  const vertex = around.map((faces, k) => { // of each facet around the corner
    const number = new Map()
    for (const f of faces) {
      if (number.has(f)) continue
      const group = [f]
      for (let i = 0; i < group.length; i++) group.push(...faces.filter((g) => !group.includes(g) && meet(group[i], g)))
      const own = mesh.vertex(s.body, s.points[k], unit(group.reduce((sum, g) => add(sum, normal[g]), [0, 0, 0])))
      for (const g of group) number.set(g, own)
    }
    return number
  })
  s.faces.forEach((face, f) => mesh.fan(face.map((k) => vertex[k].get(f))))
}

// Half-spaces are not here: they are grounds with a grid (stage.js).
function spatial(mesh, s, extent, parts) {
  const [a, b] = s.points
  if (s.kind === SPHERE || s.kind === DISK) capsule(mesh, s.body, a, add(a, [0, 0, 1e-9 * s.radius]), s.radius, parts)
  else if (s.kind === CAPSULE || s.kind === SEGMENT) capsule(mesh, s.body, a, b, s.radius, parts)
  else if (s.kind === CYLINDER) cylinder(mesh, s.body, a, b, s.radius, s.rounding, Math.max(parts, 32))
  else if (s.kind === MESH) {
    const number = s.points.map((x) => mesh.vertex(s.body, x))
    for (const face of s.faces) mesh.fan(face.map((k) => number[k]))
  } else if (s.smooth) smooth(mesh, s)
  else if (s.kind === POLYHEDRON) {
    const number = s.points.map((x) => mesh.vertex(s.body, x))
    const before = mesh.index.length
    for (const face of s.faces) mesh.fan(face.map((k) => number[k]))
    if (s.faces.length > 16) octahedron(s.points, number, mesh.draft)
    else for (let i = before; i < mesh.index.length; i++) mesh.draft.push(mesh.index[i])
  }
}

// Fewer corners where there are many bodies.
function roundness(run) {
  const round = run.shapes.filter((s) => [DISK, SEGMENT, SPHERE, CAPSULE].includes(s.kind)).length
  if (run.planar) return round > 20000 ? 12 : round > 3000 ? 20 : 32
  return round > 20000 ? 8 : round > 2000 ? 12 : 20
}

export function buildMesh(run) {
  const mesh = new Mesh(), parts = roundness(run)
  const order = [...run.shapes].sort((s, t) => layer(run, s) - layer(run, t))
  if (!run.planar) mesh.draft = []
  for (const s of order) {
    const before = mesh.index.length
    if (run.planar) planar(mesh, s, run.extent, parts)
    else spatial(mesh, s, run.extent, parts)
    if (mesh.draft && (s.kind !== POLYHEDRON || s.smooth)) for (let i = before; i < mesh.index.length; i++) mesh.draft.push(mesh.index[i])
  }
  const before = mesh.index.length
  addSolidParts(mesh, run, { capsule, cylinder })
  if (mesh.draft) for (let i = before; i < mesh.index.length; i++) mesh.draft.push(mesh.index[i])
  return mesh
}

// In the plane: boundaries below, grains above them, links on top.
const layer = (run, s) => [1, 0, 0, 2][run.role[s.body]]

// A ground: the middle and the two directions of its square, in the axes of its body.
export function groundOf(shape, far) {
  const [a, b] = shape.points, n = unit(b), u = unit(cross(n, Math.abs(n[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0])), v = cross(n, u)
  return { middle: a, u: u.map((x) => far * x), v: v.map((x) => far * x) }
}

export function boundingRadius(run) {
  const radius = new Float32Array(run.bodies)
  for (const s of run.shapes) {
    if (s.kind === HALF_PLANE || s.kind === HALF_SPACE) continue
    for (const p of s.points) radius[s.body] = Math.max(radius[s.body], Math.hypot(...p) + s.radius)
  }
  for (const p of run.parts.filter((part) => isSolid(run, part)))
    for (const { body, point } of p.ends) radius[body] = Math.max(radius[body], Math.hypot(...point) + p.radius)
  return radius
}
